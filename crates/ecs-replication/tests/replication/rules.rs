//! Worlds with all kinds of rules about several entities, over any link: marks, relations whose
//! targets have components, keys and unique components, with budgets that come and go and servers
//! that are started anew. No message is refused, and in the end the clients have all.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use ecs::relation::ChildOf;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, Server};
use oorandom::Rand32;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::{Deserialize, Serialize};

use crate::link::Link;

macro_rules! components {
    ($($(#[$option:meta])* $name:ident($type:ty);)*) => {$(
        #[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        $(#[$option])*
        struct $name($type);
    )*};
}
macro_rules! relations {
    ($($name:ident [$($option:tt)*];)*) => {$(
        #[derive(Relation, Clone, Serialize, Deserialize)]
        #[relation($($option)*)]
        struct $name(Entity);
    )*};
}

components! {
    Place(u32);
    #[component(key)] Badge(u32);
    #[component(unique)] Crown(u32);
    Health(u32);
    /// The client that sees it; 0 for all.
    Room(u64);
}
#[derive(Component, Clone, Default, Serialize, Deserialize)]
struct Orphan;
relations! {
    Mourns [exclusive, gone = mark(Orphan)];
    Fears [exclusive, gone = mark(Orphan), target(Health)];
    BarOf [exclusive, acyclic, gone = cascade, target(Health)];
    Attacks [exclusive, target(Health)];
}

world! {
    #[derive(Clone)]
    struct Game { components { Place, Badge, Crown, Health, Room, Orphan, ChildOf, Mourns, Fears, BarOf, Attacks } }
}

type Shown = (Place, Badge, Crown, Health, Orphan, ChildOf, Mourns, Fears, BarOf, Attacks);

/// The values of an entity, and the entities that it names, by the server's ids.
type Seen = ([Option<u32>; 4], bool, [Option<Entity>; 5]);

fn seen(game: &Game, id: Entity, named: impl Fn(Entity) -> Option<Entity>) -> Seen {
    let values = [
        game.get::<Place>(id).map(|place| place.0),
        game.get::<Badge>(id).map(|badge| badge.0),
        game.get::<Crown>(id).map(|crown| crown.0),
        game.get::<Health>(id).map(|health| health.0),
    ];
    let targets = [
        game.target::<ChildOf>(id),
        game.target::<Mourns>(id),
        game.target::<Fears>(id),
        game.target::<BarOf>(id),
        game.target::<Attacks>(id),
    ];
    (values, game.has::<Orphan>(id), targets.map(|target| target.and_then(&named)))
}

fn inside(game: &Game, client: ClientId) -> BTreeSet<Entity> {
    let rooms = game.query::<(Entity, &Room)>().into_query();
    rooms.iter().filter(|(_, room)| [0, client.0].contains(&room.0)).map(|(id, _)| id).collect()
}

fn change(game: &mut Game, random: &mut Rand32) {
    let ids: Vec<Entity> = game.entities().iter().collect();
    let n = random.rand_range(0..9);
    if ids.len() < 3 {
        game.spawn((Room(0), Health(n)));
        return;
    }
    let mut any = || ids[random.rand_range(0..ids.len() as u32) as usize];
    let (a, b) = (any(), any());
    // a change that the game refuses is none
    match random.rand_range(0..15) {
        0 | 1 if ids.len() < 30 => _ = game.spawn((Place(n), Room(u64::from(n % 4)))),
        2 => _ = game.despawn(a),
        3 => _ = game.insert(a, Room(u64::from(n % 4))),
        4 => _ = (game.insert(a, Badge(n)), game.remove::<Badge>(b)),
        5 => _ = game.swap::<Badge>(a, b),
        6 => _ = game.insert(a, Crown(n)),
        7 => _ = game.remove_all::<Crown>(),
        8 => _ = (game.insert(a, Health(n)), game.insert(b, Attacks(a))),
        9 => _ = (game.insert(a, Health(n)), game.insert(b, BarOf(a))),
        10 => _ = game.remove::<Health>(a),
        11 => _ = game.insert(a, ChildOf(b)),
        12 => _ = (game.insert(a, Mourns(b)), game.insert(b, Fears(a))),
        13 => _ = (game.remove::<(Orphan, BarOf)>(a), game.remove::<(Mourns, ChildOf)>(b)),
        _ => _ = game.insert(a, Place(n)),
    }
}

fn play(seed: u64, loss: u32, delay: u32, frames: usize, has_budgets: bool) {
    let (mut random, mut game) = (Rand32::new(seed), Game::new());
    let limits = Limits { frames, ..Limits::default() };
    let mut session = 1;
    let mut server = Server::<Game, ()>::new(session, limits);
    let mut sides: Vec<_> = (1..=3)
        .map(|id| {
            let client = Client::<Game, ()>::new::<Shown>(Replica::new(), 1 << 20).token(b"token");
            let link = |way: u64| Link::new(seed ^ (id << 8) ^ way, loss, delay);
            (ClientId(id), client, Game::new(), link(0), link(1))
        })
        .collect();
    let mut values: BTreeSet<(ClientId, Entity, [Option<u32>; 4], bool)> = BTreeSet::new();
    let (ticks, mut frame) = (120, 0);
    for tick in 1..=ticks + 200 {
        frame += 1;
        if tick <= ticks {
            (0..random.rand_range(0..7)).for_each(|_| change(&mut game, &mut random));
            if random.rand_range(0..60) == 0 {
                session += 1;
                server = Server::new(session, limits);
                frame = 1;
            }
        }
        for (id, ..) in &sides {
            if tick <= ticks && has_budgets && random.rand_range(0..25) == 0 {
                let budgets = [None, Some(128), Some(200), Some(400)];
                server.set_budget(*id, budgets[random.rand_range(0..4) as usize]);
            }
            for at in inside(&game, *id) {
                let (of, is_orphan, _) = seen(&game, at, Some);
                values.insert((*id, at, of, is_orphan));
            }
        }
        let view = |game: &Game, client| Selection::of::<Shown>().only(inside(game, client));
        for (to, message) in server.messages(&mut game, frame, view).unwrap() {
            sides[to.0 as usize - 1].3.send(&message);
        }
        for (id, client, copy, down, up) in &mut sides {
            for message in down.receive() {
                client.receive(copy, &message).unwrap();
                for (sender, own) in client.replica().iter() {
                    let (of, is_orphan, _) = seen(copy, own, Some);
                    assert!(values.contains(&(*id, sender, of, is_orphan)), "{id:?} has {sender}: {of:?}");
                }
            }
            up.send(&client.message().unwrap());
            for message in up.receive() {
                match server.join(*id, &message, |_| true) {
                    Ok(is_new) => {
                        let budget = has_budgets && is_new;
                        _ = budget && server.set_budget(*id, Some(200));
                        server.receive(*id, &message).unwrap();
                    }
                    Err(error) => down.send(&server.refusal(&error)),
                }
            }
        }
    }
    for (id, client, copy, ..) in &sides {
        let ids = inside(&game, *id);
        let senders: BTreeMap<Entity, Entity> =
            client.replica().iter().map(|(sender, own)| (own, sender)).collect();
        let received =
            senders.iter().map(|(&own, &sender)| (sender, seen(copy, own, |id| senders.get(&id).copied())));
        let expected = ids.iter().map(|&id| (id, seen(&game, id, |id| ids.get(&id).copied())));
        assert_eq!(received.collect::<BTreeMap<_, _>>(), expected.collect(), "{id:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_240_229),
        ..ProptestConfig::default()
    })]
    #[test]
    fn any_rules_over_any_link(
        seed in any::<u64>(), loss in 0..50_u32, delay in 0..8_u32, frames in 1..40_usize, has_budgets in any::<bool>(),
    ) {
        play(seed, loss, delay, frames, has_budgets);
    }
}
