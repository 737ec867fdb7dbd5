//! Commands: values that are moved through a buffer of bytes, ids that are reserved before their
//! entities exist.

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::{blows_up, burn, panic_message};

use super::ground::{Ledger, Token};

/// A value with a larger alignment than the buffer; its drop burns the fuse.
#[derive(Component)]
#[repr(align(128))]
struct Mine(#[allow(dead_code)] Token, u8);

impl Drop for Mine {
    fn drop(&mut self) {
        burn("a drop");
    }
}

#[derive(Component)]
#[component(requires(Fragile))]
struct Plain(#[allow(dead_code)] Token);
#[derive(Component)]
struct Fragile;
impl Default for Fragile {
    fn default() -> Self {
        burn("a default");
        Self
    }
}
/// A zero-sized value with a large alignment.
#[derive(Component, Clone, Copy)]
#[repr(align(32))]
struct Aligned;

type Act = dyn FnMut(&mut Commands<'_, Game>) + Send + Sync;
#[derive(Resource, Default)]
struct Script(Option<Box<Act>>);
#[derive(Resource, Default)]
struct Ids(Vec<Entity>);

world! {
    struct Game {
        components { Mine, Plain, Fragile, Aligned }
        resources { Script, Ids }
    }
    schedule tick { acts, acts_too; rests }
    schedule breaks { acts, burns; rests }
    schedule others { acts_too; rests }
}

#[system(Game)]
fn acts(mut script: ResMut<Script>, mut commands: Commands<Game>) {
    if let Some(script) = &mut script.0 {
        script(&mut commands);
    }
}
#[system(Game)]
fn acts_too(mut commands: Commands<Game>, mut ids: ResMut<Ids>) {
    for _ in 0..70 {
        ids.0.push(commands.spawn(Aligned));
    }
}
#[system(Game)]
fn burns() {
    burn("a system");
}
#[system(Game)]
fn rests(all: Query<(Entity, Option<&Mine>)>) {
    let mut last = None;
    for (entity, mine) in &all {
        assert!(last < Some(entity), "ids are in order, and none is there twice");
        last = Some(entity);
        if let Some(mine) = mine {
            assert!(core::ptr::from_ref(mine).addr() % 128 == 0 && mine.1 < 6);
        }
    }
}

fn script(ledger: &Ledger, f: impl FnMut(&Ledger, &mut Commands<'_, Game>) + Send + Sync + 'static) -> Game {
    let mut game = Game::default();
    game.on_failed_command(FailurePolicy::Ignore);
    let (ledger, mut f) = (ledger.clone(), f);
    game.resource_mut::<Script>().0 = Some(Box::new(move |commands| f(&ledger, commands)));
    game
}

#[test]
fn every_value_is_dropped_once_whatever_panics() {
    for n in 1..60 {
        let ledger = Ledger::new();
        let mut game = script(&ledger, |ledger, commands| {
            let old = commands.spawn(Mine(ledger.token(), 1));
            commands.insert(old, (Mine(ledger.token(), 2), Aligned, Plain(ledger.token())));
            commands.run(|_| burn("a closure"));
            let token = ledger.token();
            commands.run(move |game| {
                burn("a closure");
                game.spawn(Plain(token));
            });
            commands.remove::<Mine>(old);
            let gone = commands.spawn(Mine(ledger.token(), 3));
            commands.despawn(gone);
            commands.insert(gone, Mine(ledger.token(), 4));
            commands.insert(gone, Plain(ledger.token()));
            let _ = commands.insert_if_new(old, Mine(ledger.token(), 5));
        });
        for round in 0..4 {
            blows_up(n + round, || game.tick());
            game.breaks();
        }
        blows_up(n, || game.breaks());
        game.tick();
        drop(game);
        ledger.assert_settled();
    }
}

#[test]
fn an_abandoned_id_belongs_to_no_entity() {
    let ledger = Ledger::new();
    let mut game = script(&ledger, |ledger, commands| {
        for _ in 0..100 {
            commands.spawn(Plain(ledger.token()));
        }
    });
    game.tick();
    let alive: Vec<Entity> = game.query::<(Entity, &Plain)>().iter().map(|(entity, _)| entity).collect();
    static GIVEN: std::sync::Mutex<Vec<Entity>> = std::sync::Mutex::new(Vec::new());
    let token = ledger.clone();
    game.resource_mut::<Script>().0 = Some(Box::new(move |commands| {
        let mut given = GIVEN.lock().unwrap();
        given.extend((0..100).map(|_| commands.spawn(Plain(token.token()))));
    }));
    assert!(blows_up(1, || game.breaks()));
    let given = std::mem::take(&mut *GIVEN.lock().unwrap());
    assert_eq!(given.len(), 100);
    for _ in 0..5 {
        game.tick();
        assert!(given.iter().all(|&entity| !game.contains(entity)));
    }
    assert!(alive.iter().all(|&entity| game.contains(entity)));
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_command_exchanges_the_world() {
    let ledger = Ledger::new();
    let mut game = script(&ledger, |ledger, commands| {
        let before = commands.spawn(Plain(ledger.token()));
        commands.run(|game| *game = Game::default());
        commands.insert(before, Mine(ledger.token(), 1));
        commands.spawn(Mine(ledger.token(), 2));
    });
    for _ in 0..3 {
        game.on_failed_command(FailurePolicy::Ignore);
        game.tick();
    }
    game.tick();
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_command_exchanges_two_worlds_for_each_other() {
    let ledger = Ledger::new();
    let other = std::sync::Arc::new(std::sync::Mutex::new(Game::default()));
    other.lock().unwrap().on_failed_command(FailurePolicy::Ignore);
    let shared = other.clone();
    let mut game = script(&ledger, move |ledger, commands| {
        let mine = commands.spawn(Mine(ledger.token(), 1));
        let shared = shared.clone();
        commands.run(move |game| std::mem::swap(game, &mut shared.lock().unwrap()));
        commands.insert(mine, Plain(ledger.token()));
        for _ in 0..200 {
            commands.spawn(Plain(ledger.token()));
        }
    });
    for _ in 0..6 {
        game.tick();
        let mut out = std::mem::take(&mut *other.lock().unwrap());
        out.tick();
        *other.lock().unwrap() = out;
    }
    // a cycle: the world has a script that owns the other world
    let mut left = std::mem::take(&mut *other.lock().unwrap());
    left.resource_mut::<Script>().0 = None;
    game.resource_mut::<Script>().0 = None;
    drop((left, game));
    ledger.assert_settled();
}

#[test]
fn schedules_and_systems_run_while_commands_are_done() {
    let ledger = Ledger::new();
    let mut game = script(&ledger, |ledger, commands| {
        let token = ledger.token();
        commands.run(move |game| {
            game.run::<acts_too>();
            game.with_commands(|mut commands| {
                let entity = commands.spawn(Plain(token));
                commands.run(move |game| assert!(game.contains(entity)));
            });
            let copy: Vec<Entity> = game.entities().iter().collect();
            assert!(copy.windows(2).all(|pair| pair[0] < pair[1]));
        });
        commands.spawn(Plain(ledger.token()));
    });
    for spread in [Parallelism::Never, Parallelism::Always, Parallelism::Auto] {
        game.set_parallelism(spread);
        for _ in 0..10 {
            game.tick();
        }
    }
    let ids = std::mem::take(&mut game.resource_mut::<Ids>().0);
    assert!(ids.iter().all(|&entity| game.contains(entity)));
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_command_runs_another_schedule_and_is_refused_its_own() {
    let ledger = Ledger::new();
    let mut game = script(&ledger, |ledger, commands| {
        commands.spawn(Plain(ledger.token()));
        if commands.len() < 2 {
            commands.run(|game| {
                let script = game.resource_mut::<Script>().0.take();
                assert!(
                    panic_message(|| game.tick())
                        .contains("`tick` of world `Game` was called from inside itself")
                );
                game.others();
                game.resource_mut::<Script>().0 = script;
            });
        }
    });
    for _ in 0..5 {
        game.tick();
    }
    assert_eq!(game.query::<&Plain>().iter().count(), 5);
    assert_eq!(game.query::<&Aligned>().iter().count(), 5 * 2 * 70);
    drop(game);
    ledger.assert_settled();
}
