//! Requests of tools, without a socket: whatever they are, each has an answer within its limits,
//! and the world stays whole.
#![no_main]

use ecs::prelude::*;
use ecs::component::Name;
use ecs_remote::{Dispatcher, Limits, Method, Options, Request};
use libfuzzer_sys::fuzz_target;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Clone, Serialize, Deserialize)]
enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<Option<Entity>> },
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Frozen;
#[derive(Resource, Clone, Serialize, Deserialize, Default)]
struct Clock {
    frame: u64,
    leader: Option<Entity>,
}
#[derive(Event, Clone, Serialize, Deserialize)]
struct Hit(u32);

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components { Name, ChildOf, Health, Mind, Frozen }
        resources { Clock = Clock::default() }
        events { Hit(external) }
    }
    schedule tick { count }
}

#[system(Game)]
fn count(mut clock: ResMut<Clock>, mut hits: EventReader<Hit>) {
    clock.frame = clock.frame.wrapping_add(hits.iter().map(|hit| u64::from(hit.0)).sum());
}

// The first byte is the method and the permission; a line feed ends the target; the rest is the
// body.
fuzz_target!(|data: &[u8]| {
    let mut game = Game::default();
    let pack = game.spawn(Name::new("pack"));
    let wolf = game.spawn((Name::new("wolf"), ChildOf(pack), Health { now: 3, max: 7 }, Frozen));
    game.spawn((ChildOf(pack), Mind::Hunts { whom: wolf, path: vec![None, Some(pack)] }));
    let mut limits = Limits::default();
    limits.results = 8;
    let mut dispatcher = Dispatcher::new(&Options::new().limits(limits));
    for data in data.split(|byte| *byte == 0) {
        let Some((&how, data)) = data.split_first() else { continue };
        let Ok(text) = core::str::from_utf8(data) else { continue };
        let (target, body) = text.split_once('\n').unwrap_or(("/", text));
        let method = [Method::Post, Method::Get, Method::Put, Method::Delete][usize::from(how % 4)];
        let request = Request::new(method, target, body);
        let (may_write, before) = (how & 4 != 0, game.hash());
        let answer = dispatcher.answer(&mut game, &if may_write { request.may_write() } else { request });
        assert!(answer.body.len() <= limits.response);
        if answer.status == 204 {
            assert!(answer.body.is_empty());
        } else {
            serde_json::from_str::<serde_json::Value>(&answer.body).expect("an answer is JSON");
        }
        if !may_write || (400..500).contains(&answer.status) {
            assert_eq!(game.hash(), before, "a request that may not, or has failed, changes nothing");
        }
    }
    game.tick();
    let bytes = game.to_bytes().expect("a world can be saved");
    let again = Game::load(&bytes).expect("what was saved is loaded");
    assert_eq!(again.hash(), game.hash());
});
