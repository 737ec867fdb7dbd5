//! The sides one by one: views, late join, reconnect, restart, inputs, prediction.

use ecs::prelude::*;
use ecs::relation::ChildOf;
use ecs::save::Selection;
use ecs_replication::{ClientId, Limits, MessageError, Prediction, interest};

use crate::game::{
    Game, GameClient, GameServer, Hunts, Input, Name, Place, Room, Shown, Sprite, View, client, room,
};

const ANN: ClientId = ClientId(1);
const BOB: ClientId = ClientId(2);

/// Sends what the server has for a client to it.
fn update(
    server: &mut GameServer,
    game: &mut Game,
    frame: u64,
    to: ClientId,
    client: &mut GameClient,
    view: &mut View,
) {
    let messages = server.messages(game, frame, room).unwrap();
    let message = &messages.iter().find(|(client, _)| *client == to).unwrap().1;
    client.receive(view, message).unwrap();
    server.receive(to, &client.message().unwrap()).unwrap();
}

#[test]
fn a_client_has_its_room_with_ids_of_its_own() {
    let (mut game, mut view) = (Game::new(), View::new());
    view.spawn(Sprite(0));
    let mut server = GameServer::new(1, Limits::default());
    let mut ann = client();
    server.connect(ANN);
    let cat = game.spawn((Place(1, 1), Room(1)));
    let dog = game.spawn((Place(2, 2), Hunts(cat), Room(1), Name("Rex".into())));
    let tail = game.spawn((ChildOf(dog), Room(1)));
    let bird = game.spawn((Place(3, 3), Room(2)));
    update(&mut server, &mut game, 1, ANN, &mut ann, &mut view);
    let own = |ann: &GameClient, entity| ann.replica().get(entity).unwrap();
    assert_eq!(ann.replica().len(), 3);
    assert_eq!(view.get(own(&ann, dog)), Some(&Hunts(own(&ann, cat))));
    assert_eq!(view.target::<ChildOf>(own(&ann, tail)), Some(own(&ann, dog)));

    // the bird comes, the cat leaves, the client's own component stays
    view.insert(own(&ann, dog), Sprite(7)).unwrap();
    game.insert(bird, Room(1)).unwrap();
    game.insert(cat, Room(2)).unwrap();
    let gone = own(&ann, cat);
    update(&mut server, &mut game, 2, ANN, &mut ann, &mut view);
    assert!(!view.contains(gone) && ann.replica().get(cat).is_none());
    assert_eq!(view.get(own(&ann, bird)), Some(&Place(3, 3)));
    assert_eq!(view.get(own(&ann, dog)), Some(&Sprite(7)));
    assert_eq!(server.acknowledged(ANN), Some(2));
}

#[test]
fn a_late_client_and_one_that_comes_back_get_the_whole_state() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    let one = game.spawn((Place(1, 1), Room(2)));
    for frame in 1..50 {
        assert!(server.messages(&mut game, frame, room).unwrap().is_empty());
    }
    let mut bob = client();
    server.connect(BOB);
    update(&mut server, &mut game, 50, BOB, &mut bob, &mut view);
    assert_eq!(bob.replica().len(), 1);
    // a new program under the same name, with an empty world
    let (mut again, mut empty) = (client(), View::new());
    server.connect(BOB);
    let old = bob.message().unwrap();
    update(&mut server, &mut game, 51, BOB, &mut again, &mut empty);
    assert_eq!(empty.get(again.replica().get(one).unwrap()), Some(&Place(1, 1)));
    // the first program, whose connection is an old one, is not heard
    assert_eq!(server.receive(BOB, &old).unwrap(), []);
    assert_eq!(server.acknowledged(BOB), Some(51));
}

#[test]
fn clients_go_on_with_a_server_that_was_started_again() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let one = game.spawn((Place(1, 1), Room(1)));
    for frame in 1..=10 {
        update(&mut server, &mut game, frame, ANN, &mut ann, &mut view);
    }
    let late = server.messages(&mut game, 11, room).unwrap().remove(0).1;
    // the save is of frame 4: frames begin there again
    let mut saved = game.clone();
    saved.insert(one, Place(5, 5)).unwrap();
    let mut server = GameServer::new(2, Limits::default());
    server.connect(ANN);
    for frame in 4..=8 {
        update(&mut server, &mut saved, frame, ANN, &mut ann, &mut view);
    }
    assert_eq!(ann.frame(), 8);
    assert_eq!(view.get(ann.replica().get(one).unwrap()), Some(&Place(5, 5)));
    assert!(!ann.receive(&mut view, &late).unwrap(), "a message of the old server");
}

#[test]
fn a_client_that_does_not_answer_can_use_each_message() {
    let (mut game, mut view) = (Game::new(), View::new());
    let limits = Limits { frames: 5, ..Limits::default() };
    let mut server = GameServer::new(1, limits);
    server.connect(ANN);
    let mut ann = client();
    let one = game.spawn((Place(0, 0), Room(1)));
    update(&mut server, &mut game, 1, ANN, &mut ann, &mut view);
    let mut longest = 0;
    for frame in 2..100 {
        game.get_mut::<Place>(one).unwrap().0 += 1;
        let messages = server.messages(&mut game, frame, room).unwrap();
        longest = longest.max(messages[0].1.len());
        if frame % 30 == 9 {
            assert!(ann.receive(&mut view, &messages[0].1).unwrap());
            let seen = view.get(ann.replica().get(one).unwrap());
            assert_eq!((ann.frame(), seen), (frame, Some(&Place(frame as i32 - 1, 0))));
        }
    }
    assert_eq!(ann.frame(), 99);
    assert!(longest < 100, "a value is sent once, whatever the number of frames: {longest}");
}

#[test]
fn a_client_whose_entities_differ_asks_for_the_whole_state() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    let one = game.spawn((Place(1, 1), Room(1)));
    update(&mut server, &mut game, 1, ANN, &mut ann, &mut view);
    // a mistake of the client's program
    view.insert(ann.replica().get(one).unwrap(), Place(9, 9)).unwrap();
    game.insert(one, Name("x".into())).unwrap();
    let message = server.messages(&mut game, 2, room).unwrap().remove(0).1;
    assert!(matches!(ann.receive(&mut view, &message), Err(MessageError::Differs { frame: 2 })));
    assert_eq!(server.receive(ANN, &ann.message().unwrap()).unwrap(), []);
    update(&mut server, &mut game, 3, ANN, &mut ann, &mut view);
    assert_eq!(view.get(ann.replica().get(one).unwrap()), Some(&Place(1, 1)));
}

#[test]
fn inputs_are_received_once_and_in_order() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = client();
    assert!(!ann.input(Input::Step(1, 0)), "before the first message");
    update(&mut server, &mut game, 1, ANN, &mut ann, &mut view);
    assert!(ann.input(Input::Step(1, 0)));
    let first = ann.message().unwrap();
    assert!(ann.input(Input::Say("hello".into())));
    let second = ann.message().unwrap();
    assert_eq!(server.receive(ANN, &second).unwrap(), [Input::Step(1, 0), Input::Say("hello".into())]);
    assert_eq!(server.receive(ANN, &first).unwrap(), []);
    assert_eq!(server.receive(ANN, &second).unwrap(), []);
    assert_eq!(ann.waiting().count(), 2);
    update(&mut server, &mut game, 2, ANN, &mut ann, &mut view);
    assert_eq!(ann.waiting().count(), 0);
    let taken = (0..200).filter(|_| ann.input(Input::Step(0, 1))).count();
    assert_eq!(taken, 64);
    assert_eq!(ann.waiting().count(), 64);
}

#[test]
fn a_prediction_is_taken_back_before_the_answer() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let (mut ann, mut prediction) = (client(), Prediction::new());
    let hero = game.spawn((Place(0, 0), Room(1)));
    update(&mut server, &mut game, 1, ANN, &mut ann, &mut view);
    let own = ann.replica().get(hero).unwrap();
    let step = |view: &mut View, input: &Input| {
        let Input::Step(x, y) = *input else { return };
        let place = view.get_mut::<Place>(own).unwrap();
        *place = Place(place.0 + x, place.1 + y);
    };
    ann.input(Input::Step(3, 0));
    prediction.predict(&mut view, ann.waiting(), step);
    assert_eq!(view.get(own), Some(&Place(3, 0)));
    // the server allows one step of the three
    assert_eq!(server.receive(ANN, &ann.message().unwrap()).unwrap().len(), 1);
    game.get_mut::<Place>(hero).unwrap().0 += 1;
    prediction.undo(&mut view);
    assert_eq!(view.get(own), Some(&Place(0, 0)));
    update(&mut server, &mut game, 2, ANN, &mut ann, &mut view);
    prediction.predict(&mut view, ann.waiting(), step);
    assert_eq!(view.get(own), Some(&Place(1, 0)));
}

/// A client sees a room and all that hangs on what is inside. Whoever leaves is despawned at the
/// client, with or without a budget, and comes back with the newest values.
#[test]
fn what_leaves_the_interest_is_despawned_and_never_stale() {
    for budget in [None, Some(400)] {
        let (mut game, mut view) = (Game::new(), View::new());
        let mut server = GameServer::new(1, Limits::default());
        server.connect(ANN);
        server.set_budget(ANN, budget);
        let mut ann = client();
        let hall = game.spawn(Room(1));
        let chest = game.spawn((Place(1, 1), ChildOf(hall)));
        let coin = game.spawn((Place(2, 2), ChildOf(chest)));
        let other = game.spawn((Place(3, 3), Hunts(coin)));
        for frame in 1..12 {
            match frame {
                3 => _ = game.remove::<ChildOf>(chest).unwrap(),
                4 => game.get_mut::<Place>(coin).unwrap().0 = 7,
                6 => _ = game.insert(chest, ChildOf(hall)).unwrap(),
                9 => game.despawn(hall).unwrap(),
                _ => {}
            }
            let seen = |game: &Game, _| {
                let rooms = game.query::<Entity>().filter::<With<Room>>();
                let seen = interest(rooms.iter(), |at| game.sources::<ChildOf>(at).iter().copied());
                Selection::of::<Shown>().only(seen)
            };
            let message = server.messages(&mut game, frame, seen).unwrap().remove(0).1;
            ann.receive(&mut view, &message).unwrap();
            server.receive(ANN, &ann.message().unwrap()).unwrap();
            let is_inside = !(3..6).contains(&frame) && frame < 9;
            let own = |entity| ann.replica().get(entity);
            let known = [hall, chest, coin, other].map(|entity| own(entity).is_some());
            assert_eq!(known, [frame < 9, is_inside, is_inside, false], "frame {frame}");
            assert_eq!(view.entities().len(), known.iter().filter(|known| **known).count());
            if let Some(coin) = own(coin) {
                let x = if frame < 4 { 2 } else { 7 };
                assert_eq!(view.get(coin), Some(&Place(x, 2)));
                assert_eq!(view.target::<ChildOf>(coin), own(chest));
            }
        }
    }
}
