//! Values that panic in `Clone` and `Drop` while worlds are copied and restored; parts of worlds
//! that are exchanged.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

/// A value whose `Drop` and `Clone` burn the fuse.
#[derive(Component)]
struct Bomb(Token);
#[derive(Component, Clone)]
struct Left(#[allow(dead_code)] Token);
/// A value without a drop, whose `Clone` burns the fuse.
#[derive(Component)]
struct Plain(u64);
/// A zero-sized value.
#[derive(Component, Clone, Default)]
struct Nothing(());
#[derive(Resource)]
struct Held(Token);

impl Drop for Bomb {
    fn drop(&mut self) {
        burn("a drop");
    }
}

impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0.clone())
    }
}

impl Clone for Plain {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0)
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0.clone())
    }
}

world! {
    #[derive(Clone)]
    struct Game { components { Left, Bomb, Plain, Nothing } resources { Held } }
}

fn fill(game: &mut Game, ledger: &Ledger, count: usize) -> Vec<Entity> {
    let spawn = |n| game.spawn((Left(ledger.token()), Bomb(ledger.token()), Plain(n as u64), Nothing(())));
    (0..count).map(spawn).collect()
}

fn game(ledger: &Ledger, count: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new(Held(ledger.token()));
    let ids = fill(&mut game, ledger, count);
    (game, ids)
}

/// Asserts that every entity has all components with the expected values.
#[track_caller]
fn assert_whole(game: &Game, entities: usize) {
    assert_eq!(game.entities().len(), entities);
    assert_eq!(game.query::<(Entity, &Left, &Bomb, &Plain, &Nothing)>().iter().count(), entities);
    let lens = game.stats().columns.iter().map(|column| column.len).collect::<Vec<_>>();
    assert_eq!(lens, [entities; 4]);
    for (n, plain) in game.query::<&Plain>().iter().enumerate() {
        assert_eq!(plain.0, n as u64);
    }
}

#[test]
fn a_panic_in_a_snapshot_leaves_the_world_as_it_was() {
    for fuse in [1, 2, 90, 150, 201] {
        let ledger = Ledger::new();
        let (mut game, _) = game(&ledger, 100);
        assert!(blows_up(fuse, || game.snapshot()));
        assert_whole(&game, 100);
        let snapshot = game.snapshot();
        game.clear();
        game.restore(&snapshot);
        assert_whole(&game, 100);
        drop((game, snapshot));
        ledger.assert_settled();
    }
}

#[test]
fn a_panic_while_going_back_leaves_a_world_that_can_go_back() {
    // clones and drops, in every phase
    for fuse in (1..20).chain([60, 99, 100, 101, 150, 199, 250, 300]) {
        let ledger = Ledger::new();
        let (mut game, ids) = game(&ledger, 100);
        let then = game.snapshot();
        ids.iter().step_by(3).for_each(|&id| game.despawn(id).unwrap());
        fill(&mut game, &ledger, 20);
        game.query_mut::<(&mut Bomb, &mut Plain)>().for_each(|(_, plain)| plain.0 = 1000);
        if blows_up(fuse, || game.restore(&then)) {
            assert_eq!((game.entities().len(), game.query::<&Left>().len()), (0, 0));
            assert_whole(&game, 0);
        }
        game.restore(&then);
        assert_whole(&game, 100);
        drop((game, then));
        ledger.assert_settled();
    }
}

/// The last copy of a page is dropped when the world is restored from another snapshot.
#[test]
fn a_panic_of_the_last_copy_leaves_the_sums_right() {
    for fuse in 1..4 {
        let ledger = Ledger::new();
        let (mut game, ids) = game(&ledger, 2);
        drop(game.snapshot());
        fill(&mut game, &ledger, 3000);
        // clones of the new snapshot come first
        assert!(blows_up(3002 + fuse - 1, || game.snapshot()));
        let whole = game.snapshot();
        let shared = game.stats().shared;
        ids.iter().for_each(|&id| game.despawn(id).unwrap());
        drop(whole);
        drop(game.snapshot());
        assert!((1..=shared).contains(&game.stats().shared));
        game.clear();
        drop(game.snapshot());
        assert_eq!(game.stats().shared, 0);
        drop(game);
        ledger.assert_settled();
    }
}

#[test]
fn a_panic_in_clone_from_leaves_both_worlds_valid() {
    for fuse in (1..20).chain([60, 99, 100, 101, 150, 199, 250, 300]) {
        let ledger = Ledger::new();
        let (source, _) = game(&ledger, 100);
        let (mut target, ids) = game(&ledger, 150);
        ids.iter().step_by(7).for_each(|&id| target.despawn(id).unwrap());
        if blows_up(fuse, || target.clone_from(&source)) {
            assert_whole(&target, 0);
        }
        assert_whole(&source, 100);
        target.clone_from(&source);
        assert_whole(&target, 100);
        drop((source, target));
        ledger.assert_settled();
    }
}

#[test]
fn columns_of_several_worlds_are_exchanged_between_snapshots() {
    let ledger = Ledger::new();
    let ((mut one, _), (mut two, ids)) = (game(&ledger, 300), game(&ledger, 5000));
    let (of_one, of_two) = (one.snapshot(), two.snapshot());
    std::mem::swap(&mut one.left, &mut two.left);
    std::mem::swap(&mut one.plain, &mut two.plain);
    std::mem::swap(&mut one.__entities, &mut two.__entities);
    let mixed = one.snapshot();
    two.get_mut::<Left>(ids[7]).into_iter().for_each(drop);
    two.restore(&of_two);
    assert_whole(&two, 5000);
    one.restore(&of_one);
    assert_whole(&one, 300);
    one.restore(&mixed);
    assert_eq!(one.stats().columns[0].len, 5000);
    one.clear();
    one.restore(&of_two);
    assert_whole(&one, 5000);
    drop((one, two, of_one, of_two, mixed));
    ledger.assert_settled();
}

/// A `Clone` with another result each time, and a `clone_from` that does nothing.
#[test]
fn lying_clones_are_values_all_the_same() {
    #[derive(Component)]
    struct Liar(Option<Box<u32>>);
    impl Clone for Liar {
        fn clone(&self) -> Self {
            Self(self.0.as_ref().filter(|n| n.is_multiple_of(2)).map(|n| Box::new(**n + 1)))
        }
        fn clone_from(&mut self, _: &Self) {
            self.0.take();
        }
    }
    world! { #[derive(Clone)] struct Lies { components { Liar } } }
    let mut lies = Lies::new();
    let ids: Vec<Entity> = lies.spawn_batch((0..1000).map(|n| Liar(Some(Box::new(n))))).collect();
    let snapshot = lies.snapshot();
    ids.iter().step_by(2).for_each(|&id| _ = lies.remove::<Liar>(id));
    lies.restore(&snapshot);
    assert_eq!(lies.query::<&Liar>().len(), 1000);
    let mut other = lies.clone();
    other.clone_from(&lies);
    assert_eq!(other.query::<&Liar>().iter().filter(|liar| liar.0.is_some()).count(), 0);
}

#[derive(Component, Clone)]
#[component(removed, tracked)]
struct Logged(u32);

#[derive(Resource, Clone, Default)]
struct Read(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Logs {
        components { Logged }
        resources { read: Read = Read::default() }
    }
}

fn read_removed(mut removed: Removed<Logged>, mut read: ResMut<Read>) {
    read.0.extend(removed.iter().map(|(_, logged)| logged.0));
}

/// A run-time schedule whose system reads the removed values of `world`.
fn reader(world: &mut Logs, name: &'static str) -> Schedule<Logs> {
    let mut schedule = Schedule::new(name);
    schedule.add_fn(world, "read_removed", 0, read_removed).expect("it is the only one");
    schedule
}

/// One world's log had more readers than the other's: each cursor needs its place, also in copies.
#[test]
fn a_reader_of_removed_values_joins_a_world_that_was_restored_from_another_one() {
    for (before, after) in [(0, 1), (1, 0), (1, 3), (3, 1), (2, 2)] {
        for how in ["restore", "clone_from"] {
            let (mut one, mut other) = (Logs::new(), Logs::new());
            let names = ["a", "b", "c"];
            let readers: Vec<_> = names[..before].iter().map(|name| reader(&mut one, name)).collect();
            let mut others: Vec<_> = names[..after].iter().map(|name| reader(&mut other, name)).collect();
            for schedule in &mut others {
                schedule.clear(&mut other);
            }
            let snapshot = other.snapshot();
            match how {
                "restore" => one.restore(&snapshot),
                _ => one.clone_from(&other),
            }
            drop(readers);
            let mut late: Vec<_> = ["d", "e", "f", "g"].iter().map(|name| reader(&mut one, name)).collect();
            let entity = one.spawn(Logged(7));
            one.remove::<Logged>(entity).expect("it lives");
            for schedule in &mut late {
                schedule.run(&mut one).expect("it is of this world");
            }
            assert_eq!(one.resource::<Read>().0, [7; 4], "{before} readers, then {after}, {how}");
        }
    }
}

#[derive(Component, Clone)]
struct Score(u32);
#[derive(Resource, Clone, Default)]
struct InFlush(u32);

world! {
    #[derive(Clone)]
    struct Flushed {
        components { Score }
        resources { in_flush: InFlush = InFlush::default() }
    }
    schedule tick { spawn_around }
}

/// Copies or restores the world in a flush: the entity before has its slot, and the one after does
/// not have it yet.
#[system(Flushed)]
fn spawn_around(mut commands: Commands<Flushed>, mut round: Local<u32>) {
    *round += 1;
    let before = commands.spawn(Score(*round));
    commands.run(move |world| match world.resource::<InFlush>().0 {
        1 => {
            let snapshot = world.snapshot();
            for _ in 0..70 {
                world.spawn(Score(0));
            }
            world.restore(&snapshot);
        }
        2 => world.clone_from(&world.clone()),
        3 => {
            let failed = world.try_run(|world| {
                world.spawn(Score(0));
                if world.contains(before) {
                    std::panic::resume_unwind(Box::new("undone"));
                }
            });
            assert!(failed.is_err());
        }
        4 => *world = world.clone(),
        _ => {}
    });
    let after = commands.spawn(Score(*round + 100));
    commands.insert(before, Score(*round + 1000));
    commands.insert(after, Score(*round + 2000));
}

#[test]
fn no_slot_is_handed_out_twice_by_a_world_that_is_copied_in_a_flush() {
    let scores = |world: &Flushed| {
        let mut scores: Vec<u32> = world.query::<&Score>().iter().map(|score| score.0).collect();
        scores.sort_unstable();
        scores
    };
    for how in 0..=4 {
        let mut world = Flushed::new();
        world.resource_mut::<InFlush>().0 = how;
        for _ in 0..200 {
            world.tick();
        }
        assert_eq!(world.stats().failed_commands, 0, "{how}");
        let all: Vec<u32> = (1001..=1200).chain(2001..=2200).collect();
        assert_eq!(scores(&world), all, "{how}");
        // a copy that was made in a flush can run
        let mut copy = world.clone();
        copy.tick();
        world.tick();
        assert_eq!(scores(&copy), scores(&world), "{how}");
    }
}
