//! Methods that the results of `spawn` and `entity`, and schedules, have in other libraries.
//!
//! They are methods of traits, which the prelude brings into scope, since `Entity` and `Result`
//! cannot dereference to another type. A method of a user's trait is found first, unless it takes
//! `&mut self`, too.

use crate::entity::Entity;
use crate::error::NoSuchEntity;
use crate::schedule::Schedule;
use crate::world::{EntityMut, EntityRef, World};

/// The argument of closures that spawn children in other libraries.
pub struct ForeignParent;

#[doc(hidden)]
impl ForeignParent {
    pub fn spawn<A>(&mut self, _: A) -> Entity {
        unreachable!("there are no values of this type")
    }
}

foreign! {
    /// Methods that an `Entity` does not have.
    trait ForeignHandle, "an `Entity` is an id, and";
    EntityId { fn id(&mut self) -> Entity where Self: EntityId }
        = "an `Entity` has no `id`: `spawn` returns the id itself",
        "leave this call out";
    EntityInsert { fn insert<A, R>(&mut self, _: A) -> R where Self: EntityInsert }
    EntityAddComponent { fn add_component<A, R>(&mut self, _: A) -> R where Self: EntityAddComponent }
        "write `commands.entity(entity).insert(component)` or `game.insert(entity, component)`",
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntitySetValue { fn set<A, R>(&mut self, _: A) -> R where Self: EntitySetValue }
    EntityAdd { fn add<T>(&mut self) where Self: EntityAdd }
        "write `commands.insert(entity, component)` or `game.insert(entity, component)`";
    EntityWith { fn with<A, R>(&mut self, _: A) -> R where Self: EntityWith }
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntityRemove { fn remove<T>(&mut self) where Self: EntityRemove }
        "write `commands.remove::<T>(entity)` or `game.remove::<T>(entity)`";
    EntityDespawn { fn despawn(&mut self) where Self: EntityDespawn }
        "write `commands.despawn(entity)` or `game.despawn(entity)`";
    EntityDespawnRecursive { fn despawn_recursive(&mut self) where Self: EntityDespawnRecursive }
        "write `commands.despawn(entity)` or `game.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    EntityGetComponent { fn get_component<T: 'static>(&mut self) -> Option<&'static T> where Self: EntityGetComponent }
    EntityGet { fn get<T: 'static>(&mut self) -> Option<&'static T> where Self: EntityGet }
        "write `game.get::<T>(entity)`, or in a system `query.get(entity)`";
    EntityDestroy { fn destroy<R>(&mut self) -> R where Self: EntityDestroy }
        "write `commands.despawn(entity)` or `game.despawn(entity)`";
    EntitySetActive { fn set_active<A, R>(&mut self, _: A) -> R where Self: EntitySetActive }
        "write `game.insert(entity, Disabled)`, with `Disabled` in the `components` of the world";
    EntityHas { fn has<T>(&mut self) -> bool where Self: EntityHas }
    EntityContains { fn contains<T>(&mut self) -> bool where Self: EntityContains }
        "write `game.has::<T>(entity)` or `commands.has::<T>(entity)`";
    EntityIsAlive { fn is_alive(&mut self) -> bool where Self: EntityIsAlive }
    EntityExists { fn exists(&mut self) -> bool where Self: EntityExists }
        "write `game.contains(entity)` or `commands.contains(entity)`";
    EntityWithChildren { fn with_children(&mut self, _: impl FnOnce(&mut ForeignParent)) -> Entity where Self: EntityWithChildren }
        "write `commands.spawn_with_children((A, B), ChildOf, |children| ..)`, or `children![C, D]` in place of the closure",
        "list `ChildOf` among the components of the world";
    EntityWithChild { fn with_child<A>(&mut self, _: A) -> Entity where Self: EntityWithChild }
        "spawn the child with the relation to its parent: `commands.spawn((A, ChildOf(parent)))`",
        "list `ChildOf` among the components of the world";
    EntityAddChild { fn add_child<A>(&mut self, _: A) -> Entity where Self: EntityAddChild }
    EntitySetParent { fn set_parent<A>(&mut self, _: A) -> Entity where Self: EntitySetParent }
    EntityChildOf { fn child_of<A>(&mut self, _: A) -> Entity where Self: EntityChildOf }
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityAddChildren { fn add_children<A>(&mut self, _: A) -> Entity where Self: EntityAddChildren }
        "write `commands.insert(child, ChildOf(parent))` for each child",
        "list `ChildOf` among the components of the world";
    EntityObserve { fn observe<A, R>(&mut self, _: A) -> R where Self: EntityObserve }
        : "the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    EntityQueue { fn queue<A, R>(&mut self, _: A) -> R where Self: EntityQueue }
        "write `commands.run(move |game| ..)`, with the entity in the closure";
    EntityTrigger { fn trigger<A, R>(&mut self, _: A) -> R where Self: EntityTrigger }
        "write `events.send(Hit(entity))`, with the entity in the event and the parameter `mut events: EventWriter<Hit>`";
    EntityInsertIfNew { fn insert_if_new<A, R>(&mut self, _: A) -> R where Self: EntityInsertIfNew }
    EntityTryInsert { fn try_insert<A, R>(&mut self, _: A) -> R where Self: EntityTryInsert }
        "write `commands.insert_if_new(entity, component)`";
    EntityInsertIf { fn insert_if<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityInsertIf }
    EntityInsertBundle { fn insert_bundle<A, R>(&mut self, _: A) -> R where Self: EntityInsertBundle }
        "write `commands.insert(entity, component)`";
    EntityInsertChildren { fn insert_children<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityInsertChildren }
    EntityPushChildren { fn push_children<A, R>(&mut self, _: A) -> R where Self: EntityPushChildren }
    EntityReplaceChildren { fn replace_children<A, R>(&mut self, _: A) -> R where Self: EntityReplaceChildren }
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityRemoveChild { fn remove_child<A, R>(&mut self, _: A) -> R where Self: EntityRemoveChild }
    EntityDetachChild { fn detach_child<A, R>(&mut self, _: A) -> R where Self: EntityDetachChild }
        "write `commands.remove::<ChildOf>(child)`";
    EntityRemoveChildren { fn remove_children<A, R>(&mut self, _: A) -> R where Self: EntityRemoveChildren }
    EntityDetachAllChildren { fn detach_all_children<R>(&mut self) -> R where Self: EntityDetachAllChildren }
    EntityClearChildren { fn clear_children<R>(&mut self) -> R where Self: EntityClearChildren }
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityRemoveParent { fn remove_parent<R>(&mut self) -> R where Self: EntityRemoveParent }
        "write `commands.remove::<ChildOf>(entity)`";
    EntityDespawnRelated { fn despawn_related<T>(&mut self) -> &mut Self where T: EntityDespawnRelated }
    EntityDespawnDescendants { fn despawn_descendants<R>(&mut self) -> R where Self: EntityDespawnDescendants }
    EntityDespawnChildren { fn despawn_children<R>(&mut self) -> R where Self: EntityDespawnChildren }
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityAddRelated { fn add_related<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityAddRelated }
        "write `commands.insert(other, ChildOf(entity))` for each";
    EntityWithRelated { fn with_related<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityWithRelated }
        "write `commands.spawn((A, ChildOf(entity)))`";
    EntityWithRelatedEntities { fn with_related_entities<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityWithRelatedEntities }
        "write `commands.spawn((A, ChildOf(entity)))` for each";
    EntityCloneAndSpawn { fn clone_and_spawn<R>(&mut self) -> R where Self: EntityCloneAndSpawn }
    EntityCloneWith { fn clone_with<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityCloneWith }
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityLogComponents { fn log_components<R>(&mut self) -> R where Self: EntityLogComponents }
        "write `commands.run(move |game| println!(\"{{:?}}\", game.entity(entity)))`";
    EntityTryDespawn { fn try_despawn<R>(&mut self) -> R where Self: EntityTryDespawn }
        "write `commands.despawn_if_alive(entity)`";
    EntityEntry { fn entry<T>(&mut self) -> &mut Self where Self: EntityEntry }
        "write `game.get_or_insert_with(entity, T::default)`";
    EntityGetMut { fn get_mut<T>(&mut self) -> Option<&'static mut T> where Self: EntityGetMut }
        "write `game.get_mut::<T>(entity)`, or in a system `query.get_mut(entity)`";
    EntityIsA { fn is_a<A, R>(&mut self, _: A) -> R where Self: EntityIsA }
        "a kind of entities is a struct with `#[derive(Aspect)]`, or a `Prefab`: `game.spawn(Monster::fresh())`";
    EntityDestruct { fn destruct<R>(&mut self) -> R where Self: EntityDestruct }
    EntityDelete { fn delete<R>(&mut self) -> R where Self: EntityDelete }
    EntityKill { fn kill<R>(&mut self) -> R where Self: EntityKill }
        "write `game.despawn(entity)` or `commands.despawn(entity)`";
    EntityIndex { fn index(&mut self) -> u32 where Self: EntityIndex }
    EntityIdx { fn idx(&mut self) -> u32 where Self: EntityIdx }
        "write `entity.slot()`";
    EntityParent { fn parent(&mut self) -> Option<Entity> where Self: EntityParent }
        "write `game.get::<ChildOf>(entity).map(|parent| parent.0)`; in a system, take `Query<&ChildOf>`";
    EntityChildren { fn children<R>(&mut self) -> R where Self: EntityChildren }
        "take `family: Related<ChildOf>`, and write `family.sources(entity)`";
    EntitySetName { fn set_name<A, R>(&mut self, _: A) -> R where Self: EntitySetName }
        "write `game.insert(entity, Name::new(name))`, with `Name` of `ecs::component`";
    EntityEnable { fn enable<R>(&mut self) -> R where Self: EntityEnable }
        "write `game.remove::<Disabled>(entity)`, with `Disabled` of `ecs::component`";
    EntityDisable { fn disable<R>(&mut self) -> R where Self: EntityDisable }
        "write `game.insert(entity, Disabled)`, with `Disabled` of `ecs::component`";
    EntityBuild { fn build(&mut self) -> Entity where Self: EntityBuild }
        : "`spawn` returns the id itself",
        "leave this call out";
    EntityCommands { fn commands<R>(&mut self) -> R where Self: EntityCommands }
        "write `commands` itself, which `spawn` borrows for the call only";
}

impl ForeignHandle for Entity {}

foreign! {
    /// Methods that tuples of storages have in other libraries.
    trait ForeignTuple, "a tuple";
    TupleJoin { fn join<R>(&mut self) -> R where Self: TupleJoin }
    TupleParJoin { fn par_join<R>(&mut self) -> R where Self: TupleParJoin }
        = "storages are not joined: a query visits the entities that have all of its components",
        "take `mut query: Query<(&mut A, &B)>`, and write `for (a, b) in &mut query`";
}

macro_rules! tuples {
    ($([$($of:ident)*])*) => {$(
        impl<$($of),*> ForeignTuple for ($($of,)*) {}
    )*};
}
tuples! { [A B] [A B C] [A B C D] }

foreign! {
    /// Methods that an `EntityMut` does not have.
    struct ForeignEntityMut, "`EntityMut`";
    EntityMutWithChildren { pub fn with_children<A, R>(&self, _: A) -> R where This: EntityMutWithChildren }
        "write `game.spawn_with_children((A, B), ChildOf, |children| ..)`";
    EntityMutWithChild { pub fn with_child<A, R>(&self, _: A) -> R where This: EntityMutWithChild }
        "write `game.spawn((A, ChildOf(parent)))`";
    EntityMutAddChild { pub fn add_child<A, R>(&self, _: A) -> R where This: EntityMutAddChild }
        "write `game.insert(child, ChildOf(parent))`";
    EntityMutAddChildren { pub fn add_children<A, R>(&self, _: A) -> R where This: EntityMutAddChildren }
        "write `game.insert(child, ChildOf(parent))` for each child";
    EntityMutSetParent { pub fn set_parent<A, R>(&self, _: A) -> R where This: EntityMutSetParent }
        "write `insert(ChildOf(parent))`";
    EntityMutContains { pub fn contains<T>(&self) -> bool where This: EntityMutContains }
        "write `has::<T>()`";
    EntityMutTake { pub fn take<T>(&self) -> Option<T> where This: EntityMutTake }
        "write `remove::<T>()`, which returns the value";
    EntityMutAddComponent { pub fn add_component<A, R>(&self, _: A) -> R where This: EntityMutAddComponent }
        "write `insert(component)`";
    EntityMutRemoveComponent { pub fn remove_component<T>(&self) -> &super::Chained<Self> where This: EntityMutRemoveComponent }
        "write `remove::<T>()`";
    EntityMutGetComponent { pub fn get_component<T>(&self) -> Option<&'static T> where This: EntityMutGetComponent }
        "write `get::<T>()`";
    EntityMutGetComponentMut { pub fn get_component_mut<T>(&self) -> Option<&'static mut T> where This: EntityMutGetComponentMut }
        "write `get_mut::<T>()`";
    EntityMutEntry { pub fn entry<T>(&self) -> &super::Chained<Self> where This: EntityMutEntry }
        "write `game.get_or_insert_with(entity, T::default)`";
    EntityMutDespawnRecursive { pub fn despawn_recursive<R>(&self) -> R where This: EntityMutDespawnRecursive }
        "write `despawn()`, which also despawns the sources of a relation with `gone = cascade`, such as `ChildOf`";
    EntityMutModifyComponent { pub fn modify_component<A, R>(&self, _: A) -> R where This: EntityMutModifyComponent }
        "write `if let Some(mut value) = entity.get_mut::<T>() {{ .. }}`";
    EntityMutWorld { pub fn world<R>(&self) -> R where This: EntityMutWorld }
    EntityMutWorldScope { pub fn world_scope<A, R>(&self, _: A) -> R where This: EntityMutWorldScope }
        : "the handle borrows the world",
        "keep the id, `let id = entity.id();`, and use the world behind the handle";
    EntityMutObserve { pub fn observe<A, R>(&self, _: A) -> R where This: EntityMutObserve }
        : "the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
}

foreign! {
    /// Methods that a `ChildOf` does not have.
    struct ForeignChildOf, "`ChildOf`";
    ChildOfParent { pub fn parent(&self) -> crate::entity::Entity where This: ChildOfParent }
    ChildOfGet { pub fn get(&self) -> crate::entity::Entity where This: ChildOfGet }
    ChildOfEntity { pub fn entity(&self) -> crate::entity::Entity where This: ChildOfEntity }
        : "it is a struct with one public field",
        "write `child_of.0`";
}

foreign! {
    /// Methods that the result of `entity` and `entity_mut` does not have.
    trait ForeignEntityResult, "";
    EntityResultId { fn id(&mut self) -> Entity where Self: EntityResultId }
        = "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().id()`, or `?` in a function that returns a `Result`";
    EntityResultInsert { fn insert<A, R>(&mut self, _: A) -> R where Self: EntityResultInsert }
    EntityResultSet { fn set<A, R>(&mut self, _: A) -> R where Self: EntityResultSet }
        = "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().insert(component)`, or `?` in a function that returns a `Result`";
    EntityResultAddChild { fn add_child<A, R>(&mut self, _: A) -> R where Self: EntityResultAddChild }
    EntityResultAddChildren { fn add_children<A, R>(&mut self, _: A) -> R where Self: EntityResultAddChildren }
        = "this is a `Result`, and an entity of a world has no `{method}`",
        "write `game.insert(child, ChildOf(parent))`";
    EntityResultRemove { fn remove<T>(&mut self) where Self: EntityResultRemove }
        = "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().remove::<T>()`, or `?` in a function that returns a `Result`";
    EntityResultDespawn { fn despawn(&mut self) where Self: EntityResultDespawn }
        = "this is a `Result`, since the entity may not be alive",
        "write `game.despawn(entity)`, which returns a `Result`, too";
    EntityResultGet { fn get<T: 'static>(&mut self) -> Option<&'static T> where Self: EntityResultGet }
        = "this is a `Result`, since the entity may not be alive",
        "write `game.get::<T>(entity)`, which returns an `Option`";
    EntityResultGetMut { fn get_mut<T: 'static>(&mut self) -> Option<&'static mut T> where Self: EntityResultGetMut }
        = "this is a `Result`, since the entity may not be alive",
        "write `game.get_mut::<T>(entity)`, which returns an `Option`";
    EntityResultHas { fn has<T>(&mut self) -> bool where Self: EntityResultHas }
    EntityResultContains { fn contains<T>(&mut self) -> bool where Self: EntityResultContains }
        = "this is a `Result`, since the entity may not be alive",
        "write `game.has::<T>(entity)`";
}

impl<W: World> ForeignEntityResult for Result<EntityMut<'_, W>, NoSuchEntity> {}
impl<W: World> ForeignEntityResult for Result<EntityRef<'_, W>, NoSuchEntity> {}

foreign! {
    /// Methods that `()`, the result of most commands, does not have.
    trait ForeignUnit, "a command returns `()`, and";
    UnitInsert { fn insert<A, B, R>(&mut self, _: A, _: B) -> R where Self: UnitInsert }
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.insert(entity, component);`";
    UnitRemove { fn remove<T>(&mut self, _: impl Sized) where Self: UnitRemove }
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.remove::<T>(entity);`";
    UnitDespawn { fn despawn<A>(&mut self, _: A) where Self: UnitDespawn }
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.despawn(entity);`";
    UnitUnwrap { fn unwrap<R>(&mut self) -> R where Self: UnitUnwrap }
    UnitExpect { fn expect<A, R>(&mut self, _: A) -> R where Self: UnitExpect }
        = "this is `()`, which is never an error",
        "leave this call out; a schedule returns a `Result` if it is declared `schedule tick -> Result {{ .. }}`";
    UnitSpawn { fn spawn<A, R>(&mut self, _: A) -> R where Self: UnitSpawn }
        "write one statement for each command: `commands.spawn((A, B));`";
    UnitRelate { fn relate<A, B>(&mut self, _: A, _: B) where Self: UnitRelate }
        "write one statement for each command: `commands.relate(entity, relation);`";
}

impl ForeignUnit for () {}

#[cfg(feature = "reflect")]
foreign! {
    /// Methods that a `ReflectRef` does not have.
    trait ForeignReflectRef, "a handle of `reflect` reads the world, and";
    ReflectRefSpawn { fn spawn<A, R>(&mut self, _: A) -> R where Self: ReflectRefSpawn }
        "write `game.reflect_mut().spawn(components)`";
    ReflectRefDespawn { fn despawn<A, R>(&mut self, _: A) -> R where Self: ReflectRefDespawn }
        "write `game.reflect_mut().despawn(entity)`";
    ReflectRefInsert { fn insert<A, B, C, R>(&mut self, _: A, _: B, _: C) -> R where Self: ReflectRefInsert }
        "write `game.reflect_mut().insert(entity, component, value)`";
    ReflectRefPatch { fn patch<A, B, C, R>(&mut self, _: A, _: B, _: C) -> R where Self: ReflectRefPatch }
        "write `game.reflect_mut().patch(entity, path, value)`";
    ReflectRefPatchResource { fn patch_resource<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefPatchResource }
        "write `game.reflect_mut().patch_resource(path, value)`";
    ReflectRefRemove { fn remove<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefRemove }
        "write `game.reflect_mut().remove(entity, component)`";
    ReflectRefSend { fn send<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefSend }
        "write `game.reflect_mut().send(event, value)`";
    ReflectRefRunSystem { fn run_system<A, R>(&mut self, _: A) -> R where Self: ReflectRefRunSystem }
        "write `game.reflect_mut().run_system(system)`";
    ReflectRefRunSchedule { fn run_schedule<A, R>(&mut self, _: A) -> R where Self: ReflectRefRunSchedule }
        "write `game.reflect_mut().run_schedule(schedule)`";
}

#[cfg(feature = "reflect")]
impl ForeignReflectRef for crate::reflect::ReflectRef<'_> {}

foreign! {
    /// Methods that a `Schedule` does not have.
    trait ForeignSchedule, "a `Schedule`";
    ScheduleAddSystems { fn add_systems<A, R>(&mut self, _: A) -> R where Self: ScheduleAddSystems }
        "write `schedule.add::<movement>(&mut game, 0)` for each system; systems run in the order of these numbers";
    ScheduleAddSystem { fn add_system<A, R>(&mut self, _: A) -> R where Self: ScheduleAddSystem }
    ScheduleWithSystem { fn with_system<A, R>(&mut self, _: A) -> R where Self: ScheduleWithSystem }
        "write `schedule.add::<movement>(&mut game, 0)`; systems run in the order of these numbers";
    ScheduleConfigureSets { fn configure_sets<A, R>(&mut self, _: A) -> R where Self: ScheduleConfigureSets }
        "systems run in the order of the numbers that `schedule.add::<movement>(&mut game, 0)` gives them";
}

impl<W: World> ForeignSchedule for Schedule<W> {}
