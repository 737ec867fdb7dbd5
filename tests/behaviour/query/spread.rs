//! Parallel systems: any number of threads gives the same world.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Velocity(i64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;
#[derive(Component, Clone, PartialEq, Debug)]
struct Spark(u32);
#[derive(Event, Clone, PartialEq, Debug)]
struct Bumped(Entity, i64);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Seen(Vec<(Entity, i64)>);
#[derive(Resource, Clone, Default)]
struct Fuse(bool);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Velocity, Health, Frozen, Spark }
        resources { Seen, Fuse }
        events { Bumped }
    }
    schedule tick {
        moves, melts, sparks, more_sparks, bumps, bumps_too, hurts, reads;
        freezes, dies if any_dead, ages;
        turns, thaws
    }
    schedule breaks { sparks, bumps, explodes, more_sparks; reads }
}

#[system(Game)]
fn moves(position: &mut Position, velocity: &Velocity, _: Without<Frozen>) {
    position.0 = position.0.wrapping_mul(31).wrapping_add(velocity.0);
}
#[system(Game)]
fn melts(position: &mut Position, _: With<Frozen>) {
    position.0 -= 1;
}
#[system(Game)]
fn sparks(all: Query<(Entity, &Velocity)>, mut commands: Commands<Game>, mut turn: Local<u32>) {
    *turn += 1;
    for (entity, velocity) in all.iter().filter(|(entity, _)| entity.to_bits() % 7 == u64::from(*turn) % 7) {
        let spark = commands.spawn((Spark(*turn), Health(velocity.0)));
        commands.insert(spark, Velocity(entity.to_bits() as i64 % 5));
    }
}
#[system(Game)]
fn more_sparks(all: Query<&Velocity>, mut commands: Commands<Game>) {
    for at in 0..all.len() % 90 {
        commands.spawn(Spark(at as u32));
    }
}
#[system(Game)]
fn bumps(all: Query<(Entity, &Velocity)>, mut bumped: EventWriter<Bumped>) {
    bumped.extend(all.iter().map(|(entity, velocity)| Bumped(entity, velocity.0)));
}
#[system(Game)]
fn bumps_too(all: Query<(Entity, &Spark)>, mut bumped: EventWriter<Bumped>) {
    bumped.extend(all.iter().map(|(entity, spark)| Bumped(entity, i64::from(spark.0))));
}
#[system(Game)]
fn hurts(health: &mut Health) {
    health.0 -= 3;
}
#[system(Game)]
fn reads(mut bumped: EventReader<Bumped>, mut seen: ResMut<Seen>) {
    seen.0.extend(bumped.iter().map(|bump| (bump.0, bump.1)));
}
#[system(Game)]
fn freezes(all: Query<Entity, With<Position>>, mut frozen: Storage<Frozen>) {
    for entity in all.iter().filter(|entity| entity.to_bits() % 3 == 0) {
        frozen.insert(entity, Frozen).unwrap();
    }
}
#[system(Game)]
fn any_dead(all: Query<&Health>) -> bool {
    all.iter().any(|health| health.0 < 0)
}
#[system(Game)]
fn dies(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (entity, _) in all.iter().filter(|(_, health)| health.0 < 0) {
        commands.despawn(entity);
    }
}
#[system(Game)]
fn ages(all: Query<(Entity, &mut Spark)>, mut commands: Commands<Game>) {
    for (entity, spark) in all {
        spark.0 += 1;
        if spark.0 > 40 {
            commands.remove::<Health>(entity);
            commands.despawn(entity);
        }
    }
}
#[system(Game)]
fn turns(mut all: Query<&mut Velocity>) {
    all.par_for_each(|velocity| velocity.0 = -velocity.0 * 3 % 101);
}
#[system(Game)]
fn thaws(all: Query<(Entity, &Position)>, mut frozen: Storage<Frozen>) {
    for (entity, _) in all.iter().filter(|(_, position)| position.0 % 2 == 0) {
        frozen.remove(entity);
    }
}
#[system(Game)]
fn explodes(fuse: Res<Fuse>) {
    assert!(!fuse.0, "on purpose");
}

/// Everything about the world that can be seen.
fn picture(game: &Game) -> String {
    let data = game.query::<(Entity, Option<&Position>, Option<&Velocity>, Option<&Health>)>();
    let more = game.query::<(Entity, Option<&Spark>, Option<&Frozen>)>();
    format!(
        "{:?} {:?} {:?} {:?}",
        data.iter().collect::<Vec<_>>(),
        more.iter().collect::<Vec<_>>(),
        game.resource::<Seen>(),
        game.stats().blocks,
    )
}

fn begin() -> Game {
    let mut game = Game::new(Seen::default(), Fuse::default());
    game.spawn_batch((0..5_000).map(|i| (Position(i), Velocity(i % 17 - 8))));
    for i in 0..300 {
        game.spawn((Velocity(i), Health(i), Frozen));
    }
    game
}

fn in_pool<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
}

#[test]
fn any_number_of_threads_gives_the_same_world() {
    let steps = 12;
    let mut alone = begin();
    alone.set_parallelism(Parallelism::Never);
    let pictures: Vec<String> = (0..steps)
        .map(|_| {
            alone.tick();
            picture(&alone)
        })
        .collect();
    for threads in [1, 2, 4, 16] {
        in_pool(threads, || {
            let mut game = begin();
            game.set_parallelism(Parallelism::Always);
            for expected in &pictures {
                game.tick();
                assert!(picture(&game) == *expected, "{threads} threads");
            }
        });
    }
}

#[test]
fn systems_that_do_not_clash_run_at_the_same_time() {
    #[derive(Resource, Default)]
    struct Left(u32);
    #[derive(Resource, Default)]
    struct Right(u32);
    static TOGETHER: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    fn meet() {
        MOST.fetch_max(TOGETHER.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(50));
        TOGETHER.fetch_sub(1, Ordering::SeqCst);
    }
    world! {
        struct Dance { resources { Left, Right } }
        schedule apart { left, right }
        schedule close { left, also_left }
    }
    #[system(Dance)]
    fn left(mut left: ResMut<Left>) {
        left.0 += 1;
        meet();
    }
    #[system(Dance)]
    fn right(mut right: ResMut<Right>) {
        right.0 += 1;
        meet();
    }
    #[system(Dance)]
    fn also_left(left: Res<Left>) {
        assert!(left.0 > 0);
        meet();
    }
    in_pool(4, || {
        let mut dance = Dance::default();
        dance.set_parallelism(Parallelism::Always);
        dance.close();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 1);
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 2);
        // slow systems are detected
        dance.set_parallelism(Parallelism::Auto);
        dance.apart();
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 2);
        dance.set_parallelism(Parallelism::Never);
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 1);
    });
}

#[test]
fn a_panic_on_another_thread_names_its_system_and_drops_the_commands_of_the_stage() {
    for threads in [1, 4] {
        in_pool(threads, || {
            let mut game = begin();
            game.set_parallelism(Parallelism::Always);
            game.breaks();
            let (entities, seen) = (game.stats().entities, game.resource::<Seen>().0.len());
            game.resource_mut::<Fuse>().0 = true;
            let message = panic_message(|| game.breaks());
            assert_eq!(
                message,
                "system `explodes` of schedule `breaks` of world `Game` panicked: on purpose"
            );
            assert_eq!(game.stats().entities, entities, "nothing was spawned");
            game.resource_mut::<Fuse>().0 = false;
            game.breaks();
            assert!(game.stats().entities > entities && game.resource::<Seen>().0.len() > seen);
            let mut all: Vec<Entity> = game.entities().iter().collect();
            let count = all.len();
            all.dedup();
            assert_eq!(all.len(), count);
        });
    }
}
