//! Worlds as data: the library's own forms, with RON for people.

use ecs::prelude::*;
use ecs::save::DanglingIds;
use serde::{Deserialize, Serialize};

use super::{Position, Rotation, Transform, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::saves;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Kept {
        components { Transform, Position, Rotation, Velocity }
    }
}

/// A world, the one that was loaded, and what was saved.
struct State {
    game: Kept,
    loaded: Kept,
    bytes: Vec<u8>,
}

impl State {
    fn new(count: u32) -> Self {
        let bytes = Vec::with_capacity(101 * count as usize + 10_000);
        Self { game: kept(count), loaded: Kept::new(), bytes }
    }

    /// With what is to be loaded.
    fn saved(count: u32) -> Self {
        let mut state = Self::new(count);
        state.save();
        state
    }

    fn save(&mut self) {
        self.bytes.clear();
        self.game.save(&mut self.bytes).expect("it can be written");
    }

    fn load(&mut self) {
        self.loaded = Kept::load(&self.bytes).expect("it was saved");
    }
}

fn kept(count: u32) -> Kept {
    let mut game = Kept::new();
    game.spawn_batch((0..count).map(body));
    game
}

fn checksum(game: &Kept) -> u64 {
    let all = game.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter().fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&saves::SAVE, State::new, State::save, |state| {
        state.load();
        checksum(&state.loaded)
    });
    suite.case(&saves::LOAD, State::saved, State::load, |state| checksum(&state.loaded));
    suite.case(
        &saves::SAVE_TEXT,
        |count| (kept(count), String::new()),
        |(game, text)| {
            text.clear();
            ron::Options::default().to_writer(text, game).expect("it can be written");
        },
        |(_, text)| checksum(&ron::from_str(text).expect("it was saved")),
    );
    suite.case(
        &saves::LOAD_TEXT,
        |count| (Kept::new(), ron::to_string(&kept(count)).expect("it can be written")),
        |(game, text)| *game = ron::from_str(text).expect("it was saved"),
        |(game, _)| checksum(game),
    );
    suite.case(
        &saves::HASH,
        |count| (kept(count), 0),
        |(game, sum)| *sum = game.hash(),
        |(game, sum)| {
            let (values, again) = (checksum(game), game.hash());
            let first = game.entities().iter().next().expect("there is one");
            game.get_mut::<Velocity>(first).expect("it has one").0[2] += 1.0;
            saves::digest(values, [*sum, again, game.hash()])
        },
    );
    suite.prepared_case(
        &saves::MERGE,
        State::saved,
        |state| state.loaded.clone_from(&state.game),
        |state| drop(state.loaded.merge(&state.bytes, DanglingIds::Refuse).expect("it was saved")),
        |state| checksum(&state.loaded),
    );
}
