//! A world with every feature that is saved.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::command::FailurePolicy;
use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::Skip;
use ecs::{ChildOf, FixedTime, Lookup, Many, Related};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Position([f32; 2]);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
pub struct Health(i64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
pub struct Label(String);
#[derive(Component, Clone, Serialize, Deserialize)]
pub enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<(i16, i16)> },
    Recalls(BTreeMap<u8, Vec<Option<Entity>>>),
}
#[derive(Component, Clone, Serialize, Deserialize, Default)]
pub struct Tag;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(requires(Tag))]
pub struct Leader {
    // a named field, so that a file shows its depth: some formats omit newtypes and options, and
    // would recurse without end
    under: Option<Box<Leader>>,
}
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Rare(char, u128);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
pub struct Camera(bool);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(index, tracked)]
pub struct Team(u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Burning))]
pub struct Frozen;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Frozen))]
pub struct Burning(Vec<()>);
#[derive(Component, Clone)]
#[component(skip)]
pub struct Sprite;

/// A value of one byte in a file and of a megabyte in memory for 64 entities.
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Terrain {
    seed: u8,
    #[serde(skip, default = "flat")]
    _heights: [u64; 2048],
}

fn flat() -> [u64; 2048] {
    [0; 2048]
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = keep)]
pub struct Likes {
    #[target]
    whom: Entity,
    much: u8,
}
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, symmetric, gone = remove)]
pub struct Married(Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, symmetric)]
pub struct Knows(Entity);

#[derive(Resource, Clone, Serialize, Deserialize, Default)]
pub struct Tally {
    heard: u64,
    seen: Vec<Entity>,
}
#[derive(Resource, Clone, Default)]
#[resource(skip)]
pub struct Window;
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Hit(Entity, f64);
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Key(char);
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Alarm(u8);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Game {
        components {
            Position, Health, Label, Mind, Tag, Leader, Rare, Camera, Team, Frozen, Burning, Sprite, likes: Many<Likes>,
            Married, knows: Many<Knows>, ChildOf, Name, StableId, Terrain
        }
        resources {
            tally: Tally = Tally::default(),
            Window = Window,
            time: FixedTime = FixedTime::new(Duration::from_millis(10)),
        }
        events { Hit, Key(external, keep = 4, full = newest), Alarm(external, keep = 3, full = panic) }
    }
    schedule tick {
        strike, breed if often;
        watch, hear;
        bury;
    }
    schedule simulate every FixedTime { step }
}

#[system(Game)]
fn step(mut tally: ResMut<Tally>, mut alarms: EventReader<Alarm>) {
    tally.heard = tally.heard.wrapping_add(alarms.iter().len() as u64);
}

#[system(Game)]
fn often(mut count: Local<u32>) -> bool {
    *count = count.wrapping_add(1);
    count.is_multiple_of(2)
}

#[system(Game)]
fn strike(mut bodies: Query<(Entity, Mut<Health>)>, mut hits: EventWriter<Hit>, mut seed: Local<Skip<u8>>) {
    for (entity, mut health) in bodies.iter_mut().take(8) {
        **seed = seed.wrapping_add(1);
        health.0 = health.0.wrapping_sub(1);
        hits.send(Hit(entity, f64::NAN));
    }
}

#[system(Game)]
fn breed(mut commands: Commands<Game>, tags: Query<Entity, With<Tag>>, mut last: Local<Option<Entity>>) {
    for parent in tags.iter().take(4) {
        let child = commands.spawn((ChildOf(parent), Health(3)));
        *last = Some(commands.spawn((Label("born".into()), Mind::Hunts { whom: child, path: Vec::new() })));
    }
}

#[system(Game)]
fn watch(
    born: Entered<With<Health>>,
    gone: Exited<With<Mind>>,
    changed: Query<Entity, Changed<Team>>,
    mut lost: Removed<Label>,
    mut tally: ResMut<Tally>,
) {
    let changed = changed.iter().chain(lost.iter().map(|(entity, _)| entity));
    tally.seen = born.iter().chain(gone.iter()).chain(changed).take(16).collect();
}

#[system(Game)]
fn hear(
    mut hits: EventReader<Hit>,
    mut keys: EventReader<Key>,
    teams: Lookup<Team>,
    family: Related<ChildOf>,
    mut local: Local<BTreeMap<String, u64>>,
) {
    let heard = hits.iter().map(|hit| hit.0).chain(keys.iter().flat_map(|_| teams.find(&Team(1))));
    let heard = heard.map(|entity| family.sources(entity).len() as u64).sum::<u64>();
    let of = local.entry("heard".into()).or_default();
    *of = of.wrapping_add(heard);
}

#[system(Game)]
fn bury(bodies: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (entity, _) in bodies.iter().filter(|(_, health)| health.0 < 1).take(2) {
        commands.despawn(entity);
        commands.remove::<Label>(entity);
    }
}

/// A small world with an entity for every feature.
pub fn game() -> Game {
    let mut game = Game::default();
    game.on_failed_command(FailurePolicy::Ignore);
    let root = game.spawn((Position([0.5, f32::NAN]), Tag, Camera(true), Name::new("root"), StableId(7)));
    let children: Vec<Entity> = (0..4).map(|at| game.spawn((ChildOf(root), Team(at % 2)))).collect();
    let gone = game.spawn(Label("gone".into()));
    game.relate_at(children[3], ChildOf(root), 0).expect("both live");
    game.insert(children[0], (Frozen, Married(children[1]), Rare('x', 1))).expect("it may");
    game.insert(children[1], Burning(vec![(), ()])).expect("it may");
    game.insert(children[2], Mind::Recalls([(3, vec![None, Some(gone)])].into())).expect("it may");
    game.relate(children[2], Likes { whom: gone, much: 9 }).expect("both live");
    game.relate(children[2], Likes { whom: root, much: 1 }).expect("both live");
    game.relate(children[2], Knows(children[3])).expect("both live");
    game.insert(children[3], (Leader { under: Some(Box::new(Leader { under: None })) }, Sprite))
        .expect("it may");
    game.despawn(gone).expect("it lives");
    game.send(Key('q'));
    for _ in 0..4 {
        game.tick();
    }
    game.send(Key('w'));
    game.spawn((Mind::Idle, Label("last".into()), Health(2)));
    game.spawn((Terrain { seed: 1, _heights: flat() }, Tag));
    game.send(Alarm(1));
    game.resource_mut::<FixedTime>().advance(Duration::from_millis(25));
    game
}

/// The same world without unique components and keys.
pub(crate) fn crowd() -> Game {
    let mut game = game();
    let holders: Vec<Entity> = game.query::<(Entity, &Camera)>().iter().map(|(entity, _)| entity).collect();
    for entity in holders {
        game.remove::<(Camera, StableId, Name)>(entity).expect("it lives");
    }
    game
}
