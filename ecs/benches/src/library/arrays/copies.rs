//! Copies of all arrays.

use super::{Bodies, bodies, checksum};
use crate::harness::Suite;
use crate::workload::copies;

fn copy(from: &Bodies) -> Bodies {
    let Bodies { transforms, positions, rotations, velocities, dead, free } = from;
    Bodies {
        transforms: transforms.clone(),
        positions: positions.clone(),
        rotations: rotations.clone(),
        velocities: velocities.clone(),
        dead: dead.clone(),
        free: free.clone(),
    }
}

fn copy_into(to: &mut Bodies, from: &Bodies) {
    to.transforms.clone_from(&from.transforms);
    to.positions.clone_from(&from.positions);
    to.rotations.clone_from(&from.rotations);
    to.velocities.clone_from(&from.velocities);
    to.dead.clone_from(&from.dead);
    to.free.clone_from(&from.free);
}

/// Arrays, a copy of them, and how often they were touched.
type State = (Bodies, Bodies, u32);

fn touch((bodies, _, run): &mut State) {
    let range = copies::stripe(*run, bodies.positions.len() as u32);
    *run += 1;
    for i in range {
        let (position, rotation) = (&mut bodies.positions[i].0, &mut bodies.rotations[i].0);
        copies::change(&mut bodies.transforms[i].0, [position, rotation, &mut bodies.velocities[i].0]);
    }
}

pub(super) fn cases(suite: &mut Suite) {
    let two = |count| (bodies(count), bodies(count), 0);
    suite.case(&copies::CLONE, two, |(bodies, kept, _)| *kept = copy(bodies), |state| checksum(&mut state.1));
    suite.case(
        &copies::CLONE_FROM,
        two,
        |(bodies, kept, _)| copy_into(kept, bodies),
        |state| checksum(&mut state.1),
    );
    suite.prepared_case(
        &copies::SNAPSHOT,
        two,
        touch,
        |(bodies, kept, _)| copy_into(kept, bodies),
        |state| checksum(&mut state.1).wrapping_add(u64::from(state.2)),
    );
    suite.prepared_case(
        &copies::RESTORE,
        two,
        touch,
        |(bodies, kept, _)| copy_into(bodies, kept),
        |state| checksum(&mut state.0),
    );
}
