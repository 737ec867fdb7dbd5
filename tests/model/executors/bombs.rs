//! Systems that panic if the fuse has their number: in their bodies, in conditions, in commands, in
//! `init` and `exit` functions, and when their events are stored or dropped.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use super::world::*;

/// A panic without a call of the hook.
pub(super) fn blow(fuse: &Fuse, number: u32) {
    if fuse.has(number) {
        resume_unwind(Box::new(format!("bomb {number}")));
    }
}

#[system(Game)]
pub(super) fn bomb_on_mass(mut rows: Query<&mut Mass>, fuse: Res<Fuse>) {
    for (at, mass) in (&mut rows).into_iter().enumerate() {
        mass.0 += 1;
        if at == 5 {
            blow(&fuse, 3);
        }
    }
    blow(&fuse, 8);
}
#[system(Game)]
pub(super) fn bomb(mut sum: ResMut<Sum>, fuse: Res<Fuse>) {
    sum.0 += 1;
    blow(&fuse, 4);
    blow(&fuse, 8);
}
/// Clashes with no other system.
#[system(Game)]
pub(super) fn lonely_bomb(fuse: Res<Fuse>, mut runs: Local<u32>) {
    *runs += 1;
    blow(&fuse, 5);
    blow(&fuse, 8);
}
#[system(Game)]
pub(super) fn sending_bomb(
    fuse: Res<Fuse>,
    mut pings: EventWriter<Ping>,
    mut bursts: EventWriter<Burst>,
    sum: Res<Sum>,
) {
    pings.send(Ping(Entity::from_bits(1 << 32).unwrap(), 2));
    if fuse.has(6) || fuse.has(8) {
        bursts.extend((0..sum.0 % 30).map(|_| Burst));
    }
    blow(&fuse, 6);
}
#[system(Game)]
pub(super) fn commanding_bomb(fuse: Res<Fuse>, mut commands: Commands<Game>) {
    commands.spawn((Mass(0), Label("never".into())));
    blow(&fuse, 7);
    blow(&fuse, 8);
}
/// A system whose command panics.
#[system(Game)]
pub(super) fn later_bomb(mut commands: Commands<Game>) {
    commands.spawn(Mass(1));
    commands.run(|game| {
        game.spawn(Tag);
        let fuse = game.resource::<Fuse>().clone();
        blow(&fuse, 9);
    });
    commands.spawn(Mass(2));
}

#[system(Game)]
pub(super) fn doubtful(fuse: Res<Fuse>, mut asked: Local<u32>) -> bool {
    *asked += 1;
    blow(&fuse, 10);
    blow(&fuse, 8);
    !asked.is_multiple_of(3)
}
/// Clashes with no other system.
#[system(Game)]
pub(super) fn lonely_question(fuse: Res<Fuse>, mut pings: EventReader<Ping>) -> bool {
    let heard = pings.iter().count();
    blow(&fuse, 11);
    heard.is_multiple_of(2)
}
#[system(Game)]
pub(super) fn whole_question(game: &mut Game, mut asked: Local<u32>) -> bool {
    *asked += 1;
    game.spawn(Heat(u64::from(*asked)));
    let fuse = game.resource::<Fuse>().clone();
    blow(&fuse, 12);
    let snapshot = game.snapshot();
    game.resource_mut::<Back>().0 = Some(snapshot);
    asked.is_multiple_of(2)
}
#[system(Game)]
pub(super) fn settle_bomb(gone: Exited<With<Heat>>, fuse: Res<Fuse>, mut log: ResMut<Log>) {
    log.0.push(gone.len() as u64);
    blow(&fuse, 13);
}

impl Shard {
    /// Whether shards panic: only while a step is applied, not while the test compares worlds.
    pub(super) const ARMED: &'static AtomicBool = {
        static ARMED: AtomicBool = AtomicBool::new(false);
        &ARMED
    };
}

impl Drop for Shard {
    fn drop(&mut self) {
        if self.0.is_multiple_of(29) && Self::ARMED.load(Ordering::Relaxed) && !std::thread::panicking() {
            resume_unwind(Box::new(format!("shard {}", self.0)));
        }
    }
}

#[system(Game)]
pub(super) fn shatter(sum: Res<Sum>, fuse: Res<Fuse>, mut shards: EventWriter<Shard>) {
    if fuse.has(15) {
        shards.extend((0..sum.0 % 40).map(|n| Shard(n * 7)));
    }
}
#[system(Game)]
pub(super) fn sweep(mut shards: EventReader<Shard>, mut log: ResMut<Log>) {
    log.0.push(shards.iter().map(|shard| shard.0).sum());
}

fn prepare(game: &mut Game) {
    game.spawn(Label("prepared".into()));
    let fuse = game.resource::<Fuse>().clone();
    blow(&fuse, 16);
}
fn clean_up(game: &mut Game) {
    game.spawn(Label("cleaned up".into()));
    let fuse = game.resource::<Fuse>().clone();
    blow(&fuse, 17);
}
/// A system whose `init` and `exit` functions may panic.
#[system(Game, init = prepare, exit = clean_up)]
pub(super) fn prepared(mut pings: EventReader<Ping>, mut log: ResMut<Log>, mut commands: Commands<Game>) {
    log.0.push(pings.iter().count() as u64);
    commands.spawn(Seat(log.0.len() as u32));
}
