//! What is measured. Each file says what a library has to do, and holds what all of them share.
//!
//! To add a workload: a file with a [`Workload`], a line in [`ALL`], and a line in each library that supports it.

pub(crate) mod add_remove;
pub(crate) mod despawn;
pub(crate) mod frag_iter;
pub(crate) mod heavy_compute;
pub(crate) mod random_access;
pub(crate) mod simple_insert;
pub(crate) mod simple_iter;

/// A thing to measure.
pub(crate) struct Workload {
    /// As `--only` takes it.
    pub(crate) name: &'static str,
    /// What one run does.
    pub(crate) what: &'static str,
    /// The numbers of entities with which it is measured.
    pub(crate) counts: &'static [u32],
    /// A sample repeats the run until it has visited this many entities.
    pub(crate) visits: u32,
    /// Whether a run uses its world up; then a sample is one run with a world of its own.
    pub(crate) fresh: bool,
}

/// All workloads, in the order of the report.
pub(crate) const ALL: [&Workload; 12] = [
    &simple_insert::ONE_BY_ONE,
    &simple_insert::BATCHED,
    &simple_iter::FOR,
    &simple_iter::FOR_EACH,
    &simple_iter::SYSTEM,
    &simple_iter::SLICES,
    &frag_iter::FRAG_ITER,
    &heavy_compute::HEAVY_COMPUTE,
    &add_remove::ADD_REMOVE,
    &random_access::RANDOM_ACCESS,
    &despawn::IN_ORDER,
    &despawn::SHUFFLED,
];
