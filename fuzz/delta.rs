//! Deltas: bytes that nobody wrote, and random edits between baselines.
//!
//! The targets `delta` and `baseline` and a test of deltas run these checks.

use ecs::__private::save::reseal;
use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::{Baseline, Replica};
use ecs::{ChildOf, Many};

use super::edit::{EDITS, edit};
use super::game::*;

/// The length of signature, version and fingerprint.
const HEAD: usize = 13;

/// The kinds of messages: the lowest bits of their first byte.
const KINDS: u8 = 8;

/// Applies the messages of `data` to a world. After an error, world and replica are unchanged.
/// Otherwise the world keeps its rules.
///
/// A message has a kind, a length of two bytes, and bytes: a delta as it is, or what follows the
/// head of a delta that fits.
pub fn apply(data: &[u8]) {
    let head = &sent().save(&Server::new()).expect("it can be saved")[..HEAD];
    let limits = Replica::new().entities(500).bytes(1 << 16).memory(1 << 22);
    let (mut client, mut replica) = (Client::new(), limits);
    client.spawn((Sprite(1), Health(1)));
    let mut rest = data;
    for _ in 0..8 {
        let [kind, low, high, after @ ..] = rest else { break };
        let (body, after) = after.split_at(after.len().min(usize::from(u16::from_le_bytes([*low, *high]))));
        rest = after;
        let mut delta = Vec::new();
        match kind % KINDS {
            0 => delta.extend_from_slice(body),
            1 => {
                delta.extend_from_slice(head);
                delta.extend_from_slice(body);
            }
            2 => {
                if let Some((_, local)) = replica.iter().nth(usize::from(*low)) {
                    let _ = client.despawn(local); // may be despawned already
                }
                continue;
            }
            _ => {
                delta.extend_from_slice(head);
                // the frames, which stay below 128: a number of one byte
                delta.extend([replica.frame() as u8, replica.frame() as u8 + 1]);
                delta.extend_from_slice(body);
            }
        }
        if kind % KINDS != 0 {
            delta.extend([0; 8]);
            reseal(&mut delta);
        }
        apply_one(&mut client, &mut replica, &delta);
        if replica.frame() > 100 {
            break;
        }
    }
    replica.clear(&mut client);
    rules(&client);
    let left: Vec<Entity> = client.entities().iter().collect();
    for entity in left {
        let _ = client.despawn(entity); // may be gone with another one
    }
    assert_eq!(client.entities().len(), 0);
}

fn apply_one(client: &mut Client, replica: &mut Replica, delta: &[u8]) {
    let saved = received().save(client).expect("it can be saved");
    let ids: Vec<(Entity, Entity)> = replica.iter().collect();
    let frame = replica.frame();
    if received().apply(client, replica, delta).is_ok() {
        rules(client);
        let again = received().save(client).expect("it can be saved");
        let copy = received()
            .merge(&mut Client::new(), &again, Replica::new())
            .expect("what was saved can be merged");
        assert_eq!(copy.len(), client.entities().len());
        assert!(replica.frame() > frame && replica.len() <= 500);
    } else {
        assert!(
            received().save(client).expect("it can be saved") == saved,
            "a refused delta changed the world"
        );
        assert!(replica.iter().eq(ids) && replica.frame() == frame, "a refused delta changed the replica");
    }
}

/// Checks the rules of components, which typed code relies on.
fn rules(client: &Client) {
    for entity in client.entities() {
        if let Some(ticket) = client.get::<Ticket>(entity) {
            assert_eq!(client.find_one::<Ticket>(ticket), Some(entity));
        }
        if let Some(id) = client.get::<StableId>(entity) {
            assert_eq!(client.find_one::<StableId>(id), Some(entity));
        }
        if let Some(team) = client.get::<Team>(entity) {
            assert!(client.find::<Team>(team).any(|found| found == entity));
        }
        assert!(!client.has::<Frozen>(entity) || !client.has::<Burning>(entity));
        assert!(!client.has::<Leader>(entity) || client.has::<Marked>(entity));
        if let Some(&ChildOf(parent)) = client.get(entity) {
            assert!(client.contains(parent) && client.sources::<ChildOf>(parent).contains(&entity));
        }
        if let Some(&Married(other)) = client.get(entity) {
            assert_eq!(client.get::<Married>(other).map(|married| married.0), Some(entity));
        }
        for &child in client.sources::<ChildOf>(entity) {
            assert_eq!(client.get(child), Some(&ChildOf(entity)));
        }
    }
    assert!(client.query::<&Camera>().len() <= 1);
}

/// Edits a world in rounds, and sends its changes after each of them: the replica stays equal to
/// the world.
///
/// Three bytes are one edit, the end of a round, or a restored snapshot.
pub fn rounds(data: &[u8]) {
    let mut server = Server::new();
    let mut known = vec![(Baseline::nothing(), Client::new(), Replica::new())];
    let mut snapshots = vec![server.snapshot()];
    let edits = data.as_chunks::<3>().0.iter().take(100);
    for &[kind, a, b] in edits.chain([&[EDITS, 0, 0]]) {
        match kind % (EDITS + 4) {
            EDITS.. if kind % (EDITS + 4) == EDITS + 3 => {
                server.restore(&snapshots[usize::from(a) % snapshots.len()]);
            }
            EDITS.. => {
                // mostly the newest baseline, sometimes an older one, as if later deltas were lost
                let at =
                    if kind % (EDITS + 4) == EDITS { known.len() - 1 } else { usize::from(a) % known.len() };
                let (baseline, mut client, mut replica) = known[at].clone();
                let frame = known.len() as u64;
                let changes = sent().changes(&baseline, &server).expect("it can be compared");
                let delta = sent().delta(&baseline, &server, frame).expect("it can be written");
                let applied = received().apply(&mut client, &mut replica, &delta).expect("it fits");
                assert_eq!((applied.spawned, applied.missing), (changes.came.len(), 0));
                check(&server, &client, &replica, |_| true);
                rules(&client);
                known.push((sent().baseline(&mut server, frame), client, replica));
                if b % 2 == 0 {
                    snapshots.push(server.snapshot());
                }
            }
            kind => edit(&mut server, (kind, a, b)),
        }
    }
}

/// Messages from which a fuzzer starts.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut server = Server::new();
    let root = server.spawn((Position([1.0, 2.0]), Camera(1), Name::new("root"), StableId(3)));
    let child =
        server.spawn((ChildOf(root), Health(3), Mind::Hunts { whom: root, path: vec![(1, 2)] }, Ticket(1)));
    let other = server.spawn((Married(child), Team(1), Label("x".into()), Frozen));
    server.relate(other, Likes { whom: root, much: 2 }).expect("both live");
    server.relate(other, Knows(root)).expect("both live");
    let mut deltas = vec![sent().save(&server).expect("it can be saved")];
    let known = sent().baseline(&mut server, 1);
    server.despawn(child).expect("it lives");
    server.insert(root, (Mind::Recalls(vec![None, Some(other)]), Leader(1))).expect("it may");
    server.remove::<(Frozen, Many<Knows>)>(other).expect("it lives");
    server.insert(other, (Burning(3), Lit)).expect("it may");
    server.spawn((ChildOf(other), Ticket(1), Marked));
    deltas.push(sent().delta(&known, &server, 2).expect("it can be written"));
    let message = |kind: u8, body: &[u8]| {
        let mut message = vec![kind];
        message.extend((body.len() as u16).to_le_bytes());
        message.extend_from_slice(body);
        message
    };
    let whole: Vec<u8> = deltas.iter().flat_map(|delta| message(0, delta)).collect();
    let bodies: Vec<u8> =
        deltas.iter().flat_map(|delta| message(3, &delta[HEAD + 2..delta.len() - 8])).collect();
    let despawned =
        [&message(3, &deltas[0][HEAD + 2..deltas[0].len() - 8])[..], &message(2, &[]), &bodies].concat();
    vec![whole, bodies, despawned]
}
