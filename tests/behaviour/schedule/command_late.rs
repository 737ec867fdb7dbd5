//! Commands for entities that changed before the flush: by a system that panicked, or by commands
//! of another system.

use ecs::command::{FailedCommand, FailurePolicy};
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Marked;
#[derive(Resource, Clone, Default)]
struct Fuse {
    lit: bool,
    runs: bool,
}
#[derive(Resource, Clone, Default)]
struct Runs(u32);

world! {
    #[derive(Clone)]
    struct Field {
        components { Health, Marked }
        resources { fuse: Fuse = Fuse { lit: false, runs: true }, runs: Runs = Runs(0) }
    }
    schedule tick { strike if runs; count; }
    schedule side { count, grow; }
}

#[system(Field)]
fn runs(fuse: Res<Fuse>) -> bool {
    fuse.runs
}

/// Despawns those that have 1, marks those that have 2, and spawns one that has 10.
#[system(Field)]
fn strike(all: Query<(Entity, &Health)>, fuse: Res<Fuse>, mut commands: Commands<Field>) {
    if !fuse.lit && all.iter().any(|(_, health)| health.0 == 10) {
        return;
    }
    for (entity, health) in &all {
        match health.0 {
            1 => commands.despawn(entity),
            2 => commands.insert(entity, Marked),
            _ => {}
        }
    }
    commands.spawn(Health(10));
    assert!(!fuse.lit, "broken off");
}

#[system(Field)]
fn count(mut runs: ResMut<Runs>) {
    runs.0 += 1;
}

#[system(Field)]
fn grow(mut commands: Commands<Field>) {
    commands.spawn(Health(20));
}

fn state(field: &Field) -> (usize, usize, usize) {
    let healths = field.query::<&Health>();
    let young = healths.iter().filter(|health| health.0 < 10).count();
    (young, healths.iter().filter(|health| health.0 == 10).count(), field.query::<&Marked>().iter().count())
}

fn after_a_panic() -> Field {
    let mut field = Field::new();
    field.on_failed_command(FailurePolicy::Panic);
    field.spawn_batch([1, 1, 2].map(Health));
    field.resource_mut::<Fuse>().lit = true;
    assert!(ecs_tests::fuse::panic_message(|| field.tick()).contains("broken off"));
    assert_eq!(state(&field), (3, 0, 0), "the commands of a stage that panicked are not applied");
    field
}

#[test]
fn commands_of_a_stage_that_panicked_are_not_applied_by_the_next_run() {
    let mut field = after_a_panic();
    // the system is skipped, but its stage is flushed
    field.resource_mut::<Fuse>().runs = false;
    field.tick();
    field.side();
    assert_eq!(state(&field), (3, 0, 0), "nor by a run that skips the system");
    // the system runs without commands
    *field.resource_mut::<Fuse>() = Fuse { lit: false, runs: true };
    let witness = field.spawn(Health(10));
    field.tick();
    assert_eq!(state(&field), (3, 1, 0), "nor by the next run of the system");
    field.despawn(witness).unwrap();
    field.tick();
    assert_eq!(state(&field), (1, 1, 1), "commands of a run without a panic are applied once");
    assert_eq!(field.stats().failed_commands, 0);
}

#[test]
fn commands_of_two_panics_are_all_dropped() {
    let mut field = after_a_panic();
    for _ in 0..3 {
        assert!(ecs_tests::fuse::panic_message(|| field.tick()).contains("broken off"));
        assert_eq!(state(&field), (3, 0, 0));
    }
    let mut copy = field.clone();
    for world in [&mut field, &mut copy] {
        world.resource_mut::<Fuse>().lit = false;
        world.tick();
        assert_eq!(state(world), (1, 1, 1));
        assert_eq!(world.stats().failed_commands, 0);
    }
}

#[test]
fn of_two_try_inserts_in_one_stage_the_first_is_made_and_the_second_fails() {
    use std::sync::Mutex;

    static FAILED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    fn keep(failed: &FailedCommand) {
        FAILED.lock().unwrap().push(failed.to_string());
    }

    #[derive(Component, PartialEq, Debug)]
    struct Shield(u32);
    world! {
        struct Arena { components { Health, Shield } }
        schedule tick { first, second; }
    }
    #[system(Arena)]
    fn first(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>) {
        all.iter().for_each(|entity| assert_eq!(commands.insert_if_new(entity, Shield(1)), Ok(())));
    }
    #[system(Arena)]
    fn second(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>) {
        for entity in &all {
            let shield = Shield(if commands.has::<Shield>(entity) { 3 } else { 2 });
            let _ = commands.insert_if_new(entity, shield);
        }
    }

    let mut arena = Arena::new();
    arena.on_failed_command(FailurePolicy::Call(keep));
    let entity = arena.spawn(Health(1));
    arena.tick();
    assert_eq!(arena.get::<Shield>(entity), Some(&Shield(1)));
    let why = "no longer exists, or has a component of the bundle already";
    let expected = format!("world `Arena`: `insert_if_new` of system `second`: entity {entity} {why}");
    assert_eq!((&*FAILED.lock().unwrap(), arena.stats().failed_commands), (&vec![expected], 1));
}

#[test]
fn commands_count_themselves() {
    let mut field = Field::new();
    field.with_commands(|mut commands| {
        assert_eq!((commands.is_empty(), commands.len()), (true, 0));
        let entity = commands.spawn(Health(1));
        commands.insert(entity, Marked);
        assert_eq!((commands.is_empty(), commands.len()), (false, 2));
        assert_eq!(format!("{commands:?}"), "Commands { len: 2 }");
    });
    assert_eq!(field.query::<(&Health, &Marked)>().iter().count(), 1);
}

#[test]
fn commands_outside_of_systems_keep_no_slots() {
    let mut field = Field::new();
    let spawn = |mut commands: Commands<Field>| commands.spawn(Health(1));
    for round in 0..300 {
        let entity = field.with_commands(spawn);
        field.despawn(entity).unwrap();
        if round % 3 == 0 {
            let panics = |commands: Commands<Field>| panic!("entity {} is not spawned", spawn(commands));
            assert!(ecs_tests::fuse::blows_up(u32::MAX, || field.with_commands(panics)));
        }
    }
    assert_eq!((field.stats().entities, field.query::<&Health>().len()), (0, 0));
    assert!(field.stats().blocks <= 4, "{} blocks for no entity", field.stats().blocks);
}

#[test]
fn commands_of_an_earlier_run_are_forgotten() {
    #[derive(Resource, Default)]
    struct Turn(usize);
    world! {
        struct Post {
            components { Health, Marked }
            resources { turn: Turn = Turn(0) }
        }
        schedule tick { guard; }
    }
    /// Marks all in the first run, takes all marks away in the second, and does nothing in the
    /// third.
    #[system(Post)]
    fn guard(all: Query<(Entity, Is<Marked>)>, turn: Res<Turn>, mut commands: Commands<Post>) {
        for (entity, is_marked) in &all {
            assert_eq!(commands.has::<Marked>(entity), *is_marked, "run {}", turn.0);
            match turn.0 {
                0 => commands.insert(entity, Marked),
                1 => commands.remove::<Marked>(entity),
                _ => continue,
            }
            assert_eq!(commands.has::<Marked>(entity), turn.0 == 0);
        }
    }

    let mut post = Post::new();
    let all: Vec<Entity> = post.spawn_batch([1, 2, 3].map(Health)).collect();
    post.tick();
    post.resource_mut::<Turn>().0 = 1;
    post.tick();
    assert_eq!(post.query::<&Marked>().iter().count(), 0);
    all.iter().for_each(|&entity| drop(post.insert(entity, Marked)));
    post.resource_mut::<Turn>().0 = 2;
    post.tick();
    assert_eq!(post.query::<&Marked>().iter().count(), 3);
}

/// A component whose drop panics, and components that are counted, in commands of a system that
/// panics.
#[test]
fn a_drop_that_panics_does_not_keep_the_commands_after_it() {
    use ecs_tests::fuse::panic_message;
    use ecs_tests::{Ledger, Token};

    #[derive(Component)]
    struct Held(#[allow(dead_code)] Token);
    #[derive(Component)]
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the bomb's drop");
        }
    }
    #[derive(Resource)]
    struct Book(Ledger, bool);
    world! {
        struct Depot { components { Held, Bomb } resources { Book } }
        schedule tick { give }
    }
    #[system(Depot)]
    fn give(book: Res<Book>, mut commands: Commands<Depot>) {
        if book.1 {
            return;
        }
        commands.spawn(Held(book.0.token()));
        commands.spawn(Bomb);
        (0..3).for_each(|_| _ = commands.spawn(Held(book.0.token())));
        panic!("broken off");
    }

    let ledger = Ledger::new();
    let mut depot = Depot::new(Book(ledger.clone(), false));
    assert!(panic_message(|| depot.tick()).contains("broken off"));
    depot.resource_mut::<Book>().1 = true;
    assert!(panic_message(|| depot.tick()).contains("the bomb's drop"));
    assert_eq!(ledger.alive(), 0, "the commands after the bomb are dropped, too");
    depot.tick();
    assert!(depot.entities().is_empty(), "and not applied by a later run");
}

/// The ids that commands of a system have reserved belong to no entity later, if the system was
/// called once and panicked.
#[test]
fn ids_of_a_system_that_ran_once_and_panicked_are_not_used_again() {
    use std::sync::Mutex;
    static RESERVED: Mutex<Vec<Entity>> = Mutex::new(Vec::new());

    #[system(Field)]
    fn reserves(mut commands: Commands<Field>) {
        let ids = (0..5).map(|n| commands.spawn(Health(n)));
        RESERVED.lock().unwrap().extend(ids);
        panic!("broken off");
    }

    let mut field = Field::new();
    assert!(ecs_tests::fuse::panic_message(|| field.run::<reserves>()).contains("broken off"));
    assert!(field.entities().is_empty());
    let reserved = RESERVED.lock().unwrap().clone();
    assert_eq!(reserved.len(), 5);
    let new: Vec<Entity> = field.spawn_batch((0..200).map(Health)).collect();
    assert!(reserved.iter().all(|id| !new.contains(id) && !field.contains(*id)));
}
