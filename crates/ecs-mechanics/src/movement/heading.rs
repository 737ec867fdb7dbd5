//! [`Heading`], the direction of an entity, and [`TurnTowards`], which turns it.

use std::f64::consts::PI;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{MotionReason, MotionRefusal, Position};
use crate::vector::Vec2;

/// The direction in which an entity looks: a vector of length 1. A component; by default it looks
/// to the right.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedHeading")]
pub struct Heading(Vec2);

/// The saved form of a heading, which may have been edited.
#[derive(Deserialize)]
#[serde(rename = "Heading")]
struct SavedHeading(Vec2);

impl TryFrom<SavedHeading> for Heading {
    type Error = String;

    fn try_from(SavedHeading(direction): SavedHeading) -> Result<Self, String> {
        // a saved heading stays as it is: computed anew it might differ in the last bit
        let is_unit = (0.999..1.001).contains(&direction.length());
        if is_unit { Ok(Self(direction)) } else { Err(format!("a heading has the direction {direction:?}")) }
    }
}

impl Heading {
    /// The heading in a direction; `None` if that is zero, infinite or NaN.
    #[must_use]
    pub fn new(direction: Vec2) -> Option<Self> {
        direction.unit().map(Self)
    }

    /// The direction, with the length 1.
    #[must_use]
    pub const fn direction(self) -> Vec2 {
        self.0
    }

    /// The heading after a turn towards another one, by at most this angle in radians.
    ///
    /// The result is exactly the other one, if that is near enough. Turns of half a circle go from
    /// the x axis to the y axis.
    ///
    /// ```
    /// use ecs_mechanics::movement::{Heading, Vec2};
    ///
    /// let right = Heading::default();
    /// let up = Heading::new(Vec2::new(0.0, 1.0)).unwrap();
    /// let between = right.turned_towards(up, std::f32::consts::FRAC_PI_4).direction();
    /// assert!((between.x - between.y).abs() < 1e-6);
    /// assert_eq!(right.turned_towards(up, 2.0), up);
    /// ```
    #[must_use]
    pub fn turned_towards(self, other: Self, angle: f32) -> Self {
        let angle = f64::from(angle);
        let [x, y] = [f64::from(self.0.x), f64::from(self.0.y)];
        let [to_x, to_y] = [f64::from(other.0.x), f64::from(other.0.y)];
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        if angle >= PI || x * to_x + y * to_y >= cos {
            return other;
        }
        let sin = if x * to_y - y * to_x >= 0.0 { sin } else { -sin };
        let turned = Vec2::new((x * cos - y * sin) as f32, (x * sin + y * cos) as f32);
        turned.unit().map_or(self, Self)
    }
}

impl Default for Heading {
    fn default() -> Self {
        Self(Vec2::new(1.0, 0.0))
    }
}

/// Turns the [`Heading`] of its entity towards a point: see [`turn`]. A component.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Position, Heading))]
pub struct TurnTowards {
    /// The point; with `None`, the entity does not turn.
    pub point: Option<Vec2>,
    /// The greatest angle of a second, in radians. With an infinite one, the entity turns at once.
    pub speed: f32,
}

/// System: turns each entity with [`TurnTowards`] by the shorter way. An entity that is at the
/// point itself does not turn.
#[system]
pub fn turn(
    entity: Entity,
    position: &Position,
    heading: &mut Heading,
    towards: &TurnTowards,
    time: Res<FixedTime>,
    mut refused: EventWriter<MotionRefusal>,
) {
    let Some(point) = towards.point else { return };
    let reason = if !(point.is_finite() && towards.speed >= 0.0) {
        MotionReason::TurnTowards
    } else if !position.0.is_finite() {
        MotionReason::Position
    } else {
        if let Some(wish) = Heading::new(point - position.0) {
            *heading = heading.turned_towards(wish, towards.speed * time.step().as_secs_f32());
        }
        return;
    };
    refused.send(MotionRefusal { entity, reason });
}
