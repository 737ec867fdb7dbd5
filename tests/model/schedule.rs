//! Random schedules of systems with all kinds of parameters: one thread and sixteen threads give
//! the same world, bit for bit.

use std::hash::{DefaultHasher, Hash, Hasher};

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Has, Schedule};
use ecs_tests::random::{Random, rounds};
use rayon::{ThreadPool, ThreadPoolBuilder};

#[derive(Component, Clone, Hash)]
struct A(u32);
#[derive(Component, Clone, Hash)]
struct B(u64);
#[derive(Component, Clone, Hash)]
struct C([u8; 3]);
#[derive(Component, Clone, Hash)]
struct D(String);
#[derive(Component, Clone, Hash)]
struct Tag;
#[derive(Resource, Clone, Default, Hash)]
struct Sum(u64);
#[derive(Resource, Clone, Default, Hash)]
struct Log(Vec<u64>);
#[derive(Event, Clone, Hash)]
struct Ping(Entity, u64);
#[derive(Event, Clone, Hash)]
struct Pong(u64);

world! {
    #[derive(Clone)]
    struct Game {
        components { A, B, C, D, Tag }
        resources { Sum, Log }
        events { Ping(external), Pong(external) }
    }
}

#[system(Game)]
fn pour(a: &mut A, b: &B) {
    a.0 = a.0.wrapping_mul(31).wrapping_add(b.0 as u32);
}

#[system(Game)]
fn sum(all: Query<&A, Without<Tag>>, mut sum: ResMut<Sum>) {
    sum.0 = all.iter().fold(sum.0, |sum, a| sum.rotate_left(3) ^ u64::from(a.0));
}

#[system(Game)]
fn age_tagged(c: &mut C, _: With<Tag>) {
    c.0[0] = c.0[0].wrapping_add(3);
}

#[system(Game)]
fn age_untagged(c: &mut C, _: Without<Tag>) {
    c.0[1] = c.0[1].wrapping_mul(5).wrapping_add(1);
}

#[system(Game)]
fn tag(rows: Query<(Entity, &A)>, mut tags: Storage<Tag>) {
    for (entity, a) in &rows {
        if a.0.is_multiple_of(3) {
            tags.insert(entity, Tag).unwrap();
        } else if a.0 % 3 == 1 {
            tags.remove(entity);
        }
    }
}

#[system(Game)]
fn name(rows: Query<(Entity, &C)>, mut names: Storage<D>, mut runs: Local<u32>) {
    *runs += 1;
    for (entity, c) in &rows {
        if c.0[0].is_multiple_of(4) {
            names.insert(entity, D(format!("{} {:?}", *runs, c.0))).unwrap();
        }
    }
}

#[system(Game)]
fn rename(names: &mut D, b: Option<&B>) {
    names.0.push(b.map_or('-', |b| char::from(b'a' + (b.0 % 26) as u8)));
    if names.0.len() > 12 {
        names.0.clear();
    }
}

#[system(Game)]
fn spawn_few(mut runs: Local<u32>, mut commands: Commands<Game>) {
    *runs += 1;
    let entity = commands.spawn((A(*runs), B(7)));
    commands.insert(entity, C([*runs as u8; 3]));
    for n in 0..*runs % 4 {
        commands.spawn((C([n as u8; 3]), Tag));
    }
}

#[system(Game)]
fn spawn_many(sum: Res<Sum>, mut commands: Commands<Game>) {
    for n in 0..sum.0 % 70 {
        commands.spawn((A(n as u32), B(sum.0)));
    }
}

#[system(Game)]
fn cull(rows: Query<(Entity, &A)>, mut commands: Commands<Game>) {
    rows.iter().filter(|(_, a)| a.0 % 5 == 2).for_each(|(entity, _)| commands.despawn(entity));
}

#[system(Game)]
fn give(rows: Query<Entity, (With<C>, Without<B>)>, sum: Res<Sum>, mut commands: Commands<Game>) {
    rows.iter().for_each(|entity| commands.insert(entity, B(sum.0)));
}

#[system(Game)]
fn strip(rows: Query<(Entity, &B), With<C>>, mut commands: Commands<Game>) {
    let odd = rows.iter().filter(|(_, b)| b.0 % 2 == 1);
    odd.for_each(|(entity, _)| commands.remove::<(B, Tag)>(entity));
}

#[system(Game)]
fn shout(rows: Query<(Entity, &A)>, mut pings: EventWriter<Ping>) {
    pings.extend(rows.iter().step_by(7).map(|(entity, a)| Ping(entity, u64::from(a.0))));
}

#[system(Game)]
fn shout_too(rows: Query<(Entity, &B)>, mut runs: Local<u64>, mut pings: EventWriter<Ping>) {
    *runs += 1;
    pings.extend(rows.iter().take(3).map(|(entity, b)| Ping(entity, b.0 ^ *runs)));
}

#[system(Game)]
fn hear(mut pings: EventReader<Ping>, mut log: ResMut<Log>) {
    let hash = |ping: &Ping| ping.0.to_bits() ^ ping.1;
    log.0.push(pings.iter().fold(0, |sum: u64, ping| sum.rotate_left(1) ^ hash(ping)));
}

#[system(Game)]
fn relay(mut pings: EventReader<Ping>, mut pongs: EventWriter<Pong>) {
    pongs.extend(pings.iter().filter(|ping| ping.1 % 2 == 0).map(|ping| Pong(ping.1)));
}

#[system(Game)]
fn echo(mut pongs: EventReader<Pong>, mut rows: Query<&mut B>, mut last: Local<u64>) {
    *last = pongs.iter().fold(*last, |last, pong| last.wrapping_mul(3) ^ pong.0);
    rows.for_each(|b| b.0 = b.0.wrapping_add(*last));
}

#[system(Game)]
fn whole(game: &mut Game) {
    let entities = game.entities().len() as u64;
    game.resource_mut::<Sum>().0 ^= entities;
    game.spawn(A(entities as u32));
}

#[system(Game)]
fn later(mut commands: Commands<Game>, sum: Res<Sum>) {
    let sum = sum.0;
    commands.run(move |game| {
        game.resource_mut::<Log>().0.push(sum);
        game.query_mut::<&mut A>().for_each(|a| a.0 ^= 1);
    });
}

/// A system that fails sometimes.
#[system(Game)]
fn fail(
    mut runs: Local<u32>,
    mut commands: Commands<Game>,
    mut pings: EventWriter<Ping>,
) -> Result<(), String> {
    *runs += 1;
    let entity = commands.spawn(B(u64::from(*runs)));
    pings.send(Ping(entity, 1));
    if *runs % 3 == 2 { Err("now and then".into()) } else { Ok(()) }
}

type Add = fn(&mut Schedule<Game>, &mut Game, i64) -> Result<(), ecs::error::ScheduleError>;

const SYSTEMS: [Add; 20] = [
    Schedule::add_again::<pour>,
    Schedule::add_again::<sum>,
    Schedule::add_again::<age_tagged>,
    Schedule::add_again::<age_untagged>,
    Schedule::add_again::<tag>,
    Schedule::add_again::<name>,
    Schedule::add_again::<rename>,
    Schedule::add_again::<spawn_few>,
    Schedule::add_again::<spawn_many>,
    Schedule::add_again::<cull>,
    Schedule::add_again::<give>,
    Schedule::add_again::<strip>,
    Schedule::add_again::<shout>,
    Schedule::add_again::<shout_too>,
    Schedule::add_again::<hear>,
    Schedule::add_again::<relay>,
    Schedule::add_again::<echo>,
    Schedule::add_again::<later>,
    Schedule::add_again::<whole>,
    Schedule::add_again::<fail>,
];

fn world(random: &mut Random) -> Game {
    let mut game = Game::default();
    game.on_failed_command(FailurePolicy::Ignore);
    let mut ids = Vec::new();
    let count = if random.below(20) == 0 { 600 } else { 20 + random.below(60) as u32 };
    for n in 0..count {
        ids.push(match random.below(6) {
            0 => game.spawn(A(n)),
            1 => game.spawn((A(n), B(n.into()))),
            2 => game.spawn((B(n.into()), C([n as u8; 3]))),
            3 => game.spawn((A(n), C([1; 3]), Tag)),
            4 => game.spawn((C([n as u8; 3]), D("d".into()))),
            _ => game.spawn(()),
        });
    }
    ids.into_iter().filter(|_| random.below(5) == 0).for_each(|id| game.despawn(id).unwrap());
    game
}

/// The content of a schedule: systems with their keys, flushes, and whether it flushes after every
/// system.
#[derive(Debug)]
struct Recipe {
    systems: Vec<(usize, i64)>,
    flushes: Vec<i64>,
    between: bool,
    /// The runs before which a system is disabled or removed.
    off: u64,
    removed: u64,
}

impl Recipe {
    fn new(random: &mut Random) -> Self {
        // exclusive and failing systems split a schedule, so not every schedule has them
        let known = SYSTEMS.len() as u64 - if random.below(3) == 0 { 0 } else { 2 };
        let systems =
            (0..2 + random.below(9)).map(|_| (random.below(known) as usize, random.below(6) as i64));
        Self {
            systems: systems.collect(),
            flushes: (0..random.below(3)).map(|_| random.below(6) as i64).collect(),
            between: random.below(12) == 0,
            off: random.below(6),
            removed: random.below(6),
        }
    }

    fn build(&self, game: &mut Game) -> Schedule<Game> {
        let mut schedule = Schedule::new("random");
        for &(system, key) in &self.systems {
            SYSTEMS[system](&mut schedule, game, key).unwrap();
        }
        self.flushes.iter().for_each(|&key| schedule.add_flush(key));
        schedule.flush_between(self.between);
        schedule
    }

    /// The world after some runs.
    fn run(&self, mut game: Game, parallelism: Parallelism) -> u64 {
        let mut schedule = self.build(&mut game);
        schedule.set_parallelism(parallelism);
        let mut failed = 0_u64;
        for step in 0..4 {
            let first = schedule.iter().next().map_or("", |(name, _)| name);
            if step == self.off {
                schedule.enable_named(first, false);
            }
            if step == self.removed {
                game.edit_schedule("random", move |schedule, game| {
                    schedule.remove_named(game, first);
                });
            }
            failed = failed << 1 | u64::from(schedule.run(&mut game).is_err());
        }
        schedule.close(&mut game);
        hash(game) ^ failed
    }
}

/// The observable state of a world.
fn hash(mut game: Game) -> u64 {
    fn column<T: Component + Hash>(game: &Game, hasher: &mut DefaultHasher)
    where
        Game: Has<T>,
    {
        let value = |entity| game.get::<T>(entity).map(|value| (entity, value));
        game.entities().iter().filter_map(value).collect::<Vec<_>>().hash(hasher);
    }
    let mut hasher = DefaultHasher::new();
    game.entities().iter().collect::<Vec<_>>().hash(&mut hasher);
    column::<A>(&game, &mut hasher);
    column::<B>(&game, &mut hasher);
    column::<C>(&game, &mut hasher);
    column::<D>(&game, &mut hasher);
    column::<Tag>(&game, &mut hasher);
    (game.resource::<Sum>(), game.resource::<Log>(), game.stats().failed_commands).hash(&mut hasher);
    game.stats().events.iter().map(|event| (event.sent, event.kept)).collect::<Vec<_>>().hash(&mut hasher);
    game.drain::<Ping>().collect::<Vec<_>>().hash(&mut hasher);
    game.drain::<Pong>().collect::<Vec<_>>().hash(&mut hasher);
    // the next slots
    (0..3).map(|_| game.spawn((A(0), B(0)))).collect::<Vec<_>>().hash(&mut hasher);
    hasher.finish()
}

fn pools() -> Vec<ThreadPool> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    [1, 2, 4, 16].map(pool).into()
}

#[test]
fn a_random_schedule_does_the_same_on_any_number_of_threads() {
    let pools = pools();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..rounds(4000) {
        let recipe = Recipe::new(&mut random);
        let game = world(&mut random);
        let expected = recipe.run(game.clone(), Parallelism::Never);
        for pool in &pools {
            let copy = game.clone();
            let found = pool.install(|| recipe.run(copy, Parallelism::Always));
            let threads = pool.current_num_threads();
            assert_eq!(found, expected, "round {round}, {threads} threads: {recipe:?}");
        }
    }
}
