//! Deltas of a world whose components are tracked, and of one whose components are not.

use ecs::prelude::*;
use ecs::save::{Baseline, Selection};
use serde::{Deserialize, Serialize};

use super::{Position, Rotation, Transform, Velocity, body};
use crate::harness::Suite;
use crate::workload::{Workload, deltas};

macro_rules! tracked {
    ($($name:ident: $ty:ty),*) => {$(
        #[derive(Component, Clone, Serialize, Deserialize)]
        #[component(tracked)]
        struct $name($ty);
    )*};
}
tracked!(Turned: [f32; 16], Place: [f32; 3], Facing: [f32; 3], Speed: [f32; 3]);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Noted {
        components { Turned, Place, Facing, Speed }
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Unnoted {
        components { Transform, Position, Rotation, Velocity }
    }
}

/// A world, what changes in it, and what was sent last.
struct State<W: World> {
    game: W,
    selection: Selection<W>,
    chosen: Vec<Entity>,
    known: Baseline<W>,
    bytes: Vec<u8>,
}

impl<W: World> State<W> {
    fn new(game: W, selection: Selection<W>, chosen: Vec<Entity>) -> Self {
        Self { game, selection, chosen, known: Baseline::nothing(), bytes: Vec::new() }
    }

    fn delta(&mut self) {
        self.bytes = self.selection.delta(&self.known, &self.game, 2).expect("it can be written");
    }
}

fn noted(count: u32, chosen: fn(u32) -> Vec<u32>) -> State<Noted> {
    let mut game = Noted::new();
    let bodies = (0..count).map(|i| {
        let (transform, position, rotation, velocity) = body(i);
        (Turned(transform.0), Place(position.0), Facing(rotation.0), Speed(velocity.0))
    });
    let ids: Vec<Entity> = game.spawn_batch(bodies).collect();
    let chosen = chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    State::new(game, Selection::of::<(Turned, Place, Facing, Speed)>(), chosen)
}

/// Takes a baseline, and changes the chosen entities.
fn change_noted(state: &mut State<Noted>) {
    state.game.advance_tick();
    state.known = state.selection.baseline(&mut state.game, 1);
    for &id in &state.chosen {
        state.game.get_tracked::<Place>(id).expect("it lives").0[0] += 1.0;
        state.game.get_tracked::<Speed>(id).expect("it lives").0[1] += 1.0;
    }
}

fn unnoted(count: u32) -> State<Unnoted> {
    let mut game = Unnoted::new();
    let ids: Vec<Entity> = game.spawn_batch((0..count).map(body)).collect();
    let chosen = deltas::scattered(count).into_iter().map(|i| ids[i as usize]).collect();
    State::new(game, Selection::of::<(Transform, Position, Rotation, Velocity)>(), chosen)
}

fn change_unnoted(state: &mut State<Unnoted>) {
    state.known = state.selection.baseline(&mut state.game, 1);
    for &id in &state.chosen {
        state.game.get_mut::<Position>(id).expect("it lives").0[0] += 1.0;
        state.game.get_mut::<Velocity>(id).expect("it lives").0[1] += 1.0;
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &deltas::WHOLE,
        |count| {
            let mut state = noted(count, deltas::scattered);
            state.bytes.reserve(110 * count as usize);
            state
        },
        |state| {
            change_noted(state);
            state.bytes.clear();
        },
        |state| state.game.save(&mut state.bytes).expect("it can be written"),
        |state| state.bytes.len() as u64,
    );
    type Chosen = fn(u32) -> Vec<u32>;
    let tracked: [(&'static Workload, Chosen); 2] =
        [(&deltas::ADJACENT, deltas::adjacent), (&deltas::SCATTERED, deltas::scattered)];
    for (workload, chosen) in tracked {
        suite.prepared_case(
            workload,
            move |count| noted(count, chosen),
            change_noted,
            State::delta,
            |state| state.bytes.len() as u64,
        );
    }
    suite.prepared_case(&deltas::UNTRACKED, unnoted, change_unnoted, State::delta, |state| {
        state.bytes.len() as u64
    });
}
