//! The commands [`Commands::relate`] and [`Commands::unrelate`].

use core::marker::PhantomData;

use crate::base::thread_safe::ThreadSafe;
use crate::command::failed_command::{self, Origin};
use crate::command::queue::Command;
use crate::command::{Commands, EntityCommands, ParCommands, ParEntityCommands};
use crate::entity::Entity;
use crate::error::InsertError;
use crate::relation::{HasRelation, Relation, RelationIn, Relations};
use crate::world::World;

macro_rules! relation_commands {
    ($($commands:ident and $of_one:ident;)*) => {$(
        impl<W: World> $commands<'_, W> {
            /// Adds a relation to an entity: see [`Relations::relate`].
            ///
            /// If the entity does not exist when the command is applied, or a component rule
            /// refuses the relation, the command fails: see [`World::on_failed_command`].
            ///
            /// An exclusive relation is a component and can be added by [`insert`](Self::insert),
            /// too. [`Commands::has`] and [`Commands::get`] do not take relations into account
            /// that were added by `relate`.
            pub fn relate<R: RelationIn<W> + ThreadSafe>(&mut self, source: Entity, relation: R) // `relate(a, Likes(b))`
            {
                self.queue().push(source, Relate(relation));
            }

            /// Removes the relation of an entity to a target: see [`Relations::unrelate`].
            pub fn unrelate<R: Relation>(&mut self, source: Entity, target: Entity)
            where
                W: HasRelation<R>,
            {
                self.queue().push(source, Unrelate::<R>(target, PhantomData));
            }
        }

        impl<W: World> $of_one<'_, W> {
            /// See [`Commands::relate`].
            pub fn relate<R: RelationIn<W> + ThreadSafe>(&mut self, relation: R) -> &mut Self // `relate(Likes(b))`
            {
                self.commands.relate(self.entity, relation);
                self
            }

            /// See [`Commands::unrelate`].
            pub fn unrelate<R: Relation>(&mut self, target: Entity) -> &mut Self
            where
                W: HasRelation<R>,
            {
                self.commands.unrelate::<R>(self.entity, target);
                self
            }
        }
    )*};
}

relation_commands! {
    Commands and EntityCommands;
    ParCommands and ParEntityCommands;
}

/// Command: adds an edge.
struct Relate<R>(R);

/// Command: removes an edge.
struct Unrelate<R>(Entity, PhantomData<fn() -> R>);

impl<R: RelationIn<W> + ThreadSafe, W: World> Command<W> for Relate<R> {
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        let refused = match self.0.__relate(world, entity, None) {
            Ok(_) => return,
            Err(InsertError::NoSuchEntity(_)) => None,
            Err(InsertError::Refused(refused)) => Some(refused),
        };
        failed_command::report(world, entity, "relate", R::RELATION_NAME, refused, origin);
    }
}

impl<R: Relation, W: HasRelation<R>> Command<W> for Unrelate<R> {
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        if world.unrelate::<R>(entity, self.0).is_err() {
            failed_command::report(world, entity, "unrelate", R::RELATION_NAME, None, origin);
        }
    }
}
