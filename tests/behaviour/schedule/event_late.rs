//! Events that wait for readers that do not run: the default bound, `keep = all`, `skip = clear`,
//! and the warnings.

use std::process::Command;

use ecs::event::EventStats;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::system::RemovedStats;
use serde::{Deserialize, Serialize};

/// The default bound of waiting events.
const KEPT: usize = 131_072;

#[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Click(u64);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Kept(u64);
#[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Passing(u64);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Unheard(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
struct Flag;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed = all)]
struct Mark;

#[derive(Resource, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
struct Play {
    on: bool,
    count: u64,
    next: u64,
}

/// For each reader the number of events that it has read, their sum, and the number that it has
/// missed.
#[derive(Resource, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
struct Heard([(u64, u64, u64); 8]);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Flag, Mark }
        resources { Play, Heard }
        events { Click, Kept(keep = all), Passing(skip = clear), Unheard(external) }
    }
    schedule tick { hear::<0>; click; hear::<1>, hear::<2> if playing; }
    schedule menu { hear::<3>, flags, marks }
    schedule keep { keep_click; keep_hear if playing }
    schedule pass {
        pass_click; pass_hear::<4>, pass_hear::<5> if playing; pass_whole if playing && pass_asked;
        pass_hear::<6> if playing && pass_asked;
        react { pass_hear::<7> if playing } max 3
    }
}

#[system(Game)]
fn click(mut clicks: EventWriter<Click>, mut play: ResMut<Play>) {
    let first = play.next;
    play.next += play.count;
    clicks.extend((first..play.next).map(Click));
}

#[system(Game)]
fn hear<const AT: usize>(mut clicks: EventReader<Click>, mut heard: ResMut<Heard>) {
    let (count, sum, missed) = &mut heard.0[AT];
    *missed += clicks.missed();
    for click in &mut clicks {
        (*count, *sum) = (*count + 1, *sum + click.0);
    }
    assert_eq!((clicks.len(), clicks.missed()), (0, 0));
}

#[system(Game)]
fn playing(play: Res<Play>) -> bool {
    play.on
}

#[system(Game)]
fn flags(mut removed: Removed<Flag>) {
    removed.clear();
}

#[system(Game)]
fn marks(mut removed: Removed<Mark>) {
    removed.clear();
}

#[system(Game)]
fn keep_click(mut clicks: EventWriter<Kept>, play: Res<Play>) {
    clicks.extend((0..play.count).map(Kept));
}

#[system(Game)]
fn keep_hear(mut clicks: EventReader<Kept>, mut heard: ResMut<Heard>) {
    let len = clicks.iter().map(|kept| u64::from(kept.0 < u64::MAX)).sum::<u64>();
    heard.0[0].0 += len;
}

#[system(Game)]
fn pass_click(mut passing: EventWriter<Passing>, mut play: ResMut<Play>) {
    let first = play.next;
    play.next += play.count;
    passing.extend((first..play.next).map(Passing));
}

#[system(Game)]
fn pass_hear<const AT: usize>(mut passing: EventReader<Passing>, mut heard: ResMut<Heard>) {
    let (count, sum, missed) = &mut heard.0[AT];
    *missed += passing.missed();
    for one in &mut passing {
        (*count, *sum) = (*count + 1, *sum + one.0);
    }
}

#[system(Game)]
fn pass_asked(mut passing: EventReader<Passing>, mut heard: ResMut<Heard>) -> bool {
    heard.0[3].0 += passing.iter().count() as u64;
    true
}

#[system(Game)]
fn pass_whole(game: &mut Game) {
    game.resource_mut::<Heard>().0[2].0 += 1;
}

fn playing_with(count: u64) -> Game {
    let mut game = Game::default();
    game.resource_mut::<Play>().count = count;
    game
}

fn set(game: &mut Game, on: bool, count: u64) {
    let play = game.resource_mut::<Play>();
    (play.on, play.count) = (on, count);
}

fn stats_of(game: &Game, event: &str) -> EventStats {
    game.stats().events.into_iter().find(|stats| stats.event == event).unwrap()
}

fn readers(stats: &EventStats) -> Vec<(&str, &str, usize, u64)> {
    let readers = stats.readers.iter();
    readers.map(|reader| (reader.schedule, reader.system, reader.unread, reader.missed)).collect()
}

#[test]
fn a_reader_that_does_not_run_keeps_a_bounded_number_of_events() {
    let mut game = playing_with(5_000);
    for _ in 0..100 {
        game.tick();
        assert!(stats_of(&game, "Click").kept <= KEPT);
    }
    let clicks = stats_of(&game, "Click");
    let missed = 500_000 - KEPT as u64;
    assert_eq!((clicks.sent, clicks.kept, clicks.keep, clicks.lost), (500_000, KEPT, Some(KEPT), missed));
    let late = [
        ("tick", "hear::<0>", 5_000, 0),
        ("tick", "hear::<1>", 0, 0),
        ("tick", "hear::<2>", KEPT, missed),
        ("menu", "hear::<3>", KEPT, missed),
    ];
    assert_eq!(readers(&clicks), late, "one behind a false condition, one in a schedule that is not called");
    let table = game.stats().to_string();
    let behind = format!("`hear::<2>` of schedule `tick` is {KEPT} behind and has missed {missed}");
    assert!(table.contains(&behind), "{table}");
    set(&mut game, true, 0);
    game.tick();
    let heard = game.resource::<Heard>().0;
    let all = (0..500_000u64).sum();
    assert_eq!(heard[..2], [(500_000, all, 0); 2], "readers that run lose nothing");
    assert_eq!(
        heard[2],
        (KEPT as u64, (missed..500_000).sum(), missed),
        "the newest, and it is told of the others"
    );
    assert_eq!(stats_of(&game, "Click").kept, KEPT, "the menu has not run yet");
    game.menu();
    assert_eq!(game.resource::<Heard>().0[3], game.resource::<Heard>().0[2]);
    assert_eq!(stats_of(&game, "Click").kept, 0);
}

#[test]
fn a_burst_reaches_every_reader_after_it() {
    let mut game = playing_with(3 * KEPT as u64);
    set(&mut game, true, 3 * KEPT as u64);
    game.menu();
    game.tick();
    let heard = game.resource::<Heard>().0;
    assert_eq!((heard[0].0, heard[1].0, heard[2].0), (0, 3 * KEPT as u64, 3 * KEPT as u64));
    assert_eq!(stats_of(&game, "Click").lost, 2 * KEPT as u64);
}

#[test]
fn events_without_readers_are_dropped_with_and_without_runs() {
    let mut game = Game::default();
    for n in 0..1_000_000 {
        game.send(Unheard(n));
        assert!(n % 1_000 != 0 || stats_of(&game, "Unheard").kept <= 2 * KEPT + 1);
    }
    game.menu();
    let unheard = stats_of(&game, "Unheard");
    assert_eq!((unheard.kept, unheard.sent, unheard.readers.len()), (KEPT, 1_000_000, 0));
    assert_eq!(unheard.lost, 1_000_000 - KEPT as u64);
    assert_eq!(game.drain::<Unheard>().len(), KEPT);
}

#[test]
fn without_a_reader_events_wait_for_drain_alone() {
    #[derive(Event, PartialEq, Debug)]
    struct Note(u64);
    #[derive(Event, PartialEq, Debug)]
    struct Last(u64);
    world! {
        struct Hall { resources { sent: Sent = Sent(0) } events { Note(external), Last(external, keep = 1) } }
        schedule tick { send_both }
    }
    #[derive(Resource)]
    struct Sent(u64);
    #[system(Hall)]
    fn send_both(mut notes: EventWriter<Note>, mut last: EventWriter<Last>, mut sent: ResMut<Sent>) {
        sent.0 += 1;
        notes.send(Note(sent.0));
        last.send(Last(sent.0));
    }
    #[system(Hall)]
    fn read(mut notes: EventReader<Note>) -> usize {
        notes.iter().count()
    }
    let mut hall = Hall::default();
    (0..3).for_each(|_| hall.tick());
    // a system in `run` is no registered reader, and frees no events
    assert_eq!((hall.run::<read>(), hall.run::<read>()), (3, 3));
    assert_eq!(hall.drain::<Last>().collect::<Vec<_>>(), [Last(3)]);
    assert_eq!(hall.drain::<Note>().count(), 3);
    assert_eq!((hall.drain::<Note>().count(), hall.run::<read>()), (0, 0));
    // a new reader sees events from then on, and events are no longer kept for `drain`
    hall.tick();
    let mut schedule = ecs::Schedule::<Hall>::new("late");
    schedule
        .add_fn(&mut hall, "read", 0, |mut notes: EventReader<Note>| assert_eq!(notes.iter().count(), 1))
        .unwrap();
    hall.tick();
    schedule.run(&mut hall).unwrap();
    assert_eq!(hall.drain::<Note>().count(), 0);
    schedule.close(&mut hall);
    hall.tick();
    assert_eq!(hall.drain::<Note>().count(), 1);
}

#[test]
fn keep_all_keeps_all() {
    let mut game = playing_with(50_000);
    for _ in 0..10 {
        game.keep();
    }
    let kept = stats_of(&game, "Kept");
    assert_eq!((kept.kept, kept.keep, kept.lost), (500_000, None, 0));
    set(&mut game, true, 0);
    game.keep();
    assert_eq!(game.resource::<Heard>().0[0].0, 500_000);
}

#[test]
fn a_skipped_reader_misses_waiting_events_with_skip_clear() {
    let mut game = playing_with(1);
    for _ in 0..600 {
        game.pass();
    }
    let names =
        ["pass_hear::<4>", "pass_hear::<5>", "pass_asked", "pass_asked", "pass_hear::<6>", "pass_hear::<7>"];
    let passing = stats_of(&game, "Passing");
    assert_eq!(passing.kept, 0);
    assert!(
        readers(&passing)
            .iter()
            .map(|reader| (reader.1, reader.2, reader.3))
            .eq(names.map(|name| (name, 0, 0)))
    );
    set(&mut game, true, 1);
    game.pass();
    let heard = game.resource::<Heard>().0;
    assert_eq!(heard[4], (601, (0..601).sum(), 0), "the reader that ran heard all");
    assert_eq!([heard[2].0, heard[3].0], [1, 2], "the conditions that were not asked were skipped, too");
    assert_eq!([heard[5], heard[6], heard[7]], [(1, 600, 0); 3]);
}

#[test]
fn a_disabled_reader_misses_waiting_events_with_skip_clear() {
    for spread in [Parallelism::Never, Parallelism::Always] {
        let mut game = playing_with(1);
        game.set_parallelism(spread);
        set(&mut game, true, 1);
        assert_eq!(game.enable::<pass_hear<5>>(false), 1);
        assert_eq!(game.enable::<pass_whole>(false), 1);
        for _ in 0..10 {
            game.pass();
        }
        game.enable::<pass_hear<5>>(true);
        game.enable::<pass_whole>(true);
        game.pass();
        let heard = game.resource::<Heard>().0;
        assert_eq!((heard[4].0, heard[5], heard[2].0, heard[3].0), (11, (1, 10, 0), 1, 12), "{spread:?}");
        assert_eq!(heard[6], heard[4]);
    }
}

/// The dropped events do not depend on the executor, and are the same after saving and loading.
#[test]
fn dropped_events_are_the_same_for_every_executor_and_after_loading() {
    let mut games = [playing_with(0), playing_with(0), playing_with(0), playing_with(0)];
    games[0].set_parallelism(Parallelism::Never);
    games[1].set_parallelism(Parallelism::Always);
    games[2].time_systems(true);
    for step in 0..12u64 {
        for (at, game) in games.iter_mut().enumerate() {
            set(game, step % 8 == 7, 20_000);
            game.tick();
            game.pass();
            for n in 0..3 {
                game.send(Unheard(n));
            }
            if step % 9 == 8 {
                game.menu();
            }
            match at {
                2 => {
                    *game = game.clone();
                    game.time_systems(step % 2 == 0);
                }
                3 => *game = Game::load(&game.to_bytes().unwrap()).unwrap(),
                _ => {}
            }
        }
        let [first, others @ ..] = &games;
        for (at, other) in others.iter().enumerate() {
            let differences = if step == 11 { ecs::save::diff(first, other) } else { Vec::new() };
            let of_events: Vec<_> = differences.iter().filter(|one| one.path.starts_with("event")).collect();
            assert!(of_events.is_empty(), "world {at}: {of_events:?}");
            assert_eq!(first.resource::<Heard>(), other.resource::<Heard>(), "step {step}");
            assert_eq!(first.stats().events, other.stats().events, "step {step}");
        }
    }
    assert!(stats_of(&games[0], "Click").lost > 0);
}

#[test]
fn stats_name_the_readers_that_lag_behind_in_removed_values() {
    let mut game = Game::default();
    for _ in 0..3 {
        let entity = game.spawn((Flag, Mark));
        game.despawn(entity).unwrap();
        game.tick();
    }
    let stats = game.stats();
    let removed: Vec<&RemovedStats> =
        stats.columns.iter().filter_map(|column| column.removed.as_ref()).collect();
    let [flags, marks] = removed[..] else { panic!("{removed:?}") };
    assert_eq!((flags.kept, flags.keep, flags.lost), (3, Some(1 << 20), 0));
    assert_eq!((marks.kept, marks.keep, marks.lost), (3, None, 0));
    let slowest = flags.slowest().unwrap();
    assert_eq!((slowest.schedule, slowest.system, slowest.unread, slowest.missed), ("menu", "flags", 3, 0));
    let table = stats.to_string();
    assert!(
        table.contains("Flag, 3 removed values kept, 0 lost: `flags` of schedule `menu` is 3 behind\n"),
        "{table}"
    );
    game.menu();
    assert_eq!(game.stats().columns[0].removed.as_ref().map(|flags| flags.kept), Some(0));
}

/// Runs this test as a child process that does `work`, and returns its standard error.
fn said(test: &str, work: impl FnOnce()) -> Option<String> {
    const CHILD: &str = "ECS_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        work();
        return None;
    }
    let name =
        module_path!().split_once("::").map_or(test.to_owned(), |(_, module)| format!("{module}::{test}"));
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this).args(["--exact", &name, "--nocapture"]).env(CHILD, "1").output().unwrap();
    let said = String::from_utf8(child.stderr).unwrap();
    assert!(child.status.success(), "{said}");
    Some(said)
}

#[test]
fn the_first_loss_is_reported_once_with_the_slowest_reader() {
    let work = || {
        let mut game = playing_with(KEPT as u64 + 1);
        let mut copy = game.clone();
        for _ in 0..5 {
            game.tick();
        }
        copy.clone_from(&game);
        copy.tick();
        for n in 0..1_000_000 {
            game.send(Unheard(n)); // the event has no reader and no `drain`, so no reader misses it
        }
    };
    let Some(said) = said("the_first_loss_is_reported_once_with_the_slowest_reader", work) else { return };
    assert_eq!(
        said,
        "world `Game`: event `Click`: `hear::<0>` of schedule `tick` is 131073 events behind, and the oldest 1 of them were \
         dropped: run the system, or declare how many events are kept, `Click(keep = 1024)` or `Click(keep = all)`, or let \
         readers miss events while they are skipped, `Click(skip = clear)`; this is reported once\n"
    );
}

#[test]
fn a_loss_of_drained_events_is_reported() {
    let work = || {
        let mut game = Game::default();
        assert_eq!(game.drain::<Unheard>().len(), 0);
        for n in 0..1_000_000 {
            game.send(Unheard(n));
        }
    };
    let Some(said) = said("a_loss_of_drained_events_is_reported", work) else { return };
    assert_eq!(said.lines().count(), 1, "{said}");
    for part in
        ["event `Unheard`: no schedule reads it, 131072 events wait for `drain`", "call `drain` more often"]
    {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_loss_of_removed_values_is_reported() {
    let work = || {
        let mut game = Game::default();
        for _ in 0..2 {
            game.spawn_batch((0..(1 << 20) + 5).map(|_| Flag)).count();
            game.clear();
            game.tick();
        }
        let removed = game.stats().columns[0].removed.clone().unwrap();
        assert_eq!((removed.kept, removed.lost), (1 << 20, (1 << 20) + 10));
    };
    let Some(said) = said("a_loss_of_removed_values_is_reported", work) else { return };
    assert_eq!(said.lines().count(), 1, "{said}");
    let parts = [
        "removed values of component `Flag`: `flags` of schedule `menu`",
        "oldest 5",
        "`#[component(removed = all)]`",
    ];
    for part in parts {
        assert!(said.contains(part), "{said}");
    }
}
