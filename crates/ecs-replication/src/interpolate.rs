//! [`Interpolation`]: values between two received frames.

use std::collections::HashMap;

use ecs::{Component, Entity, Has, World};

/// A component with values between two others.
pub trait Interpolate: Component + Clone {
    /// The value at `part` of the way to `next`: 0 is this value, 1 is `next`.
    #[must_use]
    fn interpolate(&self, next: &Self, part: f32) -> Self;
}

/// The last two received values of a component, to be drawn between frames.
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
#[derive(Clone, Debug)]
pub struct Interpolation<T> {
    frames: [u64; 2],
    /// The values at the two frames. The older one is missing for an entity that was not there.
    values: HashMap<Entity, (Option<T>, T)>,
}

impl<T: Interpolate> Interpolation<T> {
    /// Makes an interpolation without values.
    #[must_use]
    pub fn new() -> Self {
        Self { frames: [0; 2], values: HashMap::new() }
    }

    /// Stores the values of all entities with the component, as those of this frame: after
    /// [`Client::receive`](crate::Client::receive) has applied one. Values of a frame that is not
    /// later replace those of the last.
    pub fn record<W: World + Has<T>>(&mut self, world: &W, frame: u64) {
        let is_later = frame > self.frames[1];
        if is_later {
            self.frames = [self.frames[1], frame];
        }
        let mut values = HashMap::with_capacity(self.values.len());
        for (entity, value) in world.query::<(Entity, &T)>() {
            let before = self.values.remove(&entity);
            let before = before.and_then(|(older, newer)| if is_later { Some(newer) } else { older });
            values.insert(entity, (before, value.clone()));
        }
        self.values = values;
    }

    /// The value of an entity at a time between the last two frames; before and after them the
    /// value at the nearer one. `None` if the entity had no value at the last frame.
    #[must_use]
    pub fn at(&self, entity: Entity, frame: f64) -> Option<T> {
        let (before, now) = self.values.get(&entity)?;
        let [from, to] = self.frames.map(|frame| frame as f64);
        match before {
            Some(before) if frame < to && to > from => {
                Some(before.interpolate(now, ((frame - from) / (to - from)).clamp(0.0, 1.0) as f32))
            }
            _ => Some(now.clone()),
        }
    }
}

impl<T: Interpolate> Default for Interpolation<T> {
    fn default() -> Self {
        Self::new()
    }
}
