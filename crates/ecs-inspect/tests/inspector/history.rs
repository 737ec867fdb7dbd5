//! Going back and forward in the runs of a program.

use ecs::prelude::*;
use ecs::reflect::{AllowList, ReflectWorld};
use ecs_inspect::ecs_history::{Limit, TimeMachine, Timeline};
use ecs_inspect::{Inspector, InspectorHost, Pace, View};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::{Screen, assert_shows};

#[path = "../../examples/goblin/cave.rs"]
mod goblin;

use goblin::{Cave, Health, Poison};

/// The cave of the recording, and a screen.
fn cave() -> (Cave, Entity, TimeMachine<Cave>, Screen) {
    let (cave, goblin, machine) = goblin::cave();
    let mut screen = Screen::new(130, 20);
    screen.inspector = Inspector::new().history(machine.clone());
    (cave, goblin, machine, screen)
}

#[test]
fn the_recording_in_the_guide_is_that_of_the_example() {
    let expected = include_str!("../../../../docs/guide/src/goblin.txt");
    assert_eq!(
        goblin::recording(),
        expected,
        "`cargo run -p checked-ecs-inspect --example goblin > docs/guide/src/goblin.txt` writes it anew"
    );
}

#[test]
fn a_goblin_dies_and_the_keys_find_out_why() {
    let (mut cave, goblin, machine, mut screen) = cave();
    assert_shows(&screen.draw(&cave), &["1 entities  run 6/6  running"]);
    assert_eq!(screen.inspector.pace(), Pace::Run);

    // who killed the goblin, which is not alive any more
    let text = screen.press(":who 0v1 Health.now<Enter>", &mut cave);
    let lines = [
        "changes of Health.now of 0v1",
        "run    0  hurt: 8 -> 4",
        "run    1  hurt: 4 -> 1",
        "run    2  hurt: 1 -> -1",
        "run    2  bury (commands): -1 -> nothing",
        "Health.now was last changed by bury (commands) in run 2",
    ];
    assert_shows(&text, &lines);
    assert_eq!(screen.inspector.view(), View::History);

    // there, and two systems back
    let text = screen.press("<Enter>", &mut cave);
    assert_shows(
        &text,
        &["run 2, after `bury (commands)`", "run 2.4/6  paused", "1 hurt", "●  4 bury (commands)"],
    );
    assert!(!cave.contains(goblin));
    let text = screen.press("{{", &mut cave);
    assert_shows(&text, &["run 2, after `wear`", "●  2 wear"]);
    assert_eq!(cave.get::<Health>(goblin).map(|health| health.now), Some(-1));
    let text = screen.press("{{", &mut cave);
    assert_shows(&text, &["before run 2", "run 2/6  paused"]);
    assert_eq!(cave.get::<Health>(goblin).map(|health| health.now), Some(1));

    // a cure, with undo and redo, and another future
    let text = screen.press(":set 0v1 Poison = 0<Enter>U", &mut cave);
    assert_shows(&text, &["there is no change to make again"]);
    assert_shows(&screen.press("u", &mut cave), &["took the change of 0v1 back"]);
    assert_eq!(cave.get::<Poison>(goblin).map(|poison| poison.0), Some(2));
    assert_shows(&screen.press("U", &mut cave), &["made the change of 0v1 again"]);
    assert_eq!(cave.get::<Poison>(goblin).map(|poison| poison.0), Some(0));
    screen.press("n", &mut cave);
    assert_eq!((screen.inspector.pace(), screen.inspector.pace()), (Pace::Step, Pace::Wait));
    machine.run(&mut cave, Cave::tick);
    assert!(cave.contains(goblin));
    assert_shows(&screen.draw(&cave), &["run 3/3  paused", "run 3 of the runs 0 to 3, 1 other future"]);
    assert_shows(&screen.press("u", &mut cave), &["took the change of 0v1 back"]);
}

#[test]
fn lines_of_the_console_go_anywhere() {
    let (mut cave, goblin, machine, mut screen) = cave();
    let answers = [
        ("back 4", Ok("before run 2")),
        ("forward", Ok("before run 3")),
        ("back 100", Ok("before run 0")),
        ("back", Err("the history ends here")),
        ("back system", Err("the history ends here")),
        ("rewind 1.2", Ok("run 1, after `wear`")),
        ("back 1", Ok("before run 1")),
        ("until wear", Ok("run 1, after `hurt`")),
        ("until wear", Ok("run 2, after `hurt`")),
        ("until bury", Ok("run 2, after `wear`")),
        ("until buty", Err("world `Cave` has no system `buty`")),
        ("forward 100", Ok("before run 6")),
        ("until bury", Err("`bury` does not run again in the history")),
        ("rewind 7", Err("the history has no run 7: it goes from 0 to 6")),
        ("rewind 1.x", Err("expected a run, as in `rewind 12`, or a step of one, as in `rewind 12.3`")),
        ("back x", Err("expected a number of runs, or `system`")),
        ("diff 0", Err("expected two runs, as in `diff 10 12`")),
        ("diff 0 0", Ok("0 differences")),
        ("who 0v1 Helth", Err("world `Cave` has no component `Helth`: did you mean `Health`?")),
        ("who Health", Ok("Health has not changed in these runs")),
        ("verify", Ok("each run has the same result when it is repeated")),
        ("redo", Err("there is no change to make again")),
    ];
    for (line, expected) in answers {
        let answer = screen.inspector.run_command(line, &mut cave);
        assert_eq!(answer.as_deref().map_err(|error| &**error), expected, "{line}");
    }
    screen.inspector.run_command("diff 0 2", &mut cave).unwrap();
    assert_shows(&screen.draw(&cave), &["before run 0 and before run 2", "0v1 Health.now: 8 -> 1"]);
    assert_eq!(machine.state().unwrap().place.run, 6);
    assert!(!cave.contains(goblin));

    // without a history
    let mut plain = Inspector::new();
    for line in ["back", "forward", "rewind 0", "until hurt", "who Health", "diff 0 1", "verify"] {
        assert_eq!(plain.run_command(line, &mut cave), Err("this inspector has no history".to_owned()));
    }
}

#[test]
fn a_terminal_of_another_process_goes_back_as_well() {
    let (mut cave, goblin, machine, _) = cave();
    let host = InspectorHost::new(move || Inspector::new().history(machine.clone()));
    let key =
        |c: char| json!({ "Key": { "code": { "Char": c }, "modifiers": "", "kind": "Press", "state": "" } });
    let keys = |keys: &str| {
        let events: Vec<_> = keys.chars().map(key).collect();
        let request = json!({ "session": "a", "width": 120, "height": 20, "events": events });
        request.as_object().expect("it is one").clone()
    };
    host.answer(&mut cave.reflect_mut(), &keys("[[[[[")).unwrap();
    assert_eq!(host.pace(), Pace::Wait);
    assert_eq!(cave.get::<Health>(goblin).map(|health| health.now), Some(4));
    // who may only read goes nowhere
    let read_only = AllowList::new().read_only();
    let mut guest = cave.reflect_mut().restrict(&read_only).unwrap();
    host.answer(&mut guest, &keys("]]]]]")).unwrap();
    assert_eq!(cave.get::<Health>(goblin).map(|health| health.now), Some(4));
    host.answer(&mut cave.reflect_mut(), &keys("]")).unwrap();
    assert_eq!(cave.get::<Health>(goblin).map(|health| health.now), Some(1));
}

/// A program that sends an event in every third run, and once itself.
mod events {
    use super::*;

    #[derive(Resource, Clone, Default, Serialize, Deserialize)]
    struct Turn(u32);
    #[derive(Event, Clone, Serialize, Deserialize)]
    struct Bell;
    #[derive(Event, Clone, Serialize, Deserialize)]
    struct Knock(u32);

    world! {
        #[derive(Clone, Serialize, Deserialize, Reflect)]
        struct Tower { components { } resources { Turn } events { Bell(external), Knock(external) } }
        schedule tick { ring; listen }
    }

    #[system(Tower)]
    fn ring(mut turn: ResMut<Turn>, mut bells: EventWriter<Bell>) {
        if turn.0 % 3 == 1 {
            bells.send(Bell);
        }
        turn.0 += 1;
    }

    #[system(Tower)]
    fn listen(_: EventReader<Bell>, _: EventReader<Knock>) {}

    #[test]
    fn the_runs_in_which_an_event_was_sent_are_marked() {
        let mut tower = Tower::new(Turn(0));
        let machine = TimeMachine::new(Limit::runs(100));
        for run in 0..9 {
            machine.run(&mut tower, move |tower: &mut Tower| {
                if run == 5 {
                    tower.send(Knock(run));
                }
                tower.tick();
            });
        }
        assert_eq!(machine.runs_with_event(tower.reflect(), "Bell").unwrap(), [1, 4, 7]);
        let mut screen = Screen::new(130, 20);
        screen.inspector = Inspector::new().history(machine.clone());
        let text = screen.press(":mark Bell<Enter>", &mut tower);
        assert_shows(&text, &["runs in which Bell was sent", "run    7  Bell was sent", "in 3 run(s)"]);
        assert_eq!(text.matches('◆').count(), 3 + 1, "three marks and the legend");
        // the answer leads to the last of them
        screen.press("<Enter>", &mut tower);
        assert_eq!(machine.state().unwrap().place.run, 7);
        assert_eq!(machine.runs_with_event(tower.reflect(), "Bell").unwrap(), [1, 4, 7]);
        assert_eq!(
            screen.inspector.run_command("mark Knock", &mut tower).unwrap(),
            "Knock was sent in 1 run(s)"
        );
        let unknown = screen.inspector.run_command("mark Horn", &mut tower).unwrap_err();
        assert!(unknown.contains("Horn"), "{unknown}");
    }
}
