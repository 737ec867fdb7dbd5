//! Of entities with four components, the position moves by the velocity: in the forms that
//! libraries have.

use super::{PLAIN, Workload};

pub(crate) const FOR: Workload = Workload {
    name: "simple_iter_for",
    what: "position += velocity in a `for` loop",
    counts: &[10_000, 1_000_000],
    swept: true,
    visits: 4_000_000,
    ..PLAIN
};

pub(crate) const FOR_EACH: Workload =
    Workload { name: "simple_iter_for_each", what: "position += velocity in `for_each`", ..FOR };

pub(crate) const ROW_BY_ROW: Workload = Workload {
    name: "simple_iter_row_by_row",
    what: "position += velocity in `for_each`, of entities that were spawned one by one",
    ..FOR
};

pub(crate) const SYSTEM: Workload = Workload {
    name: "simple_iter_system",
    what: "position += velocity as a system, the library's fastest form; arrays: a function",
    ..FOR
};

pub(crate) const PARALLEL: Workload = Workload {
    name: "simple_iter_parallel",
    what: "position += velocity on all threads, by the library's parallel loop; arrays: `rayon`",
    ..FOR_EACH
};

pub(crate) const SLICES: Workload = Workload {
    name: "simple_iter_slices",
    what: "position += velocity over slices, number by number",
    ..FOR
};

/// The operation on an entity.
#[inline(always)]
pub(crate) fn step(position: &mut [f32; 3], velocity: &[f32; 3]) {
    position[0] += velocity[0];
    position[1] += velocity[1];
    position[2] += velocity[2];
}

/// The operation on a slice of entities, number by number.
#[inline(always)]
pub(crate) fn step_slice<P: bytemuck::Pod, V: bytemuck::Pod>(positions: &mut [P], velocities: &[V]) {
    let positions: &mut [f32] = bytemuck::cast_slice_mut(positions);
    let velocities: &[f32] = bytemuck::cast_slice(velocities);
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        *position += velocity;
    }
}
