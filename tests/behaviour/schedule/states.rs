//! Game states: a resource, the transitions that its enum allows, and conditions.

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::state::{DespawnOnExit, SubState, despawn_on_exit, exited, sub_transition};
use ecs::time::every_nth;
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

/// States within a state, in two levels.
#[derive(States, Clone, PartialEq, Debug)]
enum App {
    Menu,
    #[state(to(Menu, Running))]
    Running,
}

#[derive(States, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[states(within = app::Running)]
enum Turn {
    #[state(to(Monsters))]
    Player,
    #[state(to(Player))]
    Monsters,
}

#[derive(States, PartialEq, Debug)]
#[states(within = turn::Monsters, module = steps)]
enum Step {
    Choose,
    Attack,
}

world! {
    struct Nested {
        components { DespawnOnExit<Turn> }
        resources {
            State<App> = State::new(App::Menu), turn: SubState<Turn> = SubState::new(),
            step: SubState<Step> = SubState::new(), Seen = Seen::default(),
        }
    }
    schedule frame {
        transition::<App>;
        sub_transition::<Turn>;
        sub_transition::<Step>;
        despawn_on_exit::<Turn>;
        player_ends if exited::<turn::Player>;
        player_begins if entered::<turn::Player>;
        attacks if in_state::<steps::Attack>;
    }
}

#[system(Nested)]
fn player_ends(mut seen: ResMut<Seen>) {
    seen.0.push("player ends".to_owned());
}

#[system(Nested)]
fn player_begins(mut seen: ResMut<Seen>, mut commands: Commands<Nested>) {
    seen.0.push("player begins".to_owned());
    commands.spawn(DespawnOnExit(Turn::Player));
}

#[system(Nested)]
fn attacks(mut seen: ResMut<Seen>) {
    seen.0.push("attacks".to_owned());
}

impl Nested {
    fn next(&mut self) -> Vec<String> {
        self.frame();
        std::mem::take(&mut self.resource_mut::<Seen>().0)
    }

    fn turn(&mut self) -> &mut SubState<Turn> {
        self.resource_mut()
    }

    fn step(&self) -> Option<&Step> {
        self.resource::<SubState<Step>>().get()
    }
}

#[test]
fn a_sub_state_begins_and_ends_with_its_parent() {
    let mut game = Nested::new();
    assert!(game.next().is_empty() && game.turn().get().is_none());
    assert!(!game.turn().change::<turn::Player, turn::Monsters>() && game.turn().active_mut().is_none());
    assert_eq!(format!("{:?}", game.turn()), "no Turn");

    game.resource_mut::<State<App>>().set(App::Running).unwrap();
    assert_eq!(game.next(), ["player begins"]);
    assert!(game.turn().is(Turn::Player) && game.query::<&DespawnOnExit<Turn>>().len() == 1);
    assert!(game.next().is_empty());

    // the request is dropped with the state
    assert!(game.turn().change::<turn::Player, turn::Monsters>());
    assert_eq!(format!("{:?}", game.turn()), "Turn::Player -> Monsters");
    game.resource_mut::<State<App>>().set(App::Menu).unwrap();
    assert_eq!(game.next(), ["player ends"]);
    assert!(game.turn().get().is_none() && game.query::<&DespawnOnExit<Turn>>().is_empty());
    assert!(game.next().is_empty());
}

#[test]
fn a_parent_that_is_entered_again_begins_with_the_first_state() {
    let mut game = Nested::new();
    game.resource_mut::<State<App>>().set(App::Running).unwrap();
    assert_eq!(game.next(), ["player begins"]);
    game.turn().change::<turn::Player, turn::Monsters>();
    assert_eq!(game.next(), ["player ends"]);
    assert!(game.turn().is(Turn::Monsters));
    game.resource_mut::<State<App>>().change::<app::Running, app::Running>();
    assert_eq!(game.next(), ["player begins"]);
    assert_eq!(game.turn().exited(), Some(&Turn::Monsters));
    assert_eq!(game.turn().active().map(State::get), Some(&Turn::Player));
}

/// Entities of states that are despawned with another entity.
#[derive(States, PartialEq, Debug)]
enum Scene {
    Title,
    #[state(to(Title, Fight))]
    Fight,
}
#[derive(States, PartialEq, Debug)]
#[states(within = scene::Fight)]
enum Side {
    Left,
    Right,
}

world! {
    struct Stacked {
        components { DespawnOnExit<Scene>, DespawnOnExit<Side>, ChildOf, Disabled }
        resources { State<Scene> = State::new(Scene::Title), SubState<Side> = SubState::new() }
    }
    schedule frame {
        transition::<Scene>;
        sub_transition::<Side>;
        despawn_on_exit::<Scene>, despawn_on_exit::<Side>;
    }
}

fn fighting() -> Stacked {
    let mut game = Stacked::new();
    game.on_failed_command(FailurePolicy::Panic);
    game.frame();
    game.resource_mut::<State<Scene>>().set(Scene::Fight).unwrap();
    game.frame();
    game
}

#[test]
fn marked_children_of_marked_parents_are_despawned_without_a_failed_command() {
    let mut game = fighting();
    let parent = game.spawn(DespawnOnExit(Scene::Fight));
    let child = game.spawn((DespawnOnExit(Scene::Fight), DespawnOnExit(Side::Left), ChildOf(parent)));
    let grandchild = game.spawn((DespawnOnExit(Side::Left), ChildOf(child), Disabled));
    let other = game.spawn((DespawnOnExit(Side::Right), Disabled));
    game.resource_mut::<State<Scene>>().set(Scene::Title).unwrap();
    game.frame();
    assert!([parent, child, grandchild].iter().all(|&entity| !game.contains(entity)));
    assert!(game.contains(other));
    assert_eq!(game.stats().failed_commands, 0);
}

world! {
    struct Reversed {
        components { DespawnOnExit<Scene> }
        resources { State<Scene> = State::new(Scene::Title), SubState<Side> = SubState::new() }
    }
    schedule frame {
        despawn_on_exit::<Scene>, sub_transition::<Side>;
        transition::<Scene>;
    }
}

#[test]
fn before_the_transition_sub_states_and_despawns_follow_one_run_later() {
    let mut game = Reversed::new();
    let side = |game: &Reversed| game.resource::<SubState<Side>>().is(Side::Left);
    game.frame();
    game.resource_mut::<State<Scene>>().set(Scene::Fight).unwrap();
    game.frame();
    assert!(!side(&game));
    game.frame();
    assert!(side(&game));
    let entity = game.spawn(DespawnOnExit(Scene::Fight));
    game.resource_mut::<State<Scene>>().set(Scene::Title).unwrap();
    game.frame();
    assert!(side(&game) && game.contains(entity));
    game.frame();
    assert!(!side(&game) && !game.contains(entity));
}

#[test]
fn sub_states_nest() {
    let mut game = Nested::new();
    game.resource_mut::<State<App>>().set(App::Running).unwrap();
    game.next();
    assert_eq!(game.step(), None);
    game.turn().active_mut().unwrap().set(Turn::Monsters).unwrap();
    game.next();
    assert_eq!(game.step(), Some(&Step::Choose));
    assert!(game.resource_mut::<SubState<Step>>().change::<steps::Choose, steps::Attack>());
    assert_eq!(game.next(), ["attacks"]);
    game.resource_mut::<State<App>>().set(App::Menu).unwrap();
    game.next();
    assert_eq!((game.step(), game.resource::<SubState<Step>>().exited()), (None, Some(&Step::Attack)));
}

#[test]
fn a_sub_state_is_saved() {
    let mut game = Nested::new();
    game.resource_mut::<State<App>>().set(App::Running).unwrap();
    game.next();
    game.turn().change::<turn::Player, turn::Monsters>();
    let saved = serde_json::to_string(game.turn()).unwrap();
    let mut loaded: SubState<Turn> = serde_json::from_str(&saved).unwrap();
    assert_eq!(&loaded, game.turn());
    loaded.transition(&State::new(App::Running));
    assert!(loaded.is(Turn::Monsters));
}

/// Two states that read the same events.
#[derive(States, Clone, PartialEq, Debug)]
enum Door {
    Shut,
    Open,
}

#[derive(Event)]
struct Click;
#[derive(Event)]
struct Letter;
#[derive(Event)]
struct Noise;

/// The events of each type that were read while the door is open.
#[derive(Resource, Default, Debug, PartialEq)]
struct Heard {
    clicks: usize,
    letters: usize,
    noises: usize,
}
#[derive(Resource, Default)]
struct Asleep(bool);

world! {
    struct House {
        resources { State<Door> = State::new(Door::Shut), Heard = Heard::default(), Asleep = Asleep::default() }
        events { Click(external), Letter(external, skip = keep), Noise(external, skip = clear) }
    }
    schedule behind { go_out if in_state::<door::Open>; come_in if in_state::<door::Shut>; transition::<Door> }
    schedule before { transition::<Door>; come_in if in_state::<door::Shut>; go_out if in_state::<door::Open> }
    schedule one_stage { come_in if in_state::<door::Shut>, go_out if in_state::<door::Open>; transition::<Door> }
    schedule groups {
        (go_out, rest) if in_state::<door::Open>;
        (rest as again; (come_in) if in_state::<door::Shut>) if !in_state::<door::Open>;
        transition::<Door>;
    }
    schedule conditions {
        go_out if !(asleep || in_state::<door::Shut>);
        come_in if !asleep && (in_state::<door::Shut> && !in_state::<door::Open>);
        transition::<Door>;
    }
    schedule inner_open { go_out; (rest) if asleep }
    schedule inner_shut { inner_come_in }
    schedule inner_come_in { come_in, rest }
    schedule schedules {
        inner_open if in_state::<door::Open>;
        (inner_shut) if in_state::<door::Shut>;
        transition::<Door>;
    }
    schedule exclusive {
        go_out if stands && in_state::<door::Open>;
        (come_in) if in_state::<door::Shut> && stands;
        transition::<Door>;
    }
    schedule hear {
        transition::<Door>;
        listen if in_state::<door::Open> && !asleep;
    }
    schedule hear_by_groups { transition::<Door>; ((listen) if !asleep) if in_state::<door::Open> }
    schedule outer { inner if in_state::<door::Open> }
    schedule inner { go_out; call_outer }
    schedule hear_third { listen if in_state::<door::Open> && every_nth(3); transition::<Door> }
}

#[system(House)]
fn asleep(asleep: Res<Asleep>) -> bool {
    asleep.0
}

#[system(House)]
fn rest() {}

#[system(House)]
fn come_in(mut clicks: EventReader<Click>, mut state: ResMut<State<Door>>) {
    if clicks.iter().len() > 0 {
        assert!(state.change::<door::Shut, door::Open>());
    }
}

#[system(House)]
fn go_out(mut clicks: EventReader<Click>, mut state: ResMut<State<Door>>) {
    if clicks.iter().len() > 0 {
        assert!(state.change::<door::Open, door::Shut>());
    }
}

/// A condition that takes the whole world.
#[system(House)]
fn stands(_: &mut House) -> bool {
    true
}

/// Calls the schedule that names its own one.
#[system(House)]
fn call_outer(house: &mut House, mut runs: Local<Vec<u32>>) {
    runs.push(1);
    house.outer();
    house.resource_mut::<Heard>().noises = runs.len();
}

#[system(House)]
fn listen(
    mut clicks: EventReader<Click>,
    mut letters: EventReader<Letter>,
    mut noises: EventReader<Noise>,
    mut heard: ResMut<Heard>,
) {
    heard.clicks += clicks.iter().len();
    heard.letters += letters.iter().len();
    heard.noises += noises.iter().len();
}

#[test]
fn a_click_that_one_state_has_read_is_not_read_by_the_next_state() {
    type Frame = (&'static str, fn(&mut House));
    let schedules: [Frame; 7] = [
        ("behind", House::behind),
        ("before", House::before),
        ("one_stage", House::one_stage),
        ("groups", House::groups),
        ("conditions", House::conditions),
        ("schedules", House::schedules),
        ("exclusive", House::exclusive),
    ];
    for parallelism in [Parallelism::Never, Parallelism::Always] {
        for (name, frame) in schedules {
            let mut house = House::new();
            house.set_parallelism(parallelism);
            frame(&mut house);
            for door in [Door::Open, Door::Shut, Door::Open, Door::Shut] {
                house.send(Click);
                for wait in 0..5 {
                    frame(&mut house);
                    let is_there = house.resource::<State<Door>>().is(door.clone());
                    assert!(is_there || wait == 0, "{name}, {parallelism:?}: frame {wait} of {door:?}");
                }
            }
        }
    }
}

#[test]
fn a_schedule_that_is_running_is_skipped_by_another_one() {
    let mut house = House::new();
    for runs in 1..4 {
        house.inner();
        assert_eq!(house.resource::<Heard>().noises, runs);
    }
}

fn open(frame: fn(&mut House)) -> House {
    let mut house = House::new();
    for _ in 0..3 {
        house.send(Click);
        house.send(Letter);
        house.send(Noise);
        frame(&mut house);
    }
    assert_eq!(*house.resource::<Heard>(), Heard::default());
    house.resource_mut::<State<Door>>().set(Door::Open).unwrap();
    frame(&mut house);
    frame(&mut house);
    house
}

#[test]
fn events_of_another_state_are_kept_if_they_are_declared_so() {
    for frame in [House::hear as fn(&mut House), House::hear_by_groups] {
        let house = open(frame);
        assert_eq!(*house.resource::<Heard>(), Heard { clicks: 0, letters: 3, noises: 0 });
    }
}

#[test]
fn another_part_of_a_condition_does_not_drop_the_events_of_the_state() {
    for frame in [House::hear as fn(&mut House), House::hear_by_groups] {
        let mut house = open(frame);
        for asleep in [true, false] {
            house.resource_mut::<Asleep>().0 = asleep;
            house.send(Click);
            house.send(Noise);
            frame(&mut house);
        }
        assert_eq!(*house.resource::<Heard>(), Heard { clicks: 2, letters: 3, noises: 1 });
    }
    let mut house = open(House::hear_third);
    *house.resource_mut() = Heard::default();
    for _ in 0..12 {
        house.send(Click);
        house.hear_third();
    }
    assert!((10..=12).contains(&house.resource::<Heard>().clicks), "{:?}", house.resource::<Heard>());
}
