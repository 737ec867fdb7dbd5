//! Edge cases: relatives that leave a view, a panic in a view, the first and the last frame, inputs
//! without bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::relation::ChildOf;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, MessageError, Server};

use crate::game::{Faces, Game, GameServer, Hunts, Input, Name, Place, Room, View, client, room};

const ANN: ClientId = ClientId(1);

#[test]
fn a_child_whose_parent_leaves_the_view_stays() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let parent = game.spawn((Place(1, 1), Room(1)));
    let child = game.spawn((Place(2, 2), Room(1), ChildOf(parent)));
    let grandchild = game.spawn((Place(3, 3), Room(1), ChildOf(child), Hunts(parent)));
    for frame in 1..10 {
        match frame {
            3 => _ = game.insert(parent, Room(2)).unwrap(),
            6 => _ = game.insert(parent, Room(1)).unwrap(),
            _ => {}
        }
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            ann.receive(&mut view, &message).unwrap();
        }
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        let own = |entity| ann.replica().get(entity);
        let (parent, child, grandchild) = (own(parent), own(child).unwrap(), own(grandchild).unwrap());
        assert_eq!(parent.is_some(), !(3..6).contains(&frame));
        assert_eq!(view.target::<ChildOf>(child), parent, "frame {frame}");
        assert_eq!(view.target::<ChildOf>(grandchild), Some(child));
        let hunts = view.get::<Hunts>(grandchild).unwrap().0;
        assert_eq!(view.contains(hunts).then_some(hunts), parent);
    }
}

/// A symmetric relation ends at the client when one of its entities leaves the view, though the
/// server says nothing of the other entity; and other entities may begin one in the same frame.
#[test]
fn one_pair_parts_while_another_one_meets() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let [a, b, c, d] = [1, 2, 3, 4].map(|n| game.spawn((Place(n, n), Room(1))));
    game.insert(a, Faces(b)).unwrap();
    for frame in 1..6 {
        match frame {
            2 => {
                game.insert(b, Room(2)).unwrap();
                game.insert(c, Faces(d)).unwrap();
            }
            4 => _ = game.insert(b, Room(1)).unwrap(),
            _ => {}
        }
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            assert!(ann.receive(&mut view, &message).unwrap(), "frame {frame}");
        }
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        let own = |entity| ann.replica().get(entity);
        assert_eq!(view.target::<Faces>(own(a).unwrap()), own(b));
        assert_eq!(own(b).is_some(), !(2..4).contains(&frame));
        assert_eq!(view.target::<Faces>(own(c).unwrap()), own(d).filter(|_| frame > 1));
    }
}

#[test]
fn entities_that_come_and_go_between_two_frames_leave_no_trace() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let kept = game.spawn((Place(1, 1), Room(1)));
    for frame in 1..40 {
        let short = game.spawn((Place(9, 9), Room(1)));
        if frame % 3 == 0 {
            game.insert(kept, Hunts(short)).unwrap();
        }
        game.despawn(short).unwrap();
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            ann.receive(&mut view, &message).unwrap();
        }
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        assert_eq!((ann.replica().len(), view.entities().len()), (1, 1));
    }
}

#[test]
fn a_panic_in_a_view_leaves_a_server_that_goes_on() {
    let (mut game, mut views) = (Game::new(), [View::new(), View::new(), View::new()]);
    let mut server = GameServer::new(1, Limits::default());
    let mut clients = [client(), client(), client()];
    (1..=3).for_each(|id| server.connect(ClientId(id)));
    let ids: Vec<Entity> = (1..=3).map(|id| game.spawn((Place(0, 0), Room(id)))).collect();
    for frame in 1..=20 {
        for &id in &ids {
            game.get_mut::<Place>(id).unwrap().0 += 1;
        }
        let panics = frame % 4 == 2;
        let messages = catch_unwind(AssertUnwindSafe(|| {
            server.messages(&mut game, frame, |game, client| {
                assert!(!panics || client.0 < 2, "a mistake in the program");
                room(game, client)
            })
        }));
        assert_eq!(messages.is_err(), panics);
        for (ClientId(to), message) in messages.ok().into_iter().flatten().flatten() {
            let (ann, view) = (&mut clients[to as usize - 1], &mut views[to as usize - 1]);
            ann.receive(view, &message).unwrap();
            server.receive(ClientId(to), &ann.message().unwrap()).unwrap();
            let own = ann.replica().get(ids[to as usize - 1]).unwrap();
            assert_eq!(view.get(own), Some(&Place(frame as i32, 0)));
        }
    }
}

#[test]
fn frames_begin_at_one_and_end_at_the_last_number() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    game.spawn((Place(1, 1), Room(1)));
    assert!(server.messages(&mut game, 0, room).is_err(), "frame 0 is that of a client without a state");
    for frame in [1, u64::MAX - 1, u64::MAX] {
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            assert!(ann.receive(&mut view, &message).unwrap());
        }
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        assert_eq!(server.acknowledged(ANN), Some(frame));
        assert!(server.messages(&mut game, frame, room).is_err(), "the same frame again");
    }
}

/// A client that has the frame would acknowledge a state that it was never sent.
#[test]
fn a_frame_is_sent_once_even_if_a_client_begins_anew() {
    let mut game = Game::new();
    let mut server = GameServer::new(1, Limits { frames: 1, ..Limits::default() });
    server.connect(ANN);
    let one = game.spawn((Place(1, 1), Room(1)));
    assert!(server.messages(&mut game, 1, room).is_ok());
    game.insert(one, Place(2, 2)).unwrap();
    // the client has not acknowledged the only frame that is told apart
    let error = server.messages(&mut game, 1, room).unwrap_err().to_string();
    assert!(error.ends_with("frame 1 is not later than frame 1"), "{error}");
    assert!(server.messages(&mut game, 2, room).is_ok());
    // nor without clients
    server.disconnect(ANN);
    assert!(server.messages(&mut game, 9, room).unwrap().is_empty());
    server.connect(ANN);
    assert!(server.messages(&mut game, 9, room).is_err());
    assert_eq!(server.messages(&mut game, 10, room).unwrap().len(), 1);
}

#[test]
fn inputs_without_bytes_are_counted_before_they_are_made() {
    let mut game = Game::new();
    let mut server = Server::<Game, ()>::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = Client::<Game, ()>::new::<Place>(Replica::new(), 1 << 20);
    let mut copy = Game::new();
    let messages = server.messages(&mut game, 1, |_, _| Selection::of::<Place>()).unwrap();
    ann.receive(&mut copy, &messages[0].1).unwrap();
    ann.input(());
    ann.input(());
    let honest = ann.message().unwrap();
    // the last byte is the number of inputs, which have no bytes of their own
    let mut forged = honest.clone();
    assert_eq!(forged.pop(), Some(2));
    forged.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    assert!(matches!(
        server.receive(ANN, &forged),
        Err(MessageError::TooManyInputs { .. } | MessageError::Damaged)
    ));
    assert_eq!(server.receive(ANN, &honest).unwrap().len(), 2);
}

#[test]
fn a_thousand_clients_and_none_at_all() {
    let mut game = Game::new();
    let mut server = GameServer::new(1, Limits::default());
    assert!(server.messages(&mut game, 1, room).unwrap().is_empty());
    (0..1_000).for_each(|id| server.connect(ClientId(id)));
    (0..50).for_each(|id| _ = game.spawn((Place(id, 0), Room(id as u64 % 7), Name("x".into()))));
    for frame in 2..6 {
        let messages = server.messages(&mut game, frame, room).unwrap();
        assert_eq!(messages.len(), 1_000);
    }
}

#[test]
fn the_whole_state_is_not_in_each_message_to_a_client_that_does_not_answer() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits { frames: 1_000, ..Limits::default() });
    server.connect(ANN);
    let ids: Vec<Entity> = (0..2_000).map(|x| game.spawn((Place(x, x), Room(1)))).collect();
    let messages: Vec<Vec<u8>> = (1..=80)
        .map(|frame| {
            game.get_mut::<Place>(ids[7]).unwrap().0 += 1;
            server.messages(&mut game, frame, room).unwrap().remove(0).1
        })
        .collect();
    let whole = messages[0].len();
    let first = |at: usize| messages[at].len() > whole / 2;
    let repeated: Vec<usize> = (1..80).filter(|&at| first(at)).collect();
    assert_eq!(repeated, [8, 17, 27, 38, 50, 63, 77]);

    // a message without the whole state is one that the client waits with, and no error
    let mut ann = client();
    for (at, message) in messages.iter().enumerate().skip(9) {
        let applied = ann.receive(&mut view, message).unwrap();
        assert_eq!(applied, at >= 17, "message {at}");
    }
    assert_eq!(ann.frame(), 80);
    assert_eq!(view.get(ann.replica().get(ids[7]).unwrap()), Some(&Place(87, 7)));
    // after its answer, it is sent what changed after frame 80 alone
    server.receive(ANN, &ann.message().unwrap()).unwrap();
    let message = server.messages(&mut game, 81, room).unwrap().remove(0).1;
    assert!(message.len() < 100);
    assert!(ann.receive(&mut view, &message).unwrap());
}

#[test]
fn a_regular_loss_does_not_hit_each_whole_state() {
    for (period, phase) in (2..9).flat_map(|period| (0..period).map(move |phase| (period, phase))) {
        let (mut game, mut view) = (Game::new(), View::new());
        let mut server = GameServer::new(1, Limits::default());
        server.connect(ANN);
        let mut ann = client();
        game.spawn((Place(1, 1), Room(1)));
        for frame in 1..60 {
            let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
            if frame % period != phase {
                ann.receive(&mut view, &message).unwrap();
            }
        }
        assert!(ann.frame() >= 58, "one of {period} is lost: frame {}", ann.frame());
    }
}

#[test]
fn long_inputs_are_sent_in_several_messages() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let message = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    ann.receive(&mut view, &message).unwrap();
    assert!(!ann.input(Input::Say("x".repeat(4_096))), "no message has room for it");
    // together longer than a message that the server reads
    let inputs: Vec<Input> = (0..50).map(|at| Input::Say("x".repeat(at * 20))).collect();
    inputs.iter().for_each(|input| assert!(ann.input(input.clone())));
    let mut received = Vec::new();
    for frame in 2..20 {
        let message = ann.message().unwrap();
        assert!(message.len() <= Limits::default().message);
        received.extend(server.receive(ANN, &message).unwrap());
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        ann.receive(&mut view, &message).unwrap();
    }
    assert_eq!(received, inputs);
    assert_eq!(ann.waiting().count(), 0);
}
