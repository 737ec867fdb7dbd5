//! Systems, conditions and schedules by name.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::reflect::{AllowList, ReflectError, ReflectWorld};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Mark(u32);

#[derive(Resource, Serialize, Deserialize, Default)]
struct Log(Vec<String>);

#[derive(Resource, Serialize, Deserialize, Default)]
struct Settings {
    fails: bool,
    panics: bool,
    open: bool,
}

#[derive(Resource, Default)]
#[resource(hidden)]
struct Errors(Vec<String>);

#[derive(Event, Serialize, Deserialize)]
struct Ping;

world! {
    #[derive(Reflect)]
    struct Machine {
        components { Mark }
        resources { Log, Settings, Errors }
        events { Ping }
    }
    schedule tick -> Result {
        first if is_open && !is_rare, spawn, second;
        third
    }
    schedule plain { broken }
    schedule outer { inner; other }
    schedule inner { ask }
    schedule other { broken }
}

#[system(Machine)]
fn first(mut log: ResMut<Log>, mut runs: Local<u32>, mut pings: EventWriter<Ping>) {
    *runs += 1;
    log.0.push(format!("first {}", *runs));
    pings.send(Ping);
}

#[system(Machine)]
fn is_open(settings: Res<Settings>) -> bool {
    settings.open
}

#[system(Machine)]
fn is_rare(mut runs: Local<u32>) -> bool {
    *runs += 1;
    *runs == 2
}

#[system(Machine)]
fn spawn(mut commands: Commands<Machine>) {
    commands.spawn(Mark(1));
}

#[system(Machine)]
fn second(marks: Query<&Mark>, mut pings: EventReader<Ping>, mut log: ResMut<Log>) {
    log.0.push(format!("second {} {}", marks.iter().count(), (&mut pings).into_iter().count()));
}

#[system(Machine)]
fn third(settings: Res<Settings>) -> Result<(), String> {
    if settings.fails { Err("no power".into()) } else { Ok(()) }
}

#[system(Machine)]
fn broken(settings: Res<Settings>) {
    assert!(!settings.panics, "a fuse has blown");
}

#[system(Machine)]
fn ask(machine: &mut Machine) {
    for name in ["inner", "outer", "other"] {
        if let Err(error) = machine.reflect_mut().run_schedule(name) {
            machine.resource_mut::<Errors>().0.push(error.to_string());
        }
    }
    for error in [
        machine.reflect_mut().step("inner", 0).unwrap_err(),
        machine.reflect_mut().run_system("inner").unwrap_err(),
        machine.reflect_mut().step("outer", 0).unwrap_err(),
    ] {
        assert!(matches!(error, ReflectError::Running { .. }), "{error}");
    }
}

fn log(machine: &mut Machine) -> Vec<String> {
    std::mem::take(&mut machine.resource_mut::<Log>().0)
}

#[test]
fn a_stepped_system_runs_with_its_condition_and_state_and_its_commands_are_applied() {
    let mut machine = Machine::default();
    for index in 0..4 {
        machine.reflect_mut().step("tick", index).unwrap();
    }
    assert_eq!(log(&mut machine), ["second 1 0"], "the condition is false, and `spawn` has spawned");
    machine.resource_mut::<Settings>().open = true;
    let systems: Vec<_> = (0..3).map(|index| machine.reflect_mut().step("tick", index).unwrap()).collect();
    assert_eq!(
        (systems, log(&mut machine)),
        (vec!["first", "spawn", "second"], vec!["first 1".into(), "second 2 1".into()])
    );
    machine.reflect_mut().step("tick", 0).unwrap();
    assert!(log(&mut machine).is_empty(), "the second run of `is_rare` is true");
    machine.tick().unwrap();
    assert_eq!(log(&mut machine), ["first 2", "second 2 1"]);
    assert_eq!(machine.reflect_mut().enable_system("first", false), Ok(1));
    machine.reflect_mut().step("tick", 0).unwrap();
    assert!(log(&mut machine).is_empty());
    for (schedule, index, message) in [
        ("tock", 0, "world `Machine` has no schedule `tock`"),
        ("tick", 4, "world `Machine` has no system `tick[4]`"),
    ] {
        let error = machine.reflect_mut().step(schedule, index).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_schedule_that_is_stepped_through_does_what_a_run_does() {
    // each system is the only one of its stage, so that a run flushes after each of them, too
    let (mut run, mut stepped) = (crate::game::Game::new(), crate::game::Game::new());
    for game in [&mut run, &mut stepped] {
        game.spawn_batch((0..70).map(|now| crate::game::Health { now, max: 60 }));
    }
    for _ in 0..3 {
        run.tick();
        for index in 0..3 {
            stepped.reflect_mut().step("tick", index).unwrap();
        }
        for entity in run.entities() {
            assert_eq!(run.reflect().read_all(entity), stepped.reflect().read_all(entity));
        }
        assert_eq!(run.resource::<crate::game::Keys>().0, stepped.resource::<crate::game::Keys>().0);
    }
}

#[test]
fn a_system_runs_alone_with_a_new_state_whatever_its_condition() {
    let mut machine = Machine::default();
    machine.reflect_mut().enable_system("first", false).unwrap();
    for _ in 0..2 {
        machine.reflect_mut().run_system("first").unwrap();
        machine.reflect_mut().run_system("spawn").unwrap();
    }
    assert_eq!(log(&mut machine), ["first 1", "first 1"]);
    assert_eq!(machine.entities().len(), 2);
    machine.reflect_mut().run_system("third").unwrap();
    machine.resource_mut::<Settings>().fails = true;
    let error = machine.reflect_mut().run_system("third").unwrap_err();
    assert!(error.to_string().contains("no power"), "{error}");
    let failure = machine.reflect().failure_of("third").unwrap().unwrap();
    assert_eq!((failure.schedule, failure.panicked), ("", false));
    assert_eq!(
        machine.reflect_mut().run_system("thrid").unwrap_err().to_string(),
        "world `Machine` has no system `thrid`: did you mean `third`?"
    );
}

#[test]
fn a_condition_is_evaluated_without_a_change_of_its_state() {
    let mut machine = Machine::default();
    assert_eq!(machine.reflect().conditions(), ["is_open", "is_rare"]);
    assert_eq!(machine.reflect_mut().evaluate("is_open"), Ok(false));
    machine.resource_mut::<Settings>().open = true;
    assert_eq!(machine.reflect_mut().evaluate("is_open"), Ok(true));
    for _ in 0..5 {
        assert_eq!(machine.reflect_mut().evaluate("is_rare"), Ok(false));
    }
    machine.tick().unwrap();
    assert_eq!(log(&mut machine), ["first 1", "second 0 1"]);
    machine.tick().unwrap();
    assert_eq!(log(&mut machine), ["second 1 0"]);
    let error = machine.reflect_mut().evaluate("is_opne").unwrap_err().to_string();
    assert_eq!(error, "world `Machine` has no condition `is_opne`: did you mean `is_open`?");
}

#[test]
fn the_last_failure_of_each_system_is_kept() {
    let mut machine = Machine::default();
    machine.tick().unwrap();
    assert!(machine.reflect().failures().is_empty());
    machine.resource_mut::<Settings>().fails = true;
    for _ in 0..2 {
        let error = machine.reflect_mut().run_schedule("tick").unwrap_err();
        assert!(matches!(error, ReflectError::Failed { .. }));
    }
    machine.resource_mut::<Settings>().panics = true;
    catch_unwind(AssertUnwindSafe(|| machine.plain())).unwrap_err();
    let failures = machine.reflect().failures();
    let texts: Vec<_> = failures.iter().map(|f| (f.schedule, f.system, &*f.reason, f.panicked)).collect();
    assert_eq!(texts, [("tick", "third", "no power", false), ("plain", "broken", "a fuse has blown", true)]);
    assert!(failures[0].tick < failures[1].tick);
    // the general executor, a single step, and a system that runs alone
    machine.time_systems(true);
    catch_unwind(AssertUnwindSafe(|| machine.plain())).unwrap_err();
    catch_unwind(AssertUnwindSafe(|| machine.reflect_mut().step("other", 0))).unwrap_err();
    catch_unwind(AssertUnwindSafe(|| machine.reflect_mut().run_system("broken"))).unwrap_err();
    let failures = machine.reflect().failures();
    let texts: Vec<_> = failures.iter().map(|f| (f.schedule, &*f.reason, f.panicked)).collect();
    let blown = |schedule| (schedule, "a fuse has blown", true);
    assert_eq!(texts, [("tick", "no power", false), blown("plain"), blown("other"), blown("")]);
    assert_eq!(machine.reflect().failure_of("first"), Ok(None));
    let guest = machine.reflect().restrict(&AllowList::new().systems(["third"])).unwrap();
    assert_eq!(guest.failures().len(), 1);
}

#[test]
fn a_schedule_cannot_be_run_from_inside_itself() {
    let mut machine = Machine::default();
    machine.outer();
    let running = |name| format!("schedule `{name}` is running, and cannot be run from inside itself");
    assert_eq!(machine.resource::<Errors>().0, [running("inner"), running("outer")]);
    machine.reflect_mut().run_schedule("outer").unwrap();
}

#[test]
fn restricted_and_read_only_handles_run_only_what_they_show() {
    let mut machine = Machine::default();
    let list = AllowList::new().systems(["second"]);
    let mut guest = machine.reflect_mut().restrict(&list).unwrap();
    assert_eq!(guest.step("tick", 2), Ok("second"));
    assert!(guest.step("tick", 0).is_err() && guest.run_system("first").is_err());
    assert!(guest.conditions().is_empty() && guest.evaluate("is_open").is_err());
    assert!(guest.run_schedule("tick").is_err());
    let mut reader = machine.reflect_mut().restrict(&AllowList::new().read_only()).unwrap();
    assert_eq!(reader.step("tick", 2), Err(ReflectError::ReadOnly));
    assert_eq!(reader.run_system("second"), Err(ReflectError::ReadOnly));
    assert_eq!(reader.evaluate("is_open"), Err(ReflectError::ReadOnly));
}

#[test]
fn systems_are_listed_with_their_places_conditions_and_switches() {
    let mut machine = Machine::default();
    machine.reflect_mut().enable_system("spawn", false).unwrap();
    let systems = machine.reflect().systems();
    let tick: Vec<_> = systems.iter().filter(|info| info.schedule == "tick").collect();
    let listed: Vec<_> =
        tick.iter().map(|info| (info.index, info.system, info.stage, info.enabled)).collect();
    assert_eq!(
        listed,
        [(0, "first", 0, true), (1, "spawn", 0, false), (2, "second", 0, true), (3, "third", 1, true)]
    );
    assert_eq!(tick[0].condition, "is_open && !is_rare");
    assert!(tick[1].deferred && !tick[0].deferred);
}
