//! [`Prediction`]: the effects of inputs before the server has answered.

use std::fmt;

use ecs::world::SnapshotWorld;
use ecs::{Snapshot, World};

/// The prediction of a client: the inputs that the server has not received are applied to the
/// received state, and taken back before the next message is read.
///
/// A [`Snapshot`] of the received state is kept between [`predict`](Self::predict) and
/// [`undo`](Self::undo). Everything that happens to the world in between is undone, so systems that
/// only draw belong there, and the client's own lasting state into resources marked
/// `#[resource(skip)]`, or outside of the world.
pub struct Prediction<W> {
    received: Option<Snapshot<W>>,
}

impl<W: World + SnapshotWorld> Prediction<W> {
    /// Makes a prediction that has not begun.
    #[must_use]
    pub const fn new() -> Self {
        Self { received: None }
    }

    /// Applies inputs to the world, in their order. A second call without [`undo`](Self::undo) adds
    /// to the first one.
    pub fn predict<'i, I: 'i>(
        &mut self,
        world: &mut W,
        inputs: impl IntoIterator<Item = &'i I>,
        mut apply: impl FnMut(&mut W, &I),
    ) {
        if self.received.is_none() {
            self.received = Some(world.snapshot());
        }
        inputs.into_iter().for_each(|input| apply(world, input));
    }

    /// Restores the received state. To be called before
    /// [`Client::receive`](crate::Client::receive).
    pub fn undo(&mut self, world: &mut W) {
        if let Some(received) = self.received.take() {
            world.restore(&received);
        }
    }
}

impl<W: World + SnapshotWorld> Default for Prediction<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> fmt::Debug for Prediction<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prediction").field("is_predicted", &self.received.is_some()).finish()
    }
}
