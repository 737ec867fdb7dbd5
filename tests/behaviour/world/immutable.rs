//! `#[component(immutable)]`: values that are replaced and never changed in place.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(immutable)]
struct Class(u8);

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(immutable, tracked, removed)]
struct Rank(u8);

#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(immutable, index)]
struct Team(u8);

#[derive(Component, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[component(immutable, index(ordered), tracked)]
struct Age(u8);

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(immutable, unique, storage = "packed")]
struct Crown(u8);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Seen(Vec<(Entity, u8)>);

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components { Class, Rank, Team, Age, Crown }
        resources { seen: Seen = Seen::default() }
    }
    schedule tick { promoted }
}

#[system(Game)]
fn promoted(entity: Entity, rank: Ref<Rank>, _: Changed<Rank>, mut seen: ResMut<Seen>) {
    seen.0.push((entity, rank.0));
}

#[test]
fn a_value_is_replaced_and_removed() {
    let mut game = Game::new();
    let hero = game.spawn((Class(1), Crown(1)));
    assert_eq!(game.insert(hero, Class(2)), Ok(Some(Class(1))));
    assert_eq!(game.get(hero), Some(&Class(2)));
    assert!(game.try_spawn(Crown(2)).is_err());
    assert_eq!(game.insert(hero, Crown(3)), Ok(Some(Crown(1))));
    assert_eq!(game.query::<&Class>().iter().map(|class| class.0).sum::<u8>(), 2);
    assert_eq!(game.remove::<Class>(hero), Ok(Some(Class(2))));
}

#[test]
fn a_replacement_is_a_change_of_a_tracked_component() {
    let mut game = Game::new();
    let (one, two) = (game.spawn(Rank(1)), game.spawn(Rank(2)));
    game.tick();
    game.tick();
    game.insert(two, Rank(3)).unwrap();
    game.tick();
    assert_eq!(game.resource::<Seen>().0, [(one, 1), (two, 2), (two, 3)]);
}

/// Tools replace a value by its path, as `insert` does.
#[test]
fn a_patch_by_name_replaces_the_value() {
    let mut game = Game::new();
    let hero = game.spawn((Rank(1), Team(1)));
    game.tick();
    let mut by_name = game.reflect_mut();
    by_name.patch(hero, "Rank", 7_u8).unwrap();
    by_name.patch(hero, "Team", 9_u8).unwrap();
    game.tick();
    assert_eq!(game.resource::<Seen>().0, [(hero, 1), (hero, 7)]);
    assert_eq!((game.find::<Team>(&Team(1)).len(), game.find::<Team>(&Team(9)).len()), (0, 1));
}

/// An index of immutable values agrees with a scan of all values, through saves, snapshots and
/// clones.
#[test]
fn an_index_of_immutable_values_agrees_with_a_scan() {
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below.max(1)
    };
    let (mut game, mut plain) = (Game::new(), BTreeMap::<Entity, (u8, u8)>::new());
    let mut snapshot = None;
    for round in 0..400 {
        let value = (random(5) as u8, random(9) as u8);
        let chosen = plain.keys().nth(random(plain.len())).copied();
        match (random(8), chosen) {
            (0..3, _) | (_, None) => {
                plain.insert(game.spawn((Team(value.0), Age(value.1))), value);
            }
            (3..6, Some(entity)) => {
                game.insert(entity, (Team(value.0), Age(value.1))).unwrap();
                plain.insert(entity, value);
            }
            (_, Some(entity)) => {
                game.despawn(entity).unwrap();
                plain.remove(&entity);
            }
        }
        match round % 50 {
            10 => snapshot = Some((game.snapshot(), plain.clone())),
            20 => game = Game::load(&game.to_bytes().unwrap()).unwrap(),
            30 => game = game.clone(),
            40 => {
                let (then, before) = snapshot.take().unwrap();
                game.restore(&then);
                plain = before;
            }
            _ => {}
        }
        for team in 0..5 {
            let scan: Vec<Entity> = plain.iter().filter(|(_, of)| of.0 == team).map(|(id, _)| *id).collect();
            let mut found: Vec<Entity> = game.find::<Team>(&Team(team)).collect();
            found.sort();
            assert_eq!(found, scan);
        }
        let mut of_teams = BTreeMap::<u8, Vec<Entity>>::new();
        let mut of_ages = BTreeMap::<u8, Vec<Entity>>::new();
        for (&entity, of) in &plain {
            of_teams.entry(of.0).or_default().push(entity);
            of_ages.entry(of.1).or_default().push(entity);
        }
        let mut groups: Vec<_> =
            game.group_by::<Team>().map(|(team, ids)| (team.0, Vec::from_iter(ids))).collect();
        assert!(groups.is_sorted_by_key(|(_, ids)| ids[0].slot()));
        groups.sort();
        assert!(groups.into_iter().eq(of_teams));
        assert!(game.group_by::<Age>().map(|(age, ids)| (age.0, Vec::from_iter(ids))).eq(of_ages));
        let (low, high) = (Age(value.1 / 2), Age(value.1));
        let found: Vec<u8> =
            game.find_range::<Age>(low.clone()..high.clone()).map(|entity| plain[&entity].1).collect();
        let mut scan: Vec<u8> =
            plain.values().map(|of| of.1).filter(|age| (low.0..high.0).contains(age)).collect();
        scan.sort();
        assert_eq!(found, scan);
    }
}
