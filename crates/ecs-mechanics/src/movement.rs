//! Movement in two dimensions: entities walk, turn, move to a point, bump into walls and each
//! other, fall and jump.
//!
//! Each ability is a component. A [`Body`] is a shape that moves, what is [`Solid`] stops it, and a
//! map of [`SolidCells`] does so, too. The systems run in steps of one length, those of the
//! [`FixedTime`] in [`clocks::fixed_step`](crate::clocks::fixed_step): the same program has the same
//! positions to the last bit on every machine.
//!
//! | component | ability | system |
//! |---|---|---|
//! | [`Velocity`] | keeps moving | [`glide`], [`glide_on`] |
//! | [`MoveTowards`] | moves to a point, and arrives exactly there | the same |
//! | [`Body`], [`Solid`] | bump, and slide along: [`Bumped`], [`Contacts`] | the same |
//! | [`Walk`] | accelerates up to a top speed, and brakes | [`walk`](fn@walk) |
//! | [`Friction`] | slows down | [`slow_down`] |
//! | [`Heading`], [`TurnTowards`] | turns, with a greatest angle for each second | [`turn`](fn@turn) |
//! | [`Fall`] | falls up to a terminal speed, and lands: [`Landed`] | [`fall`](fn@fall), [`land`] |
//! | [`Jump`] | jumps from the ground and in the air: [`Jumped`] | [`jump`](fn@jump) |
//!
//! The schedule [`step`] runs all of them. With a map,
//! `include movement::accelerate; glide_on::<Map>; include movement::settle` takes its place. A
//! value with which an entity cannot move, such as a velocity of NaN, is answered by the event
//! [`MotionRefusal`]; [`check_motion`] makes it an error.
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs::FixedTime;
//! use ecs_mechanics::clocks;
//! use ecs_mechanics::movement::{self, Body, Fall, Gravity, Jump, Landed, Position, Shape, Solid, Vec2, Walk};
//!
//! world! {
//!     struct Court {
//!         include clocks::fixed_step { FixedTime = FixedTime::new(Duration::from_millis(10)) };
//!         include movement::movement { Landed(external) };
//!     }
//!     schedule simulate every FixedTime { include movement::step }
//! }
//!
//! let mut court = Court::new();
//! court.spawn((Position(Vec2::new(0.0, -0.5)), Solid(Shape::rectangle(20.0, 1.0))));
//! court.spawn((Position(Vec2::new(6.0, 1.0)), Solid(Shape::rectangle(1.0, 2.0))));
//! let body = (Position(Vec2::new(0.0, 0.6)), Body(Shape::rounded(0.6, 1.0, 0.2)), Fall::default());
//! let hero = court.spawn((body, Walk { wish: Vec2::new(1.0, 0.0), ..Walk::new(5.0, 40.0) }, Jump::new(5.0)));
//!
//! for frame in 0..320 {
//!     if frame == 200 {
//!         court.get_mut::<Jump>(hero).unwrap().press();
//!     }
//!     court.resource_mut::<FixedTime>().advance(Duration::from_millis(10));
//!     court.simulate();
//! }
//! let Position(at) = *court.get(hero).unwrap();
//! assert!((5.19..5.2).contains(&at.x), "the wall stops the hero");
//! assert!((0.5..0.51).contains(&at.y), "it stands on the floor again, after a jump of a second");
//! assert_eq!(court.drain::<Landed>().count(), 2);
//! ```
//!
//! # Limits
//! Bodies have no mass: they slide, and neither push what they bump into nor bounce. A moving
//! platform lifts what stands on it, and does not carry it sideways. Shapes do not rotate.

mod contact;
mod falling;
mod gliding;
mod heading;
mod refusal;
mod shape;
mod solids;
mod sweep;
mod walking;

use ecs::prelude::*;

pub use self::contact::{Bumped, Contact, Contacts, Obstacle};
pub use self::falling::{Fall, Gravity, Jump, Jumped, Landed, fall, jump, land};
pub use self::gliding::{Arrived, MoveTowards, glide, glide_on};
pub use self::heading::{Heading, TurnTowards, turn};
pub use self::refusal::{MotionReason, MotionRefusal, check_motion};
pub use self::shape::{Body, Position, Shape, Solid, Velocity};
pub use self::solids::SolidCells;
pub use self::walking::{Friction, Walk, slow_down, walk};
pub use crate::vector::Vec2;

parts! {
    /// Movement in two dimensions.
    pub movement {
        needs crate::clocks::fixed_step;
        components {
            Position, Velocity, MoveTowards, Body, Solid, Contacts, Walk, Friction, Heading, TurnTowards, Fall, Jump,
        }
        resources {
            /// The velocity that falling entities get in each second.
            gravity: Gravity = Gravity::default(),
        }
        events { Bumped, Arrived, Jumped, Landed, MotionRefusal }
        schedule accelerate { turn; walk; slow_down; jump; fall }
        schedule settle { land }
        schedule step { turn; walk; slow_down; jump; fall; glide; land }
    }
}
