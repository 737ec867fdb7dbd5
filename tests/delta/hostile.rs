//! Damaged and forged deltas: an error, and the world as it was; never a panic.

use ecs::__private::save::reseal;
use ecs::ChildOf;
use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::{Baseline, Replica};

use crate::game::*;

fn deltas() -> (Vec<u8>, Vec<u8>) {
    let mut server = Server::new();
    let root = server.spawn((Position([1.0, 2.0]), Camera(1), Name::new("root"), StableId(3)));
    let child =
        server.spawn((ChildOf(root), Health(3), Mind::Hunts { whom: root, path: vec![(1, 2)] }, Ticket(1)));
    let other = server.spawn((Married(child), Team(1), Label("x".into()), Frozen));
    server.relate(other, Likes { whom: root, much: 2 }).unwrap();
    server.relate(other, Knows(root)).unwrap();
    let first = sent().delta(&Baseline::nothing(), &server, 1).unwrap();
    let known = sent().baseline(&mut server, 1);
    server.despawn(child).unwrap();
    server.insert(root, (Mind::Recalls(vec![None, Some(other)]), Leader(1))).unwrap();
    server.remove::<Frozen>(other).unwrap();
    server.insert(other, Burning(3)).unwrap();
    server.spawn((ChildOf(other), Ticket(1)));
    let second = sent().delta(&known, &server, 2).unwrap();
    (first, second)
}

/// Applies bytes to a copy of a world; after an error the world and the replica are unchanged, and
/// otherwise the world is usable.
fn attack(client: &Client, replica: &Replica, bytes: &[u8]) -> bool {
    let (mut client, mut replica) = (client.clone(), replica.clone());
    let before: Vec<Entity> = client.entities().iter().collect();
    let saved = received().save(&client).unwrap();
    if received().apply(&mut client, &mut replica, bytes).is_ok() {
        received().save(&client).unwrap();
        let all: Vec<Entity> = client.entities().iter().collect();
        for entity in all {
            let _ = client.despawn(entity); // may be gone with another one
        }
        assert_eq!(client.entities().len(), 0);
        return true;
    }
    assert_eq!(client.entities().iter().collect::<Vec<_>>(), before);
    assert_eq!(received().save(&client).unwrap(), saved);
    false
}

/// A delta of several frames may say of any entity that it left: of all slots at once, in a few
/// bytes, for which a receiver takes neither the memory nor the time of so many slots.
#[test]
fn a_set_of_all_slots_costs_what_was_received() {
    let mut server = Server::new();
    for n in 0..100 {
        server.spawn(Health(n));
    }
    let changes = sent().changed_slots(&Baseline::nothing(), &server).unwrap();
    let whole = sent().delta_of([&changes], 0, &server, 1).unwrap();
    server.clear();
    let empty = sent().delta_of([], 1, &server, 2).unwrap();
    // the head: signature, format and fingerprint, two frames, the lowest generation; then the
    // entities that leave, and those that come
    let sets = 4 + 1 + 8 + 2 + 1;
    assert_eq!(empty[sets..sets + 2], [0, 0]);
    let all_slots = [0xfd, 0xff, 0xff, 0xff, 0x1f, 0, 0xfd, 0xff, 0xff, 0xff, 0x0f];
    let forged = |at: usize| {
        let mut bytes = [&empty[..at], &all_slots, &empty[at + 1..]].concat();
        reseal(&mut bytes);
        bytes
    };
    for memory in [1 << 16, 1 << 30] {
        let (mut client, mut replica) = (Client::new(), Replica::new().memory(memory));
        received().apply(&mut client, &mut replica, &whole).unwrap();
        let mut other = (client.clone(), replica.clone());
        let removed = received().apply(&mut other.0, &mut other.1, &forged(sets + 2));
        assert_eq!((removed.unwrap().despawned, other.1.len()), (0, 100));
        let gone = received().apply(&mut client, &mut replica, &forged(sets));
        assert_eq!((gone.unwrap().despawned, replica.len()), (100, 0));
    }
}

#[test]
fn damaged_deltas_are_refused() {
    let (first, second) = deltas();
    let (mut client, mut replica) = (Client::new(), Replica::new());
    client.spawn((Sprite(1), Health(1)));
    assert!(attack(&client, &replica, &first));
    for bytes in [&first, &second] {
        for end in 0..bytes.len() {
            assert!(!attack(&client, &replica, &bytes[..end]), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            assert!(!attack(&client, &replica, &bytes), "flipped at {at}");
        }
        if replica.is_empty() {
            received().apply(&mut client, &mut replica, &first).unwrap();
        }
    }
}

#[test]
fn forged_deltas_are_refused_or_leave_a_usable_world() {
    let (first, second) = deltas();
    let (mut client, mut replica) = (Client::new(), Replica::new());
    client.spawn((Sprite(1), Health(1)));
    for good in [&first, &second] {
        let mut accepted = 0;
        for at in 13..good.len() - 8 {
            for mask in [1, 2, 0x10, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[at] ^= mask;
                reseal(&mut bytes);
                accepted += usize::from(attack(&client, &replica, &bytes));
            }
            let mut bytes = good[..at].to_vec();
            bytes.extend([0; 8]);
            reseal(&mut bytes);
            assert!(!attack(&client, &replica, &bytes), "cut at {at}");
        }
        assert!(accepted > 0, "values are not all refused");
        if replica.is_empty() {
            received().apply(&mut client, &mut replica, &first).unwrap();
        }
    }
}
