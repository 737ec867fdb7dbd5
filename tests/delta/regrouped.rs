//! Deltas of a world whose entities have moved to other slots.

use ecs::prelude::*;
use ecs::save::{Baseline, Replica, Selection};
use ecs::{HasRelation, Many};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Number(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Even;

macro_rules! relations {
    ($($name:ident [$($kind:tt)*] [$($option:tt)*];)*) => {$(
        #[derive(Relation, Clone, Serialize, Deserialize)]
        #[relation($($kind)*)]
        $($option)*
        struct $name(Entity);
    )*};
}

relations! {
    Follows [exclusive, gone = remove] [];
    Likes [exclusive, gone = remove] [#[component(tracked)]];
    Hears [many, gone = remove] [];
    Sees [many, gone = remove] [#[component(tracked)]];
}

world! {
    #[derive(Clone)]
    struct Game { components { Number, Even, Follows, Likes, Many<Hears>, Many<Sees> } }
}

type All = (Number, Even, Follows, Likes, Many<Hears>, Many<Sees>);

/// Whether the relation of an entity to another one is there.
fn is_related<R: Relation>(game: &Game, source: Entity, target: Entity) -> bool
where
    Game: HasRelation<R>,
{
    game.relations::<R>(source).iter().any(|edge| edge.target() == target)
}

#[test]
fn a_relation_follows_its_target_to_another_slot() {
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..8).map(|_| game.spawn(())).collect();
    for (&id, n) in ids.iter().zip(0..) {
        game.insert(id, Number(n)).unwrap();
        if n % 2 == 0 {
            game.insert(id, Even).unwrap();
        }
    }
    let (source, target) = (ids[6], ids[7]);
    game.insert(source, (Follows(target), Likes(target))).unwrap();
    game.insert(source, (Many::one(Hears(target)), Many::one(Sees(target)))).unwrap();
    game.advance_tick();
    let selection = Selection::<Game>::of::<All>();
    let first = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
    let known = selection.baseline(&mut game, 1);
    game.advance_tick();
    let moved = game.regroup();
    assert!(game.contains(source) && !game.contains(target), "{moved:?}");
    let second = selection.delta(&known, &game, 2).unwrap();

    let (mut copy, mut replica) = (Game::new(), Replica::new());
    for delta in [first, second] {
        selection.apply(&mut copy, &mut replica, &delta).unwrap();
    }
    let [source, target] = [source, moved.current(target)].map(|id| replica.get(id).unwrap());
    assert!(is_related::<Follows>(&copy, source, target));
    assert!(is_related::<Likes>(&copy, source, target));
    assert!(is_related::<Hears>(&copy, source, target));
    assert!(is_related::<Sees>(&copy, source, target));
}
