//! States with data, computed states, and entities that a state ends.

use ecs::prelude::*;
use ecs::state::{
    ComputedState, DespawnOnEnter, DespawnOnExit, SubState, compute_state, despawn_on_enter, despawn_on_exit,
    exited, sub_transition,
};
use serde::{Deserialize, Serialize};

#[derive(States, Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Phase {
    #[state(to(Level, Named))]
    Menu,
    Level(u8),
    #[state(to(Menu, Named))]
    Named {
        name: String,
        part: u8,
    },
}

#[derive(States, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[states(within = phase::Level)]
enum Turn {
    Player,
    #[state(to(Player))]
    Monster(u8),
}

#[derive(States, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[states(computed)]
enum Music {
    Calm,
    Fast(u8),
}

#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Log(Vec<String>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { DespawnOnExit<Phase>, DespawnOnEnter<Music> }
        resources {
            State<Phase> = State::new(Phase::Menu),
            SubState<Turn> = SubState::new(),
            ComputedState<Music> = ComputedState::new(),
            Log = Log::default(),
        }
    }
    schedule frame {
        transition::<Phase>;
        sub_transition::<Turn>;
        choose_music | compute_state::<Music>;
        despawn_on_exit::<Phase>, despawn_on_enter::<Music>;
        leave if exited::<phase::Level>, enter if entered::<phase::Level>;
        fast if entered::<music::Fast>, slow if exited::<music::Fast>;
    }
}

#[system(Game)]
fn choose_music(phase: Res<State<Phase>>, turn: Res<SubState<Turn>>) -> Option<Music> {
    match (phase.get(), turn.get()) {
        (Phase::Menu, _) => None,
        (_, Some(Turn::Monster(strength))) => Some(Music::Fast(*strength)),
        _ => Some(Music::Calm),
    }
}

#[system(Game)]
fn enter(phase: Res<State<Phase>>, mut log: ResMut<Log>) {
    log.0.push(format!("enter {:?}", phase.get()));
}
#[system(Game)]
fn leave(phase: Res<State<Phase>>, mut log: ResMut<Log>) {
    log.0.extend(phase.exited().map(|phase| format!("leave {phase:?}")));
}
#[system(Game)]
fn fast(music: Res<ComputedState<Music>>, mut log: ResMut<Log>) {
    log.0.extend(music.get().map(|music| format!("{music:?}")));
}
#[system(Game)]
fn slow(mut log: ResMut<Log>) {
    log.0.push("slow".to_owned());
}

fn go(game: &mut Game, phase: Phase) -> Vec<String> {
    game.resource_mut::<State<Phase>>().set(phase).unwrap();
    game.frame();
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn states_with_other_data_are_other_states() {
    let mut game = Game::new();
    assert_eq!(go(&mut game, Phase::Level(1)), ["enter Level(1)"]);
    let entities = [1, 2].map(|level| game.spawn(DespawnOnExit(Phase::Level(level))));
    assert!(go(&mut game, Phase::Level(1)).is_empty()); // the current one
    assert_eq!(go(&mut game, Phase::Level(2)), ["leave Level(1)", "enter Level(2)"]);
    assert_eq!(entities.map(|entity| game.contains(entity)), [false, true]);
    assert!(game.resource::<State<Phase>>().is(Phase::Level(2)));
    assert!(!game.resource::<State<Phase>>().is(Phase::Level(3)));
}

#[test]
fn lists_of_transitions_name_variants_with_data() {
    let named = |part| Phase::Named { name: "hall".to_owned(), part };
    let mut state = State::new(named(1));
    assert_eq!(state.set(Phase::Level(1)).unwrap_err().to, "Level");
    assert!(state.set(named(2)).is_ok() && state.requested() == Some(&named(2)));
    state.set(named(1)).unwrap(); // it lists itself: entered again
    state.transition();
    state.set(named(1)).unwrap();
    state.transition();
    assert_eq!((state.exited(), state.entered()), (Some(&named(1)), Some(&named(1))));
    assert!(state.change::<phase::Named, phase::Menu>()); // whatever its data are
    assert_eq!(Phase::ALL, [Phase::Menu]);
    assert_eq!((Phase::Level(7).index(), Phase::Level(7).state_name()), (1, "Level"));

    // a list without the variant itself refuses other data, and the same data withdraw the request
    let mut turn = State::new(Turn::Monster(1));
    assert!(turn.set(Turn::Monster(2)).is_err());
    turn.set(Turn::Player).unwrap();
    turn.set(Turn::Monster(1)).unwrap();
    assert_eq!(turn.requested(), None);
}

#[test]
fn a_sub_state_is_set_by_its_value() {
    let mut turn = SubState::<Turn>::new();
    assert_eq!(turn.set(Turn::Monster(1)), Ok(false));
    let mut phase = State::new(Phase::Level(1));
    phase.transition();
    turn.transition(&phase);
    assert_eq!(turn.set(Turn::Monster(1)), Ok(true));
    phase.transition();
    turn.transition(&phase);
    assert!(turn.is(Turn::Monster(1)));
    assert_eq!(turn.set(Turn::Monster(2)).unwrap_err().from, "Monster");
}

#[test]
fn a_sub_state_begins_anew_with_other_data_of_its_parent() {
    let mut game = Game::new();
    go(&mut game, Phase::Level(1));
    game.resource_mut::<SubState<Turn>>().set(Turn::Monster(5)).unwrap();
    assert_eq!(go(&mut game, Phase::Level(1)), ["Fast(5)"]);
    assert_eq!(go(&mut game, Phase::Level(2)), ["leave Level(1)", "enter Level(2)", "slow"]);
    assert!(game.resource::<SubState<Turn>>().is(Turn::Player));
}

#[test]
fn computed_states_are_entered_and_exited() {
    let mut game = Game::new();
    let calm = game.spawn(DespawnOnEnter(Music::Calm));
    let fast = game.spawn(DespawnOnEnter(Music::Fast(2)));
    game.frame();
    assert_eq!(game.resource::<ComputedState<Music>>().get(), None);
    assert!(game.contains(calm));
    go(&mut game, Phase::Level(1));
    assert!(!game.contains(calm) && game.contains(fast));
    assert_eq!(game.resource::<ComputedState<Music>>().entered(), Some(&Music::Calm));
    game.resource_mut::<SubState<Turn>>().set(Turn::Monster(2)).unwrap();
    assert_eq!(go(&mut game, Phase::Level(1)), ["Fast(2)"]);
    assert!(!game.contains(fast));
    game.frame();
    assert_eq!(game.resource::<ComputedState<Music>>().entered(), None);
    assert_eq!(go(&mut game, Phase::Menu), ["leave Level(1)", "slow"]);
    assert_eq!(game.resource::<ComputedState<Music>>().exited(), Some(&Music::Fast(2)));
    assert_eq!(format!("{:?}", game.resource::<ComputedState<Music>>()), "no Music");
}

#[test]
fn saves_and_snapshots_have_the_data() {
    let mut game = Game::new();
    go(&mut game, Phase::Level(3));
    game.resource_mut::<State<Phase>>().set(Phase::Level(4)).unwrap();
    game.resource_mut::<SubState<Turn>>().set(Turn::Monster(2)).unwrap();
    let continued = |mut game: Game| {
        game.frame();
        game.frame();
        (game.resource::<Log>().clone(), game.hash())
    };
    let expected = continued(game.clone());
    assert_eq!(expected.0.0, ["leave Level(3)", "enter Level(4)"]);
    let json = serde_json::to_string(&game).unwrap();
    assert_eq!(continued(serde_json::from_str(&json).unwrap()), expected);
    assert_eq!(continued(Game::load(&game.to_bytes().unwrap()).unwrap()), expected);
    let snapshot = game.snapshot();
    game.frame();
    game.restore(&snapshot);
    assert_eq!(continued(game), expected);
}
