//! Places: the components that say where an entity is, for all modules that ask for it.
//!
//! A component with [`Located`] is where its entity is. [`Located::Place`] is the type of the
//! place: a [`Cell`] of a map, a point ([`Vec2`]), a room (an [`Entity`]), or a type of
//! the game with [`Place`]. [`Position`](crate::movement::Position) and
//! [`InRoom`](crate::rooms::InRoom) implement it.
//!
//! | asks for it | place |
//! |---|---|
//! | [`sight::look`](fn@crate::sight::look) | a cell |
//! | [`space::track`](fn@crate::space::track) | a point |
//! | [`inventory::carry_out`](fn@crate::inventory::carry_out), [`casting`](crate::casting) | any |
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::places::{Located, Place};
//! use ecs_mechanics::sight::Cell;
//!
//! /// A step of a stairway.
//! #[derive(Component, Clone)]
//! struct Step(i32);
//!
//! impl Located for Step {
//!     type Place = Cell;
//!     fn place(&self) -> Cell { Cell::new(0, self.0) }
//! }
//!
//! assert!(Step(3).place().is_within(Step(7).place(), 4));
//! assert!(!Step(3).place().is_within(Step(8).place(), 4));
//! ```

use ecs::prelude::*;

use crate::sight::Cell;
use crate::vector::Vec2;

/// A component that says where an entity is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where an entity is",
    label = "not a place of entities",
    note = "write `impl Located for {Self}`, with `use ecs_mechanics::places::Located`; its place is a `Cell`, a `Vec2`, or the `Entity` of a room"
)]
pub trait Located: Component {
    /// The kind of the place.
    type Place: Place;
    /// The place.
    fn place(&self) -> Self::Place;
}

/// A place, with the distance to others. [`Cell`], [`Vec2`] and [`Entity`] implement it.
pub trait Place: Copy + PartialEq + Send + Sync + 'static {
    /// Whether another place is at most `distance` away. A place is within any distance of itself.
    fn is_within(self, other: Self, distance: u32) -> bool;
}

/// The distance is in cells, in a straight line between their middles.
impl Place for Cell {
    fn is_within(self, other: Self, distance: u32) -> bool {
        let [x, y] = [self.x.abs_diff(other.x), self.y.abs_diff(other.y)].map(u128::from);
        x * x + y * y <= u128::from(distance) * u128::from(distance)
    }
}

/// The distance is in the unit of length of [`movement`](crate::movement). A point with NaN is near
/// no point.
impl Place for Vec2 {
    fn is_within(self, other: Self, distance: u32) -> bool {
        (other - self).length() <= distance as f32
    }
}

/// A room. Other rooms are not within any distance.
impl Place for Entity {
    fn is_within(self, other: Self, _distance: u32) -> bool {
        self == other
    }
}
