//! W55: state machines, with transitions that the compiler checks.

use ecs::prelude::*;
use ecs_mechanics::minds::{Machine, NoTransition, StateChange, StateMachine, change_states};
use serde::{Deserialize, Serialize};

#[derive(StateMachine, Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Guard {
    #[state(to(Alert))]
    Patrol,
    #[state(nested, to(Patrol, Alert, Down))]
    Alert(Machine<Mood>),
    #[state(initial, to(Patrol))]
    Down(u32),
}

#[derive(StateMachine, Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Mood {
    #[state(to(Attack))]
    Search,
    #[state(to(Search))]
    Attack(Entity),
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Castle {
        components { mind: Machine<Guard> }
        events { StateChange<Guard>(external) }
    }
    schedule turn { change_states::<Guard> }
}

/// The changes of a turn as text.
fn turn(castle: &mut Castle) -> Vec<String> {
    castle.turn();
    let change = |change: StateChange<Guard>| format!("{:?} {}", change.edge, change.name());
    castle.drain::<StateChange<Guard>>().map(change).collect()
}

fn mind(castle: &mut Castle, guard: Entity) -> &mut Machine<Guard> {
    castle.get_mut(guard).unwrap()
}

/// A guard that searches.
fn searching() -> (Castle, Entity) {
    let mut castle = Castle::new();
    let guard = castle.spawn(Machine::<Guard>::begin::<guard::Down>(2));
    castle.turn();
    assert!(mind(&mut castle, guard).change::<guard::Down, guard::Patrol>(()));
    castle.turn();
    assert!(mind(&mut castle, guard).change::<guard::Patrol, guard::Alert>(Machine::default()));
    castle.turn();
    castle.drain::<StateChange<Guard>>().for_each(drop);
    (castle, guard)
}

#[test]
fn w55_states_are_left_and_entered_in_order_with_their_sub_states() {
    let mut castle = Castle::new();
    let guard = castle.spawn(Machine::<Guard>::begin::<guard::Down>(2));
    assert_eq!(turn(&mut castle), ["Entered Down"]);
    assert_eq!(mind(&mut castle, guard).data::<guard::Down>(), Some(&2));
    assert!(
        !mind(&mut castle, guard).change::<guard::Patrol, guard::Alert>(Machine::default()),
        "it is down"
    );
    assert!(mind(&mut castle, guard).change::<guard::Down, guard::Patrol>(()));
    assert!(mind(&mut castle, guard).is::<guard::Down>(), "a request waits for the schedule");
    assert_eq!(turn(&mut castle), ["Left Down", "Entered Patrol"]);
    mind(&mut castle, guard).change::<guard::Patrol, guard::Alert>(Machine::default());
    assert_eq!(turn(&mut castle), ["Left Patrol", "Entered Alert", "Entered Alert::Search"]);
    let mood = mind(&mut castle, guard).data_mut::<guard::Alert>().unwrap();
    assert!(mood.change::<mood::Search, mood::Attack>(guard));
    assert_eq!(turn(&mut castle), ["Left Alert::Search", "Entered Alert::Attack"]);
    mind(&mut castle, guard).change::<guard::Alert, guard::Down>(7);
    assert_eq!(turn(&mut castle), ["Left Alert::Attack", "Left Alert", "Entered Down"]);
    assert_eq!(turn(&mut castle), Vec::<String>::new());
}

#[test]
fn w55_changes_name_states_of_each_level_as_types() {
    let (mut castle, guard) = searching();
    mind(&mut castle, guard).data_mut::<guard::Alert>().unwrap().change::<mood::Search, mood::Attack>(guard);
    castle.turn();
    let changes: Vec<StateChange<Guard>> = castle.drain().collect();
    let [left, entered] = changes.as_slice() else { panic!("{changes:?}") };
    assert!(left.entity == guard && left.left::<mood::Search>() && !left.entered::<mood::Search>());
    assert!(entered.entered::<mood::Attack>() && !entered.entered::<guard::Alert>());
    assert!(!entered.entered::<guard::Patrol>(), "the positions of both are 0 and 1");
}

#[test]
fn a_transition_to_itself_enters_the_state_again_and_ends_requests_of_its_sub_states() {
    let (mut castle, guard) = searching();
    let machine = mind(&mut castle, guard);
    machine.data_mut::<guard::Alert>().unwrap().change::<mood::Search, mood::Attack>(guard);
    machine.change::<guard::Alert, guard::Alert>(Machine::default());
    let expected = ["Left Alert::Search", "Left Alert", "Entered Alert", "Entered Alert::Search"];
    assert_eq!(turn(&mut castle), expected);
}

#[test]
fn transitions_known_at_run_time_are_checked_then() {
    let (mut castle, guard) = searching();
    let machine = mind(&mut castle, guard);
    machine.set(Guard::Patrol).unwrap();
    assert_eq!(machine.requested(), Some(&Guard::Patrol));
    machine.stay();
    assert_eq!(turn(&mut castle), Vec::<String>::new());
    let machine = mind(&mut castle, guard);
    machine.change::<guard::Alert, guard::Down>(1);
    castle.turn();
    let error = mind(&mut castle, guard).set(Guard::Alert(Machine::default())).unwrap_err();
    assert_eq!(error, NoTransition { machine: "Guard", from: "Down", to: "Alert" });
    let expected = "`Guard` has no transition from `Down` to `Alert`: list it in `#[state(to(..))]` on the variant `Down`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_first_request_before_the_first_step_is_the_state_that_is_entered() {
    let mut castle = Castle::new();
    let guard = castle.spawn(Machine::<Guard>::begin::<guard::Down>(2));
    mind(&mut castle, guard).change::<guard::Down, guard::Patrol>(());
    assert_eq!(turn(&mut castle), ["Entered Patrol"]);
}

#[test]
fn w55_machines_are_saved_with_their_requests() {
    let (mut castle, guard) = searching();
    mind(&mut castle, guard).data_mut::<guard::Alert>().unwrap().change::<mood::Search, mood::Attack>(guard);
    let text = serde_json::to_string(&castle).unwrap();
    let mut others = [
        castle.clone(),
        Castle::load(&castle.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&text).unwrap(),
    ];
    let changes = turn(&mut castle);
    assert_eq!(changes, ["Left Alert::Search", "Entered Alert::Attack"]);
    for other in &mut others {
        assert_eq!(turn(other), changes);
        assert_eq!(other.hash(), castle.hash());
    }
}

/// The same machine after a change of the program, which has other states.
mod later {
    use super::*;

    #[derive(StateMachine, Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub(super) enum Guard {
        #[state(to(Down))]
        Patrol,
        #[state(to(Patrol))]
        Down(u32),
    }

    world! {
        #[derive(Serialize, Deserialize)]
        pub(super) struct Castle {
            components { mind: Machine<Guard> }
            events { StateChange<Guard>(external) }
        }
        schedule turn { change_states::<Guard> }
    }

    impl Castle {
        pub(super) fn first(&self) -> Guard {
            self.query::<&Machine<Guard>>().iter().next().unwrap().get().clone()
        }
    }
}

#[test]
fn w55_a_save_with_a_state_or_a_transition_that_the_program_lacks_is_a_clear_error() {
    let save = |castle: &Castle| (serde_json::to_string(castle).unwrap(), castle.to_bytes().unwrap());
    let (castle, _) = searching();
    let (text, bytes) = save(&castle);
    let error = serde_json::from_str::<later::Castle>(&text).err().unwrap().to_string();
    assert!(error.contains("unknown variant `Alert`, expected `Patrol` or `Down`"), "{error}");
    let error = later::Castle::load(&bytes).err().unwrap().to_string();
    assert!(error.contains("Machine") && error.contains("Alert"), "{error}");

    // a state that both have: it may be read by name, and the compact form says that the states
    // differ
    let mut castle = Castle::new();
    let guard = castle.spawn(Machine::<Guard>::begin::<guard::Down>(2));
    castle.turn();
    castle.drain::<StateChange<Guard>>().for_each(drop);
    let (text, bytes) = save(&castle);
    assert_eq!(serde_json::from_str::<later::Castle>(&text).unwrap().first(), later::Guard::Down(2));
    assert!(later::Castle::load(&bytes).is_err());

    // a request that the graph of the program does not allow
    castle.get_mut::<Machine<Guard>>(guard).unwrap().change::<guard::Down, guard::Patrol>(());
    castle.turn();
    castle.drain::<StateChange<Guard>>().for_each(drop);
    let edited = save(&castle).0.replace(r#""next":null"#, r#""next":{"Down":1}"#);
    let error = serde_json::from_str::<Castle>(&edited).err().unwrap().to_string();
    let expected = "the saved machine `Guard` is about to change from `Patrol` to `Down`, and the program has no such transition";
    assert!(error.contains(expected), "{error}");
    serde_json::from_str::<later::Castle>(&edited).expect("the later program has this transition");
}
