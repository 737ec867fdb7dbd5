//! W: WECS, reactions: systems that handle entities that begin or cease to pass a filter.

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
        resources { told: Told = Told::default(), watching: Watching = Watching(true), orders: Orders = Orders([|_, _| {}; 2], None) }
    }
    schedule step { begin; react if watching; also }
    schedule orders { first, second; react }
}

/// The commands of two systems of one stage.
#[derive(Resource, Clone, Copy)]
struct Orders([fn(&mut Commands<'_, Fleet>, Entity); 2], Option<Entity>);

#[system(Fleet)]
fn first(orders: Res<Orders>, mut commands: Commands<Fleet>) {
    orders.1.into_iter().for_each(|ship| orders.0[0](&mut commands, ship));
}

#[system(Fleet)]
fn second(orders: Res<Orders>, mut commands: Commands<Fleet>) {
    orders.1.into_iter().for_each(|ship| orders.0[1](&mut commands, ship));
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

/// Exits come before entries: a replaced value leaves before the new one enters.
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
fn w19_a_system_sees_the_entities_that_newly_pass_its_filter() {
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
fn w20_a_system_sees_the_entities_that_cease_to_pass_its_filter_and_the_removed_values() {
    let (mut fleet, ship) = fleet();
    let other = fleet.spawn((Ship, Shield(2)));
    fleet.step();
    assert_eq!(fleet.remove::<Shield>(ship), Ok(Some(Shield(1))));
    fleet.despawn(other).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![ship, other], vec![(ship, 1), (other, 2)]));
    assert!(fleet.get::<Shield>(other).is_none());
    // the entity has all other components
    fleet.insert(ship, Shield(4)).unwrap();
    fleet.step();
    fleet.remove::<Ship>(ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![ship], vec![]));
    assert_eq!(fleet.get(ship), Some(&Shield(4)));
}

#[test]
fn w20_a_system_that_did_not_run_sees_the_changes_when_it_runs() {
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
fn w21_an_entity_that_stays_matched_is_never_reported() {
    let (mut fleet, ship) = fleet();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
    fleet.get_tracked::<Shield>(ship).unwrap().0 = 9;
    fleet.insert(ship, (Shield(10), Docked)).unwrap(); // a new value replaces the old one
    fleet.remove::<Docked>(ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
    // added and removed between two runs
    let brief = fleet.spawn((Ship, Shield(1)));
    fleet.despawn(brief).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![(brief, 1)]));
}

#[test]
fn w21_a_value_removed_and_added_again_counts_as_replaced() {
    let (mut fleet, ship) = fleet();
    fleet.remove::<Shield>(ship).unwrap();
    fleet.insert(ship, Shield(2)).unwrap();
    assert_eq!(told(&mut fleet), (vec![ship], vec![ship], vec![(ship, 1)]));
    // `Ship` is not tracked, so its changes are not recorded
    fleet.remove::<Ship>(ship).unwrap();
    fleet.insert(ship, Ship).unwrap();
    assert_eq!(told(&mut fleet), (vec![], vec![], vec![]));
}

#[test]
fn w21_a_new_entity_in_a_reused_slot_is_a_different_entity() {
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

/// The reactions to the commands of one stage.
fn ordered(
    fleet: &mut Fleet,
    ship: Entity,
    orders: [fn(&mut Commands<'_, Fleet>, Entity); 2],
) -> (Vec<Entity>, Vec<Entity>, Vec<(Entity, u32)>) {
    *fleet.resource_mut() = Orders(orders, Some(ship));
    fleet.orders();
    let told = fleet.resource::<Told>();
    (told.entered.clone(), told.exited.clone(), told.lost.clone())
}

#[test]
fn w21_a_component_that_is_added_and_removed_before_the_flush_is_not_reported() {
    let nothing = (vec![], vec![], vec![]);
    let mut fleet = Fleet::default();
    let ship = fleet.spawn(Ship);
    assert_eq!(ordered(&mut fleet, ship, [|_, _| {}; 2]), nothing);
    // by one system, and by two systems of a stage
    let both: fn(&mut Commands<'_, Fleet>, Entity) = |commands, ship| {
        commands.insert(ship, Shield(1));
        commands.remove::<Shield>(ship);
    };
    assert_eq!(ordered(&mut fleet, ship, [both, |_, _| {}]), nothing);
    assert_eq!(
        ordered(
            &mut fleet,
            ship,
            [
                |commands, ship| commands.insert(ship, Shield(1)),
                |commands, ship| commands.remove::<Shield>(ship),
            ]
        ),
        nothing
    );
    // several times, with another value in between
    assert_eq!(ordered(&mut fleet, ship, [both, both]), nothing);
    assert_eq!(
        ordered(
            &mut fleet,
            ship,
            [
                |commands, ship| {
                    commands.insert(ship, Shield(1));
                    commands.insert(ship, Shield(2));
                },
                |commands, ship| commands.remove::<(Shield, Docked)>(ship),
            ]
        ),
        nothing
    );
    // an entity that is spawned and despawned
    let brief: fn(&mut Commands<'_, Fleet>, Entity) = |commands, _| {
        let brief = commands.spawn((Ship, Shield(3)));
        commands.despawn(brief);
    };
    assert_eq!(ordered(&mut fleet, ship, [brief, |_, _| {}]), nothing);
    // an entity that is despawned with the component that it got
    let sunk = fleet.spawn(Ship);
    let sink: fn(&mut Commands<'_, Fleet>, Entity) = |commands, sunk| {
        commands.insert(sunk, Shield(4));
        commands.despawn(sunk);
    };
    assert_eq!(ordered(&mut fleet, sunk, [sink, |_, _| {}]), nothing);
    // a value that is added in one flush and removed in the next is reported
    assert_eq!(
        ordered(&mut fleet, ship, [|commands, ship| commands.insert(ship, Shield(5)), |_, _| {}]).0,
        [ship]
    );
    assert_eq!(
        ordered(&mut fleet, ship, [|commands, ship| commands.remove::<Shield>(ship), |_, _| {}]),
        (vec![], vec![ship], vec![(ship, 5)])
    );
}

#[test]
fn w21_a_removed_component_is_reported_once_whatever_comes_after() {
    let mut fleet = Fleet::default();
    let ship = fleet.spawn((Ship, Shield(1)));
    assert_eq!(ordered(&mut fleet, ship, [|_, _| {}; 2]).0, [ship]);
    // removed, added and removed again: the first value is reported as removed, the second is not
    // reported
    assert_eq!(
        ordered(
            &mut fleet,
            ship,
            [
                |commands, ship| {
                    commands.remove::<Shield>(ship);
                    commands.insert(ship, Shield(2));
                },
                |commands, ship| commands.remove::<Shield>(ship),
            ]
        ),
        (vec![], vec![ship], vec![(ship, 1)])
    );
    // replaced and then removed: the component is removed with its last value
    fleet.insert(ship, Shield(3)).unwrap();
    assert_eq!(ordered(&mut fleet, ship, [|_, _| {}; 2]).0, [ship]);
    assert_eq!(
        ordered(
            &mut fleet,
            ship,
            [
                |commands, ship| commands.insert(ship, Shield(4)),
                |commands, ship| commands.remove::<Shield>(ship),
            ]
        ),
        (vec![], vec![ship], vec![(ship, 4)])
    );
    // removed and added: a replacement, with the exit first
    fleet.insert(ship, Shield(5)).unwrap();
    assert_eq!(ordered(&mut fleet, ship, [|_, _| {}; 2]).0, [ship]);
    let replace: fn(&mut Commands<'_, Fleet>, Entity) = |commands, ship| {
        commands.remove::<Shield>(ship);
        commands.insert(ship, Shield(6));
    };
    let told = ordered(&mut fleet, ship, [replace, |_, _| {}]);
    assert_eq!(told, (vec![ship], vec![ship], vec![(ship, 5)]));
}

#[test]
fn w21_changes_of_a_closure_among_commands_are_reported() {
    let mut fleet = Fleet::default();
    let ship = fleet.spawn(Ship);
    // the closure may have run systems that read it
    let told = ordered(
        &mut fleet,
        ship,
        [
            |commands, ship| {
                commands.insert(ship, Shield(1));
                commands.run(|_| {});
            },
            |commands, ship| commands.remove::<Shield>(ship),
        ],
    );
    assert_eq!(told.2, [(ship, 1)]);
}

/// Systems that record when they begin, run and end, and the entities at that time.
mod lives {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Guest;
    #[derive(Resource, Default)]
    pub struct Log(pub Vec<String>);
    #[derive(Event)]
    pub struct Left(#[allow(dead_code)] pub &'static str);

    world! {
        pub struct Inn {
            components { Guest }
            resources { log: Log = Log::default() }
            events { Left(external) }
        }
        schedule open { cook; serve if hungry }
        schedule night { cook }
    }

    fn note(inn: &mut Inn, text: &str) {
        let guests = inn.query::<&Guest>().iter().count();
        inn.resource_mut::<Log>().0.push(format!("{text} {guests}"));
    }

    fn cook_comes(inn: &mut Inn) {
        inn.spawn(Guest);
        note(inn, "cook comes");
    }
    fn cook_goes(inn: &mut Inn) {
        let guest = inn.query::<(Entity, &Guest)>().iter().next().map(|(entity, _)| entity);
        guest.into_iter().for_each(|guest| inn.despawn(guest).unwrap());
        inn.send(Left("cook"));
        note(inn, "cook goes");
    }
    fn serve_goes(inn: &mut Inn) {
        note(inn, "serve goes");
    }
    fn hungry_goes(inn: &mut Inn) {
        note(inn, "hungry goes");
    }

    #[system(Inn, init = cook_comes, exit = cook_goes)]
    pub fn cook(mut log: ResMut<Log>, mut meals: Local<u32>) {
        *meals += 1;
        log.0.push(format!("meal {}", *meals));
    }
    #[system(Inn, exit = serve_goes)]
    pub fn serve(guests: Entered<With<Guest>>, mut log: ResMut<Log>) {
        log.0.push(format!("serve {}", guests.len()));
    }
    #[system(Inn, exit = hungry_goes)]
    pub fn hungry(guests: Query<&Guest>) -> bool {
        !guests.is_empty()
    }
    /// A system for any world.
    fn end<W: HasResource<Log>>(world: &mut W) {
        world.resource_mut::<Log>().0.push("end".into());
    }
    #[system(exit = end)]
    pub fn play(_log: ResMut<Log>) {}

    impl Inn {
        pub fn told(&mut self) -> Vec<String> {
            std::mem::take(&mut self.resource_mut::<Log>().0)
        }
    }
}

#[test]
fn w20_a_removed_system_gets_its_exit_call() {
    use lives::{Inn, Left, cook, play, serve};
    let mut inn = Inn::new();
    inn.told();
    inn.clear();
    let mut schedule = Schedule::<Inn>::new("day");
    schedule.add::<serve>(&mut inn, 2).unwrap();
    schedule.add::<cook>(&mut inn, 1).unwrap();
    schedule.add::<play>(&mut inn, 3).unwrap();
    schedule.run(&mut inn).unwrap();
    assert_eq!(inn.told(), ["cook comes 1", "meal 1", "serve 1"]);
    assert_eq!(schedule.remove::<cook>(&mut inn), 1);
    assert_eq!(inn.told(), ["cook goes 0"]);
    assert_eq!(inn.drain::<Left>().count(), 1, "what it sends then is kept");
    // it is removed from the list, and exits once
    assert_eq!(schedule.remove::<cook>(&mut inn), 0);
    schedule.run(&mut inn).unwrap();
    assert_eq!(inn.told(), ["serve 0"]);
    // by its name; a system that is added again starts with a new state
    assert_eq!(schedule.remove_named(&mut inn, "serve"), 1);
    schedule.add::<cook>(&mut inn, 1).unwrap();
    schedule.run(&mut inn).unwrap();
    schedule.close(&mut inn);
    assert_eq!(inn.told(), ["serve goes 0", "cook comes 1", "meal 1", "cook goes 0", "end"]);
}

#[test]
fn w20_a_system_that_is_removed_while_the_schedule_runs_gets_its_exit_call() {
    use lives::{Inn, cook, serve};
    let mut inn = Inn::new();
    inn.clear();
    inn.told();
    let mut schedule = Schedule::<Inn>::new("day");
    schedule.add::<cook>(&mut inn, 1).unwrap();
    schedule
        .add_exclusive(&mut inn, "dismiss", 2, |inn: &mut Inn| {
            inn.edit_schedule("day", |schedule, inn| _ = schedule.remove::<cook>(inn));
        })
        .unwrap();
    schedule.add::<serve>(&mut inn, 3).unwrap();
    schedule.run(&mut inn).unwrap();
    assert_eq!(inn.told(), ["cook comes 1", "meal 1", "cook goes 0", "serve 0"]);
    schedule.run(&mut inn).unwrap();
    assert_eq!(inn.told(), ["serve 0"]);
}

/// A system that handles exits in the reverse of the order in which the entities came.
mod reversed {
    use ecs::prelude::*;

    #[derive(Component, Clone)]
    #[component(removed)]
    pub struct Plate(pub u32);
    #[derive(Resource, Default)]
    pub struct Order(pub Vec<u32>, pub Vec<Entity>);

    world! {
        pub struct Table {
            components { Plate }
            resources { Order }
        }
        schedule clear_away { put_away }
    }

    #[system(Table)]
    fn put_away(mut removed: Removed<Plate>, gone: Exited<With<Plate>>, mut order: ResMut<Order>) {
        order.0 = removed.iter().rev().map(|(_, plate)| plate.0).collect();
        order.1 = gone.iter().rev().collect();
    }
}

#[test]
fn w22_exits_come_in_reverse_order_where_a_system_asks_for_it() {
    use reversed::{Order, Plate, Table};
    let mut table = Table::default();
    let plates: Vec<Entity> = (0..100).map(|n| table.spawn(Plate(n))).collect();
    table.clear_away();
    plates.iter().for_each(|&plate| table.despawn(plate).unwrap());
    table.clear_away();
    let Order(values, entities) = table.resource::<Order>();
    assert!(values.iter().copied().eq((0..100).rev()));
    assert!(entities.iter().eq(plates.iter().rev()));
}

#[test]
fn w22_exits_come_in_the_reverse_order_of_adding() {
    use lives::{Inn, cook, serve};
    let mut inn = Inn::new();
    inn.clear();
    inn.told();
    let mut schedule = Schedule::<Inn>::new("day");
    schedule.add::<serve>(&mut inn, 9).unwrap();
    schedule.add::<cook>(&mut inn, 5).unwrap();
    schedule.add_again::<serve>(&mut inn, 1).unwrap();
    schedule.set_key::<cook>(100);
    schedule.clear(&mut inn);
    assert_eq!(inn.told(), ["cook comes 1", "serve goes 1", "cook goes 0", "serve goes 0"]);
    assert!(schedule.is_empty());
    // the schedule can be used with another world, and with the same world again
    schedule.add::<cook>(&mut inn, 1).unwrap();
    schedule.clear(&mut inn);
    assert_eq!(inn.told(), ["cook comes 1", "cook goes 0"]);
}

#[test]
fn w22_the_systems_of_a_world_get_their_exit_calls_on_request_in_reverse_order() {
    use lives::Inn;
    let mut inn = Inn::new();
    assert_eq!(inn.told(), ["cook comes 1", "cook comes 2"], "for each place");
    inn.open();
    assert_eq!(inn.told(), ["meal 1", "serve 2"]);
    inn.exit_systems();
    assert_eq!(inn.told(), ["cook goes 1", "serve goes 1", "hungry goes 1", "cook goes 0"]);
}

/// Reactions in a `react` block: a fire that spreads from tree to tree, and two systems that cause
/// changes for each other without end.
mod cascades {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Tree {
        pub next: Option<Entity>,
    }
    #[derive(Component)]
    pub struct Burning;
    #[derive(Component)]
    pub struct Green;
    #[derive(Component)]
    pub struct Lamp;
    #[derive(Component)]
    pub struct Switch;
    #[derive(Resource, Default)]
    pub struct Log(pub Vec<String>);

    world! {
        pub struct Forest {
            components { Tree, Burning, Green, Lamp, Switch }
            resources { log: Log = Log::default() }
        }
        schedule burn -> Result { ignite; react { spread, mourn } max 50; report }
        schedule blink -> Result { react { on, off } max 8; report }
    }

    /// Every tree that begins to burn ignites the next tree by a command, and loses `Green`.
    #[system(Forest)]
    pub fn spread(
        lit: Entered<With<Burning>>,
        trees: Query<&Tree>,
        mut commands: Commands<Forest>,
        mut log: ResMut<Log>,
    ) {
        for tree in &lit {
            log.0.push(format!("burns {}", tree.slot()));
            commands.remove::<Green>(tree);
            if let Some(next) = trees.get(tree).and_then(|tree| tree.next) {
                commands.insert(next, Burning);
            }
        }
    }

    /// Despawns trees that lost `Green`.
    #[system(Forest)]
    pub fn mourn(gone: Exited<With<Green>>, mut commands: Commands<Forest>, mut log: ResMut<Log>) {
        for tree in &gone {
            log.0.push(format!("gone {}", tree.slot()));
            commands.despawn(tree);
        }
    }

    #[system(Forest)]
    pub fn ignite(trees: Query<(Entity, &Tree)>, mut commands: Commands<Forest>) {
        let pointed: Vec<Entity> = trees.iter().filter_map(|(_, tree)| tree.next).collect();
        let first = trees.iter().map(|(entity, _)| entity).find(|entity| !pointed.contains(entity));
        first.into_iter().for_each(|first| commands.insert(first, Burning));
    }

    #[system(Forest)]
    pub fn report(trees: Query<&Tree>, mut log: ResMut<Log>) {
        log.0.push(format!("{} trees", trees.len()));
    }

    #[system(Forest)]
    pub fn on(dark: Exited<With<Lamp>>, mut commands: Commands<Forest>) {
        for switch in &dark {
            commands.insert(switch, Lamp);
        }
    }
    #[system(Forest)]
    pub fn off(lit: Entered<With<Lamp>>, mut commands: Commands<Forest>) {
        for switch in &lit {
            commands.remove::<Lamp>(switch);
        }
    }
}

#[test]
fn w12_reactions_to_entering_and_leaving_cascade_within_one_flush() {
    use cascades::{Forest, Green, Log, Tree};
    let mut forest = Forest::new();
    // spawned from the last tree to the first, so that the fire spreads against the order of slots
    let mut next = None;
    for _ in 0..10 {
        next = Some(forest.spawn((Tree { next }, Green)));
    }
    let evergreen = forest.spawn((Tree { next: None }, Green));
    forest.resource_mut::<Log>().0.clear();
    forest.burn().unwrap();
    let log = std::mem::take(&mut forest.resource_mut::<Log>().0);
    let order: Vec<String> = (0..10).rev().map(|slot| format!("burns {slot}")).collect();
    let burnt: Vec<&String> = log.iter().filter(|line| line.starts_with("burns")).collect();
    assert_eq!(burnt, order.iter().collect::<Vec<_>>(), "each once, as the fire goes");
    let gone: Vec<String> = (0..10).rev().map(|slot| format!("gone {slot}")).collect();
    assert!(log.iter().filter(|line| line.starts_with("gone")).eq(&gone));
    // the block ends before the next stage
    assert_eq!(log.last().map(String::as_str), Some("1 trees"));
    assert!(forest.contains(evergreen));
    // the next run has nothing to react to
    forest.resource_mut::<Log>().0.clear();
    forest.despawn(evergreen).unwrap();
    forest.burn().unwrap();
    assert_eq!(forest.resource::<Log>().0, ["gone 10", "0 trees"]);
}

#[test]
fn w13_reactions_that_never_settle_are_an_error_that_names_them() {
    use cascades::{Forest, Lamp, Log, Switch};
    let mut forest = Forest::new();
    forest.blink().unwrap();
    let switch = forest.spawn((Switch, Lamp));
    forest.resource_mut::<Log>().0.clear();
    let error = forest.blink().unwrap_err();
    assert_eq!(error.schedule, "blink");
    let unsettled = error.source.downcast_ref::<ecs::error::Unsettled>().unwrap();
    assert_eq!(unsettled.most, 8);
    assert!(
        !unsettled.systems.is_empty() && unsettled.systems.iter().all(|name| ["on", "off"].contains(name))
    );
    assert!(forest.resource::<Log>().0.is_empty(), "nothing after it runs");
    assert!(forest.contains(switch));
}
