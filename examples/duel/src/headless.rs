//! `--headless`: two processes play at random over the loopback, with losses and delays, and end
//! with equal hashes.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ecs_rollback::SessionEvent;

use crate::cli::Options;
use crate::game::pressed_at_random;
use crate::{Game, INPUT_DELAY, bound, networked};

/// The frames that a session predicts at most, those by which inputs are delayed, and one more.
const PREDICTED: u32 = 8 + INPUT_DELAY as u32 + 1;
const PACE: Duration = Duration::from_millis(4);
/// The time after which a process gives up.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let (loss, delay) = (options.loss.unwrap_or(0.2), options.delay.unwrap_or(5));
    let socket = bound(options)?;
    let own = socket.address()?;
    if let Some(other) = options.connect {
        println!("port {}", own.port());
        let mut game = networked(&with(options, loss, delay), socket, other)?;
        return play(&mut game, options.player, options.frames).map(|hash| println!("hash {hash:016x}"));
    }
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--headless", "--player", "2", "--connect", &own.to_string()])
        .args(["--frames", &options.frames.to_string()])
        .args(["--loss", &loss.to_string(), "--delay", &delay.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("the child has no output")?).lines();
    let mut after = move |key: &str| -> Result<String, Box<dyn Error>> {
        loop {
            let line =
                lines.next().ok_or_else(|| format!("the second process has ended without its {key}"))??;
            if let Some(rest) = line.strip_prefix(key) {
                return Ok(rest.trim().to_owned());
            }
            println!("player 2: {line}");
        }
    };
    let result = after("port").and_then(|port| {
        let mut game = networked(&with(options, loss, delay), socket, format!("127.0.0.1:{port}").parse()?)?;
        let hash = play(&mut game, 0, options.frames)?;
        Ok((format!("{hash:016x}"), after("hash")?))
    });
    if result.is_err() {
        child.kill()?;
    }
    child.wait()?;
    let (ours, theirs) = result?;
    println!("frame {}: {ours} in the first process, {theirs} in the second one", options.frames);
    if ours != theirs {
        return Err("the worlds of the two processes differ".into());
    }
    println!("hash {ours}");
    Ok(())
}

fn with(options: &Options, loss: f32, delay: u32) -> Options {
    Options {
        mode: crate::Mode::Headless,
        address: options.address.clone(),
        loss: Some(loss),
        delay: Some(delay),
        ..*options
    }
}

/// Plays until the state of a frame is confirmed, here and in the other program. Returns its hash.
///
/// The other program has confirmed the frame if it has sent an input so much later that it could
/// not predict so far without ours.
fn play(game: &mut Game, player: usize, frames: u32) -> Result<u64, Box<dyn Error>> {
    let (mut again, mut waited, begin) = (0, 0, Instant::now());
    let frame = frames.next_multiple_of(ecs_rollback::HASH_INTERVAL);
    'play: while game.confirmed() < frame + PREDICTED {
        let progress = game.advance([(player, pressed_at_random(player, game.frame()))])?;
        again += progress.again;
        waited += u32::from(progress.is_waiting());
        for event in game.events() {
            match event {
                SessionEvent::Desync { .. } => return Err(event.to_string().into()),
                // the other program has ended, as it has all inputs
                SessionEvent::Interrupted { .. } | SessionEvent::Disconnected { .. }
                    if game.hash_at(frame).is_some() =>
                {
                    break 'play;
                }
                SessionEvent::Disconnected { .. } => return Err(event.to_string().into()),
                _ => {}
            }
        }
        if begin.elapsed() > PATIENCE {
            return Err(format!("no progress: {} of {frame} frames are confirmed", game.confirmed()).into());
        }
        std::thread::sleep(PACE);
    }
    println!("{frame} frames, {again} run again, {waited} waited for, in {:.1?}", begin.elapsed());
    game.hash_at(frame).ok_or_else(|| format!("the hash of frame {frame} is unknown").into())
}
