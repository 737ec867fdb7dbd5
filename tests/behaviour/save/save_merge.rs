//! Merging a file into a world: in both forms, with the states of rules.

use ecs::component::Name;
use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};

use super::shared::{Burning, Frozen, Likes};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<(i16, i16)> },
    Recalls(Vec<Option<Entity>>),
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(removed)]
struct Label(String);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Odd;
#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(exclusive, gone = remove)]
struct Follows(Entity);
#[derive(Resource, Serialize, Deserialize, Clone)]
struct Needed(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Mind, Label, Odd, Frozen, Burning, likes: Many<Likes>, Follows, ChildOf, Name }
        resources { Needed }
    }
    schedule tick { forget }
}

#[system(Game)]
fn forget(mut gone: Removed<Label>) {
    gone.iter().count();
}

fn json(game: &Game) -> String {
    serde_json::to_string(game).unwrap()
}

/// A merge in each form, into equal worlds.
fn both(part: &Game, into: impl Fn() -> Game, dangling: DanglingIds) -> [(Game, Vec<(Entity, Entity)>); 2] {
    let (mut one, mut two) = (into(), into());
    let merged = [
        one.merge(&part.to_bytes().unwrap(), dangling).unwrap(),
        two.merge_from(&mut serde_json::Deserializer::from_str(&json(part)), dangling).unwrap(),
    ];
    assert_eq!(merged[0], merged[1]);
    assert_eq!(diff(&one, &two), []);
    let [first, second] = merged.map(|merged| merged.iter().collect());
    [(one, first), (two, second)]
}

fn of(merged: &[(Entity, Entity)], entity: Entity) -> Entity {
    merged.iter().find(|(from, _)| *from == entity).unwrap().1
}

#[test]
fn both_forms_map_every_id_however_deep() {
    let mut part = Game::new(Needed(1));
    let prey = part.spawn(Odd);
    let hunter = part.spawn((Mind::Hunts { whom: prey, path: vec![(1, -1)] }, Name::new("hunter")));
    let sage = part.spawn((Mind::Recalls(vec![None, Some(hunter)]), ChildOf(prey), Label("x".into())));
    let into = || {
        let mut game = Game::new(Needed(7));
        game.spawn_batch((0..100).map(|_| Mind::Idle)).count();
        game
    };
    for (game, merged) in both(&part, into, DanglingIds::Refuse) {
        let [prey, hunter, sage] = [prey, hunter, sage].map(|entity| of(&merged, entity));
        assert_eq!(game.get(hunter), Some(&Mind::Hunts { whom: prey, path: vec![(1, -1)] }));
        assert_eq!(game.get(sage), Some(&Mind::Recalls(vec![None, Some(hunter)])));
        assert_eq!(
            (game.sources::<ChildOf>(prey), game.find_one::<Name>("hunter")),
            ([sage].as_slice(), Some(hunter))
        );
        assert_eq!(game.resource::<Needed>().0, 7, "resources are not looked at");
    }
}

#[test]
fn a_file_by_hand_is_merged_without_the_resources_of_a_world() {
    let text = r#"{ "entities": { "9v1@7": { "Follows": "3v1@7" }, "3v1@7": { "Odd": null } } }"#;
    let mut game = Game::new(Needed(7));
    let merged = game.merge_from(&mut serde_json::Deserializer::from_str(text), DanglingIds::Refuse).unwrap();
    let new: Vec<Entity> = merged.iter().map(|(_, new)| new).collect();
    assert_eq!((game.target::<Follows>(new[1]), game.has::<Odd>(new[0])), (Some(new[0]), true));
    let ron = ron::to_string(&Game::clone(&game)).unwrap();
    let merged =
        game.merge_from(&mut ron::Deserializer::from_str(&ron).unwrap(), DanglingIds::Refuse).unwrap();
    assert_eq!((merged.len(), game.entities().len()), (2, 4));
}

#[test]
fn relations_that_dangle_stay_apart_where_they_may() {
    let mut part = Game::new(Needed(1));
    let lover = part.spawn(());
    let lost = [part.spawn(()), part.spawn(())];
    for (whom, much) in [(lost[0], 1), (lost[1], 2)] {
        part.relate(lover, Likes { whom, much }).unwrap();
    }
    part.insert(lover, Mind::Recalls(vec![Some(lost[1])])).unwrap();
    lost.into_iter().for_each(|lost| part.despawn(lost).unwrap());
    for (mut game, merged) in both(&part, || Game::new(Needed(1)), DanglingIds::Keep) {
        let lover = of(&merged, lover);
        let likes: Vec<Likes> = game.get::<Many<Likes>>(lover).unwrap().iter().cloned().collect();
        assert_eq!(likes.iter().map(|likes| likes.much).collect::<Vec<_>>(), [1, 2]);
        assert_ne!(likes[0].whom, likes[1].whom, "each is somebody else who is gone");
        assert_eq!(
            game.get(lover),
            Some(&Mind::Recalls(vec![Some(likes[1].whom)])),
            "and the same everywhere"
        );
        let new: Vec<Entity> = (0..500).map(|_| game.spawn(Odd)).collect();
        assert!(likes.iter().all(|likes| !game.contains(likes.whom) && !new.contains(&likes.whom)));
        Game::load(&game.to_bytes().unwrap()).unwrap();
    }
    let mut game = Game::new(Needed(1));
    assert!(game.merge(&part.to_bytes().unwrap(), DanglingIds::Refuse).is_err());
    assert_eq!(game.entities().len(), 0);
}

#[test]
fn a_relation_that_may_not_dangle_is_refused_as_it_is_by_load() {
    let text = r#"{ "entities": { "9v1@7": { "Follows": "3v1@7" } } }"#;
    let mut game = Game::new(Needed(7));
    for dangling in [DanglingIds::Refuse, DanglingIds::Keep] {
        let error = game.merge_from(&mut serde_json::Deserializer::from_str(text), dangling).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("component `Follows` of entity 9v1"), "{said}");
        assert_eq!(game.entities().len(), 0);
    }
}

#[test]
fn sources_keep_their_order_though_their_slots_do_not() {
    let mut part = Game::new(Needed(1));
    let root = part.spawn(());
    // alternating components: the new slots have another order
    let children: Vec<Entity> = (0..6).map(|_| part.spawn(ChildOf(root))).collect();
    let odd: Vec<Entity> = (0..6).map(|_| part.spawn((ChildOf(root), Odd))).collect();
    for (one, two) in children.iter().zip(&odd) {
        part.relate_at(*two, ChildOf(root), 0).unwrap();
        part.insert(*one, Label("later".into())).unwrap();
    }
    let into = || {
        let mut game = Game::new(Needed(7));
        game.spawn_batch((0..3).map(|_| (Odd, Mind::Idle))).count();
        game.spawn(Odd);
        game
    };
    let order = part.sources::<ChildOf>(root).to_vec();
    for (game, merged) in both(&part, into, DanglingIds::Refuse) {
        let expected: Vec<Entity> = order.iter().map(|&child| of(&merged, child)).collect();
        assert_eq!(game.sources::<ChildOf>(of(&merged, root)), expected);
    }
    // without an order in the file, the order of its slots counts
    let mut part = Game::new(Needed(1));
    let root = part.spawn(());
    let mut children: Vec<Entity> = (0..70).map(|_| part.spawn(())).collect();
    for (n, child) in children.iter().enumerate() {
        part.insert(*child, ChildOf(root)).unwrap();
        if n % 2 == 0 {
            part.insert(*child, Odd).unwrap();
        }
    }
    children.sort_unstable();
    for (game, merged) in both(&part, into, DanglingIds::Refuse) {
        let expected: Vec<Entity> = children.iter().map(|&child| of(&merged, child)).collect();
        assert!(!expected.is_sorted(), "the kinds have slots of their own");
        assert_eq!(game.sources::<ChildOf>(of(&merged, root)), expected);
    }
}

#[test]
fn a_file_with_excluding_components_on_one_entity_is_refused() {
    let text = r#"{ "entities": { "9v1@7": { "Frozen": null, "Burning": null } } }"#;
    let mut game = Game::new(Needed(7));
    let error =
        game.merge_from(&mut serde_json::Deserializer::from_str(text), DanglingIds::Keep).unwrap_err();
    assert!(error.to_string().contains("exclude each other"), "{error}");
    assert_eq!(game.entities().len(), 0);
}
