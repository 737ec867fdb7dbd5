//! Game states: a resource, the transitions that its enum allows, and conditions.

use ecs::prelude::*;
use ecs::state::{DespawnOnExit, despawn_on_exit, entered, exited, in_state, transition};
use serde::{Deserialize, Serialize};

#[derive(States, Clone, Copy, PartialEq, Debug)]
enum Phase {
    #[state(to(Play))]
    Menu,
    #[state(to(Over, Play))]
    Play,
    Over,
    #[state(to())]
    Closed,
}

#[derive(Resource, Default)]
struct Log(Vec<&'static str>);

world! {
    struct Game {
        resources { phase: State<Phase> = State::new(Phase::Menu), Log = Log::default() }
    }
    schedule frame {
        show_menu if in_state::<phase::Menu>;
        fight if in_state::<phase::Play>;
        transition::<Phase>;
        draw if !in_state::<phase::Over>;
    }
}

#[system(Game)]
fn show_menu(mut log: ResMut<Log>, mut phase: ResMut<State<Phase>>) {
    log.0.push("menu");
    phase.change::<phase::Menu, phase::Play>();
}

#[system(Game)]
fn fight(mut log: ResMut<Log>, mut phase: ResMut<State<Phase>>) {
    log.0.push("fight");
    phase.change::<phase::Play, phase::Over>();
}

#[system(Game)]
fn draw(mut log: ResMut<Log>) {
    log.0.push("draw");
}

fn phase(game: &Game) -> Phase {
    *game.resource::<State<Phase>>().get()
}

#[test]
fn a_state_changes_where_transition_stands() {
    let mut game = Game::new();
    let phases: Vec<Phase> = (0..3).map(|_| (game.frame(), phase(&game)).1).collect();
    assert_eq!(phases, [Phase::Play, Phase::Over, Phase::Over]);
    assert_eq!(game.resource::<Log>().0, ["menu", "draw", "fight"]);
}

#[test]
fn set_refuses_a_transition_that_is_not_allowed() {
    let mut state = State::new(Phase::Menu);
    let error = state.set(Phase::Over).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Phase` has no transition from `Menu` to `Over`: list it in `#[state(to(..))]` on the variant `Menu`"
    );
    assert_eq!((state.get(), state.requested()), (&Phase::Menu, None));
    state.set(Phase::Play).unwrap();
    assert_eq!((state.get(), state.requested()), (&Phase::Menu, Some(&Phase::Play)));
    state.transition();
    assert!(state.is(Phase::Play) && state.requested().is_none());
}

#[test]
fn a_variant_without_an_attribute_changes_to_every_other_one() {
    assert_eq!(Phase::Over.transitions(), [Phase::Menu, Phase::Play, Phase::Closed]);
    assert_eq!(Phase::Play.transitions(), [Phase::Over, Phase::Play]);
    assert!(Phase::Closed.transitions().is_empty());
    assert_eq!(Phase::ALL, [Phase::Menu, Phase::Play, Phase::Over, Phase::Closed]);
    assert_eq!((Phase::STATES_NAME, Phase::Over.state_name()), ("Phase", "Over"));
}

#[test]
fn the_last_request_wins_and_the_current_state_withdraws_it() {
    let mut state = State::new(Phase::Over);
    state.set(Phase::Menu).unwrap();
    state.set(Phase::Play).unwrap();
    assert_eq!(state.requested(), Some(&Phase::Play));
    state.set(Phase::Over).unwrap();
    assert_eq!(state.requested(), None);
}

#[test]
fn change_requests_nothing_in_another_state() {
    let mut state = State::new(Phase::Menu);
    assert!(!state.change::<phase::Play, phase::Over>());
    assert_eq!(state.requested(), None);
    assert!(state.change::<phase::Menu, phase::Play>());
    assert_eq!(state.requested(), Some(&Phase::Play));
}

/// Entities, conditions on both sides of the transition, and everything that copies a world.
#[derive(States, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Stage {
    Intro,
    #[state(to(Level, Outro))]
    Level,
    Outro,
}

#[derive(Resource, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Seen(Vec<String>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Play {
        components { DespawnOnExit<Stage> }
        resources { state: State<Stage> = State::new(Stage::Intro), Seen = Seen::default() }
    }
    schedule frame {
        early if entered::<stage::Level>;
        transition::<Stage>;
        despawn_on_exit::<Stage>;
        leave if exited::<stage::Level>, enter if entered::<stage::Level>, begin if entered::<stage::Intro>;
    }
    schedule failing_frame -> Result { frame; fail }
}

#[system(Play)]
fn fail() -> Result<(), std::fmt::Error> {
    Err(std::fmt::Error)
}

#[system(Play)]
fn early(mut seen: ResMut<Seen>) {
    seen.0.push("early".to_owned());
}

#[system(Play)]
fn leave(mut seen: ResMut<Seen>) {
    seen.0.push("leave".to_owned());
}

#[system(Play)]
fn enter(mut seen: ResMut<Seen>, mut commands: Commands<Play>) {
    seen.0.push("enter".to_owned());
    commands.spawn(DespawnOnExit(Stage::Level));
}

#[system(Play)]
fn begin(mut seen: ResMut<Seen>, mut commands: Commands<Play>) {
    seen.0.push("begin".to_owned());
    commands.spawn(DespawnOnExit(Stage::Intro));
    commands.spawn(DespawnOnExit(Stage::Outro));
}

fn seen(play: &mut Play) -> Vec<String> {
    std::mem::take(&mut play.resource_mut::<Seen>().0)
}

fn go(play: &mut Play, to: Stage) -> Vec<String> {
    play.resource_mut::<State<Stage>>().set(to).unwrap();
    play.frame();
    seen(play)
}

fn owners(play: &Play) -> Vec<Stage> {
    play.query::<&DespawnOnExit<Stage>>().iter().map(|owner| owner.0).collect()
}

#[test]
fn a_condition_on_a_transition_holds_once_at_each_place() {
    let mut play = Play::new();
    play.frame();
    assert_eq!(seen(&mut play), ["begin"]);
    play.frame();
    assert!(seen(&mut play).is_empty());
    assert_eq!(go(&mut play, Stage::Level), ["enter"]);
    play.frame();
    assert_eq!(seen(&mut play), ["early"]);
    play.frame();
    assert!(seen(&mut play).is_empty());
    assert_eq!(go(&mut play, Stage::Outro), ["leave"]);
}

#[test]
fn a_listed_transition_to_itself_leaves_and_enters_the_state() {
    let mut play = Play::new();
    go(&mut play, Stage::Level);
    let first = play.query::<Entity>().filter::<With<DespawnOnExit<Stage>>>().iter().next();
    assert_eq!(go(&mut play, Stage::Level), ["early", "leave", "enter"]);
    assert_eq!(owners(&play), [Stage::Level]);
    assert!(!play.contains(first.unwrap()));
    // the others are not listed: the request is withdrawn
    go(&mut play, Stage::Outro);
    assert_eq!(go(&mut play, Stage::Outro), Vec::<String>::new());
}

#[test]
fn a_state_that_is_requested_before_the_first_transition_replaces_the_first_one() {
    let mut state = State::new(Stage::Intro);
    assert_eq!((state.entered(), state.exited()), (None, None));
    state.set(Stage::Level).unwrap();
    state.transition();
    assert_eq!((state.entered(), state.exited()), (Some(&Stage::Level), None));
    state.set(Stage::Outro).unwrap();
    state.transition();
    assert_eq!((state.entered(), state.exited()), (Some(&Stage::Outro), Some(&Stage::Level)));
    state.transition();
    assert_eq!((state.entered(), state.exited()), (None, None));
}

#[test]
fn entities_of_a_state_are_despawned_when_it_is_left() {
    let mut play = Play::new();
    play.frame();
    assert_eq!(owners(&play), [Stage::Intro, Stage::Outro]);
    go(&mut play, Stage::Level);
    assert_eq!(owners(&play), [Stage::Level, Stage::Outro]);
    go(&mut play, Stage::Outro);
    assert_eq!(owners(&play), [Stage::Outro]);
}

/// A world in a state that was just entered, with a request.
fn in_between() -> Play {
    let mut play = Play::new();
    play.frame();
    go(&mut play, Stage::Level);
    play.resource_mut::<State<Stage>>().change::<stage::Level, stage::Outro>();
    play
}

/// The world with its next two frames.
fn continued(mut play: Play) -> (Vec<String>, Vec<Stage>, u64) {
    play.frame();
    play.frame();
    (seen(&mut play), owners(&play), play.hash())
}

#[test]
fn clones_snapshots_and_saves_continue_with_the_same_transition() {
    let mut play = in_between();
    let expected = continued(play.clone());
    assert_eq!(expected.0, ["early", "leave"]);

    let json = serde_json::to_string(&play).unwrap();
    assert_eq!(continued(serde_json::from_str(&json).unwrap()), expected);
    assert_eq!(continued(Play::load(&play.to_bytes().unwrap()).unwrap()), expected);

    let snapshot = play.snapshot();
    let before = play.hash();
    play.frame();
    assert_ne!(play.hash(), before);
    play.restore(&snapshot);
    assert_eq!(play.hash(), before);
    assert_eq!(continued(play), expected);
}

#[test]
fn a_run_that_fails_takes_its_transition_back() {
    let mut play = in_between();
    let before = play.hash();
    assert!(play.try_run(|play| play.failing_frame()).is_err());
    assert_eq!(play.hash(), before);
    assert!(play.resource::<State<Stage>>().is(Stage::Level));
}

#[test]
fn a_saved_request_that_is_not_allowed_is_dropped() {
    let text = serde_json::to_string(&State::new(Stage::Level)).unwrap();
    let edited = text.replace("\"next\":null", "\"next\":\"Intro\"");
    assert_ne!(edited, text);
    let mut state: State<Stage> = serde_json::from_str(&edited).unwrap();
    assert_eq!(state.requested(), Some(&Stage::Intro));
    state.transition();
    assert!(state.is(Stage::Level) && state.requested().is_none());
}
