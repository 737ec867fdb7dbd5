//! The growth of costs: each verb of the library with `n` and with `10 n` entities, edges or calls.
//!
//! `GROWTH=Many cargo test --release -p ecs-tests --test growth -- --nocapture` prints the rows
//! whose names contain `Many`.

mod game;
mod measure;
mod prefabs;
mod relations;
mod saves;
mod systems;
mod verbs;

#[test]
#[cfg_attr(debug_assertions, ignore = "the costs of a release build: `cargo test --release`")]
fn costs_grow_as_documented() {
    measure::check(
        &[relations::ROWS, verbs::ROWS, systems::ROWS, saves::ROWS, prefabs::ROWS].concat().concat(),
    );
}
