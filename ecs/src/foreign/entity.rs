//! Methods that the results of `spawn` and `entity`, and schedules, have in other libraries.
//!
//! They are methods of traits, which the prelude brings into scope, since `Entity` and `Result` cannot dereference to another type. A method of
//! a user's trait is found first, unless it takes `&mut self`, too.

use crate::entity::Entity;
use crate::error::NoSuchEntity;
use crate::schedule::Schedule;
use crate::world::{EntityMut, EntityRef, World};

/// Makes a trait with methods, and for each method its condition: a trait that no type implements.
macro_rules! trait_verbs {
    (
        $(#[doc = $doc:literal])*
        $of:ident;
        $($condition:ident: fn $verb:ident [$($generics:tt)*] ($($argument:ty),*) -> $result:ty:
            $message:literal, $label:literal $(, $note:literal)?;)*
    ) => {
        $(#[doc = $doc])*
        #[allow(clippy::extra_unused_type_parameters, reason = "the signatures are those of other libraries")]
        pub trait $of: Sized {
            $(
                #[doc(hidden)]
                fn $verb<$($generics)*>(&mut self $(, _: $argument)*) -> $result
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

/// The argument of closures that spawn children in other libraries.
pub struct ForeignParent;

impl ForeignParent {
    #[doc(hidden)]
    pub fn spawn<A>(&mut self, _: A) -> Entity {
        unreachable!("there are no values of this type")
    }
}

trait_verbs! {
    /// Methods that an `Entity` does not have.
    ForeignEntity;
    EntityId: fn id[]() -> Entity:
        "an `Entity` has no `id`: `spawn` returns the id itself",
        "leave this call out";
    EntityInsert: fn insert[A, R](A) -> R:
        "an `Entity` is an id, and has no `insert`",
        "write `commands.entity(entity).insert(component)` or `game.insert(entity, component)`",
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntitySetValue: fn set[A, R](A) -> R:
        "an `Entity` is an id, and has no `set`",
        "write `commands.insert(entity, component)` or `game.insert(entity, component)`";
    EntityAdd: fn add[T]() -> ():
        "an `Entity` is an id, and has no `add`",
        "write `commands.insert(entity, component)` or `game.insert(entity, component)`";
    EntityWith: fn with[A, R](A) -> R:
        "an `Entity` is an id, and has no `with`",
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntityRemove: fn remove[T]() -> ():
        "an `Entity` is an id, and has no `remove`",
        "write `commands.remove::<T>(entity)` or `game.remove::<T>(entity)`";
    EntityDespawn: fn despawn[]() -> ():
        "an `Entity` is an id, and has no `despawn`",
        "write `commands.despawn(entity)` or `game.despawn(entity)`";
    EntityDespawnRecursive: fn despawn_recursive[]() -> ():
        "an `Entity` is an id, and has no `despawn_recursive`",
        "write `commands.despawn(entity)` or `game.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    EntityGet: fn get[T: 'static]() -> Option<&'static T>:
        "an `Entity` is an id, and has no `get`",
        "write `game.get::<T>(entity)`, or in a system `query.get(entity)`";
    EntityHas: fn has[T]() -> bool:
        "an `Entity` is an id, and has no `has`",
        "write `game.has::<T>(entity)` or `commands.has::<T>(entity)`";
    EntityIsAlive: fn is_alive[]() -> bool:
        "an `Entity` is an id, and has no `is_alive`",
        "write `game.contains(entity)` or `commands.contains(entity)`";
    EntityWithChildren: fn with_children[](impl FnOnce(&mut ForeignParent)) -> Entity:
        "an `Entity` is an id, and has no `with_children`",
        "write `commands.spawn_with_children((A, B), ChildOf, |children| ..)`, or `children![C, D]` in place of the closure",
        "list `ChildOf` among the components of the world";
    EntityWithChild: fn with_child[A](A) -> Entity:
        "an `Entity` is an id, and has no `with_child`",
        "spawn the child with the relation to its parent: `commands.spawn((A, ChildOf(parent)))`",
        "list `ChildOf` among the components of the world";
    EntityAddChild: fn add_child[A](A) -> Entity:
        "an `Entity` is an id, and has no `add_child`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityAddChildren: fn add_children[A](A) -> Entity:
        "an `Entity` is an id, and has no `add_children`",
        "write `commands.insert(child, ChildOf(parent))` for each child",
        "list `ChildOf` among the components of the world";
    EntitySetParent: fn set_parent[A](A) -> Entity:
        "an `Entity` is an id, and has no `set_parent`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityChildOf: fn child_of[A](A) -> Entity:
        "an `Entity` is an id, and has no `child_of`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
}

impl ForeignEntity for Entity {}

trait_verbs! {
    /// Methods that the result of `entity` and `entity_mut` does not have.
    ForeignEntityResult;
    EntityResultId: fn id[]() -> Entity:
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().id()`, or `?` in a function that returns a `Result`";
    EntityResultInsert: fn insert[A, R](A) -> R:
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().insert(component)`, or `?` in a function that returns a `Result`";
    EntityResultRemove: fn remove[T]() -> ():
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().remove::<T>()`, or `?` in a function that returns a `Result`";
    EntityResultDespawn: fn despawn[]() -> ():
        "this is a `Result`, since the entity may not be alive",
        "write `game.despawn(entity)`, which returns a `Result`, too";
    EntityResultGet: fn get[T: 'static]() -> Option<&'static T>:
        "this is a `Result`, since the entity may not be alive",
        "write `game.get::<T>(entity)`, which returns an `Option`";
    EntityResultGetMut: fn get_mut[T: 'static]() -> Option<&'static mut T>:
        "this is a `Result`, since the entity may not be alive",
        "write `game.get_mut::<T>(entity)`, which returns an `Option`";
    EntityResultHas: fn has[T]() -> bool:
        "this is a `Result`, since the entity may not be alive",
        "write `game.has::<T>(entity)`";
    EntityResultContains: fn contains[T]() -> bool:
        "this is a `Result`, since the entity may not be alive",
        "write `game.has::<T>(entity)`";
}

impl<W: World> ForeignEntityResult for Result<EntityMut<'_, W>, NoSuchEntity> {}
impl<W: World> ForeignEntityResult for Result<EntityRef<'_, W>, NoSuchEntity> {}

trait_verbs! {
    /// Methods that `()`, the result of most commands, does not have.
    ForeignUnit;
    UnitInsert: fn insert[A, B, R](A, B) -> R:
        "a command returns `()`, and has no `insert`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.insert(entity, component);`";
    UnitRemove: fn remove[T](impl Sized) -> ():
        "a command returns `()`, and has no `remove`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.remove::<T>(entity);`";
    UnitDespawn: fn despawn[A](A) -> ():
        "a command returns `()`, and has no `despawn`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.despawn(entity);`";
    UnitSpawn: fn spawn[A, R](A) -> R:
        "a command returns `()`, and has no `spawn`",
        "write one statement for each command: `commands.spawn((A, B));`";
    UnitRelate: fn relate[A, B](A, B) -> ():
        "a command returns `()`, and has no `relate`",
        "write one statement for each command: `commands.relate(entity, relation);`";
}

impl ForeignUnit for () {}

#[cfg(feature = "reflect")]
trait_verbs! {
    /// Methods that a `ReflectRef` does not have.
    ForeignReflectRef;
    ReflectRefSpawn: fn spawn[A, R](A) -> R:
        "a handle of `reflect` reads the world, and has no `spawn`",
        "write `game.reflect_mut().spawn(components)`";
    ReflectRefDespawn: fn despawn[A, R](A) -> R:
        "a handle of `reflect` reads the world, and has no `despawn`",
        "write `game.reflect_mut().despawn(entity)`";
    ReflectRefInsert: fn insert[A, B, C, R](A, B, C) -> R:
        "a handle of `reflect` reads the world, and has no `insert`",
        "write `game.reflect_mut().insert(entity, component, value)`";
    ReflectRefPatch: fn patch[A, B, C, R](A, B, C) -> R:
        "a handle of `reflect` reads the world, and has no `patch`",
        "write `game.reflect_mut().patch(entity, path, value)`";
    ReflectRefPatchResource: fn patch_resource[A, B, R](A, B) -> R:
        "a handle of `reflect` reads the world, and has no `patch_resource`",
        "write `game.reflect_mut().patch_resource(path, value)`";
    ReflectRefRemove: fn remove[A, B, R](A, B) -> R:
        "a handle of `reflect` reads the world, and has no `remove`",
        "write `game.reflect_mut().remove(entity, component)`";
    ReflectRefSend: fn send[A, B, R](A, B) -> R:
        "a handle of `reflect` reads the world, and has no `send`",
        "write `game.reflect_mut().send(event, value)`";
    ReflectRefRunSystem: fn run_system[A, R](A) -> R:
        "a handle of `reflect` reads the world, and has no `run_system`",
        "write `game.reflect_mut().run_system(system)`";
    ReflectRefRunSchedule: fn run_schedule[A, R](A) -> R:
        "a handle of `reflect` reads the world, and has no `run_schedule`",
        "write `game.reflect_mut().run_schedule(schedule)`";
}

#[cfg(feature = "reflect")]
impl ForeignReflectRef for crate::reflect::ReflectRef<'_> {}

trait_verbs! {
    /// Methods that a `Schedule` does not have.
    ForeignSchedule;
    ScheduleAddSystems: fn add_systems[A, R](A) -> R:
        "a `Schedule` has no `add_systems`",
        "write `schedule.add::<movement>(&mut game, 0)` for each system; systems run in the order of these numbers";
    ScheduleAddSystem: fn add_system[A, R](A) -> R:
        "a `Schedule` has no `add_system`",
        "write `schedule.add::<movement>(&mut game, 0)`; systems run in the order of these numbers";
    ScheduleWithSystem: fn with_system[A, R](A) -> R:
        "a `Schedule` has no `with_system`",
        "write `schedule.add::<movement>(&mut game, 0)`; systems run in the order of these numbers";
    ScheduleConfigureSets: fn configure_sets[A, R](A) -> R:
        "a `Schedule` has no `configure_sets`",
        "systems run in the order of the numbers that `schedule.add::<movement>(&mut game, 0)` gives them";
}

impl<W: World> ForeignSchedule for Schedule<W> {}
