//! The models without a program around them, which examples, tests and the benchmark share.

pub mod fire;
pub mod flocking;
pub mod flocking_at_once;
pub mod life;
pub mod queue;
pub mod schelling;
#[cfg(feature = "network")]
pub mod sir;
pub mod sugarscape;
pub mod wolf_sheep;
