//! The parts that a small program needs besides its world: the command line, the terminal, the
//! keys, and a run without a terminal on recorded keys.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, terminal};
use ecs::event::SentTo;
use ecs::prelude::*;
use ecs::save::Saved;
use serde::{Deserialize, Serialize};

use crate::Screen;
use crate::screen::Color;

/// The keys that may wait for their frames; further ones are dropped, so that a held key does not
/// act after its release.
const WAITING_KEYS: usize = 3;

/// A world that can be played in the terminal.
pub trait Program: Saved + World {
    /// The name of the example.
    const TITLE: &'static str;
    /// The keys and their meanings, for the last row. [`run`] gives `n` and `q` theirs: a new game,
    /// and the end.
    const KEYS: &'static str;
    /// The schedule that runs in each frame, after the key was sent.
    const FRAME: fn(&mut Self);
    /// The length of a frame, in milliseconds.
    const FRAME_MILLIS: u64 = 33;
    /// The keys of a run without a terminal, see [`recorded`].
    const RECORDED: &'static str;

    /// The world before the first frame.
    fn start() -> Self;
    /// Runs a frame, with the key that was pressed.
    fn frame(&mut self, key: Option<Key>)
    where
        Key: SentTo<Self>,
    {
        key.into_iter().for_each(|key| self.send(key));
        Self::FRAME(self);
    }
    /// Draws the world. The first and the last row are drawn by [`run`], except for the right part
    /// of the first one.
    fn draw(&self, screen: &mut Screen);
}

/// A key that was pressed: a small letter, `' '`, also for the enter key, or `w`, `a`, `s` or `d`
/// for an arrow.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Key(pub char);

impl Key {
    /// The direction of `w`, `a`, `s` and `d`, to the right and downwards.
    #[must_use]
    pub const fn direction(self) -> Option<(i32, i32)> {
        Some(match self.0 {
            'w' => (0, -1),
            'a' => (-1, 0),
            's' => (0, 1),
            'd' => (1, 0),
            _ => return None,
        })
    }
}

/// Random numbers that are part of a world, so that each run is the same.
#[derive(Resource, Clone, Serialize, Deserialize)]
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: i32) -> i32 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % u64::from(end.unsigned_abs().max(1))) as i32
    }
}

/// The keys of each frame of a recording: a character is a frame with this key, `_` with the space
/// key, `.` without a key, and a number after a character repeats it. White space separates; a line
/// that begins with `#` is a comment.
///
/// # Panics
/// If a number has no character before it, or is too large.
#[must_use]
pub fn recorded(text: &str) -> Vec<Option<Key>> {
    let mut frames = Vec::new();
    for word in text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
        let mut rest = word;
        while let Some(character) = rest.chars().next() {
            assert!(!character.is_ascii_digit(), "a number needs a key before it: `{word}`");
            rest = &rest[character.len_utf8()..];
            let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
            let count = if digits == 0 { 1 } else { rest[..digits].parse().expect("a small number") };
            rest = &rest[digits..];
            let key = match character {
                '.' => None,
                '_' => Some(Key(' ')),
                _ => Some(Key(character)),
            };
            frames.extend(std::iter::repeat_n(key, count));
        }
    }
    frames
}

/// Runs a small program. Exits with 2 after a mistake in the command line, and if there is no
/// terminal.
#[must_use]
pub fn run<P: Program>() -> ExitCode
where
    Key: SentTo<P>,
{
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--headless"] => {
            let mut program = P::start();
            for key in recorded(P::RECORDED) {
                program.frame(key);
            }
            println!("{}hash {:016x}", picture(&program), program.hash());
            ExitCode::SUCCESS
        }
        [] if is_terminal => match play(&mut P::start()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", P::TITLE);
                ExitCode::FAILURE
            }
        },
        [] => {
            eprintln!("{}: there is no terminal; `--headless` runs without one, on recorded keys", P::TITLE);
            ExitCode::from(2)
        }
        _ => {
            eprintln!("{}: unknown arguments; `--headless` is the only one", P::TITLE);
            ExitCode::from(2)
        }
    }
}

fn picture<P: Program>(program: &P) -> Screen {
    let mut screen = Screen::default();
    screen.text(0, 0, P::TITLE, Color::White);
    screen.text(0, 23, P::KEYS, Color::DarkGrey);
    program.draw(&mut screen);
    screen
}

fn play<P: Program>(program: &mut P) -> io::Result<()>
where
    Key: SentTo<P>,
{
    let _terminal = Restored::open()?;
    let mut keys = VecDeque::new();
    let mut next = Instant::now();
    loop {
        while event::poll(Duration::ZERO)? {
            match event::read()? {
                TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => match meaning(key) {
                    Some(Meaning::Quit) => return Ok(()),
                    Some(Meaning::Restart) => {
                        *program = P::start();
                        keys.clear();
                    }
                    Some(Meaning::Key(key)) if keys.len() < WAITING_KEYS => keys.push_back(key),
                    _ => {}
                },
                _ => {}
            }
        }
        program.frame(keys.pop_front());
        let (columns, rows) = terminal::size()?;
        let mut out = io::stdout().lock();
        out.write_all(picture(program).commands(columns, rows)?.as_bytes())?;
        out.flush()?;
        drop(out);
        next += Duration::from_millis(P::FRAME_MILLIS);
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        // a program that was stopped for a while does not catch up
        next = next.max(Instant::now() - Duration::from_millis(P::FRAME_MILLIS));
    }
}

enum Meaning {
    Quit,
    Restart,
    Key(Key),
}

fn meaning(key: KeyEvent) -> Option<Meaning> {
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(Meaning::Key(Key(match key.code {
        KeyCode::Esc | KeyCode::Char('q' | 'Q') => return Some(Meaning::Quit),
        KeyCode::Char('c') if has_control => return Some(Meaning::Quit),
        KeyCode::Char('n' | 'N') => return Some(Meaning::Restart),
        KeyCode::Char(character) => character.to_ascii_lowercase(),
        KeyCode::Enter => ' ',
        KeyCode::Up => 'w',
        KeyCode::Left => 'a',
        KeyCode::Down => 's',
        KeyCode::Right => 'd',
        _ => return None,
    })))
}

/// A terminal in raw mode, with the program's own screen. It is restored on drop, and before the
/// message of a panic.
struct Restored;

impl Restored {
    fn open() -> io::Result<Self> {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
        terminal::enable_raw_mode()?;
        let restored = Self;
        execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(restored)
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        // the hook has restored it
        if !std::thread::panicking() {
            restore();
        }
    }
}

/// An error here is not reported: the program ends anyway.
fn restore() {
    _ = execute!(io::stdout(), cursor::Show, terminal::LeaveAlternateScreen);
    _ = terminal::disable_raw_mode();
}

/// Writes the `main` of the small program whose world is named.
#[macro_export]
macro_rules! main {
    ($world:ty) => {
        fn main() -> std::process::ExitCode {
            $crate::run::<$world>()
        }
    };
}
