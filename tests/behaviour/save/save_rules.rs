//! Saves of components with rules: loading restores the states of rules, and a file that breaks a
//! rule is refused.

use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::shared::{Burning, Frozen, Likes, Married};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(unique)]
struct Camera(u32);

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[component(key(ordered))]
struct Rank(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Camera, Frozen, Burning, likes: Many<Likes>, Married, ChildOf, Name, StableId, Rank }
    }
}

struct Town {
    game: Game,
    root: Entity,
    children: Vec<Entity>,
    gone: Entity,
}

/// A family whose children were related in another order than that of their slots.
fn town() -> Town {
    let mut game = Game::new();
    let root = game.spawn((Name::new("root"), StableId(7), Camera(3), Rank(7)));
    let mut children: Vec<Entity> = (0..5).map(|_| game.spawn(ChildOf(root))).collect();
    let last = children.pop().unwrap();
    game.relate_at(last, ChildOf(root), 1).unwrap();
    children.insert(1, last);
    game.insert(children[0], (Frozen, Married(children[2]))).unwrap();
    game.insert(children[1], Burning).unwrap();
    let gone = game.spawn(());
    game.relate(children[3], Likes { whom: gone, much: 9 }).unwrap();
    game.relate(children[3], Likes { whom: root, much: 1 }).unwrap();
    game.despawn(gone).unwrap();
    Town { game, root, children, gone }
}

fn json(game: &Game) -> Value {
    serde_json::to_value(game).unwrap()
}

#[test]
fn states_of_rules_are_loaded() {
    let Town { game, root, children, gone } = town();
    let loaded: [Game; 2] =
        [Game::load(&game.to_bytes().unwrap()).unwrap(), serde_json::from_value(json(&game)).unwrap()];
    for mut loaded in loaded {
        assert_eq!(loaded.hash(), game.hash());
        assert_eq!(loaded.sources::<ChildOf>(root), children);
        assert_eq!(loaded.sources::<Likes>(root), [children[3]]);
        assert!(
            loaded.get::<Many<Likes>>(children[3]).unwrap().contains(gone),
            "the edge dangles in the loaded world, too"
        );
        assert_eq!(
            (loaded.find_one::<Name>("root"), loaded.find_one::<StableId>(&StableId(7))),
            (Some(root), Some(root))
        );
        assert!(loaded.try_spawn(Camera(1)).is_err() && loaded.try_spawn(StableId(7)).is_err());
        assert!(loaded.insert(children[0], Burning).is_err());
        loaded.remove::<Married>(children[0]).unwrap();
        assert!(!loaded.has::<Married>(children[2]), "the other end is removed, too");
        loaded.despawn(root).unwrap();
        assert_eq!(loaded.entities().iter().count(), 0, "the children are despawned with the root");
    }
}

#[test]
fn the_order_of_children_decides_the_hash() {
    let Town { mut game, root, children, .. } = town();
    let before = game.hash();
    game.relate_at(children[1], ChildOf(root), 2).unwrap();
    assert_ne!(game.hash(), before);
    game.relate_at(children[1], ChildOf(root), 1).unwrap();
    assert_eq!(game.hash(), before);
}

/// The error for a changed file.
fn refusal(change: impl FnOnce(&Town, &mut serde_json::Map<String, Value>)) -> String {
    let town = town();
    let mut file = json(&town.game);
    change(&town, file["entities"].as_object_mut().unwrap());
    serde_json::from_value::<Game>(file).unwrap_err().to_string()
}

fn id(entity: Entity) -> String {
    format!("{entity:#}")
}

#[test]
fn a_file_that_breaks_a_rule_is_refused() {
    let said = refusal(|town, file| file[&id(town.children[0])]["Camera"] = json!(4));
    assert!(said.contains("component `Camera`") && said.contains("the component is unique"), "{said}");
    let said = refusal(|town, file| file[&id(town.children[0])]["StableId"] = json!(7));
    assert!(said.contains("component `StableId`") && said.contains("the component is a key"), "{said}");
    let said = refusal(|town, file| file[&id(town.children[0])]["Rank"] = json!(7));
    assert!(said.contains("component `Rank`") && said.contains("the component is a key"), "{said}");
    let said = refusal(|town, file| file[&id(town.children[0])]["Burning"] = json!(null));
    assert!(said.contains("and the two exclude each other"), "{said}");
    let said = refusal(|town, file| file[&id(town.root)]["ChildOf"] = json!(id(town.children[4])));
    assert!(said.contains("component `ChildOf`") && said.contains("must not form a cycle"), "{said}");
    let said = refusal(|town, file| file[&id(town.root)]["ChildOf"] = json!(id(town.gone)));
    assert!(said.contains("is not alive"), "{said}");
    let said = refusal(|town, file| file[&id(town.root)]["ChildOf"] = json!(id(town.root)));
    assert!(said.contains("cannot be related to itself"), "{said}");
    let said = refusal(|town, file| file[&id(town.root)]["Married"] = json!(id(town.children[4])));
    assert!(said.contains("not related to it"), "{said}");
    let said = refusal(|town, file| {
        let twice = json!({ "whom": id(town.root), "much": 3 });
        file[&id(town.children[1])]["Many<Likes>"] = json!([twice, twice]);
    });
    assert!(said.contains("two relations to the same entity"), "{said}");
}

#[test]
fn an_order_of_others_is_refused() {
    let town = town();
    for order in
        [json!([[0, [1, 2, 3]]]), json!([[1, [0]]]), json!([[0, [1, 1, 2, 3, 4, 5]]]), json!([[9999, []]])]
    {
        let mut file = json(&town.game);
        let components = file["components"].as_array_mut().unwrap();
        let child_of = components.iter_mut().find(|component| component["name"] == "ChildOf").unwrap();
        assert_eq!(child_of["order"][0][0], town.root.slot());
        child_of["order"] = order.clone();
        assert!(serde_json::from_value::<Game>(file).is_err(), "{order}");
    }
}

#[test]
fn a_merge_keeps_orders_and_is_refused_as_a_whole() {
    let Town { game, root, children, .. } = town();
    let mut other = Game::new();
    for _ in 0..100 {
        other.spawn(Frozen);
    }
    let mut part = game.clone();
    let admirer = children[3];
    part.unrelate::<Likes>(admirer, town().gone).unwrap();
    let merged = other.merge(&part.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
    let moved: Vec<Entity> = children.iter().map(|&child| merged.get(child).unwrap()).collect();
    assert_eq!(other.sources::<ChildOf>(merged.get(root).unwrap()), moved);
    assert_eq!(other.find_one::<Name>("root"), merged.get(root));

    let before = (other.hash(), other.entities().iter().count());
    let error = other.merge(&part.to_bytes().unwrap(), DanglingIds::Refuse).unwrap_err();
    assert!(error.to_string().contains("the component is unique"), "{error}");
    assert_eq!((other.hash(), other.entities().iter().count()), before);
}
