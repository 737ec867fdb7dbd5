//! Entities of several kinds, iterated.

use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::combinations::{self, COMBINATIONS};
use crate::workload::{eight_kinds, schedule, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED, &combinations::REGROUPED] {
        suite.case(workload, pairs, Pairs::sum, |pairs| pairs.checksum());
    }
    suite.case(&eight_kinds::EIGHT_KINDS, movers, Movers::step, |movers| movers.checksum());
    for workload in [&schedule::SCHEDULE, &schedule::PARALLEL] {
        suite.case(
            workload,
            swaps,
            |swaps| {
                swaps.ab();
                swaps.cd();
                swaps.ce();
            },
            |swaps| swaps.checksum(),
        );
    }
}

/// The entities with both `A` and `B`. Their other components, and entities with only one of both,
/// are stored elsewhere.
struct Pairs {
    a: Vec<f32>,
    b: Vec<f32>,
}

fn pairs(count: u32) -> Pairs {
    let a: Vec<f32> = (0..count).filter(|i| (i % COMBINATIONS) & 3 == 3).map(combinations::value).collect();
    Pairs { b: a.clone(), a }
}

impl Pairs {
    fn sum(&mut self) {
        self.a.iter_mut().zip(&self.b).for_each(|(a, b)| combinations::step(a, b));
    }

    fn checksum(&self) -> u64 {
        total(self.a.iter().zip(&self.b).map(|(a, b)| digest(&[&[*a], &[*b]])))
    }
}

/// The component that all kinds have. The other components are stored elsewhere.
struct Movers {
    positions: Vec<Position>,
    velocities: Vec<Velocity>,
}

fn movers(count: u32) -> Movers {
    Movers {
        positions: (0..count).map(|i| body(i).1).collect(),
        velocities: (0..count).map(|i| body(i).3).collect(),
    }
}

impl Movers {
    fn step(&mut self) {
        let all = self.positions.iter_mut().zip(&self.velocities);
        all.for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
    }

    fn checksum(&self) -> u64 {
        let all = self.positions.iter().zip(&self.velocities);
        total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
    }
}

/// The kinds one after the other, so that what a system visits is one run of each array.
struct Swaps {
    a: Vec<f32>,
    b: Vec<f32>,
    /// Of those who have no `D` and no `E`, of those with `D`, of those with `E`.
    c: [Vec<f32>; 3],
    d: Vec<f32>,
    e: Vec<f32>,
}

fn swaps(count: u32) -> Swaps {
    let of = |letter: usize| (0..count).map(move |i| schedule::values(i)[letter]);
    Swaps {
        a: (0..4).flat_map(|_| of(0)).collect(),
        b: (0..4).flat_map(|_| of(1)).collect(),
        c: [of(2).collect(), of(2).collect(), of(2).collect()],
        d: of(3).collect(),
        e: of(4).collect(),
    }
}

impl Swaps {
    fn ab(&mut self) {
        swap(&mut self.a, &mut self.b);
    }

    fn cd(&mut self) {
        swap(&mut self.c[1], &mut self.d);
    }

    fn ce(&mut self) {
        swap(&mut self.c[2], &mut self.e);
    }

    fn checksum(&self) -> u64 {
        let pairs = total(self.a.iter().zip(&self.b).map(|(a, b)| digest(&[&[*a], &[*b]])));
        pairs.wrapping_add(total(self.c.iter().flatten().map(|c| digest(&[&[*c]]))))
    }
}

fn swap(ones: &mut [f32], others: &mut [f32]) {
    ones.iter_mut().zip(others).for_each(|(one, other)| std::mem::swap(one, other));
}
