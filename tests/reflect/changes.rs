//! Changes since a moment, and events, for tools that follow a world.

use ecs::prelude::*;
use ecs::reflect::{AllowList, DynamicValue, ReflectWorld};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Life(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Hunger(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Place(u32);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Cry(u32);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Call(u32);

world! {
    #[derive(Clone, Reflect)]
    struct Meadow {
        components { Life, Hunger, Place }
        events { Cry(external), Call(external, keep = 2) }
    }
    schedule tick { age; hear }
}

#[system(Meadow)]
fn age(life: Option<Mut<Life>>) {
    if let Some(mut life) = life {
        life.0 += 1;
    }
}

#[system(Meadow)]
fn hear(mut cries: EventReader<Cry>) {
    cries.clear();
}

/// The entities of a query that may have changed since a moment in which `change` follows.
fn changed(meadow: &mut Meadow, text: &str, change: impl FnOnce(&mut Meadow)) -> Vec<Entity> {
    meadow.advance_tick();
    let query = meadow.reflect().prepare(&text.parse().unwrap()).unwrap();
    let moment = meadow.reflect().moment();
    change(meadow);
    let world = meadow.reflect();
    let mut entities = world.entities_prepared(&query).unwrap();
    world.changed_since(&query, &moment, &mut entities).unwrap();
    entities
}

#[test]
fn values_that_ticks_tell_unchanged_are_left_out() {
    let mut meadow = Meadow::new();
    let [wolf, bear, hare] = [3, 9, 1].map(|life| meadow.spawn((Life(life), Place(1))));
    meadow.insert(bear, Hunger(2)).unwrap();
    let nothing = |_: &mut Meadow| ();
    assert_eq!(changed(&mut meadow, "Life", nothing), []);
    assert_eq!(changed(&mut meadow, "with Life", nothing), [], "rows have no values");
    assert_eq!(changed(&mut meadow, "Life, Place", nothing), [wolf, bear, hare], "`Place` is not tracked");
    // a component that an entity lacks may have been removed
    assert_eq!(changed(&mut meadow, "Life, ?Hunger", nothing), [wolf, hare]);
    let change = |meadow: &mut Meadow| meadow.get_tracked::<Life>(hare).unwrap().0 = 2;
    assert_eq!(changed(&mut meadow, "Life, Life < 5", change), [hare]);
    assert_eq!(changed(&mut meadow, "Life", |meadow| drop(meadow.insert(bear, Life(9)))), [bear]);
    assert_eq!(changed(&mut meadow, "Life", Meadow::tick), [wolf, bear, hare]);
    let again = |meadow: &mut Meadow| {
        meadow.despawn(wolf).unwrap();
        assert_eq!(meadow.spawn((Life(3), Place(1))).slot(), wolf.slot());
    };
    assert_eq!(changed(&mut meadow, "Life", again).len(), 1, "another entity in the slot");
}

#[test]
fn all_values_count_as_changed_in_a_world_that_was_restored_or_is_another() {
    let mut meadow = Meadow::new();
    let wolf = meadow.spawn(Life(3));
    let snapshot = meadow.snapshot();
    assert_eq!(changed(&mut meadow, "Life", |_| ()), []);
    // on another way past the tick of the moment
    let restore = |meadow: &mut Meadow| {
        meadow.restore(&snapshot);
        (0..3).for_each(|_| _ = meadow.advance_tick());
    };
    assert_eq!(changed(&mut meadow, "Life", restore), [wolf]);
    assert_eq!(changed(&mut meadow, "Life", |_| ()), []);
    let other = meadow.clone();
    assert_eq!(changed(&mut meadow, "Life", |meadow| *meadow = other), [wolf]);
    // the first snapshot of a world says nothing about restores before it
    let mut fresh = Meadow::new();
    let bear = fresh.spawn(Life(1));
    assert_eq!(changed(&mut fresh, "Life", |fresh| drop(fresh.snapshot())), [bear]);
}

#[test]
fn events_are_read_by_their_numbers_until_the_queue_drops_them() {
    let mut meadow = Meadow::new();
    let ints = |values: &[i128]| values.iter().map(|value| DynamicValue::Int(*value)).collect::<Vec<_>>();
    let start = meadow.reflect().events_since("Cry", u64::MAX, 0).unwrap();
    assert_eq!((start.next, start.missed), (0, 0));
    (1..=3).for_each(|at| meadow.send(Cry(at)));
    let page = meadow.reflect().events_since("Cry", start.next, 2).unwrap();
    assert_eq!((page.events, page.next, page.missed), (ints(&[1, 2]), 2, 0));
    let page = meadow.reflect().events_since("Cry", page.next, 9).unwrap();
    assert_eq!((page.events, page.next), (ints(&[3]), 3));
    // the system has read one more, which is dropped
    meadow.send(Cry(4));
    meadow.tick();
    meadow.send(Cry(5));
    let page = meadow.reflect().events_since("Cry", page.next, 9).unwrap();
    assert_eq!((page.events, page.next, page.missed), (ints(&[5]), 5, 1));
    // a bound drops events, too, and reading by number is no reading
    (1..=5).for_each(|at| meadow.send(Call(at)));
    let page = meadow.reflect().events_since("Call", 1, 9).unwrap();
    assert_eq!((page.events, page.next, page.missed), (ints(&[4, 5]), 5, 2));
    assert_eq!(meadow.drain::<Call>().count(), 2);

    let guest = meadow.reflect().restrict(&AllowList::new().events(["Cry"])).unwrap();
    let error = guest.events_since("Call", 0, 1).unwrap_err();
    assert!(error.to_string().contains("no event `Call`"), "{error}");
}
