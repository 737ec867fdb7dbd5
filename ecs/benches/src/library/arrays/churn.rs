//! Entities that come and go.

use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{churn, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(workload, make, |(crowd, _)| crowd.step(), checksum);
    }
}

/// The content of a place.
const GONE: u8 = 0;
const ALIVE: u8 = 4;

#[derive(Default)]
struct Crowd {
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
    a: Vec<f32>,
    b: Vec<f32>,
    /// [`GONE`], or [`ALIVE`] with a bit for `A` and one for `B`.
    states: Vec<u8>,
    /// The places of those who are gone, for the next entities.
    free: Vec<u32>,
}

impl Crowd {
    fn spawn(&mut self, n: u32) -> u32 {
        let (_, position, _, velocity) = body(n);
        let state = ALIVE | (n % 4) as u8;
        if let Some(id) = self.free.pop() {
            let i = id as usize;
            self.positions[i] = position;
            self.velocities[i] = velocity;
            self.states[i] = state;
            if state & 1 != 0 {
                self.a[i] = 0.0;
            }
            if state & 2 != 0 {
                self.b[i] = 0.0;
            }
            return id;
        }
        self.positions.push(position);
        self.velocities.push(velocity);
        self.a.push(0.0);
        self.b.push(0.0);
        self.states.push(state);
        self.states.len() as u32 - 1
    }

    fn despawn(&mut self, id: u32) {
        self.states[id as usize] = GONE;
        self.free.push(id);
    }

    /// Moves despawned entities, too: a test for each entity would be slower, and the result does
    /// not depend on them.
    fn step(&mut self) {
        let all = self.positions.iter_mut().zip(&self.velocities);
        all.for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
    }
}

fn crowd(count: u32) -> (Crowd, Vec<u32>) {
    let mut crowd = Crowd::default();
    let ids = (0..count).map(|n| crowd.spawn(n)).collect();
    (crowd, ids)
}

fn steps((crowd, ids): &mut (Crowd, Vec<u32>)) {
    churn::churn(crowd, ids, Crowd::despawn, Crowd::spawn);
}

fn churned(count: u32) -> (Crowd, Vec<u32>) {
    let mut state = crowd(count);
    steps(&mut state);
    state
}

fn checksum((crowd, _): &mut (Crowd, Vec<u32>)) -> u64 {
    let alive = (0..crowd.states.len()).filter(|&i| crowd.states[i] != GONE);
    total(alive.map(|i| digest(&[&crowd.positions[i].0, &crowd.velocities[i].0])))
}
