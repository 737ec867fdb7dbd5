//! A duel of two tanks over the network: `cargo run --release -p duel -- --help`.
//!
//! The world is in `game.rs`, and knows nothing of a network. `Rollback` runs it in all modes: two
//! players at one keyboard, two programs, a test that runs each frame several times, and two
//! processes without a terminal over a bad network.

mod cli;
mod draw;
mod game;
mod headless;
mod keyboard;
mod synctest;

use std::error::Error;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crossterm::event::{KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags};
use crossterm::{execute, terminal};

use cli::{Mode, Options};
use ecs_rollback::{DatagramSocket, LossySocket, Offline, PlayerType, Rollback, SessionEvent, builder};
use game::{Duel, Keys};
use keyboard::Keyboard;

type Game = Rollback<Duel, Keys>;

/// The length of a frame.
const FRAME: Duration = Duration::from_micros(16_667);
/// The frames by which inputs are delayed, so that fewer predictions are needed.
const INPUT_DELAY: usize = 1;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("duel: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    match options.mode {
        Mode::Help => print!("{}", cli::HELP),
        Mode::Local => play(local()?, None)?,
        Mode::Network => {
            let other = options.connect.ok_or("--connect ADDR names the other program")?;
            let game = networked(&options, bound(&options)?, other)?;
            play(game, Some(options.player))?;
        }
        Mode::SyncTest(frames) => synctest::run(frames)?,
        Mode::Headless => headless::run(&options)?,
    }
    Ok(())
}

/// Two players at one keyboard: a session without other programs.
fn local() -> Result<Game, Box<dyn Error>> {
    let session = builder::<Duel, Keys>()
        .add_player(PlayerType::Local, 0)?
        .add_player(PlayerType::Local, 1)?
        .start_p2p_session(Offline)?;
    Ok(Rollback::new(game::duel(), session, Duel::tick))
}

fn bound(options: &Options) -> io::Result<DatagramSocket> {
    DatagramSocket::bind((options.address.as_str(), options.port))
}

/// One player here, the other one in another program.
fn networked(options: &Options, socket: DatagramSocket, other: SocketAddr) -> Result<Game, Box<dyn Error>> {
    let player = options.player;
    let socket = LossySocket::new(socket, player as u64)
        .loss(options.loss.unwrap_or(0.0))
        .delay(0..options.delay.unwrap_or(0) + 1);
    let session = builder::<Duel, Keys>()
        .with_input_delay(INPUT_DELAY)
        .add_player(PlayerType::Local, player)?
        .add_player(PlayerType::Remote(other), 1 - player)?
        .start_p2p_session(socket)?;
    Ok(Rollback::new(game::duel(), session, Duel::tick))
}

/// Plays in the terminal. `player` is the only local player, if there is one.
fn play(mut game: Game, player: Option<usize>) -> Result<(), Box<dyn Error>> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err("it needs a terminal; --headless and --synctest do not".into());
    }
    let mut terminal = ratatui::try_init()?;
    // some terminals can tell when a key is released
    let releases = terminal::supports_keyboard_enhancement().unwrap_or(false);
    if releases {
        let flags = KeyboardEnhancementFlags::REPORT_EVENT_TYPES;
        execute!(io::stdout(), PushKeyboardEnhancementFlags(flags))?;
    }
    let result = play_on(&mut terminal, &mut game, player);
    if releases {
        execute!(io::stdout(), PopKeyboardEnhancementFlags)?;
    }
    ratatui::restore();
    result
}

fn play_on(
    terminal: &mut ratatui::DefaultTerminal,
    game: &mut Game,
    player: Option<usize>,
) -> Result<(), Box<dyn Error>> {
    let (mut keyboard, mut news, mut skip) = (Keyboard::default(), String::new(), 0);
    let help = match player {
        None => "w a s d, space | arrows, enter | q quits",
        Some(_) => "w a s d or arrows, space or enter | q quits",
    };
    let mut next = Instant::now();
    while !keyboard.quit {
        keyboard.read()?;
        match player {
            None => _ = game.advance([0, 1].map(|player| (player, keyboard.keys(player))))?,
            // the other program is behind: wait for it
            Some(_) if skip > 0 => {
                skip -= 1;
                game.poll();
            }
            Some(player) => {
                let progress = game.advance([(player, keyboard.both())])?;
                if progress.is_waiting() && game.frame() > 0 {
                    news = "waiting for the other program".into();
                }
            }
        }
        for event in game.events() {
            match event {
                SessionEvent::Ahead { frames } => skip = frames,
                SessionEvent::Desync { .. } => return Err(event.to_string().into()),
                _ => news = event.to_string(),
            }
        }
        terminal.draw(|frame| draw::draw(frame, game.world(), &news, help))?;
        next += FRAME;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        next = next.max(Instant::now() - FRAME);
    }
    Ok(())
}
