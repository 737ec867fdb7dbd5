//! W: WECS, reactions: systems that are told when an entity begins and ceases to pass their filter.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked, removed)]
struct Shield(u32);
#[derive(Component, Clone)]
struct Ship;
#[derive(Component, Clone)]
struct Docked;

type Armed = (With<Ship>, With<Shield>);

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Told {
    entered: Vec<Entity>,
    exited: Vec<Entity>,
    lost: Vec<(Entity, u32)>,
    order: Vec<&'static str>,
}

world! {
    #[derive(Clone)]
    struct Fleet {
        components { Shield, Ship, Docked }
        resources { told: Told = Told::default(), watching: Watching = Watching(true) }
    }
    schedule step { begin; react if watching; also }
}

#[derive(Resource, Clone)]
struct Watching(bool);

#[system(Fleet)]
fn watching(watching: Res<Watching>) -> bool {
    watching.0
}

#[system(Fleet)]
fn begin(mut told: ResMut<Told>) {
    *told = Told::default();
}

/// Exits come before entries: what was replaced has left first.
#[system(Fleet)]
fn react(exited: Exited<Armed>, mut lost: Removed<Shield>, entered: Entered<Armed>, mut told: ResMut<Told>) {
    told.order.push("react");
    told.exited = exited.iter().collect();
    told.lost = lost.iter().map(|(entity, shield)| (entity, shield.0)).collect();
    told.entered = entered.iter().collect();
}

#[system(Fleet)]
fn also(entered: Entered<Or<(With<Docked>, Without<Ship>)>>, mut told: ResMut<Told>) {
    if !entered.is_empty() {
        told.order.push("also");
    }
}

fn fleet() -> (Fleet, Entity) {
    let mut fleet = Fleet::default();
    let ship = fleet.spawn((Ship, Shield(1)));
    fleet.step();
    (fleet, ship)
}

fn told(fleet: &mut Fleet) -> (Vec<Entity>, Vec<Entity>, Vec<(Entity, u32)>) {
    fleet.step();
    let told = fleet.resource::<Told>();
    (told.entered.clone(), told.exited.clone(), told.lost.clone())
}

#[test]
fn w19_a_system_is_told_who_newly_passes_its_filter() {
    let (mut fleet, ship) = fleet();
    assert_eq!(fleet.resource::<Told>().entered, [ship], "all who are there when it first runs");
    let bare = fleet.spawn(Ship);
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
    fleet.insert(bare, Shield(2)).unwrap();
    let born = fleet.spawn((Shield(3), Ship));
    let mut both = vec![bare, born];
    both.sort();
    assert_eq!(told(&mut fleet), (both, vec![], vec![]));
}

#[test]
fn w20_a_system_is_told_who_ceases_to_pass_its_filter_and_what_was_lost() {
    let (mut fleet, ship) = fleet();
    let other = fleet.spawn((Ship, Shield(2)));
    fleet.step();
    assert_eq!(fleet.remove::<Shield>(ship), Ok(Some(Shield(1))));
    fleet.despawn(other).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![ship, other], vec![(ship, 1), (other, 2)]));
    assert!(fleet.get::<Shield>(other).is_none());
    // without the component that was lost: it is still there
    fleet.insert(ship, Shield(4)).unwrap();
    fleet.step();
    fleet.remove::<Ship>(ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![ship], vec![]));
    assert_eq!(fleet.get(ship), Some(&Shield(4)));
}

#[test]
fn w20_a_system_that_did_not_run_is_told_when_it_does() {
    let (mut fleet, ship) = fleet();
    fleet.resource_mut::<Watching>().0 = false;
    fleet.despawn(ship).unwrap();
    let new = fleet.spawn((Ship, Shield(5)));
    fleet.step();
    assert_eq!(fleet.resource::<Told>().order, ["also"; 0]);
    fleet.resource_mut::<Watching>().0 = true;
    assert_eq!(told(&mut fleet), (vec![new], vec![ship], vec![(ship, 1)]));
}

#[test]
fn w21_who_stays_matched_is_never_reported() {
    let (mut fleet, ship) = fleet();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
    fleet.get_tracked::<Shield>(ship).unwrap().0 = 9;
    fleet.insert(ship, (Shield(10), Docked)).unwrap(); // a new value replaces the old one
    fleet.remove::<Docked>(ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
    // came and went before anybody looked
    let brief = fleet.spawn((Ship, Shield(1)));
    fleet.despawn(brief).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![(brief, 1)]));
}

#[test]
fn w21_what_is_removed_and_added_is_replaced() {
    let (mut fleet, ship) = fleet();
    fleet.remove::<Shield>(ship).unwrap();
    fleet.insert(ship, Shield(2)).unwrap();
    assert_eq!(told(&mut fleet), (vec![ship], vec![ship], vec![(ship, 1)]));
    // of the ship itself, which is not tracked, nobody knows
    fleet.remove::<Ship>(ship).unwrap();
    fleet.insert(ship, Ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
}

#[test]
fn w21_an_heir_to_a_slot_is_somebody_else() {
    let (mut fleet, ship) = fleet();
    fleet.despawn(ship).unwrap();
    let heir = fleet.spawn((Ship, Shield(2)));
    assert_eq!((heir.slot(), heir == ship), (ship.slot(), false));
    assert_eq!(told(&mut fleet), (vec![heir], vec![ship], vec![(ship, 1)]));
}

#[test]
fn w22_reactions_come_in_the_order_of_the_schedule_and_of_the_slots() {
    let (mut fleet, ship) = fleet();
    let more: Vec<Entity> = (0..100).map(|_| fleet.spawn((Ship, Shield(0), Docked))).collect();
    fleet.despawn(ship).unwrap();
    fleet.step();
    let told = fleet.resource::<Told>();
    assert_eq!(told.order, ["react", "also"]);
    assert!(told.entered.is_sorted() && told.entered == more);
    let mut copy = fleet.clone();
    for &one in more.iter().rev() {
        fleet.remove::<Shield>(one).unwrap();
        copy.remove::<Shield>(one).unwrap();
    }
    fleet.step();
    copy.step();
    let told = fleet.resource::<Told>();
    assert_eq!(told.exited, more);
    assert!(
        told.lost.iter().rev().map(|(entity, _)| *entity).eq(more),
        "in the order in which they were lost"
    );
    assert_eq!(copy.resource::<Told>(), told);
}
