//! Groups of steps with one condition, in every executor.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, Clone)]
struct Health;
#[derive(Event, Clone)]
struct Hit;
#[derive(Resource, Default, Clone)]
struct Log(Vec<&'static str>);
#[derive(Resource, Default, Clone)]
struct Asked {
    answer: bool,
    times: u32,
}
#[derive(Resource, Default, Clone)]
struct Other(u32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health }
        resources { Log = Log::default(), Asked = Asked::default(), Other = Other::default() }
        events { Hit(external) }
    }
    schedule once { (turn_off, say("a"), say("b")) if asked; say("c") }
    schedule nested { (say("a"), (say("b"), say("c")) if twice, say("d")) if asked }
    schedule stages { (spawn; count; say("end")) if asked }
    schedule apart { (say("a"), other) if asked, count_other }
    schedule whole { (inner, reset) if asked; say("end") }
    schedule inner { say("inner") }
    schedule reacts { react { (read) if asked, say("react") } max 5 }
    schedule fails -> Result { (fail, say("late")) if asked; say("after") }
    schedule switched { (#[cfg(any())] nothing, say("a"), #[cfg(all())] say("b")) if asked }
}

#[system(Game)]
fn asked(mut asked: ResMut<Asked>) -> bool {
    asked.times += 1;
    asked.answer
}
#[system(Game)]
fn twice(asked: Res<Asked>) -> bool {
    asked.times.is_multiple_of(2)
}
#[system(Game)]
fn turn_off(mut asked: ResMut<Asked>) {
    asked.answer = false;
}
#[system(Game)]
fn say(what: In<&'static str>, mut log: ResMut<Log>) {
    log.0.push(*what);
}
#[system(Game)]
fn spawn(mut commands: Commands<Game>) {
    commands.spawn(Health);
}
#[system(Game)]
fn count(healths: Query<&Health>, mut other: ResMut<Other>) {
    other.0 = healths.len() as u32;
}
#[system(Game)]
fn other(mut other: ResMut<Other>) {
    other.0 += 1;
}
#[system(Game)]
fn count_other(other: Res<Other>, mut log: ResMut<Log>) {
    log.0.push(if other.0 > 0 { "other" } else { "no other" });
}
#[system(Game)]
fn reset(game: &mut Game) {
    *game = Game::new();
    game.resource_mut::<Log>().0.push("new world");
}
#[system(Game)]
fn read(mut hits: EventReader<Hit>, mut log: ResMut<Log>) {
    (&mut hits).into_iter().for_each(|_| log.0.push("hit"));
}
#[system(Game)]
fn fail() -> Result<(), String> {
    Err("failed".into())
}
#[cfg(any())]
#[system(Game)]
fn nothing() {}

/// A game for each way to run schedules.
fn games(answer: bool) -> impl Iterator<Item = Game> {
    let ways = [Parallelism::Auto, Parallelism::Never, Parallelism::Always];
    ways.into_iter().flat_map(|way| [false, true].map(|timed| (way, timed))).map(move |(way, timed)| {
        let mut game = Game::new();
        game.set_parallelism(way);
        game.time_systems(timed);
        game.resource_mut::<Asked>().answer = answer;
        game
    })
}

fn log(game: &mut Game) -> Vec<&'static str> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn the_condition_of_a_group_is_evaluated_once_for_all_of_it() {
    for mut game in games(true) {
        game.once();
        assert_eq!(log(&mut game), ["a", "b", "c"], "a member has changed what the condition reads");
        game.once();
        assert_eq!(log(&mut game), ["c"]);
        assert_eq!(game.resource::<Asked>().times, 2);
    }
}

#[test]
fn an_inner_group_is_asked_only_if_the_outer_one_is_open() {
    for mut game in games(true) {
        game.nested();
        assert_eq!(log(&mut game), ["a", "d"]);
        game.nested();
        assert_eq!(log(&mut game), ["a", "b", "c", "d"]);
        game.resource_mut::<Asked>().answer = false;
        game.nested();
        game.nested();
        assert_eq!(log(&mut game), [""; 0]);
    }
}

#[test]
fn a_group_may_have_several_stages() {
    for mut game in games(true) {
        game.stages();
        assert_eq!((game.resource::<Other>().0, log(&mut game)), (1, vec!["end"]));
        game.resource_mut::<Asked>().answer = false;
        game.stages();
        assert_eq!((game.query::<&Health>().len(), log(&mut game)), (1, vec![]));
    }
}

#[test]
fn steps_beside_a_group_do_not_depend_on_its_condition() {
    for mut game in games(false) {
        game.apart();
        assert_eq!(log(&mut game), ["no other"]);
        game.resource_mut::<Asked>().answer = true;
        game.apart();
        assert_eq!(log(&mut game), ["a", "other"]);
    }
}

#[test]
fn schedules_and_systems_that_replace_the_world_can_be_in_a_group() {
    for mut game in games(true) {
        game.whole();
        assert_eq!(log(&mut game), ["new world", "end"]);
        assert!(!game.resource::<Asked>().answer);
        game.whole();
        assert_eq!(log(&mut game), ["end"]);
    }
}

#[test]
fn a_react_block_ends_if_a_group_refuses_its_unread_events() {
    for mut game in games(false) {
        game.send(Hit);
        game.reacts();
        assert_eq!(log(&mut game), ["react", "react"], "once more, since the condition might have changed");
        game.resource_mut::<Asked>().answer = true;
        game.reacts();
        assert_eq!(log(&mut game), ["hit", "react"]);
    }
}

#[test]
fn a_failure_in_a_group_ends_the_run() {
    for mut game in games(true) {
        assert_eq!(game.fails().unwrap_err().system, "fail");
        game.resource_mut::<Asked>().answer = false;
        game.fails().unwrap();
        assert_eq!(log(&mut game), ["after"]);
    }
}

#[test]
fn a_cfg_may_leave_out_a_step_of_a_group() {
    for mut game in games(true) {
        game.switched();
        assert_eq!(log(&mut game), ["a", "b"]);
        game.resource_mut::<Asked>().answer = false;
        game.switched();
        assert_eq!(log(&mut game), [""; 0]);
    }
}

#[test]
fn a_clone_that_was_made_in_an_open_group_asks_again() {
    for mut game in games(true) {
        game.once();
        let mut copy = game.clone();
        copy.resource_mut::<Asked>().answer = true;
        log(&mut copy);
        copy.once();
        assert_eq!(log(&mut copy), ["a", "b", "c"]);
    }
}

#[test]
fn the_graph_shows_the_gate_of_a_group_and_who_waits_for_it() {
    let graph = Game::new().schedule_graph();
    let nested = graph.schedules.iter().find(|schedule| schedule.name == "nested").unwrap();
    let nodes: Vec<_> = nested.nodes.iter().map(|node| (node.system, node.group)).collect();
    let expected = [
        ("if asked", None),
        ("say(\"a\")", Some(0)),
        ("if twice", Some(0)),
        ("say(\"b\")", Some(2)),
        ("say(\"c\")", Some(2)),
        ("say(\"d\")", Some(0)),
    ];
    assert_eq!(nodes, expected);
    assert!(nested.edges.iter().any(|edge| (edge.from, edge.to) == (0, 1) && edge.over == ["if asked"]));
}
