//! `Entered` and `Exited`: entities that began or ceased to pass a filter between two runs of a
//! system.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Name(u32);
#[derive(Component, Clone, Debug)]
struct Sleeping;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Health(u32);

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Report {
    came: Vec<Entity>,
    left: Vec<Entity>,
    tracked: (Vec<Entity>, Vec<Entity>),
    either: (Vec<Entity>, Vec<Entity>),
    everybody: (Vec<Entity>, Vec<Entity>),
    generic: usize,
}

world! {
    #[derive(Clone)]
    struct Town {
        components { Name, Sleeping, Health }
        resources { report: Report = Report::default() }
    }
    schedule tick { report }
    schedule others { tracked; either; everybody; count_new::<Name>; each }
}

type Awake = (With<Name>, Without<Sleeping>);

#[system(Town)]
fn report(came: Entered<Awake>, left: Exited<Awake>, mut report: ResMut<Report>) {
    report.came = came.iter().collect();
    report.left = left.into_iter().collect();
    assert!(report.came.iter().all(|&entity| came.contains(entity)));
    assert_eq!((came.len(), left.is_empty()), (report.came.len(), report.left.is_empty()));
}

#[system(Town)]
fn tracked(
    came: Entered<And<(With<Name>, With<Health>)>>,
    left: Exited<(With<Name>, With<Health>)>,
    mut report: ResMut<Report>,
) {
    report.tracked = (came.iter().collect(), left.iter().collect());
}

#[system(Town)]
fn either(
    came: Entered<Or<(With<Sleeping>, Not<With<Name>>)>>,
    left: Exited<Or<(With<Sleeping>, Not<With<Name>>)>>,
    mut report: ResMut<Report>,
) {
    report.either = (came.iter().collect(), left.iter().collect());
}

#[system(Town)]
fn everybody(born: Entered<()>, died: Exited<()>, mut report: ResMut<Report>) {
    report.everybody = (born.iter().collect(), died.iter().collect());
}

#[system]
fn count_new<T: Component>(new: Entered<With<T>>, mut report: ResMut<Report>) {
    report.generic = new.len();
}

#[system(Town)]
fn each(entity: Entity, name: &Name, new: Entered<With<Name>>) {
    assert!(new.contains(entity) == (name.0 < 100));
}

fn town(count: u32) -> (Town, Vec<Entity>) {
    let mut town = Town::new();
    let ids = town.spawn_batch((0..count).map(Name)).collect();
    (town, ids)
}

fn came(town: &Town) -> &[Entity] {
    &town.resource::<Report>().came
}

fn left(town: &Town) -> &[Entity] {
    &town.resource::<Report>().left
}

#[test]
fn a_reused_slot_is_an_exit_and_an_entry() {
    let mut town = Town::new();
    let ids: Vec<Entity> = (0..64).map(|i| town.spawn(Name(i))).collect();
    town.tick();
    town.despawn(ids[5]).unwrap();
    let heir = town.spawn(Name(5));
    assert_eq!(heir.slot(), ids[5].slot());
    town.tick();
    assert_eq!((came(&town), left(&town)), (&[heir][..], &ids[5..6]));
    town.tick();
    assert_eq!((came(&town), left(&town)), (&[][..], &[][..]));
}

#[test]
fn a_replaced_component_is_seen_where_it_is_tracked() {
    let (mut town, ids) = town(2);
    town.insert(ids[0], Health(1)).unwrap();
    town.others();
    assert_eq!(town.resource::<Report>().tracked, (vec![ids[0]], vec![]));
    // not tracked
    town.remove::<Name>(ids[0]).unwrap();
    town.insert(ids[0], Name(3)).unwrap();
    // replacing a value is no entry
    town.insert(ids[0], Health(2)).unwrap();
    town.get_tracked::<Health>(ids[0]).unwrap().0 = 3;
    for name in town.query_mut::<&mut Name>() {
        name.0 += 100;
    }
    town.others();
    assert_eq!(town.resource::<Report>().tracked, (vec![], vec![]));
    town.remove::<Health>(ids[0]).unwrap();
    town.insert(ids[0], Health(2)).unwrap();
    town.others();
    assert_eq!(town.resource::<Report>().tracked, (vec![ids[0]], vec![ids[0]]));
    town.others();
    assert_eq!(town.resource::<Report>().tracked, (vec![], vec![]));
}

#[test]
fn any_filter_will_do() {
    let (mut town, ids) = town(2);
    let nameless = town.spawn(());
    town.others();
    let report = town.resource::<Report>().clone();
    assert_eq!(report.either, (vec![nameless], vec![]));
    let mut all = vec![ids[0], ids[1], nameless];
    all.sort();
    assert_eq!((report.everybody, report.generic), ((all, vec![]), 2));
    for name in town.query_mut::<&mut Name>() {
        name.0 += 100;
    }
    town.insert(nameless, Name(200)).unwrap();
    town.insert(nameless, Sleeping).unwrap();
    town.remove::<Name>(ids[1]).unwrap();
    town.query_mut::<&mut Name>().for_each(|name| name.0 %= 200);
    town.despawn(ids[0]).unwrap();
    town.others();
    let report = town.resource::<Report>().clone();
    assert_eq!(report.either, (vec![ids[1]], vec![]));
    assert_eq!((report.everybody, report.generic), ((vec![], vec![ids[0]]), 1));
}

#[test]
fn a_clone_keeps_the_history_of_filters() {
    let (mut town, ids) = town(2);
    town.tick();
    let mut copy = town.clone();
    town.despawn(ids[0]).unwrap();
    copy.despawn(ids[1]).unwrap();
    town.tick();
    copy.tick();
    assert_eq!((left(&town), left(&copy)), (&ids[..1], &ids[1..]));
    let mut run_once = Town::new();
    let one = run_once.spawn(Name(1));
    run_once.run::<report>();
    run_once.run::<report>();
    assert_eq!(came(&run_once), [one]);
}

#[test]
fn a_unit_test_calls_a_system_with_entities_of_its_own() {
    let (mut town, ids) = town(2);
    let mut found = Report::default();
    report(Entered::new(&ids), Exited::new(&[]), ResMut::new(&mut found));
    assert_eq!(found.came, ids);
    town.clear();
}
