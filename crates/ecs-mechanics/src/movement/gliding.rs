//! [`glide`] and [`glide_on`], the systems that move entities, and [`MoveTowards`].

use ecs::prelude::*;
use ecs::{FixedTime, SystemParam};
use serde::{Deserialize, Serialize};

use super::solids::{Cells, Mover, SolidCells, Solids, extent, note};
use super::sweep::{Point, dot, moved};
use super::{Body, Bumped, Contact, Contacts, MotionReason, MotionRefusal, Position, Solid, Velocity};
use crate::vector::Vec2;

/// The most obstacles along which a body slides in one step.
const MOST_HITS: usize = 4;

/// Moves its entity to a point, on a straight line and with a constant speed. A component.
///
/// It sets the [`Velocity`] in each step, whatever other systems have set it to, until the entity
/// is at the target: exactly there, to the last bit. Then the target becomes `None`, the velocity
/// zero, and [`Arrived`] is sent. A body that bumps into something slides along, and goes on
/// towards the target in the next step.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Velocity))]
pub struct MoveTowards {
    /// The point; with `None`, the entity moves by its velocity.
    pub target: Option<Vec2>,
    /// The speed, in units of length for each second.
    pub speed: f32,
}

/// An entity has arrived at the target of its [`MoveTowards`]. An event; [`glide`] sends it.
#[derive(Event, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arrived {
    /// The entity.
    pub entity: Entity,
    /// The target.
    pub at: Vec2,
}

/// The place and the velocity of an entity after a step without obstacles.
struct PlannedStep {
    end: Vec2,
    velocity: Vec2,
    /// The target, if the entity is there at the end of the step.
    arrives: Option<Vec2>,
}

impl PlannedStep {
    fn new(
        at: Vec2,
        velocity: Vec2,
        towards: Option<&MoveTowards>,
        seconds: f32,
    ) -> Result<Self, MotionReason> {
        if !at.is_finite() {
            return Err(MotionReason::Position);
        }
        // by the velocity, unless there is a target, which replaces it
        let mut plan = Self { end: at + velocity * seconds, velocity, arrives: None };
        if let Some(MoveTowards { target: Some(target), speed }) = towards {
            if !(target.is_finite() && *speed >= 0.0) {
                return Err(MotionReason::MoveTowards);
            }
            let way = *target - at;
            if !way.is_finite() {
                return Err(MotionReason::MoveTowards);
            }
            // within one step: arrive exactly, with the velocity that leads there
            plan = if way.length() <= speed * seconds {
                Self { end: *target, velocity: way / seconds, arrives: Some(*target) }
            } else {
                let velocity = way.unit().unwrap_or_default() * *speed;
                Self { end: at + velocity * seconds, velocity, arrives: None }
            };
        }
        // the reason is the component that has caused the value
        match towards {
            _ if plan.end.is_finite() && plan.velocity.is_finite() => Ok(plan),
            Some(MoveTowards { target: Some(_), .. }) => Err(MotionReason::MoveTowards),
            _ => Err(MotionReason::Velocity),
        }
    }
}

/// The result of a step of a body.
struct Moved {
    at: Vec2,
    velocity: Vec2,
}

/// Moves a body along a way as far as it can, and along the obstacles that it comes to.
fn slide(
    mover: Mover<'_>,
    at: Vec2,
    plan: &PlannedStep,
    solids: &Solids,
    cells: Option<Cells<'_>>,
    contacts: &mut Vec<Contact>,
) -> Moved {
    let start: Point = [at.x.into(), at.y.into()];
    let end: Point = [plan.end.x.into(), plan.end.y.into()];
    let mut at = solids.push_out(mover, start);
    let mut way = moved(end, start, -1.0);
    let mut is_free = at == start;
    if let Some(cells) = cells {
        let most = Cells::MOST * cells.width / way[0].abs().max(way[1].abs());
        if most < 1.0 {
            (way, is_free) = (way.map(|at| at * most), false);
        }
    }
    let mut velocity: Point = [plan.velocity.x.into(), plan.velocity.y.into()];
    for _ in 0..MOST_HITS {
        if way == [0.0; 2] {
            break;
        }
        let mut first = solids.first_hit(mover, at, way);
        if let Some(cell) = cells.and_then(|cells| cells.first_hit(mover, at, way))
            && first.as_ref().is_none_or(|first| cell.hit.part < first.hit.part)
        {
            first = Some(cell);
        }
        let Some(first) = first else {
            at = moved(at, way, 1.0);
            break;
        };
        is_free = false;
        let normal = first.hit.normal;
        at = moved(at, way, first.hit.part);
        way = way.map(|at| at * (1.0 - first.hit.part));
        way = moved(way, normal, -dot(way, normal).min(0.0));
        let speed = dot(velocity, normal).min(0.0);
        velocity = moved(velocity, normal, -speed);
        note(contacts, first.with, normal, -speed);
    }
    let narrow = |at: Point| Vec2::new(at[0] as f32, at[1] as f32);
    // the end is exact if nothing was in the way
    Moved { at: if is_free { plan.end } else { narrow(at) }, velocity: narrow(velocity) }
}

/// The distance at which a body stops before an obstacle: a part of its own size, and more than the
/// errors of rounding at its place.
fn skin(Body(shape): &Body, at: Vec2) -> f64 {
    let (width, height) = shape.size();
    let smaller = f64::from(width.min(height)) / 2.0;
    (smaller / 256.0).max(rounding(at))
}

/// A distance greater than the errors of rounding at a place.
fn rounding(at: Vec2) -> f64 {
    f64::from(at.x.abs().max(at.y.abs())) / f64::from(1 << 21)
}

/// Checks that a map can tell what a body touches in reasonable time.
fn fits(body: &Body, at: Vec2, cells: Option<Cells<'_>>) -> Result<(), MotionReason> {
    let Some(cells) = cells else { return Ok(()) };
    let widest = Cells::WIDEST * cells.width;
    if 2.0 * extent(&body.0) > widest {
        return Err(MotionReason::Body);
    }
    // far away the errors of rounding are wider than a cell
    if rounding(at) > cells.width { Err(MotionReason::TooFar) } else { Ok(()) }
}

/// An entity that moves, or is in the way of others.
#[derive(Query)]
pub struct Glider<'w> {
    entity: Entity,
    position: &'w mut Position,
    velocity: Option<&'w mut Velocity>,
    towards: Option<&'w mut MoveTowards>,
    body: Option<&'w Body>,
    solid: Option<&'w Solid>,
    contacts: Option<&'w mut Contacts>,
}

/// Passes entities that move, and those that stand in the way.
type MovesOrBlocks = Or<(With<Velocity>, With<Solid>)>;

/// The parameters of [`glide`] and [`glide_on`], apart from the map.
#[derive(SystemParam)]
pub struct Gliders<'w> {
    gliders: Query<'w, Glider<'static>, MovesOrBlocks>,
    time: Res<'w, FixedTime>,
    bumped: EventWriter<'w, Bumped>,
    arrived: EventWriter<'w, Arrived>,
    refused: EventWriter<'w, MotionRefusal>,
}

impl Gliders<'_> {
    /// A step of all entities, in the order of their slots.
    fn step(&mut self, cells: Option<Cells<'_>>) {
        let seconds = self.time.step().as_secs_f32();
        // all solid entities where they are before the step; each is updated when it has moved
        let mut solids = Solids::default();
        solids.collect(
            self.gliders
                .iter()
                .filter_map(|(entity, position, .., solid, _)| Some((entity, position.0, solid?.0)))
                .filter(|(_, at, _)| at.is_finite()),
        );
        let mut touched = Vec::new();
        for glider in &mut self.gliders {
            let Glider { entity, position, velocity, towards, body, solid, contacts } = glider;
            let Some(velocity) = velocity else { continue };
            touched.clear();
            // the way without obstacles; an entity with a wrong value stays, and the others move
            let plan = PlannedStep::new(position.0, velocity.0, towards.as_deref(), seconds);
            let plan = plan.and_then(|plan| {
                body.map_or(Ok(()), |body| fits(body, position.0, cells))?;
                Ok(plan)
            });
            let plan = match plan {
                Ok(plan) => plan,
                Err(reason) => {
                    self.refused.send(MotionRefusal { entity, reason });
                    continue;
                }
            };
            // a body slides along what it touches; anything else goes the whole way
            let mut moved = Moved { at: plan.end, velocity: plan.velocity };
            if let Some(body) = body {
                let mover = Mover { entity, shape: &body.0, skin: skin(body, position.0) };
                moved = slide(mover, position.0, &plan, &solids, cells, &mut touched);
            }
            if !(moved.at.is_finite() && moved.velocity.is_finite()) {
                self.refused.send(MotionRefusal { entity, reason: MotionReason::TooFar });
                continue;
            }
            (position.0, velocity.0) = (moved.at, moved.velocity);
            if solid.is_some() {
                solids.moved(entity, moved.at);
            }
            // arrived only if nothing has stopped it before
            if let (Some(at), Some(towards)) = (plan.arrives.filter(|at| *at == moved.at), towards) {
                (towards.target, velocity.0) = (None, Vec2::ZERO);
                self.arrived.send(Arrived { entity, at });
            }
            // the first touch is an event, a lasting one is not
            if let Some(contacts) = contacts {
                contacts.update(&touched, |contact| {
                    let Contact { with: into, normal, speed } = *contact;
                    self.bumped.send(Bumped { entity, into, normal, speed });
                });
            }
        }
    }
}

/// System: moves each entity by its [`Velocity`], and each [`Body`] as far as [`Solid`] entities
/// let it.
///
/// Entities move one after the other, in the order of their slots: each meets those before it where
/// they are after the step, and those after it where they were. A body stops at the first obstacle
/// on its way, however fast it is, and slides along it with the rest of the step. Its velocity
/// loses the part against the obstacle. It stops a little before it, by 1/256 of half its own size.
/// A body that is inside of a solid entity is first pushed out on the shortest way, and one inside
/// of a solid cell can move out, but not deeper.
///
/// [`Bumped`] events are sent in the order of the slots, and for one body in the order in which it
/// came to the obstacles.
///
/// # Cost
/// Linear in the number of solid entities, of bodies, and of the solid entities near each body. A
/// few solid entities that are much larger than the others cost little. A solid entity that moves
/// far in one step makes the search wider for all bodies.
#[system]
pub fn glide(mut gliders: Gliders<'_>) {
    gliders.step(None);
}

/// System: [`glide`] where the cells of a map stop bodies, too, as `glide_on::<Level>`.
///
/// Adjacent solid cells are one wall, along which bodies slide without a bump. On a map, a step
/// moves a body by at most 4,096 cells along an axis: a longer way is cut there.
///
/// # Panics
/// If [`cell_width`](SolidCells::cell_width) returns no finite number greater than zero.
#[system]
pub fn glide_on<M: SolidCells>(mut gliders: Gliders<'_>, map: Res<M>) {
    let width = map.cell_width();
    assert!(
        width > 0.0 && width.is_finite(),
        "`SolidCells::cell_width` of `{}` returned {width}; it must be finite and greater than zero",
        M::RESOURCE_NAME
    );
    let is_solid = |cell| map.is_solid(cell);
    let cells = Cells { is_solid: &is_solid, width: width.into() };
    gliders.step(Some(cells));
}
