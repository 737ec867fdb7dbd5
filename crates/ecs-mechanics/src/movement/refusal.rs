//! [`MotionRefusal`]: a value with which an entity cannot move.

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// An entity has a value with which a system of this module cannot move it. An event, and the error
/// of [`check_motion`].
///
/// The system has changed nothing of the entity, and sends the event in each step until the value
/// is corrected.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MotionRefusal {
    /// The entity.
    pub entity: Entity,
    /// The reason.
    pub reason: MotionReason,
}

/// The reason of a [`MotionRefusal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MotionReason {
    /// A coordinate of the `Position` is infinite or NaN.
    Position,
    /// A coordinate of the `Velocity` is infinite or NaN, or so great that the next position is
    /// infinite.
    Velocity,
    /// A coordinate of `Gravity` is infinite or NaN.
    Gravity,
    /// A value of `Walk` is negative or NaN, or its wish or speed is infinite.
    Walk,
    /// The `Friction` is negative or NaN.
    Friction,
    /// The speed of `TurnTowards` is negative or NaN, or its point is infinite or NaN.
    TurnTowards,
    /// The speed of `MoveTowards` is negative or NaN, its target is infinite or NaN, or one of them
    /// is so great that the way or the velocity is infinite.
    MoveTowards,
    /// The terminal speed of `Fall` is negative or NaN.
    Fall,
    /// The speed of `Jump` is infinite or NaN.
    Jump,
    /// The shape of the `Body` is wider or higher than 1,024 cells of the map.
    Body,
    /// The `Position` is so far from the origin that the obstacles there cannot be told: on a map,
    /// farther than 2,097,152 cells; otherwise where a solid entity pushes the body beyond the
    /// greatest `f32`.
    TooFar,
}

impl fmt::Display for MotionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            MotionReason::Position => "its `Position` is infinite or NaN",
            MotionReason::Velocity => "its `Velocity` is infinite or NaN, or too great for a position",
            MotionReason::Gravity => "the resource `Gravity` is infinite or NaN",
            MotionReason::Walk => {
                "a value of its `Walk` is negative or NaN, or the wish or the speed is infinite"
            }
            MotionReason::Friction => "its `Friction` is negative or NaN",
            MotionReason::TurnTowards => {
                "its `TurnTowards` has a speed that is negative or NaN, or a point that is not finite"
            }
            MotionReason::MoveTowards => {
                "its `MoveTowards` has a speed that is negative, NaN or too great, or a target that is not finite or too far"
            }
            MotionReason::Fall => "the terminal speed of its `Fall` is negative or NaN",
            MotionReason::Jump => "the speed of its `Jump` is infinite or NaN",
            MotionReason::Body => "its `Body` is wider or higher than 1,024 cells of the map",
            MotionReason::TooFar => "its `Position` is too far from the origin to tell what it touches",
        };
        write!(f, "entity {} is not moved: {reason}", self.entity)
    }
}

impl Error for MotionRefusal {}

/// System: fails with the first [`MotionRefusal`] that it has not read, for schedules `-> Result`
/// after the systems of this module.
///
/// # Errors
/// An entity has a value with which it cannot move.
#[system]
pub fn check_motion(mut refusals: EventReader<MotionRefusal>) -> Result<(), MotionRefusal> {
    refusals.iter().next().map_or(Ok(()), |refusal| Err(*refusal))
}
