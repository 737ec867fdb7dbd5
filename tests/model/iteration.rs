//! The loops over a query: item by item, in a closure, first item by item and then in a closure,
//! from a clone. All give the items that `get` finds, in the order of the entities, for slots in
//! runs, scattered slots, packed columns with few or many values in a page, and columns with
//! missing pages.

use ecs::prelude::*;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Common(u32);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Other(u32);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(storage = "packed")]
struct Rare(u32);

#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Large([u32; 16]);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Mark;

world! {
    struct Game { components { Common, Other, Rare, Large, Mark } }
}

/// An operation on the entities number `i`, from number `from` on, for which `i % modulus < below`.
/// `kind` chooses the operation: a component is inserted or removed, or the entity is despawned.
#[derive(Clone, Debug)]
struct Pattern {
    modulus: usize,
    below: usize,
    from: usize,
    kind: u8,
}

fn patterns() -> impl Strategy<Value = Vec<Pattern>> {
    let modulus = prop_oneof![Just(1usize), 2..5usize, 5..40usize, 40..300usize];
    let pattern =
        modulus.prop_flat_map(|modulus| {
            (Just(modulus), 1..=modulus, 0..500usize, 0..7u8)
                .prop_map(|(modulus, below, from, kind)| Pattern { modulus, below, from, kind })
        });
    prop::collection::vec(pattern, 0..8)
}

fn apply(game: &mut Game, entities: &[Entity], pattern: &Pattern) {
    for (i, &entity) in entities.iter().enumerate().skip(pattern.from) {
        if i % pattern.modulus >= pattern.below || !game.contains(entity) {
            continue;
        }
        let value = i as u32;
        match pattern.kind {
            0 => drop(game.insert(entity, Common(value)).expect("it lives")),
            1 => drop(game.insert(entity, Other(value)).expect("it lives")),
            2 => drop(game.insert(entity, Rare(value)).expect("it lives")),
            3 => drop(game.remove::<Common>(entity)),
            4 => drop(game.remove::<Other>(entity)),
            5 => drop(game.remove::<Rare>(entity)),
            _ => game.despawn(entity).expect("it lives"),
        }
    }
}

/// Compares the loops over one query with the items that are expected. One loop takes `taken` items
/// one by one and the others in a closure.
macro_rules! compare {
    ($query:expr, $expected:expr, $taken:expr) => {{
        let (query, expected, taken) = ($query, $expected, $taken);
        let mut one_by_one = query.iter();
        for (n, item) in expected.iter().enumerate() {
            let (least, most) = one_by_one.size_hint();
            let left = expected.len() - n;
            prop_assert!(
                least <= left && most.is_some_and(|most| most >= left),
                "{least}..={most:?} of {left}"
            );
            let next = one_by_one.next();
            prop_assert_eq!(next.as_ref(), Some(item));
        }
        prop_assert!(one_by_one.next().is_none() && one_by_one.next().is_none());

        let mut closure = Vec::new();
        query.iter().for_each(|item| closure.push(item));
        prop_assert_eq!(&closure, &expected);

        let mut both = query.iter();
        let mut items: Vec<_> = both.by_ref().take(taken).collect();
        let copy = both.clone();
        both.for_each(|item| items.push(item));
        prop_assert_eq!(&items, &expected);
        prop_assert!(copy.eq(expected.iter().skip(taken).copied()));
    }};
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn all_loops_over_a_query_give_the_same_items(
        count in 0..900usize,
        patterns in patterns(),
        taken in 0..200usize,
    ) {
        let mut game = Game::new();
        let entities: Vec<Entity> = game.spawn_batch((0..count).map(|i| Common(i as u32))).collect();
        for pattern in &patterns {
            apply(&mut game, &entities, pattern);
        }
        let all: Vec<_> = entities
            .iter()
            .filter(|&&entity| game.contains(entity))
            .map(|&entity| (entity, game.get::<Common>(entity), game.get::<Other>(entity), game.get::<Rare>(entity)))
            .collect();
        let common: Vec<_> = all.iter().filter_map(|&(entity, common, ..)| Some((entity, common?))).collect();
        compare!(game.query::<(Entity, &Common)>(), common, taken);
        let both: Vec<_> = all.iter().filter_map(|&(_, common, other, _)| Some((common?, other?))).collect();
        compare!(game.query::<(&Common, &Other)>(), both, taken);
        let rare: Vec<_> = all.iter().filter_map(|&(entity, .., rare)| Some((entity, rare?))).collect();
        compare!(game.query::<(Entity, &Rare)>(), rare, taken);
        let joined: Vec<_> = all.iter().filter_map(|&(_, _, other, rare)| Some((other?, rare?))).collect();
        compare!(game.query::<(&Other, &Rare)>(), joined, taken);
        let optional: Vec<_> = all.iter().map(|&(entity, _, other, rare)| (entity, other, rare)).collect();
        compare!(game.query::<(Entity, Option<&Other>, Option<&Rare>)>(), optional, taken);
        let filtered: Vec<_> = all
            .iter()
            .filter_map(|&(_, common, other, rare)| if other.is_none() && rare.is_some() { common } else { None })
            .collect();
        compare!(game.query::<&Common>().filter::<(Without<Other>, With<Rare>)>(), filtered, taken);

        // the exclusive loops
        let mut expected: Vec<u32> = all.iter().filter_map(|&(.., rare)| rare).map(|rare| rare.0).collect();
        for rare in game.query_mut::<&mut Rare>() {
            rare.0 += 1;
        }
        game.query_mut::<&mut Rare>().for_each(|rare| rare.0 *= 2);
        expected.iter_mut().for_each(|value| *value = (*value + 1) * 2);
        prop_assert!(game.query::<&Rare>().iter().map(|rare| rare.0).eq(expected));
    }
}

/// Spawns entities of a kind side by side, more than a page if there are many.
fn spawn_kind(game: &mut Game, kind: u8, count: u32) -> Vec<Entity> {
    match kind {
        0 => game.spawn_batch((0..count).map(Other)).collect(),
        1 => game.spawn_batch((0..count).map(|i| (Common(i), Large([i; 16])))).collect(),
        2 => game.spawn_batch((0..count).map(|i| (Common(i), Mark))).collect(),
        3 => game.spawn_batch((0..count).map(|i| (Common(i), Other(i), Large([i; 16])))).collect(),
        4 => game.spawn_batch((0..count).map(|i| (Common(i), Rare(i)))).collect(),
        _ => game.spawn_batch((0..count).map(Common)).collect(),
    }
}

proptest! {
    #![proptest_config(random_cases(60))]

    /// Most columns have values in some pages only.
    #[test]
    fn a_loop_skips_missing_pages(
        kinds in prop::collection::vec((0..8u8, prop_oneof![1..70u32, 900..1100u32, 4000..9000u32]), 1..8),
        taken in 0..200usize,
        swapped in any::<bool>(),
    ) {
        let mut game = Game::new();
        let mut entities: Vec<Entity> =
            kinds.iter().flat_map(|&(kind, count)| spawn_kind(&mut game, kind, count)).collect();
        if swapped {
            // a column whose pages are others than those of the world
            let mut other = Game::new();
            spawn_kind(&mut other, 0, 5000);
            spawn_kind(&mut other, 3, 100);
            std::mem::swap(&mut game.large, &mut other.large);
        }
        entities.sort();
        macro_rules! all {
            ($(($($ty:ty),*);)*) => {$({
                let expected: Vec<_> = entities
                    .iter()
                    .filter_map(|&entity| Some(($(game.get::<$ty>(entity)?,)*)))
                    .collect();
                compare!(game.query::<($(&$ty,)*)>(), expected, taken);
            })*};
        }
        all! {
            (Common);
            (Mark);
            (Common, Other);
            (Common, Large);
            (Large, Mark);
            (Large, Other, Common);
            (Common, Mark);
            (Large, Rare);
            (Common, Rare);
            (Rare);
        }
        if swapped {
            return Ok(()); // by itself, the column has values of slots without an entity, too
        }
        all! {
            (Large);
        }
        let mut left: Vec<u32> =
            entities.iter().filter_map(|&entity| game.get::<Large>(entity).map(|large| large.0[3])).collect();
        game.query_mut::<(&mut Large, Entity)>().for_each(|(large, _)| large.0[3] += 1);
        left.iter_mut().for_each(|value| *value += 1);
        prop_assert!(game.query::<&Large>().iter().map(|large| large.0[3]).eq(left));
    }
}
