//! Copies and snapshots.

use ecs::prelude::*;

use super::{Position, Rotation, Transform, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::copies;

world! {
    #[derive(Clone)]
    struct Copied {
        components { Transform, Position, Rotation, Velocity }
    }
}

/// A world, another one, a snapshot, the ids, and how often it was touched.
struct State {
    game: Copied,
    other: Copied,
    snapshot: Snapshot<Copied>,
    ids: Vec<Entity>,
    run: u32,
}

impl State {
    fn new(count: u32) -> Self {
        let mut game = Copied::new();
        let ids = game.spawn_batch((0..count).map(body)).collect();
        Self { other: game.clone(), snapshot: game.snapshot(), game, ids, run: 0 }
    }

    fn touch(&mut self) {
        let mut all = self.game.query_mut::<(&mut Transform, &mut Position, &mut Rotation, &mut Velocity)>();
        for &id in &self.ids[copies::stripe(self.run, self.ids.len() as u32)] {
            let (transform, position, rotation, velocity) = all.get_mut(id).expect("it lives");
            copies::change(&mut transform.0, [&mut position.0, &mut rotation.0, &mut velocity.0]);
        }
        self.run += 1;
    }
}

fn checksum(game: &Copied) -> u64 {
    let all = game.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter().fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &copies::CLONE,
        State::new,
        |state| state.other = state.game.clone(),
        |state| checksum(&state.other),
    );
    suite.case(
        &copies::CLONE_FROM,
        State::new,
        |state| state.other.clone_from(&state.game),
        |state| checksum(&state.other),
    );
    suite.prepared_case(
        &copies::SNAPSHOT,
        State::new,
        State::touch,
        |state| state.snapshot = state.game.snapshot(),
        |state| {
            state.game.clear();
            state.game.restore(&state.snapshot);
            checksum(&state.game).wrapping_add(u64::from(state.run))
        },
    );
    suite.prepared_case(
        &copies::RESTORE,
        State::new,
        State::touch,
        |state| state.game.restore(&state.snapshot),
        |state| checksum(&state.game),
    );
}
