//! Batches and columns from `Vec`s, whose values are copied from the memory of the `Vec`, beside
//! batches and columns from other iterators, which yield one value after the other: both give the
//! same world, and each value is dropped once.

use ecs::prelude::*;
use ecs_tests::ledger::{Ledger, Token};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component)]
struct Held(u32, #[allow(dead_code)] Token);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Place([f32; 3]);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Tag;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Name(String);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(storage = "packed")]
#[repr(align(64))]
struct Wide(u8);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index, requires(Tag))]
struct Team(u32);

impl Default for Tag {
    fn default() -> Self {
        Self
    }
}

world! {
    struct Game { components { Held, Place, Tag, Name, Wide, Team } }
}

/// The number of entities of a batch: few, or around the ends of words and pages.
fn counts() -> impl Strategy<Value = usize> {
    let ends = prop::sample::select(vec![64, 4096, 8192, 70_000]);
    prop_oneof![8 => 0..200_usize, 4 => (ends, 0..3_usize).prop_map(|(end, more)| end + more - 1)]
}

/// An operation: a form, the number of entities, and the number of values of each `Vec` that were
/// taken out before.
type Step = (u8, usize, usize);

fn place(n: u32) -> Place {
    Place([n as f32 + 0.5, 1.5, -(n as f32)])
}
fn name(n: u32) -> Name {
    Name(format!("name {n}"))
}
fn wide(n: u32) -> Wide {
    Wide(n as u8)
}

/// Spawns entities from `Vec`s, or from other iterators with the same values.
fn spawn(game: &mut Game, ledger: &Ledger, (form, count, taken): Step, from_vec: bool) -> Vec<Entity> {
    /// The iterator of a `Vec`, without its first values, or the same values from another iterator.
    macro_rules! values {
        (|$n:ident| $value:expr) => {{
            let mut values = (0..(taken + count) as u32).map(|$n| $value).collect::<Vec<_>>().into_iter();
            values.by_ref().take(taken).for_each(drop);
            values
        }};
    }
    macro_rules! spawned {
        ($verb:ident, $($values:expr),+) => {
            match from_vec {
                true => game.$verb(($($values),+)).collect(),
                false => game.$verb(($($values.inspect(|_| ())),+)).collect(),
            }
        };
    }
    match form % 8 {
        0 => spawned!(spawn_batch, values!(|n| (place(n), Held(n, ledger.token())))),
        1 => spawned!(spawn_batch, values!(|n| (Tag, wide(n), name(n), place(n)))),
        2 => spawned!(spawn_batch, values!(|_n| Tag)),
        3 => spawned!(spawn_batch, values!(|n| (Team(n), Held(n, ledger.token())))),
        4 => spawned!(spawn_columns, values!(|n| Held(n, ledger.token())), values!(|n| place(n))),
        5 => spawned!(spawn_columns, values!(|n| wide(n)), values!(|_n| Tag), values!(|n| name(n))),
        6 => spawned!(spawn_columns, values!(|n| Team(n)), values!(|n| Held(n, ledger.token()))),
        _ => spawned!(spawn_columns, values!(|n| place(n)), values!(|n| wide(n))),
    }
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn vecs_give_the_world_of_other_iterators(
        steps in prop::collection::vec(((0..8_u8), counts(), 0..3_usize), 1..8),
        despawned in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let ledgers = [Ledger::new(), Ledger::new()];
        let (mut one, mut other) = (Game::new(), Game::new());
        let mut alive: Vec<Entity> = Vec::new();
        for step in steps {
            let new = spawn(&mut one, &ledgers[0], step, true);
            prop_assert_eq!(&new, &spawn(&mut other, &ledgers[1], step, false));
            prop_assert_eq!(new.len(), step.1);
            alive.extend(new);
            // slots that the next batch fills
            for at in &despawned {
                if !alive.is_empty() {
                    let entity = alive.swap_remove(at.index(alive.len()));
                    one.despawn(entity).unwrap();
                    other.despawn(entity).unwrap();
                }
            }
            prop_assert_eq!(ledgers[0].alive(), one.query::<&Held>().len());
        }
        type All<'w> = (Entity, Option<&'w Place>, Option<&'w Tag>, Option<&'w Name>, Option<&'w Wide>, Option<&'w Team>);
        prop_assert!(one.query::<All<'_>>().iter().eq(other.query::<All<'_>>().iter()));
        let held = |game: &Game| game.query::<(Entity, &Held)>().iter().map(|(entity, held)| (entity, held.0)).collect::<Vec<_>>();
        prop_assert_eq!(held(&one), held(&other));
        prop_assert_eq!(one.entities().len(), alive.len());
        drop((one, other));
        ledgers.iter().for_each(Ledger::assert_settled);
    }
}
