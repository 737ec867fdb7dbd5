//! Values that change in every way in which code can get at them: a delta finds each change.
//!
//! A world notes what was accessed since its baseline, and a delta compares only that. A copy of
//! the world has noted nothing, so that its delta compares all values. Both deltas are equal.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::reflect::{DynamicValue, ReflectWorld};
use ecs::save::{Baseline, DanglingIds, Replica, Saved, Selection};
use ecs_tests::random::random_cases;
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct One(u8);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Six([u16; 3]);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Sixteen(u64, u64);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Wide([u64; 9]);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Text(String);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(storage = "packed")]
struct Rare(u32);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(hook = Sum)]
struct Weight(u32);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked)]
struct Score(u32);

/// The sum of all weights.
#[derive(Clone, Default)]
struct Sum(u64);

impl ComponentHook<Weight> for Sum {
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.0 = self.0 + u64::from(new.0) - old.map_or(0, |old| old.0.into());
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.0 -= u64::from(old.0);
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game { components { One, Six, Sixteen, Wide, Text, Rare, Weight, Score } }
    observers { greet, weigh } max 4
    schedule tick { age, store; order; count }
}

#[system(Game)]
fn age(one: &mut One, six: Option<&mut Six>, score: Option<Mut<Score>>) {
    if one.0 % 16 == 3 {
        one.0 = one.0.wrapping_add(16);
        six.into_iter().for_each(|six| six.0[0] ^= 1);
        score.into_iter().for_each(|mut score| score.0 ^= 1);
    }
}

#[system(Game)]
fn store(all: Query<(Entity, &Weight)>, mut rare: Storage<Rare>) {
    for (entity, weight) in &all {
        match weight.0 % 8 {
            0 => rare.get_mut(entity).into_iter().for_each(|rare| rare.0 ^= 4),
            1 => drop(rare.insert(entity, Rare(weight.0))),
            _ => {}
        }
    }
}

#[system(Game)]
fn order(all: Query<(Entity, &Weight)>, mut commands: Commands<Game>) {
    for (entity, weight) in all.iter().filter(|(_, weight)| weight.0 % 8 == 2) {
        commands.insert(entity, (Weight(weight.0 + 1), Sixteen(1, weight.0.into())));
    }
}

/// Its commands arrive in a later run, when the world has changed.
#[system(Game, background(ticks = 2))]
fn count(all: Query<(Entity, &Score)>, mut commands: ParCommands<Game>) {
    if let Some((entity, score)) = all.iter().find(|(_, score)| score.0 % 4 == 1) {
        commands.insert(entity, Wide([score.0.into(); 9]));
    }
}

/// An observer that changes a component other than the one that it observes.
#[system(Game)]
fn greet(mut new: Query<&mut Sixteen, Added<Score>>) {
    new.iter_mut().for_each(|value| value.1 ^= 16);
}

#[system(Game)]
fn weigh(heavier: Query<(Entity, &Score), Changed<Score>>, mut weights: Query<&mut One>) {
    for (entity, score) in &heavier {
        if let Some(one) = weights.get_mut(entity) {
            one.0 ^= score.0 as u8;
        }
    }
}

type All = (One, Six, Sixteen, Wide, Text, Rare, Weight, Score);

fn row(n: u32) -> (One, Six, Sixteen, Wide, Text) {
    (One(n as u8), Six([n as u16; 3]), Sixteen(n.into(), 1), Wide([n.into(); 9]), Text(n.to_string()))
}

/// More than a page of the larger components.
fn game() -> Game {
    let mut game = Game::new();
    game.spawn_batch((0..1200).map(row)).count();
    game.spawn_batch((0..90).map(|n| (One(n as u8), Rare(n), Weight(n), Score(n)))).count();
    game
}

const EDITS: u8 = 48;

/// Changes the world by the access `kind % EDITS`.
fn edit(game: &mut Game, snapshots: &[Snapshot<Game>], (kind, a, b): (u8, u16, u8)) {
    let living: Vec<Entity> = game.entities().iter().collect();
    let pick = |n: usize| living[n % living.len()];
    if living.is_empty() {
        game.spawn(row(1));
        return;
    }
    let (one, two, n) = (pick(a.into()), pick(usize::from(a) * 31 + usize::from(b)), u32::from(b));
    match kind % EDITS {
        0 => game.get_mut::<One>(one).into_iter().for_each(|value| value.0 ^= b),
        1 => game.get_mut::<Six>(one).into_iter().for_each(|value| value.0[1] ^= u16::from(b)),
        2 => game.get_mut::<Sixteen>(one).into_iter().for_each(|value| value.1 ^= u64::from(b)),
        3 => game.get_mut::<Wide>(one).into_iter().for_each(|value| value.0[8] ^= u64::from(b)),
        4 => game.get_mut::<Text>(one).into_iter().for_each(|value| value.0 = "x".repeat(b.into())),
        5 => game.get_mut::<Rare>(one).into_iter().for_each(|value| value.0 ^= n),
        6 => game.get_tracked::<Score>(one).into_iter().for_each(|mut value| value.0 ^= n),
        7 => game.try_get_mut::<One>(one).into_iter().for_each(|value| value.0 = b),
        8 => {
            game.entity_mut(one).unwrap().get_mut::<Six>().into_iter().for_each(|value| value.0[2] = b.into())
        }
        9 => game.get_or_insert_with(one, || Sixteen(0, 0)).unwrap().0 = b.into(),
        10 => drop(game.insert(one, (One(b), Wide([n.into(); 9])))),
        11 => drop(game.insert_one(one, Text(b.to_string()))),
        12 => drop(game.insert(one, (Rare(n), Weight(n), Score(n)))),
        13 => drop(game.insert_batch([(one, Six([1; 3])), (two, Six([b.into(); 3]))])),
        14 => drop(game.remove::<(One, Six, Rare)>(one)),
        15 => _ = game.remove_all::<Rare>(),
        16 => drop(game.swap::<(One, Wide, Rare)>(one, two)),
        17 => drop(game.swap_all(one, two)),
        18 => drop(game.move_components::<(Six, Text, Weight)>(one, two)),
        19 => drop(game.move_all_components(one, two)),
        20 => {
            let values = game.take_entity::<(One, Wide)>(one).unwrap();
            let other = game.spawn(());
            values.0.into_iter().for_each(|value| drop(game.insert_one(other, value)));
            values.1.into_iter().for_each(|value| drop(game.insert_one(two, value)));
        }
        21 => drop(game.despawn(one)),
        22 => _ = game.spawn(row(n)),
        23 => _ = game.spawn_batch((0..u32::from(a % 90)).map(row)).count(),
        24 => _ = game.spawn_columns((vec![One(b); 3], vec![Rare(n); 3])).count(),
        25 => drop(game.clone_entity(one)),
        26 => game.query_mut::<&mut Sixteen>().for_each(|value| value.0 ^= u64::from(value.0 % 32 == 5)),
        27 => {
            for (one, six) in &mut game.query_mut::<(&One, Option<&mut Six>)>() {
                six.filter(|_| one.0 == b).into_iter().for_each(|six| six.0[0] ^= 2);
            }
        }
        28 => {
            for chunk in game.query_mut::<&mut Wide>().chunks_mut() {
                let len = chunk.len();
                chunk[usize::from(a) % len].0[0] ^= u64::from(b);
            }
        }
        29 => game.query_mut::<&mut Text>().par_for_each(|text| {
            if text.0.len() == usize::from(b % 8) {
                text.0.push('y');
            }
        }),
        30 => game.query_mut::<&mut Rare>().get_mut(one).into_iter().for_each(|rare| rare.0 = n),
        31 => {
            if let Ok([one, two]) = game.query_mut::<&mut Six>().get_many_mut([one, two]) {
                std::mem::swap(one, two);
            }
        }
        32 => drop(game.regroup()),
        33 => {
            let mut other = Game::new();
            other.spawn_batch((0..n % 5).map(row)).count();
            game.merge(&other.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
        }
        34 => *game = Game::load(&game.to_bytes().unwrap()).unwrap(),
        35 => game.restore(&snapshots[usize::from(a) % snapshots.len()]),
        36 => {
            // columns that have snapshots of their own, with the same entities
            let mut other = game.clone();
            let kept = other.snapshot();
            other.get_mut::<Sixteen>(one).into_iter().for_each(|value| value.0 ^= 8);
            other.get_mut::<Rare>(two).into_iter().for_each(|value| value.0 ^= 8);
            std::mem::swap(&mut game.sixteen, &mut other.sixteen);
            std::mem::swap(&mut game.rare, &mut other.rare);
            other.restore(&kept);
            other.get_mut::<One>(one).into_iter().for_each(|value| value.0 ^= 8);
            match b % 3 {
                0 => std::mem::swap(&mut game.one, &mut other.one),
                1 => std::mem::swap(game, &mut other),
                _ => game.clone_from(&other),
            }
        }
        37 => {
            let mut left = b;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                for one in &mut game.query_mut::<&mut One>() {
                    one.0 ^= 64;
                    left = left.checked_sub(1).unwrap_or_else(|| resume_unwind(Box::new(())));
                }
            }));
            drop(panicked);
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let value = game.get_mut::<Wide>(one);
                value.into_iter().for_each(|value| value.0[3] ^= u64::from(b));
                resume_unwind(Box::new(()));
            }));
            assert!(panicked.is_err());
        }
        38 => game.shrink_to_fit(),
        39 => game.with_commands(|mut commands| commands.insert(one, (One(b), Text("z".into())))),
        40 => {
            let mut other = Game::new();
            let moved = game.move_entities(&[one, two], &mut other).unwrap();
            other.get_mut::<One>(moved[0]).into_iter().for_each(|value| value.0 = b);
            other.move_entities(&moved, game).unwrap();
        }
        41 => game.reflect_mut().patch(one, "Sixteen.1", u64::from(b)).unwrap_or_default(),
        42 => game.reflect_mut().patch(one, "Wide[8]", u64::from(b)).unwrap_or_default(),
        43 => {
            let values = [("One", b.into()), ("Rare", n.into()), ("Score", n.into())];
            game.reflect_mut().insert_all(one, &values).unwrap();
        }
        44 => drop(game.reflect_mut().remove_all(one, &["Six", "Rare", "Weight"]).unwrap()),
        45 => {
            let text = DynamicValue::from(b.to_string());
            let new = game.reflect_mut().spawn(&[("Text", text), ("Weight", n.into())]).unwrap();
            game.reflect_mut().patch(new, "Weight", n + 1).unwrap();
        }
        46 => game.run_observers(),
        _ => game.tick(),
    }
}

fn values<T: Clone + 'static>(game: &Game, ids: impl Iterator<Item = Entity>) -> Vec<Option<T>>
where
    Game: ecs::Has<T>,
{
    ids.map(|id| game.get::<T>(id).cloned()).collect()
}

fn check(game: &Game, copy: &Game, replica: &Replica) {
    assert!(replica.iter().map(|(source, _)| source).eq(game.entities().iter()), "other entities");
    macro_rules! same {
        ($($ty:ty)*) => {$(
            let here = values::<$ty>(copy, replica.iter().map(|(_, local)| local));
            assert!(values::<$ty>(game, replica.iter().map(|(source, _)| source)) == here, stringify!($ty));
        )*};
    }
    same!(One Six Sixteen Wide Text Rare Weight Score);
}

proptest! {
    #![proptest_config(random_cases(80))]

    #[test]
    fn a_delta_finds_each_change_however_it_was_made(
        rounds in vec((vec(any::<(u8, u16, u8)>(), 0..12), any::<u8>(), any::<bool>()), 1..10),
    ) {
        let selection = Selection::of::<All>();
        let mut game = game();
        let mut snapshots = vec![game.snapshot()];
        let mut known = vec![(Baseline::nothing(), Game::new(), Replica::new())];
        for (frame, (edits, from, ticks)) in (1..).zip(rounds) {
            edits.into_iter().for_each(|one| edit(&mut game, &snapshots, one));
            // mostly from the newest baseline, which shares its pages with the world
            let from = if from < 180 { known.len() - 1 } else { usize::from(from) % known.len() };
            let (baseline, mut copy, mut replica) = known[from].clone();
            let delta = selection.delta(&baseline, &game, frame).unwrap();
            prop_assert_eq!(&delta, &selection.delta(&baseline, &game.clone(), frame).unwrap());
            selection.apply(&mut copy, &mut replica, &delta).unwrap();
            check(&game, &copy, &replica);
            if ticks {
                game.advance_tick();
            }
            known.push((selection.baseline(&mut game, frame), copy, replica));
            snapshots.push(game.snapshot());
        }
    }
}
