//! Commands about relations.
#![expect(unsafe_code, reason = "an operation promises what it says of a component")]

use core::marker::PhantomData;

use super::Commands;
use super::failed_command::{self, Origin};
use super::queue::Command;
use crate::entity::Entity;
use crate::error::InsertError;
use crate::relation::{HasRelation, Relation, RelationIn, Relations};
use crate::world::World;

impl<W: World> Commands<'_, W> {
    /// Relates an entity: see [`Relations::relate`]. If a rule refuses it when its turn comes, that is told to the handler
    /// that [`World::on_failed_command`] sets.
    ///
    /// An exclusive relation is a component like any other, and can be inserted, too. What is asked of the same `Commands`
    /// later does not see it.
    pub fn relate<R: RelationIn<W>>(&mut self, source: Entity, relation: R) {
        self.state.queue.push(source, Relate(relation));
    }

    /// Takes the relation of an entity to a target away: see [`Relations::unrelate`].
    pub fn unrelate<R: Relation>(&mut self, source: Entity, target: Entity)
    where
        W: HasRelation<R>,
    {
        self.state.queue.push(source, Unrelate::<R>(target, PhantomData));
    }
}

/// Gives an edge.
struct Relate<R>(R);

/// Takes an edge away.
struct Unrelate<R>(Entity, PhantomData<fn() -> R>);

// SAFETY: it gives no address.
unsafe impl<R: RelationIn<W>, W: World> Command<W> for Relate<R> {
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        let refused = match self.0.__relate(world, entity, None) {
            Ok(_) => return,
            Err(InsertError::NoSuchEntity(_)) => None,
            Err(InsertError::Refused(refused)) => Some(refused),
        };
        failed_command::report(world, entity, "relate", R::RELATION_NAME, refused, origin);
    }
}

// SAFETY: as above.
unsafe impl<R: Relation, W: HasRelation<R>> Command<W> for Unrelate<R> {
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        if world.unrelate::<R>(entity, self.0).is_err() {
            failed_command::report(world, entity, "unrelate", R::RELATION_NAME, None, origin);
        }
    }
}
