//! [`EntityCommands`] and [`ParEntityCommands`]: commands for one entity, which is named once.

use super::{Commands, ParCommands};
use crate::bundle::Bundle;
use crate::entity::Entity;
use crate::error::PresentError;
use crate::raw_world::RawWorld;

macro_rules! entity_commands {
    ($($(#[$doc:meta])* $name:ident of $commands:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<'c, W: RawWorld> {
            pub(crate) commands: $commands<'c, W>,
            pub(crate) entity: Entity,
        }

        impl<'c, W: RawWorld> $name<'c, W> {
            pub(super) fn new(commands: $commands<'c, W>, entity: Entity) -> Self {
                Self { commands, entity }
            }

            /// The id of the entity.
            pub fn id(&self) -> Entity {
                self.entity
            }

            /// See [`Commands::insert`].
            pub fn insert<B: Bundle<W>>(&mut self, bundle: B) -> &mut Self // `insert((A, B))`
            {
                self.commands.insert(self.entity, bundle);
                self
            }

            /// See [`Commands::remove`].
            pub fn remove<B: Bundle<W>>(&mut self) -> &mut Self // `remove::<A>()`
            {
                self.commands.remove::<B>(self.entity);
                self
            }

            /// See [`Commands::despawn`].
            pub fn despawn(&mut self) {
                self.commands.despawn(self.entity);
            }

            /// See [`Commands::despawn_if_alive`].
            pub fn despawn_if_alive(&mut self) {
                self.commands.despawn_if_alive(self.entity);
            }
        }

        debug!([W: RawWorld] $name<'_, W>, |this, f| {
            f.debug_tuple(stringify!($name)).field(&this.entity).finish()
        });
    )*};
}

entity_commands! {
    /// The commands for one entity: see [`Commands::entity`].
    ///
    /// The methods return the handle, so that calls can be chained. Each call is one command: the
    /// chain is not applied as a whole.
    EntityCommands of Commands;
    /// The commands for one entity in a system that is marked `par`: see [`ParCommands::entity`].
    ParEntityCommands of ParCommands;
}

impl<W: RawWorld> EntityCommands<'_, W> {
    /// The commands, for another entity.
    pub fn commands(&mut self) -> Commands<'_, W> {
        self.commands.reborrow()
    }

    /// See [`Commands::insert_if_new`].
    ///
    /// # Errors
    /// If the entity is not alive or has one of the components, or will have one by an earlier
    /// command of these commands.
    pub fn insert_if_new<B: Bundle<W>>(&mut self, bundle: B) -> Result<&mut Self, PresentError> {
        self.commands.insert_if_new(self.entity, bundle)?;
        Ok(self)
    }
}
