//! Observers: their place, their order, what triggers them, their bound, and what copies of a world have of them.

use ecs::Schedule;
use ecs::error::{SystemError, UnsettledObservers};
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Health(i32);
#[derive(Component, Clone)]
#[component(removed)]
struct Armor(i32);
#[derive(Component, Clone)]
struct Loot;
#[derive(Event, Clone)]
struct Hit(Entity, i32);
#[derive(Resource, Clone, Default)]
struct Log(Vec<String>);
#[derive(Resource, Clone, Default)]
struct Chain(i32);
#[derive(Resource, Clone, Default)]
struct Paused(bool);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health, Armor, Loot }
        resources { Log = Log::default(), Chain = Chain::default(), Paused = Paused::default() }
        events { Hit }
    }

    /// What follows from changes.
    observers { wound, greet, drop_loot, count_loot if running, link } max 8

    schedule tick { attack; note }
    schedule one { note }
    schedule careful -> Result { attack; note }
    schedule block { react { strike } max 4; note }
    schedule outer { tick, note }
    schedule whole { replace; note }
}

fn log(log: &mut Log, text: impl Into<String>) {
    log.0.push(text.into());
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>, mut healths: Query<Mut<Health>>, mut out: ResMut<Log>) {
    for Hit(target, damage) in &mut hits {
        if let Some(mut health) = healths.get_mut(*target) {
            health.0 -= damage;
        }
        log(&mut out, format!("wound {damage}"));
    }
}

#[system(Game)]
fn greet(new: Query<&Health, Added<Health>>, mut out: ResMut<Log>) {
    let all: Vec<i32> = new.iter().map(|health| health.0).collect();
    log(&mut out, format!("greet {all:?}"));
}

#[system(Game)]
fn drop_loot(mut armor: Removed<Armor>, mut out: ResMut<Log>, mut commands: Commands<Game>) {
    for (_, Armor(strength)) in armor.iter() {
        log(&mut out, format!("drop {strength}"));
        commands.spawn(Loot);
    }
}

#[system(Game)]
fn count_loot(new: Entered<With<Loot>>, all: Query<Entity, With<Loot>>, mut out: ResMut<Log>) {
    log(&mut out, format!("{} new of {} loot", new.iter().count(), all.len()));
}

/// Each new loot causes one more while the chain is not at its end.
#[system(Game)]
fn link(new: Entered<With<Loot>>, mut chain: ResMut<Chain>, mut commands: Commands<Game>) {
    for _ in new.iter() {
        if chain.0 > 0 {
            chain.0 -= 1;
            commands.spawn(Loot);
        }
    }
}

#[system(Game)]
fn running(paused: Res<Paused>) -> bool {
    !paused.0
}

#[system(Game)]
fn attack(armored: Query<Entity, With<Armor>>, mut hits: EventWriter<Hit>, mut commands: Commands<Game>) {
    for entity in &armored {
        hits.send(Hit(entity, 2));
        commands.remove::<Armor>(entity);
    }
}

#[system(Game)]
fn note(mut out: ResMut<Log>) {
    log(&mut out, "note");
}

#[system(Game)]
fn strike(mut healths: Query<Mut<Health>, Added<Health>>, mut out: ResMut<Log>) {
    healths.iter_mut().for_each(|mut health| health.0 += 100);
    log(&mut out, "strike");
}

#[system(Game)]
fn replace(game: &mut Game) {
    game.spawn(Health(7));
    game.tick();
    log(game.resource_mut::<Log>(), "replaced");
}

fn taken(game: &mut Game) -> Vec<String> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn observers_run_at_each_semicolon_in_the_order_of_the_text() {
    let mut game = Game::new();
    let hero = game.spawn((Health(10), Armor(3)));
    game.tick();
    assert_eq!(
        taken(&mut game),
        ["greet [10]", "wound 2", "drop 3", "1 new of 1 loot", "note"],
        "`greet` when the schedule begins, the others after the commands of the first stage"
    );
    assert_eq!(game.get::<Health>(hero).unwrap().0, 8);
    game.tick();
    assert_eq!(taken(&mut game), ["note"]);
}

#[test]
fn direct_changes_wait_for_the_next_schedule_or_for_run_observers() {
    let mut game = Game::new();
    game.spawn(Health(1));
    assert!(taken(&mut game).is_empty());
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [1]"]);
    game.run_observers();
    assert!(taken(&mut game).is_empty());
    game.spawn(Health(2));
    let two = game.spawn((Health(3), Armor(4)));
    game.despawn(two).unwrap();
    game.one();
    assert_eq!(taken(&mut game), ["greet [2]", "drop 4", "1 new of 1 loot", "note"]);
}

#[test]
fn observers_see_entities_in_the_order_of_their_slots_and_only_what_is_new() {
    let mut game = Game::new();
    game.spawn_batch([5, 6, 7].map(Health));
    game.run_observers();
    game.spawn(Health(8));
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [5, 6, 7]", "greet [8]"]);
}

#[test]
fn commands_of_observers_trigger_further_rounds() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 3;
    game.spawn(Loot);
    game.run_observers();
    assert_eq!(
        taken(&mut game),
        ["1 new of 1 loot", "1 new of 2 loot", "1 new of 3 loot", "1 new of 4 loot"]
    );
}

#[test]
fn too_many_rounds_are_an_error_that_names_the_observers_and_lose_nothing() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 10;
    game.spawn(Loot);
    let error: SystemError = game.careful().unwrap_err();
    assert_eq!((error.system, error.schedule, error.world), ("count_loot", "observers", "Game"));
    let source = error.source.downcast_ref::<UnsettledObservers>().unwrap();
    assert_eq!(*source, UnsettledObservers { observers: vec!["count_loot", "link"], most: 8 });
    assert_eq!(taken(&mut game).len(), 8);
    game.careful().unwrap(); // the rest
    assert_eq!(taken(&mut game), ["1 new of 9 loot", "1 new of 10 loot", "1 new of 11 loot", "note"]);

    game.resource_mut::<Chain>().0 = 10;
    game.spawn(Loot);
    assert_eq!(
        panic_message(|| game.one()),
        "system `count_loot` of schedule `observers` of world `Game` failed: the observers have run 8 rounds at one place, and \
         triggers still wait for `count_loot`, `link`; raise `max`, or remove the cycle in which these observers trigger each other"
    );
}

#[test]
fn a_run_that_is_undone_names_the_observer_and_restores_its_triggers() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 20;
    game.spawn(Loot);
    let error = game.try_run(|game| game.careful()).unwrap_err();
    assert_eq!((error.schedule, error.system), ("observers", "count_loot"));
    assert_eq!((game.query::<Entity>().iter().count(), game.resource::<Chain>().0), (1, 20));
    game.resource_mut::<Chain>().0 = 0;
    game.run_observers();
    assert_eq!(taken(&mut game), ["1 new of 1 loot"]);
}

#[test]
fn triggers_wait_while_a_condition_refuses_the_observer() {
    let mut game = Game::new();
    game.resource_mut::<Paused>().0 = true;
    game.spawn(Loot);
    game.one();
    game.one();
    assert_eq!(taken(&mut game), ["note", "note"]);
    game.resource_mut::<Paused>().0 = false;
    game.one();
    assert_eq!(taken(&mut game), ["1 new of 1 loot", "note"]);
}

#[test]
fn a_disabled_observer_keeps_its_triggers() {
    let mut game = Game::new();
    assert_eq!(game.enable::<greet>(false), 1);
    game.spawn(Health(1));
    game.one();
    assert_eq!(taken(&mut game), ["note"]);
    game.enable::<greet>(true);
    game.one();
    assert_eq!(taken(&mut game), ["greet [1]", "note"]);
}

#[test]
fn waiting_triggers_are_part_of_clones_and_snapshots() {
    let mut game = Game::new();
    game.spawn(Health(1));
    let mut copy = game.clone();
    let snapshot = game.snapshot();
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [1]"]);
    copy.run_observers();
    assert_eq!(taken(&mut copy), ["greet [1]"]);
    game.restore(&snapshot);
    game.one();
    assert_eq!(taken(&mut game), ["greet [1]", "note"]);
    game.one();
    assert_eq!(taken(&mut game), ["note"]);
}

#[test]
fn a_react_block_is_one_place() {
    let mut game = Game::new();
    game.spawn(Health(1));
    game.block();
    let log = taken(&mut game);
    assert_eq!(log, ["greet [1]", "strike", "note"]);
}

#[test]
fn a_nested_schedule_has_its_own_places() {
    let mut game = Game::new();
    game.spawn(Armor(1));
    game.outer();
    assert_eq!(taken(&mut game), ["wound 2", "drop 1", "1 new of 1 loot", "note", "note"]);
}

#[test]
fn a_schedule_that_an_exclusive_system_runs_observes_at_its_places() {
    let mut game = Game::new();
    game.whole();
    assert_eq!(taken(&mut game), ["greet [7]", "note", "replaced", "note"]);
}

#[test]
fn observers_run_in_schedules_that_are_built_at_run_time() {
    let mut game = Game::new();
    let mut schedule = Schedule::<Game>::new("frame");
    schedule.add::<attack>(&mut game, 0).unwrap();
    schedule.add_flush(1);
    schedule.add::<note>(&mut game, 2).unwrap();
    game.spawn((Health(10), Armor(3)));
    schedule.run(&mut game).unwrap();
    assert_eq!(taken(&mut game), ["greet [10]", "wound 2", "drop 3", "1 new of 1 loot", "note"]);
}

#[test]
fn observers_are_in_the_graph_of_the_schedules() {
    let graph = Game::new().schedule_graph();
    let observers = graph.schedules.iter().find(|schedule| schedule.name == "observers").unwrap();
    let names: Vec<&str> = observers.nodes.iter().map(|node| node.system).collect();
    assert_eq!(names, ["wound", "greet", "drop_loot", "count_loot", "link"]);
    assert_eq!((observers.nodes[0].react, observers.nodes[0].stage), (Some(8), 0));
    assert!(observers.edges.iter().any(|edge| edge.from == 0 && edge.to == 1), "both use the log");
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let run = |parallelism| {
        let mut game = Game::new();
        game.set_parallelism(parallelism);
        game.resource_mut::<Chain>().0 = 5;
        for i in 0..300 {
            let armored = i % 3 == 0;
            let entity = game.spawn(Health(i));
            if armored {
                game.insert(entity, Armor(i)).unwrap();
            }
            if i % 50 == 0 {
                game.tick();
            }
        }
        let healths: Vec<i32> = game.query::<&Health>().iter().map(|health| health.0).collect();
        (taken(&mut game), healths, game.query::<&Loot>().iter().count())
    };
    assert_eq!(run(Parallelism::Always), run(Parallelism::Never));
}
