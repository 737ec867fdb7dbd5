//! Hand-written parallel arrays: the limit. An entity is an index; who is alive is a bit.

mod changed;
mod churn;
mod commands;
mod copies;
mod epidemic;
mod kinds;
mod rare;
mod saves;
mod systems;
mod transforms;
mod wide;

use rayon::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled, total};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, numbers, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!(serde::Serialize, serde::Deserialize);

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Bodies {
    transforms: Vec<Transform>,
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    velocities: Vec<Velocity>,
    /// One bit for each index that is gone.
    dead: Vec<u64>,
    /// The indices that are gone, for the next entities.
    free: Vec<u32>,
}

impl Bodies {
    fn push(&mut self, i: u32) {
        let (transform, position, rotation, velocity) = body(i);
        self.transforms.push(transform);
        self.positions.push(position);
        self.rotations.push(rotation);
        self.velocities.push(velocity);
    }

    /// Array by array, which is faster than entity by entity.
    fn extend(&mut self, count: u32) {
        self.transforms.extend((0..count).map(|i| body(i).0));
        self.positions.extend((0..count).map(|i| body(i).1));
        self.rotations.extend((0..count).map(|i| body(i).2));
        self.velocities.extend((0..count).map(|i| body(i).3));
    }

    fn despawn(&mut self, index: u32) {
        self.dead[index as usize / 64] |= 1 << (index % 64);
        self.free.push(index);
    }

    /// Entity by entity. `for_each`, since it beats the `for` loop and the loop over indices.
    fn step(&mut self) {
        let bodies = self.positions.iter_mut().zip(&self.velocities);
        bodies.for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
    }
}

fn bodies(count: u32) -> Bodies {
    let mut bodies = Bodies { dead: vec![0; count.div_ceil(64) as usize], ..Bodies::default() };
    bodies.extend(count);
    bodies
}

fn checksum(bodies: &mut Bodies) -> u64 {
    let alive = |&i: &usize| bodies.dead.get(i / 64).is_none_or(|word| word >> (i % 64) & 1 == 0);
    let sum = |sum: u64, i: usize| {
        let (t, p) = (&bodies.transforms[i], &bodies.positions[i]);
        let (r, v) = (&bodies.rotations[i], &bodies.velocities[i]);
        sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0]))
    };
    (0..bodies.positions.len()).filter(alive).fold(0, sum)
}

/// Adds what the arrays do.
pub(crate) fn cases(suite: &mut Suite) {
    let empty = |count| (Bodies::default(), count);
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            empty,
            |(bodies, count)| (0..*count).for_each(|i| bodies.push(i)),
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        empty,
        |(bodies, count)| bodies.extend(*count),
        |state| checksum(&mut state.0),
    );
    for workload in [&simple_iter::FOR, &simple_iter::FOR_EACH, &simple_iter::SYSTEM] {
        suite.case(workload, bodies, Bodies::step, checksum);
    }
    suite.case(
        &simple_iter::ROW_BY_ROW,
        |count| {
            let mut bodies = Bodies { dead: vec![0; count.div_ceil(64) as usize], ..Bodies::default() };
            (0..count).for_each(|i| bodies.push(i));
            bodies
        },
        Bodies::step,
        checksum,
    );
    suite.case(&one_entity::ONE_ENTITY, bodies, movement, checksum);
    suite.case(
        &simple_iter::SLICES,
        bodies,
        |bodies| simple_iter::step_slice(&mut bodies.positions, &bodies.velocities),
        checksum,
    );
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |bodies| {
            let bodies = bodies.transforms.iter_mut().zip(&mut bodies.positions);
            bodies.for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &heavy_compute::PARALLEL,
        bodies,
        |bodies| {
            let bodies = bodies.transforms.par_iter_mut().zip(&mut bodies.positions);
            bodies.for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &simple_iter::PARALLEL,
        bodies,
        |bodies| {
            let bodies = bodies.positions.par_iter_mut().zip(&bodies.velocities);
            bodies.for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    frag_iter_case(suite);
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    systems::cases(suite);
    commands::cases(suite);
    changed::cases(suite);
    copies::cases(suite);
    saves::cases(suite);
    epidemic::cases(suite);
    transforms::cases(suite);
    wide::cases(suite);
}

#[inline(never)]
fn movement(bodies: &mut Bodies) {
    bodies.step();
}

fn frag_iter_case(suite: &mut Suite) {
    for workload in [&frag_iter::FRAG_ITER, &frag_iter::FOR] {
        suite.case(
            workload,
            |count| vec![1.0_f32; count as usize],
            |data| data.iter_mut().for_each(frag_iter::step),
            |data| data.iter().fold(0, |sum, data| sum.wrapping_add(digest(&[&[*data]]))),
        );
    }
    suite.case(
        &numbers::NUMBERS,
        |count| (vec![0.0_f32; count as usize], vec![1.0_f32; count as usize]),
        |(a, b)| a.iter_mut().zip(&*b).for_each(|(a, b)| numbers::step(a, b)),
        |(a, _)| total(a.iter().map(|a| digest(&[&[*a]]))),
    );
}

/// Numbers of which some are there.
struct Column {
    ids: Vec<u32>,
    has: Vec<u64>,
    b: Vec<f32>,
}

impl Column {
    fn new(count: u32) -> Self {
        Self {
            ids: (0..count).collect(),
            has: vec![0; count.div_ceil(64) as usize],
            b: vec![0.0; count as usize],
        }
    }

    fn add(&mut self, value: f32) {
        for &id in &self.ids {
            self.b[id as usize] = value;
            self.has[id as usize / 64] |= 1 << (id % 64);
        }
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.has[id as usize / 64] &= !(1 << (id % 64));
        }
    }

    fn sum(&self) -> u64 {
        let has = |&(i, _): &(usize, _)| self.has[i / 64] >> (i % 64) & 1 == 1;
        self.b.iter().enumerate().filter(has).fold(0, |sum, (_, b)| sum.wrapping_add(digest(&[&[*b]])))
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        Column::new,
        |column| {
            column.add(2.0);
            // what was added must be there, not only be known to go again
            std::hint::black_box(&mut *column);
            column.remove();
        },
        |column| {
            let none = column.sum();
            column.add(2.0);
            add_remove::digest(none, column.sum())
        },
    );
}

fn random_access_case(suite: &mut Suite) {
    suite.case(
        &random_access::RANDOM_ACCESS,
        |count| (bodies(count), shuffled(count), 0_u64),
        |(bodies, ids, sum)| {
            for &id in &*ids {
                *sum = sum.wrapping_add(random_access::term(&bodies.positions[id as usize].0));
            }
        },
        |state| state.2,
    );
}

fn despawn_cases(suite: &mut Suite) {
    suite.case(
        &despawn::IN_ORDER,
        |count| (bodies(count), (0..count).collect::<Vec<_>>()),
        |(bodies, ids)| ids.iter().for_each(|&id| bodies.despawn(id)),
        |state| checksum(&mut state.0),
    );
    suite.case(
        &despawn::SHUFFLED,
        |count| {
            let mut ids = shuffled(2 * count);
            ids.truncate(count as usize);
            (bodies(2 * count), ids)
        },
        |(bodies, ids)| ids.iter().for_each(|&id| bodies.despawn(id)),
        |state| checksum(&mut state.0),
    );
}
