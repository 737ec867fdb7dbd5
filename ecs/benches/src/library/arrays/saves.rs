//! Arrays as data: with postcard and RON, and as bytes.

use super::{Bodies, bodies, checksum};
use crate::harness::Suite;
use crate::workload::saves;

/// Arrays, those that were loaded, and what was saved.
struct State {
    bodies: Bodies,
    loaded: Bodies,
    bytes: Vec<u8>,
}

impl State {
    /// With memory for all that will be saved. Postcard writes into a slice faster than into a
    /// vector that grows.
    fn new(count: u32) -> Self {
        let bytes = vec![0; 101 * count as usize + 100];
        Self { bodies: bodies(count), loaded: bodies(count), bytes }
    }

    /// With what is to be loaded.
    fn saved(count: u32) -> Self {
        let mut state = Self::new(count);
        state.save();
        state
    }

    fn save(&mut self) {
        postcard::to_slice(&self.bodies, &mut self.bytes).expect("there is room");
    }

    fn load(&mut self) {
        self.loaded = postcard::from_bytes(&self.bytes).expect("it was saved");
    }

    /// Each array is copied, and then its bytes are.
    fn copy(&mut self) {
        let Self { bodies, loaded, bytes } = self;
        bytes.clear();
        loaded.transforms.clone_from(&bodies.transforms);
        bytes.extend_from_slice(bytemuck::cast_slice(&loaded.transforms));
        loaded.positions.clone_from(&bodies.positions);
        bytes.extend_from_slice(bytemuck::cast_slice(&loaded.positions));
        loaded.rotations.clone_from(&bodies.rotations);
        bytes.extend_from_slice(bytemuck::cast_slice(&loaded.rotations));
        loaded.velocities.clone_from(&bodies.velocities);
        bytes.extend_from_slice(bytemuck::cast_slice(&loaded.velocities));
    }

    fn append(&mut self) {
        let Bodies { transforms, positions, rotations, velocities, .. } =
            postcard::from_bytes(&self.bytes).expect("it was saved");
        self.bodies.transforms.extend(transforms);
        self.bodies.positions.extend(positions);
        self.bodies.rotations.extend(rotations);
        self.bodies.velocities.extend(velocities);
    }
}

/// The arrays begin with as many bytes as they have.
fn hash(Bodies { transforms, positions, rotations, velocities, .. }: &Bodies) -> u64 {
    ecs::__private::save::hash_of([
        bytemuck::cast_slice(transforms),
        bytemuck::cast_slice(positions),
        bytemuck::cast_slice(rotations),
        bytemuck::cast_slice(velocities),
    ])
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&saves::SAVE, State::new, State::save, |state| {
        state.load();
        checksum(&mut state.loaded)
    });
    suite.case(&saves::COPY, State::new, State::copy, |state| {
        let copied = state.bytes.len() == 100 * state.bodies.positions.len();
        checksum(&mut state.loaded) ^ u64::from(!copied)
    });
    suite.case(&saves::LOAD, State::saved, State::load, |state| checksum(&mut state.loaded));
    suite.case(
        &saves::SAVE_TEXT,
        |count| (bodies(count), String::new()),
        |(bodies, text)| {
            text.clear();
            ron::Options::default().to_writer(text, bodies).expect("it can be written");
        },
        |(_, text)| checksum(&mut ron::from_str(text).expect("it was saved")),
    );
    suite.case(
        &saves::LOAD_TEXT,
        |count| (bodies(count), ron::to_string(&bodies(count)).expect("it can be written")),
        |(bodies, text)| *bodies = ron::from_str(text).expect("it was saved"),
        |(bodies, _)| checksum(bodies),
    );
    suite.case(
        &saves::HASH,
        |count| (bodies(count), 0),
        |(bodies, sum)| *sum = hash(bodies),
        |(bodies, sum)| {
            let (values, again) = (checksum(bodies), hash(bodies));
            bodies.velocities[0].0[2] += 1.0;
            saves::digest(values, [*sum, again, hash(bodies)])
        },
    );
    suite.prepared_case(
        &saves::MERGE,
        |count| (State::saved(count), count as usize),
        |(State { bodies, .. }, count)| {
            bodies.transforms.truncate(*count);
            bodies.positions.truncate(*count);
            bodies.rotations.truncate(*count);
            bodies.velocities.truncate(*count);
        },
        |(state, _)| state.append(),
        |(state, _)| checksum(&mut state.bodies),
    );
}
