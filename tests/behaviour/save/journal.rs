//! The journal of structural changes: every way in which entities and components come and go is
//! recorded, in order, for any number of threads.

use std::collections::{BTreeMap, BTreeSet};

use ecs::error::JournalGap;
use ecs::prelude::*;
use ecs::query::{StructuralAction, StructuralChange};
use ecs::reflect::ReflectWorld;
use ecs::save::{Baseline, DanglingIds, Replica, Saved, Selection};
use ecs::system::Tick;
use ecs::{Prefab, Storage};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Plain(u32);
#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[component(tracked)]
struct Tracked(u32);
#[derive(Component, Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
struct Tag;
#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[component(removed = 8)]
struct Text(String);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[component(index)]
struct Cell(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[component(key)]
struct Key(u32);
#[derive(Component, Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
struct Needed;
#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[component(requires(Needed))]
struct Needs;
#[derive(Relation, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[relation(exclusive, gone = cascade)]
struct Part(Entity);
#[derive(Relation, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[relation(many)]
struct Likes(Entity);
#[derive(Relation, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[relation(many, symmetric)]
struct Friend(Entity);
#[derive(Relation, Clone, Debug, serde::Serialize, serde::Deserialize)]
#[relation(exclusive, gone = mark(Tag))]
struct Holds(Entity);

#[derive(Component, Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Sign {
    text: String,
}

#[derive(Resource, Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
struct Turn(u32);

world! {
    #[derive(Clone, Reflect, serde::Serialize, serde::Deserialize)]
    #[world(journal = 100_000)]
    struct Game {
        components { Plain, Tracked, Tag, Text, Cell, Key, Needed, Needs, Part, likes: Many<Likes>, friends: Many<Friend>, Holds, Sign }
        resources { Turn = Turn(0) }
    }
    schedule tick { plain, tracked, tag, friend, text; command; count }
}

fn hit(entity: Entity, turn: u32, salt: u32) -> bool {
    (entity.slot().wrapping_mul(7) + turn * 13 + salt).is_multiple_of(3)
}

macro_rules! toggle {
    ($($system:ident $component:ident $value:expr, $salt:literal;)*) => {$(
        #[system(Game)]
        fn $system(all: Query<Entity>, turn: Res<Turn>, mut storage: Storage<$component>) {
            for entity in &all {
                if hit(entity, turn.0, $salt) && storage.remove(entity).is_none() {
                    storage.insert(entity, $value).unwrap();
                }
            }
        }
    )*};
}

toggle! {
    plain Plain Plain(1), 1;
    tracked Tracked Tracked(1), 2;
    tag Tag Tag, 3;
    text Text Text("text".into()), 4;
}

#[system(Game)]
fn friend(all: Query<Entity>, turn: Res<Turn>, mut friends: Storage<Many<Friend>>) {
    let all: Vec<Entity> = all.iter().collect();
    for pair in all.windows(2) {
        if hit(pair[0], turn.0, 5) && friends.unrelate(pair[0], pair[1]).is_none() {
            friends.relate(pair[0], Friend(pair[1])).unwrap();
        }
    }
}

#[system(Game)]
fn command(all: Query<Entity>, turn: Res<Turn>, mut commands: Commands<Game>) {
    let new = commands.spawn((Plain(1), Needs));
    commands.insert(new, Cell(3));
    let ghost = commands.spawn(Tag);
    commands.despawn(ghost);
    for entity in &all {
        if hit(entity, turn.0, 6) {
            commands.remove::<Plain>(entity);
            commands.insert(entity, (Tracked(2), Cell(turn.0)));
        } else if hit(entity, turn.0, 7) && entity.slot() % 5 == 0 {
            commands.despawn(entity);
        }
    }
}

#[system(Game)]
fn count(mut turn: ResMut<Turn>) {
    turn.0 += 1;
}

/// The entities with the names of their components.
type Model = BTreeMap<Entity, BTreeSet<&'static str>>;

fn model(game: &Game) -> Model {
    let mut model: Model = game.entities().iter().map(|entity| (entity, BTreeSet::new())).collect();
    macro_rules! add {
        ($($component:ty)*) => {$(
            for entity in game.query::<Entity>().filter::<With<$component>>() {
                let name = stringify!($component).replace(' ', "");
                let name = <Game as ecs::__private::RawWorld>::COMPONENT_NAMES.iter().find(|known| known.replace(' ', "") == name).unwrap();
                model.get_mut(&entity).unwrap().insert(name);
            }
        )*};
    }
    add!(Plain Tracked Tag Text Cell Key Needed Needs Part Many<Likes> Many<Friend> Holds Sign);
    model
}

/// Applies changes to a model, which each must fit.
fn replay(model: &mut Model, changes: impl Iterator<Item = StructuralChange>) {
    for change in changes {
        let fits = match change.action {
            StructuralAction::Spawn => model.insert(change.entity, BTreeSet::new()).is_none(),
            StructuralAction::Despawn => model.remove(&change.entity).is_some_and(|left| left.is_empty()),
            StructuralAction::Insert(name) => model.get_mut(&change.entity).is_some_and(|of| of.insert(name)),
            StructuralAction::Remove(name) => model.get_mut(&change.entity).is_some_and(|of| of.remove(name)),
        };
        assert!(fits, "{change} does not fit");
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Spawn(u8),
    Batch(u8),
    Columns(u8),
    Insert(usize, u8),
    Remove(usize, u8),
    Relate(usize, usize, u8),
    Unrelate(usize, usize, u8),
    Columns2(usize),
    Despawn(usize),
    CloneEntity(usize),
    Commands(usize),
    Prefab,
    Definition,
    Named(usize, u8),
    Delta(usize, u8),
    Merge,
    Tick,
    Clear,
    Snapshot,
    Restore,
    Reload,
    Copy,
}

fn deed() -> impl Strategy<Value = Deed> {
    let at = || any::<usize>();
    prop_oneof![
        6 => any::<u8>().prop_map(Deed::Spawn),
        2 => any::<u8>().prop_map(Deed::Batch),
        2 => any::<u8>().prop_map(Deed::Columns),
        8 => (at(), any::<u8>()).prop_map(|(at, kind)| Deed::Insert(at, kind)),
        6 => (at(), any::<u8>()).prop_map(|(at, kind)| Deed::Remove(at, kind)),
        8 => (at(), at(), any::<u8>()).prop_map(|(one, two, kind)| Deed::Relate(one, two, kind)),
        4 => (at(), at(), any::<u8>()).prop_map(|(one, two, kind)| Deed::Unrelate(one, two, kind)),
        3 => at().prop_map(Deed::Columns2),
        4 => at().prop_map(Deed::Despawn),
        2 => at().prop_map(Deed::CloneEntity),
        2 => at().prop_map(Deed::Commands),
        1 => Just(Deed::Prefab),
        1 => Just(Deed::Definition),
        4 => (at(), any::<u8>()).prop_map(|(at, kind)| Deed::Named(at, kind)),
        3 => (at(), any::<u8>()).prop_map(|(at, kind)| Deed::Delta(at, kind)),
        1 => Just(Deed::Merge),
        3 => Just(Deed::Tick),
        1 => Just(Deed::Clear),
        1 => Just(Deed::Snapshot),
        1 => Just(Deed::Restore),
        1 => Just(Deed::Reload),
        1 => Just(Deed::Copy),
    ]
}

fn pick(game: &Game, at: usize) -> Option<Entity> {
    let all = game.entities();
    let len = all.len();
    all.iter().nth(at % len.max(1))
}

fn apply(game: &mut Game, deed: &Deed, kept: &mut Option<ecs::Snapshot<Game>>) -> Option<()> {
    match *deed {
        Deed::Spawn(kind) => drop(match kind % 6 {
            0 => game.spawn(()),
            1 => game.spawn((Plain(1), Tracked(1))),
            2 => game.spawn((Text("one".into()), Needs)),
            3 => game.try_spawn(Key(u32::from(kind))).ok()?,
            4 => game.spawn((Cell(7), Tag)),
            _ => {
                let parent = pick(game, kind.into())?;
                game.spawn((Part(parent), Needs))
            }
        }),
        Deed::Batch(count) => {
            game.spawn_batch((0..count).map(|at| (Plain(at.into()), Tag)));
            game.spawn_batch((0..count % 4).map(|at| (Cell(at.into()), Needs)));
        }
        Deed::Columns(count) => {
            game.spawn_columns((
                (0..count).map(|at| Plain(at.into())),
                (0..count).map(|at| Tracked(at.into())),
            ));
        }
        Deed::Insert(at, kind) => {
            let entity = pick(game, at)?;
            match kind % 7 {
                0 => drop(game.insert(entity, Plain(2)).unwrap()),
                1 => drop(game.insert(entity, (Tracked(2), Tag)).unwrap()),
                2 => drop(game.insert(entity, Needs).unwrap()),
                3 => drop(game.insert(entity, Key(kind.into()))),
                4 => drop(game.insert(entity, (Cell(1), Text("two".into()))).unwrap()),
                5 => drop(game.entity_mut(entity).unwrap().insert(Cell(2))),
                _ => drop(game.insert(entity, Holds(entity))),
            }
        }
        Deed::Remove(at, kind) => {
            let entity = pick(game, at)?;
            match kind % 8 {
                0 => drop(game.remove::<Plain>(entity)),
                1 => drop(game.remove::<(Tracked, Tag)>(entity)),
                2 => drop(game.remove::<Needed>(entity)),
                3 => drop(game.remove::<Key>(entity)),
                4 => drop(game.remove::<(Cell, Text)>(entity)),
                5 => drop(game.remove::<Part>(entity)),
                6 => drop(game.remove::<Many<Friend>>(entity)),
                _ => drop(game.remove::<Many<Likes>>(entity)),
            }
        }
        Deed::Relate(one, two, kind) => {
            let (one, two) = (pick(game, one)?, pick(game, two)?);
            match kind % 4 {
                0 => drop(game.relate(one, Likes(two))),
                1 => drop(game.relate(one, Friend(two))),
                2 => drop(game.relate(one, Part(two))),
                _ => drop(game.relate(one, Holds(two))),
            }
        }
        Deed::Unrelate(one, two, kind) => {
            let (one, two) = (pick(game, one)?, pick(game, two)?);
            match kind % 3 {
                0 => drop(game.unrelate::<Likes>(one, two)),
                1 => drop(game.unrelate::<Friend>(one, two)),
                _ => drop(game.insert(one, [Friend(two)].into_iter().collect::<Many<Friend>>())),
            }
        }
        Deed::Columns2(at) => {
            let entity = pick(game, at)?;
            let mut columns = game.columns_mut();
            drop(columns.plain.insert(entity, Plain(3)));
            drop(columns.cell.insert(entity, Cell(3)));
            let _ = columns.plain.remove(entity);
            drop(columns.tracked.insert(entity, Tracked(3)));
            let _ = columns.cell.remove(entity);
        }
        Deed::Despawn(at) => {
            let entity = pick(game, at)?;
            game.despawn(entity).unwrap();
        }
        Deed::CloneEntity(at) => {
            let entity = pick(game, at)?;
            game.clone_entity(entity).unwrap();
        }
        Deed::Commands(at) => {
            let entity = pick(game, at)?;
            game.with_commands(|mut commands| {
                commands.spawn((Plain(1), Tag));
                commands.insert(entity, Text("three".into()));
                commands.despawn(entity);
            });
        }
        Deed::Prefab => {
            let prefab = r#"{ "one": { "Plain": 1, "Needs": null }, "two": { "Cell": 2, "Text": "text" } }"#;
            let prefab: Prefab<Game> = serde_json::from_str(prefab).unwrap();
            prefab.spawn(game).unwrap();
            game.with_commands(|mut commands| drop(commands.spawn_prefab(&prefab)));
        }
        Deed::Definition => {
            let mut definitions = ecs::prefab::Definitions::<Game>::new();
            definitions
                .read_json("a.json", r#"{ "type": "sign", "schema": { "text": "defined" } }"#)
                .unwrap();
            definitions.spawn(game, &["sign"]).unwrap();
        }
        Deed::Named(at, kind) => {
            let entity = pick(game, at);
            let mut named = game.reflect_mut();
            match kind % 4 {
                0 => drop(
                    named.spawn(&[("Plain", 1.into()), ("Needs", ().into()), ("Cell", 4.into())]).unwrap(),
                ),
                1 => drop(named.spawn(&[("Text", "named".into()), ("Key", u32::from(kind).into())])),
                2 => named.insert_all(entity?, &[("Needs", ().into()), ("Tracked", 4.into())]).unwrap(),
                _ => drop(named.remove_all(entity?, &["Plain", "Cell", "Needed"]).unwrap()),
            }
        }
        Deed::Delta(at, kind) => {
            type Sent = (Plain, Tracked, Cell, Needs, Part, Many<Friend>);
            let mut other = Game::new();
            let one = other.spawn((Plain(1), Needs));
            let two = other.spawn((Cell(3), Part(one)));
            other.relate(one, Friend(two)).unwrap();
            let sent = Selection::<Game>::of::<Sent>();
            let first = sent.delta(&Baseline::nothing(), &other, 1).unwrap();
            let known = sent.baseline(&mut other, 1);
            match kind % 3 {
                0 => drop(other.despawn(one)),
                1 => drop(other.remove::<(Plain, Needs)>(one)),
                _ => drop(other.spawn((Tracked(3), Part(one)))),
            }
            let mut replica = Replica::new();
            sent.apply(game, &mut replica, &first).unwrap();
            if kind > 128 {
                let entity = pick(game, at)?;
                game.despawn(entity).unwrap();
            }
            // refused if a new relation points at an entity that was despawned here
            let second = sent.delta(&known, &other, 2).unwrap();
            assert!(sent.apply(game, &mut replica, &second).is_ok() || kind > 128);
        }
        Deed::Merge => {
            let mut other = Game::new();
            let [one, two] = [other.spawn((Plain(1), Needs)), other.spawn((Cell(3), Text("merged".into())))];
            other.relate(one, Friend(two)).unwrap();
            game.merge(&other.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
        }
        Deed::Tick => game.tick(),
        Deed::Clear => game.clear(),
        Deed::Snapshot => *kept = Some(game.snapshot()),
        Deed::Restore => game.restore(kept.as_ref()?),
        Deed::Reload => *game = Game::load(&game.to_bytes().unwrap()).unwrap(),
        Deed::Copy => *game = game.clone(),
    }
    Some(())
}

fn run(deeds: &[Deed]) -> (Vec<StructuralChange>, Game) {
    let (mut game, mut kept) = (Game::new(), None);
    let mut now = Model::new();
    let mut all = Vec::new();
    for deed in deeds {
        let before = game.advance_tick();
        let then = now.clone();
        apply(&mut game, deed, &mut kept);
        now = model(&game);
        if matches!(deed, Deed::Restore | Deed::Reload) {
            continue;
        }
        let mut replayed = then.clone();
        let changes: Vec<_> = game.journal_since(before).unwrap().collect();
        replay(&mut replayed, changes.iter().copied());
        assert_eq!(replayed, now, "{deed:?}");
        assert!(changes.is_sorted_by_key(|change| change.tick));
        let by_slot = |entities: BTreeSet<Entity>| entities.into_iter().collect::<Vec<_>>();
        let keys = |model: &Model| model.keys().copied().collect::<BTreeSet<_>>();
        assert_eq!(game.spawned_since(before).unwrap(), by_slot(&keys(&now) - &keys(&then)), "{deed:?}");
        assert_eq!(game.despawned_since(before).unwrap(), by_slot(&keys(&then) - &keys(&now)), "{deed:?}");
        let with = |model: &Model, name| {
            let with = model.iter().filter(|(_, components)| components.contains(name));
            with.map(|(&entity, _)| entity).collect::<BTreeSet<_>>()
        };
        let lost = |name| by_slot(&with(&then, name) - &with(&now, name));
        assert_eq!(game.removed_since::<Tracked>(before).unwrap(), lost("Tracked"), "{deed:?}");
        assert_eq!(game.removed_since::<Cell>(before).unwrap(), lost("Cell"), "{deed:?}");
        all.extend(changes);
    }
    (all, game)
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn the_journal_replays_to_the_world(deeds in prop::collection::vec(deed(), 1..60)) {
        run(&deeds);
    }

    #[test]
    fn the_journal_is_the_same_for_any_number_of_threads(deeds in prop::collection::vec(deed(), 1..20)) {
        let mut deeds = deeds;
        deeds.push(Deed::Batch(200));
        deeds.extend([Deed::Tick, Deed::Tick, Deed::Tick]);
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (first, game) = pool(1).install(|| run(&deeds));
        for threads in [2, 4] {
            let (other, same) = pool(threads).install(|| run(&deeds));
            assert_eq!(first, other);
            assert_eq!(game.hash(), same.hash());
        }
    }
}

#[test]
fn without_all_changes_there_is_an_error_and_never_a_part() {
    world! {
        #[world(journal = 4)]
        struct Small { components { Plain, Tag } }
    }
    let mut small = Small::new();
    assert_eq!(small.journal_begin(), Tick::START);
    let ids: Vec<Entity> = small.spawn_batch([Plain(1), Plain(2)]).collect();
    assert_eq!(small.journal_since(Tick::START).unwrap().len(), 4);
    let then = small.advance_tick();
    small.insert(ids[0], Tag).unwrap();
    let error = small.journal_since(Tick::START).unwrap_err();
    assert_eq!(error, JournalGap::Dropped { asked: Tick::START, complete_since: then });
    assert_eq!(
        error.to_string(),
        "the journal has dropped changes after tick 0: it is complete since tick 2; read all entities once, or keep more changes \
         with `#[world(journal = ..)]`"
    );
    assert_eq!(small.removed_since::<Plain>(Tick::START), Err(error));
    assert_eq!(small.spawned_since(Tick::START), Err(error));
    assert_eq!(small.despawned_since(Tick::START), Err(error));
    assert_eq!(small.journal_begin(), then);
    assert_eq!(small.journal_since(then).unwrap().len(), 1);
    let late = Tick::from_bits(90);
    let error = small.journal_since(late).unwrap_err();
    assert_eq!(error, JournalGap::NotReached { asked: late, now: small.advance_tick() });
    assert!(
        error
            .to_string()
            .starts_with("tick 90 is later than the world, which is at tick 4: it was restored since")
    );
}

#[test]
fn a_loaded_world_tells_that_its_journal_begins_with_the_file() {
    let mut game = Game::new();
    let (hero, start) = (game.spawn(Plain(1)), game.advance_tick());
    let mut loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert!(matches!(loaded.journal_since(start), Err(JournalGap::Dropped { .. })));
    let now = loaded.advance_tick();
    loaded.remove::<Plain>(hero).unwrap();
    assert_eq!(loaded.removed_since::<Plain>(now), Ok(vec![hero]));
    assert!(ecs::save::diff(&game, &Game::load(&game.to_bytes().unwrap()).unwrap()).is_empty());
}

#[test]
fn a_panic_in_a_batch_leaves_a_journal_that_fits() {
    let mut game = Game::new();
    for broken in 0..2 {
        let values =
            |name: &'static str| (0..40_u32).map(move |at| if at == 30 { panic!("{name}") } else { at });
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match broken {
            0 => drop(game.spawn_batch(values("batch").map(|at| (Plain(at), Tag)))),
            _ => drop(game.spawn_columns((values("one").map(Plain), (0..40).map(Tracked)))),
        }));
        assert!(panicked.is_err());
        let mut replayed = Model::new();
        replay(&mut replayed, game.journal_since(Tick::START).unwrap());
        assert_eq!(replayed, model(&game));
    }
}

#[test]
fn an_empty_journal_of_an_unchanged_world() {
    let mut game = Game::new();
    let hero = game.spawn(Plain(1));
    let then = game.advance_tick();
    game.insert(hero, Plain(2)).unwrap(); // replaces
    game.get_tracked::<Tracked>(hero);
    drop(game.remove::<Tag>(hero));
    assert_eq!(game.journal_since(then).unwrap().len(), 0);
}
