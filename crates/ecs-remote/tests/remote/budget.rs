//! Requests that take several calls of `serve`.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ecs::ChildOf;
use ecs::prelude::*;
use ecs_remote::{Limits, Options, Remote, Writes};
use serde_json::{Value, json};

use crate::client::request;
use crate::game::{Frozen, Game, Health, Position, game, id};

/// A server whose calls have almost no time.
fn hurried(budget: Duration) -> (Remote, SocketAddr) {
    let mut limits = Limits::default();
    (limits.budget, limits.work) = (budget, usize::MAX);
    let options = Options::new().port(0).limits(limits).writes(Writes::Anybody);
    let remote = Remote::bind(options).expect("the loopback has a free port");
    let address = remote.address().expect("it is bound");
    (remote, address)
}

fn ask(address: SocketAddr, body: Value) -> JoinHandle<Value> {
    thread::spawn(move || {
        let (status, _, answer) = request(address, "POST", "/", "", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).expect("answers are JSON")
    })
}

fn rpc(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// Waits until a number of requests is in the queue.
fn wait(remote: &Remote, count: usize) {
    let begin = Instant::now();
    while !format!("{remote:?}").contains(&format!("waiting: {count}")) {
        assert!(begin.elapsed() < Duration::from_secs(10), "{remote:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Serves until the queue is empty, and changes the world between the calls.
fn serve(remote: &Remote, game: &mut Game, mut meanwhile: impl FnMut(&mut Game, usize)) -> usize {
    for calls in 1.. {
        if remote.serve(game).left == 0 {
            return calls;
        }
        meanwhile(game, calls);
    }
    unreachable!("the loop has no end")
}

#[test]
fn a_long_query_goes_on_in_the_next_call_and_leaves_time_to_others() {
    let (remote, address) = hurried(Duration::from_micros(500));
    let (mut game, _) = game(Remote::default());
    game.spawn_batch((0..5_000).map(|now| (Health { now, max: 7 }, Position(0.0, 1.0), Frozen))).count();
    let long = ask(address, rpc(1, "world.query", json!({ "data": { "option": "all" } })));
    wait(&remote, 1);
    let served = remote.serve(&mut game);
    assert_eq!((served.answered, served.left), (0, 1), "it takes longer than a call");
    let short = ask(address, rpc(2, "world.list_resources", json!({})));
    wait(&remote, 2);
    let mut calls = 0;
    while !short.is_finished() {
        remote.serve(&mut game);
        calls += 1;
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(short.join().expect("an answer")["result"], json!(["Clock"]));
    assert!(!long.is_finished(), "the short request has passed the long one, in {calls} calls");
    assert!(serve(&remote, &mut game, |_, _| ()) > 1);
    let rows = long.join().expect("an answer");
    assert_eq!(rows["result"].as_array().map(Vec::len), Some(5_003));
}

#[test]
fn a_long_query_of_a_world_that_changes_has_every_entity_that_stays_once() {
    let (remote, address) = hurried(Duration::from_micros(300));
    for text in ["with Health", "Health, Health.max = 7", "Health, order by Health.now desc", "ChildOf = 0v1"]
    {
        let (mut game, [pack, ..]) = game(Remote::default());
        let all: Vec<Entity> =
            game.spawn_batch((0..3_000).map(|now| (Health { now, max: 7 }, ChildOf(pack)))).collect();
        let expected = json!({ "text": text, "limit": 100_000 });
        let rows = ask(address, rpc(1, "world.query", expected));
        wait(&remote, 1);
        let mut random = 12_345_usize;
        let calls = serve(&remote, &mut game, |game, _| {
            for _ in 0..5 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let entity = all[(random >> 33) % all.len()];
                match random >> 20 & 3 {
                    0 => _ = game.despawn(entity),
                    1 => _ = game.remove::<Health>(entity),
                    2 => _ = game.remove::<ChildOf>(entity),
                    _ => _ = game.spawn((Health { now: 1, max: 7 }, ChildOf(pack))),
                }
            }
        });
        let rows = rows.join().expect("an answer");
        let rows = rows["result"].as_array().unwrap_or_else(|| panic!("{text}: {rows}"));
        let found: BTreeSet<u64> = rows.iter().filter_map(|row| row["entity"].as_u64()).collect();
        assert_eq!(found.len(), rows.len(), "{text}: no entity twice");
        let stays = |entity: &&Entity| game.has::<Health>(**entity) && game.has::<ChildOf>(**entity);
        let missing = all.iter().filter(stays).filter(|entity| !found.contains(&id(**entity))).count();
        assert_eq!(missing, 0, "{text}, {calls} calls");
    }
}

#[test]
fn a_batch_in_several_calls_replays_with_the_same_end() {
    let (remote, address) = hurried(Duration::from_micros(300));
    let (mut game, [pack, ..]) = game(Remote::default());
    game.spawn_batch((0..1_000).map(|now| (Health { now, max: 7 }, ChildOf(pack)))).count();
    let begin = game.clone();
    remote.record(true);
    let query = |id| rpc(id, "world.query", json!({ "text": "order by Health.now desc", "limit": 1 }));
    let hit = |id| rpc(id, "world.write_message", json!({ "message": "Hit", "value": 1 }));
    let batch = json!([query(1), hit(2), query(3), hit(4), 5, query(6), hit(7)]);
    let answers = ask(address, batch);
    wait(&remote, 1);
    let calls = serve(&remote, &mut game, |game, _| game.tick());
    game.tick();
    assert!(calls > 1);
    let answers = answers.join().expect("an answer");
    let ids: Vec<&Value> = answers.as_array().expect("a batch").iter().map(|answer| &answer["id"]).collect();
    assert_eq!(json!(ids), json!([1, 2, 3, 4, null, 6, 7]));
    assert_eq!(answers[0]["result"].as_array().map(Vec::len), Some(1));

    let recording = remote.recording().expect("it was recorded");
    let again = Remote::replay(recording, &Options::new());
    let mut replayed = begin;
    for call in 1..=calls {
        again.serve(&mut replayed);
        if call < calls {
            replayed.tick();
        }
    }
    replayed.tick();
    assert_eq!(replayed.hash(), game.hash(), "each part is repeated in the call that has answered it");
}

#[test]
fn a_path_of_names_and_the_registry_go_on_in_the_next_call() {
    let (remote, address) = hurried(Duration::from_micros(200));
    let (mut game, [.., other]) = game(Remote::default());
    game.spawn_batch((0..5_000).map(|n| ecs::component::Name::new(format!("sheep {n}")))).count();
    let last = game.spawn(ecs::component::Name::new("last"));
    let path = thread::spawn(move || request(address, "PUT", "/entity/last/cub", "", ""));
    let registry = ask(address, rpc(1, "registry.schema", json!({})));
    wait(&remote, 2);
    assert!(serve(&remote, &mut game, |_, _| ()) > 1);
    assert_eq!(path.join().expect("an answer").0, 200);
    assert_eq!(game.sources::<ChildOf>(last).len(), 1, "it was spawned once");
    assert!(registry.join().expect("an answer")["result"]["Health"].is_object());
    let gone = ask(address, rpc(1, "world.despawn_entity", json!({ "entity": id(other) })));
    wait(&remote, 1);
    serve(&remote, &mut game, |_, _| ());
    assert_eq!(gone.join().expect("an answer")["result"], Value::Null);
}
