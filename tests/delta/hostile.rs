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
