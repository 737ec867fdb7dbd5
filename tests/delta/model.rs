//! Random edits of a world: deltas keep a replica equal to it.

use ecs::prelude::*;
use ecs::save::{Baseline, Replica};
use ecs_tests::random::random_cases;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::edit::{EDITS, edit};
use crate::game::*;

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

    /// A delta of several frames brings a receiver at each of them to the newest state, also if the
    /// sender went back to an earlier one meanwhile, or merged the changes.
    #[test]
    fn deltas_of_frames_fit_each_receiver_since(rounds in edits()) {
        let mut server = Server::new();
        let mut receivers = vec![(Client::new(), Replica::new())];
        let mut snapshots = vec![server.snapshot()];
        let (mut changes, mut last) = (Vec::new(), Baseline::nothing());
        for (frame, round) in (1..).zip(rounds) {
            if let Some(&(_, a, _)) = round.first().filter(|first| first.0 % 4 == 0) {
                server.restore(&snapshots[usize::from(a) % snapshots.len()]);
            }
            round.iter().for_each(|&one| edit(&mut server, one));
            changes.push(sent().changed_slots(&last, &server).unwrap());
            let from = round.first().map_or(0, |first| usize::from(first.1) % changes.len());
            let delta = sent().delta_of(&changes[from..], from as u64, &server, frame).unwrap();
            let mut merged = changes[from].clone();
            changes[from + 1..].iter().for_each(|later| merged.merge(later));
            prop_assert_eq!(&delta, &sent().delta_of([&merged], from as u64, &server, frame).unwrap());
            for (at, (client, replica)) in receivers.iter().enumerate() {
                let (mut client, mut replica) = (client.clone(), replica.clone());
                let applied = received().apply(&mut client, &mut replica, &delta);
                if at < from {
                    prop_assert!(applied.is_err(), "frame {at} is before {from}");
                    continue;
                }
                applied.unwrap();
                check(&server, &client, &replica, |_| true);
            }
            let (mut client, mut replica) = receivers[from].clone();
            received().apply(&mut client, &mut replica, &delta).unwrap();
            receivers.push((client, replica));
            last = sent().baseline(&mut server, frame);
            snapshots.push(server.snapshot());
        }
    }

    /// The sender goes back to an earlier state, and older baselines are used again, as if their
    /// deltas had been lost.
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

    /// Entities enter and leave the selection. Without relations, whose rules may despawn or change
    /// others with an entity that leaves.
    #[test]
    fn entities_enter_and_leave_the_selection(rounds in edits()) {
        let (mut server, mut client, mut replica) = (Server::new(), Client::new(), Replica::new());
        let shown = sent().with::<Shown>().without::<Secret>();
        let mut known = Baseline::nothing();
        for (frame, round) in (1..).zip(rounds) {
            round.into_iter().filter(|one| !(20..25).contains(&(one.0 % EDITS))).for_each(|one| edit(&mut server, one));
            let delta = shown.delta(&known, &server, frame).unwrap();
            received().apply(&mut client, &mut replica, &delta).unwrap();
            check(&server, &client, &replica, |id| server.has::<Shown>(id) && !server.has::<Secret>(id));
            known = shown.baseline(&mut server, frame);
        }
    }
}
