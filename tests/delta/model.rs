//! Random edits of a world: deltas keep a replica equal to it.

use ecs::ChildOf;
use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::{Baseline, Replica};
use ecs_tests::random::random_cases;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::game::*;

/// Makes one random change. An operation that a rule refuses changes nothing.
fn edit(server: &mut Server, (kind, a, b): (u8, u8, u8)) {
    let living: Vec<Entity> = server.entities().iter().collect();
    let pick = |n: u8| living.get(usize::from(n) % living.len().max(1)).copied();
    let (Some(one), Some(two)) = (pick(a), pick(b)) else {
        server.spawn((Position([0.0, 0.0]), Shown));
        return;
    };
    match kind % 34 {
        0 => drop(server.spawn((Position([f32::from(a), 1.0]), Health(b.into())))),
        1 => drop(server.spawn((Mind::Hunts { whom: one, path: vec![(1, 2)] }, Shown))),
        2 => drop(server.try_spawn((Ticket(u32::from(b % 8)), Label("new".into())))),
        3 | 4 => drop(server.despawn(one)),
        5 => drop(server.spawn_batch((0..a % 70).map(|n| (Health(n.into()), Team(n % 3)))).count()),
        6 => drop(server.insert(one, Position([f32::from(b), f32::NAN]))),
        7 => drop(server.insert(one, Health(b.into()))),
        8 => drop(server.insert(one, Label("x".repeat(b.into())))),
        9 => drop(server.insert(one, Mind::Recalls(vec![None, Some(two), Some(one)]))),
        10 => drop(server.insert(one, (Lit, Mind::Idle))),
        11 => drop(server.insert(one, Leader(b))),
        12 => drop(server.insert(one, Camera(b))),
        13 => {
            let holders: Vec<Entity> =
                server.query::<(Entity, &Camera)>().iter().map(|(entity, _)| entity).collect();
            holders.into_iter().for_each(|holder| drop(server.remove::<Camera>(holder)));
            drop(server.insert(one, Camera(b)));
        }
        14 => drop(server.insert(one, Ticket(u32::from(b % 8)))),
        15 => {
            let tickets = (server.remove::<Ticket>(one), server.remove::<Ticket>(two));
            if let (Ok(Some(first)), Ok(Some(second))) = tickets {
                drop(server.insert(one, second));
                drop(server.insert(two, first));
            }
        }
        16 => drop(server.insert(one, Team(b % 3))),
        17 => drop(server.insert(one, Frozen)),
        18 => drop(server.insert(one, Burning(b))),
        19 => drop((server.remove::<Frozen>(one), server.insert(one, Burning(b)))),
        20 => drop(server.relate(one, Likes { whom: two, much: b })),
        21 => drop(server.relate(one, Married(two))),
        22 => drop(server.relate(one, Knows(two))),
        23 | 24 => drop(server.insert(one, ChildOf(two))),
        25 => drop(server.insert(one, (Name::new("somebody"), Secret))),
        26 => drop(server.insert(one, StableId(b.into()))),
        27 => drop(server.remove::<(Position, Health, Label)>(one)),
        28 => drop(server.remove::<(Mind, Marked, Lit, Leader)>(one)),
        29 => drop(server.remove::<(Married, ecs::Many<Knows>, ChildOf)>(one)),
        30 => drop(server.insert(one, Shown)),
        31 => drop(server.remove::<Shown>(one)),
        32 => {
            for mut health in &mut server.query_mut::<Mut<Health>>() {
                if health.0 % 5 == i64::from(b % 5) {
                    health.0 += 1;
                }
            }
        }
        _ => server.tick(),
    }
}

fn edits() -> impl Strategy<Value = Vec<Vec<(u8, u8, u8)>>> {
    vec(vec(any::<(u8, u8, u8)>(), 0..25), 1..12)
}

proptest! {
    #![proptest_config(random_cases(150))]

    #[test]
    fn deltas_keep_a_replica_equal(rounds in edits()) {
        let (mut server, mut client, mut replica) = (Server::new(), Client::new(), Replica::new());
        client.spawn_batch((0..10).map(Sprite)).count();
        let mut known = Baseline::nothing();
        for (frame, round) in (1..).zip(rounds) {
            round.into_iter().for_each(|one| edit(&mut server, one));
            let delta = sent().delta(&known, &server, frame).unwrap();
            received().apply(&mut client, &mut replica, &delta).unwrap();
            check(&server, &client, &replica, |_| true);
            prop_assert_eq!(client.query::<&Sprite>().len(), 10);
            known = sent().baseline(&mut server, frame);
            prop_assert!(sent().changes(&known, &server).unwrap().is_empty());
        }
    }

    /// The sender goes back to an earlier state, and older baselines are used again, as if their deltas had been lost.
    #[test]
    fn baselines_of_other_histories_are_compared_value_by_value(rounds in edits()) {
        let mut server = Server::new();
        let mut known: Vec<(Baseline<Server>, Client, Replica)> =
            vec![(Baseline::nothing(), Client::new(), Replica::new())];
        let mut snapshots = vec![server.snapshot()];
        for (frame, round) in (1..).zip(rounds) {
            if let Some(&(_, a, b)) = round.first().filter(|first| first.0 % 3 == 0) {
                server.restore(&snapshots[usize::from(a) % snapshots.len()]);
                if b % 2 == 0 {
                    server.tick();
                }
            }
            round.iter().for_each(|&one| edit(&mut server, one));
            let at = round.first().map_or(0, |first| usize::from(first.1) % known.len());
            let (baseline, mut client, mut replica) = known[at].clone();
            let delta = sent().delta(&baseline, &server, frame).unwrap();
            received().apply(&mut client, &mut replica, &delta).unwrap();
            check(&server, &client, &replica, |_| true);
            known.push((sent().baseline(&mut server, frame), client, replica));
            snapshots.push(server.snapshot());
        }
    }

    /// Entities enter and leave the selection. Without relations, whose rules may despawn or change others with an entity that leaves.
    #[test]
    fn entities_enter_and_leave_the_selection(rounds in edits()) {
        let (mut server, mut client, mut replica) = (Server::new(), Client::new(), Replica::new());
        let shown = sent().with::<Shown>().without::<Secret>();
        let mut known = Baseline::nothing();
        for (frame, round) in (1..).zip(rounds) {
            round.into_iter().filter(|one| !(20..25).contains(&(one.0 % 34))).for_each(|one| edit(&mut server, one));
            let delta = shown.delta(&known, &server, frame).unwrap();
            received().apply(&mut client, &mut replica, &delta).unwrap();
            check(&server, &client, &replica, |id| server.has::<Shown>(id) && !server.has::<Secret>(id));
            known = shown.baseline(&mut server, frame);
        }
    }
}
