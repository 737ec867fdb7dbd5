//! An entity component system whose systems, queries and schedules are checked by `cargo check`.
#![no_std]

extern crate alloc;

mod bundle;
mod check;
mod component;
mod entity;
mod error;
mod event;
mod query;
mod resource;
mod schedule;
mod storage;
mod system;
mod typeset;
mod view;
mod world;

#[doc(hidden)]
pub mod __private;

pub use ecs_macros::{Bundle, Component, Event, Query, Resource, system, world};

pub use bundle::{Bundle, Replaced, Spawned};
pub use component::{Component, ComponentSet, Has, PlainMut, Requirements};
pub use entity::Entity;
pub use entity::set::EntitySet;
pub use error::{GetManyError, MissingError, NoSuchEntity, PresentError, SingleError};
pub use event::{Event, EventReader, EventWriter, Events, HasEvent};
pub use query::{
    And, ChunkData, Chunks, Data, Each, Filter, Is, Iter, Not, Or, Query, QueryData, QueryFilter, QueryTuple,
    ReadData, With, Without, WorldQuery,
};
pub use resource::{HasResource, Resource};
pub use storage::column::Column;
pub use system::{Access, Local, ParamInfo, ParamKind, Res, ResMut, Storage, System, SystemParam};
pub use view::{Exclusive, Mode, Shared, View, ViewMut};
pub use world::{ColumnStats, EntityMut, EntityRef, Stats, World, WorldCell};

/// What programs use: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::{
        And, Bundle, Component, Each, Entity, EntitySet, Event, EventReader, EventWriter, Has, HasEvent,
        HasResource, Is, Local, Not, Or, Query, Res, ResMut, Resource, Storage, System, With, Without, World,
        system, world,
    };
}
