//! Identity of entities: names, stable ids, indexed values, and unique components.

use std::cell::RefCell;

use ecs::command::FailurePolicy;
use ecs::component::{Name, StableId, StableIds};
use ecs::error::Reason;
use ecs::prelude::*;

#[derive(Component, PartialEq, Debug)]
struct Position(i32, i32);

/// A key of several types: a text, a number or a pair.
#[derive(Component, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Handle {
    area: String,
    at: (u8, u8),
}

/// A primitive type as an indexed value.
#[derive(Component, PartialEq, Eq, Hash, Debug)]
#[component(index, deref)]
struct Gold(u32);

#[derive(Component, Debug)]
#[component(unique)]
struct Camera;

world! {
    struct Dungeon {
        components { Position, Handle, Gold, Camera, Name, StableId }
        resources { StableIds = StableIds::default() }
    }
}

/// The commands of two systems of one stage.
type Order = fn(&mut Commands<'_, Studio>, [Entity; 2]);
#[derive(Resource, Clone, Copy)]
struct Orders([Order; 2], Option<[Entity; 2]>);

world! {
    struct Studio {
        components { Camera }
        resources { orders: Orders }
    }
    schedule film { first, second }
}

#[system(Studio)]
fn first(orders: Res<Orders>, mut commands: Commands<Studio>) {
    orders.1.into_iter().for_each(|pair| orders.0[0](&mut commands, pair));
}

#[system(Studio)]
fn second(orders: Res<Orders>, mut commands: Commands<Studio>) {
    orders.1.into_iter().for_each(|pair| orders.0[1](&mut commands, pair));
}

#[test]
fn w02_an_entity_may_be_made_with_a_name() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn((Position(1, 2), Name::new("hero")));
    dungeon.spawn(Position(3, 4));
    assert_eq!((dungeon.find_one::<Name>("hero"), dungeon.find_one::<Name>("villain")), (Some(hero), None));
    dungeon.despawn(hero).unwrap();
    assert_eq!(dungeon.find_one::<Name>("hero"), None);
}

#[test]
fn w03_w04_a_name_and_a_stable_id_lead_to_an_id_of_eight_bytes_and_gone_stays_gone() {
    let mut dungeon = Dungeon::new();
    let hero = dungeon.spawn((Name::new("hero"), StableId(u64::MAX)));
    assert_eq!(size_of_val(&dungeon.find_one::<StableId>(&StableId(u64::MAX)).unwrap()), 8);
    dungeon.despawn(hero).unwrap();
    assert!(
        dungeon.find_one::<StableId>(&StableId(u64::MAX)).is_none() && dungeon.try_get::<Name>(hero).is_err()
    );
    let next = dungeon.spawn((Name::new("hero"), StableId(u64::MAX)));
    assert_ne!(dungeon.find_one::<Name>("hero"), Some(hero));
    assert_eq!(dungeon.find_one::<StableId>(&StableId(u64::MAX)), Some(next));
}

#[test]
fn w50_a_component_may_be_unique_in_its_world() {
    let mut dungeon = Dungeon::new();
    let eye = dungeon.spawn((Camera, Position(0, 0)));
    assert_eq!(dungeon.unique::<Camera>().map(|(entity, _)| entity), Some(eye));
    assert_eq!(dungeon.try_spawn(Camera).unwrap_err().reason, Reason::HeldBy(eye));
    let mut other = Dungeon::new();
    assert!(other.try_spawn(Camera).is_ok(), "one for each world");
}

/// Runs the commands of two systems of one stage. Returns the holder of the camera, and the refused
/// entities with the entities that they conflict with.
fn filmed(orders: [Order; 2]) -> ([Entity; 2], Option<Entity>, Vec<(Entity, Reason)>) {
    thread_local! {
        static REFUSED: RefCell<Vec<(Entity, Reason)>> = const { RefCell::new(Vec::new()) };
    }
    let mut studio = Studio::new(Orders(orders, None));
    let pair = [studio.spawn(Camera), studio.spawn(())];
    studio.resource_mut::<Orders>().1 = Some(pair);
    REFUSED.take();
    studio.on_failed_command(FailurePolicy::Call(|stray| {
        let reason = stray.refused.expect("a rule refused it").reason;
        REFUSED.with_borrow_mut(|refused| refused.push((stray.entity, reason)));
    }));
    studio.film();
    assert!(studio.query::<&Camera>().iter().count() <= 1);
    let holder = studio.unique::<Camera>().map(|(entity, _)| entity);
    // the rule still holds: there is one camera, and a second one is refused
    if let Some(holder) = holder {
        assert_eq!(studio.try_spawn(Camera).unwrap_err().reason, Reason::HeldBy(holder));
        studio.remove::<Camera>(holder).unwrap();
    }
    assert!(studio.try_spawn(Camera).is_ok());
    (pair, holder, REFUSED.take())
}

#[test]
fn w50_a_unique_component_that_is_removed_can_be_added_elsewhere_in_the_same_flush() {
    let all: [[Order; 2]; 4] = [
        // by two systems of a stage: commands are applied in source order
        [|commands, [a, _]| commands.remove::<Camera>(a), |commands, [_, b]| commands.insert(b, Camera)],
        [|commands, [a, _]| commands.despawn(a), |commands, [_, b]| commands.insert(b, Camera)],
        // by one system
        [
            |commands, [a, b]| {
                commands.remove::<Camera>(a);
                commands.insert(b, Camera);
            },
            |_, _| {},
        ],
        // the value moves to another entity, back, and to the other again
        [
            |commands, [a, b]| {
                commands.remove::<Camera>(a);
                commands.insert(b, Camera);
                commands.remove::<Camera>(b);
                commands.insert(a, Camera);
            },
            |commands, [a, b]| {
                commands.despawn(a);
                commands.insert(b, Camera);
            },
        ],
    ];
    for orders in all {
        let ([_, b], holder, refused) = filmed(orders);
        assert_eq!((holder, refused), (Some(b), vec![]));
    }
}

#[test]
fn w50_a_unique_component_that_is_added_before_it_is_removed_elsewhere_is_refused_and_reported() {
    let all: [[Order; 2]; 3] = [
        [|commands, [_, b]| commands.insert(b, Camera), |commands, [a, _]| commands.remove::<Camera>(a)],
        [|commands, [_, b]| commands.insert(b, Camera), |commands, [a, _]| commands.despawn(a)],
        [
            |commands, [a, b]| {
                commands.insert(b, Camera);
                commands.remove::<Camera>(a);
            },
            |_, _| {},
        ],
    ];
    for orders in all {
        let ([a, b], holder, refused) = filmed(orders);
        assert_eq!((holder, refused), (None, vec![(b, Reason::HeldBy(a))]));
    }
    // two entities get it in one stage: the first in source order keeps it
    let ([_, b], holder, refused) = filmed([
        |commands, [a, b]| {
            commands.remove::<Camera>(a);
            commands.insert(b, Camera);
        },
        |commands, [a, _]| commands.insert(a, Camera),
    ]);
    assert_eq!((holder, refused.len()), (Some(b), 1));
    assert_eq!(refused[0].1, Reason::HeldBy(b));
}

#[test]
fn g02_an_entity_may_have_a_stable_id_for_saves() {
    let mut dungeon = Dungeon::new();
    let saved: Vec<StableId> = (0..3).map(|_| dungeon.resource_mut::<StableIds>().make()).collect();
    let before: Vec<Entity> = saved.iter().map(|&id| dungeon.spawn(id)).collect();
    dungeon.clear();
    // loading in another order gives other ids, and the indexed values find the entities
    let after: Vec<Entity> = saved.iter().rev().map(|&id| dungeon.spawn((id, Position(0, 0)))).collect();
    assert_ne!(before, after);
    assert_eq!(dungeon.find_one::<StableId>(&saved[0]), Some(after[2]));
    assert_eq!(dungeon.try_spawn(saved[0]).unwrap_err().reason, Reason::Duplicate(after[2]));
}

#[test]
fn r01_any_hashable_thing_can_stand_for_an_entity() {
    let mut dungeon = Dungeon::new();
    let handle = |area: &str, at| Handle { area: area.to_owned(), at };
    let cellar = dungeon.spawn(handle("cellar", (1, 1)));
    let attic = dungeon.spawn(handle("attic", (1, 1)));
    assert_eq!(dungeon.find_one::<Handle>(&handle("attic", (1, 1))), Some(attic));
    assert!(dungeon.insert(attic, handle("cellar", (1, 1))).is_err());
    dungeon.insert(cellar, handle("cellar", (2, 2))).unwrap();
    assert_eq!(dungeon.find_one::<Handle>(&handle("cellar", (1, 1))), None);
}

#[test]
fn r07_a_primitive_in_a_newtype_may_have_an_index() {
    let mut dungeon = Dungeon::new();
    let ids: Vec<Entity> = dungeon.spawn_batch([5, 7, 5].map(Gold)).collect();
    **dungeon.get_tracked::<Gold>(ids[1]).unwrap() -= 2;
    assert_eq!(dungeon.find::<Gold>(&Gold(5)).collect::<Vec<_>>(), ids);
}
