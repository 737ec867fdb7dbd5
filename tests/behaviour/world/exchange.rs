//! Values that are exchanged between two entities, or moved from one to the other: all rules, logs
//! and stamps follow.

use ecs::error::{InsertError, Reason};
use ecs::prelude::*;
use ecs::query::ChangesSince;

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Speed(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(removed)]
struct Shield(String);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(unique)]
struct Camera;
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Badge(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(u8);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(excludes(Flying))]
struct Rooted;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(excludes(Rooted))]
struct Flying;
#[derive(Component, Clone, Default, PartialEq, Debug)]
struct Armor(i32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(requires(Armor))]
struct Knight;
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(exclusive, symmetric)]
struct Married(Entity);
#[derive(Resource, Default, Clone, PartialEq, Debug)]
struct Seen(Vec<String>);

world! {
    #[derive(Clone)]
    #[world(journal = 1000)]
    struct Game {
        components { Health, Speed, Shield, Camera, Badge, Team, Rooted, Flying, Armor, Knight, Married, ChildOf }
        resources { Seen }
    }
    schedule look { removed, changed, entered }
}

#[system(Game)]
fn removed(mut shields: Removed<Shield>, mut seen: ResMut<Seen>) {
    seen.0.extend(shields.iter().map(|(entity, shield)| format!("removed {} {}", entity.slot(), shield.0)));
}

#[system(Game)]
fn changed(speeds: Query<(Entity, Ref<Speed>), Changed<Speed>>, mut seen: ResMut<Seen>) {
    for (entity, speed) in &speeds {
        let how = if speed.is_added() { "added" } else { "changed" };
        seen.0.push(format!("{how} {} {}", entity.slot(), speed.0));
    }
}

#[system(Game)]
fn entered(knights: Entered<With<Knight>>, mut seen: ResMut<Seen>) {
    seen.0.extend(knights.iter().map(|entity| format!("knight {}", entity.slot())));
}

fn game() -> Game {
    Game::new(Seen::default())
}

fn refused(result: Result<(), InsertError>) -> Reason {
    match result {
        Err(InsertError::Refused(refused)) => refused.reason,
        other => panic!("{other:?} is no refusal"),
    }
}

#[test]
fn a_value_of_both_counts_as_changed_and_one_of_one_of_them_as_removed_and_added() {
    let mut game = game();
    let shield = |text: &str| Shield(text.into());
    let (a, b) = (game.spawn((Speed(1), shield("a"))), game.spawn((Speed(2), shield("b"), Knight)));
    let c = game.spawn(());
    game.look();
    game.resource_mut::<Seen>().0.clear();
    game.swap::<(Speed, Shield)>(a, b).unwrap();
    game.look();
    assert_eq!(
        game.resource::<Seen>().0,
        [format!("changed {} 2", a.slot()), format!("changed {} 1", b.slot())]
    );
    game.resource_mut::<Seen>().0.clear();
    game.swap::<(Speed, Shield, Knight)>(b, c).unwrap();
    game.look();
    let expected =
        [format!("removed {} a", b.slot()), format!("added {} 1", c.slot()), format!("knight {}", c.slot())];
    assert_eq!(game.resource::<Seen>().0, expected);
    assert_eq!(game.get(c), Some(&Armor(0)), "required");
}

#[test]
fn the_journal_has_the_moves_and_not_the_exchanges() {
    let mut game = game();
    let (a, b) = (game.spawn((Health(1), Badge(1))), game.spawn((Health(2), Badge(2), Armor(3))));
    let tick = game.advance_tick();
    game.swap_all(a, b).unwrap();
    let journal: Vec<String> =
        game.journal_since(tick).unwrap().map(|change| format!("{:?}", change.action)).collect();
    assert_eq!(journal.len(), 2, "Armor only: {journal:?}");
}

#[test]
fn unique_components_keys_and_indexes_follow_their_values() {
    let mut game = game();
    let (a, b) = (game.spawn((Camera, Badge(1), Team(1))), game.spawn((Badge(2), Team(2))));
    game.swap::<(Camera, Badge, Team)>(a, b).unwrap();
    assert_eq!(game.unique::<Camera>().map(|(entity, _)| entity), Some(b));
    assert_eq!((game.find_one::<Badge>(&Badge(1)), game.find_one::<Badge>(&Badge(2))), (Some(b), Some(a)));
    assert_eq!((game.find_one::<Team>(&Team(1)), game.find_one::<Team>(&Team(2))), (Some(b), Some(a)));
    game.get_tracked::<Team>(a).unwrap().0 = 7;
    game.swap::<Team>(a, b).unwrap();
    assert_eq!((game.find_one::<Team>(&Team(7)), game.find_one::<Team>(&Team(1))), (Some(b), Some(a)));
    assert!(game.find_one::<Team>(&Team(2)).is_none());
    assert_eq!(game.move_components::<(Badge, Camera)>(b, a), Ok((Some(Badge(2)), None)));
    assert_eq!((game.find_one::<Badge>(&Badge(1)), game.find_one::<Badge>(&Badge(2))), (Some(a), None));
    game.spawn(Badge(2));
}

#[test]
fn a_component_that_excludes_another_moves_only_where_that_one_is_not() {
    let mut game = game();
    let (a, b) = (game.spawn(Rooted), game.spawn((Flying, Health(1))));
    let before = game.clone();
    assert_eq!(refused(game.swap::<(Rooted, Health)>(a, b)), Reason::Excluded("Flying"));
    assert_eq!(refused(game.move_all_components(a, b)), Reason::Excluded("Flying"));
    assert_eq!((game.has::<Rooted>(a), game.get(b)), (before.has::<Rooted>(a), before.get::<Health>(b)));
    game.swap_all(a, b).unwrap();
    assert!(game.has::<Flying>(a) && game.has::<Rooted>(b) && !game.has::<Rooted>(a));
    game.swap_all(a, b).unwrap();
    assert!(game.has::<Rooted>(a));
}

#[test]
fn relations_are_exchanged_at_both_ends() {
    let mut game = game();
    let [root, other] = [(), ()].map(|()| game.spawn(()));
    let (a, b) = (game.spawn(ChildOf(root)), game.spawn(ChildOf(other)));
    let child = game.spawn(ChildOf(a));
    game.swap::<ChildOf>(a, b).unwrap();
    assert_eq!((game.sources::<ChildOf>(root), game.sources::<ChildOf>(other)), (&[b][..], &[a][..]));
    assert_eq!(game.sources::<ChildOf>(a), [child], "what points to an entity stays");
    assert_eq!(refused(game.swap::<ChildOf>(a, child)), Reason::Itself);
    let grandchild = game.spawn(ChildOf(child));
    assert!(matches!(refused(game.swap::<ChildOf>(a, grandchild)), Reason::Cycle(_)));
    assert_eq!(game.target::<ChildOf>(grandchild), Some(child));

    let [ann, ben, cleo] = [(), (), ()].map(|()| game.spawn(()));
    game.insert(ann, Married(ben)).unwrap();
    game.swap::<Married>(ann, cleo).unwrap();
    assert_eq!((game.target::<Married>(ben), game.target::<Married>(cleo)), (Some(cleo), Some(ben)));
    assert!(!game.has::<Married>(ann));
    assert_eq!(refused(game.swap_all(ben, cleo)), Reason::Itself);
}

#[test]
fn dead_entities_are_errors_that_change_nothing() {
    let mut game = game();
    let (a, ghost) = (game.spawn(Health(1)), game.spawn(Health(2)));
    game.despawn(ghost).unwrap();
    for (one, two) in [(a, ghost), (ghost, a), (ghost, ghost)] {
        assert!(
            matches!(game.swap::<Health>(one, two), Err(InsertError::NoSuchEntity(error)) if error.entity == ghost)
        );
        assert!(game.swap_all(one, two).is_err() && game.move_all_components(one, two).is_err());
        assert!(game.move_components::<Health>(one, two).is_err());
    }
    assert_eq!(game.get(a), Some(&Health(1)));
}

#[test]
fn all_components_move_and_what_is_replaced_is_dropped() {
    let mut game = game();
    let (a, b) = (game.spawn((Health(1), Knight, Badge(1))), game.spawn((Health(2), Speed(3), Badge(2))));
    game.move_all_components(a, b).unwrap();
    assert_eq!(game.entity(a).unwrap().components().count(), 0);
    assert_eq!((game.get(b), game.get(b), game.get(b)), (Some(&Health(1)), Some(&Speed(3)), Some(&Badge(1))));
    assert!(game.has::<Knight>(b) && game.has::<Armor>(b) && game.find_one::<Badge>(&Badge(2)).is_none());
    assert_eq!(game.move_components::<Health>(b, b), Ok(None));
    assert_eq!(game.move_components::<(Health, Speed)>(a, b), Ok((None, None)), "nothing to move");
}

#[test]
fn an_entity_is_taken_out_with_its_values() {
    let mut game = game();
    let parent = game.spawn((Health(1), Camera));
    let child = game.spawn(ChildOf(parent));
    assert_eq!(game.take_entity::<(Health, Speed)>(parent), Ok((Some(Health(1)), None)));
    assert!(!game.contains(parent) && !game.contains(child) && game.unique::<Camera>().is_none());
    assert!(game.take_entity::<Health>(parent).is_err());
}

#[test]
fn only_what_moves_brings_the_components_that_it_requires() {
    for way in 0..3 {
        let mut game = Game::new(Seen(Vec::new()));
        let (from, to) = (game.spawn((Health(1), Team(3))), game.spawn(Knight));
        game.remove::<Armor>(to).unwrap();
        match way {
            0 => _ = game.move_components::<(Health, Knight)>(from, to).unwrap(),
            1 => game.move_all_components(from, to).unwrap(),
            _ => game.swap::<(Health, Team)>(from, to).unwrap(),
        }
        assert!(game.has::<Health>(to) && game.has::<Knight>(to));
        assert!(!game.has::<Armor>(to), "{way}: the armour was removed, and the knight has not moved");
        game.move_components::<Knight>(to, from).unwrap();
        assert!(game.has::<Armor>(from), "{way}: the knight has moved");
    }
}
