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

impl ForeignParent {
    #[doc(hidden)]
    pub fn spawn<A>(&mut self, _: A) -> Entity {
        unreachable!("there are no values of this type")
    }
}

foreign! {
    /// Methods that an `Entity` does not have.
    trait ForeignHandle;
    EntityId { fn id(&mut self) -> Entity where Self: EntityId }
        "an `Entity` has no `id`: `spawn` returns the id itself",
        "leave this call out";
    EntityInsert { fn insert<A, R>(&mut self, _: A) -> R where Self: EntityInsert }
        "an `Entity` is an id, and has no `insert`",
        "write `commands.entity(entity).insert(component)` or `game.insert(entity, component)`",
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntitySetValue { fn set<A, R>(&mut self, _: A) -> R where Self: EntitySetValue }
        "an `Entity` is an id, and has no `set`",
        "write `commands.insert(entity, component)` or `game.insert(entity, component)`";
    EntityAdd { fn add<T>(&mut self) where Self: EntityAdd }
        "an `Entity` is an id, and has no `add`",
        "write `commands.insert(entity, component)` or `game.insert(entity, component)`";
    EntityWith { fn with<A, R>(&mut self, _: A) -> R where Self: EntityWith }
        "an `Entity` is an id, and has no `with`",
        "several components are spawned as one tuple: `spawn((A, B))`";
    EntityRemove { fn remove<T>(&mut self) where Self: EntityRemove }
        "an `Entity` is an id, and has no `remove`",
        "write `commands.remove::<T>(entity)` or `game.remove::<T>(entity)`";
    EntityDespawn { fn despawn(&mut self) where Self: EntityDespawn }
        "an `Entity` is an id, and has no `despawn`",
        "write `commands.despawn(entity)` or `game.despawn(entity)`";
    EntityDespawnRecursive { fn despawn_recursive(&mut self) where Self: EntityDespawnRecursive }
        "an `Entity` is an id, and has no `despawn_recursive`",
        "write `commands.despawn(entity)` or `game.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    EntityGet { fn get<T: 'static>(&mut self) -> Option<&'static T> where Self: EntityGet }
        "an `Entity` is an id, and has no `get`",
        "write `game.get::<T>(entity)`, or in a system `query.get(entity)`";
    EntityHas { fn has<T>(&mut self) -> bool where Self: EntityHas }
        "an `Entity` is an id, and has no `has`",
        "write `game.has::<T>(entity)` or `commands.has::<T>(entity)`";
    EntityIsAlive { fn is_alive(&mut self) -> bool where Self: EntityIsAlive }
        "an `Entity` is an id, and has no `is_alive`",
        "write `game.contains(entity)` or `commands.contains(entity)`";
    EntityWithChildren { fn with_children(&mut self, _: impl FnOnce(&mut ForeignParent)) -> Entity where Self: EntityWithChildren }
        "an `Entity` is an id, and has no `with_children`",
        "write `commands.spawn_with_children((A, B), ChildOf, |children| ..)`, or `children![C, D]` in place of the closure",
        "list `ChildOf` among the components of the world";
    EntityWithChild { fn with_child<A>(&mut self, _: A) -> Entity where Self: EntityWithChild }
        "an `Entity` is an id, and has no `with_child`",
        "spawn the child with the relation to its parent: `commands.spawn((A, ChildOf(parent)))`",
        "list `ChildOf` among the components of the world";
    EntityAddChild { fn add_child<A>(&mut self, _: A) -> Entity where Self: EntityAddChild }
        "an `Entity` is an id, and has no `add_child`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityAddChildren { fn add_children<A>(&mut self, _: A) -> Entity where Self: EntityAddChildren }
        "an `Entity` is an id, and has no `add_children`",
        "write `commands.insert(child, ChildOf(parent))` for each child",
        "list `ChildOf` among the components of the world";
    EntitySetParent { fn set_parent<A>(&mut self, _: A) -> Entity where Self: EntitySetParent }
        "an `Entity` is an id, and has no `set_parent`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityChildOf { fn child_of<A>(&mut self, _: A) -> Entity where Self: EntityChildOf }
        "an `Entity` is an id, and has no `child_of`",
        "write `commands.insert(child, ChildOf(parent))`",
        "list `ChildOf` among the components of the world";
    EntityObserve { fn observe<A, R>(&mut self, _: A) -> R where Self: EntityObserve }
        "an `Entity` is an id, and has no `observe`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    EntityQueue { fn queue<A, R>(&mut self, _: A) -> R where Self: EntityQueue }
        "an `Entity` is an id, and has no `queue`",
        "write `commands.run(move |game| ..)`, with the entity in the closure";
    EntityTrigger { fn trigger<A, R>(&mut self, _: A) -> R where Self: EntityTrigger }
        "an `Entity` is an id, and has no `trigger`",
        "write `events.send(Hit(entity))`, with the entity in the event and the parameter `mut events: EventWriter<Hit>`";
    EntityInsertIfNew { fn insert_if_new<A, R>(&mut self, _: A) -> R where Self: EntityInsertIfNew }
        "an `Entity` is an id, and has no `insert_if_new`",
        "write `commands.insert_if_new(entity, component)`";
    EntityInsertIf { fn insert_if<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityInsertIf }
        "an `Entity` is an id, and has no `insert_if`",
        "write `commands.insert(entity, component)`";
    EntityInsertBundle { fn insert_bundle<A, R>(&mut self, _: A) -> R where Self: EntityInsertBundle }
        "an `Entity` is an id, and has no `insert_bundle`",
        "write `commands.insert(entity, component)`";
    EntityInsertChildren { fn insert_children<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityInsertChildren }
        "an `Entity` is an id, and has no `insert_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityPushChildren { fn push_children<A, R>(&mut self, _: A) -> R where Self: EntityPushChildren }
        "an `Entity` is an id, and has no `push_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityReplaceChildren { fn replace_children<A, R>(&mut self, _: A) -> R where Self: EntityReplaceChildren }
        "an `Entity` is an id, and has no `replace_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityRemoveChild { fn remove_child<A, R>(&mut self, _: A) -> R where Self: EntityRemoveChild }
        "an `Entity` is an id, and has no `remove_child`",
        "write `commands.remove::<ChildOf>(child)`";
    EntityRemoveChildren { fn remove_children<A, R>(&mut self, _: A) -> R where Self: EntityRemoveChildren }
        "an `Entity` is an id, and has no `remove_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityDetachChild { fn detach_child<A, R>(&mut self, _: A) -> R where Self: EntityDetachChild }
        "an `Entity` is an id, and has no `detach_child`",
        "write `commands.remove::<ChildOf>(child)`";
    EntityDetachAllChildren { fn detach_all_children<R>(&mut self) -> R where Self: EntityDetachAllChildren }
        "an `Entity` is an id, and has no `detach_all_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityClearChildren { fn clear_children<R>(&mut self) -> R where Self: EntityClearChildren }
        "an `Entity` is an id, and has no `clear_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityRemoveParent { fn remove_parent<R>(&mut self) -> R where Self: EntityRemoveParent }
        "an `Entity` is an id, and has no `remove_parent`",
        "write `commands.remove::<ChildOf>(entity)`";
    EntityDespawnRelated { fn despawn_related<T>(&mut self) -> &mut Self where T: EntityDespawnRelated }
        "an `Entity` is an id, and has no `despawn_related`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityDespawnDescendants { fn despawn_descendants<R>(&mut self) -> R where Self: EntityDespawnDescendants }
        "an `Entity` is an id, and has no `despawn_descendants`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityDespawnChildren { fn despawn_children<R>(&mut self) -> R where Self: EntityDespawnChildren }
        "an `Entity` is an id, and has no `despawn_children`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityAddRelated { fn add_related<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityAddRelated }
        "an `Entity` is an id, and has no `add_related`",
        "write `commands.insert(other, ChildOf(entity))` for each";
    EntityWithRelated { fn with_related<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityWithRelated }
        "an `Entity` is an id, and has no `with_related`",
        "write `commands.spawn((A, ChildOf(entity)))`";
    EntityWithRelatedEntities { fn with_related_entities<T>(&mut self, _: impl Sized) -> &mut Self where Self: EntityWithRelatedEntities }
        "an `Entity` is an id, and has no `with_related_entities`",
        "write `commands.spawn((A, ChildOf(entity)))` for each";
    EntityCloneAndSpawn { fn clone_and_spawn<R>(&mut self) -> R where Self: EntityCloneAndSpawn }
        "an `Entity` is an id, and has no `clone_and_spawn`",
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityCloneWith { fn clone_with<A, B, R>(&mut self, _: A, _: B) -> R where Self: EntityCloneWith }
        "an `Entity` is an id, and has no `clone_with`",
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityLogComponents { fn log_components<R>(&mut self) -> R where Self: EntityLogComponents }
        "an `Entity` is an id, and has no `log_components`",
        "write `commands.run(move |game| println!(\"{{:?}}\", game.entity(entity)))`";
    EntityTryInsert { fn try_insert<A, R>(&mut self, _: A) -> R where Self: EntityTryInsert }
        "an `Entity` is an id, and has no `try_insert`",
        "write `commands.insert_if_new(entity, component)`";
    EntityTryDespawn { fn try_despawn<R>(&mut self) -> R where Self: EntityTryDespawn }
        "an `Entity` is an id, and has no `try_despawn`",
        "write `commands.despawn_if_alive(entity)`";
    EntityEntry { fn entry<T>(&mut self) -> &mut Self where Self: EntityEntry }
        "an `Entity` is an id, and has no `entry`",
        "write `game.get_or_insert_with(entity, T::default)`";
    EntityGetMut { fn get_mut<T>(&mut self) -> Option<&'static mut T> where Self: EntityGetMut }
        "an `Entity` is an id, and has no `get_mut`",
        "write `game.get_mut::<T>(entity)`, or in a system `query.get_mut(entity)`";
    EntityContains { fn contains<T>(&mut self) -> bool where Self: EntityContains }
        "an `Entity` is an id, and has no `contains`",
        "write `game.has::<T>(entity)` or `commands.has::<T>(entity)`";
    EntityExists { fn exists(&mut self) -> bool where Self: EntityExists }
        "an `Entity` is an id, and has no `exists`",
        "write `game.contains(entity)` or `commands.contains(entity)`";
    EntityIsA { fn is_a<A, R>(&mut self, _: A) -> R where Self: EntityIsA }
        "an `Entity` is an id, and has no `is_a`",
        "a kind of entities is a struct with `#[derive(Aspect)]`, or a `Prefab`: `game.spawn(Monster::fresh())`";
    EntityDestruct { fn destruct<R>(&mut self) -> R where Self: EntityDestruct }
        "an `Entity` is an id, and has no `destruct`",
        "write `game.despawn(entity)` or `commands.despawn(entity)`";
    EntityDelete { fn delete<R>(&mut self) -> R where Self: EntityDelete }
        "an `Entity` is an id, and has no `delete`",
        "write `game.despawn(entity)` or `commands.despawn(entity)`";
    EntityKill { fn kill<R>(&mut self) -> R where Self: EntityKill }
        "an `Entity` is an id, and has no `kill`",
        "write `game.despawn(entity)` or `commands.despawn(entity)`";
    EntityIndex { fn index(&mut self) -> u32 where Self: EntityIndex }
        "an `Entity` is an id, and has no `index`",
        "write `entity.slot()`";
    EntityIdx { fn idx(&mut self) -> u32 where Self: EntityIdx }
        "an `Entity` is an id, and has no `idx`",
        "write `entity.slot()`";
    EntityParent { fn parent(&mut self) -> Option<Entity> where Self: EntityParent }
        "an `Entity` is an id, and has no `parent`",
        "write `game.get::<ChildOf>(entity).map(|parent| parent.0)`; in a system, take `Query<&ChildOf>`";
    EntityChildren { fn children<R>(&mut self) -> R where Self: EntityChildren }
        "an `Entity` is an id, and has no `children`",
        "take `family: Related<ChildOf>`, and write `family.sources(entity)`";
    EntitySetName { fn set_name<A, R>(&mut self, _: A) -> R where Self: EntitySetName }
        "an `Entity` is an id, and has no `set_name`",
        "write `game.insert(entity, Name::new(name))`, with `Name` of `ecs::component`";
    EntityEnable { fn enable<R>(&mut self) -> R where Self: EntityEnable }
        "an `Entity` is an id, and has no `enable`",
        "write `game.remove::<Disabled>(entity)`, with `Disabled` of `ecs::component`";
    EntityDisable { fn disable<R>(&mut self) -> R where Self: EntityDisable }
        "an `Entity` is an id, and has no `disable`",
        "write `game.insert(entity, Disabled)`, with `Disabled` of `ecs::component`";
    EntityBuild { fn build(&mut self) -> Entity where Self: EntityBuild }
        "an `Entity` is an id, and has no `build`: `spawn` returns the id itself",
        "leave this call out";
    EntityCommands { fn commands<R>(&mut self) -> R where Self: EntityCommands }
        "an `Entity` is an id, and has no `commands`",
        "write `commands` itself, which `spawn` borrows for the call only";
}

impl ForeignHandle for Entity {}

foreign! {
    /// Methods that an `EntityMut` does not have.
    struct ForeignEntityMut;
    EntityMutWithChildren { pub fn with_children<A, R>(&self, _: A) -> R where This: EntityMutWithChildren }
        "`EntityMut` has no `with_children`",
        "write `game.spawn_with_children((A, B), ChildOf, |children| ..)`";
    EntityMutWithChild { pub fn with_child<A, R>(&self, _: A) -> R where This: EntityMutWithChild }
        "`EntityMut` has no `with_child`",
        "write `game.spawn((A, ChildOf(parent)))`";
    EntityMutAddChild { pub fn add_child<A, R>(&self, _: A) -> R where This: EntityMutAddChild }
        "`EntityMut` has no `add_child`",
        "write `game.insert(child, ChildOf(parent))`";
    EntityMutAddChildren { pub fn add_children<A, R>(&self, _: A) -> R where This: EntityMutAddChildren }
        "`EntityMut` has no `add_children`",
        "write `game.insert(child, ChildOf(parent))` for each child";
    EntityMutSetParent { pub fn set_parent<A, R>(&self, _: A) -> R where This: EntityMutSetParent }
        "`EntityMut` has no `set_parent`",
        "write `insert(ChildOf(parent))`";
    EntityMutContains { pub fn contains<T>(&self) -> bool where This: EntityMutContains }
        "`EntityMut` has no `contains`",
        "write `has::<T>()`";
    EntityMutTake { pub fn take<T>(&self) -> Option<T> where This: EntityMutTake }
        "`EntityMut` has no `take`",
        "write `remove::<T>()`, which returns the value";
    EntityMutAddComponent { pub fn add_component<A, R>(&self, _: A) -> R where This: EntityMutAddComponent }
        "`EntityMut` has no `add_component`",
        "write `insert(component)`";
    EntityMutRemoveComponent { pub fn remove_component<T>(&self) -> &super::Chained<Self> where This: EntityMutRemoveComponent }
        "`EntityMut` has no `remove_component`",
        "write `remove::<T>()`";
    EntityMutGetComponent { pub fn get_component<T>(&self) -> Option<&'static T> where This: EntityMutGetComponent }
        "`EntityMut` has no `get_component`",
        "write `get::<T>()`";
    EntityMutGetComponentMut { pub fn get_component_mut<T>(&self) -> Option<&'static mut T> where This: EntityMutGetComponentMut }
        "`EntityMut` has no `get_component_mut`",
        "write `get_mut::<T>()`";
    EntityMutEntry { pub fn entry<T>(&self) -> &super::Chained<Self> where This: EntityMutEntry }
        "`EntityMut` has no `entry`",
        "write `game.get_or_insert_with(entity, T::default)`";
    EntityMutDespawnRecursive { pub fn despawn_recursive<R>(&self) -> R where This: EntityMutDespawnRecursive }
        "`EntityMut` has no `despawn_recursive`",
        "write `despawn()`, which also despawns the sources of a relation with `gone = cascade`, such as `ChildOf`";
    EntityMutModifyComponent { pub fn modify_component<A, R>(&self, _: A) -> R where This: EntityMutModifyComponent }
        "`EntityMut` has no `modify_component`",
        "write `if let Some(mut value) = entity.get_mut::<T>() {{ .. }}`";
    EntityMutWorld { pub fn world<R>(&self) -> R where This: EntityMutWorld }
        "`EntityMut` has no `world`: the handle borrows the world",
        "keep the id, `let id = entity.id();`, and use the world behind the handle";
    EntityMutWorldScope { pub fn world_scope<A, R>(&self, _: A) -> R where This: EntityMutWorldScope }
        "`EntityMut` has no `world_scope`: the handle borrows the world",
        "keep the id, `let id = entity.id();`, and use the world behind the handle";
    EntityMutObserve { pub fn observe<A, R>(&self, _: A) -> R where This: EntityMutObserve }
        "`EntityMut` has no `observe`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
}

foreign! {
    /// Methods that a `ChildOf` does not have.
    struct ForeignChildOf;
    ChildOfParent { pub fn parent(&self) -> crate::entity::Entity where This: ChildOfParent }
        "`ChildOf` has no `parent`: it is a struct with one public field",
        "write `child_of.0`";
    ChildOfGet { pub fn get(&self) -> crate::entity::Entity where This: ChildOfGet }
        "`ChildOf` has no `get`: it is a struct with one public field",
        "write `child_of.0`";
    ChildOfEntity { pub fn entity(&self) -> crate::entity::Entity where This: ChildOfEntity }
        "`ChildOf` has no `entity`: it is a struct with one public field",
        "write `child_of.0`";
}

foreign! {
    /// Methods that the result of `entity` and `entity_mut` does not have.
    trait ForeignEntityResult;
    EntityResultId { fn id(&mut self) -> Entity where Self: EntityResultId }
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().id()`, or `?` in a function that returns a `Result`";
    EntityResultInsert { fn insert<A, R>(&mut self, _: A) -> R where Self: EntityResultInsert }
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().insert(component)`, or `?` in a function that returns a `Result`";
    EntityResultRemove { fn remove<T>(&mut self) where Self: EntityResultRemove }
        "this is a `Result`, since the entity may not be alive",
        "write `.unwrap().remove::<T>()`, or `?` in a function that returns a `Result`";
    EntityResultDespawn { fn despawn(&mut self) where Self: EntityResultDespawn }
        "this is a `Result`, since the entity may not be alive",
        "write `game.despawn(entity)`, which returns a `Result`, too";
    EntityResultGet { fn get<T: 'static>(&mut self) -> Option<&'static T> where Self: EntityResultGet }
        "this is a `Result`, since the entity may not be alive",
        "write `game.get::<T>(entity)`, which returns an `Option`";
    EntityResultGetMut { fn get_mut<T: 'static>(&mut self) -> Option<&'static mut T> where Self: EntityResultGetMut }
        "this is a `Result`, since the entity may not be alive",
        "write `game.get_mut::<T>(entity)`, which returns an `Option`";
    EntityResultHas { fn has<T>(&mut self) -> bool where Self: EntityResultHas }
        "this is a `Result`, since the entity may not be alive",
        "write `game.has::<T>(entity)`";
    EntityResultContains { fn contains<T>(&mut self) -> bool where Self: EntityResultContains }
        "this is a `Result`, since the entity may not be alive",
        "write `game.has::<T>(entity)`";
}

impl<W: World> ForeignEntityResult for Result<EntityMut<'_, W>, NoSuchEntity> {}
impl<W: World> ForeignEntityResult for Result<EntityRef<'_, W>, NoSuchEntity> {}

foreign! {
    /// Methods that `()`, the result of most commands, does not have.
    trait ForeignUnit;
    UnitInsert { fn insert<A, B, R>(&mut self, _: A, _: B) -> R where Self: UnitInsert }
        "a command returns `()`, and has no `insert`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.insert(entity, component);`";
    UnitRemove { fn remove<T>(&mut self, _: impl Sized) where Self: UnitRemove }
        "a command returns `()`, and has no `remove`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.remove::<T>(entity);`";
    UnitDespawn { fn despawn<A>(&mut self, _: A) where Self: UnitDespawn }
        "a command returns `()`, and has no `despawn`",
        "write `commands.entity(entity)`, whose methods can be chained, or one statement for each command: `commands.despawn(entity);`";
    UnitSpawn { fn spawn<A, R>(&mut self, _: A) -> R where Self: UnitSpawn }
        "a command returns `()`, and has no `spawn`",
        "write one statement for each command: `commands.spawn((A, B));`";
    UnitRelate { fn relate<A, B>(&mut self, _: A, _: B) where Self: UnitRelate }
        "a command returns `()`, and has no `relate`",
        "write one statement for each command: `commands.relate(entity, relation);`";
}

impl ForeignUnit for () {}

#[cfg(feature = "reflect")]
foreign! {
    /// Methods that a `ReflectRef` does not have.
    trait ForeignReflectRef;
    ReflectRefSpawn { fn spawn<A, R>(&mut self, _: A) -> R where Self: ReflectRefSpawn }
        "a handle of `reflect` reads the world, and has no `spawn`",
        "write `game.reflect_mut().spawn(components)`";
    ReflectRefDespawn { fn despawn<A, R>(&mut self, _: A) -> R where Self: ReflectRefDespawn }
        "a handle of `reflect` reads the world, and has no `despawn`",
        "write `game.reflect_mut().despawn(entity)`";
    ReflectRefInsert { fn insert<A, B, C, R>(&mut self, _: A, _: B, _: C) -> R where Self: ReflectRefInsert }
        "a handle of `reflect` reads the world, and has no `insert`",
        "write `game.reflect_mut().insert(entity, component, value)`";
    ReflectRefPatch { fn patch<A, B, C, R>(&mut self, _: A, _: B, _: C) -> R where Self: ReflectRefPatch }
        "a handle of `reflect` reads the world, and has no `patch`",
        "write `game.reflect_mut().patch(entity, path, value)`";
    ReflectRefPatchResource { fn patch_resource<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefPatchResource }
        "a handle of `reflect` reads the world, and has no `patch_resource`",
        "write `game.reflect_mut().patch_resource(path, value)`";
    ReflectRefRemove { fn remove<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefRemove }
        "a handle of `reflect` reads the world, and has no `remove`",
        "write `game.reflect_mut().remove(entity, component)`";
    ReflectRefSend { fn send<A, B, R>(&mut self, _: A, _: B) -> R where Self: ReflectRefSend }
        "a handle of `reflect` reads the world, and has no `send`",
        "write `game.reflect_mut().send(event, value)`";
    ReflectRefRunSystem { fn run_system<A, R>(&mut self, _: A) -> R where Self: ReflectRefRunSystem }
        "a handle of `reflect` reads the world, and has no `run_system`",
        "write `game.reflect_mut().run_system(system)`";
    ReflectRefRunSchedule { fn run_schedule<A, R>(&mut self, _: A) -> R where Self: ReflectRefRunSchedule }
        "a handle of `reflect` reads the world, and has no `run_schedule`",
        "write `game.reflect_mut().run_schedule(schedule)`";
}

#[cfg(feature = "reflect")]
impl ForeignReflectRef for crate::reflect::ReflectRef<'_> {}

foreign! {
    /// Methods that a `Schedule` does not have.
    trait ForeignSchedule;
    ScheduleAddSystems { fn add_systems<A, R>(&mut self, _: A) -> R where Self: ScheduleAddSystems }
        "a `Schedule` has no `add_systems`",
        "write `schedule.add::<movement>(&mut game, 0)` for each system; systems run in the order of these numbers";
    ScheduleAddSystem { fn add_system<A, R>(&mut self, _: A) -> R where Self: ScheduleAddSystem }
        "a `Schedule` has no `add_system`",
        "write `schedule.add::<movement>(&mut game, 0)`; systems run in the order of these numbers";
    ScheduleWithSystem { fn with_system<A, R>(&mut self, _: A) -> R where Self: ScheduleWithSystem }
        "a `Schedule` has no `with_system`",
        "write `schedule.add::<movement>(&mut game, 0)`; systems run in the order of these numbers";
    ScheduleConfigureSets { fn configure_sets<A, R>(&mut self, _: A) -> R where Self: ScheduleConfigureSets }
        "a `Schedule` has no `configure_sets`",
        "systems run in the order of the numbers that `schedule.add::<movement>(&mut game, 0)` gives them";
}

impl<W: World> ForeignSchedule for Schedule<W> {}
