//! Clients with a budget: each entity is as it was in one frame, and in the end all are as they are.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::relation::ChildOf;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, MessageError, Server};
use oorandom::Rand32;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::{Deserialize, Serialize};

use crate::game::{Game, GameClient, GameServer, Hunts, Input, Place, Room, View, client, room};
use crate::link::Link;
use crate::model::{Seen, State, change, expected, named, received};

const ANN: ClientId = ClientId(1);

/// Whether the state of an entity that a client has is one that it had in a frame. Relations to
/// entities that the client does not have are left out, and a symmetric one comes with the other
/// entity.
fn is_of_a_frame(seen: &Seen, frames: &[Seen]) -> bool {
    let names = |of: &Seen| {
        let ids = [of.hunts, of.parent].into_iter().flatten().chain(of.likes.iter().copied());
        ids.chain(of.misses.iter().copied()).collect::<Vec<_>>()
    };
    let is_same = |frame: &&Seen| {
        let known = names(frame);
        (&seen.place, &seen.name) == (&frame.place, &frame.name)
            && names(seen).iter().all(|named| known.contains(named))
    };
    frames.iter().rev().any(|frame| is_same(&frame))
        && seen.faces.is_none_or(|faces| frames.iter().any(|frame| frame.faces == Some(faces)))
}

/// Plays so many ticks, and then until all has arrived.
fn play(seed: u64, loss: u32, delay: u32, ticks: u64, frames: usize, budget: usize) {
    let mut random = Rand32::new(seed);
    let mut game = Game::new();
    let limits = Limits { frames, ..Limits::default() };
    let mut server = GameServer::new(1, limits);
    server
        .set_priority(|game, _, entity| game.get::<Place>(entity).map_or(1, |place| place.0.unsigned_abs()));
    let mut sides: Vec<_> = (1..=3)
        .map(|id| {
            let link = |way: u64| Link::new(seed ^ (id << 8) ^ way, loss, delay);
            (ClientId(id), client(), View::new(), link(0), link(1), 0)
        })
        .collect();
    // of each client and entity the states of all frames
    let mut states: BTreeMap<(ClientId, Entity), Vec<Seen>> = BTreeMap::new();
    for frame in 1..=ticks + 250 {
        if frame <= ticks {
            (0..random.rand_range(0..6)).for_each(|_| change(&mut game, &mut random));
        }
        for (id, .., bytes) in &mut sides {
            // a client may still have an entity that another one names, and that has left the room
            for (entity, seen) in named(&game, *id, |_| true) {
                states.entry((*id, entity)).or_default().push(seen);
            }
            if frame == id.0 * 7 || (frame < ticks && frame % 61 == id.0) {
                server.connect(*id);
                server.set_budget(*id, Some(budget));
            }
            *bytes += budget;
        }
        for (to, message) in server.messages(&mut game, frame, room).unwrap() {
            let (.., down, _, left) = &mut sides[to.0 as usize - 1];
            *left = left.saturating_sub(message.len());
            down.send(&message);
        }
        for (id, client, view, down, up, _) in &mut sides {
            for message in down.receive() {
                client.receive(view, &message).unwrap();
                for (entity, seen) in received(view, client) {
                    let frames = &states[&(*id, entity)];
                    assert!(is_of_a_frame(&seen, frames), "{seen:?} of {frames:?}");
                }
            }
            up.send(&client.message().unwrap());
            for message in up.receive() {
                // before its connection, too
                let received = server.receive(*id, &message);
                assert!(matches!(received, Ok(_) | Err(MessageError::NotConnected)), "{received:?}");
            }
        }
    }
    for (id, client, view, .., left) in &sides {
        assert_eq!(received(view, client), expected(&game, *id), "in the end");
        assert!(client.frame() > ticks && *left > 0);
    }
}

#[test]
fn a_fifth_of_the_messages_is_lost() {
    for seed in 0..4 {
        play(seed, 20, 4, 400, 64, 200);
    }
}

#[test]
fn most_messages_are_lost_and_few_frames_are_told_apart() {
    play(9, 60, 9, 300, 6, 300);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_240_229),
        ..ProptestConfig::default()
    })]
    #[test]
    fn any_link_and_any_budget(
        seed in any::<u64>(), loss in 0..60_u32, delay in 0..8_u32, frames in 1..40_usize, budget in 160..600_usize,
    ) {
        play(seed, loss, delay, 120, frames, budget);
    }
}

/// One tick of a link without loss.
fn tick(
    server: &mut GameServer,
    game: &mut Game,
    frame: u64,
    (ann, view): (&mut GameClient, &mut View),
) -> usize {
    let message = server.messages(game, frame, room).unwrap().remove(0).1;
    ann.receive(view, &message).unwrap();
    server.receive(ANN, &ann.message().unwrap()).unwrap();
    message.len()
}

fn budgeted(budget: usize) -> (Game, GameServer, View, GameClient) {
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    assert!(server.set_budget(ANN, Some(budget)));
    assert!(!server.set_budget(ClientId(7), Some(budget)));
    (Game::new(), server, View::new(), client())
}

#[test]
fn the_beginning_is_spread_over_messages_that_fit() {
    let (mut game, mut server, mut view, mut ann) = budgeted(500);
    (0..2_000).for_each(|x| _ = game.spawn((Place(x, x), Room(1))));
    let (mut before, mut last) = (0, 0);
    for frame in 1..100 {
        let bytes = tick(&mut server, &mut game, frame, (&mut ann, &mut view));
        assert!(bytes <= 500, "{bytes}");
        let known = ann.replica().len();
        assert!(known == 2_000 || known >= before + 20, "{known} after {before}");
        // nothing is sent twice, and the rest of a message is small
        assert!(before < 2_000 || bytes < 100, "{bytes}");
        last = if known > before { frame } else { last };
        before = known;
    }
    assert!(last < 55, "{last} ticks");
    assert_eq!(received(&view, &ann), expected(&game, ANN));
}

#[test]
fn what_matters_comes_first_and_nothing_waits_forever() {
    let (mut game, mut server, mut view, mut ann) = budgeted(300);
    let near = |place: &Place| if place.0 < 20 { 10 } else { 1 };
    server.set_priority(move |game, _, entity| game.get(entity).map_or(1, near));
    let ids: Vec<Entity> = (0..400).map(|x| game.spawn((Place(x, 0), Room(1)))).collect();
    for frame in 1..60 {
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
    }
    assert_eq!(ann.replica().len(), 400);
    // all move in each tick: how old is what the client has?
    let mut oldest = [0; 2];
    for frame in 60..260 {
        ids.iter().for_each(|&id| game.get_mut::<Place>(id).unwrap().1 = frame as i32);
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
        for &id in ids.iter().filter(|_| frame > 150) {
            let place = view.get::<Place>(ann.replica().get(id).unwrap()).unwrap();
            let far = usize::from(place.0 >= 20);
            oldest[far] = oldest[far].max(frame as i32 - place.1);
        }
    }
    assert!(oldest[0] * 5 <= oldest[1] && oldest[0] <= 6 && oldest[1] < 60, "{oldest:?}");
}

#[test]
fn a_priority_is_asked_of_so_many_entities_at_most() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let limits = Limits { priorities: 10, ..Limits::default() };
    let (mut game, mut view, mut ann) = (Game::new(), View::new(), client());
    let mut server = GameServer::new(1, limits);
    server.connect(ANN);
    server.set_budget(ANN, Some(200));
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    server.set_priority(move |_, _, _| {
        count.fetch_add(1, Ordering::Relaxed);
        3
    });
    (0..200).for_each(|x| _ = game.spawn((Place(x, x), Room(1))));
    for frame in 1..40 {
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
        assert!(asked.swap(0, Ordering::Relaxed) <= 10);
    }
    assert_eq!(ann.replica().len(), 200);
}

#[test]
fn a_despawn_goes_before_all_others() {
    let (mut game, mut server, mut view, mut ann) = budgeted(300);
    let ids: Vec<Entity> = (0..300).map(|x| game.spawn((Place(x, 0), Room(1)))).collect();
    for frame in 1..100 {
        for place in game.query_mut::<&mut Place>() {
            place.1 = frame as i32;
        }
        // one leaves the view, one is despawned
        if frame == 80 {
            game.insert(ids[7], Room(2)).unwrap();
            game.despawn(ids[9]).unwrap();
        }
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
        assert!(frame < 80 || ann.replica().get(ids[7]).is_none() && ann.replica().get(ids[9]).is_none());
    }
}

#[test]
fn children_come_with_their_parents() {
    let (mut game, mut server, mut view, mut ann) = budgeted(240);
    // the parents are spawned last, and a child names a second entity
    let children: Vec<Entity> = (0..100).map(|x| game.spawn((Place(x, 0), Room(1)))).collect();
    for &child in &children {
        let parent = game.spawn((Place(0, 1), Room(1)));
        let prey = game.spawn((Place(0, 2), Room(1)));
        game.insert(child, ChildOf(parent)).unwrap();
        game.insert(child, Hunts(prey)).unwrap();
    }
    for frame in 1..60 {
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
        let known = received(&view, &ann);
        let children = known.values().filter(|seen| seen.place.is_some_and(|place| place.1 == 0));
        children.for_each(|child| assert!(child.parent.is_some() && child.hunts.is_some()));
    }
    assert_eq!(received(&view, &ann), expected(&game, ANN));
}

#[test]
fn entities_that_name_one_another_and_do_not_fit_together_do_so_in_the_end() {
    let (mut game, mut server, mut view, mut ann) = budgeted(140);
    let ids: Vec<Entity> = (0..200).map(|x| game.spawn((Place(x, 0), Room(1)))).collect();
    for (at, &id) in ids.iter().enumerate() {
        game.insert(id, Hunts(ids[(at + 1) % 200])).unwrap();
    }
    for frame in 1..240 {
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
    }
    assert_eq!(received(&view, &ann), expected(&game, ANN));
}

#[test]
fn an_entity_that_is_longer_than_the_budget_is_sent_and_paid_back() {
    let (mut game, mut server, mut view, mut ann) = budgeted(200);
    let text = crate::game::Name("x".repeat(3_000));
    game.spawn((text, Room(1)));
    (0..10).for_each(|x| _ = game.spawn((Place(x, 0), Room(1))));
    let bytes: Vec<usize> =
        (1..60).map(|frame| tick(&mut server, &mut game, frame, (&mut ann, &mut view))).collect();
    assert_eq!(received(&view, &ann), expected(&game, ANN));
    assert!(bytes.iter().sum::<usize>() <= 60 * 200, "{bytes:?}");
    assert_eq!(bytes.iter().filter(|&&bytes| bytes > 200).count(), 1, "{bytes:?}");
}

/// A key, which no two entities have.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(key)]
struct Seat(u32);

/// One entity has it.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(unique)]
struct Leader;

world! {
    #[derive(Clone)]
    struct Table { components { Place, Seat, Leader } }
}

/// Seats are exchanged and the leader changes, while most messages have no room for all.
#[test]
fn rules_about_several_entities_hold_in_each_message() {
    let mut random = Rand32::new(5);
    let mut table = Table::new();
    let ids: Vec<Entity> = (0..60).map(|at| table.spawn((Place(0, 0), Seat(at)))).collect();
    let mut server = Server::<Table, Input>::new(1, Limits::default());
    server.connect(ANN);
    server.set_budget(ANN, Some(200));
    let mut ann = Client::<Table, Input>::new::<(Place, Seat, Leader)>(Replica::new(), 1 << 20);
    let mut copy = Table::new();
    let (mut down, mut up) = (Link::new(3, 20, 4), Link::new(4, 20, 4));
    for frame in 1..800 {
        if frame < 600 {
            ids.iter().for_each(|&id| table.get_mut::<Place>(id).unwrap().0 += 1);
            let [one, two] = [(); 2].map(|()| ids[random.rand_range(0..60) as usize]);
            if one != two && frame % 3 == 0 {
                let seats = [one, two].map(|id| table.remove::<Seat>(id).unwrap().unwrap());
                table.insert(one, seats[1]).unwrap();
                table.insert(two, seats[0]).unwrap();
            }
            if frame % 7 == 0 {
                let leader = table.query::<Entity>().filter::<With<Leader>>().iter().next();
                leader.into_iter().for_each(|leader| _ = table.remove::<Leader>(leader));
                table.insert(two, Leader).unwrap();
            }
        }
        for (_, message) in
            server.messages(&mut table, frame, |_, _| Selection::of::<(Place, Seat, Leader)>()).unwrap()
        {
            down.send(&message);
        }
        down.receive().iter().for_each(|message| _ = ann.receive(&mut copy, message).unwrap());
        up.send(&ann.message().unwrap());
        up.receive().iter().for_each(|message| _ = server.receive(ANN, message).unwrap());
    }
    for id in ids {
        let own = ann.replica().get(id).unwrap();
        assert_eq!(copy.get::<Seat>(own), table.get::<Seat>(id));
        assert_eq!(copy.has::<Leader>(own), table.has::<Leader>(id));
        assert_eq!(copy.get::<Place>(own), table.get::<Place>(id));
    }
}

#[test]
fn a_budget_may_begin_and_end_at_any_time() {
    let mut random = Rand32::new(11);
    let (mut game, mut server, mut view, mut ann) = budgeted(200);
    (0..100).for_each(|x| _ = game.spawn((Place(x, x), Room(1))));
    let (mut down, mut up) = (Link::new(8, 10, 3), Link::new(9, 10, 3));
    for frame in 1..400 {
        change(&mut game, &mut random);
        if frame % 50 == 0 && frame < 350 {
            server.set_budget(ANN, [None, Some(300), Some(200)][frame as usize / 50 % 3]);
        }
        server.messages(&mut game, frame, room).unwrap().iter().for_each(|(_, message)| down.send(message));
        down.receive().iter().for_each(|message| _ = ann.receive(&mut view, message).unwrap());
        up.send(&ann.message().unwrap());
        up.receive().iter().for_each(|message| _ = server.receive(ANN, message).unwrap());
    }
    for frame in 400..500 {
        tick(&mut server, &mut game, frame, (&mut ann, &mut view));
    }
    let all: State = expected(&game, ANN);
    assert_eq!(received(&view, &ann), all);
}

/// A mistake of the client's program is found by the hashes of some entities, and mended.
#[test]
fn an_entity_that_differs_is_found() {
    let (mut game, mut server, mut view, mut ann) = budgeted(400);
    let ids: Vec<Entity> = (0..200).map(|x| game.spawn((Place(x, x), Room(1)))).collect();
    (1..40).for_each(|frame| _ = tick(&mut server, &mut game, frame, (&mut ann, &mut view)));
    view.insert(ann.replica().get(ids[150]).unwrap(), Place(-9, -9)).unwrap();
    let mut found = 0;
    for frame in 40..100 {
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        found += u32::from(ann.receive(&mut view, &message).is_err());
        server.receive(ANN, &ann.message().unwrap()).unwrap();
    }
    assert_eq!(found, 1);
    assert_eq!(received(&view, &ann), expected(&game, ANN));
}

/// A client that does not answer for long has every change in store, and no list grows.
#[test]
fn a_client_that_is_silent_for_long_gets_the_newest_values_in_the_end() {
    let limits = Limits { frames: 5, ..Limits::default() };
    let (mut game, mut view, mut ann) = (Game::new(), View::new(), client());
    let mut server = GameServer::new(1, limits);
    server.connect(ANN);
    server.set_budget(ANN, Some(300));
    let one = game.spawn((Place(0, 0), Room(1)));
    let two = game.spawn((Place(0, 0), Room(1), ChildOf(one)));
    for frame in 1..300 {
        game.get_mut::<Place>(one).unwrap().0 += 1;
        if frame % 40 == 0 {
            game.remove::<ChildOf>(two).unwrap();
            game.insert(one, Room(1 + frame / 40 % 2)).unwrap();
        } else if frame % 40 == 20 {
            game.insert(two, ChildOf(one)).unwrap();
        }
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        assert!(message.len() <= 300, "{}", message.len());
        if frame % 33 < 3 {
            assert!(ann.receive(&mut view, &message).unwrap(), "{frame}");
        }
        if frame % 100 == 99 {
            server.receive(ANN, &ann.message().unwrap()).unwrap();
        }
    }
    (300..320).for_each(|frame| _ = tick(&mut server, &mut game, frame, (&mut ann, &mut view)));
    assert_eq!(received(&view, &ann), expected(&game, ANN));
}

/// The least that a message has is longer than the budget.
#[test]
fn the_smallest_budget_is_enough_in_the_end() {
    for budget in [0, 60, 130] {
        let (mut game, mut server, mut view, mut ann) = budgeted(budget);
        (0..5).for_each(|x| _ = game.spawn((Place(x, x), Room(1))));
        (1..400).for_each(|frame| _ = tick(&mut server, &mut game, frame, (&mut ann, &mut view)));
        assert_eq!(received(&view, &ann), expected(&game, ANN), "{budget}");
    }
}

#[test]
fn a_message_with_a_budget_of_a_datagram_is_one() {
    let (mut game, mut server, mut view, mut ann) = budgeted(1_200);
    (0..600).for_each(|x| _ = game.spawn((Place(x, x), Room(1))));
    let mut most = 0;
    for frame in 1..40 {
        for place in game.query_mut::<&mut Place>() {
            place.1 += 1;
        }
        let datagrams = server.datagrams(&mut game, frame, 1_200, room).unwrap();
        let [(_, datagram)] = &datagrams[..] else { panic!("{} datagrams", datagrams.len()) };
        assert!(ann.receive(&mut view, datagram).unwrap());
        server.receive(ANN, &ann.message().unwrap()).unwrap();
        most = most.max(datagram.len());
    }
    assert!((1_100..=1_200).contains(&most), "{most}");
    assert_eq!(ann.replica().len(), 600);
}
