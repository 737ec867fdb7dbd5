//! `react` blocks, nested schedules, fixed steps, failing systems, disabled systems.

use std::time::Duration;

use ecs::error::{SystemError, Unsettled};
use ecs::prelude::*;
use ecs_tests::fuse::panic_message;

#[derive(Component)]
struct Domino(u32);
#[derive(Event, Clone)]
struct Falls(u32);
#[derive(Resource, Default)]
struct Log(Vec<String>);
#[derive(Resource, Default)]
struct Limit(u32);
#[derive(Resource)]
struct Slow(FixedTime);

impl ecs::schedule::Steps for Slow {
    fn due(&mut self, taken: u32) -> bool {
        self.0.due(taken)
    }
}

world! {
    struct Game {
        components { Domino }
        resources {
            Log = Log::default(), Limit = Limit::default(),
            time: FixedTime = FixedTime::new(Duration::from_millis(10)).catching_up(3),
            Slow = Slow(FixedTime::new(Duration::from_millis(100))),
        }
        events { Falls(external) }
    }
    schedule row { react { fall, clear } max 16; done }
    schedule careful -> Result { begin; react { fall, clear } max 16; done }
    schedule plan -> Result { begin, check, work; done }
    schedule inner { work, done }
    schedule middle { begin; inner; Game::inner }
    schedule outer -> Result { middle, check if allowed; plan }
    schedule simulate every FixedTime { work }
    schedule slowly every Slow { done }
    schedule frame { begin; simulate, slowly; done }
    schedule refused { react { count_falls if allowed, turn } max 16; done }
    schedule admitted { react { count_falls if allowed, raise_limit if waits } max 16; done }
}

fn log(log: &mut Log, text: impl Into<String>) {
    log.0.push(text.into());
}

/// Each falling domino makes the next one fall, by an event. Commands remove fallen dominoes.
#[system(Game)]
fn fall(
    mut falls: EventReader<Falls>,
    dominos: Query<(Entity, &Domino)>,
    limit: Res<Limit>,
    mut commands: Commands<Game>,
) {
    for Falls(number) in &mut falls {
        for (entity, _) in dominos.iter().filter(|(_, domino)| domino.0 == *number) {
            commands.despawn(entity);
            let next = *number + 1;
            if next < limit.0 {
                commands.run(move |game| game.send(Falls(next)));
            }
        }
    }
}

#[system(Game)]
fn clear(dominos: Query<&Domino>, mut out: ResMut<Log>) {
    log(&mut out, format!("{} stand", dominos.len()));
}

#[system(Game)]
fn begin(mut out: ResMut<Log>) {
    log(&mut out, "begin");
}
#[system(Game)]
fn work(mut out: ResMut<Log>) {
    log(&mut out, "work");
}
#[system(Game)]
fn done(mut out: ResMut<Log>) {
    log(&mut out, "done");
}

#[derive(Debug, PartialEq)]
struct TooMany(u32);
impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} are too many", self.0)
    }
}
impl std::error::Error for TooMany {}

#[system(Game)]
fn check(limit: Res<Limit>, mut commands: Commands<Game>) -> Result<(), TooMany> {
    commands.spawn(Domino(99));
    if limit.0 > 5 { Err(TooMany(limit.0)) } else { Ok(()) }
}

#[system(Game)]
fn allowed(limit: Res<Limit>) -> bool {
    limit.0 != 3
}

fn taken(game: &mut Game) -> Vec<String> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

fn with(limit: u32) -> Game {
    let mut game = Game::new();
    game.resource_mut::<Limit>().0 = limit;
    game
}

#[test]
fn a_react_block_runs_until_nothing_is_new() {
    let mut game = with(5);
    game.spawn_batch((0..10).map(Domino));
    game.send(Falls(0));
    game.row();
    assert_eq!(taken(&mut game), ["10 stand", "9 stand", "8 stand", "7 stand", "6 stand", "done"]);
    assert_eq!(game.query::<&Domino>().iter().count(), 5);
    game.row();
    assert_eq!(taken(&mut game), ["5 stand", "done"]);
}

#[test]
fn a_react_block_that_does_not_settle_is_an_error_that_names_its_systems() {
    let mut game = with(100);
    game.spawn_batch((0..100).map(Domino));
    game.send(Falls(0));
    let error = game.careful().unwrap_err();
    assert_eq!((error.system, error.schedule, error.world), ("fall", "careful", "Game"));
    let source = error.source.downcast_ref::<Unsettled>().unwrap();
    assert_eq!(*source, Unsettled { systems: vec!["fall"], most: 16 });
    assert!(!taken(&mut game).contains(&"done".to_owned()));
    let message = panic_message(|| game.row());
    assert_eq!(
        message,
        "system `fall` of schedule `row` of world `Game` failed: its `react` block has run 16 times, and there are \
         still unread changes for `fall`; raise `max`, or remove the cycle in which these systems cause each other to run"
    );
    assert_eq!(game.query::<&Domino>().iter().count(), 100 - 32);
}

#[test]
fn a_system_that_fails_stops_the_schedule_and_is_named() {
    let mut game = with(0);
    assert!(game.plan().is_ok());
    assert_eq!(taken(&mut game), ["begin", "work", "done"]);
    assert_eq!(game.query::<&Domino>().iter().count(), 1);
    game.resource_mut::<Limit>().0 = 7;
    let error: SystemError = game.plan().unwrap_err();
    assert_eq!((error.system, error.schedule, error.world), ("check", "plan", "Game"));
    assert_eq!(error.source.downcast_ref(), Some(&TooMany(7)));
    assert_eq!(error.to_string(), "system `check` of schedule `plan` of world `Game` failed: 7 are too many");
    assert_eq!(taken(&mut game), ["begin"]);
    assert_eq!(game.query::<&Domino>().iter().count(), 1, "what a failing system deferred is dropped");
}

#[test]
fn a_schedule_runs_in_another_one() {
    let mut game = with(0);
    game.middle();
    assert_eq!(taken(&mut game), ["begin", "work", "done", "work", "done"]);
    game.outer().unwrap();
    assert_eq!(taken(&mut game).len(), 5 + 3);
    game.resource_mut::<Limit>().0 = 7;
    let error = game.outer().unwrap_err();
    assert_eq!(error.system, "check");
    game.resource_mut::<Limit>().0 = 3;
    game.outer().unwrap();
}

#[test]
fn a_fixed_step_runs_as_often_as_it_fits() {
    let mut game = with(0);
    let mut frame = |millis| {
        game.resource_mut::<FixedTime>().advance(Duration::from_millis(millis));
        game.resource_mut::<Slow>().0.advance(Duration::from_millis(millis));
        game.frame();
        let works = taken(&mut game).iter().filter(|&text| text == "work").count();
        (works, game.resource::<FixedTime>().alpha())
    };
    assert_eq!(frame(5), (0, 0.5));
    assert_eq!(frame(5), (1, 0.0));
    assert_eq!(frame(25), (2, 0.5));
    assert_eq!(frame(60), (3, 0.5), "three steps at most are caught up with");
    assert_eq!(game.resource::<FixedTime>().dropped(), Duration::from_millis(30));
    assert_eq!(game.resource::<FixedTime>().taken(), 6);
    assert_eq!(game.resource::<Slow>().0.taken(), 0);
}

#[test]
fn a_system_that_is_switched_off_is_left_out() {
    let mut game = with(0);
    assert!(game.is_enabled::<work>());
    assert_eq!(game.enable::<work>(false), 3);
    game.middle();
    assert_eq!(taken(&mut game), ["begin", "done", "done"]);
    assert!(!game.is_enabled::<work>());
    game.enable::<work>(true);
    game.inner();
    assert_eq!(taken(&mut game), ["work", "done"]);
}

#[test]
fn timings_are_added_up_while_they_are_on() {
    let mut game = with(0);
    game.middle();
    assert!(game.timings().is_empty());
    game.time_systems(true);
    game.middle();
    game.middle();
    let found = game.timings();
    let of =
        |schedule, system| found.iter().find(|one| (one.schedule, one.system) == (schedule, system)).unwrap();
    assert_eq!(of("inner", "work").runs, 4);
    assert_eq!(of("middle", "inner").runs, 2);
    assert!(of("middle", "inner").total >= of("middle", "inner").longest);
    game.time_systems(false);
    assert!(game.timings().is_empty());
}

#[system(Game)]
fn turn(mut out: ResMut<Log>) {
    log(&mut out, "turn");
}

/// Logs the events that it reads.
#[system(Game)]
fn count_falls(mut falls: EventReader<Falls>, mut out: ResMut<Log>) {
    for Falls(number) in &mut falls {
        log(&mut out, format!("fall {number}"));
    }
}

#[system(Game)]
fn waits(limit: Res<Limit>) -> bool {
    limit.0 <= 3
}

#[system(Game)]
fn raise_limit(mut limit: ResMut<Limit>, mut out: ResMut<Log>) {
    log(&mut out, format!("limit {}", limit.0));
    limit.0 += 1;
}

#[test]
fn events_of_a_system_whose_condition_does_not_hold_end_a_react_block() {
    let mut game = with(3);
    game.refused();
    assert_eq!(taken(&mut game), ["turn", "done"]);
    game.send(Falls(7));
    game.refused();
    assert_eq!(taken(&mut game), ["turn", "turn", "done"], "another system may have changed the condition");
    game.resource_mut::<Limit>().0 = 0;
    game.refused();
    assert_eq!(taken(&mut game), ["fall 7", "turn", "done"], "the event has waited");
}

#[test]
fn a_condition_that_another_system_of_the_react_block_changes_lets_the_system_react() {
    let mut game = with(3);
    game.send(Falls(7));
    game.admitted();
    assert_eq!(taken(&mut game), ["limit 3", "fall 7", "done"]);
}
