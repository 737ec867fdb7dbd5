//! `Drop`, `Clone` and closures that call a world again.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::ground::{Ledger, Token};

/// A component with a world of the same type.
#[derive(Component, Clone)]
struct Nest(Option<Box<Tree>>);
#[derive(Component, Clone)]
struct Leaf(#[allow(dead_code)] Token);

world! {
    #[derive(Clone)]
    struct Tree { components { nest: Nest, Leaf } }
}

fn tree(ledger: &Ledger, depth: u32) -> Tree {
    let mut world = Tree::new();
    for _ in 0..3 {
        let inner = (depth > 0).then(|| Box::new(tree(ledger, depth - 1)));
        world.spawn((Nest(inner), Leaf(ledger.token())));
    }
    world
}

#[test]
fn worlds_nest_in_their_own_components() {
    let ledger = Ledger::new();
    let mut world = tree(&ledger, 4);
    let leaves = 3 + 9 + 27 + 81 + 243;
    assert_eq!(ledger.alive(), leaves);
    let copy = world.clone();
    assert_eq!(ledger.alive(), 2 * leaves);
    let ids: Vec<Entity> = world.entities().iter().collect();
    world.despawn(ids[0]).unwrap();
    assert_eq!(ledger.alive(), 2 * leaves - leaves / 3);
    let inner = world.remove::<Nest>(ids[1]).unwrap().and_then(|nest| nest.0).unwrap();
    world = *inner;
    assert_eq!(world.entities().len(), 3);
    drop((world, copy));
    ledger.assert_settled();
}

#[test]
fn a_world_is_swapped_with_the_one_in_its_component() {
    let ledger = Ledger::new();
    let mut world = tree(&ledger, 2);
    let id = world.entities().iter().next().unwrap();
    let mut inner = world.get_mut::<Nest>(id).unwrap().0.take().unwrap();
    std::mem::swap(&mut world, &mut inner);
    world.spawn(Nest(Some(inner)));
    assert_eq!(world.query::<&Nest>().len(), 4);
    drop(world);
    ledger.assert_settled();
}

/// A component whose drop calls all methods of the worlds that it can reach.
#[derive(Component)]
struct Vandal(Arc<Mutex<Pit>>, #[allow(dead_code)] Token);
#[derive(Component)]
struct Stone(#[allow(dead_code)] Token);

world! {
    struct Pit { components { Stone, Vandal } }
}

impl Drop for Vandal {
    fn drop(&mut self) {
        if let Ok(mut pit) = self.0.try_lock() {
            let ids: Vec<Entity> = pit.entities().iter().take(2).collect();
            for id in ids {
                let _ = pit.remove::<Stone>(id);
                let _ = pit.despawn(id);
            }
            if pit.entities().len() > 5 {
                pit.clear();
            }
        }
    }
}

#[test]
fn a_drop_changes_other_worlds() {
    let ledger = Ledger::new();
    let other = Arc::new(Mutex::new(Pit::new()));
    for _ in 0..50 {
        other.lock().unwrap().spawn((Stone(ledger.token()), Vandal(other.clone(), ledger.token())));
    }
    let mut pit = Pit::new();
    let ids: Vec<Entity> = (0..20).map(|_| pit.spawn(Vandal(other.clone(), ledger.token()))).collect();
    for id in ids {
        pit.despawn(id).unwrap();
        let other = other.lock().unwrap();
        assert_eq!(other.query::<&Stone>().iter().count(), other.entities().len());
    }
    drop(pit);
    other.lock().unwrap().clear();
    drop(other);
    ledger.assert_settled();
}

#[test]
fn a_drop_comes_back_to_its_own_world_after_the_verb() {
    let ledger = Ledger::new();
    let shared = Arc::new(Mutex::new(Pit::new()));
    let ids: Vec<Entity> = (0..100)
        .map(|_| {
            shared.lock().unwrap().spawn((Vandal(shared.clone(), ledger.token()), Stone(ledger.token())))
        })
        .collect();
    for id in ids {
        let taken = shared.lock().unwrap().remove::<(Vandal, Stone)>(id);
        drop(taken); // the lock is free: the value's drop reaches its former world
    }
    let (stones, vandals, entities) = {
        let pit = shared.lock().unwrap();
        (pit.query::<&Stone>().len(), pit.query::<&Vandal>().len(), pit.entities().len())
    };
    assert_eq!((stones, vandals), (vandals, stones));
    assert!(stones <= entities);
    shared.lock().unwrap().clear();
    ledger.assert_settled();
}

#[test]
fn a_loop_over_one_world_changes_another() {
    let ledger = Ledger::new();
    let mut one = tree(&ledger, 1);
    let mut two = tree(&ledger, 0);
    one.query_mut::<(Entity, &mut Nest)>().for_each(|(_, nest)| {
        two.spawn((Nest(nest.0.take()), Leaf(ledger.token())));
        let first = two.entities().iter().next().unwrap();
        two.despawn(first).unwrap();
    });
    assert_eq!((one.query::<&Nest>().len(), two.entities().len()), (3, 3));
    drop((one, two));
    ledger.assert_settled();
}

mod schedules {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    use ecs::prelude::*;
    use ecs_tests::fuse::panic_message;

    #[derive(Component, Clone)]
    struct Leaf;
    #[derive(Event, Clone)]
    struct Go;
    #[derive(Event, Clone)]
    struct Call;
    /// What a command does with the world.
    #[derive(Resource, Clone, Default)]
    struct Action(Option<fn(&mut Wood)>);

    world! {
        #[derive(Clone)]
        struct Wood {
            components { Leaf }
            resources { Action = Action::default() }
            events { Go(external), Call(external) }
        }
        observers { answer } max 4
        schedule tick { act, grow; grow as grow_again }
        schedule echo { react { hear } max 4; grow }
        schedule rest { grow }
        schedule outer { tick, grow }
    }

    fn give(action: &mut Action, commands: &mut Commands<'_, Wood>) {
        if let Some(action) = action.0.take() {
            commands.run(action);
        }
    }

    #[system(Wood)]
    fn act(mut action: ResMut<Action>, mut commands: Commands<Wood>) {
        give(&mut action, &mut commands);
    }

    #[system(Wood)]
    fn grow(mut commands: Commands<Wood>) {
        (0..10).for_each(|_| _ = commands.spawn(Leaf));
    }

    #[system(Wood)]
    fn hear(mut going: EventReader<Go>, mut action: ResMut<Action>, mut commands: Commands<Wood>) {
        going.iter().for_each(|_| give(&mut action, &mut commands));
    }

    #[system(Wood)]
    fn answer(mut calls: EventReader<Call>, mut action: ResMut<Action>, mut commands: Commands<Wood>) {
        calls.iter().for_each(|_| give(&mut action, &mut commands));
    }

    /// Runs `run` with a command that calls `action`, and returns the message of the panic.
    fn refused(run: fn(&mut Wood), action: fn(&mut Wood)) -> (Wood, String) {
        let mut wood = Wood::default();
        wood.resource_mut::<Action>().0 = Some(action);
        let message = panic_message(|| run(&mut wood));
        assert!(wood.resource::<Action>().0.is_none(), "the command was given");
        (wood, message)
    }

    #[test]
    fn a_schedule_is_not_called_again_by_its_commands_and_observers() {
        type Run = fn(&mut Wood);
        let cases: [(Run, Run, &str); 7] = [
            (Wood::tick, Wood::tick, "tick"),
            (Wood::outer, Wood::tick, "tick"),
            (Wood::outer, Wood::outer, "outer"),
            (|wood| wood.send_and(Go, Wood::echo), Wood::echo, "echo"),
            // from an observer: of the schedule whose stage has ended
            (|wood| wood.send_and(Call, Wood::rest), Wood::rest, "rest"),
            (|wood| wood.send_and(Call, Wood::tick), Wood::tick, "tick"),
            (Wood::tick, |wood| wood.with_commands(|mut commands| commands.run(Wood::tick)), "tick"),
        ];
        for (at, (run, action, schedule)) in cases.into_iter().enumerate() {
            let (mut wood, message) = refused(run, action);
            let expected = format!("schedule `{schedule}` of world `Wood` was called from inside itself");
            assert!(message.contains(&expected), "{at}: {message}");
            // it is not marked as running afterwards
            let before = wood.query::<&Leaf>().len();
            wood.tick();
            assert_eq!(wood.query::<&Leaf>().len(), before + 20, "{at}");
            assert_eq!(wood.stats().failed_commands, 0, "{at}");
        }
    }

    trait SendAnd {
        fn send_and<E: ecs::event::SentTo<Wood>>(&mut self, event: E, then: fn(&mut Wood));
    }

    impl SendAnd for Wood {
        fn send_and<E: ecs::event::SentTo<Wood>>(&mut self, event: E, then: fn(&mut Wood)) {
            self.send(event);
            then(self);
        }
    }

    #[test]
    fn a_command_runs_other_schedules_and_single_systems_and_nothing_is_lost() {
        let mut wood = Wood::default();
        wood.resource_mut::<Action>().0 = Some(|wood| {
            wood.run::<grow>();
            wood.rest();
            wood.send(Go);
            wood.echo();
            (0..70).for_each(|_| _ = wood.spawn(Leaf));
        });
        wood.tick();
        assert_eq!(wood.query::<&Leaf>().len(), 20 + 10 + 10 + 10 + 70);
        assert_eq!(wood.stats().failed_commands, 0);
    }

    #[test]
    fn a_world_that_a_command_puts_in_its_place_runs_the_same_schedule() {
        let mut wood = Wood::default();
        wood.resource_mut::<Action>().0 = Some(|wood| {
            *wood = Wood::default();
            wood.tick();
        });
        wood.tick();
        // the spawns that waited fail; the stage that follows is one of the new world
        assert_eq!((wood.query::<&Leaf>().len(), wood.stats().failed_commands), (20 + 10, 10));
        wood.tick();
        assert_eq!(wood.query::<&Leaf>().len(), 50);
    }

    /// A schedule that is built at run time, and that its own command finds behind a lock.
    #[test]
    fn a_run_time_schedule_is_not_found_by_its_commands() {
        static SCHEDULE: Mutex<Option<Schedule<Wood>>> = Mutex::new(None);
        static FOUND: AtomicU32 = AtomicU32::new(9);
        let mut wood = Wood::default();
        let mut schedule = Schedule::new("built");
        schedule.add::<act>(&mut wood, 1).unwrap();
        schedule.add::<grow>(&mut wood, 2).unwrap();
        *SCHEDULE.lock().unwrap() = Some(schedule);
        wood.resource_mut::<Action>().0 =
            Some(|_| FOUND.store(u32::from(SCHEDULE.try_lock().is_ok()), Ordering::Relaxed));
        SCHEDULE.lock().unwrap().as_mut().unwrap().run(&mut wood).unwrap();
        assert_eq!((FOUND.load(Ordering::Relaxed), wood.query::<&Leaf>().len()), (0, 10));
    }

    #[derive(Resource, Clone, Default)]
    struct Calls(u32);

    world! {
        #[derive(Clone)]
        struct Twin { resources { Calls } }
        schedule tick { replace, call }
        schedule later { replace_by_command; call }
    }

    #[system(Twin)]
    fn replace(twin: &mut Twin) {
        *twin = twin.clone();
    }

    #[system(Twin)]
    fn replace_by_command(mut commands: Commands<Twin>) {
        commands.run(|twin| *twin = twin.clone());
    }

    #[system(Twin)]
    fn call(twin: &mut Twin) {
        let calls = &mut twin.resource_mut::<Calls>().0;
        *calls += 1;
        match calls {
            1 => twin.tick(),
            2 => twin.later(),
            _ => {}
        }
    }

    /// A clone of a world is not running, but one that takes the place of a world is.
    #[test]
    fn a_world_that_was_replaced_by_its_clone_is_still_running() {
        type Run = fn(&mut Twin);
        for (calls, run, schedule) in [(0, Twin::tick as Run, "tick"), (1, Twin::later as Run, "later")] {
            let mut twin = Twin::new(Calls(calls));
            let message = panic_message(|| run(&mut twin));
            let expected = format!("schedule `{schedule}` of world `Twin` was called from inside itself");
            assert!(message.contains(&expected), "{message}");
            // it is not marked as running afterwards
            twin.resource_mut::<Calls>().0 = 9;
            run(&mut twin);
        }
    }
}
