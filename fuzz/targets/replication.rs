//! Messages of replication that nobody wrote, to a server and to a client, with valid checksums:
//! each is read or refused, and both sides go on.
#![no_main]

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, Server};
use libfuzzer_sys::fuzz_target;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Place(i32, Vec<u8>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Hunts(Option<Entity>);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = remove)]
struct Likes(Entity);

#[derive(Clone, Serialize, Deserialize)]
enum Input {
    Wait,
    Step(i32, i32),
    Say(String),
}

world! {
    #[derive(Clone)]
    struct Game { components { Place, Hunts, ChildOf, Many<Likes> } }
}

type Shown = (Place, Hunts, ChildOf, Many<Likes>);

/// The bytes as the body of a message that begins like `message`.
fn sealed(message: &[u8], body: &[u8]) -> Vec<u8> {
    [&message[..4], &crc32fast::hash(body).to_le_bytes(), body].concat()
}

// The first byte tells which side reads the rest, and how many bytes of a true message are before
// it.
fuzz_target!(|data: &[u8]| {
    const ANN: ClientId = ClientId(1);
    let (mut game, mut copy) = (Game::new(), Game::new());
    let mut server = Server::<Game, Input>::new(1, Limits::default());
    server.connect(ANN);
    let mut client = Client::<Game, Input>::new::<Shown>(Replica::new().entities(100).memory(1 << 20), 1 << 16);
    let one = game.spawn((Place(1, vec![1]), Hunts(None)));
    let two = game.spawn((Place(2, vec![]), Hunts(Some(one)), ChildOf(one)));
    game.relate(one, Likes(two)).unwrap();
    let mut frame = 0;
    for data in data.split(|byte| *byte == 0xfe) {
        frame += 1;
        game.get_mut::<Place>(one).unwrap().0 += 1;
        let messages = server.messages(&mut game, frame, |_, _| Selection::of::<Shown>()).unwrap();
        let answer = client.message().unwrap();
        if let Some((&how, data)) = data.split_first() {
            let (to_client, keep) = (how & 1 == 0, usize::from(how / 2));
            let whole = if to_client { &messages[0].1 } else { &answer };
            let start = &whole[8..][..keep.min(whole.len() - 8)];
            let forged = sealed(whole, &[start, data].concat());
            if to_client {
                let _ = client.receive(&mut copy, &forged);
            } else if let Ok(inputs) = server.receive(ANN, &forged) {
                assert!(inputs.len() <= Limits::default().inputs);
            }
        }
        let _ = client.receive(&mut copy, &messages[0].1);
        let _ = server.receive(ANN, &answer);
        client.input(Input::Wait);
    }
    assert!(client.replica().len() <= 100);
    // a client of another server begins anew, whatever it was told
    let mut other = Server::<Game, Input>::new(u32::MAX, Limits::default());
    (0..2).for_each(|_| other.connect(ANN));
    let messages = other.messages(&mut game, 1, |_, _| Selection::of::<Shown>()).unwrap();
    if client.receive(&mut copy, &messages[0].1).is_ok_and(|applied| applied) {
        assert_eq!(client.replica().len(), 2);
    }
});
