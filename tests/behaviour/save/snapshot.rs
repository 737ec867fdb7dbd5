//! Snapshots: restored state, shared pages, and the state that `clone_from` keeps.

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, PartialEq, Debug)]
struct Place([f32; 3]);
#[derive(Component, PartialEq, Debug)]
struct Name(String);
#[derive(Component, Clone)]
struct Held(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
struct Tag;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Score(u32);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Heard(Vec<u32>);
#[derive(Event, Clone)]
struct Key(u32);

impl Clone for Name {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Place, Name, Held, Tag, Score }
        resources { Heard = Heard::default() }
        events { Key(external) }
    }
    schedule tick { hear, spread }
}

#[system(Game)]
fn hear(mut keys: EventReader<Key>, mut turn: Local<u32>, mut heard: ResMut<Heard>) {
    *turn += 1;
    heard.0.push(*turn * 1000);
    heard.0.extend(keys.iter().map(|key| key.0));
}

#[system(Game)]
fn spread(mut commands: Commands<Game>, heard: Res<Heard>) {
    commands.spawn(Place([heard.0.len() as f32; 3]));
}

/// The bytes that the world shares with snapshots.
fn shared(game: &Game) -> usize {
    game.stats().shared
}

#[test]
fn only_touched_pages_are_copied() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..50_000).map(|_| Held(ledger.token()))).collect();
    let page = 4096;
    let made = |game: &mut Game| {
        let before = ledger.made();
        let snapshot = game.snapshot();
        (snapshot, ledger.made() - before)
    };
    let (first, copied) = made(&mut game);
    assert_eq!(copied, 50_000);
    assert_eq!(made(&mut game).1, 0, "nothing was touched");
    game.query::<&Held>().iter().for_each(drop);
    game.get::<Held>(ids[5]).unwrap();
    assert_eq!(made(&mut game).1, 0, "reading is no touching");
    game.get_mut::<Held>(ids[5]).unwrap();
    let (second, copied) = made(&mut game);
    assert_eq!(copied, page);
    game.query_mut::<&mut Held>().get_mut(ids[20_000]).unwrap();
    game.remove::<Held>(ids[40_000]).unwrap();
    assert_eq!(made(&mut game).1, page + page - 1);
    // restoring copies the pages that differ, and no others
    let before = ledger.made();
    game.restore(&second);
    assert_eq!(ledger.made() - before, 2 * page);
    game.restore(&first);
    assert_eq!(ledger.made() - before, 3 * page);
    game.restore(&first);
    assert_eq!(ledger.made() - before, 3 * page);
    drop((game, first, second));
    ledger.assert_settled();
}

#[test]
fn a_tracked_component_is_touched_by_changes_only() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..20_000).map(Score)).collect();
    let _first = game.snapshot();
    for score in game.query_mut::<Mut<Score>>() {
        assert!(score.is_added());
    }
    game.get_tracked::<Score>(ids[9]).unwrap().bypass_change_detection().0 = 7;
    let second = game.snapshot();
    game.get_tracked::<Score>(ids[9]).unwrap().0 = 8;
    game.get_tracked::<Score>(ids[19_999]).unwrap().0 = 8;
    game.restore(&second);
    assert_eq!((game.get(ids[9]), game.get(ids[19_999])), (Some(&Score(7)), Some(&Score(19_999))));
}

#[test]
fn a_world_shares_pages_with_its_snapshots() {
    let mut game = Game::new();
    game.spawn_batch((0..10_000).map(|_| Place([0.0; 3])));
    assert_eq!(shared(&game), 0);
    let snapshot = game.snapshot();
    let bytes = shared(&game);
    assert!((120_000..130_000).contains(&bytes), "{bytes}");
    assert_eq!(shared(&game.clone()), 0);
    assert!(game.stats().to_string().contains("shared with snapshots"));
    game.clear();
    game.snapshot();
    assert_eq!(shared(&game), 0);
    game.restore(&snapshot);
    assert_eq!((shared(&game), game.query::<&Place>().len()), (bytes, 10_000));
}

#[test]
fn a_snapshot_fits_any_world_of_its_type() {
    let (mut one, mut two) = (Game::new(), Game::new());
    let id = one.spawn((Name("one".into()), Tag));
    one.tick();
    let of_one = one.snapshot();
    two.spawn_batch((0..10_000).map(|_| Place([2.0; 3])));
    let of_two = two.snapshot();
    two.restore(&of_one);
    assert_eq!(two.get(id), Some(&Name("one".into())));
    assert_eq!((two.entities().len(), two.resource::<Heard>()), (2, one.resource::<Heard>()));
    one.restore(&of_two);
    assert_eq!(
        (one.query::<&Place>().len(), one.contains(id)),
        (10_000, one.entities().iter().next() == Some(id))
    );
    two.restore(&of_two.clone());
    assert_eq!(two.query::<&Place>().len(), 10_000);
}

#[test]
fn a_snapshot_outlives_its_world_and_goes_to_other_threads() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    game.spawn_batch((0..100).map(|_| Held(ledger.token())));
    let snapshot = game.snapshot();
    drop(game);
    assert_eq!(ledger.alive(), 100);
    std::thread::spawn(move || {
        let mut other = Game::new();
        other.restore(&snapshot);
        assert_eq!(other.query::<&Held>().len(), 100);
    })
    .join()
    .unwrap();
    ledger.assert_settled();
}

#[test]
fn clone_from_reuses_pages_and_allocations_of_values() {
    let mut old = Game::new();
    let id = old.spawn((Name("a".repeat(100)), Place([1.0; 3])));
    old.tick();
    let mut game = old.clone();
    let address = |game: &Game| {
        let name = game.get::<Name>(id).unwrap();
        (std::ptr::from_ref(name).addr(), name.0.as_ptr().addr())
    };
    let before = address(&game);
    game.get_mut::<Name>(id).unwrap().0.push('b');
    let before = (before.0, game.get::<Name>(id).unwrap().0.as_ptr().addr());
    game.spawn_batch((0..5000).map(|_| Tag));
    game.tick();
    game.clone_from(&old);
    assert_eq!(address(&game), before);
    assert_eq!(game.get::<Name>(id), old.get(id));
    assert_eq!((game.entities().len(), game.resource::<Heard>()), (2, old.resource::<Heard>()));
    game.tick();
    old.tick();
    assert!(game.entities().iter().eq(old.entities().iter()));
}

#[test]
fn a_system_can_go_back_in_its_own_schedule() {
    #[derive(Resource, Clone, Default)]
    struct Memory(Vec<u32>, Option<u32>);
    #[derive(Resource, Default)]
    struct Saved(Option<Snapshot<Small>>);
    impl Clone for Saved {
        fn clone(&self) -> Self {
            Self(None)
        }
    }
    world! {
        #[derive(Clone)]
        struct Small { components { Tag } resources { Memory = Memory::default(), Saved = Saved::default() } }
        schedule tick { count; back; count_again }
    }
    #[system(Small)]
    fn count(mut n: Local<u32>, mut memory: ResMut<Memory>) {
        *n += 1;
        memory.0.push(*n);
    }
    #[system(Small)]
    fn count_again(mut n: Local<u32>, mut memory: ResMut<Memory>) {
        *n += 1;
        memory.1 = Some(*n);
    }
    #[system(Small)]
    fn back(world: &mut Small, mut runs: Local<u32>) {
        *runs += 1;
        match *runs {
            1 => {
                let now = world.snapshot();
                world.resource_mut::<Saved>().0 = Some(now);
            }
            3 => {
                let then = world.resource_mut::<Saved>().0.take().unwrap();
                world.restore(&then);
            }
            _ => {}
        }
    }
    let mut small = Small::new();
    (0..3).for_each(|_| small.tick());
    // the state of `back` is not restored while it runs; `count_again` had not run when the
    // snapshot was taken
    assert_eq!(
        (small.resource::<Memory>().0.as_slice(), small.resource::<Memory>().1),
        ([1].as_slice(), Some(1))
    );
    small.tick();
    assert_eq!(small.resource::<Memory>().0, [1, 2]);
}

/// Run times belong to the world, not to the state that is restored.
#[test]
fn run_times_are_kept_when_a_world_is_restored() {
    let mut game = Game::new();
    game.time_systems(true);
    game.tick();
    let snapshot = game.snapshot();
    game.tick();
    game.restore(&snapshot);
    let runs = |game: &Game| game.timings().iter().map(|timing| timing.runs).collect::<Vec<_>>();
    assert_eq!(runs(&game), [2, 2]);
    game.tick();
    assert_eq!(runs(&game), [3, 3]);
    assert_eq!(*game.resource::<Heard>(), Heard(vec![1000, 2000]), "the systems continue from the snapshot");
}

#[test]
fn shrink_to_fit_drops_the_copies_of_dropped_snapshots() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..5000).map(|n| game.spawn((Held(ledger.token()), Score(n)))).collect();
    let drop_by_run = |game: &mut Game| game.try_run(|game| game.tick()).unwrap();
    type Way<'w> = (&'static str, &'w dyn Fn(&mut Game));
    let ways: [Way<'_>; 4] = [
        ("a snapshot", &|game| drop(game.snapshot())),
        ("a clone of a snapshot", &|game| drop(game.snapshot().clone())),
        ("a restored snapshot", &|game| {
            let snapshot = game.snapshot();
            game.restore(&snapshot);
        }),
        ("a run", &drop_by_run),
    ];
    for (way, take) in ways {
        take(&mut game);
        assert_eq!(ledger.alive(), 10_000, "{way}: the next snapshot shares the copies");
        game.shrink_to_fit();
        assert_eq!((ledger.alive(), shared(&game)), (5000, 0), "after {way}");
    }
    // the copies of a snapshot that is there stay, and are shared
    let kept = game.snapshot();
    game.despawn(ids[7]).unwrap();
    game.get_tracked::<Score>(ids[4000]).unwrap().0 = 9;
    drop(game.snapshot());
    let before = shared(&game);
    game.shrink_to_fit();
    assert!(shared(&game) < before);
    game.restore(&kept);
    assert_eq!(
        (game.get::<Score>(ids[7]), game.get::<Score>(ids[4000])),
        (Some(&Score(7)), Some(&Score(4000)))
    );
    drop(kept);
    game.shrink_to_fit();
    assert_eq!((ledger.alive(), shared(&game)), (5000, 0));
    drop(game);
    ledger.assert_settled();
}
