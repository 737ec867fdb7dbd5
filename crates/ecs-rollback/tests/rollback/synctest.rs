//! Each frame is run again several times.

use ecs::prelude::*;
use ecs_rollback::{Rollback, builder};

use crate::game::{Arena, Keys, arena, pressed, undisturbed};

/// Plays with a rollback of `distance` frames in each frame.
fn play(frames: u32, distance: usize) {
    let session = builder::<Arena, Keys>().with_check_distance(distance).start_synctest_session().unwrap();
    let mut game = Rollback::new(arena(), session, Arena::tick);
    let mut again = 0;
    for frame in 0..frames {
        let progress = game.advance([0, 1].map(|player| (player, pressed(player, frame)))).unwrap();
        assert_eq!(progress.frames, 1);
        again += progress.again as usize;
    }
    assert_eq!(again, (frames as usize - distance - 1) * distance);
    assert_eq!(game.world().hash(), undisturbed(frames, 0).hash());
}

#[test]
fn ten_thousand_frames_with_a_rollback_in_each_are_those_without() {
    play(10_000, 2);
}

#[test]
fn long_rollbacks_lead_to_the_same_world() {
    play(400, 7);
}
