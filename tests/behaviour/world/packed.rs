//! Components with `storage = "packed"`: they behave as others do, and rarely held ones take little
//! memory.

use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Burning(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed", tracked, removed, requires(Burning))]
struct Curse {
    name: String,
}
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(unique, storage = "packed")]
struct Crown(u8);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(key, storage = "packed")]
struct Callsign(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(index, storage = "packed")]
struct Team(u8);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(excludes(Wet), storage = "packed")]
struct Dry(u64);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(excludes(Dry))]
struct Wet(u64);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Pair<T: Clone + Send + Sync + 'static>(T, T);
#[derive(Relation, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[relation(exclusive)]
#[component(storage = "packed")]
struct Targets(Entity);
#[derive(Relation, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[relation(many)]
#[component(storage = "packed")]
struct Likes(Entity);

#[derive(Resource, Default, Clone, Serialize, Deserialize)]
struct Seen(Vec<String>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components {
            Position, Burning, Curse, Crown, Callsign, Team, Dry, Wet, pair: Pair<u16>, Targets, likes: Many<Likes>, ChildOf
        }
        resources { seen: Seen = Seen::default() }
    }
    schedule tick { burn, look }
}

#[system(Game)]
fn burn(burning: &mut Burning, position: Option<&mut Position>) {
    burning.0 += 1;
    if let Some(position) = position {
        position.0 += burning.0 as f32;
    }
}

#[system(Game)]
fn look(curse: Ref<Curse>, entity: Entity, _: Changed<Curse>, mut seen: ResMut<Seen>) {
    seen.0.push(format!("{entity}: {}", curse.name));
}

/// A slot in a hundred, in an order without order.
fn chosen(ids: &[Entity]) -> Vec<Entity> {
    (0..ids.len() / 100).map(|i| ids[i * 7919 % ids.len()]).collect()
}

fn bytes(game: &Game, component: &str) -> usize {
    game.stats().columns.iter().find(|column| column.component == component).unwrap().bytes
}

#[test]
fn rare_values_take_a_fraction_of_the_memory() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..200_000).map(|_| Position(0.0))).collect();
    for &id in &chosen(&ids) {
        game.insert(id, (Dry(1), Burning(0))).unwrap();
        game.remove::<Dry>(id).unwrap();
        game.insert(id, Wet(1)).unwrap();
    }
    let (packed, paged) = (bytes(&game, "Dry"), bytes(&game, "Wet"));
    assert!(packed * 6 < paged, "{packed} bytes packed, {paged} in pages");
    let copy = game.clone();
    assert!(bytes(&copy, "Burning") * 4 < bytes(&copy, "Position"), "the copy of a packed column is packed");
}

#[test]
fn relations_with_one_or_many_targets_can_be_packed() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..200_000).map(|_| Position(0.0))).collect();
    for pair in chosen(&ids).windows(2) {
        game.insert(pair[0], Targets(pair[1])).unwrap();
        game.relate(pair[0], Likes(pair[1])).unwrap();
    }
    let pages = bytes(&game, "Position");
    assert!(bytes(&game, "Targets") * 2 < 2 * pages && bytes(&game, "Many<Likes>") < 6 * pages);
    let hunted = chosen(&ids)[1];
    assert_eq!(game.query::<Sources<Targets>>().get(hunted).map(|sources| sources.len()), Some(1));
    game.despawn(hunted).unwrap();
    assert!(!game.has::<Targets>(chosen(&ids)[0]));
}

#[test]
fn queries_give_packed_values_in_the_order_of_slots() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..20_000).map(|i| Position(i as f32))).collect();
    let mut expected = Vec::new();
    for (i, &id) in chosen(&ids).iter().enumerate() {
        game.insert(id, Burning(i as u32)).unwrap();
        expected.push((id, i as u32));
    }
    expected.sort_by_key(|(id, _)| id.slot());
    let query = game.query::<(Entity, &Burning, &Position)>();
    let in_a_loop: Vec<_> = query.iter().map(|(id, burning, _)| (id, burning.0)).collect();
    let mut in_a_closure = Vec::new();
    query.iter().for_each(|(id, burning, _)| in_a_closure.push((id, burning.0)));
    assert_eq!((&in_a_loop, &in_a_closure), (&expected, &expected));
    let mut all = game.query_mut::<(Entity, &Burning)>().into_query();
    assert_eq!(all.par_map(|(id, burning)| (id, burning.0)), expected);
    let mut filtered = Vec::new();
    game.query_mut::<Entity>().filter::<With<Burning>>().for_each(|id| filtered.push(id));
    assert!(filtered.iter().eq(expected.iter().map(|(id, _)| id)));
    for &(id, burning) in &expected {
        assert_eq!(game.get::<Burning>(id), Some(&Burning(burning)));
    }
}

#[test]
fn adjacent_packed_values_are_lent_as_slices() {
    let mut game = Game::new();
    game.spawn_batch((0..300).map(|i| (Position(0.0), Burning(i))));
    let ids: Vec<Entity> = game.query::<Entity>().iter().collect();
    game.remove::<Burning>(ids[100]).unwrap();
    let mut seen = Vec::new();
    for (ids, burning) in game.query_mut::<(Entity, &mut Burning)>().chunks_mut() {
        burning.iter_mut().for_each(|burning| burning.0 *= 2);
        seen.extend(ids.zip(burning.iter().map(|burning| burning.0)));
    }
    assert_eq!(seen.len(), 299);
    assert!(
        seen.iter()
            .all(|&(id, value)| value == 2 * (ids.iter().position(|&other| other == id).unwrap() as u32))
    );
    let [one, two] =
        game.query_mut::<&mut Burning>().get_many_mut([ids[3], ids[299]]).unwrap().map(|value| value.0);
    assert_eq!((one, two), (6, 598));
}

#[test]
fn the_options_of_a_component_hold_if_it_is_packed() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..1000).map(|_| Position(0.0))).collect();
    game.insert(ids[7], Crown(1)).unwrap();
    assert!(game.insert_if_new(ids[8], Crown(2)).is_err(), "there is one crown");
    assert_eq!(game.unique::<Crown>().map(|(id, crown)| (id, crown.0)), Some((ids[7], 1)));
    for (i, &id) in ids.iter().enumerate() {
        game.insert(id, Callsign(i as u32)).unwrap();
        game.insert(id, Team((i % 5) as u8)).unwrap();
    }
    assert_eq!(game.find::<Callsign>(&Callsign(77)).collect::<Vec<_>>(), [ids[77]]);
    assert!(game.insert_if_new(ids[1], Callsign(77)).is_err());
    assert_eq!(game.find::<Team>(&Team(3)).count(), 200);
    game.get_tracked::<Team>(ids[3]).unwrap().0 = 4;
    assert_eq!(game.find::<Team>(&Team(3)).count(), 199);
    game.insert(ids[2], Dry(1)).unwrap();
    assert!(game.insert_if_new(ids[2], Wet(1)).is_err(), "dry excludes wet");
    game.insert(ids[5], Curse { name: "old".into() }).unwrap();
    assert_eq!(game.get::<Burning>(ids[5]), Some(&Burning(0)), "a curse requires burning");
    game.insert(ids[6], Pair(1u16, 2)).unwrap();
    assert_eq!(game.get::<Pair<u16>>(ids[6]), Some(&Pair(1, 2)));
    (0..5).for_each(|_| game.tick());
    assert_eq!(game.resource::<Seen>().0, [format!("{}: old", ids[5])], "seen once");
    assert_eq!(game.get::<Burning>(ids[5]), Some(&Burning(5)));
}

/// A world with packed values of every kind.
fn furnished() -> Game {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..5000).map(|i| Position(i as f32))).collect();
    for (i, &id) in chosen(&ids).iter().enumerate() {
        game.insert(id, (Curse { name: i.to_string() }, Callsign(i as u32), Dry(i as u64))).unwrap();
        let next = ids[(id.slot() as usize + 1) % ids.len()];
        game.insert(id, Targets(next)).unwrap();
        game.relate(id, Likes(next)).unwrap();
        game.relate(id, Likes(ids[(i + 2500) % ids.len()])).unwrap();
    }
    game
}

#[test]
fn saves_and_deltas_restore_packed_columns() {
    let mut game = furnished();
    let compact = game.to_bytes().unwrap();
    let loaded = Game::load(&compact).unwrap();
    assert!(diff(&game, &loaded).is_empty(), "a loaded world differs");
    assert_eq!(loaded.hash(), game.hash());
    assert_eq!(loaded.to_bytes().unwrap(), compact);
    assert!(bytes(&loaded, "Dry") <= 2 * bytes(&game, "Dry"), "a loaded column is packed");
    let json = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::to_string(&serde_json::from_str::<Game>(&json).unwrap()).unwrap(), json);
    let before = game.snapshot();
    game.tick();
    let victim = game.query::<(Entity, &Curse)>().iter().next().unwrap().0;
    game.despawn(victim).unwrap();
    let after = game.snapshot();
    game.restore(&before);
    assert_eq!(game.to_bytes().unwrap(), compact);
    game.restore(&after);
    assert!(!game.contains(victim));
    let mut both = Game::new();
    both.spawn_batch((0..100).map(Burning));
    both.merge(&compact, DanglingIds::Keep).unwrap();
    assert_eq!(both.query::<&Burning>().len(), 150);
}
