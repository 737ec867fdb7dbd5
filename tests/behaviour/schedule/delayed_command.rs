//! Commands that are applied at a later time of a clock.

use std::time::Duration;

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::time::{
    Delayed, DelayedCommand, DespawnEntity, InsertBundle, RemoveBundle, SpawnBundle, apply_due, send_due,
};
use serde::{Deserialize, Serialize};

const MS: Duration = Duration::from_millis(1);

enum Play {}

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Shield(u32);
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Number(u32);
#[derive(Event, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Rings(u32);

/// All the commands that this world delays, in one queue.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Later {
    Shield(Entity, u32),
    Despawn(Entity),
    Count(Entity),
}

impl DelayedCommand<Game> for Later {
    fn apply(self, commands: &mut Commands<Game>) {
        match self {
            Self::Shield(entity, strength) => commands.insert(entity, Shield(strength)),
            Self::Despawn(entity) => commands.despawn_if_alive(entity),
            Self::Count(entity) => {
                let count = commands.get::<Number>(entity).map_or(0, |number| number.0) + 1;
                commands.insert(entity, Number(count));
            }
        }
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Shield, Number }
        resources {
            clock: Clock<Play> = Clock::new(),
            despawns: Delayed<DespawnEntity, Play> = Delayed::new(),
            shields: Delayed<InsertBundle<Shield>, Play> = Delayed::new(),
            bare: Delayed<RemoveBundle<(Shield, Number)>, Play> = Delayed::new(),
            spawns: Delayed<SpawnBundle<(Shield, Number)>, Play> = Delayed::new(),
            later: Delayed<Later, Play> = Delayed::new(),
            bells: Delayed<Rings, Play> = Delayed::new(),
        }
        events { Rings(external) }
    }
    schedule frame {
        apply_due::<DespawnEntity, Play>;
        apply_due::<InsertBundle<Shield>, Play>;
        apply_due::<RemoveBundle<(Shield, Number)>, Play>;
        apply_due::<SpawnBundle<(Shield, Number)>, Play>;
        apply_due::<Later, Play>;
        send_due::<Rings, Play>;
        each, in_parallel;
    }
}

/// Per entity: commands of the same system for the same time keep their order.
#[system(Game)]
fn each(entity: Entity, number: &Number, mut commands: Commands<Game>) {
    if number.0 == 100 {
        commands.after(20 * MS, Later::Shield(entity, 1));
        commands.after(10 * MS, Later::Shield(entity, 2));
        commands.after(20 * MS, Later::Shield(entity, 3));
        commands.insert(entity, Number(101));
    }
}

#[system(Game, par)]
fn in_parallel(entity: Entity, number: &Number, mut commands: ParCommands<Game>) {
    if number.0 == 200 {
        commands.insert(entity, Number(201));
        commands.after(5 * MS, SpawnBundle((Shield(entity.slot()), Number(7))));
    }
}

fn pass(game: &mut Game, millis: u32) {
    game.resource_mut::<Clock<Play>>().advance(millis * MS);
    game.frame();
}

#[test]
fn a_delayed_despawn_comes_at_its_time_and_not_before() {
    let mut game = Game::new();
    let bomb = game.spawn(());
    game.with_commands(|mut commands| commands.after(10 * MS, DespawnEntity(bomb)));
    pass(&mut game, 9);
    assert!(game.contains(bomb));
    pass(&mut game, 1);
    assert!(!game.contains(bomb));
    assert!(game.resource::<Delayed<DespawnEntity, Play>>().is_empty());
}

#[test]
fn the_delay_counts_from_the_time_of_the_clock_when_the_command_is_applied() {
    let mut game = Game::new();
    pass(&mut game, 1000);
    let hero = game.spawn(Number(0));
    game.with_commands(|mut commands| {
        commands.after(3 * MS, InsertBundle(hero, Shield(5)));
        commands.after(6 * MS, RemoveBundle::<(Shield, Number)>::of(hero));
        commands.after(Duration::MAX, DespawnEntity(hero));
    });
    game.resource_mut::<Clock<Play>>().pause();
    pass(&mut game, 500);
    assert_eq!(game.get::<Shield>(hero), None, "a paused clock delays further");
    game.resource_mut::<Clock<Play>>().resume();
    pass(&mut game, 3);
    assert_eq!(game.get::<Shield>(hero), Some(&Shield(5)));
    pass(&mut game, 3);
    assert!(game.contains(hero) && !game.has::<Shield>(hero) && !game.has::<Number>(hero));
}

#[test]
fn a_command_for_an_entity_that_is_gone_does_nothing() {
    let mut game = Game::new();
    let ghost = game.spawn(Shield(1));
    game.with_commands(|mut commands| {
        commands.after(MS, DespawnEntity(ghost));
        commands.after(MS, InsertBundle(ghost, Shield(2)));
        commands.after(MS, RemoveBundle::<(Shield, Number)>::of(ghost));
    });
    game.despawn(ghost).unwrap();
    let heir = game.spawn(Shield(9));
    assert_eq!(heir.slot(), ghost.slot());
    pass(&mut game, 1);
    assert_eq!(game.get(heir), Some(&Shield(9)), "the next entity of the slot is another one");
    assert_eq!(game.stats().failed_commands, 0);
}

#[derive(Event)]
struct Breaks(Entity);

world! {
    struct Ship {
        components { Shield, Number, ChildOf }
        resources {
            Clock = Clock::new(),
            despawns: Delayed<DespawnEntity> = Delayed::new(),
            shields: Delayed<InsertBundle<Shield>> = Delayed::new(),
            bare: Delayed<RemoveBundle<(Shield, Number)>> = Delayed::new(),
        }
        events { Breaks(external) }
    }
    schedule frame {
        apply_due::<DespawnEntity, ()>, apply_due::<InsertBundle<Shield>, ()>,
        apply_due::<RemoveBundle<(Shield, Number)>, ()>;
    }
    schedule crash { despawn_broken, apply_due::<InsertBundle<Shield>, ()> }
}

#[system(Ship)]
fn despawn_broken(mut broken: EventReader<Breaks>, mut commands: Commands<Ship>) {
    broken.iter().for_each(|broken| commands.despawn(broken.0));
}

/// The entity exists when the commands are given, and is despawned by earlier commands of the
/// stage: by its own or as a child.
#[test]
fn commands_that_are_due_with_the_despawn_of_their_entity_do_not_fail() {
    let mut ship = Ship::new();
    ship.on_failed_command(FailurePolicy::Panic);
    let hull = ship.spawn(Number(0));
    let mast = ship.spawn((Number(1), ChildOf(hull)));
    ship.with_commands(|mut commands| {
        for part in [hull, mast] {
            commands.after(MS, DespawnEntity(part));
            commands.after(MS, InsertBundle(part, Shield(2)));
            commands.after(MS, RemoveBundle::<(Shield, Number)>::of(part));
        }
    });
    ship.resource_mut::<Clock>().advance(MS);
    ship.frame();
    assert!(!ship.contains(hull) && !ship.contains(mast) && ship.query::<&Shield>().is_empty());

    let boat = ship.spawn(Number(0));
    ship.resource_mut::<Delayed<InsertBundle<Shield>>>().send_at(MS, InsertBundle(boat, Shield(1)));
    ship.send(Breaks(boat));
    ship.crash();
    assert!(!ship.contains(boat));
    assert_eq!(ship.stats().failed_commands, 0);
}

#[test]
fn commands_of_one_type_come_in_the_order_of_their_times_and_of_their_addition() {
    let mut game = Game::new();
    let hero = game.spawn(Number(100));
    pass(&mut game, 0);
    assert_eq!(game.get(hero), Some(&Number(101)));
    pass(&mut game, 10);
    assert_eq!(game.get(hero), Some(&Shield(2)));
    pass(&mut game, 10);
    assert_eq!(game.get(hero), Some(&Shield(3)), "the one that was added last");
    // one command sees those before it in the same queue
    game.with_commands(|mut commands| {
        (0..3).for_each(|_| commands.after(MS, Later::Count(hero)));
        commands.after(2 * MS, Later::Despawn(hero));
    });
    pass(&mut game, 1);
    assert_eq!(game.get(hero), Some(&Number(3)));
    pass(&mut game, 1);
    assert!(!game.contains(hero));
}

#[test]
fn commands_of_a_parallel_system_are_delayed_in_the_order_of_the_slots() {
    let mut game = Game::new();
    let slots: Vec<u32> = game.spawn_batch([Number(200); 500]).map(|entity| entity.slot()).collect();
    pass(&mut game, 0);
    let waiting: Vec<u32> = {
        let spawns = game.resource::<Delayed<SpawnBundle<(Shield, Number)>, Play>>();
        spawns.iter().map(|(_, SpawnBundle((shield, _)))| shield.0).collect()
    };
    assert_eq!(waiting, slots);
    pass(&mut game, 5);
    let spawned = game.query::<(&Shield, &Number)>();
    assert_eq!(spawned.iter().filter(|(_, number)| number.0 == 7).count(), 500);
}

#[test]
fn an_event_is_delayed_by_the_same_command() {
    let mut game = Game::new();
    game.with_commands(|mut commands| {
        commands.after(2 * MS, Rings(2));
        commands.after(MS, Rings(1));
    });
    pass(&mut game, 1);
    assert_eq!(game.drain::<Rings>().collect::<Vec<_>>(), [Rings(1)]);
    pass(&mut game, 1);
    assert_eq!(game.drain::<Rings>().collect::<Vec<_>>(), [Rings(2)]);
}

#[test]
fn delayed_commands_are_part_of_clones_snapshots_saves_and_the_hash() {
    let mut first = Game::new();
    let hero = first.spawn(Number(0));
    first.with_commands(|mut commands| {
        commands.after(5 * MS, InsertBundle(hero, Shield(5)));
        commands.after(6 * MS, RemoveBundle::<(Shield, Number)>::of(hero));
        commands.after(7 * MS, SpawnBundle((Shield(1), Number(1))));
        commands.after(8 * MS, DespawnEntity(hero));
        commands.after(4 * MS, Later::Count(hero));
    });
    pass(&mut first, 1);
    let snapshot = first.snapshot();
    let mut copies = [
        first.clone(),
        Game::load(&first.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&serde_json::to_string(&first).unwrap()).unwrap(),
    ];
    let mut hashes = Vec::new();
    for _ in 0..10 {
        pass(&mut first, 1);
        hashes.push(first.hash());
        for copy in &mut copies {
            pass(copy, 1);
            assert_eq!(copy.hash(), first.hash());
        }
    }
    assert!(!first.contains(hero) && first.query::<&Shield>().len() == 1);
    first.restore(&snapshot);
    for hash in hashes {
        pass(&mut first, 1);
        assert_eq!(first.hash(), hash);
    }
}

#[test]
fn waiting_commands_are_listed_and_taken_back() {
    let mut game = Game::new();
    let (one, other) = (game.spawn(()), game.spawn(()));
    game.with_commands(|mut commands| {
        commands.after(3 * MS, DespawnEntity(one));
        commands.after(2 * MS, DespawnEntity(other));
    });
    let waiting = game.resource_mut::<Delayed<DespawnEntity, Play>>();
    assert!(waiting.iter().eq([(2 * MS, &DespawnEntity(other)), (3 * MS, &DespawnEntity(one))]));
    waiting.retain(|_, command| command.0 != other);
    pass(&mut game, 10);
    assert_eq!((game.contains(one), game.contains(other)), (false, true));
}
