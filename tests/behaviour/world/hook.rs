//! Hooks of components: a state in step with the values, and refusals.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::component::ComponentHook;
use ecs::error::{InsertError, Reason, Refused};
use ecs::prelude::*;
use ecs::system::HookState;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(hook = Load)]
struct Weight(u32);

#[derive(Clone, Default, PartialEq, Debug)]
struct Load {
    sum: u32,
    calls: Vec<(char, u32)>,
}

impl ComponentHook<Weight> for Load {
    fn validate(&self, old: Option<&Weight>, new: &Weight) -> Result<(), &'static str> {
        let sum = self.sum - old.map_or(0, |old| old.0) + new.0;
        if sum > 100 { Err("the ship carries 100") } else { Ok(()) }
    }
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
        self.calls.push((if old.is_some() { 'r' } else { 'i' }, new.0));
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.sum -= old.0;
        self.calls.push(('d', old.0));
    }
}

/// A hook of two, the second of which panics when it sees 13.
#[derive(Component, Clone, PartialEq, Debug, Default)]
#[component(hook = (Count, Superstition), removed)]
struct Number(u32);

#[derive(Clone, Default, PartialEq, Debug)]
struct Count(usize);
#[derive(Clone, Default, PartialEq, Debug)]
struct Superstition(Vec<Entity>);

impl ComponentHook<Number> for Count {
    const VALIDATES: bool = false;
    fn inserted(&mut self, _: Entity, old: Option<&Number>, _: &Number) {
        self.0 += usize::from(old.is_none());
    }
    fn removed(&mut self, _: Entity, _: &Number) {
        self.0 -= 1;
    }
}

impl ComponentHook<Number> for Superstition {
    const VALIDATES: bool = false;
    fn inserted(&mut self, entity: Entity, _: Option<&Number>, new: &Number) {
        assert_ne!(new.0, 13, "thirteen");
        self.0.push(entity);
    }
    fn removed(&mut self, entity: Entity, _: &Number) {
        self.0.retain(|&other| other != entity);
    }
}

/// A tag with a hook that needs no refusal, required by another component.
#[derive(Component, Clone, PartialEq, Debug)]
#[component(requires(Number(7)))]
struct Lucky;

#[derive(Resource, Clone, Default)]
struct Seen(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Ship {
        components { Weight, Number, Lucky }
        resources { seen: Seen = Seen::default() }
    }
    schedule tick { load; see }
}

#[system(Ship)]
fn load(mut weights: Storage<Weight>, numbers: Query<(Entity, &Number)>) {
    for (entity, number) in &numbers {
        drop(weights.insert(entity, Weight(number.0)));
    }
}
#[system(Ship)]
fn see(load: HookState<Weight>, mut seen: ResMut<Seen>) {
    seen.0.push(load.sum);
}

fn refused(entity: Option<Entity>) -> Refused {
    Refused { entity, component: "Weight", world: "Ship", reason: Reason::Invalid("the ship carries 100") }
}

#[test]
fn a_hook_hears_of_each_value_in_order() {
    let mut ship = Ship::new();
    assert_eq!(*HookState::<Weight>::of(&ship), Load::default());
    let barrel = ship.spawn(Weight(10));
    ship.insert(barrel, Weight(20)).unwrap();
    let new = ship.spawn_batch([1, 2].map(Weight)).nth(1).unwrap();
    ship.remove::<Weight>(barrel).unwrap();
    ship.despawn(new).unwrap();
    let expected = [('i', 10), ('r', 20), ('i', 1), ('i', 2), ('d', 20), ('d', 2)];
    assert_eq!(HookState::<Weight>::of(&ship).calls, expected);
    assert_eq!(HookState::<Weight>::of(&ship).sum, 1);
    ship.clear();
    assert_eq!(*HookState::<Weight>::of(&ship), Load::default());
}

#[test]
fn a_refused_value_changes_nothing() {
    let mut ship = Ship::new();
    let barrel = ship.spawn(Weight(60));
    let error = ship.insert(barrel, (Lucky, Weight(101))).unwrap_err();
    assert_eq!(error, InsertError::Refused(refused(Some(barrel))));
    let text =
        format!("entity {barrel} of world `Ship` cannot have component `Weight`: the ship carries 100");
    assert_eq!(error.to_string(), text);
    assert_eq!((ship.get(barrel), ship.has::<Lucky>(barrel)), (Some(&Weight(60)), false));
    assert!(ship.insert(barrel, Weight(100)).is_ok(), "the old value counts no more");
    assert_eq!(ship.try_spawn((Weight(1), Lucky)), Err(refused(None)));
    assert!(catch_unwind(AssertUnwindSafe(|| ship.spawn(Weight(1)))).is_err());
    assert_eq!((ship.entities().len(), HookState::<Weight>::of(&ship).sum), (1, 100));
    ship.on_failed_command(FailurePolicy::Ignore);
    ship.with_commands(|mut commands| {
        commands.insert(barrel, Weight(500));
        commands.spawn(Weight(1));
        commands.insert(barrel, Weight(50));
        commands.spawn(Weight(50));
    });
    assert_eq!((ship.stats().failed_commands, HookState::<Weight>::of(&ship).sum), (2, 100));
}

#[test]
fn systems_read_the_state_and_change_it_by_a_storage() {
    let mut ship = Ship::new();
    ship.spawn_batch([30, 50, 70].map(Number));
    ship.tick();
    ship.tick();
    assert_eq!(ship.resource::<Seen>().0, [80, 80]);
    assert_eq!(HookState::<Number>::of(&ship).0, Count(3));
    let load = ecs::system::HookState::new(ship.columns().weight);
    assert_eq!(load.sum, 80);
}

#[test]
fn a_copy_of_the_world_has_a_copy_of_the_state() {
    let mut ship = Ship::new();
    ship.spawn(Weight(10));
    let before = ship.snapshot();
    let mut other = ship.clone();
    other.spawn(Weight(5));
    ship.spawn(Weight(7));
    assert_eq!((HookState::<Weight>::of(&ship).sum, HookState::<Weight>::of(&other).sum), (17, 15));
    ship.restore(&before);
    assert_eq!(HookState::<Weight>::of(&ship).sum, 10);
    ship.spawn(Weight(90));
    assert!(ship.try_spawn(Weight(1)).is_err());
}

#[test]
fn hooks_of_a_tuple_are_called_in_order_and_one_may_be_required() {
    let mut ship = Ship::new();
    let lucky = ship.spawn(Lucky);
    assert_eq!(ship.get(lucky), Some(&Number(7)));
    let state = HookState::<Number>::of(&ship);
    assert_eq!((&state.0, &state.1), (&Count(1), &Superstition(vec![lucky])));
}

#[test]
fn the_world_is_usable_after_a_panic_of_a_hook() {
    let mut ship = Ship::new();
    let one = ship.spawn(Number(1));
    let panicked = catch_unwind(AssertUnwindSafe(|| drop(ship.insert(one, Number(13)))));
    assert!(panicked.is_err());
    assert_eq!(ship.get(one), Some(&Number(13)), "the value is inserted nevertheless");
    assert_eq!(HookState::<Number>::of(&ship).0, Count(1));
    let two = ship.spawn(Number(2));
    ship.despawn(one).unwrap();
    assert_eq!(HookState::<Number>::of(&ship).1, Superstition(vec![two]));
    assert_eq!(HookState::<Number>::of(&ship).0, Count(1));
}

#[test]
fn a_view_replaces_a_value_as_the_world_does() {
    let mut ship = Ship::new();
    let (barrel, gone) = (ship.spawn(Weight(60)), ship.spawn(Weight(5)));
    ship.despawn(gone).unwrap();
    let mut weights = ship.columns_mut().weight;
    assert_eq!(weights.insert(barrel, Weight(70)), Ok(Some(Weight(60))));
    assert_eq!(weights.insert(barrel, Weight(101)), Err(Weight(101)));
    assert_eq!(weights.insert(gone, Weight(1)), Err(Weight(1)));
    let expected = [('i', 60), ('i', 5), ('d', 5), ('r', 70)];
    assert_eq!(*HookState::<Weight>::of(&ship), Load { sum: 70, calls: expected.to_vec() });

    let one = ship.spawn(Number(1));
    let panicked = catch_unwind(AssertUnwindSafe(|| drop(ship.columns_mut().number.insert(one, Number(13)))));
    assert!(panicked.is_err());
    assert_eq!(ship.get(one), Some(&Number(13)), "the value is inserted nevertheless");
    assert_eq!(HookState::<Number>::of(&ship).0, Count(1));
}

#[test]
fn the_graph_of_components_tells_of_a_hook() {
    let graph = ecs::component::component_graph::<Ship>();
    assert!(graph.nodes[0].hook && graph.nodes[1].hook && !graph.nodes[2].hook);
    assert_eq!(graph.nodes[0].options(), ["hook"]);
}

/// A hook that only refuses, and one that does nothing.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(hook = (Even, Silent))]
struct Shoes(u32);

#[derive(Clone, Default, PartialEq, Debug)]
struct Even;
impl ComponentHook<Shoes> for Even {
    fn validate(&self, _: Option<&Shoes>, new: &Shoes) -> Result<(), &'static str> {
        if new.0.is_multiple_of(2) { Ok(()) } else { Err("shoes come in pairs") }
    }
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Silent;
impl ComponentHook<Shoes> for Silent {}

world! { struct Shop { components { Shoes } } }

#[test]
fn a_hook_has_only_the_functions_that_it_needs() {
    let mut shop = Shop::new();
    let shelf = shop.spawn(Shoes(4));
    assert!(shop.insert(shelf, Shoes(5)).unwrap_err().to_string().contains("shoes come in pairs"));
    shop.insert(shelf, Shoes(6)).unwrap();
    shop.remove::<Shoes>(shelf).unwrap();
    assert_eq!(*HookState::<Shoes>::of(&shop), (Even, Silent));
}
