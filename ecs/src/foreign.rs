//! Methods of other ECS libraries that this one does not have, such as `commands.queue(..)`: each
//! call is one compile error that says what to write instead.
//!
//! Each method has a condition that never holds, whose message the compiler prints. The methods
//! belong to types to which worlds, queries, readers, writers and commands dereference. The
//! compiler looks for a method there last, so that a method of the library, a schedule, or a method
//! of a user's trait is found first, whatever its name is. For most methods the type of the result
//! is left open, so that the compiler prints no second error for the use of the result.
//!
//! `Entity` does not dereference to such a type: `*entity` is a common mistake, for which the
//! compiler has a good message. Its methods are those of a trait.
#![allow(
    clippy::result_unit_err,
    clippy::new_ret_no_self,
    reason = "the signatures are those of other libraries"
)]

use core::marker::PhantomData;
use core::ops::{Deref, Index};

use crate::command::{Commands, EntityCommands};
use crate::event::{EventReader, EventWriter};
use crate::query::{Data, Filter, Iter, Query};
use crate::relation::{ChildOf, Related, Relation};
use crate::system::Storage;
use crate::time::{Clock, Timer};
use crate::world::{EntityMut, World};

/// Makes a type or a trait with methods, and for each method its condition: a trait that no type
/// implements. The first type parameter of the type, `This`, is the type that lacks the methods.
///
/// A row has the whole signature on one line, since the compiler shows the lines of the signature
/// and of its condition. Methods with the same answer are lines of one row. The message is "a world
/// has no `method`", with the subject of the list, and `: reason` behind it if there is one; a row
/// with `= message` has another, which may contain `{method}`.
macro_rules! foreign {
    (
        $(#[doc = $doc:literal])*
        struct $of:ident, $subject:literal;
        $(
            $($condition:ident { pub fn $method:ident $($signature:tt)* })+
            $(: $reason:literal,)? $(= $message:literal,)? $label:literal $(, $note:literal)?;
        )*
    ) => {
        $(#[doc = $doc])*
        pub struct $of<This, Item = ()>(core::marker::PhantomData<fn() -> (This, Item)>);

        #[allow(
            clippy::should_implement_trait,
            clippy::unused_self,
            clippy::extra_unused_type_parameters,
            clippy::wrong_self_convention,
            reason = "the signatures are those of other libraries"
        )]
        impl<This, Item> $of<This, Item> {
            /// The value to which all values dereference.
            #[inline(always)]
            pub const fn value<'a>() -> &'a Self {
                &Self(core::marker::PhantomData)
            }
            $($(
                #[doc(hidden)]
                pub fn $method $($signature)* {
                    unreachable!("no type fulfils the condition")
                }
            )+)*
        }
        impl<This, Item> super::MayBeChained for $of<This, Item> {
            type Chained = $of<super::InChain<This>, Item>;
        }
        ecs_macros::foreign_conditions! {
            $subject $([$($condition $method)+] [$(: $reason)? $(= $message)?] [label = $label $(, note = $note)?])*
        }
    };
    (
        $(#[doc = $doc:literal])*
        trait $of:ident, $subject:literal;
        $(
            $($(#[cfg $cfg:tt])? $condition:ident { fn $method:ident $($signature:tt)* })+
            $(: $reason:literal,)? $(= $message:literal,)? $label:literal $(, $note:literal)?;
        )*
    ) => {
        $(#[doc = $doc])*
        #[allow(clippy::extra_unused_type_parameters, reason = "the signatures are those of other libraries")]
        pub trait $of: Sized {
            $($(
                $(#[cfg $cfg])?
                #[doc(hidden)]
                fn $method $($signature)* {
                    unreachable!("no type fulfils the condition")
                }
            )+)*
        }
        ecs_macros::foreign_conditions! {
            $subject
            $([$($(#[cfg $cfg])? $condition $method)+] [$(: $reason)? $(= $message)?] [label = $label $(, note = $note)?])*
        }
    };
}

mod commands;
mod entity;
mod query;
mod time;
mod types;
mod world;

use commands::{ForeignCommands, ForeignEntityCommands};
#[cfg(feature = "reflect")]
pub use entity::ForeignReflectRef;
use entity::{ForeignChildOf, ForeignEntityMut};
pub use entity::{ForeignEntityResult, ForeignHandle, ForeignSchedule, ForeignTuple, ForeignUnit};
use query::{ForeignIter, ForeignQuery, ForeignReader, ForeignRelated, ForeignStorage, ForeignWriter};
pub use time::ForeignTicks;
use time::{ForeignClock, ForeignTimer};
pub use types::{
    App, EntityBuilder, EntityWorldMut, FixedUpdate, ForeignChildren, On, Plugin, Startup, TimerMode, Update,
};
#[cfg(feature = "serde")]
pub use world::ForeignSaved;
pub use world::ForeignWorld;

/// The conditions, whose names the compiler shortens where they are reachable.
pub mod conditions {
    pub use super::commands::*;
    pub use super::entity::*;
    pub use super::query::*;
    pub use super::time::*;
    pub use super::types::*;
    pub use super::world::*;
}

/// The result of a method that makes an iterator, or a query that is iterated over later. It has
/// items, so that the compiler knows their type.
pub struct NoItems<Item>(PhantomData<fn() -> Item>);

#[doc(hidden)]
impl<Item> NoItems<Item> {
    pub fn iter(&self) -> Self {
        Self(PhantomData)
    }

    pub fn iter_mut(&mut self) -> Self {
        Self(PhantomData)
    }

    pub fn len(&self) -> usize {
        0
    }

    pub fn is_empty(&self) -> bool {
        true
    }

    pub fn get(&self, _: crate::entity::Entity) -> Option<Item> {
        None
    }

    pub fn single(&self) -> Result<Item, crate::error::SingleError> {
        Err(crate::error::SingleError::NoEntity)
    }
}

impl<Item> Iterator for NoItems<Item> {
    type Item = Item;
    fn next(&mut self) -> Option<Item> {
        None
    }
}

/// The receiver of a method in a chain behind a foreign method with explicit type arguments. It has
/// all foreign methods, so that a chain is one error. (The result of other methods is left open.)
pub struct InChain<This>(PhantomData<fn() -> This>);

/// The type with the methods of a receiver, as the result of one of them.
pub(crate) type Chained<Methods> = <Methods as MayBeChained>::Chained;

/// A type with foreign methods.
pub trait MayBeChained {
    /// The same methods without their conditions.
    type Chained;
}

macro_rules! dereference {
    ($([$($generics:tt)*] $from:ty => $to:ident $(<$item:ty>)?;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Deref for $from {
            type Target = $to<Self $(, $item)?>;
            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                $to::value()
            }
        }
    )*};
}

/// `query[0]`.
impl<I, D: Data, F: Filter> Index<I> for Query<'_, D, F>
where
    Self: Indexable,
{
    type Output = D::Item<'static>;
    fn index(&self, _: I) -> &Self::Output {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `query[0]`.
#[diagnostic::on_unimplemented(
    message = "a query is not indexed",
    label = "write `query.get(entity)`, or `query.iter().nth(0)`"
)]
pub trait Indexable {}

dereference! {
    ['w, W: World] Commands<'w, W> => ForeignCommands;
    ['w, W: World] EntityCommands<'w, W> => ForeignEntityCommands;
    ['w, W: World] EntityMut<'w, W> => ForeignEntityMut;
    ['w, D: Data, F: Filter] Query<'w, D, F> => ForeignQuery<D::Item<'w>>;
    ['w, D: Data, F: Filter] Iter<'w, D, F> => ForeignIter<D::Item<'w>>;
    ['w, E] EventReader<'w, E> => ForeignReader;
    ['w, E] EventWriter<'w, E> => ForeignWriter;
    ['w, R: Relation] Related<'w, R> => ForeignRelated;
    ['w, T] Storage<'w, T> => ForeignStorage;
    [] ChildOf => ForeignChildOf;
    [Tag] Clock<Tag> => ForeignClock;
    [] Timer => ForeignTimer;
}
