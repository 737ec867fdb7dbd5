//! Removed values: their readers, and the time when they are freed.

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, Debug)]
#[component(removed)]
struct Cargo(u32, #[allow(dead_code)] Token);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(removed = 3, tracked)]
struct Mark(u32);
#[derive(Component, Clone, Debug)]
#[component(removed)]
struct Flag;
#[derive(Component, Clone, Debug)]
#[component(removed)]
struct Unread(#[allow(dead_code)] Token);

#[derive(Resource, Clone, Default, Debug)]
struct Report {
    first: Vec<(Entity, u32)>,
    second: Vec<u32>,
    marks: Vec<u32>,
    missed: u64,
    flags: Vec<Entity>,
}

#[derive(Resource, Clone, Debug)]
struct Open(bool);

world! {
    #[derive(Clone)]
    struct Port {
        components { Cargo, Mark, Flag, Unread }
        resources { report: Report = Report::default(), open: Open = Open(true) }
    }
    schedule tick { first; second if open; marks if open; per_entity; unload; others }
}

#[system(Port)]
fn open(open: Res<Open>) -> bool {
    open.0
}

#[system(Port)]
fn first(mut removed: Removed<Cargo>, mut report: ResMut<Report>) {
    let len = removed.len();
    report.first = removed.iter().map(|(entity, cargo)| (entity, cargo.0)).collect();
    assert_eq!((report.first.len(), removed.is_empty()), (len, true));
}

#[system]
fn second(mut removed: Removed<Cargo>, mut report: ResMut<Report>) {
    report.second.extend(removed.iter().map(|(_, cargo)| cargo.0));
}

#[system]
fn marks(mut removed: Removed<Mark>, mut report: ResMut<Report>) {
    report.missed = removed.missed();
    report.marks = (&mut removed).into_iter().map(|(_, mark)| mark.0).collect();
}

#[system(Port)]
fn per_entity(_mark: &Mark, mut removed: Removed<Flag>, mut report: ResMut<Report>) {
    report.flags.extend(removed.iter().map(|(entity, _)| entity));
}

/// Removes the cargo of marked ships.
#[system(Port)]
fn unload(marked: Query<Entity, Changed<Mark>>, mut cargo: Storage<Cargo>) {
    for entity in &marked {
        cargo.remove(entity);
    }
}

#[system(Port)]
fn others(cargo: Query<&mut Cargo>) {
    let _ = cargo;
}

fn values(port: &Port) -> Vec<u32> {
    port.resource::<Report>().first.iter().map(|(_, value)| *value).collect()
}

#[test]
fn every_way_to_lose_a_value_is_reported_in_order() {
    let ledger = Ledger::new();
    let mut port = Port::new();
    let cargo = |value| Cargo(value, ledger.token());
    let ids: Vec<Entity> = port.spawn_batch((0..9).map(cargo)).collect();
    assert_eq!(port.remove::<Cargo>(ids[3]).unwrap().map(|cargo| cargo.0), Some(3));
    assert_eq!(port.remove_one::<Cargo>(ids[1]).unwrap().map(|cargo| cargo.0), Some(1));
    port.despawn(ids[5]).unwrap();
    assert_eq!(port.try_remove::<Cargo>(ids[0]).map(|cargo| cargo.0).ok(), Some(0));
    assert_eq!(port.columns_mut().cargo.remove(ids[2]).map(|cargo| cargo.0), Some(2));
    assert_eq!(port.entity_mut(ids[4]).unwrap().remove::<Cargo>().map(|cargo| cargo.0), Some(4));
    assert!(port.insert(ids[6], cargo(60)).unwrap().is_some()); // replaced, not removed
    assert!(port.remove::<Cargo>(ids[3]).unwrap().is_none());
    port.clear();
    port.tick();
    assert_eq!(values(&port), [3, 1, 5, 0, 2, 4, 60, 7, 8]);
    assert_eq!(port.resource::<Report>().first[2].0, ids[5]);
    assert_eq!(port.resource::<Report>().first[8].0, ids[8]);
    assert_eq!(ledger.alive(), 0, "all have read, so all are freed");
    port.tick();
    assert!(values(&port).is_empty());
}

#[test]
fn each_place_reads_each_removal_once() {
    let ledger = Ledger::new();
    let mut port = Port::new();
    let ids: Vec<Entity> = port.spawn_batch((0..4).map(|value| Cargo(value, ledger.token()))).collect();
    port.resource_mut::<Open>().0 = false;
    port.despawn(ids[0]).unwrap();
    port.tick();
    drop(port.remove::<Cargo>(ids[1]));
    port.tick();
    assert_eq!(values(&port), [1]);
    assert_eq!(ledger.alive(), 4, "two that live, and two that wait for the second reader");
    port.resource_mut::<Open>().0 = true;
    port.tick();
    assert_eq!((values(&port), &port.resource::<Report>().second), (vec![], &vec![0, 1]));
    assert_eq!(ledger.alive(), 2);
}

#[test]
fn removed_values_are_seen_by_earlier_systems_in_the_next_run() {
    let ledger = Ledger::new();
    let mut port = Port::new();
    port.spawn((Cargo(7, ledger.token()), Mark(0)));
    port.tick();
    assert_eq!((values(&port), ledger.alive()), (vec![], 1));
    port.tick();
    assert_eq!((values(&port), ledger.alive()), (vec![7], 0));
}

#[test]
fn without_readers_no_removed_values_are_kept() {
    let ledger = Ledger::new();
    let mut port = Port::new();
    let ids: Vec<Entity> = port.spawn_batch((0..4).map(|_| Unread(ledger.token()))).collect();
    port.despawn(ids[0]).unwrap();
    drop(port.remove::<Unread>(ids[1]));
    assert_eq!(ledger.alive(), 2);
    port.clear();
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_bounded_log_drops_the_oldest_and_counts_them() {
    let mut port = Port::new();
    let ids: Vec<Entity> = port.spawn_batch((0..10).map(Mark)).collect();
    for &id in &ids[..5] {
        port.despawn(id).unwrap();
    }
    port.tick();
    let report = port.resource::<Report>();
    assert_eq!((&report.marks[..], report.missed), (&[2, 3, 4][..], 2));
    port.clear();
    port.tick();
    let report = port.resource::<Report>();
    assert_eq!((&report.marks[..], report.missed), (&[7, 8, 9][..], 2));
    port.tick();
    assert_eq!((port.resource::<Report>().marks.len(), port.resource::<Report>().missed), (0, 0));
}

#[test]
fn a_per_entity_system_is_lent_all_values_for_every_entity() {
    let mut port = Port::new();
    let flag = port.spawn(Flag);
    port.spawn(Mark(1));
    port.spawn(Mark(2));
    port.remove::<Flag>(flag).unwrap();
    port.tick();
    port.tick();
    assert_eq!(port.resource::<Report>().flags, [flag, flag]);
}

#[test]
fn a_system_in_run_sees_the_kept_values_and_frees_nothing() {
    let ledger = Ledger::new();
    let mut port = Port::new();
    let id = port.spawn(Cargo(1, ledger.token()));
    port.despawn(id).unwrap();
    for _ in 0..2 {
        port.run::<first>();
        assert_eq!(values(&port), [1]);
    }
    port.tick();
    assert_eq!((values(&port), ledger.alive()), (vec![1], 0));
}

#[test]
fn a_unit_test_calls_a_system_with_values_of_its_own() {
    let mut port = Port::new();
    let (id, ledger) = (port.spawn(()), Ledger::new());
    let mut report = Report::default();
    first(Removed::new(&[(id, Cargo(4, ledger.token()))]), ResMut::new(&mut report));
    assert_eq!(report.first, [(id, 4)]);
}

#[test]
fn a_system_that_also_sends_or_defers_sees_each_value_once() {
    #[derive(Event)]
    struct Lost(u32);
    #[derive(Resource, Default)]
    struct Told(Vec<u32>);
    world! {
        struct Harbour {
            components { Cargo }
            resources { told: Told = Told::default() }
            events { Lost(external) }
        }
        schedule tick { tell; }
    }
    #[system(Harbour)]
    fn tell(mut removed: Removed<Cargo>, mut lost: EventWriter<Lost>, mut commands: Commands<Harbour>) {
        for (_, cargo) in &mut removed {
            lost.send(Lost(cargo.0));
            let number = cargo.0;
            commands.run(move |harbour| harbour.resource_mut::<Told>().0.push(number));
        }
    }
    let ledger = Ledger::new();
    let mut harbour = Harbour::new();
    for number in 0..3 {
        let id = harbour.spawn(Cargo(number, ledger.token()));
        harbour.despawn(id).unwrap();
        harbour.tick();
        assert_eq!(ledger.alive(), 0, "it was read");
        harbour.tick();
    }
    assert_eq!(harbour.resource::<Told>().0, [0, 1, 2]);
    assert_eq!(harbour.drain::<Lost>().map(|lost| lost.0).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn the_bound_holds_also_after_a_panic_in_clear() {
    #[derive(Component)]
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a bomb is dropped");
        }
    }
    world! {
        struct Mine { components { Mark, Bomb } }
        schedule tick { count }
    }
    #[system(Mine)]
    fn count(mut removed: Removed<Mark>) {
        assert_eq!((removed.missed(), removed.iter().map(|(_, mark)| mark.0).collect()), (4, vec![4, 5, 6]));
    }
    let mut mine = Mine::new();
    mine.spawn_batch((0..7).map(Mark));
    mine.spawn(Bomb);
    assert_eq!(ecs_tests::fuse::panic_message(|| mine.clear()), "a bomb is dropped");
    let marks = mine.stats().columns.into_iter().find(|column| column.component == "Mark").unwrap();
    assert_eq!(marks.removed.map(|log| (log.kept, log.keep, log.lost)), Some((3, Some(3), 4)));
    mine.tick();
}
