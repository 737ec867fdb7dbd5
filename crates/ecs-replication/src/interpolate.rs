//! [`Interpolation`]: values between received frames.

use std::collections::{HashMap, VecDeque};

use ecs::{Component, Entity, Has, World};

/// A component with values between two others.
pub trait Interpolate: Component + Clone {
    /// The value at `part` of the way to `next`: 0 is this value, 1 is `next`.
    #[must_use]
    fn interpolate(&self, next: &Self, part: f32) -> Self;
}

/// The last received values of a component, to be drawn between frames: those of two frames, or of
/// [more](Self::frames).
///
/// ```
/// use ecs::prelude::*;
/// use ecs_replication::{Interpolate, Interpolation};
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Place(f32);
/// impl Interpolate for Place {
///     fn interpolate(&self, next: &Self, part: f32) -> Self {
///         Place(self.0 + (next.0 - self.0) * part)
///     }
/// }
/// world! { struct Game { components { Place } } }
///
/// let mut game = Game::new();
/// let ship = game.spawn(Place(1.0));
/// let mut shown = Interpolation::<Place>::new();
/// shown.record(&game, 10);
/// game.get_mut::<Place>(ship).unwrap().0 = 3.0;
/// shown.record(&game, 14);
/// assert_eq!(shown.at(ship, 11.0), Some(Place(1.5)));
/// assert_eq!(shown.at(ship, 20.0), Some(Place(3.0)));
/// ```
///
/// A [`JitterBuffer`](crate::JitterBuffer) says which frame to draw at which time.
#[derive(Clone, Debug)]
pub struct Interpolation<T> {
    /// The last frame that was recorded.
    frame: u64,
    /// The most values of an entity.
    most: usize,
    /// The values of each entity that was there at the last frame, by their frames, which ascend.
    values: HashMap<Entity, VecDeque<(u64, T)>>,
}

impl<T: Interpolate> Interpolation<T> {
    /// Makes an interpolation without values.
    #[must_use]
    pub fn new() -> Self {
        Self { frame: 0, most: 2, values: HashMap::new() }
    }

    /// Keeps the values of so many frames in place of two: those of the longest delay with which
    /// the program draws, and two more.
    #[must_use]
    pub fn frames(self, most: usize) -> Self {
        Self { most: most.max(2), ..self }
    }

    /// Stores the values of all entities with the component, as those of this frame: after
    /// [`Client::receive`](crate::Client::receive) has applied one. Values of a frame that is not
    /// later replace those of the last.
    pub fn record<W: World + Has<T>>(&mut self, world: &W, frame: u64) {
        self.frame = self.frame.max(frame);
        let mut values = HashMap::with_capacity(self.values.len());
        for (entity, value) in world.query::<(Entity, &T)>() {
            let mut frames = self.values.remove(&entity).unwrap_or_default();
            if frames.back().is_some_and(|&(last, _)| last == self.frame) {
                frames.pop_back();
            }
            if frames.len() >= self.most {
                frames.pop_front();
            }
            frames.push_back((self.frame, value.clone()));
            values.insert(entity, frames);
        }
        self.values = values;
    }

    /// The value of an entity at a time between two of the frames; before and after all of them the
    /// value at the nearest one. `None` if the entity had no value at the last frame.
    #[must_use]
    pub fn at(&self, entity: Entity, frame: f64) -> Option<T> {
        let frames = self.values.get(&entity)?;
        let later = frames.partition_point(|&(at, _)| at as f64 <= frame);
        let before = later.checked_sub(1).and_then(|at| frames.get(at));
        match (before, frames.get(later)) {
            (Some((from, before)), Some((to, next))) => {
                let part = (frame - *from as f64) / (to - from) as f64;
                Some(before.interpolate(next, part as f32))
            }
            (nearest, other) => nearest.or(other).map(|(_, value)| value.clone()),
        }
    }
}

impl<T: Interpolate> Default for Interpolation<T> {
    fn default() -> Self {
        Self::new()
    }
}
