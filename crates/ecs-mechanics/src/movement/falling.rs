//! [`Gravity`], [`Fall`] and [`Jump`].

use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Contacts, MotionReason, MotionRefusal, Obstacle, Velocity};
use crate::vector::Vec2;

/// The velocity that all entities with [`Fall`] get in each second. A resource.
///
/// Its direction is down. A program in which y grows downwards, as on a screen, sets a positive y.
/// Without gravity nothing is on the ground, and nothing jumps.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gravity(pub Vec2);

impl Default for Gravity {
    /// The gravity of the earth in meters, with y upwards.
    fn default() -> Self {
        Self(Vec2::new(0.0, -9.81))
    }
}

impl Gravity {
    /// The direction that is down, with the length 1; `None` if there is no gravity.
    #[must_use]
    pub fn down(&self) -> Option<Vec2> {
        self.0.unit()
    }
}

/// Lets its entity fall, and has the ground on which the entity stands. A component.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Velocity, Contacts))]
pub struct Fall {
    /// The greatest speed of the fall, in units of length for each second.
    pub terminal_speed: f32,
    ground: Option<Obstacle>,
}

impl Default for Fall {
    /// An entity that falls without a greatest speed.
    fn default() -> Self {
        Self::new(f32::INFINITY)
    }
}

impl Fall {
    /// An entity that falls with at most this speed.
    #[must_use]
    pub const fn new(terminal_speed: f32) -> Self {
        Self { terminal_speed, ground: None }
    }

    /// The obstacle on which the entity has stood at the end of the last step. The ground is up to
    /// 45 degrees steep.
    #[must_use]
    pub const fn ground(&self) -> Option<Obstacle> {
        self.ground
    }

    /// Whether the entity has stood on the ground at the end of the last step.
    #[must_use]
    pub const fn is_on_ground(&self) -> bool {
        self.ground.is_some()
    }
}

/// Lets its entity jump from the ground, and a limited number of times in the air: see [`jump`]. A
/// component, which requires a [`Fall`].
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Fall))]
pub struct Jump {
    /// The speed against gravity that a jump gives, in units of length for each second.
    pub speed: f32,
    /// The number of jumps in the air before the next landing: 1 for a double jump.
    pub air_jumps: u32,
    /// The time after a walk over an edge in which the entity can still jump as from the ground
    /// ("coyote time").
    pub coyote: Duration,
    /// The time for which a [`press`](Self::press) waits until the entity can jump, such as just
    /// before a landing ("jump buffering").
    pub buffer: Duration,
    /// The time that the entity has been in the air.
    airborne: Duration,
    /// Whether the entity came into the air by a jump.
    jumped: bool,
    air_jumps_taken: u32,
    /// The time for which the press is still valid; `None` without a press.
    pressed: Option<Duration>,
}

impl Jump {
    /// An entity that jumps from the ground only, with this speed.
    #[must_use]
    pub const fn new(speed: f32) -> Self {
        Self {
            speed,
            air_jumps: 0,
            coyote: Duration::ZERO,
            buffer: Duration::ZERO,
            airborne: Duration::MAX,
            jumped: false,
            air_jumps_taken: 0,
            pressed: None,
        }
    }

    /// The settings with so many jumps in the air.
    #[must_use]
    pub const fn with_air_jumps(self, air_jumps: u32) -> Self {
        Self { air_jumps, ..self }
    }

    /// The settings with this coyote time.
    #[must_use]
    pub const fn with_coyote(self, coyote: Duration) -> Self {
        Self { coyote, ..self }
    }

    /// The settings with this time of buffering.
    #[must_use]
    pub const fn with_buffer(self, buffer: Duration) -> Self {
        Self { buffer, ..self }
    }

    /// Asks for a jump: in the next step, or as soon as it is possible within the time of the
    /// buffer.
    pub fn press(&mut self) {
        self.pressed = Some(self.buffer);
    }

    /// The number of the jump that is possible now: 0 from the ground, then 1, 2, .. in the air.
    fn possible(&self, is_on_ground: bool) -> Option<u32> {
        if is_on_ground || (!self.jumped && self.airborne <= self.coyote) {
            return Some(0);
        }
        (self.air_jumps_taken < self.air_jumps).then_some(self.air_jumps_taken + 1)
    }
}

/// An entity has jumped. An event; [`jump`] sends it.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Jumped {
    /// The entity.
    pub entity: Entity,
    /// 0 for a jump from the ground, 1 for the first one in the air, ..
    pub number: u32,
}

/// An entity with [`Fall`] has come to the ground. An event; [`land`] sends it.
#[derive(Event, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Landed {
    /// The entity.
    pub entity: Entity,
    /// The ground.
    pub on: Obstacle,
    /// The speed with which it came, against the ground.
    pub speed: f32,
}

/// System: lets entities jump that have been [asked](Jump::press) to. A jump replaces the velocity
/// along [`Gravity`].
#[system]
pub fn jump(
    entity: Entity,
    jump: &mut Jump,
    fall: &mut Fall,
    velocity: &mut Velocity,
    gravity: Res<Gravity>,
    time: Res<FixedTime>,
    mut jumped: EventWriter<Jumped>,
    mut refused: EventWriter<MotionRefusal>,
) {
    // the time in the air allows a late jump after an edge; on the ground all jumps are there again
    if fall.is_on_ground() {
        (jump.airborne, jump.jumped, jump.air_jumps_taken) = (Duration::ZERO, false, 0);
    } else {
        jump.airborne = jump.airborne.saturating_add(time.step());
    }
    let (Some(left), Some(down)) = (jump.pressed, gravity.down()) else { return };
    // not possible yet: the wish stays for a while, for a landing that follows
    let Some(number) = jump.possible(fall.is_on_ground()) else {
        jump.pressed = left.checked_sub(time.step());
        return;
    };
    // only the part along gravity is replaced: a jump keeps the speed to the side
    let changed = velocity.0 - down * (velocity.0.dot(down) + jump.speed);
    if !changed.is_finite() {
        let reason = if jump.speed.is_finite() { MotionReason::Velocity } else { MotionReason::Jump };
        return refused.send(MotionRefusal { entity, reason });
    }
    // the wish is fulfilled, and the entity is in the air at once
    velocity.0 = changed;
    fall.ground = None;
    (jump.pressed, jump.jumped, jump.air_jumps_taken) = (None, true, number);
    jumped.send(Jumped { entity, number });
}

/// System: adds [`Gravity`] to the velocity of each entity with [`Fall`], up to its terminal speed.
#[system]
pub fn fall(
    entity: Entity,
    fall: &Fall,
    velocity: &mut Velocity,
    gravity: Res<Gravity>,
    time: Res<FixedTime>,
    mut refused: EventWriter<MotionRefusal>,
) {
    // a wrong value moves nothing, and is reported, so that no position becomes NaN
    let reason = if !gravity.0.is_finite() {
        MotionReason::Gravity
    } else if fall.terminal_speed.is_nan() || fall.terminal_speed < 0.0 {
        MotionReason::Fall
    } else {
        let Some(down) = gravity.down() else { return };
        let mut changed = velocity.0 + gravity.0 * time.step().as_secs_f32();
        let speed = changed.dot(down);
        // only the part along gravity has an upper bound
        if speed > fall.terminal_speed {
            changed -= down * (speed - fall.terminal_speed);
        }
        if changed.is_finite() {
            velocity.0 = changed;
            return;
        }
        MotionReason::Velocity
    };
    refused.send(MotionRefusal { entity, reason });
}

/// System: notes the ground on which each entity with [`Fall`] stands after it was moved, and sends
/// [`Landed`].
#[system]
pub fn land(
    entity: Entity,
    fall: &mut Fall,
    contacts: &Contacts,
    gravity: Res<Gravity>,
    mut landed: EventWriter<Landed>,
) {
    let contact = gravity.down().and_then(|down| contacts.against(-down));
    let before = std::mem::replace(&mut fall.ground, contact.map(|contact| contact.with));
    if let (None, Some(contact)) = (before, contact) {
        landed.send(Landed { entity, on: contact.with, speed: contact.speed });
    }
}
