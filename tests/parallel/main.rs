//! Tests of work that several threads share: systems that are marked `par`, `par_for_each` and the
//! methods beside it.
#![forbid(unsafe_code)]

mod chunks;
mod division;
mod hostile;
mod outputs;
mod systems;
mod threads;
