//! `--synctest`: each frame is run again several times, and the hashes must be equal.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rollback::{Rollback, builder};

use crate::game::{self, Duel, Keys, Score, pressed_at_random};

/// The frames of each rollback: the most that a session with the default prediction runs again.
const DISTANCE: usize = 7;
/// The frames whose snapshots are measured.
const MEASURED: u32 = 2_000;

pub fn run(frames: u32) -> Result<(), Box<dyn Error>> {
    let session = builder::<Duel, Keys>().with_check_distance(DISTANCE).start_synctest_session()?;
    let mut game = Rollback::new(game::duel(), session, Duel::tick);
    let (mut again, begin) = (0_u64, Instant::now());
    for frame in 0..frames {
        let keys = [0, 1].map(|player| (player, pressed_at_random(player, frame)));
        again += u64::from(game.advance(keys)?.again);
    }
    let time = begin.elapsed();
    println!("{frames} frames, {again} of them again, in {time:.1?}");
    let world = game.into_world();
    println!("{} entities, score {:?}", world.entities().len(), world.resource::<Score>().0);
    let hash = world.hash();
    measure(world);
    println!("hash {hash:016x}");
    Ok(())
}

/// Prints the time of a snapshot, a frame, a restore and a hash.
fn measure(mut world: Duel) {
    let mut times = [Duration::ZERO; 4];
    for _ in 0..MEASURED {
        let begin = Instant::now();
        let before = world.snapshot();
        let saved = Instant::now();
        world.tick();
        let run = Instant::now();
        world.restore(&before);
        let restored = Instant::now();
        black_box(world.hash());
        let hashed = Instant::now();
        world.tick();
        let parts = [saved - begin, run - saved, restored - run, hashed - restored];
        times.iter_mut().zip(parts).for_each(|(time, part)| *time += part);
    }
    let [save, tick, load, hash] = times.map(|time| time.as_secs_f64() * 1e6 / f64::from(MEASURED));
    println!("microseconds: frame {tick:.1}, snapshot {save:.1}, restore {load:.1}, hash {hash:.1}");
}
