//! Prefabs that systems spawn: they return ids at once, and spawn all entities or none when the
//! stage ends.

use std::cell::RefCell;

use ecs::command::{FailedCommand, FailurePolicy};
use ecs::prefab::PrefabInstance;
use ecs::prelude::*;
use ecs::save::Saved;
use ecs::{Aspect, ChildOf, Prefab, Prefabs};
use serde::{Deserialize, Serialize};

use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(requires(Mood))]
struct Target(Entity);
#[derive(Component, Clone, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Mood(i8);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Position(i32, i32);
#[derive(Component, Clone, Serialize, Deserialize, Default, PartialEq, Debug)]
#[component(unique)]
struct Crown(u32);

#[derive(Aspect)]
struct Monster {
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
}
#[derive(Aspect)]
struct King {
    crown: Crown,
    mood: Mood,
}

#[derive(Resource, Clone)]
#[resource(skip)]
struct Content {
    camp: Prefab<Game>,
    king: Prefab<Game>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Health, Target, Mood, Position, Crown, ChildOf }
        resources { Content = Content::new() }
    }
    schedule tick { ambush; look }
    schedule crown { coronation; }
    schedule broken { breaks; }
}

impl Content {
    fn new() -> Self {
        let content = Prefabs::new().aspect::<Monster>().aspect::<King>();
        let read = |file, text| content.from_json(file, text).unwrap_or_else(|error| panic!("{error}"));
        Self {
            camp: read(
                "camp.json",
                r#"{ "goblin": { "Monster": { "health": { "max": 9 } } }, "wolf": { "Target": "goblin", "ChildOf": "goblin" } }"#,
            ),
            king: read("king.json", r#"{ "page": { "Monster": {} }, "king": { "King": { "crown": 3 } } }"#),
        }
    }
}

thread_local! {
    static PLACED: RefCell<Vec<PrefabInstance>> = const { RefCell::new(Vec::new()) };
    static STRAYS: RefCell<Vec<FailedCommand>> = const { RefCell::new(Vec::new()) };
}

#[system(Game)]
fn ambush(content: Res<Content>, mut commands: Commands<Game>, healths: Query<&Health>) {
    let placed = commands.spawn_prefab(&content.camp);
    let [goblin, wolf] = ["goblin", "wolf"].map(|name| placed[name]);
    assert!(commands.contains(goblin) && !healths.contains(goblin), "not yet");
    assert!(commands.has::<Health>(goblin) && commands.has::<Mood>(wolf) && !commands.has::<Health>(wolf));
    assert_eq!(commands.get::<Health>(goblin), None, "it is made when the stage ends");
    commands.insert(goblin, Position(1, 2));
    assert_eq!(commands.get(goblin), Some(&Position(1, 2)));
    PLACED.with_borrow_mut(|all| all.push(placed));
}

#[system(Game)]
fn look(healths: Query<&Health>) {
    PLACED.with_borrow(|all| assert!(all.iter().all(|placed| healths.contains(placed["goblin"]))));
}

#[system(Game)]
fn coronation(content: Res<Content>, mut commands: Commands<Game>) {
    let placed = commands.spawn_prefab(&content.king);
    commands.insert(placed["page"], Position(0, 0));
    PLACED.with_borrow_mut(|all| all.push(placed));
}

#[system(Game)]
fn breaks(content: Res<Content>, mut commands: Commands<Game>) {
    PLACED.with_borrow_mut(|all| all.push(commands.spawn_prefab(&content.camp)));
    panic!("broken off");
}

fn placed() -> Vec<PrefabInstance> {
    PLACED.take()
}

#[test]
fn ids_are_there_at_once_and_entities_when_the_stage_ends() {
    let mut game = Game::new();
    for _ in 0..100 {
        game.tick();
    }
    let placed = placed();
    assert_eq!((placed.len(), game.entities().iter().count()), (100, 200));
    for camp in &placed {
        let [goblin, wolf] = ["goblin", "wolf"].map(|name| camp[name]);
        assert_eq!(game.get(goblin), Some(&Health { now: 5, max: 9 }));
        assert_eq!((game.get(goblin), game.get(wolf)), (Some(&Position(1, 2)), Some(&Target(goblin))));
        assert_eq!((game.get(wolf), game.sources::<ChildOf>(goblin)), (Some(&Mood(0)), &[wolf][..]));
    }
}

#[test]
fn a_prefab_refused_by_a_rule_is_a_failed_command_and_spawns_no_entity() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Call(|stray| {
        STRAYS.with_borrow_mut(|all| all.push(stray.clone()))
    }));
    game.crown();
    assert_eq!(game.entities().iter().count(), 2);
    game.crown();
    let (placed, strays) = (placed(), STRAYS.take());
    assert_eq!(game.entities().iter().count(), 2);
    assert!(placed[1].iter().all(|(_, entity)| !game.contains(entity)));
    let [refused, insert] = &strays[..] else { panic!("{strays:?}") };
    assert_eq!((refused.command, insert.command), ("spawn_prefab", "insert"));
    assert_eq!((refused.entity, refused.refused.map(|it| it.component)), (placed[1]["king"], Some("Crown")));
    let told = refused.to_string();
    assert!(
        told.starts_with(
            "world `Game`: `spawn_prefab` of system `coronation`: king.json: entity `king`: component `Crown`: "
        ),
        "{told}"
    );
    // the next prefab is not affected
    game.despawn(placed[0]["king"]).unwrap();
    game.crown();
    assert_eq!(game.query::<&Crown>().iter().map(|crown| crown.0).collect::<Vec<_>>(), [3]);
}

#[test]
fn an_entity_despawned_before_the_flush_is_never_alive() {
    let mut game = Game::new();
    let camp = Content::new().camp;
    let placed = game.with_commands(|mut commands| {
        let placed = commands.spawn_prefab(&camp);
        commands.despawn(placed["goblin"]);
        assert!(!commands.contains(placed["goblin"]) && commands.contains(placed["wolf"]));
        placed
    });
    assert!(placed.iter().all(|(_, entity)| !game.contains(entity)), "it takes its children along");
}

#[test]
fn entities_spawned_by_a_panicking_system_are_never_alive_and_their_ids_are_free() {
    let mut game = Game::new();
    for _ in 0..3 {
        assert!(panic_message(|| game.broken()).contains("broken off"));
    }
    let placed = placed();
    game.tick();
    assert_eq!(game.entities().iter().count(), 2);
    assert!(placed.iter().all(|camp| camp.iter().all(|(_, entity)| !game.contains(entity))));
}

#[test]
fn a_world_with_prefabs_is_saved_and_continues() {
    let mut game = Game::new();
    game.tick();
    let mut loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    let mut copy = game.clone();
    for world in [&mut game, &mut loaded, &mut copy] {
        world.tick();
        PLACED.take();
    }
    assert_eq!(game.hash(), loaded.hash());
    assert_eq!(game.hash(), copy.hash());
}

#[test]
fn a_prefab_without_entities_spawns_none() {
    let mut game = Game::new();
    let nobody = Prefab::<Game>::from_json("x", "{}").unwrap();
    let placed = game.with_commands(|mut commands| commands.spawn_prefab(&nobody));
    assert_eq!((placed.iter().count(), game.entities().iter().count()), (0, 0));
}
