//! Random operations on a world with a hook that refuses values, by every way to add, replace and
//! remove them: the state of the hook agrees with a plain map, and so do the refusals.

use std::collections::BTreeMap;

use ecs::component::{ComponentHook, Disabled};
use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs::system::HookState;
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// The sum of all weights is at most this.
const MOST: u32 = 500;

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(hook = (Load, Heaviest))]
struct Weight(u32);

#[derive(Clone, Default, PartialEq, Debug)]
struct Load {
    sum: u32,
    number: usize,
}

/// The entities by their weight.
#[derive(Clone, Default, PartialEq, Debug)]
struct Heaviest(BTreeMap<(u32, u32), ()>);

impl ComponentHook<Weight> for Load {
    fn validate(&self, old: Option<&Weight>, new: &Weight) -> Result<(), &'static str> {
        let sum = self.sum - old.map_or(0, |old| old.0) + new.0;
        if sum > MOST { Err("too heavy") } else { Ok(()) }
    }
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
        self.number += usize::from(old.is_none());
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.sum -= old.0;
        self.number -= 1;
    }
}

impl ComponentHook<Weight> for Heaviest {
    const VALIDATES: bool = false;
    fn validate(&self, _: Option<&Weight>, _: &Weight) -> Result<(), &'static str> {
        panic!("it does not validate")
    }
    fn inserted(&mut self, entity: Entity, old: Option<&Weight>, new: &Weight) {
        if let Some(old) = old {
            self.0.remove(&(old.0, entity.slot())).expect("the old value was inserted");
        }
        self.0.insert((new.0, entity.slot()), ());
    }
    fn removed(&mut self, entity: Entity, old: &Weight) {
        self.0.remove(&(old.0, entity.slot())).expect("the value was inserted");
    }
}

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Heavier(Vec<(Entity, u32)>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Weight, Disabled }
        resources { heavier: Heavier = Heavier::default(), seen: Seen = Seen(0) }
    }
    schedule tick { add; see }
}

#[derive(Resource, Clone, Serialize, Deserialize)]
struct Seen(u32);

/// Inserts by a `Storage`, as long as the hook accepts it.
#[system(Game)]
fn add(mut weights: Storage<Weight>, mut heavier: ResMut<Heavier>) {
    heavier.0.retain(|&(entity, weight)| weights.insert(entity, Weight(weight)).is_ok());
}
#[system(Game)]
fn see(load: HookState<Weight>, mut seen: ResMut<Seen>) {
    seen.0 = load.0.sum;
}

#[derive(Clone, Debug)]
enum Operation {
    Spawn(u32),
    SpawnMany(Vec<u32>),
    Insert(usize, u32),
    Commands(usize, u32),
    Storage(usize, u32),
    View(usize, u32),
    Remove(usize),
    Despawn(usize),
    Disable(usize),
    Tick,
    Clone,
    Restore(u32),
    Load,
    Merge(Vec<u32>),
    Clear,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let weight = || 0..120u32;
    prop_oneof![
        4 => weight().prop_map(Spawn),
        1 => proptest::collection::vec(0..3u32, 0..80).prop_map(SpawnMany),
        3 => (any::<usize>(), weight()).prop_map(|(at, weight)| Insert(at, weight)),
        2 => (any::<usize>(), weight()).prop_map(|(at, weight)| Commands(at, weight)),
        2 => (any::<usize>(), weight()).prop_map(|(at, weight)| Storage(at, weight)),
        2 => (any::<usize>(), weight()).prop_map(|(at, weight)| View(at, weight)),
        2 => any::<usize>().prop_map(Remove),
        2 => any::<usize>().prop_map(Despawn),
        1 => any::<usize>().prop_map(Disable),
        2 => Just(Tick),
        1 => Just(Clone),
        1 => weight().prop_map(Restore),
        1 => Just(Load),
        2 => proptest::collection::vec(0..120u32, 0..6).prop_map(Merge),
        1 => Just(Clear),
    ]
}

/// The weights of the entities; 0 is a weight, too.
type Plain = BTreeMap<Entity, Option<u32>>;

fn sum(plain: &Plain) -> u32 {
    plain.values().flatten().sum()
}

fn apply(game: &mut Game, plain: &mut Plain, operation: &Operation) {
    use Operation::*;
    let pick = |at: usize| plain.keys().nth(at % plain.len().max(1)).copied();
    let fits = |entity: Option<Entity>, weight: u32| {
        let old = entity.and_then(|entity| plain[&entity]).unwrap_or(0);
        sum(plain) - old + weight <= MOST
    };
    match operation {
        Spawn(weight) => {
            let spawned = game.try_spawn(Weight(*weight));
            assert_eq!(spawned.is_ok(), fits(None, *weight));
            plain.extend(spawned.map(|entity| (entity, Some(*weight))));
        }
        SpawnMany(weights) => {
            if sum(plain) + weights.iter().sum::<u32>() > MOST {
                return;
            }
            let new: Vec<Entity> = game.spawn_batch(weights.iter().map(|&weight| Weight(weight))).collect();
            plain.extend(new.into_iter().zip(weights.iter().map(|&weight| Some(weight))));
        }
        Insert(at, weight) | Commands(at, weight) | Storage(at, weight) | View(at, weight) => {
            let Some(entity) = pick(*at) else { return };
            let fits = fits(Some(entity), *weight);
            match operation {
                Commands(..) => {
                    game.with_commands(|mut commands| commands.insert(entity, Weight(*weight)));
                }
                Storage(..) => {
                    game.resource_mut::<Heavier>().0.push((entity, *weight));
                    game.tick();
                    assert_eq!(game.resource::<Heavier>().0.is_empty(), !fits);
                    game.resource_mut::<Heavier>().0.clear();
                }
                View(..) => {
                    assert_eq!(game.columns_mut().weight.insert(entity, Weight(*weight)).is_ok(), fits)
                }
                _ => assert_eq!(game.insert(entity, Weight(*weight)).is_ok(), fits),
            }
            if fits {
                plain.insert(entity, Some(*weight));
            }
        }
        Remove(at) => {
            let Some(entity) = pick(*at) else { return };
            assert_eq!(game.remove::<Weight>(entity).unwrap().map(|weight| weight.0), plain[&entity]);
            plain.insert(entity, None);
        }
        Despawn(at) => {
            let Some(entity) = pick(*at) else { return };
            game.despawn(entity).unwrap();
            plain.remove(&entity);
        }
        Disable(at) => {
            let Some(entity) = pick(*at) else { return };
            game.insert(entity, Disabled).unwrap();
        }
        Tick => {
            game.tick();
            assert_eq!(game.resource::<Seen>().0, sum(plain));
        }
        Clone => *game = game.clone(),
        Restore(weight) => {
            let before = game.snapshot();
            let _ = game.try_spawn(Weight(*weight));
            game.despawn_all::<With<Weight>>();
            game.restore(&before);
        }
        Load => {
            let bytes = game.to_bytes().unwrap();
            *game = Game::load(&bytes).unwrap();
            game.on_failed_command(ecs::command::FailurePolicy::Ignore);
        }
        Merge(weights) => {
            let mut other = Game::new();
            for &weight in weights {
                let _ = other.try_spawn(Weight(weight));
            }
            let fits = sum(plain) + HookState::<Weight>::of(&other).0.sum <= MOST;
            let merged = game.merge(&other.to_bytes().unwrap(), DanglingIds::Refuse);
            assert_eq!(merged.is_ok(), fits, "{merged:?}");
            if fits {
                let all = game.entities().filter::<ecs::query::AllowDisabled>();
                let new = all.iter().filter(|entity| !plain.contains_key(entity));
                let new: Vec<_> =
                    new.map(|entity| (entity, game.get::<Weight>(entity).map(|w| w.0))).collect();
                plain.extend(new);
            }
        }
        Clear => {
            game.clear();
            plain.clear();
        }
    }
}

fn agree(game: &Game, plain: &Plain) {
    let state = HookState::<Weight>::of(game);
    let number = plain.values().flatten().count();
    assert_eq!(state.0, self::Load { sum: sum(plain), number });
    let weights = plain.iter().filter_map(|(entity, weight)| Some(((*weight)?, entity.slot())));
    assert!(state.1.0.keys().copied().eq(weights.collect::<std::collections::BTreeSet<_>>()));
    for (&entity, weight) in plain {
        assert_eq!(game.get::<Weight>(entity).map(|weight| weight.0), *weight);
    }
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn the_state_of_a_hook_agrees_with_a_map(operations in proptest::collection::vec(operation(), 1..60)) {
        let (mut game, mut plain) = (Game::new(), Plain::new());
        game.on_failed_command(ecs::command::FailurePolicy::Ignore);
        for operation in &operations {
            apply(&mut game, &mut plain, operation);
            agree(&game, &plain);
        }
    }
}
