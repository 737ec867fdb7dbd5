//! [`Walk`], with acceleration and a top speed, and [`Friction`].

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Fall, Gravity, MotionReason, MotionRefusal, Velocity};
use crate::vector::Vec2;

/// Changes the [`Velocity`] of its entity to that with which it wants to walk: see [`walk`]. A
/// component.
///
/// The fields are settings, except for the wish, which the game sets when a key is pressed or a
/// mind decides.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Velocity))]
pub struct Walk {
    /// The direction, with a length of at most 1: a longer wish counts as one of length 1, a
    /// shorter one is a slower walk.
    pub wish: Vec2,
    /// The top speed, in units of length for each second.
    pub speed: f32,
    /// The change of the velocity in each second while there is a wish. With an infinite one, the
    /// entity has its top speed at once.
    pub acceleration: f32,
    /// The change of the velocity in each second while the wish is zero. With an infinite one, the
    /// entity stands at once.
    pub braking: f32,
}

impl Walk {
    /// A walk without a wish, with this top speed, and with an acceleration and a braking of this
    /// amount.
    #[must_use]
    pub const fn new(speed: f32, acceleration: f32) -> Self {
        Self { wish: Vec2::ZERO, speed, acceleration, braking: acceleration }
    }
}

/// Slows its entity down by this speed in each second, until it stands. A component; an entity with
/// [`Walk`] brakes by itself, and ignores it.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Velocity))]
pub struct Friction(pub f32);

/// The velocity after a change of at most this length, towards the wanted one. It is exactly that,
/// if it is near enough.
fn approach(now: Vec2, wanted: Vec2, most: f32) -> Vec2 {
    let way = wanted - now;
    if way.length() <= most { wanted } else { now + way.at_most(most) }
}

/// [`approach`], which leaves the part along gravity alone if the entity falls.
fn approach_beside(now: Vec2, wanted: Vec2, most: f32, down: Option<Vec2>) -> Vec2 {
    let Some(down) = down else { return approach(now, wanted, most) };
    let falls = down * now.dot(down);
    falls + approach(now - falls, wanted - down * wanted.dot(down), most)
}

fn is_amount(amount: f32) -> bool {
    amount >= 0.0
}

/// System: changes the [`Velocity`] of each entity with [`Walk`] towards its wish, by at most its
/// acceleration. With [`Fall`], only the direction across [`Gravity`] changes.
#[system]
pub fn walk(
    entity: Entity,
    walk: &Walk,
    velocity: &mut Velocity,
    falls: Is<Fall>,
    gravity: Res<Gravity>,
    time: Res<FixedTime>,
    mut refused: EventWriter<MotionRefusal>,
) {
    let Walk { wish, speed, acceleration, braking } = *walk;
    let is_valid =
        wish.is_finite() && speed.is_finite() && [speed, acceleration, braking].into_iter().all(is_amount);
    let rate = if wish == Vec2::ZERO { braking } else { acceleration };
    let down = if *falls { gravity.down() } else { None };
    let changed =
        approach_beside(velocity.0, wish.at_most(1.0) * speed, rate * time.step().as_secs_f32(), down);
    if is_valid && changed.is_finite() {
        velocity.0 = changed;
    } else {
        let reason = if is_valid { MotionReason::Velocity } else { MotionReason::Walk };
        refused.send(MotionRefusal { entity, reason });
    }
}

/// System: slows each entity with [`Friction`] down. With [`Fall`], only the direction across
/// [`Gravity`] changes.
#[system]
pub fn slow_down(
    entity: Entity,
    friction: &Friction,
    velocity: &mut Velocity,
    falls: Is<Fall>,
    _: Without<Walk>,
    gravity: Res<Gravity>,
    time: Res<FixedTime>,
    mut refused: EventWriter<MotionRefusal>,
) {
    let down = if *falls { gravity.down() } else { None };
    let changed = approach_beside(velocity.0, Vec2::ZERO, friction.0 * time.step().as_secs_f32(), down);
    if is_amount(friction.0) && changed.is_finite() {
        velocity.0 = changed;
    } else {
        let reason = if is_amount(friction.0) { MotionReason::Velocity } else { MotionReason::Friction };
        refused.send(MotionRefusal { entity, reason });
    }
}
