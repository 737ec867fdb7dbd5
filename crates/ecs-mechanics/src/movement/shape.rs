//! [`Shape`], and the components that give entities a place and a shape.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::Contacts;
use crate::places::Located;
use crate::vector::Vec2;

/// The place of an entity: the middle of its shape. A component.
#[derive(Component, Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Position(pub Vec2);

impl Located for Position {
    type Place = Vec2;

    fn place(&self) -> Vec2 {
        self.0
    }
}

/// The distance by which an entity moves in a second. A component, which requires a [`Position`].
///
/// An entity keeps its velocity until a system changes it: see [`glide`](super::glide).
#[derive(Component, Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[component(requires(Position))]
pub struct Velocity(pub Vec2);

/// A circle, a box with sides along the axes, or a box with round corners.
///
/// ```
/// use ecs_mechanics::movement::Shape;
///
/// let crate_ = Shape::rectangle(1.0, 1.0);
/// let barrel = Shape::circle(0.5);
/// let pill = Shape::rounded(1.0, 2.0, 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedShape")]
pub struct Shape {
    /// The distance of the middle from the sides of the box whose corners are the centers of the
    /// round corners.
    half: Vec2,
    /// The radius of the corners.
    radius: f32,
}

/// The saved form of a shape, which may have been edited.
#[derive(Deserialize)]
#[serde(rename = "Shape")]
struct SavedShape {
    half: Vec2,
    radius: f32,
}

impl TryFrom<SavedShape> for Shape {
    type Error = String;

    fn try_from(SavedShape { half, radius }: SavedShape) -> Result<Self, String> {
        if [half.x, half.y, radius].into_iter().all(is_length) {
            Ok(Self { half, radius })
        } else {
            Err(format!("a shape has the half size {half:?} and the radius {radius}"))
        }
    }
}

impl Shape {
    /// The circle with this radius.
    ///
    /// # Panics
    /// If the radius is negative, infinite or NaN.
    #[must_use]
    pub const fn circle(radius: f32) -> Self {
        assert!(is_length(radius), "the radius of a circle is finite and not negative");
        Self { half: Vec2::ZERO, radius }
    }

    /// The box with this width and this height.
    ///
    /// # Panics
    /// If one of them is negative, infinite or NaN.
    #[must_use]
    pub const fn rectangle(width: f32, height: f32) -> Self {
        assert!(is_length(width), "the width of a rectangle is finite and not negative");
        assert!(is_length(height), "the height of a rectangle is finite and not negative");
        Self { half: Vec2::new(width / 2.0, height / 2.0), radius: 0.0 }
    }

    /// The box with this width and this height, and with round corners of this radius.
    ///
    /// # Panics
    /// If one of the three is negative, infinite or NaN, or if the corners are wider than the box.
    #[must_use]
    pub const fn rounded(width: f32, height: f32, radius: f32) -> Self {
        assert!(is_length(radius), "the radius of round corners is finite and not negative");
        let Self { half, .. } = Self::rectangle(width, height);
        assert!(radius <= half.x && radius <= half.y, "round corners are not wider than their rectangle");
        Self { half: Vec2::new(half.x - radius, half.y - radius), radius }
    }

    /// The width and the height.
    #[must_use]
    pub const fn size(&self) -> (f32, f32) {
        (2.0 * (self.half.x + self.radius), 2.0 * (self.half.y + self.radius))
    }

    pub(super) fn half(&self) -> [f64; 2] {
        [self.half.x.into(), self.half.y.into()]
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius.into()
    }
}

const fn is_length(length: f32) -> bool {
    length >= 0.0 && length.is_finite()
}

/// The shape of an entity that moves and bumps into what is [`Solid`]. A component.
///
/// An entity without one moves through everything.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Velocity, Contacts))]
pub struct Body(pub Shape);

/// The shape of an entity that stops each [`Body`]. A component.
///
/// A wall has only this. A creature that others cannot walk through has both, and the shapes may
/// differ.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Position))]
pub struct Solid(pub Shape);
