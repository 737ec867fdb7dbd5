//! Commands: applied at the end of the stage in source order. Methods of the same `Commands` see
//! them at once.

use ecs::command::{FailedCommand, FailurePolicy};
use ecs::error::PresentError;
use ecs::prelude::*;
use std::sync::Mutex;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone, PartialEq, Debug, Default)]
struct Armor(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(requires(Armor))]
struct Knight(String);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
struct Wide([u8; 64]);
#[derive(Resource, Default, Clone, Debug)]
struct Seen(Vec<Entity>, Vec<String>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health, Armor, Knight, Wide }
        resources { Seen }
    }
    schedule tick { spawns, count; count_again }
    schedule order { first, second; read }
    schedule ladder { wreck, patch; read }
    schedule around { spawns, exclusive, count }
    schedule wide { widen; read_wide }
}

#[system(Game)]
fn spawns(mut commands: Commands<Game>, mut seen: ResMut<Seen>) {
    let entity = commands.spawn((Health(1), Armor(2)));
    seen.0.push(entity);
    assert!(commands.contains(entity));
    assert_eq!(commands.get::<Health>(entity), Some(&Health(1)));
    assert!(commands.has::<Armor>(entity) && !commands.has::<Knight>(entity));
}

#[system(Game)]
fn count(all: Query<&Health>, mut seen: ResMut<Seen>) {
    seen.1.push(format!("before {}", all.len()));
}

#[system(Game)]
fn count_again(all: Query<(Entity, &Health)>, mut seen: ResMut<Seen>) {
    let found = seen.0.iter().filter(|&&entity| all.contains(entity)).count();
    seen.1.push(format!("after {} {found}", all.len()));
}

#[system(Game)]
fn first(all: Query<Entity, With<Health>>, mut commands: Commands<Game>) {
    for entity in &all {
        commands.insert(entity, Health(1));
        commands.run(move |game| game.get_mut::<Health>(entity).unwrap().0 *= 10);
    }
}

#[system(Game)]
fn second(all: Query<Entity, With<Health>>, mut commands: Commands<Game>) {
    for entity in &all {
        commands.run(move |game| game.get_mut::<Health>(entity).unwrap().0 += 5);
        commands.insert(entity, Armor(1));
        commands.remove::<Armor>(entity);
    }
}

#[system(Game)]
fn read(all: Query<(&Health, Option<&Armor>)>, mut seen: ResMut<Seen>) {
    for (health, armor) in &all {
        seen.1.push(format!("{} {:?}", health.0, armor.map(|armor| armor.0)));
    }
}

#[system(Game)]
fn wreck(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (entity, health) in &all {
        if health.0 < 0 {
            commands.despawn(entity);
            assert!(!commands.contains(entity) && !commands.has::<Health>(entity));
            commands.despawn(entity);
        }
    }
}

#[system(Game)]
fn patch(all: Query<Entity, With<Health>>, mut commands: Commands<Game>) {
    for entity in &all {
        commands.insert(entity, Armor(7));
    }
}

#[system(Game)]
fn exclusive(game: &mut Game) {
    let found = game.query::<&Health>().iter().count();
    game.resource_mut::<Seen>().1.push(format!("exclusive {found}"));
}

#[system(Game)]
fn widen(all: Query<Entity>, mut commands: Commands<Game>) {
    for (at, entity) in all.iter().enumerate() {
        commands.insert(entity, (Wide([at as u8; 64]), Knight(format!("{at}"))));
        assert_eq!(commands.get::<Wide>(entity).unwrap().0[63], at as u8);
        assert_eq!(commands.get::<Knight>(entity).unwrap().0, format!("{at}"));
        assert!(commands.get::<Armor>(entity).is_none(), "a default is made later");
        assert!(commands.has::<Armor>(entity), "but it will be there");
    }
}

#[system(Game)]
fn read_wide(wide: &Wide, knight: &Knight, _armor: &Armor) {
    assert_eq!(wide.0[0].to_string(), knight.0);
}

fn log(game: &mut Game) -> Vec<String> {
    std::mem::take(&mut game.resource_mut::<Seen>().1)
}

#[test]
fn an_entity_spawned_by_commands_is_alive_from_the_next_stage_with_the_returned_id() {
    let mut game = Game::default();
    game.tick();
    assert_eq!(log(&mut game), ["before 0", "after 1 1"]);
    for round in 1..200 {
        game.tick();
        assert_eq!(log(&mut game), [format!("before {round}"), format!("after {0} {0}", round + 1)]);
    }
    let blocks = game.stats().blocks;
    assert!(blocks <= 8, "one entity a stage fills its block before it takes another: {blocks}");
}

#[test]
fn commands_are_done_in_the_order_of_the_text() {
    let mut game = Game::default();
    game.spawn(Health(100));
    game.order();
    assert_eq!(log(&mut game), ["15 None"]);
}

#[test]
fn a_failed_command_is_counted_and_reported() {
    static STRAYS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    fn tell(stray: &FailedCommand) {
        STRAYS.lock().unwrap().push(stray.to_string());
    }
    let mut game = Game::default();
    let (doomed, fine) = (game.spawn(Health(-1)), game.spawn(Health(3)));
    game.on_failed_command(FailurePolicy::Call(tell));
    game.ladder();
    assert!(!game.contains(doomed) && game.contains(fine));
    assert_eq!(game.get::<Armor>(fine), Some(&Armor(7)));
    let told = STRAYS.lock().unwrap().clone();
    assert_eq!(
        told,
        [
            format!(
                "world `Game`: `despawn` of system `wreck`: entity {doomed} no longer exists; `despawn_if_alive` accepts that"
            ),
            format!("world `Game`: `insert` of system `patch`: entity {doomed} no longer exists"),
        ]
    );
    assert_eq!(game.stats().failed_commands, 2);
    STRAYS.lock().unwrap().clear();
    game.with_commands(|mut commands| commands.insert(doomed, Armor(1)));
    let told = STRAYS.lock().unwrap().clone();
    assert_eq!(told, [format!("world `Game`: `insert`: entity {doomed} no longer exists")], "of no system");
    game.on_failed_command(FailurePolicy::Panic);
    game.spawn(Health(-1));
    let message = ecs_tests::fuse::panic_message(|| game.ladder());
    assert!(message.contains("system `wreck` of schedule `ladder` of world `Game` panicked"), "{message}");
    game.on_failed_command(FailurePolicy::Ignore);
    game.ladder();
}

#[test]
fn an_exclusive_system_is_a_stage_of_its_own() {
    let mut game = Game::default();
    game.around();
    assert_eq!(log(&mut game), ["exclusive 1", "before 1"]);
}

#[test]
fn values_of_any_alignment_and_size_are_kept() {
    let mut game = Game::default();
    for _ in 0..100 {
        game.spawn(());
    }
    game.wide();
    assert_eq!(game.query::<(&Wide, &Knight, &Armor)>().iter().count(), 100);
}

#[test]
fn try_insert_answers_at_once() {
    let mut game = Game::default();
    let entity = game.spawn(Health(1));
    let gone = game.spawn(());
    game.despawn(gone).unwrap();
    game.with_commands(|mut commands| {
        let present = |component| Err(PresentError::Present { entity, component, world: "Game" });
        assert_eq!(commands.insert_if_new(entity, Health(2)), present("Health"));
        assert_eq!(commands.insert_if_new(entity, Armor(2)), Ok(()));
        assert_eq!(commands.insert_if_new(entity, Armor(3)), present("Armor"));
        commands.remove::<Health>(entity);
        assert_eq!(commands.insert_if_new(entity, Health(4)), Ok(()));
        assert!(matches!(commands.insert_if_new(gone, Health(4)), Err(PresentError::NoSuchEntity(_))));
        commands.despawn(entity);
        assert!(matches!(commands.insert_if_new(entity, Wide([0; 64])), Err(PresentError::NoSuchEntity(_))));
    });
    assert!(!game.contains(entity));
}

#[test]
fn the_last_command_of_a_buffer_for_an_entity_wins() {
    let mut game = Game::default();
    let entity = game.spawn(Health(1));
    game.with_commands(|mut commands| {
        assert!(commands.has::<Health>(entity) && commands.get::<Health>(entity).is_none());
        commands.insert(entity, Health(2));
        commands.insert(entity, Health(3));
        assert_eq!(commands.get::<Health>(entity), Some(&Health(3)));
        commands.remove::<(Health, Armor)>(entity);
        assert!(!commands.has::<Health>(entity) && commands.get::<Health>(entity).is_none());
        let born = commands.spawn(Knight("new".into()));
        assert!(commands.has::<Armor>(born) && !commands.has::<Health>(born));
        commands.despawn(born);
        assert!(!commands.contains(born));
        assert_eq!(commands.len(), 5);
    });
    assert!(!game.has::<Health>(entity));
    assert_eq!(game.entities().iter().count(), 1);
}

#[test]
fn reserved_slots_are_reused() {
    #[derive(Component)]
    struct Spark(u32);
    world! {
        struct Fire { components { Spark } }
        schedule burn { kindle, quench; age }
    }
    #[system(Fire)]
    fn kindle(mut commands: Commands<Fire>) {
        for age in 0..1000 {
            commands.spawn(Spark(age % 7));
        }
    }
    #[system(Fire)]
    fn quench(sparks: Query<(Entity, &Spark)>, mut commands: Commands<Fire>) {
        for (entity, _) in sparks.iter().filter(|(_, spark)| spark.0 > 20) {
            commands.despawn(entity);
        }
    }
    #[system(Fire)]
    fn age(spark: &mut Spark) {
        spark.0 += 1;
    }
    let mut fire = Fire::new();
    for _ in 0..100 {
        fire.burn();
    }
    let (blocks, entities) = (fire.stats().blocks, fire.stats().entities);
    for _ in 0..200 {
        fire.burn();
    }
    let (later, still) = (fire.stats().blocks, fire.stats().entities);
    assert_eq!(entities, still);
    assert!(later <= blocks + blocks / 4, "{blocks} blocks became {later}");
    assert!(later * 64 < still * 2, "{later} blocks for {still} entities");
}

#[test]
fn a_clone_runs_like_the_original() {
    let mut game = Game::default();
    for _ in 0..70 {
        game.tick();
    }
    let mut copy = game.clone();
    for _ in 0..70 {
        game.tick();
        copy.tick();
    }
    assert_eq!(game.resource::<Seen>().0, copy.resource::<Seen>().0);
    assert_eq!(game.resource::<Seen>().1, copy.resource::<Seen>().1);
}

#[test]
fn try_despawn_of_a_despawned_entity_is_no_failed_command() {
    world! {
        struct Arena { components { Health } resources { Seen } }
        schedule politely { try_all, try_all_again; }
        schedule rudely { try_all, all_again; }
        schedule alone { twice; }
    }
    #[system(Arena)]
    fn try_all(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>) {
        for entity in &all {
            commands.despawn_if_alive(entity);
            assert!(!commands.contains(entity));
        }
    }
    #[system(Arena)]
    fn try_all_again(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>) {
        all.iter().for_each(|entity| commands.despawn_if_alive(entity));
    }
    #[system(Arena)]
    fn all_again(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>) {
        all.iter().for_each(|entity| commands.despawn(entity));
    }
    #[system(Arena)]
    fn twice(all: Query<Entity, With<Health>>, mut commands: Commands<Arena>, mut seen: ResMut<Seen>) {
        for entity in &all {
            let born = commands.spawn(Health(0));
            seen.0.push(born);
            for gone in [entity, entity, born, born] {
                commands.despawn_if_alive(gone);
            }
        }
    }
    let mut arena = Arena::default();
    arena.on_failed_command(FailurePolicy::Panic);
    arena.spawn_batch([1, 2, 3].map(Health));
    arena.politely();
    assert_eq!((arena.stats().entities, arena.stats().failed_commands), (0, 0));
    arena.spawn_batch([1, 2].map(Health));
    arena.alone();
    assert_eq!((arena.stats().entities, arena.stats().failed_commands), (0, 0));
    assert!(arena.resource::<Seen>().0.iter().all(|&born| !arena.contains(born)));
    arena.on_failed_command(FailurePolicy::Ignore);
    arena.spawn_batch([1, 2].map(Health));
    arena.rudely();
    assert_eq!(
        (arena.stats().entities, arena.stats().failed_commands),
        (0, 2),
        "`despawn` reports what is gone"
    );
}
