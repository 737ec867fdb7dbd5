//! Commands for one entity that is named once, batches of spawns and events, by `Commands` and by
//! `ParCommands`.

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone, PartialEq, Debug, Default)]
struct Armor(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(requires(Armor))]
struct Knight;
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Badge(u32);
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many)]
struct Likes(Entity);
#[derive(Event, Clone, PartialEq, Debug)]
struct Noise(u32);
#[derive(Resource, Default, Clone, PartialEq, Debug)]
struct Heard(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health, Armor, Knight, Badge, likes: Many<Likes> }
        resources { Heard }
        events { Noise }
    }
    observers { listen }
    schedule tick { shout, whisper; hear; }
    schedule double { burst; }
    schedule parallel { echo; hear; }
}

#[system(Game)]
fn shout(mut commands: Commands<Game>) {
    commands.send(Noise(2));
    commands.spawn(Health(0));
    commands.send(Noise(3));
}

#[system(Game)]
fn whisper(mut noises: EventWriter<Noise>) {
    noises.send(Noise(1));
}

#[system(Game)]
fn hear(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
    heard.0.extend(noises.iter().map(|noise| noise.0));
}

#[system(Game)]
fn listen(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
    heard.0.extend(noises.iter().map(|noise| 100 + noise.0));
}

#[system(Game)]
fn burst(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (entity, health) in &all {
        let number = health.0;
        let clones: Vec<Entity> = commands.spawn_batch((0..number).map(|n| (Health(n), Armor(n)))).collect();
        assert_eq!(clones.len(), number as usize);
        clones.into_iter().for_each(|clone| commands.relate(entity, Likes(clone)));
    }
}

#[system(Game, par)]
fn echo(entity: Entity, health: &Health, mut commands: ParCommands<Game>) {
    let number = health.0 as u32;
    commands.entity(entity).insert(Armor(1)).remove::<Health>().relate(Likes(entity_of(number)));
    commands.send(Noise(number));
    commands.spawn_batch([Armor(2 * health.0), Armor(2 * health.0 + 1)]);
}

/// An id that is not alive: relations to it are refused.
fn entity_of(number: u32) -> Entity {
    Entity::from_bits(1 << 32 | u64::from(number + 1_000_000)).unwrap()
}

fn game() -> Game {
    let mut game = Game::new(Heard::default());
    game.on_failed_command(FailurePolicy::Ignore);
    game
}

#[test]
fn a_chain_is_applied_in_its_order() {
    let mut game = game();
    let (hero, friend) = (game.spawn(Health(3)), game.spawn(()));
    game.with_commands(|mut commands| {
        let mut hero = commands.entity(hero);
        hero.insert((Health(4), Armor(1))).remove::<Health>().insert(Knight).relate(Likes(friend));
        assert!(hero.insert_if_new(Armor(9)).is_err());
        assert!(
            hero.insert_if_new(Health(5)).unwrap().commands().has::<Health>(friend) || hero.id() != friend
        );
    });
    assert_eq!(game.get(hero), Some(&Health(5)));
    assert_eq!((game.get(hero), game.has::<Knight>(hero)), (Some(&Armor(1)), true));
    assert_eq!(game.relations::<Likes>(hero), [Likes(friend)]);
    game.with_commands(|mut commands| commands.entity(hero).unrelate::<Likes>(friend).despawn());
    assert!(!game.contains(hero) && game.sources::<Likes>(friend).is_empty());
    assert_eq!(game.stats().failed_commands, 0);
}

#[test]
fn each_command_of_a_chain_for_a_dead_entity_fails() {
    let mut game = game();
    let ghost = game.spawn(());
    game.despawn(ghost).unwrap();
    game.with_commands(|mut commands| {
        commands.entity(ghost).insert(Health(1)).remove::<Health>();
        commands.entity(ghost).despawn_if_alive();
        commands.entity(ghost).despawn();
    });
    assert_eq!(game.stats().failed_commands, 3);
}

#[test]
fn a_batch_has_the_ids_of_its_bundles_and_is_seen_by_the_same_commands() {
    let mut game = game();
    let ids = game.with_commands(|mut commands| {
        let other = commands.spawn(Armor(7));
        let ids = commands.spawn_batch((0..200).map(|n| (Health(n), Knight)));
        assert_eq!((ids.len(), ids.clone().count()), (200, 200));
        let ids: Vec<Entity> = ids.collect();
        assert!(commands.contains(ids[199]) && commands.has::<Armor>(ids[0]) && !ids.contains(&other));
        assert_eq!(commands.get(ids[150]), Some(&Health(150)));
        assert_eq!(commands.len(), 201);
        ids
    });
    assert!(ids.iter().enumerate().all(|(n, &id)| game.get(id) == Some(&Health(n as i32))));
    assert_eq!(game.query::<(&Knight, &Armor)>().iter().count(), 200);
}

#[test]
fn a_bundle_of_a_batch_that_a_rule_refuses_fails_alone() {
    let mut game = game();
    let ids: Vec<Entity> =
        game.with_commands(|mut commands| commands.spawn_batch([1, 2, 1, 3].map(Badge)).collect());
    let alive: Vec<bool> = ids.iter().map(|&id| game.contains(id)).collect();
    assert_eq!((alive, game.stats().failed_commands), (vec![true, true, false, true], 1));
}

#[test]
fn a_panic_in_the_iterator_of_a_batch_drops_the_commands() {
    let mut game = game();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        game.with_commands(|mut commands| {
            let bundles = (0..9).map(|n| if n < 5 { Health(n) } else { panic!("no more") });
            commands.spawn_batch(bundles).count()
        })
    }));
    assert!(panicked.is_err() && game.entities().is_empty());
    let ids: Vec<Entity> = game.with_commands(|mut commands| commands.spawn_batch([Health(1)]).collect());
    assert!(game.contains(ids[0]));
}

#[test]
fn events_of_commands_are_sent_when_the_stage_ends_and_trigger_observers() {
    let mut game = game();
    game.tick();
    assert_eq!(game.resource::<Heard>().0, [101, 102, 103, 1, 2, 3]);
}

#[test]
fn batches_in_a_system_are_the_same_in_a_copy_of_the_world() {
    let mut game = game();
    game.spawn_batch((0..20).map(Health));
    let mut copy = game.clone();
    for world in [&mut game, &mut copy] {
        world.double();
        world.double();
    }
    let ids =
        |game: &Game| game.query::<(Entity, &Health)>().iter().map(|(id, h)| (id, h.0)).collect::<Vec<_>>();
    assert_eq!(ids(&game), ids(&copy));
    assert_eq!(game.sources::<Likes>(game.entities().iter().last().unwrap()).len(), 1);
}

#[test]
fn commands_of_a_parallel_system_do_not_depend_on_the_threads() {
    let run = |parallelism: Parallelism| {
        let mut game = game();
        game.set_parallelism(parallelism);
        game.spawn_batch((0..5000).map(Health));
        game.parallel();
        assert_eq!((game.query::<&Health>().iter().count(), game.stats().failed_commands), (0, 5000));
        let armor: Vec<(Entity, i32)> =
            game.query::<(Entity, &Armor)>().iter().map(|(id, a)| (id, a.0)).collect();
        (armor, game.resource::<Heard>().0.clone())
    };
    let one = run(Parallelism::Never);
    assert_eq!((one.0.len(), one.1.len()), (15_000, 10_000));
    assert!(one.1[5000..].iter().copied().eq(0..5000), "in the order of the slots");
    assert_eq!(one, run(Parallelism::Always));
}
