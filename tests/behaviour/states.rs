//! Game states: a resource, the transitions that its enum allows, and conditions.

use ecs::prelude::*;
use ecs::state::{in_state, transition};

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
