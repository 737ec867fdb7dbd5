//! Packed components with prefabs, deltas, access by name, clones of entities, swaps, moves,
//! reserved room, and hooks.

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs::save::{Baseline, Replica, Selection};
use ecs::system::HookState;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Position(i32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Curse {
    name: String,
    turns: u32,
}
#[derive(Component, Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed", tracked)]
struct Burning(u32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(storage = "packed", key)]
struct Badge(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(storage = "packed", hook = Load)]
struct Weight(u32);

#[derive(Clone, Default, PartialEq, Debug)]
struct Load(u32);

impl ComponentHook<Weight> for Load {
    fn validate(&self, old: Option<&Weight>, new: &Weight) -> Result<(), &'static str> {
        if self.0 - old.map_or(0, |old| old.0) + new.0 > 1_000_000 { Err("too heavy") } else { Ok(()) }
    }
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.0 = self.0 - old.map_or(0, |old| old.0) + new.0;
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.0 -= old.0;
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components { Position, Curse, Burning, Badge, Weight, ChildOf }
    }
    schedule tick { weigh }
}

#[system(Game)]
fn weigh(load: HookState<Weight>, mut burning: Query<Mut<Burning>>) {
    for mut burning in &mut burning {
        burning.0 = load.0;
    }
}

fn curse(n: u32) -> Curse {
    Curse { name: format!("curse {n}"), turns: n }
}

/// A world in which each 50th of 10,000 entities has all packed components, and these entities.
fn rare() -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let all: Vec<Entity> = game.spawn_batch((0..10_000).map(Position)).collect();
    let ids: Vec<Entity> = all.into_iter().step_by(50).collect();
    for (n, &id) in (0..).zip(&ids) {
        game.insert(id, (curse(n), Burning(n), Badge(n), Weight(n))).unwrap();
    }
    (game, ids)
}

fn check(game: &Game, ids: &[Entity], except: &[usize]) {
    for (n, &id) in ids.iter().enumerate().filter(|(n, _)| !except.contains(n)) {
        let n = n as u32;
        assert_eq!(game.get(id), Some(&curse(n)));
        assert_eq!((game.get(id), game.get(id)), (Some(&Burning(n)), Some(&Badge(n))));
        assert_eq!(game.find_one::<Badge>(&Badge(n)), Some(id));
    }
}

#[test]
fn prefabs_spawn_packed_components() {
    let (mut game, ids) = rare();
    let text = r#"{
        "witch": { "Curse": { "name": "hex", "turns": 3 }, "Badge": 5000, "Weight": 7 },
        "cat": { "Burning": 9, "ChildOf": "witch" }
    }"#;
    let coven = Prefab::<Game>::from_json("coven.json", text).unwrap();
    let placed = coven.spawn(&mut game).unwrap();
    assert_eq!(game.get(placed["witch"]), Some(&Curse { name: "hex".into(), turns: 3 }));
    assert_eq!(game.get(placed["cat"]), Some(&Burning(9)));
    assert!(coven.spawn(&mut game).unwrap_err().to_string().contains("Badge"), "the key is taken");
    assert_eq!(HookState::<Weight>::of(&game).0, (0..200).sum::<u32>() + 7);
    check(&game, &ids, &[]);
}

#[test]
fn deltas_carry_packed_components() {
    type All = (Position, (Curse, Burning));
    let (mut server, ids) = rare();
    let mut client = Game::new();
    let (selection, mut replica) = (Selection::of::<All>(), Replica::new());
    let first = selection.delta(&Baseline::nothing(), &server, 1).unwrap();
    selection.apply(&mut client, &mut replica, &first).unwrap();
    let same = |server: &Game, client: &Game, replica: &Replica| {
        for (id, position, curse, burning) in
            server.query::<(Entity, &Position, Option<&Curse>, Option<&Burning>)>().iter()
        {
            let copy = replica.get(id).unwrap();
            assert_eq!(
                (client.get(copy), client.get(copy), client.get(copy)),
                (Some(position), curse, burning)
            );
        }
    };
    same(&server, &client, &replica);
    let known = selection.baseline(&mut server, 1);
    server.get_mut::<Curse>(ids[3]).unwrap().turns = 77;
    server.get_tracked::<Burning>(ids[4]).unwrap().0 = 78;
    server.remove::<Curse>(ids[5]).unwrap();
    server.despawn(ids[6]).unwrap();
    let newcomer = Entity::from_bits(ids[0].to_bits() + 1).unwrap();
    server.insert(newcomer, (curse(500), Burning(501))).unwrap();
    let second = selection.delta(&known, &server, 2).unwrap();
    assert!(second.len() * 20 < first.len(), "{} bytes after {}", second.len(), first.len());
    selection.apply(&mut client, &mut replica, &second).unwrap();
    same(&server, &client, &replica);
    assert_eq!(client.query::<&Curse>().len(), 199);
    assert!(replica.get(ids[6]).is_none());
}

#[test]
fn packed_components_are_read_and_changed_by_name() {
    let (mut game, ids) = rare();
    let mut reflect = game.reflect_mut();
    assert_eq!(reflect.read(ids[7], "Curse.turns"), Ok(7.into()));
    reflect.patch(ids[7], "Curse.turns", 70).unwrap();
    reflect.patch(ids[8], "Burning", 80).unwrap();
    assert!(reflect.patch(ids[9], "Badge", 3).is_err(), "the key is taken");
    assert!(reflect.patch(ids[9], "Weight", 2_000_000).is_err(), "the hook refuses it");
    reflect.remove(ids[10], "Curse").unwrap();
    assert_eq!(game.get::<Curse>(ids[7]).unwrap().turns, 70);
    assert_eq!((game.get(ids[8]), game.get::<Curse>(ids[10])), (Some(&Burning(80)), None));
    check(&game, &ids, &[7, 8, 10]);
}

#[test]
fn entities_with_packed_components_are_cloned() {
    let (mut game, ids) = rare();
    game.remove::<Badge>(ids[3]).unwrap();
    let copies: Vec<Entity> = (0..300).map(|_| game.clone_entity(ids[3]).unwrap()).collect();
    for &copy in &copies {
        assert_eq!((game.get(copy), game.get(copy)), (Some(&curse(3)), Some(&Burning(3))));
        assert_eq!(game.get(copy), Some(&Position(150)));
    }
    let child = game.spawn((ChildOf(ids[3]), curse(9)));
    let tree = game.clone_tree::<ChildOf>(ids[3]).unwrap();
    let copy = game.sources::<ChildOf>(tree)[0];
    assert!(copy != child && game.get(copy) == Some(&curse(9)));
    assert_eq!(HookState::<Weight>::of(&game).0, (0..200).sum::<u32>() + 301 * 3);
    check(&game, &ids, &[3]);
}

#[test]
fn packed_values_are_exchanged_and_moved_between_entities_and_worlds() {
    let (mut game, ids) = rare();
    game.swap::<(Curse, (Burning, Weight))>(ids[1], ids[2]).unwrap();
    assert_eq!((game.get(ids[1]), game.get(ids[2])), (Some(&curse(2)), Some(&Burning(1))));
    game.swap::<(Curse, (Burning, Weight))>(ids[1], ids[2]).unwrap();
    check(&game, &ids, &[]);
    let bare = game.spawn(());
    game.move_components::<(Curse, Badge)>(ids[4], bare).unwrap();
    assert_eq!((game.get(bare), game.find_one::<Badge>(&Badge(4))), (Some(&curse(4)), Some(bare)));
    assert!(!game.has::<Curse>(ids[4]));
    game.move_all_components(bare, ids[4]).unwrap();
    check(&game, &ids, &[]);
    game.swap_all(ids[5], ids[6]).unwrap();
    assert_eq!((game.get(ids[5]), game.find_one::<Badge>(&Badge(6))), (Some(&curse(6)), Some(ids[5])));
    game.swap_all(ids[5], ids[6]).unwrap();
    let mut other = Game::new();
    let moved = game.move_entities(&ids[10..20], &mut other).unwrap();
    for (n, &id) in (10..).zip(&moved) {
        assert_eq!((other.get(id), other.get(id)), (Some(&curse(n)), Some(&Burning(n))));
    }
    assert_eq!(HookState::<Weight>::of(&other).0, (10..20).sum::<u32>());
    assert_eq!(HookState::<Weight>::of(&game).0, (0..200).sum::<u32>() - (10..20).sum::<u32>());
    check(&game, &ids, &(10..20).collect::<Vec<_>>());
    assert_eq!(game.take_entity::<(Curse, Badge)>(ids[0]), Ok((Some(curse(0)), Some(Badge(0)))));
}

#[test]
fn room_is_reserved_for_packed_components() {
    let (mut game, ids) = rare();
    game.reserve::<(Curse, Burning)>(20_000);
    check(&game, &ids, &[]);
    let many: Vec<Entity> = game.spawn_batch((0..20_000).map(|n| (curse(n), Burning(n)))).collect();
    assert!(
        many.iter()
            .zip(0..)
            .all(|(&id, n)| game.get(id) == Some(&curse(n)) && game.get(id) == Some(&Burning(n)))
    );
    check(&game, &ids, &[]);
    game.shrink_to_fit();
    check(&game, &ids, &[]);
}

#[test]
fn the_hook_of_a_packed_component_hears_of_each_value() {
    let (mut game, ids) = rare();
    let sum = (0..200).sum::<u32>();
    assert_eq!(HookState::<Weight>::of(&game).0, sum);
    assert!(game.insert(ids[0], Weight(1_000_000)).is_err());
    game.insert(ids[0], Weight(50)).unwrap();
    game.despawn(ids[1]).unwrap();
    game.remove_all::<Weight>();
    assert_eq!(HookState::<Weight>::of(&game).0, 0);
    game.insert(ids[2], Weight(8)).unwrap();
    game.tick();
    assert_eq!(game.get(ids[2]), Some(&Burning(8)));
}
