//! Another program that sends what no session sends: the game gets an error at most, and stays as
//! it is.

use std::net::UdpSocket;

use ecs::prelude::*;
use ecs_rollback::{NonBlockingSocket, RollbackError};
use oorandom::Rand32;

use crate::game::{Arena, Keys, bound};
use crate::pairs::{Game, game};

/// A game whose other player is this socket.
fn with_stranger() -> (Game, UdpSocket) {
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    let socket = bound();
    stranger.connect(socket.address().unwrap()).unwrap();
    stranger.set_nonblocking(true).unwrap();
    (game(0, stranger.local_addr().unwrap(), socket, 0, Arena::tick), stranger)
}

/// The bytes of a message with inputs, as `ggrs` lays them out. `inputs` are the run lengths of all
/// inputs.
fn inputs(magic: u16, start: i32, acknowledged: i32, inputs: &[u8]) -> Vec<u8> {
    bincode::serialize(&(magic, 2_u32, vec![(false, 5_i32); 2], false, start, acknowledged, inputs)).unwrap()
}

/// The run lengths of inputs that are equal: each has its length in two bytes, and its own bytes.
fn equal(count: usize) -> Vec<u8> {
    let one = bincode::serialize(&Keys::default()).unwrap();
    let each = [&(one.len() as u16).to_le_bytes()[..], &one].concat();
    let all = each.repeat(count);
    // one run of bytes that follow
    let (mut number, mut bytes) = (all.len() << 1, Vec::new());
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    [bytes, all].concat()
}

/// Answers the requests of the session until it runs. The magic number of this program is 7.
fn synchronize(game: &mut Game, stranger: &UdpSocket) {
    let mut buffer = [0; 4096];
    for _ in 0..1_000 {
        let _ = game.advance([(0, Keys::default())]).unwrap();
        while let Ok(length) = stranger.recv(&mut buffer) {
            if let Ok((_, 0, random)) = bincode::deserialize::<(u16, u32, u32)>(&buffer[..length]) {
                stranger.send(&bincode::serialize(&(7_u16, 1_u32, random)).unwrap()).unwrap();
            }
        }
        if game.session().is_running() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("the session does not run: {game:?}");
}

#[test]
fn inputs_of_a_far_frame_end_the_session_with_an_error() {
    for message in [
        inputs(7, 1_000_000, -1, &equal(1)),
        inputs(7, i32::MAX, -1, &equal(1)),
        inputs(7, i32::MAX, -1, &equal(3)),
        inputs(7, 0, -1, &equal(500)),
        inputs(7, 100, -1, &equal(100)),
    ] {
        for synchronized in [false, true] {
            let (mut game, stranger) = with_stranger();
            if synchronized {
                synchronize(&mut game, &stranger);
            }
            let before = game.world().hash();
            stranger.send(&message).unwrap();
            let mut error = None;
            for _ in 0..50 {
                error = game.advance([(0, Keys::default())]).err();
                if error.is_some() {
                    break;
                }
            }
            let error = error.expect("the session has ended");
            assert!(matches!(error, RollbackError::Broken { .. }), "{error}");
            assert!(error.to_string().starts_with("the session cannot go on"), "{error}");
            // it stays so, and the world is there
            assert_eq!(game.advance([(0, Keys::default())]).unwrap_err(), error);
            assert_eq!(game.disconnect(1).unwrap_err(), error);
            game.poll();
            if game.frame() == 0 {
                assert_eq!(game.world().hash(), before);
            }
            let _ = (game.events(), game.into_world().hash());
        }
    }
}

#[test]
fn a_message_that_would_take_gigabytes_is_dropped() {
    let (mut game, stranger) = with_stranger();
    synchronize(&mut game, &stranger);
    // a run of 2^40 bytes
    stranger.send(&inputs(7, 0, -1, &[0x83, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01])).unwrap();
    for _ in 0..20 {
        game.advance([(0, Keys::default())]).unwrap();
    }
}

#[test]
fn random_messages_give_no_panic() {
    let mut random = Rand32::new(11);
    let mut broken = 0;
    for round in 0..150 {
        let (mut game, stranger) = with_stranger();
        if round % 3 > 0 {
            synchronize(&mut game, &stranger);
        }
        for _ in 0..40 {
            let start = [0, 1, -1, 40, i32::MIN, i32::MAX][random.rand_range(0..6) as usize];
            let count = random.rand_range(0..9) as usize;
            let mut message = match random.rand_range(0..4) {
                0 => bincode::serialize(&(
                    7_u16,
                    random.rand_range(0..9),
                    random.rand_u32(),
                    random.rand_u32(),
                ))
                .unwrap(),
                _ => inputs(7, start, random.rand_u32() as i32 % 12, &equal(count)),
            };
            for _ in 0..random.rand_range(0..3) {
                let at = random.rand_range(6..message.len() as u32) as usize;
                message[at] = random.rand_u32() as u8;
            }
            if random.rand_range(0..8) == 0 {
                message.truncate(random.rand_range(0..message.len() as u32) as usize);
            }
            stranger.send(&message).unwrap();
            match game.advance([(0, Keys { step: 1, shoots: false })]) {
                Ok(_) => {}
                Err(RollbackError::Broken { .. }) => {
                    broken += 1;
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
        let _ = game.into_world().hash();
    }
    assert!(broken > 0, "none of the messages has reached an assertion");
}

#[test]
fn a_flood_of_datagrams_leaves_time_for_frames() {
    let mut socket = bound();
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    stranger.connect(socket.address().unwrap()).unwrap();
    let keep_alive = bincode::serialize(&(7_u16, 7_u32)).unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = stranger.send(&keep_alive);
            }
        });
        let mut most = 0;
        for _ in 0..200 {
            most = most.max(socket.receive_all_messages().len());
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(most > 0 && most <= 256, "{most} messages at once");
    });
}
