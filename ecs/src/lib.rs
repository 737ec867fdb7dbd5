//! An entity component system whose systems, queries and schedules are checked by `cargo check`.
//!
//! # A world
//! [`world!`] makes a struct with one column for each component and one field for each resource and event. Nothing is
//! registered at run time; what the world does not have cannot be named.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(Component)] struct Position(f32);
//! #[derive(Component)] struct Velocity(f32);
//! #[derive(Component)] struct Frozen;                    // a tag: one bit for each entity
//! #[derive(Resource)]  struct Clock { step: f32 }
//!
//! world! {
//!     struct Game {
//!         components { position: Position, velocity: Velocity, Frozen }
//!         resources  { clock: Clock }
//!     }
//! }
//!
//! let mut game = Game::new(Clock { step: 0.5 });
//! let ball = game.spawn((Position(0.0), Velocity(1.0)));
//! game.insert(ball, Frozen)?;
//! assert!(game.has::<Frozen>(ball));
//! game.despawn(ball)?;
//! assert!(game.get::<Position>(ball).is_none());         // an id whose entity is gone stays dead
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The verbs are methods of [`World`]. What they take and give is a [`Bundle`]: a component, a tuple of bundles, or a
//! `#[derive(Bundle)]` struct.
//!
//! # Queries
//! A query says what it wants of each entity, and of which entities. Both are types.
//!
//! ```
//! # use ecs::prelude::*;
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Velocity(f32);
//! # #[derive(Component)] struct Frozen;
//! # world! { struct Game { components { Position, Velocity, Frozen } } }
//! # let mut game = Game::new();
//! for (position, velocity) in game.query_mut::<(&mut Position, &Velocity)>().filter::<Without<Frozen>>() {
//!     position.0 += velocity.0;
//! }
//! let fastest = game.query::<(Entity, &Velocity)>().iter().map(|(_, velocity)| velocity.0).fold(0.0, f32::max);
//! # let _ = fastest;
//! ```
//!
//! See [`Data`] for what can be asked for, [`Filter`] for filters, [`Query`](struct@Query) for what can be done with the answer.
//!
//! # Systems and schedules
//! A system is a function. If it takes references it runs for each matching entity; if it takes whole queries it runs
//! once. A schedule is a list of systems, in the order in which they run; [`world!`] makes a method of it.
//!
//! ```
//! # use ecs::prelude::*;
//! # #[derive(Component)] struct Position(f32);
//! # #[derive(Component)] struct Velocity(f32);
//! # #[derive(Component)] struct Frozen;
//! # #[derive(Resource)]  struct Clock { step: f32 }
//! #[derive(Event)] struct Escaped(Entity);
//!
//! world! {
//!     struct Game {
//!         components { Position, Velocity, Frozen }
//!         resources  { clock: Clock }
//!         events     { Escaped }
//!     }
//!     schedule tick { movement; watch; report if !quiet }
//! }
//!
//! #[system(Game)]
//! fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>, clock: Res<Clock>) {
//!     position.0 += velocity.0 * clock.step;
//! }
//!
//! #[system(Game)]
//! fn watch(bodies: Query<(Entity, &Position)>, mut escaped: EventWriter<Escaped>) {
//!     escaped.extend(bodies.iter().filter(|(_, position)| position.0 > 10.0).map(|(entity, _)| Escaped(entity)));
//! }
//!
//! #[system(Game)]
//! fn report(mut escaped: EventReader<Escaped>) {
//!     for Escaped(entity) in &mut escaped {
//!         println!("{entity} is gone");
//!     }
//! }
//!
//! #[system(Game)]
//! fn quiet(clock: Res<Clock>) -> bool {
//!     clock.step == 0.0
//! }
//!
//! let mut game = Game::new(Clock { step: 0.5 });
//! game.spawn((Position(10.0), Velocity(1.0)));
//! game.tick();
//! ```
//!
//! # Deferred changes
//! A schedule's `;` ends a stage. What the systems of a stage ask for through [`Commands`] is done there, in the order of
//! the text; an entity that is spawned has its id at once. Systems of one stage that do not touch the same may run at the
//! same time, where that pays: see [`Schedules::set_parallelism`]. The result is the same, ids included.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(Component)] struct Health(i32);
//! #[derive(Component)] struct Corpse;
//!
//! world! {
//!     struct Game { components { Health, Corpse } }
//!     schedule tick { starve; bury; }
//! }
//!
//! #[system(Game)]
//! fn starve(health: &mut Health) {
//!     health.0 -= 1;
//! }
//!
//! #[system(Game)]
//! fn bury(entity: Entity, health: &Health, mut commands: Commands<Game>) {
//!     if health.0 <= 0 {
//!         commands.despawn(entity);
//!         commands.spawn(Corpse);
//!     }
//! }
//!
//! let mut game = Game::new();
//! game.spawn_batch([1, 2, 3].map(Health));
//! game.tick();
//! assert_eq!(game.query::<&Corpse>().len(), 1);
//! ```
//!
//! What is known only when the program runs, which systems there are and in which order, goes into a [`Schedule`].
//!
//! # Reactions
//! A system can ask for what is new since its last run at its place in a schedule. What only some components need is an
//! option of the derive; others pay nothing for it.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(Component)]
//! #[component(tracked)]                                  // when was it added and changed?
//! struct Health(u32);
//! #[derive(Component, Clone)]
//! #[component(removed)]                                  // what was taken away?
//! struct Gold(u32);
//!
//! world! {
//!     struct Game { components { Health, Gold } }
//!     schedule tick { heal; report }
//! }
//!
//! #[system(Game)]
//! fn heal(mut health: Mut<Health>) {                     // `&mut`, with a mark
//!     health.0 += 1;
//! }
//!
//! #[system(Game)]
//! fn report(
//!     hurt: Query<(Entity, &Health), Changed<Health>>,
//!     born: Entered<With<Health>>,
//!     rich: Exited<With<Gold>>,
//!     mut lost: Removed<Gold>,
//! ) {
//!     println!("{} changed, {} born, {} lost gold", hurt.len(), born.len(), rich.len());
//!     for (entity, gold) in &mut lost {
//!         println!("{entity} lost {}", gold.0);
//!     }
//! }
//!
//! let mut game = Game::new();
//! let hero = game.spawn((Health(1), Gold(10)));
//! game.tick();
//! game.remove::<Gold>(hero)?;
//! game.tick();
//! # Ok::<(), ecs::NoSuchEntity>(())
//! ```
//!
//! # Relations
//! A component that points to other entities is a relation, and is known from both ends: whoever comes, goes and dies.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs::{ChildOf, Many, Sources};
//!
//! #[derive(Component)] struct Gold(u32);
//! #[derive(Relation)]
//! #[relation(many, gone = remove)]                       // any number of targets; a debt ends with the creditor
//! struct Owes { #[target] to: Entity, amount: u32 }
//!
//! world! {
//!     struct Game { components { Gold, ChildOf, owes: Many<Owes> } }
//!     schedule tick { report }
//! }
//!
//! #[system(Game)]
//! fn report(entity: Entity, debtors: Sources<Owes>, children: Sources<ChildOf>) {
//!     println!("{entity} has {} debtors and {} children", debtors.len(), children.len());
//! }
//!
//! let mut game = Game::new();
//! let bank = game.spawn(Gold(1000));
//! let child = game.spawn((Gold(1), ChildOf(bank)));      // `ChildOf` comes with the library: it dies with the parent
//! let debtor = game.spawn(Gold(0));
//! game.relate(debtor, Owes { to: bank, amount: 7 })?;
//! game.tick();
//! assert_eq!((game.target::<ChildOf>(child), game.sources::<Owes>(bank)), (Some(bank), [debtor].as_slice()));
//! game.despawn(bank)?;
//! assert!(!game.contains(child) && game.relations::<Owes>(debtor).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! See [`Relation`](trait@Relation) for the derive, [`Relations`] for the verbs, [`Related`] for trees.
//!
//! # Libraries
//! Below every world there are systems that are generic over it. [`parts!`] lists them with what they need, and a world,
//! most often of another crate, includes the list.
//!
//! ```
//! mod physics {
//!     use ecs::prelude::*;
//!
//!     #[derive(Component)] pub struct Position(pub f32);
//!     #[derive(Component)] pub struct Velocity(pub f32);
//!
//!     parts! {
//!         pub physics {
//!             components { Position, Velocity }
//!             schedule step { movement }
//!         }
//!     }
//!
//!     #[system]
//!     pub fn movement(position: &mut Position, velocity: &Velocity) {
//!         position.0 += velocity.0;
//!     }
//! }
//!
//! use ecs::prelude::*;
//! use physics::{Position, Velocity};
//!
//! #[derive(Component)] struct Motor(f32);
//!
//! world! {
//!     struct Game {
//!         include physics::physics;
//!         components { Motor }
//!     }
//!     schedule tick { steer; include physics::step }
//! }
//!
//! #[system(Game)]
//! fn steer(velocity: &mut Velocity, motor: &Motor) {
//!     velocity.0 = motor.0;
//! }
//!
//! let mut game = Game::new();
//! let car = game.spawn((Position(0.0), Velocity(0.0), Motor(2.0)));
//! game.tick();
//! assert_eq!(game.get::<Position>(car).map(|position| position.0), Some(2.0));
//! ```
//!
//! # What is checked
//! Parameters are checked against the world and against each other: by trait bounds where something must exist, by
//! constants where things must not clash. Both are seen by `cargo check`; that the parameters of a system are sound
//! together is evaluated again wherever it is run. The expansions of the macros are trusted to be expansions of this
//! library: `crate = path` names where it is, not another one in its place.
//!
//! # When a system panics
//! A panic in a system ends the run of its schedule, and goes on to the caller. With the feature `std` standard error names the
//! system, its schedule and its world at once, and so does the panic's message, if it has one. The condition of a system belongs to
//! the system. The world stays valid, and is the same for any number of threads, for any [`Parallelism`], and whether systems are
//! measured or not:
//!
//! - Every system before the one that panicked, in the order of the text, has had its turn, and its writes and events are there.
//! - The system that panicked keeps its writes until the panic. Its events are dropped. The events and removed values that it has
//!   read count as read; what it has seen as changed or added counts as changed or added again in its next run. In
//!   [`par_for_each`](Query::par_for_each) every chunk runs to its end, except for chunks that panic themselves.
//! - Of the systems after it, those of the same stage have their turns that the plan puts into its [wave](GraphNode::wave) or into
//!   an earlier one, and no others. They may run at the same time as the system, or before it, and do not clash with it.
//! - The commands of all systems of the stage are dropped.
//! - If several of these systems panic, standard error names each of them, and the panic of the first in the text goes on.
//! - If a command panics, the commands before it are done, in the order of the text, and those after it are dropped. All systems of the
//!   stage have run then.
//!
//! A system that takes the whole world divides its stage: for these rules, the systems before it, the system itself, and the systems
//! after it are stages of their own. Without the feature `std` there is one thread, and no system runs after a panic.
//!
//! If a system fails, in a schedule `-> Result`, all systems before it have run, their commands included, and no system after it
//! has. The system keeps its writes; its events and commands are dropped.
//!
//! A panic that is in no system goes on as it is: in an `init` or `exit` function, in a change of a run-time schedule, or in the
//! `Drop` of an event that is dropped when a run ends. Of a system that runs once, by [`World::run`], standard error has the
//! name, and the message stays as it is; its events and commands are dropped.
//!
//! [`Schedules::try_run`] undoes a run that panics or fails: the world is as it was before, and the rules above do not matter.
//!
//! # What unsafe code trusts
//! Safe code of a user never causes undefined behaviour, whatever traits it implements by hand. Unsafe code of this library relies
//! on:
//!
//! - `unsafe` traits, which the macros implement: [`World`], [`Has`], [`HasResource`], [`HasEvent`] (one field and one index for each
//!   type, and that the type is [`ThreadSafe`]), [`Data`], [`QueryData`], [`ReadData`], [`ChunkData`], [`Filter`], [`QueryFilter`],
//!   [`QueryTuple`], [`System`], [`SystemFn`], [`SystemParam`] (items reach only what the access sets declare), [`Outcome`],
//!   [`CloneEntity`], and hidden ones;
//! - sealed traits: the kinds of components and the sets of a world's components are types of this library;
//! - checks of the expansions: every type that [`world!`] lists is [`ThreadSafe`]; the parameters of a system, and the elements of
//!   a query, are evaluated once more where they are used;
//! - itself: a borrow of a world that is split into borrows of its fields is never given to safe code.
//!
//! Every other trait is safe to implement. A wrong implementation gives wrong results and nothing worse: of [`Component`],
//! [`Bundle`], [`Relation`](trait@Relation), [`Indexed`], `Hash`, `Eq`, `Clone`, `Iterator` and the like. A test lists all traits.
//!
//! # How it works
//! An entity's slot is the same in every column. A column is pages of values that never move, and one bit for each
//! slot; a query combines the bits of its columns 64 slots at a time and walks the values by address. Slots are handed
//! out by kind, so that entities spawned alike lie side by side.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod aspect;
mod base;
mod bundle;
mod change;
mod check;
mod command;
mod component;
mod entity;
mod error;
mod event;
mod parts;
#[cfg(feature = "serde")]
pub mod prefab;
mod query;
mod relation;
mod resource;
#[cfg(feature = "serde")]
pub mod save;
mod schedule;
mod storage;
mod system;
mod view;
mod world;

#[doc(hidden)]
pub mod __private;

pub use ecs_macros::{
    Aspect, Bundle, Component, Event, MetaAspect, Query, Relation, Resource, components_from, parts, system,
    world,
};

pub use crate::base::component_set::ComponentSet;
pub use crate::base::reader_stats::{EventStats, ReaderStats, RemovedStats};
pub use crate::base::thread_safe::ThreadSafe;
pub use aspect::{Aspect, AspectEdge, AspectGraph, AspectNode, Aspects, MetaAspect, aspect_graph};
pub use bundle::{Bundle, Columns, Replaced, Spawned};
pub use change::{Mut, Ref};
#[doc(hidden)]
pub use command::SentByCommands;
pub use command::{Commands, FailedCommand, FailurePolicy, SameWorld};
#[doc(hidden)]
pub use component::kind::ChangedByMut;
#[doc(hidden)]
pub use component::mistake::{NamedReference, NamedReferenceMut, NamedTuple};
pub use component::{
    Compatible, Component, Found, Has, HasMut, HasRemoved, HasStamps, HasTracked, HasUnique, IndexKey,
    Indexed, Name, StableId, StableIds,
};
#[doc(hidden)]
pub use component::{ContainsComponent, Requirements, WorldComponents};
pub use entity::Entity;
pub use entity::set::EntitySet;
pub use error::{
    GetManyError, InsertError, MissingError, NoSuchEntity, NoneOfError, PresentError, Reason, Refused,
    ScheduleError, SingleError, SystemError, Unsettled,
};
pub use event::{Event, EventReader, EventWriter, Events, HasEvent, SentTo};
#[cfg(feature = "json")]
pub use prefab::Definitions;
#[cfg(feature = "serde")]
pub use prefab::{Prefab, PrefabError, PrefabInstance, Prefabs};
#[doc(hidden)]
pub use query::par::SharedParam;
pub use query::{
    Added, And, Changed, ChunkData, Chunks, Data, Each, Filter, Is, Iter, Not, Or, Query, QueryData,
    QueryFilter, QueryTuple, ReadData, ReadItem, With, Without, WorldData, WorldQuery,
};
pub use relation::{
    Ancestors, ChildOf, Dangling, Descendants, DescendantsBottomUp, ExclusiveRelation, Gone, HasRelation,
    Many, ManyRelation, Related, Relation, RelationIn, Relations, Roots, Sources, TargetOf,
};
pub use resource::{HasResource, Resource};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use save::entry::{Ownable, Queueable, Storable};
pub use schedule::{
    ConsumedEvents, FixedTime, GraphEdge, GraphNode, GraphSchedule, Outcome, Parallelism, RunError,
    RunFailure, Schedule, ScheduleGraph, Schedules, Steps, Timing, TryRunOutput, Unused,
};
pub use storage::column::Column;
#[doc(hidden)]
pub use system::{Access, MutTarget, ParamInfo, ParamKind};
pub use system::{
    Entered, Exited, Local, Lookup, Removed, RemovedIter, Res, ResMut, Storage, System, SystemFn, SystemParam,
};
pub use view::{Exclusive, Mode, Shared, View, ViewMut};
#[doc(hidden)]
pub use world::WorldCell;
pub use world::{CloneEntity, ColumnStats, EntityMut, EntityRef, Snapshot, SnapshotWorld, Stats, World};

/// What programs use: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Added, And, Aspect, Aspects, Bundle, Changed, ChildOf, Commands, Component, Each, Entered, Entity,
        EntitySet, Event, EventReader, EventWriter, Exited, FixedTime, Has, HasEvent, HasMut, HasRelation,
        HasRemoved, HasResource, HasStamps, HasTracked, HasUnique, Is, Local, Lookup, Many, MetaAspect, Mut,
        Not, Or, Query, Ref, Related, Relation, Relations, Removed, Res, ResMut, Resource, Schedule,
        Schedules, Snapshot, Sources, Storage, System, TargetOf, With, Without, World, WorldData,
        components_from, parts, system, world,
    };

    #[cfg(feature = "serde")]
    pub use crate::{Prefab, Prefabs, save::Saved};

    // A world may have the name of one of these traits. Without a name, the trait stays in scope beside that world.
    #[cfg(feature = "serde")]
    pub use crate::save::Saved as _;
    pub use crate::{Aspects as _, Relations as _, Schedules as _, World as _};
}
