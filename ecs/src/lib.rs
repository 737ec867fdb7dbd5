//! An entity component system whose systems, queries and schedules are checked by `cargo check`.
//!
//! The prelude has the names that most programs need. The root of the crate has the same ones,
//! except for `BackgroundSystems` and `Cancelled` of `background`, and `Saved` of `save`; every
//! other public name is in the module of its concept: [`query`], [`schedule`], [`mod@system`],
//! [`mod@world`], `save`, ..
//!
//! # A world
//! [`world!`] declares a struct with one column for each component and one field for each resource
//! and event. Nothing is registered at run time: a program that uses a component which the world
//! does not list does not compile.
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
//! assert!(game.get::<Position>(ball).is_none());         // the id of a despawned entity is not valid
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The trait [`World`] has the methods of every world. Methods that insert or remove components
//! take a [`Bundle`]: a component, a tuple of bundles, or a `#[derive(Bundle)]` struct.
//!
//! # Queries
//! A query has two type parameters: the data that it fetches from each entity, and a filter that
//! selects the entities.
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
//! [`Data`](query::Data) lists the types of data, [`Filter`](query::Filter) the filters, and
//! [`Query`](struct@Query) has the methods of a query.
//!
//! # Systems and schedules
//! A system is a function. A system whose parameters are references to components is called for
//! each matching entity; a system whose parameters are queries is called once. A schedule is a list
//! of systems in the order in which they run; [`world!`] declares it as a method of the world.
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
//!         println!("{entity} has escaped");
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
//! A `;` in a schedule ends a stage. The [`Commands`] of the stage's systems are applied there, in
//! the order of the systems in the text; a spawned entity has its id at once. Systems of one stage
//! that access different components, resources and events may run in parallel if that is faster:
//! see [`Schedules::set_parallelism`]. The resulting world is always the same, entity ids included.
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
//! A [`Schedule`] is built at run time, for programs that choose systems or their order only then.
//!
//! # States
//! [`States`](macro@States) is a derive for an enum with the states of a game and the transitions
//! between them. The current state is the resource [`State`], and a schedule names conditions such
//! as [`in_state::<phase::Play>`](state::in_state): see [`mod@state`].
//!
//! # Reactions
//! A system can react to changes since its last run: components that were added, changed or
//! removed. Change detection and removed values are options of `#[derive(Component)]`, so that
//! other components pay nothing for them.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(Component)]
//! #[component(tracked)]                                  // for `Changed`, `Added`, `Ref` and `Mut`
//! struct Health(u32);
//! #[derive(Component, Clone)]
//! #[component(removed)]                                  // for `Removed`
//! struct Gold(u32);
//!
//! world! {
//!     struct Game { components { Health, Gold } }
//!     schedule tick { heal; report }
//! }
//!
//! #[system(Game)]
//! fn heal(mut health: Mut<Health>) {                     // `&mut Health` with change detection
//!     health.0 += 1;
//! }
//!
//! #[system(Game)]
//! fn report(
//!     hurt: Query<(Entity, &Health), Changed<Health>>,
//!     spawned: Entered<With<Health>>,
//!     poor: Exited<With<Gold>>,
//!     mut removed: Removed<Gold>,
//! ) {
//!     println!("{} changed, {} got health, {} lost gold", hurt.len(), spawned.len(), poor.len());
//!     for (entity, gold) in &mut removed {
//!         println!("{entity} lost {}", gold.0);
//!     }
//! }
//!
//! let mut game = Game::new();
//! let hero = game.spawn((Health(1), Gold(10)));
//! game.tick();
//! game.remove::<Gold>(hero)?;
//! game.tick();
//! # Ok::<(), ecs::error::NoSuchEntity>(())
//! ```
//!
//! # Relations
//! A relation is a component that points to other entities. Both ends know it: the source stores
//! the target, and the world keeps the list of sources of each target up to date, also when either
//! entity is despawned.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs::{ChildOf, Many, Sources};
//!
//! #[derive(Component)] struct Gold(u32);
//! #[derive(Relation)]
//! #[relation(many, gone = remove)]                       // any number of targets; removed when the target is despawned
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
//! let child = game.spawn((Gold(1), ChildOf(bank)));      // `ChildOf` of the library: despawned with the parent
//! let debtor = game.spawn(Gold(0));
//! game.relate(debtor, Owes { to: bank, amount: 7 })?;
//! game.tick();
//! assert_eq!((game.target::<ChildOf>(child), game.sources::<Owes>(bank)), (Some(bank), [debtor].as_slice()));
//! game.despawn(bank)?;
//! assert!(!game.contains(child) && game.relations::<Owes>(debtor).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! See [`Relation`](trait@Relation) for the derive, [`Relations`] for the methods of a world,
//! [`Related`] for trees.
//!
//! # Libraries
//! A library crate does not know the world of the program that uses it. Its systems are generic
//! over the world; [`parts!`] lists these systems with the components, resources and events that
//! they need, and a world includes the list.
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
//! The parameters of a system are checked against the world, and against each other. Trait bounds
//! check that a component, resource or event exists in the world; constants that the compiler
//! evaluates check that no two parameters clash. `cargo check` reports both. The check for clashes
//! is evaluated a second time wherever a system is run. The library trusts the expansions of its
//! own macros: the option `crate = path` gives the path of this library, and must not name another
//! one.
//!
//! # When a system panics
//! A panic in a system ends the run of its schedule and is resumed in the caller. With the feature
//! `std` the name of the system, of its schedule and of its world is printed to standard error at
//! once, and is added to the panic's message if that is text. A panic in a condition counts as a
//! panic of its system. The world stays valid. Its state is the same for any number of threads, for
//! any [`Parallelism`](schedule::Parallelism), and with or without the measurement of systems:
//!
//! - All systems before the one that panicked, in the order of the text, have run, and their writes
//!   and events are kept.
//! - The writes of the panicked system up to the panic are kept. Its events are dropped. The events
//!   and removed values that it has read count as read; values that it has seen as changed or added
//!   count as changed or added again in its next run. In [`par_for_each`](Query::par_for_each)
//!   every chunk runs to its end, except for chunks that panic themselves.
//! - Systems after it run only if they are in the same stage, and in the same or an earlier
//!   [wave](schedule::GraphNode::wave) of the plan. Such a system does not clash with the panicked
//!   one, and may run at the same time or before it.
//! - The commands of all systems of the stage are dropped.
//! - If several of these systems panic, standard error names each of them, and the panic of the
//!   first one in the text is resumed.
//! - If a command panics, all systems of the stage have run. The commands before it, in the order
//!   of the text, are applied, and the commands after it are dropped.
//!
//! An exclusive system, which takes the whole world, divides its stage: for these rules, the
//! systems before it, the system itself, and the systems after it are separate stages. Without the
//! feature `std` there is one thread, and no system runs after a panic.
//!
//! If a system returns an error, in a schedule `-> Result`, all systems before it have run and
//! their commands are applied. No system after it has run. The writes of the failed system are
//! kept; its events and commands are dropped.
//!
//! In a schedule `-> Failures` a system that panics or returns an error ends only itself: see
//! [`Failures`](schedule::Failures).
//!
//! A panic outside of systems is resumed unchanged: in an `init` or `exit` function, in a change of
//! a run-time schedule, or in the `Drop` of an event that is dropped when a run ends. If a system
//! panics that is run once by [`World::run`], standard error names the system, and the message is
//! unchanged; its events and commands are dropped.
//!
//! [`Schedules::try_run`] undoes a run that panics or fails: it puts the world back into the state
//! from before the run, so that the rules above do not matter. A world is not `UnwindSafe`: a
//! program that catches the panic itself writes `catch_unwind(AssertUnwindSafe(|| game.tick()))`.
//!
//! # What unsafe code trusts
//! Safe code of a user never causes undefined behaviour, whatever traits it implements by hand. The
//! unsafe code of this library relies on:
//!
//! - `unsafe` traits, which the macros implement: [`World`], [`Has`], [`HasResource`], [`HasEvent`]
//!   (each type has one field and one index, and is [`ThreadSafe`](component::ThreadSafe)),
//!   [`Data`](query::Data), [`QueryData`](query::QueryData), [`ReadData`](query::ReadData),
//!   [`ChunkData`](query::ChunkData), [`Filter`](query::Filter),
//!   [`QueryFilter`](query::QueryFilter), [`QueryTuple`](query::QueryTuple), [`System`],
//!   [`SystemFn`](system::SystemFn), [`SystemParam`](trait@SystemParam) (items access only the
//!   columns and resources of the declared access sets), [`Outcome`](schedule::Outcome),
//!   [`CloneEntity`](world::CloneEntity), and hidden ones;
//! - sealed traits: only this library defines kinds of components and sets of a world's components;
//! - checks in the expansions: every type that [`world!`] lists is
//!   [`ThreadSafe`](component::ThreadSafe), except for resources with `#[resource(main_thread)]`,
//!   whose world is not `Send` unless they are; the parameters of a system, and the elements of a
//!   query, are checked again at each use;
//! - its own code: a borrow of a world that is split into borrows of its fields is never given to
//!   safe code.
//!
//! Every other trait is safe to implement. A wrong implementation of [`Component`], [`Bundle`],
//! [`Relation`](trait@Relation), [`Indexed`](component::Indexed), `Hash`, `Eq`, `Clone`, `Iterator`
//! and similar traits gives wrong results, but no undefined behaviour. A test lists all traits.
//!
//! # How it works
//! An entity has the same slot in every column. A column consists of pages of values and of a mask
//! with one bit for each slot. Pages move only when the only page of a column gets longer, when
//! values are inserted into a packed column, and in
//! [`shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit). A query combines the masks of its
//! columns 64 slots at a time and computes the addresses of the values. Entities that are spawned
//! with the same set of components get slots in the same blocks, so that their values are adjacent
//! in memory.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Some functions of the core are called only by saving. They need nothing of `serde`, so they are
// not conditional, and builds without the feature would report them as unused. Builds with the
// feature report functions that nothing calls.
#![cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only saving calls it"))]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod base;

pub mod aspect;
#[cfg(feature = "std")]
pub mod background;
pub mod bundle;
mod change;
mod check;
pub mod command;
pub mod component;
pub mod entity;
pub mod error;
pub mod event;
mod foreign;
mod parts;
mod persist;
#[cfg(feature = "serde")]
pub mod prefab;
pub mod query;
mod raw_world;
#[cfg(feature = "reflect")]
pub mod reflect;
pub mod relation;
pub mod resource;
#[cfg(feature = "serde")]
pub mod save;
pub mod schedule;
pub mod state;
mod storage;
pub mod system;
pub mod time;
#[cfg(feature = "serde")]
mod value;
mod view;
pub mod world;

#[doc(hidden)]
pub mod __private;

pub use ecs_macros::{
    Aspect, Bundle, Component, Event, MetaAspect, Query, Relation, Resource, States, SystemParam,
    components_from, parts, system, world,
};
// without the feature, the derive is an error that names it
#[cfg_attr(not(feature = "serde"), doc(hidden))]
pub use ecs_macros::Reflect;

pub use aspect::{Aspect, Aspects, MetaAspect};
pub use bundle::Bundle;
pub use command::{Commands, ParCommands};
pub use component::{Component, Has, HasMut, HasRemoved, HasStamps, HasTracked, HasUnique, Mut, Ref};
pub use entity::{Entity, EntitySet};
pub use event::{Event, EventMutator, EventReader, EventWriter, HasEvent};
#[cfg(feature = "serde")]
pub use prefab::{Prefab, Prefabs};
pub use query::{Added, And, Changed, Each, Is, Not, Or, Query, With, Without, WorldData};
pub use relation::{
    ChildOf, HasRelation, Many, Related, RelatedTo, Relation, Relations, Sources, Target, TargetOf, Up,
};
pub use resource::{HasResource, Resource};
pub use schedule::{FixedTime, Schedule, Schedules};
pub use state::{State, States};
pub use system::{
    Accumulate, Accumulator, Entered, Exited, In, Local, Lookup, ParamSet, Populated, Removed, Res, ResMut,
    Single, Storage, System, SystemParam,
};
#[cfg(feature = "serde")]
pub use value::Reflect;
pub use world::{Snapshot, World};

// Not public API. Compile errors name these items, and print the names of items of the root short.
#[doc(hidden)]
pub use crate::{
    base::access::{Access, ParamInfo, ParamKind},
    component::{markers::ChangedByMut, requires::ComponentOf},
    query::mistake::{Mistakes, NamedByValue, NamedReference, NamedReferenceMut, NamedTuple},
    raw_world::{RawWorld, WorldCell},
    system::{each::MutTarget, shared_param::SharedParam},
};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use crate::{
    save::entry::{SaveComponent, SaveEvent, SaveResource},
    value::{BySerde, CheckResult, FieldDefault, WithSerde},
};
#[cfg(feature = "reflect")]
#[doc(hidden)]
pub use reflect::entry::{ReflectComponent, ReflectEvent, ReflectResource};

/// The traits, types and macros that most programs need: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::children;
    pub use ecs_macros::{parts, system, world};

    pub use crate::{
        Added, And, Aspect, Bundle, Changed, ChildOf, Commands, Component, Each, Entered, Entity, Event,
        EventMutator, EventReader, EventWriter, Exited, FixedTime, Has, HasEvent, HasMut, HasResource, In,
        Is, Local, Lookup, Many, Mut, Not, Or, ParCommands, ParamSet, Populated, Query, Ref, Reflect,
        Related, Relation, Relations, Removed, Res, ResMut, Resource, Schedule, Schedules, Single, Snapshot,
        Sources, State, States, Storage, System, SystemParam, TargetOf, With, Without, World,
    };

    // what most schedules with states and times name; rustc proposes no import for a system
    pub use crate::component::{Disabled, Name};
    pub use crate::state::{entered, exited, in_state, transition};
    pub use crate::time::{Clock, Timer};
    #[cfg(feature = "serde")]
    pub use crate::{Prefab, Prefabs, save::Saved};

    // derives of other libraries, and misspelt ones, whose errors say what to write instead
    #[doc(hidden)]
    pub use ecs_macros::{
        Components, ComputedStates, Deref, DerefMut, EntityEvent, Events, Message, QueryData, QueryFilter,
        Resources, ScheduleLabel, State, SubStates, SystemData, SystemSet, Unique, WorldQuery, bundle,
        component, event, resource, systems,
    };

    #[doc(hidden)]
    #[cfg(feature = "reflect")]
    pub use crate::foreign::ForeignReflectRef as _;
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    pub use crate::foreign::ForeignSaved as _;
    #[doc(hidden)]
    pub use crate::foreign::{
        App, EntityBuilder, EntityWorldMut, FixedUpdate, ForeignChildren as Children,
        ForeignEntityResult as _, ForeignHandle as _, ForeignSchedule as _, ForeignTicks as _,
        ForeignTuple as _, ForeignUnit as _, On, Plugin, Startup, TimerMode, Update,
    };

    // Methods that few programs need are in scope and take no name.
    pub use crate::world::{GenericComponents as _, MoveComponents as _, WorldIds as _, WorldMemory as _};

    // A user's world may have the name of one of these traits and shadow it. The unnamed import
    // keeps the methods in scope.
    #[cfg(feature = "std")]
    pub use crate::background::BackgroundSystems as _;
    pub use crate::query::ChangesSince as _;
    #[cfg(feature = "serde")]
    pub use crate::save::Saved as _;
    pub use crate::{Aspects as _, Relations as _, Schedules as _, World as _};
}

/// A program with types that have names of other libraries, in a test that is a crate of its own:
/// its source stands in comments.
///
/// ```standalone_crate
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)] struct Text(String);
/// world! {
///     struct Editor { resources { Text = Text::default() } }
///     schedule tick { write }
/// }
/// #[system(Editor)] fn write(mut text: ResMut<Text>) { text.0.push('a'); }
/// Editor::new().tick();
/// ```
#[cfg(doctest)]
pub struct OwnNames;
