//! Bytes that the other side would not send: a typed error, and nothing changes.

use ecs::prelude::*;
use ecs::relation::ChildOf;
use ecs_replication::{ClientId, Limits, MessageError};
use oorandom::Rand32;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::{Deserialize, Serialize};

use crate::game::{Game, GameServer, Hunts, Input, Likes, Name, Place, Room, View, client, room};

const ANN: ClientId = ClientId(1);

/// A server with a client that has an entity, and messages of both.
fn pair() -> (Game, GameServer, View, crate::game::GameClient, Vec<u8>, Vec<u8>) {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let one = game.spawn((Place(1, 1), Room(1), Name("one".into())));
    let message = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    ann.receive(&mut view, &message).unwrap();
    ann.input(Input::Say("hello".into()));
    server.receive(ANN, &ann.message().unwrap()).unwrap();
    game.insert(one, Place(2, 2)).unwrap();
    game.spawn((Place(3, 3), Room(1)));
    let message = server.messages(&mut game, 2, room).unwrap().remove(0).1;
    ann.input(Input::Step(1, 2));
    let answer = ann.message().unwrap();
    (game, server, view, ann, message, answer)
}

#[test]
fn damaged_messages_are_errors_on_both_sides() {
    let (_, mut server, mut view, mut ann, message, answer) = pair();
    let mut random = Rand32::new(3);
    let mut refused = [0, 0];
    for round in 0..4_000_u32 {
        let damaged = |bytes: &[u8], random: &mut Rand32| {
            let mut bytes = bytes.to_vec();
            match round % 3 {
                0 => bytes.truncate(random.rand_range(0..bytes.len() as u32) as usize),
                1 => {
                    let at = random.rand_range(0..bytes.len() as u32) as usize;
                    bytes[at] ^= 1 << random.rand_range(0..8);
                }
                _ => bytes.iter_mut().skip(4).for_each(|byte| *byte = random.rand_u32() as u8),
            }
            bytes
        };
        // on copies, since a change may be one that a message can have
        let mut copy = view.clone();
        let before = ann.frame();
        if ann.receive(&mut copy, &damaged(&message, &mut random)).is_err() {
            refused[0] += 1;
        }
        assert!(ann.frame() == before || ann.frame() == 2);
        if ann.frame() == 2 {
            (_, _, view, ann, _, _) = pair();
        }
        if server.receive(ANN, &damaged(&answer, &mut random)).is_err() {
            refused[1] += 1;
        }
    }
    assert!(refused[0] > 2_000 && refused[1] > 1_500, "{refused:?}");
    let (mut game, mut server, mut view, mut ann, message, answer) = pair();
    assert!(ann.receive(&mut view, &message).unwrap());
    assert_eq!(server.receive(ANN, &answer).unwrap(), [Input::Step(1, 2)]);
    assert!(server.messages(&mut game, 3, room).is_ok());
}

#[test]
fn what_a_client_may_not_say_is_an_error_with_a_name() {
    let (mut game, mut server, _, mut ann, _, answer) = pair();
    let long = vec![b'x'; Limits::default().message + 1];
    assert!(matches!(server.receive(ANN, &long), Err(MessageError::TooLong { length: 4_097, limit: 4_096 })));
    assert!(matches!(server.receive(ANN, b"hello"), Err(MessageError::NotAMessage)));
    assert!(matches!(server.receive(ANN, b"erc3"), Err(MessageError::Damaged)));
    assert!(matches!(server.receive(ClientId(9), &answer), Err(MessageError::NotConnected)));
    let more = [&answer[..], &[0]].concat();
    assert!(matches!(server.receive(ANN, &more), Err(MessageError::Damaged)));
    // a server that has sent less, under the same number of the connection
    let mut other = GameServer::new(1, Limits { inputs: 1, ..Limits::default() });
    other.connect(ANN);
    assert!(matches!(other.receive(ANN, &answer), Err(MessageError::NeverSent { frame: 1 })));
    other.messages(&mut game, 1, room).unwrap();
    ann.input(Input::Step(0, 0));
    assert!(matches!(
        other.receive(ANN, &ann.message().unwrap()),
        Err(MessageError::TooManyInputs { count: 3, limit: 1 }) | Err(MessageError::MissingInputs { .. })
    ));
    let clean = server.receive(ANN, &answer).unwrap();
    assert_eq!(clean, [Input::Step(1, 2)]);
}

#[test]
fn a_client_that_asks_for_everything_in_each_message_gets_one_copy_at_a_time() {
    let (mut game, mut server, mut view, mut ann, message, _) = pair();
    // a step that does not fit: the client's world has no entity that it names
    view.despawn(ann.replica().iter().next().unwrap().1).unwrap();
    assert!(ann.receive(&mut view, &message).is_err());
    let asks = ann.message().unwrap();
    let mut lengths = Vec::new();
    for frame in 3..40 {
        server.receive(ANN, &asks).unwrap();
        lengths.push(server.messages(&mut game, frame, room).unwrap()[0].1.len());
    }
    // few messages have the whole state, and the others what changed since
    let is_short = |(at, pair): (usize, &[usize])| [8, 17, 27].contains(&(at + 1)) || pair[1] <= pair[0] + 64;
    assert!(lengths.windows(2).enumerate().all(is_short), "{lengths:?}");
}

/// Datagrams with changed bytes and right checksums, parts of other messages with the same number,
/// and the right ones, in any order: the client gets the state in the end.
#[test]
fn forged_datagrams_are_refused_or_make_no_message() {
    let mut random = Rand32::new(61);
    let (mut game, mut server, mut view, mut ann, ..) = pair();
    (0..300).for_each(|at| _ = game.spawn((Place(at, 0), Room(1))));
    let mut refused = 0;
    for frame in 3..60 {
        for place in game.query_mut::<&mut Place>() {
            place.1 += 1;
        }
        let datagrams = server.datagrams(&mut game, 2 * frame, 200, room).unwrap();
        for (_, datagram) in &datagrams {
            let mut forged = datagram.clone();
            // the connection, in the five bytes after the checksum, stays
            let at = if random.rand_range(0..2) == 0 { 13..22 } else { 13..forged.len() as u32 };
            let at = random.rand_range(at) as usize;
            forged[at] = random.rand_u32() as u8;
            if random.rand_range(0..4) == 0 {
                forged.truncate(at);
            }
            refused += u32::from(ann.receive(&mut view, &sealed(forged)).is_err());
        }
        // a number of a message that is never sent may have been believed
        server.connect(ANN);
        for (_, datagram) in server.datagrams(&mut game, 2 * frame + 1, 200, room).unwrap() {
            let _ = ann.receive(&mut view, &datagram);
        }
        assert_eq!((ann.frame(), ann.replica().len()), (2 * frame + 1, 302));
        server.receive(ANN, &ann.message().unwrap()).unwrap();
    }
    assert!(refused > 300, "{refused}");
}

/// A client that acknowledges each frame, so that it has the beginning, and asks for the whole
/// state nevertheless.
#[test]
fn whole_states_on_request_have_a_pause_between_them() {
    let (mut game, mut server, mut view, mut ann, ..) = pair();
    (0..200).for_each(|_| _ = game.spawn((Place(0, 0), Room(1))));
    let (mut frame, mut whole) = (3, 0);
    while frame < 103 {
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        whole += u32::from(message.len() > 800);
        let _ = ann.receive(&mut view, &message);
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        // the byte of the request, before the loss and the numbers of events, of the first input and
        // of inputs
        let mut asks = ann.message().unwrap();
        let at = asks.len() - 5;
        if asks[at] == 0 {
            asks[at] = 1;
            let _ = server.receive(ANN, &sealed(asks));
        }
        frame += 1;
    }
    assert!((2..=16).contains(&whole), "{whole} whole states in 100 frames");
}

/// The message with its checksum made anew, so that the damage is found behind it.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(body) = bytes.get(8..) {
        let sum = crc32fast::hash(body);
        bytes[4..8].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_240_229),
        ..ProptestConfig::default()
    })]
    /// Forged messages to both sides. The connection of the server's message, in the five bytes
    /// after the checksum, stays: a client believes whoever is its server.
    #[test]
    fn both_sides_go_on_after_forged_messages(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        more in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let (mut game, mut server, mut view, mut ann, message, answer) = pair();
        let forged = |bytes: &[u8], from: usize| {
            let mut bytes = bytes.to_vec();
            for (at, byte) in &changes {
                let at = from + at.index(bytes.len() - from);
                bytes[at] = *byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(from + cut.index(bytes.len() - from));
            }
            bytes.extend(&more);
            sealed(bytes)
        };
        // an input that the client never sent may be accepted: the sides cannot tell
        let inputs = server.receive(ANN, &forged(&answer, 8));
        prop_assert!(inputs.is_err() || inputs.unwrap().len() <= 64);
        let _ = ann.receive(&mut view, &forged(&message, 13));
        for frame in 3..16 {
            for (_, message) in server.messages(&mut game, frame, room).unwrap() {
                let _ = ann.receive(&mut view, &message);
            }
            let _ = server.receive(ANN, &ann.message().unwrap());
        }
        // a frame from the future is one that the client waits for, until it is connected again
        if ann.frame() != 15 {
            server.connect(ANN);
            for (_, message) in server.messages(&mut game, 16, room).unwrap() {
                ann.receive(&mut view, &message).unwrap();
            }
            prop_assert_eq!(ann.frame(), 16);
        }
        prop_assert_eq!(ann.replica().len(), 2);
        let places = view.query::<&Place>().iter().map(|place| place.0).sum::<i32>();
        prop_assert_eq!(places, 5);
    }
}

/// A message of the server as its format is.
#[derive(Serialize, Deserialize)]
pub(crate) struct Message {
    connection: u64,
    from: u64,
    begun: u64,
    frame: u64,
    hash: u64,
    pub(crate) hashed: Option<(u32, u32)>,
    inputs: u64,
    pub(crate) version: Vec<u8>,
    /// The number of the first event, the reliable ones, and those that are sent once.
    pub(crate) events: (u64, Vec<u8>, Vec<u8>),
    delta: Vec<u8>,
}

/// A message of the server that is changed.
pub(crate) fn reread(message: &[u8], change: impl FnOnce(&mut Message)) -> Vec<u8> {
    let mut read: Message = postcard::from_bytes(&message[8..]).unwrap();
    change(&mut read);
    sealed([b"ers3\0\0\0\0", &postcard::to_stdvec(&read).unwrap()[..]].concat())
}

/// A hostile server: deltas that are changed behind their signature, with right checksums, reach
/// the code that applies them.
#[test]
fn a_client_goes_on_after_forged_deltas() {
    let mut random = Rand32::new(16);
    let (mut applied, mut refused) = (0, 0);
    for _ in 0..400 {
        let (mut game, mut server, mut view, mut ann, ..) = pair();
        for frame in 3..12 {
            let one = game.entities().iter().next().unwrap();
            let other = game.spawn((Place(4, frame as i32), Room(1), Hunts(one), ChildOf(one)));
            game.relate(one, Likes(other)).unwrap();
            let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
            let forged = reread(&message, |forged| {
                let delta = &mut forged.delta;
                for _ in 0..random.rand_range(1..4) {
                    // signature, version and fingerprint stay
                    let at = random.rand_range(13..delta.len() as u32 - 8) as usize;
                    match random.rand_range(0..4) {
                        0 => delta[at] = random.rand_u32() as u8,
                        1 => delta[at] = 0xff,
                        2 => delta.insert(at, random.rand_range(0..4) as u8),
                        _ => delta[at] ^= 1 << random.rand_range(0..8),
                    }
                }
                ecs::__private::save::reseal(delta);
            });
            match ann.receive(&mut view, &forged) {
                // a client that waits for the whole state, and a change that changes nothing
                Ok(false) => {}
                Ok(true) => applied += 1,
                Err(_) => refused += 1,
            }
            let _ = ann.receive(&mut view, &message);
            let _ = server.receive(ANN, &ann.message().unwrap());
        }
        server.connect(ANN);
        let message = server.messages(&mut game, 12, room).unwrap().remove(0).1;
        assert!(ann.receive(&mut view, &message).unwrap());
        assert_eq!((ann.replica().len(), view.entities().len()), (11, 11));
    }
    assert!(refused > 1_000 && applied < 100, "{applied} applied, {refused} refused");
}

/// A version with a length that its bytes do not have, and a range of a hash that is none.
#[test]
fn forged_heads_are_refused() {
    let (mut game, mut server, mut view, mut ann, ..) = pair();
    server.connect(ANN);
    let honest = server.messages(&mut game, 3, room).unwrap().remove(0).1;
    let versions: [&[u8]; 4] =
        [&[0xff, 0xff, 0xff, 0xff, 0x0f], &[1, 200, 1], &[0], &[1, 2, 0xff, 0xfe, 0, 0, 0]];
    for version in versions {
        let forged = reread(&honest, |message| message.version = version.to_vec());
        assert!(matches!(ann.receive(&mut view, &forged), Err(MessageError::Damaged)));
        assert_eq!(ann.frame(), 1);
    }
    for (frame, range) in [(4, (0, 0)), (5, (u32::MAX, 0)), (6, (7, u32::MAX))] {
        let forged = reread(&honest, |message| message.hashed = Some(range));
        let _ = ann.receive(&mut view, &forged);
        server.connect(ANN);
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        assert!(ann.receive(&mut view, &message).unwrap());
        assert_eq!(ann.replica().len(), 2);
    }
}

/// A client's message as its format is.
#[derive(Serialize)]
struct Answer {
    connection: u64,
    frame: u64,
    missing: u64,
    begin_anew: bool,
    loss: u8,
    events: u64,
    first: u64,
    count: u64,
}

/// A client with a budget that acknowledges what it has not received, or denies what it has: the
/// server goes on, and a new connection has the right state.
#[test]
fn false_acknowledgements_of_a_client_with_a_budget_harm_nobody() {
    let mut random = Rand32::new(8);
    let (mut game, mut server, mut view, mut ann, ..) = pair();
    server.set_budget(ANN, Some(300));
    let ids: Vec<Entity> = (0..200).map(|at| game.spawn((Place(at, 0), Room(1)))).collect();
    for frame in 3..400 {
        ids.iter().for_each(|&id| game.get_mut::<Place>(id).unwrap().1 += 1);
        for _ in 0..3 {
            let answer = Answer {
                connection: (1 << 32) + 1,
                frame: frame - 1 - u64::from(random.rand_range(0..8)).min(frame - 1),
                missing: u64::from(random.rand_u32()) << random.rand_range(0..33),
                begin_anew: random.rand_range(0..40) == 0,
                loss: random.rand_u32() as u8,
                events: 0,
                first: 2,
                count: 0,
            };
            let bytes = postcard::to_stdvec(&answer).unwrap();
            let _ = server.receive(ANN, &sealed([b"erc3\0\0\0\0", &bytes[..]].concat()));
        }
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        assert!(message.len() <= 300);
        let _ = ann.receive(&mut view, &message);
    }
    server.connect(ANN);
    for frame in 400..450 {
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        ann.receive(&mut view, &message).unwrap();
        server.receive(ANN, &ann.message().unwrap()).unwrap();
    }
    assert_eq!(crate::model::received(&view, &ann), crate::model::expected(&game, ANN));
}
