//! Events of the server, and the bounds of what clients send.

use ecs::prelude::*;
use ecs::save::Replica;
use ecs_replication::{Client, ClientId, Limits, MessageError, Server};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::{Deserialize, Serialize};

use crate::game::{Game, GameServer, Input, Place, Room, Shown, View, client, room};
use crate::hostile::{Message, reread, sealed};
use crate::link::Link;

const ANN: ClientId = ClientId(1);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Event {
    Hit(Entity, u32),
    Said(String),
}

type EventServer = Server<Game, Input, Event>;
type EventClient = Client<View, Input, Event>;

fn pair(limits: Limits) -> (Game, EventServer, View, EventClient) {
    let mut server = EventServer::new(1, limits);
    server.connect(ANN);
    (Game::new(), server, View::new(), Client::new::<Shown>(Replica::new(), 1 << 20))
}

fn tick(
    server: &mut EventServer,
    game: &mut Game,
    frame: u64,
    (ann, view): (&mut EventClient, &mut View),
) -> Vec<Event> {
    let message = server.messages(game, frame, room).unwrap().remove(0).1;
    ann.receive(view, &message).unwrap();
    server.receive(ANN, &ann.message().unwrap()).unwrap();
    ann.events().collect()
}

#[test]
fn an_event_comes_with_the_state_of_its_tick() {
    let (mut game, mut server, mut view, mut ann) = pair(Limits::default());
    let cat = game.spawn((Place(1, 1), Room(1)));
    assert!(server.send(ANN, &Event::Hit(cat, 3)) && server.send_once(ANN, &Event::Said("hello".into())));
    let events = tick(&mut server, &mut game, 1, (&mut ann, &mut view));
    assert_eq!(events, [Event::Hit(cat, 3), Event::Said("hello".into())]);
    let own = ann.replica().get(cat).unwrap();
    assert_eq!(view.get(own), Some(&Place(1, 1)));
    assert_eq!(tick(&mut server, &mut game, 2, (&mut ann, &mut view)), []);
    assert!(!server.send(ClientId(2), &Event::Hit(cat, 3)), "not connected");
}

fn play(seed: u64, loss: u32, delay: u32, budget: Option<usize>) {
    let limits = Limits { event_bytes: 60, events: 40, ..Limits::default() };
    let (mut game, mut server, mut view, mut ann) = pair(limits);
    let place = game.spawn((Place(0, 0), Room(1)));
    server.set_budget(ANN, budget);
    let (mut down, mut up) = (Link::new(seed, loss, delay), Link::new(!seed, loss, delay));
    let (mut sent, mut received, mut once) = (0, 0, Vec::new());
    for frame in 1..600 {
        game.get_mut::<Place>(place).unwrap().0 = frame as i32;
        for _ in 0..frame % 3 {
            if frame < 300 && server.send(ANN, &Event::Hit(place, sent)) {
                sent += 1;
            }
        }
        server.send_once(ANN, &Event::Said(frame.to_string()));
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            assert!(message.len() < 600, "{}", message.len());
            down.send(&message);
        }
        for message in down.receive() {
            let frame = ann.frame();
            let applied = ann.receive(&mut view, &message).unwrap();
            for event in ann.events() {
                assert!(applied);
                match event {
                    Event::Hit(_, number) => {
                        assert_eq!(number, received, "in order");
                        received += 1;
                    }
                    Event::Said(text) => once.push((frame, text.parse::<u64>().unwrap())),
                }
            }
        }
        up.send(&ann.message().unwrap());
        up.receive().iter().for_each(|message| _ = server.receive(ANN, message).unwrap());
    }
    assert!(sent > 100 && received == sent, "{received} of {sent}");
    assert!(once.windows(2).all(|pair| pair[0].1 < pair[1].1), "at most once, in order");
    assert!(once.iter().all(|&(before, frame)| frame > before) && !once.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 16,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_240_229),
        ..ProptestConfig::default()
    })]
    #[test]
    fn reliable_events_arrive_once_and_in_order(
        seed in any::<u64>(), loss in 0..50_u32, delay in 0..8_u32, budget in proptest::option::of(150..400_usize),
    ) {
        play(seed, loss, delay, budget);
    }
}

#[test]
fn events_that_wait_are_bounded() {
    let limits = Limits { events: 5, event_bytes: 20, ..Limits::default() };
    let (mut game, mut server, mut view, mut ann) = pair(limits);
    assert!(!server.send(ANN, &Event::Said("x".repeat(20))), "too long");
    assert!(!server.send_once(ANN, &Event::Said("x".repeat(20))), "too long");
    let taken =
        |server: &mut EventServer| (0..9).filter(|_| server.send(ANN, &Event::Said("12345".into()))).count();
    assert_eq!(taken(&mut server), 5);
    assert_eq!((0..9).filter(|_| server.send_once(ANN, &Event::Said("12345".into()))).count(), 2);
    // two of each kind in a message
    assert_eq!(tick(&mut server, &mut game, 1, (&mut ann, &mut view)).len(), 4);
    assert_eq!(taken(&mut server), 2);
    assert_eq!(tick(&mut server, &mut game, 2, (&mut ann, &mut view)).len(), 2);
}

#[test]
fn a_client_whose_program_does_not_read_its_events_takes_no_more_of_them() {
    let limits = Limits { events: 100_000, event_bytes: 100_000, ..Limits::default() };
    let (mut game, mut server, mut view, mut ann) = pair(limits);
    (0..6_000).for_each(|number| assert!(server.send(ANN, &Event::Said(number.to_string()))));
    for frame in 1..4 {
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        ann.receive(&mut view, &message).unwrap();
        server.receive(ANN, &ann.message().unwrap()).unwrap();
    }
    let mut events: Vec<Event> = ann.events().collect();
    assert_eq!(events.len(), 4_096);
    events.extend(tick(&mut server, &mut game, 4, (&mut ann, &mut view)));
    let all = (0..6_000).map(|number| Event::Said(number.to_string()));
    assert!(events.into_iter().eq(all));
}

/// Events with forged bytes: an error, and the state is not applied.
#[test]
fn forged_events_are_refused() {
    let (mut game, mut server, mut view, mut ann) = pair(Limits::default());
    server.send(ANN, &Event::Said("hello".into()));
    let honest = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    let forged = |change: &dyn Fn(&mut Message)| reread(&honest, change);
    let changes: [&dyn Fn(&mut Message); 6] = [
        &|message| message.events.0 = 1,
        &|message| message.events.0 = u64::MAX,
        &|message| message.events.1 = vec![1, 7],
        &|message| message.events.1 = vec![200, 1, 0],
        &|message| message.events.1 = vec![0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        &|message| message.events.2 = vec![3, 1, 1, b'x', 0],
    ];
    for (at, change) in changes.into_iter().enumerate() {
        // a first message with later events is of an earlier program
        let received = ann.receive(&mut view, &forged(change));
        assert!(matches!((at < 2, received), (true, Ok(false)) | (false, Err(MessageError::Damaged))));
        assert_eq!(ann.frame(), 0);
    }
    assert!(ann.receive(&mut view, &honest).unwrap());
    for later in [2, u64::MAX] {
        let forged = forged(&|message| message.events.0 = later);
        assert!(matches!(ann.receive(&mut view, &forged), Err(MessageError::Damaged)));
    }
    assert_eq!(ann.events().count(), 1);
}

#[test]
fn a_client_cannot_have_received_events_that_were_not_sent() {
    let (mut game, mut server, mut view, mut ann) = pair(Limits::default());
    tick(&mut server, &mut game, 1, (&mut ann, &mut view));
    let mut forged = ann.message().unwrap();
    // before the numbers of the first input and of inputs
    let at = forged.len() - 3;
    forged[at] = 1;
    assert!(matches!(server.receive(ANN, &sealed(forged)), Err(MessageError::Damaged)));
}

#[test]
fn a_client_sends_a_bounded_number_of_messages_and_inputs_in_a_tick() {
    let limits = Limits { messages: 10, inputs: 4, ..Limits::default() };
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, limits);
    server.connect(ANN);
    let mut ann = client().most_inputs(4);
    let message = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    ann.receive(&mut view, &message).unwrap();
    // more inputs than the server takes in a tick wait, and none is lost
    let mut received = Vec::new();
    let mut next = 0;
    for frame in 2..40 {
        let before = received.len();
        for _ in 0..6 {
            while next < 100 && ann.input(Input::Step(next, 0)) {
                next += 1;
            }
            received.extend(server.receive(ANN, &ann.message().unwrap()).unwrap());
        }
        assert!(received.len() - before <= 4);
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        ann.receive(&mut view, &message).unwrap();
    }
    assert!(received.into_iter().eq((0..100).map(|number| Input::Step(number, 0))));
    let answer = ann.message().unwrap();
    let refused = (0..15).filter(|_| server.receive(ANN, &answer).is_err()).count();
    assert_eq!(refused, 5);
    assert!(matches!(server.receive(ANN, &answer), Err(MessageError::TooManyMessages { limit: 10 })));
    server.messages(&mut game, 40, room).unwrap();
    assert!(server.receive(ANN, &answer).is_ok());
}
