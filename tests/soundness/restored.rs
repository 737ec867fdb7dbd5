//! Snapshots, copies and saves by an exclusive system: they lack the state of that system, and
//! contain all other states.

use ecs::prelude::*;
use ecs::{Schedule, Snapshot};
use ecs_tests::fuse::panic_message;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
struct Gold(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Heat;
#[derive(Event, Clone, Serialize, Deserialize)]
struct Ping(u32);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Heard(Vec<u32>);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Runs(Vec<u32>);
/// The action of the system that takes the whole world.
#[derive(Resource, Clone, Default)]
#[resource(skip)]
struct Action(Option<fn(&mut Game)>);
#[derive(Resource, Clone, Default)]
#[resource(skip)]
struct Kept(Option<Snapshot<Game>>);
#[derive(Resource, Clone, Default)]
#[resource(skip)]
struct Bytes(Vec<u8>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Gold, Heat }
        resources { Heard, Runs, Action, Kept, Bytes }
        events { Ping(external) }
    }
    schedule tick { act if hears && hears_twice && warmer && spawns }
    schedule watched { act if hears && watches }
}

fn note(heard: &mut Heard, pings: &mut EventReader<Ping>) {
    heard.0.extend(pings.iter().map(|ping| ping.0));
}

#[system(Game)]
fn hears(mut pings: EventReader<Ping>, mut gold: Removed<Gold>, mut heard: ResMut<Heard>) -> bool {
    note(&mut heard, &mut pings);
    heard.0.extend(gold.iter().map(|(_, gold)| gold.0));
    true
}
/// Two readers of one event at one place, of which the second reads nothing.
#[system(Game)]
fn hears_twice(mut first: EventReader<Ping>, second: EventReader<Ping>, mut heard: ResMut<Heard>) -> bool {
    note(&mut heard, &mut first);
    heard.0.push(1000 + second.len() as u32);
    true
}
#[system(Game)]
fn warmer(warm: Query<Entity, Changed<Heat>>, mut heard: ResMut<Heard>, mut asked: Local<u32>) -> bool {
    *asked += 1;
    heard.0.push(2000 + warm.len() as u32 + 100 * *asked);
    true
}
#[system(Game)]
fn spawns(mut commands: Commands<Game>) -> bool {
    (0..3).for_each(|_| _ = commands.spawn(Gold(0)));
    true
}
#[system(Game)]
fn act(game: &mut Game, mut runs: Local<u32>) {
    *runs += 1;
    game.resource_mut::<Runs>().0.push(*runs);
    if let Some(action) = game.resource_mut::<Action>().0.take() {
        action(game);
    }
}
/// A condition that takes the whole world.
#[system(Game)]
fn watches(game: &mut Game, mut runs: Local<u32>) -> bool {
    *runs += 10;
    game.resource_mut::<Runs>().0.push(*runs);
    if let Some(action) = game.resource_mut::<Action>().0.take() {
        action(game);
    }
    true
}

fn keep(game: &mut Game) {
    let snapshot = game.snapshot();
    game.resource_mut::<Kept>().0 = Some(snapshot);
}

/// A world after one event and one removal, which took a snapshot between them.
fn game(action: fn(&mut Game), tick: fn(&mut Game)) -> Game {
    let mut game = Game::default();
    tick(&mut game);
    game.send(Ping(1));
    let rich = game.spawn(Gold(50));
    game.remove::<Gold>(rich).unwrap();
    game.resource_mut::<Action>().0 = Some(action);
    tick(&mut game);
    game
}

fn heard(game: &mut Game) -> Vec<u32> {
    std::mem::take(&mut game.resource_mut::<Heard>().0)
}

fn readers(game: &Game) -> usize {
    game.stats().events[0].readers.len()
}

/// The runs after the copy was made: they equal those of the original world.
fn goes_on_alike(mut game: Game, mut copy: Game, tick: fn(&mut Game)) {
    assert_eq!(readers(&copy), readers(&game));
    for world in [&mut game, &mut copy] {
        heard(world);
        world.send(Ping(2));
        tick(world);
    }
    let expected = heard(&mut game);
    assert!(expected.contains(&2) && !expected.contains(&1), "{expected:?}");
    assert_eq!(heard(&mut copy), expected);
    for world in [&mut game, &mut copy] {
        tick(world);
        assert!(!heard(world).contains(&2), "an event is read again and again");
        assert!(world.entities().len() < 100);
    }
    assert_eq!(readers(&copy), readers(&game));
}

#[test]
fn events_and_removals_are_not_read_again_after_going_back() {
    for tick in [Game::tick, Game::watched] {
        let game = game(keep, tick);
        let snapshot = game.resource::<Kept>().0.clone().unwrap();
        let mut copy = game.clone();
        copy.restore(&snapshot);
        goes_on_alike(game, copy, tick);
    }
}

#[test]
fn a_clone_that_was_made_in_the_middle_has_the_same_readers() {
    static COPY: std::sync::Mutex<Option<Game>> = std::sync::Mutex::new(None);
    let game = game(|game| *COPY.lock().unwrap() = Some(game.clone()), Game::tick);
    let copy = COPY.lock().unwrap().take().unwrap();
    goes_on_alike(game, copy, Game::tick);
}

#[test]
fn a_save_that_was_made_in_the_middle_has_the_same_readers_and_slots() {
    let action = |game: &mut Game| {
        let bytes = game.to_bytes().unwrap();
        game.resource_mut::<Bytes>().0 = bytes;
    };
    let game = game(action, Game::tick);
    let copy = Game::load(&game.resource::<Bytes>().0).unwrap();
    goes_on_alike(game, copy, Game::tick);
}

#[test]
fn going_back_again_and_again_leaves_no_reader_and_no_block_behind() {
    let mut game = game(keep, Game::tick);
    let snapshot = game.resource::<Kept>().0.clone().unwrap();
    let (before, mut slots) = (readers(&game), Vec::new());
    for _ in 0..50 {
        game.restore(&snapshot);
        game.tick();
        assert_eq!(readers(&game), before);
        slots.push(game.entities().iter().map(|entity| entity.slot()).max());
    }
    slots.dedup();
    assert_eq!(slots.len(), 1, "what runs from the snapshot on runs as it did before");
}

#[test]
fn a_world_that_a_system_brings_back_has_the_locals_that_it_had() {
    let mut game = Game::default();
    game.tick();
    keep(&mut game);
    game.tick();
    game.resource_mut::<Action>().0 = Some(|game| {
        let snapshot = game.resource::<Kept>().0.clone().unwrap();
        game.restore(&snapshot);
    });
    game.tick(); // the third run restores the state after the first
    game.tick();
    assert_eq!(game.resource::<Runs>().0, [1, 2]);
}

#[test]
fn a_system_has_its_locals_after_it_copied_its_own_world() {
    let mut game = game(keep, Game::tick);
    game.tick();
    assert_eq!(game.resource::<Runs>().0, [1, 2, 3]);
    // in its own snapshot, the system starts with a new state
    let snapshot = game.resource::<Kept>().0.clone();
    if let Some(snapshot) = snapshot {
        game.restore(&snapshot);
    }
    game.tick();
    assert_eq!(game.resource::<Runs>().0, [1, 2, 1]);
}

#[test]
fn a_run_time_schedule_does_not_continue_with_a_restored_world() {
    for same_stage in [true, false] {
        let mut game = Game::default();
        let mut schedule = Schedule::<Game>::new("frame");
        schedule.add_exclusive(&mut game, "keep", 0, keep).unwrap();
        schedule
            .add_fn(&mut game, "spawn", 1, |mut commands: Commands<Game>| _ = commands.spawn(Gold(1)))
            .unwrap();
        schedule
            .add_exclusive(&mut game, "go back", 2, move |game: &mut Game| {
                if same_stage {
                    keep(game);
                    game.clear();
                }
                let snapshot = game.resource::<Kept>().0.clone().unwrap();
                game.restore(&snapshot);
            })
            .unwrap();
        schedule
            .add_fn(&mut game, "spawn again", 3, |mut commands: Commands<Game>| _ = commands.spawn(Gold(2)))
            .unwrap();
        if same_stage {
            schedule.run(&mut game).unwrap();
            schedule.run(&mut game).unwrap();
            assert_eq!(game.entities().len(), 4);
        } else {
            let message = panic_message(|| schedule.run(&mut game));
            assert!(message.contains("was replaced while schedule `frame`"), "{message}");
        }
    }
}

/// A restore that panics leaves a world without entities, whose tick may be that of the snapshot.
/// An index does not keep the later tick.
#[test]
fn an_index_finds_changed_values_after_a_restore_that_panicked() {
    #[derive(Component, PartialEq, Debug)]
    struct Fused(u32);
    impl Clone for Fused {
        fn clone(&self) -> Self {
            ecs_tests::fuse::burn("a clone");
            Self(self.0)
        }
    }
    #[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
    #[component(index, tracked)]
    struct Team(u8);
    world! {
        #[derive(Clone)]
        struct Camp { components { Fused, Team } }
        schedule tick { promote }
    }
    #[system(Camp)]
    fn promote(mut teams: Query<Mut<Team>>) {
        teams.iter_mut().for_each(|mut team| team.0 += 1);
    }
    let mut camp = Camp::new();
    let fused = camp.spawn(Fused(1));
    let snapshot = camp.snapshot();
    (0..20).for_each(|_| camp.tick());
    camp.spawn(Team(7));
    camp.get_mut::<Fused>(fused).unwrap().0 = 2;
    assert!(ecs_tests::fuse::blows_up(1, || camp.restore(&snapshot)));
    assert_eq!(camp.entities().len(), 0);
    let id = camp.spawn(Team(5));
    camp.tick();
    assert_eq!(camp.find::<Team>(&Team(6)).collect::<Vec<_>>(), [id]);
    assert_eq!(camp.find::<Team>(&Team(5)).count(), 0);
}
