//! Files of all forms that an earlier state of the library wrote. They are read as the values that
//! were saved, and the same world is written as the same bytes. With `GOLDEN=overwrite`, the test
//! writes the files anew, after the format was changed on purpose.
//!
//! The files whose names begin with `ended` hold values whose layout was once recorded only in
//! part. They are read, and written in another way today. The same is true of `nothing.json`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use ecs::component::Name;
use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, Replica, Saved, Selection};
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};

use super::shared::{Hex, Likes, Married};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Integers {
    small: (u8, i8),
    short: (u16, i16),
    middle: (u32, i32),
    long: (u64, i64),
    longest: (u128, i128),
    size: (usize, isize),
}
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
struct Floats {
    narrow: [f32; 6],
    wide: Vec<f64>,
}
/// Numbers are equal if their bits are.
impl PartialEq for Floats {
    fn eq(&self, other: &Self) -> bool {
        let bits = |of: &Self| {
            let narrow = of.narrow.iter().map(|number| u64::from(number.to_bits()));
            narrow.chain(of.wide.iter().map(|number| number.to_bits())).collect::<Vec<_>>()
        };
        bits(self) == bits(other)
    }
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Texts {
    flag: bool,
    letter: char,
    text: String,
    lines: Vec<String>,
    shared: Cow<'static, str>,
    boxed: Box<str>,
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Empty;
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Wrapped(u16);
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Pair(u8, String);
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Shape {
    Nothing,
    Wrapped(u32),
    Pair(u8, i64),
    Box { width: f32, height: f32, of: Option<Box<Shape>> },
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Shapes {
    unit: (),
    empty: Empty,
    wrapped: Wrapped,
    pair: Pair,
    tuple: (bool, u8, char),
    array: [u16; 3],
    nested: [[i8; 2]; 2],
    shapes: Vec<Shape>,
    time: Duration,
    #[serde(default)]
    renamed: u8,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Lists {
    none: Option<u8>,
    some: Option<u8>,
    nested: Option<Option<u8>>,
    numbers: Vec<u32>,
    queue: VecDeque<i16>,
    set: BTreeSet<String>,
    sorted: BTreeMap<u8, String>,
    named: BTreeMap<String, Vec<f32>>,
    hashed: HashMap<String, u8>,
    boxed: Box<Wrapped>,
    pairs: Vec<(u8, Option<String>)>,
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<(i16, i16)> },
    Recalls(Vec<Option<Entity>>),
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Ids {
    one: Option<Entity>,
    many: Vec<Entity>,
    mind: Vec<Mind>,
    named: BTreeMap<String, Entity>,
    sorted: BTreeMap<Entity, u8>,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Position(f32, f32);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked)]
struct Health(i64);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(storage = "packed")]
struct Rare(String);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Ticket(u32);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash, Debug)]
#[component(index, tracked)]
struct Team(u8);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(removed)]
struct Label(String);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Frozen;
#[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Hit(Entity, u32);
#[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Tally {
    heard: Vec<Hit>,
    lost: Vec<(Entity, String)>,
    born: u64,
    leader: Option<Entity>,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(from = OldSpeed)]
struct Speed {
    length: f64,
}
#[derive(Deserialize)]
struct OldSpeed {
    x: f32,
    y: f32,
}
impl From<OldSpeed> for Speed {
    fn from(old: OldSpeed) -> Self {
        Self { length: f64::from(old.x) + f64::from(old.y) }
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components {
            Integers, Floats, Texts, Shapes, Lists, Ids, Position, Health, Rare, Ticket, Team, Label, Frozen, Speed,
            likes: Many<Likes>, Married, ChildOf, Name,
        }
        resources { tally: Tally }
        events { Hit }
    }
    schedule tick { hurt, watch }
}

#[system(Game)]
fn hurt(mut bodies: Query<(Entity, Mut<Health>)>, mut hits: EventWriter<Hit>, mut seed: Local<u32>) {
    for (entity, mut health) in &mut bodies {
        *seed = *seed * 3 + 1;
        if *seed % 2 == 1 {
            health.0 -= 1;
            hits.send(Hit(entity, *seed));
        }
    }
}

#[system(Game)]
fn watch(
    born: Entered<With<Health>>,
    mut hits: EventReader<Hit>,
    mut lost: Removed<Label>,
    mut tally: ResMut<Tally>,
    mut turns: Local<Option<(u8, String)>>,
) {
    tally.born += born.iter().count() as u64;
    tally.heard.extend(hits.iter().take(2).cloned());
    tally.lost.extend(lost.iter().map(|(entity, label)| (entity, label.0.clone())));
    let (turn, _) = turns.take().unwrap_or_default();
    *turns = Some((turn + 1, format!("turn {turn}")));
}

fn game() -> (Game, Vec<Entity>) {
    let mut game = Game::new(Tally::default());
    let ids: Vec<Entity> =
        (0..6u8).map(|n| game.spawn((Position(f32::from(n), -0.5), Team(n % 2)))).collect();
    game.insert(
        ids[0],
        (
            Integers {
                small: (u8::MAX, i8::MIN),
                short: (u16::MAX, i16::MIN),
                middle: (u32::MAX, i32::MIN),
                long: (u64::MAX, i64::MIN),
                longest: (u128::MAX, i128::MIN),
                size: (77, -77),
            },
            Floats {
                narrow: [0.1, -0.0, f32::NAN, f32::INFINITY, f32::from_bits(0x7fc0_0001), f32::MIN_POSITIVE],
                wide: vec![0.1, -0.0, f64::NAN, f64::NEG_INFINITY, f64::MAX, 1.0],
            },
            Texts {
                flag: true,
                letter: 'ß',
                text: "a \"text\"\n$NaN".into(),
                lines: vec![String::new(), "$NaN".into(), "two".into()],
                shared: "shared".into(),
                boxed: "boxed".into(),
            },
            Shapes {
                unit: (),
                empty: Empty,
                wrapped: Wrapped(300),
                pair: Pair(1, "p".into()),
                tuple: (false, 2, 'x'),
                array: [1, 2, 1000],
                nested: [[1, -1], [2, -2]],
                shapes: vec![
                    Shape::Nothing,
                    Shape::Wrapped(9),
                    Shape::Pair(1, -9),
                    Shape::Box { width: 1.5, height: 2.0, of: Some(Box::new(Shape::Nothing)) },
                    Shape::Box { width: 1.5, height: 2.0, of: None },
                ],
                time: Duration::new(3, 500),
                renamed: 4,
            },
            Lists {
                none: None,
                some: Some(1),
                nested: Some(Some(2)),
                numbers: vec![1, 2, 70_000],
                queue: [1, -2].into(),
                set: ["b".to_owned(), "a".to_owned()].into(),
                sorted: [(2, "two".to_owned()), (1, "one".to_owned())].into(),
                named: [("list".to_owned(), vec![1.0, 0.25])].into(),
                hashed: [("only".to_owned(), 1)].into(),
                boxed: Box::new(Wrapped(1)),
                pairs: vec![(1, Some("one".into())), (2, None)],
            },
            Ids {
                one: Some(ids[1]),
                many: vec![ids[2], ids[0]],
                mind: vec![
                    Mind::Idle,
                    Mind::Hunts { whom: ids[4], path: vec![(1, -1)] },
                    Mind::Recalls(vec![None, Some(ids[3])]),
                ],
                named: [("friend".to_owned(), ids[1])].into(),
                sorted: [(ids[2], 2), (ids[1], 1)].into(),
            },
        ),
    )
    .unwrap();
    game.insert(ids[1], (Health(9), Ticket(70), Label("first".into()), Speed { length: 7.0 })).unwrap();
    game.insert(ids[2], (Health(5), Ticket(71), Label("second".into()), Frozen, Rare("rare".into())))
        .unwrap();
    game.insert(ids[3], (Name::new("child"), ChildOf(ids[1]))).unwrap();
    game.insert(ids[4], Married(ids[2])).unwrap();
    game.relate(ids[4], Likes { whom: ids[1], much: 3 }).unwrap();
    game.relate(ids[4], Likes { whom: ids[0], much: 1 }).unwrap();
    game.tick();
    game.despawn(ids[5]).unwrap();
    game.remove::<Label>(ids[1]).unwrap();
    game.tally.leader = Some(ids[2]);
    game.tick();
    game.remove::<Label>(ids[2]).unwrap();
    (game, ids)
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("behaviour/save/golden").join(name)
}

fn overwrite() -> bool {
    std::env::var("GOLDEN").is_ok_and(|mode| mode == "overwrite")
}

/// The content of a file. The file is written if it is to be written anew.
fn golden(name: &str, now: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    if overwrite() {
        std::fs::write(path(name), now()).unwrap();
    }
    std::fs::read(path(name)).unwrap_or_else(|error| panic!("{}: {error}", path(name).display()))
}

fn pretty<W: Serialize>(world: &W) -> Vec<u8> {
    serde_json::to_vec_pretty(world).unwrap()
}

macro_rules! assert_equal_values {
    ($loaded:expr, $game:expr, $to:expr, $ids:expr; $($name:ty)*) => {
        for &id in $ids {
            let to = $to(id);
            $(assert_eq!($loaded.get::<$name>(to), $game.get::<$name>(id), "{id}");)*
        }
    };
}

/// Compares all values of two worlds whose entities have the same ids.
fn assert_equal(loaded: &Game, game: &Game, ids: &[Entity]) {
    assert_equal_values!(loaded, game, |id| id, ids; Integers Floats Texts Shapes Lists Ids Position Health Rare Ticket
        Team Label Frozen Speed Married ChildOf Name);
    for &id in ids {
        assert_eq!(loaded.contains(id), game.contains(id));
        assert_eq!(loaded.relations::<Likes>(id), game.relations::<Likes>(id));
    }
    assert_eq!(loaded.tally, game.tally);
    assert!(loaded.find::<Ticket>(&Ticket(71)).eq([ids[2]]));
    assert_eq!(loaded.hash(), game.hash());
}

/// Runs both worlds and compares them: the states of systems, the events that are not yet read and
/// the change ticks are equal.
fn assert_equal_runs(mut loaded: Game, mut game: Game, ids: &[Entity]) {
    for _ in 0..3 {
        loaded.tick();
        game.tick();
        assert_equal(&loaded, &game, ids);
    }
}

#[test]
fn a_compact_file_is_read_and_written_as_before() {
    let (game, ids) = game();
    let now = game.to_bytes().unwrap();
    let file = golden("world.bytes", || now.clone());
    let loaded = Game::load(&file).unwrap();
    assert_equal(&loaded, &game, &ids);
    assert_eq!(now, file);
    assert_equal_runs(loaded, game, &ids);
}

#[test]
fn a_readable_file_is_read_and_written_as_before() {
    let (game, ids) = game();
    let now = pretty(&game);
    let file = golden("world.json", || now.clone());
    let loaded: Game = serde_json::from_slice(&file).unwrap();
    assert_equal(&loaded, &game, &ids);
    assert_eq!(String::from_utf8(now), String::from_utf8(file));
    assert_equal_runs(loaded, game, &ids);
}

type Sent = (Position, Health, Lists, Ids, Team, Ticket, Frozen, Rare);

/// Compares the values that a selection sends. Ids inside of values are not those of the sender.
fn assert_sent(received: &Game, game: &Game, to: impl Fn(Entity) -> Entity, ids: &[Entity]) {
    assert_equal_values!(received, game, to, ids; Position Health Lists Team Ticket Frozen Rare);
    let of = received.get::<Ids>(to(ids[0])).unwrap();
    assert_eq!((of.one, &of.many), (Some(to(ids[1])), &vec![to(ids[2]), to(ids[0])]));
    assert_eq!(of.mind[1], Mind::Hunts { whom: to(ids[4]), path: vec![(1, -1)] });
    assert_eq!(of.mind[2], Mind::Recalls(vec![None, Some(to(ids[3]))]));
    assert_eq!(of.named["friend"], to(ids[1]));
    assert_eq!(of.sorted, BTreeMap::from([(to(ids[2]), 2), (to(ids[1]), 1)]));
}

/// A world in which the ids of the sender are taken.
fn receiver() -> Game {
    let mut game = Game::new(Tally::default());
    game.spawn(Position(7.0, 7.0));
    game
}

#[test]
fn a_selection_is_read_and_written_as_before() {
    let (game, ids) = game();
    let selection = Selection::<Game>::of::<Sent>();
    let now = selection.save(&game).unwrap();
    let file = golden("selection.bytes", || now.clone());
    let mut received = receiver();
    let merged = selection.merge(&mut received, &file, Replica::new().dangling(DanglingIds::Refuse)).unwrap();
    assert_sent(&received, &game, |id| merged.get(id).unwrap(), &ids[..5]);
    assert_eq!(now, file);
}

#[test]
fn deltas_are_read_and_written_as_before() {
    let (mut game, ids) = game();
    let selection = Selection::<Game>::of::<Sent>();
    let first = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
    let known = selection.baseline(&mut game, 1);
    game.insert(ids[3], (Health(1), Rare("more".into()))).unwrap();
    game.get_mut::<Lists>(ids[0]).unwrap().numbers.push(3);
    game.remove::<Frozen>(ids[2]).unwrap();
    let second = selection.delta(&known, &game, 2).unwrap();
    let (mut received, mut replica) = (receiver(), Replica::new());
    for (name, now) in [("delta1.bytes", first), ("delta2.bytes", second)] {
        let file = golden(name, || now.clone());
        selection.apply(&mut received, &mut replica, &file).unwrap();
        assert_eq!(now, file);
    }
    assert_sent(&received, &game, |id| replica.get(id).unwrap(), &ids[..5]);
}

mod old {
    use super::*;

    #[derive(Component, Clone, Serialize, Deserialize)]
    struct Speed {
        x: f32,
        y: f32,
    }
    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Game { components { Frozen, Speed, Position } }
    }

    pub fn game() -> Game {
        let mut game = Game::new();
        for n in 0..3u8 {
            game.spawn((Speed { x: f32::from(n), y: 0.5 }, Position(f32::from(n), 1.0), Frozen));
        }
        game
    }
}

#[test]
fn a_file_of_an_older_version_of_a_type_is_read() {
    let files = [
        golden("older.bytes", || old::game().to_bytes().unwrap()),
        golden("older.json", || pretty(&old::game())),
    ];
    let loaded = [Game::load(&files[0]).unwrap(), serde_json::from_slice(&files[1]).unwrap()];
    for loaded in loaded {
        let ids: Vec<Entity> = loaded.entities().iter().collect();
        assert_eq!(ids.len(), 3);
        for (n, &id) in (0..).zip(&ids) {
            assert_eq!(loaded.get::<Speed>(id), Some(&Speed { length: f64::from(n) + 0.5 }));
            assert!(loaded.get::<Position>(id).is_some() && loaded.get::<Frozen>(id).is_some());
        }
    }
}

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Coloured {
    colour: Hex,
    health: u32,
    target: Option<Entity>,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Matrix {
    rows: [[u16; 32]; 32],
    first: u8,
    target: Option<Entity>,
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Tree {
    Node(Box<Tree>, Vec<Tree>),
    Leaf(u8),
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Grown(Tree);
type Three<T> = Vec<Vec<Vec<T>>>;
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Deep(Three<Three<Three<Option<u8>>>>);
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Slot<T> {
    Empty,
    Full(T),
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Slots {
    a: Slot<u16>,
    b: Slot<String>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Ended { components { Coloured, Matrix, Grown, Deep, Slots } }
}

fn ended() -> (Ended, Vec<Entity>) {
    let mut game = Ended::new();
    let first = game.spawn(());
    let second = game.spawn((
        Coloured { colour: Hex(0xff), health: 300, target: Some(first) },
        Matrix { rows: [[1000; 32]; 32], first: 3, target: Some(first) },
        Grown(Tree::Node(Box::new(Tree::Leaf(1)), vec![Tree::Leaf(2)])),
        Deep(vec![vec![vec![vec![vec![vec![vec![vec![vec![None, Some(9)]]]]]]]]]),
        Slots { a: Slot::Full(1), b: Slot::Full("b".into()) },
    ));
    (game, vec![first, second])
}

#[test]
fn files_with_layouts_that_ended_early_are_read() {
    let (game, ids) = ended();
    let files = [golden("ended.bytes", || game.to_bytes().unwrap()), golden("ended.json", || pretty(&game))];
    let loaded = [Ended::load(&files[0]).unwrap(), serde_json::from_slice(&files[1]).unwrap()];
    for loaded in loaded {
        assert_equal_values!(loaded, game, |id| id, &ids; Coloured Matrix Grown Deep Slots);
        assert_eq!(loaded.hash(), game.hash());
    }
}

type SentEnded = (Coloured, Matrix, Grown, Deep, Slots);

#[test]
fn a_selection_with_layouts_that_ended_early_is_read() {
    let (game, ids) = ended();
    let selection = Selection::<Ended>::of::<SentEnded>();
    let file = golden("ended_selection.bytes", || selection.save(&game).unwrap());
    let mut received = Ended::new();
    let merged = selection.merge(&mut received, &file, Replica::new()).unwrap();
    let to = |id| merged.get(id).unwrap();
    assert_equal_values!(received, game, to, &ids; Grown Deep Slots);
    assert_eq!(received.get::<Coloured>(to(ids[1])).unwrap().target, Some(to(ids[0])));
    assert_eq!(received.get::<Matrix>(to(ids[1])).unwrap().target, Some(to(ids[0])));
}

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Door {
    lock: Option<Empty>,
    unit: Option<()>,
    nested: Option<Option<u8>>,
    list: Vec<Option<Option<()>>>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct House { components { Door } }
}

fn house() -> (House, Entity) {
    let mut house = House::new();
    let door = Door {
        lock: Some(Empty),
        unit: Some(()),
        nested: Some(None),
        list: vec![None, Some(None), Some(Some(()))],
    };
    let door = house.spawn(door);
    (house, door)
}

/// The readable form once wrote `Some` of nothing as `null`, as it writes `None`.
#[test]
fn a_readable_file_in_which_nothing_is_null_is_read() {
    let (house, door) = house();
    let file = golden("nothing.json", || pretty(&house));
    let loaded: House = serde_json::from_slice(&file).unwrap();
    let read = Door { lock: None, unit: None, nested: None, list: vec![None; 3] };
    assert_eq!(loaded.get::<Door>(door), Some(&read));
    let file = golden("nothing.bytes", || house.to_bytes().unwrap());
    assert_eq!(House::load(&file).unwrap().get::<Door>(door), house.get::<Door>(door));
}
