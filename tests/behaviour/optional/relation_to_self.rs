//! Relations of an entity to itself.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use ecs::relation::Relations;
use serde::{Deserialize, Serialize};

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, to_self)]
struct Heals(Entity);

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, to_self, gone = cascade)]
struct Knows(Entity);

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, to_self, gone = keep)]
struct Remembers(Entity);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Heals, knows: Many<Knows>, Remembers } }
}

#[test]
fn an_entity_is_its_own_target_and_source() {
    let mut game = Game::new();
    let monk = game.spawn(());
    game.insert(monk, (Heals(monk), Remembers(monk))).unwrap();
    game.relate(monk, Knows(monk)).unwrap();
    assert_eq!((game.target::<Heals>(monk), game.sources::<Heals>(monk)), (Some(monk), &[monk][..]));
    assert!(game.related::<Heals>().ancestors(monk).all(|entity| entity == monk));
    assert!(game.related::<Heals>().descendants(monk).all(|entity| entity == monk));

    let twin = game.clone_entity(monk).unwrap();
    assert_eq!((game.target::<Heals>(twin), game.sources::<Knows>(twin)), (Some(twin), &[twin][..]));
    let other = game.spawn(());
    game.insert(twin, Heals(other)).unwrap();
    assert_eq!((game.sources::<Heals>(twin).len(), game.sources::<Heals>(other)), (0, &[twin][..]));
    game.despawn(monk).unwrap();
    assert_eq!(game.entities().len(), 2);
    game.remove::<Many<Knows>>(twin).unwrap();
    game.despawn(twin).unwrap();
    assert!(game.contains(other) && game.sources::<Heals>(other).is_empty());
}

/// The sources of each entity agree with a scan of all values, through saves, snapshots, clones and
/// regrouping.
#[test]
fn sources_agree_with_a_scan() {
    let mut state = 3_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below.max(1)
    };
    let (mut game, mut snapshot) = (Game::new(), None);
    for round in 0..300 {
        let all: Vec<Entity> = game.entities().iter().collect();
        if all.len() < 4 {
            game.spawn(());
            continue;
        }
        let (from, to) = (all[random(all.len())], all[random(all.len())]);
        let to = if random(3) == 0 { from } else { to };
        match random(9) {
            0..2 => drop(game.spawn(())),
            2..4 => drop(game.insert(from, Heals(to)).unwrap()),
            4..6 => drop(game.relate(from, Knows(to)).unwrap()),
            6 => drop(game.unrelate::<Knows>(from, to)),
            7 => drop(game.remove::<Heals>(from).unwrap()),
            _ => game.despawn(from).unwrap(),
        }
        match round % 40 {
            5 => snapshot = Some(game.snapshot()),
            15 => game = Game::load(&game.to_bytes().unwrap()).unwrap(),
            25 => game = game.clone(),
            35 => game.restore(&snapshot.take().unwrap()),
            _ => {}
        }
        let (mut heals, mut knows) =
            (BTreeMap::<Entity, BTreeSet<Entity>>::new(), BTreeMap::<_, BTreeSet<_>>::new());
        for (entity, to) in &game.query::<(Entity, &Heals)>() {
            heals.entry(to.0).or_default().insert(entity);
        }
        for (entity, edges) in &game.query::<(Entity, &Many<Knows>)>() {
            for edge in edges.iter() {
                knows.entry(edge.0).or_default().insert(entity);
            }
        }
        for entity in &game.entities() {
            let of = |sources: &[Entity]| sources.iter().copied().collect::<BTreeSet<_>>();
            assert_eq!(of(game.sources::<Heals>(entity)), heals.remove(&entity).unwrap_or_default());
            assert_eq!(of(game.sources::<Knows>(entity)), knows.remove(&entity).unwrap_or_default());
        }
    }
}
