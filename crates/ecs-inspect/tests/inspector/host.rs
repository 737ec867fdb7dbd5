//! Inspectors that terminals of other processes show.

use ecs::World;
use ecs::reflect::{AllowList, ReflectWorld};
use ecs_inspect::{Inspector, InspectorHost, Pace};
use serde_json::{Map, Value, json};

use crate::game::game;

/// The parameters of a request with these keys.
fn request(session: &str, keys: &str) -> Map<String, Value> {
    let code = |key| match key {
        '\n' => json!("Enter"),
        key => json!({ "Char": key }),
    };
    let key = |key| json!({ "Key": { "code": code(key), "modifiers": "", "kind": "Press", "state": "" } });
    let events: Vec<Value> = keys.chars().map(key).collect();
    let params = json!({ "session": session, "width": 100, "height": 24, "events": events });
    params.as_object().expect("it is one").clone()
}

/// The text of an answer's frame.
fn text(answer: &Value) -> String {
    let rows = answer["frame"]["rows"].as_array().expect("a frame has rows");
    let row = |row: &Value| -> String {
        row.as_array().into_iter().flatten().filter_map(|run| run[0].as_str()).collect()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_host_shows_what_an_inspector_shows() {
    use ecs_inspect::ratatui::backend::TestBackend;
    use ecs_inspect::ratatui::{self, Terminal};
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let mut inspector = Inspector::new();
    let mut terminal = Terminal::new(TestBackend::new(100, 24)).expect("it has no errors");
    for keys in ["", "2", "3", "4", "5", "6", "1", "?", "?", ":set "] {
        let answer = host.answer(&mut game.reflect_mut(), &request("a", keys)).expect("it is a request");
        for key in keys.chars() {
            let event = ratatui::crossterm::event::KeyCode::Char(key).into();
            inspector.handle(ratatui::crossterm::event::Event::Key(event), &mut game);
        }
        terminal.draw(|frame| inspector.draw(frame, &game)).expect("it has no errors");
        let buffer = terminal.backend().buffer();
        let shown: Vec<String> =
            (0..24).map(|y| (0..100).map(|x| buffer[(x, y)].symbol()).collect()).collect();
        assert_eq!(text(&answer), shown.join("\n"), "after {keys}");
        assert_eq!(answer["frame"]["cursor"].is_null(), keys != ":set ", "the cursor is in the console only");
    }
}

#[test]
fn sessions_are_apart_and_the_oldest_is_dropped() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let mut ask = |session: &str, keys: &str| {
        text(&host.answer(&mut game.reflect_mut(), &request(session, keys)).expect("it is a request"))
    };
    let systems = ask("a", "3");
    assert_ne!(ask("b", ""), systems);
    assert_eq!(ask("a", ""), systems, "an attached terminal goes on with its view");
    for session in 0..7 {
        ask(&format!("{session}"), "");
    }
    assert_eq!(host.sessions(), 8);
    assert_eq!(ask("a", ""), systems);
    assert_eq!(host.sessions(), 8);
    ask("a", "q");
    assert_eq!(host.sessions(), 7);
    assert_ne!(ask("a", ""), systems, "a closed session begins anew");
}

#[test]
fn a_session_pauses_the_world_until_it_is_closed() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let mut ask = |session: &str, keys: &str| {
        host.answer(&mut game.reflect_mut(), &request(session, keys)).expect("it is a request")
    };
    assert_eq!(host.pace(), Pace::Run);
    ask("a", " ");
    ask("b", "");
    assert_eq!(host.pace(), Pace::Wait);
    ask("a", "n");
    assert_eq!((host.pace(), host.pace()), (Pace::Step, Pace::Wait));
    let closed = ask("a", "q");
    assert_eq!(closed["is_closed"], true);
    assert_eq!(host.pace(), Pace::Run);
}

#[test]
fn a_handle_for_reading_changes_nothing() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let before = game.entities().len();
    let line = request("a", ":spawn\n");
    let world = game.reflect_mut().restrict(&AllowList::new().read_only());
    let answer = host.answer(&mut world.expect("the list is valid"), &line).expect("it is a request");
    assert!(text(&answer).contains("read-only"), "{}", text(&answer));
    assert_eq!(game.entities().len(), before);
    host.answer(&mut game.reflect_mut(), &line).expect("it is a request");
    assert_eq!(game.entities().len(), before + 1);
}

#[test]
fn a_request_for_reading_cannot_pause_the_program_or_reach_another_session() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let entities = game.entities().len();
    let mut guest = |session: &str, keys: &str| {
        let world = game.reflect_mut().restrict(&AllowList::new().read_only());
        text(
            &host.answer(&mut world.expect("the list is valid"), &request(session, keys)).expect("it is one"),
        )
    };
    for keys in [" ", "n", "s", ":pause\n", ":tick\n", ":step turn\n", ":resume\n"] {
        assert!(guest("a", keys).contains("read-only"), "{keys:?}");
        assert_eq!(host.pace(), Pace::Run, "{keys:?}");
    }
    // the beginning of a line that another user would complete with `Enter`
    guest("b", ":spawn");
    let mut owner =
        |keys: &str| host.answer(&mut game.reflect_mut(), &request("b", keys)).expect("it is one");
    owner("\n");
    owner(" ");
    assert_eq!(host.pace(), Pace::Wait);
    let mut guest = |session: &str| {
        let world = game.reflect_mut().restrict(&AllowList::new().read_only());
        host.answer(&mut world.expect("the list is valid"), &request(session, " ")).expect("it is one");
    };
    guest("b");
    (0..20).for_each(|session| guest(&session.to_string()));
    assert_eq!(
        (host.pace(), host.sessions()),
        (Pace::Wait, 1 + 8),
        "the other session is still there, and paused"
    );
    assert_eq!(game.entities().len(), entities);
}

/// Systems of a world that know the host of its inspector.
mod using_the_host {
    use super::*;
    use ecs::prelude::*;
    use std::cell::OnceCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    world! {
        #[derive(Reflect)]
        struct Shop {}
        schedule turn { look }
        schedule fail { look_and_panic }
    }

    thread_local! {
        static HOST: OnceCell<InspectorHost> = const { OnceCell::new() };
    }

    #[system(Shop)]
    fn look() {
        HOST.with(|host| assert!(host.get().expect("the test sets it").pace().runs()));
    }
    #[system(Shop)]
    fn look_and_panic() {
        HOST.with(|host| panic!("{:?}", host.get().map(InspectorHost::sessions)));
    }

    #[test]
    fn systems_that_a_request_runs_may_use_the_host_and_panic() {
        let (mut shop, host) = (Shop::new(), InspectorHost::new(Inspector::new));
        HOST.with(|cell| cell.set(host.clone()).expect("this thread runs one test"));
        let systems = text(&host.answer(&mut shop.reflect_mut(), &request("a", "3")).expect("it is one"));
        let ran =
            text(&host.answer(&mut shop.reflect_mut(), &request("a", ":run turn\n")).expect("it is one"));
        assert!(ran.contains("ran `turn`"), "{ran}");
        let line = request("a", ":run fail\n");
        let failed = catch_unwind(AssertUnwindSafe(|| host.answer(&mut shop.reflect_mut(), &line)));
        let message = failed.expect_err("the system panics").downcast::<String>().expect("it is text");
        assert!(message.ends_with("panicked: Some(0)"), "{message}");
        let again = text(&host.answer(&mut shop.reflect_mut(), &request("a", "")).expect("it is one"));
        assert_eq!(again.lines().next(), systems.lines().next(), "the session goes on with its view");
        assert_eq!(host.sessions(), 1);
    }
}

#[test]
fn values_of_any_depth_and_size_are_refused_or_taken() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let deep = ["[", "{\"a\":", "(", "not(", "-"].map(|part| part.repeat(4_000));
    for beginning in ["set Health.now = ", "spawn Health = ", "filter ", "sort ", "send ", "step ", "move "] {
        for text in deep.iter().map(String::as_str).chain(["18446744073709551616", "-1e999", "\u{0}", "é"]) {
            let mut params = request("a", ":\n");
            let events = params["events"].as_array_mut().expect("it is one");
            events.insert(1, json!({ "Paste": format!("{beginning}{text}") }));
            host.answer(&mut game.reflect_mut(), &params).expect("it is a request");
        }
    }
    let mut params = request("a", "");
    params["width"] = json!(-1);
    assert!(host.answer(&mut game.reflect_mut(), &params).is_err());
}

#[test]
fn wrong_requests_are_refused() {
    let (mut game, _) = game();
    let host = InspectorHost::new(Inspector::new);
    let mut refused = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut params = request("a", "");
        change(&mut params);
        host.answer(&mut game.reflect_mut(), &params).expect_err("it is wrong")
    };
    assert!(refused(&|params| drop(params.remove("width"))).contains("width"));
    assert!(refused(&|params| drop(params.insert("width".into(), 0.into()))).contains("1 to 500 columns"));
    assert!(refused(&|params| drop(params.insert("height".into(), 201.into()))).contains("1 to 200 rows"));
    assert!(refused(&|params| drop(params.insert("height".into(), 70_000.into()))).contains("70000"));
    assert!(
        refused(&|params| drop(params.insert("session".into(), "x".repeat(65).into()))).contains("64 bytes")
    );
    assert!(
        refused(&|params| drop(params.insert("events".into(), json!([{ "Key": 1 }])))).contains("invalid")
    );
    let many = request("a", &"j".repeat(257));
    assert!(refused(&|params| *params = many.clone()).contains("256 events"));
    assert_eq!(host.sessions(), 0);
}
