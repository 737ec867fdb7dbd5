//! Methods of other ECS libraries that this one does not have, such as `commands.entity(id)`: each call is one compile error that
//! says what to write instead.
//!
//! Each method has a condition that never holds, whose message the compiler prints. The methods belong to types to which worlds,
//! queries, readers, writers and commands dereference. The compiler looks for a method there last, so that a method of the library,
//! a schedule, or a method of a user's trait is found first, whatever its name is. For most methods the type of the result is left
//! open, so that the compiler prints no second error for the use of the result.
//!
//! `Entity` does not dereference to such a type: `*entity` is a common mistake, for which the compiler has a good message. Its methods
//! are those of a trait.

use core::marker::PhantomData;
use core::ops::Deref;

use crate::command::Commands;
use crate::event::{EventReader, EventWriter};
use crate::query::{Data, Filter, Query};
use crate::relation::{Related, Relation};
use crate::world::World;

/// Makes a type with methods, and for each method its condition: a trait that no type implements.
macro_rules! verbs {
    (
        $(#[doc = $doc:literal])*
        $of:ident;
        $($condition:ident: fn $verb:ident [$($generics:tt)*] ($($argument:ty),*) -> $result:ty:
            $message:literal, $label:literal $(, $note:literal)?;)*
    ) => {
        $(#[doc = $doc])*
        pub struct $of<Item>(core::marker::PhantomData<fn() -> Item>);

        #[allow(
            clippy::should_implement_trait,
            clippy::unused_self,
            clippy::extra_unused_type_parameters,
            reason = "the signatures are those of other libraries"
        )]
        impl<Item> $of<Item> {
            /// The value to which all values dereference.
            #[inline(always)]
            pub const fn value<'a>() -> &'a Self {
                &Self(core::marker::PhantomData)
            }
            $(
                #[doc(hidden)]
                pub fn $verb<$($generics)*>(&self $(, _: $argument)*) -> $result
                where
                    Self: $condition,
                {
                    unreachable!("no type fulfils the condition")
                }
            )*
        }
        $(
            #[diagnostic::on_unimplemented(message = $message, label = $label $(, note = $note)?)]
            pub trait $condition {}
        )*
    };
}

mod commands;
mod entity;
mod query;
mod world;

use commands::ForeignCommands;
#[cfg(feature = "reflect")]
pub use entity::ForeignReflectRef;
pub use entity::{ForeignEntity, ForeignEntityResult, ForeignSchedule, ForeignUnit};
use query::{ForeignQuery, ForeignReader, ForeignRelated, ForeignWriter};
pub use world::ForeignWorld;

/// The result of a method that makes an iterator, or a query that is iterated over later. It has items, so that the compiler knows
/// their type.
pub struct NoItems<Item>(PhantomData<fn() -> Item>);

impl<Item> NoItems<Item> {
    #[doc(hidden)]
    pub fn iter(&self) -> Self {
        Self(PhantomData)
    }

    #[doc(hidden)]
    pub fn iter_mut(&mut self) -> Self {
        Self(PhantomData)
    }
}

impl<Item> Iterator for NoItems<Item> {
    type Item = Item;
    fn next(&mut self) -> Option<Item> {
        None
    }
}

macro_rules! dereference {
    ($([$($generics:tt)*] $from:ty => $to:ident<$item:ty>;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Deref for $from {
            type Target = $to<$item>;
            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                $to::value()
            }
        }
    )*};
}

dereference! {
    ['w, W: World] Commands<'w, W> => ForeignCommands<()>;
    ['w, D: Data, F: Filter] Query<'w, D, F> => ForeignQuery<D::Item<'w>>;
    ['w, E] EventReader<'w, E> => ForeignReader<()>;
    ['w, E] EventWriter<'w, E> => ForeignWriter<()>;
    ['w, R: Relation] Related<'w, R> => ForeignRelated<()>;
}
