//! Methods that commands have in other libraries, and methods of a world, which commands do not
//! have.

foreign! {
    /// Methods that `Commands` does not have.
    struct ForeignCommands;
    CommandsSendEvent { pub fn send_event<A, R>(&self, _: A) -> R where This: CommandsSendEvent }
        "`Commands` has no `send_event`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: CommandsTrigger }
        "`Commands` has no `trigger`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsWriteMessage { pub fn write_message<A, R>(&self, _: A) -> R where This: CommandsWriteMessage }
        "`Commands` has no `write_message`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsGetEntity { pub fn get_entity<A, R>(&self, _: A) -> R where This: CommandsGetEntity }
        "`Commands` has no `get_entity`",
        "write `if commands.contains(entity) {{ .. }}`, and `commands.entity(entity)`";
    CommandsAdd { pub fn add<A, R>(&self, _: A) -> R where This: CommandsAdd }
        "`Commands` has no `add`",
        "write `commands.run(|game| ..)` for a closure, `commands.insert(entity, component)` for a component";
    CommandsQueue { pub fn queue<A, R>(&self, _: A) -> R where This: CommandsQueue }
        "`Commands` has no `queue`",
        "write `commands.run(|game| ..)`";
    CommandsInsertResource { pub fn insert_resource<A, R>(&self, _: A) -> R where This: CommandsInsertResource }
        "`Commands` has no `insert_resource`: each resource is there from the beginning",
        "take the parameter `mut value: ResMut<T>`, and write `*value = ..`",
        "list the resource in the `world!`: `resources {{ name: T = value }}`";
    CommandsInitResource { pub fn init_resource<T>(&self) where This: CommandsInitResource }
        "`Commands` has no `init_resource`: each resource is there from the beginning",
        "list the resource in the `world!` instead",
        "write `resources {{ name: T = T::default() }}` in the `world!`";
    CommandsRemoveResource { pub fn remove_resource<T>(&self) where This: CommandsRemoveResource }
        "`Commands` has no `remove_resource`: no resource can be missing",
        "put an `Option` into the resource, and `take` its value";
    CommandsSpawnEmpty { pub fn spawn_empty<R>(&self) -> R where This: CommandsSpawnEmpty }
        "`Commands` has no `spawn_empty`",
        "write `commands.spawn(())`";
    CommandsAddComponent { pub fn add_component<A, B, R>(&self, _: A, _: B) -> R where This: CommandsAddComponent }
        "`Commands` has no `add_component`",
        "write `commands.insert(entity, component)`";
    CommandsRemoveComponent { pub fn remove_component<T>(&self, _: impl Sized) where This: CommandsRemoveComponent }
        "`Commands` has no `remove_component`",
        "write `commands.remove::<T>(entity)`";
    CommandsDelete { pub fn delete<A, R>(&self, _: A) -> R where This: CommandsDelete }
        "`Commands` has no `delete`",
        "write `commands.despawn(entity)`";
    CommandsDespawnRecursive { pub fn despawn_recursive<A, R>(&self, _: A) -> R where This: CommandsDespawnRecursive }
        "`Commands` has no `despawn_recursive`",
        "write `commands.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    CommandsAddObserver { pub fn add_observer<A, R>(&self, _: A) -> R where This: CommandsAddObserver }
        "`Commands` has no `add_observer`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    CommandsDelayed { pub fn delayed<R>(&self) -> R where This: CommandsDelayed }
        "`Commands` has no `delayed`: a delayed command is a value, which is saved with the world",
        "write `commands.after(Duration::from_secs(1), DespawnEntity(entity))`, of `ecs::time`; `InsertBundle`, `RemoveBundle` and `SpawnBundle` are the other commands";
    CommandsTrySpawn { pub fn try_spawn<A, R>(&self, _: A) -> R where This: CommandsTrySpawn }
        "`Commands` has no `try_spawn`",
        "write `commands.spawn((A, B))`; a refused bundle is counted and reported";
    CommandsSpawnAt { pub fn spawn_at<A, B, R>(&self, _: A, _: B) -> R where This: CommandsSpawnAt }
        "`Commands` has no `spawn_at`",
        "write `commands.run(move |game| {{ let _ = game.spawn_at(..); }})`";
    CommandsClear { pub fn clear<R>(&self) -> R where This: CommandsClear }
        "`Commands` has no `clear`",
        "write `commands.run(|game| game.clear())`";
    CommandsInsertBatch { pub fn insert_batch<A, R>(&self, _: A) -> R where This: CommandsInsertBatch }
        "`Commands` has no `insert_batch`",
        "write `commands.insert(entity, bundle)` for each, or `commands.run(move |game| {{ game.insert_batch(batch).unwrap(); }})`";
    CommandsDespawnAll { pub fn despawn_all<F>(&self) -> usize where This: CommandsDespawnAll }
        "`Commands` has no `despawn_all`",
        "write `commands.run(move |game| {{ let _ = game.despawn_all::<F>(); }})`";
    CommandsRetain { pub fn retain<D>(&self, _: impl Sized) -> usize where This: CommandsRetain }
        "`Commands` has no `retain`",
        "write `commands.run(move |game| {{ let _ = game.retain::<D>(..); }})`";
    CommandsInsertOne { pub fn insert_one<A, B, R>(&self, _: A, _: B) -> R where This: CommandsInsertOne }
        "`Commands` has no `insert_one`",
        "write `commands.insert(entity, component)`";
    CommandsRemoveOne { pub fn remove_one<T>(&self, _: impl Sized) -> Result<Option<T>, ()> where This: CommandsRemoveOne }
        "`Commands` has no `remove_one`",
        "write `commands.remove::<T>(entity)`";
    CommandsTryRemove { pub fn try_remove<B>(&self, _: impl Sized) -> Result<B, ()> where This: CommandsTryRemove }
        "`Commands` has no `try_remove`",
        "write `commands.run(move |game| {{ let _ = game.try_remove::<B>(..); }})`";
    CommandsRemoveAll { pub fn remove_all<B>(&self) -> usize where This: CommandsRemoveAll }
        "`Commands` has no `remove_all`",
        "write `commands.run(move |game| {{ let _ = game.remove_all::<B>(); }})`";
    CommandsSwap { pub fn swap<B>(&self, _: impl Sized, _: impl Sized) -> Result<(), ()> where This: CommandsSwap }
        "`Commands` has no `swap`",
        "write `commands.run(move |game| {{ let _ = game.swap::<B>(..); }})`";
    CommandsCloneEntity { pub fn clone_entity<A, R>(&self, _: A) -> R where This: CommandsCloneEntity }
        "`Commands` has no `clone_entity`",
        "write `commands.run(move |game| {{ let _ = game.clone_entity(..); }})`";
    CommandsCloneEntities { pub fn clone_entities<A, R>(&self, _: A) -> R where This: CommandsCloneEntities }
        "`Commands` has no `clone_entities`",
        "write `commands.run(move |game| {{ let _ = game.clone_entities(..); }})`";
    CommandsGetMut { pub fn get_mut<T>(&self, _: impl Sized) -> Option<&'static mut T> where This: CommandsGetMut }
        "`Commands` has no `get_mut`",
        "in a system, take a query, `healths: Query<&mut T>`, and write `healths.get_mut(entity)`";
    CommandsGetTracked { pub fn get_tracked<T>(&self, _: impl Sized) -> Option<&'static mut T> where This: CommandsGetTracked }
        "`Commands` has no `get_tracked`",
        "in a system, take a query, `healths: Query<Mut<T>>`, and write `healths.get_mut(entity)`";
    CommandsGetRef { pub fn get_ref<T>(&self, _: impl Sized) -> Option<&'static T> where This: CommandsGetRef }
        "`Commands` has no `get_ref`",
        "in a system, take a query, `healths: Query<Ref<T>>`, and write `healths.get(entity)`";
    CommandsFind { pub fn find<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: CommandsFind }
        "`Commands` has no `find`",
        "in a system, take `lookup: Lookup<T>`, and write `lookup.find(&value)`";
    CommandsFindOne { pub fn find_one<T>(&self, _: impl Sized) -> Option<crate::entity::Entity> where This: CommandsFindOne }
        "`Commands` has no `find_one`",
        "in a system, take `lookup: Lookup<T>`, and write `lookup.find_one(&value)`";
    CommandsNamed { pub fn named<A, R>(&self, _: A) -> R where This: CommandsNamed }
        "`Commands` has no `named`",
        "write `commands.run(move |game| {{ let _ = game.find_one::<Name>(name); }})`";
    CommandsUnique { pub fn unique<T>(&self) -> Option<(crate::entity::Entity, &'static T)> where This: CommandsUnique }
        "`Commands` has no `unique`",
        "in a system, take `Single<(Entity, &T)>`";
    CommandsQuery { pub fn query<D>(&self) -> super::NoItems<D> where This: CommandsQuery }
        "`Commands` has no `query`",
        "a system takes its queries as parameters: `positions: Query<&Position>`";
    CommandsQueryMut { pub fn query_mut<D>(&self) -> super::NoItems<D> where This: CommandsQueryMut }
        "`Commands` has no `query_mut`",
        "a system takes its queries as parameters: `mut positions: Query<&mut Position>`";
    CommandsEntities { pub fn entities<R>(&self) -> R where This: CommandsEntities }
        "`Commands` has no `entities`",
        "a system takes its queries as parameters: `all: Query<Entity>`";
    CommandsResource { pub fn resource<T>(&self) -> &'static T where This: CommandsResource }
        "`Commands` has no `resource`",
        "a system takes its resources as parameters: `value: Res<T>`";
    CommandsResourceMut { pub fn resource_mut<T>(&self) -> &'static mut T where This: CommandsResourceMut }
        "`Commands` has no `resource_mut`",
        "a system takes its resources as parameters: `mut value: ResMut<T>`";
    CommandsDrain { pub fn drain<E>(&self) -> super::NoItems<E> where This: CommandsDrain }
        "`Commands` has no `drain`",
        "a system reads events with the parameter `mut events: EventReader<E>`";
    CommandsRestore { pub fn restore<A, R>(&self, _: A) -> R where This: CommandsRestore }
        "`Commands` has no `restore`",
        "write `commands.run(move |game| game.restore(&snapshot))`";
    CommandsSnapshot { pub fn snapshot<R>(&self) -> R where This: CommandsSnapshot }
        "`Commands` has no `snapshot`",
        "write `commands.run(move |game| {{ let _ = game.snapshot(); }})`";
    CommandsRunWith { pub fn run_with<S>(&self, _: impl Sized) -> &super::Chained<Self> where This: CommandsRunWith }
        "`Commands` has no `run_with`",
        "write `commands.run(|game| game.run_with::<system>(input))`";
    CommandsGetOrInsertWith { pub fn get_or_insert_with<T>(&self, _: impl Sized, _: impl Sized) -> &super::Chained<Self> where This: CommandsGetOrInsertWith }
        "`Commands` has no `get_or_insert_with`",
        "write `commands.run(move |game| {{ let _ = game.get_or_insert_with::<T>(..); }})`";
    CommandsTakeEntity { pub fn take_entity<B>(&self, _: impl Sized) -> Result<B, ()> where This: CommandsTakeEntity }
        "`Commands` has no `take_entity`",
        "write `commands.run(move |game| {{ let _ = game.take_entity::<B>(..); }})`";
    CommandsEntityMut { pub fn entity_mut<A, R>(&self, _: A) -> R where This: CommandsEntityMut }
        "`Commands` has no `entity_mut`",
        "write `commands.entity(entity)`";
    CommandsSwapAll { pub fn swap_all<A, B, R>(&self, _: A, _: B) -> R where This: CommandsSwapAll }
        "`Commands` has no `swap_all`",
        "write `commands.run(move |game| {{ let _ = game.swap_all(..); }})`";
    CommandsShrinkToFit { pub fn shrink_to_fit<R>(&self) -> R where This: CommandsShrinkToFit }
        "`Commands` has no `shrink_to_fit`",
        "write `commands.run(|game| game.shrink_to_fit())`";
    CommandsSpawnColumns { pub fn spawn_columns<A, R>(&self, _: A) -> R where This: CommandsSpawnColumns }
        "`Commands` has no `spawn_columns`",
        "write `commands.run(move |game| {{ let _ = game.spawn_columns(..); }})`";
    CommandsRegroup { pub fn regroup<R>(&self) -> R where This: CommandsRegroup }
        "`Commands` has no `regroup`",
        "write `commands.run(move |game| {{ let _ = game.regroup(); }})`";
    CommandsStats { pub fn stats<R>(&self) -> R where This: CommandsStats }
        "`Commands` has no `stats`",
        "a system takes what it reads as parameters; or write `commands.run(|game| println!(\"{{:?}}\", game.stats()))`";
    CommandsSpawnChild { pub fn spawn_child<A, R>(&self, _: A) -> R where This: CommandsSpawnChild }
        "`Commands` has no `spawn_child`",
        "write `commands.spawn((A, ChildOf(parent)))`";
    CommandsRunSystem { pub fn run_system<A, R>(&self, _: A) -> R where This: CommandsRunSystem }
        "`Commands` has no `run_system`",
        "write `commands.run(|game| game.run::<movement>())`, with the name of the system";
    CommandsRunSystemWith { pub fn run_system_with<A, B, R>(&self, _: A, _: B) -> R where This: CommandsRunSystemWith }
        "`Commands` has no `run_system_with`",
        "write `commands.run(|game| game.run_with::<movement>(input))`";
    CommandsRunSystemCached { pub fn run_system_cached<A, R>(&self, _: A) -> R where This: CommandsRunSystemCached }
        "`Commands` has no `run_system_cached`",
        "write `commands.run(|game| game.run::<movement>())`, with the name of the system";
    CommandsRegisterSystem { pub fn register_system<A, R>(&self, _: A) -> R where This: CommandsRegisterSystem }
        "`Commands` has no `register_system`: a system is called by its name",
        "write `commands.run(|game| game.run::<movement>())`";
    CommandsRunSchedule { pub fn run_schedule<A, R>(&self, _: A) -> R where This: CommandsRunSchedule }
        "`Commands` has no `run_schedule`: each schedule of the `world!` is a method of the world",
        "write `commands.run(|game| game.tick())`";
    CommandsInsertOrSpawnBatch { pub fn insert_or_spawn_batch<A, R>(&self, _: A) -> R where This: CommandsInsertOrSpawnBatch }
        "`Commands` has no `insert_or_spawn_batch`",
        "write `commands.insert(entity, bundle)` for each";
    CommandsTryInsert { pub fn try_insert<A, B, R>(&self, _: A, _: B) -> R where This: CommandsTryInsert }
        "`Commands` has no `try_insert`",
        "write `insert(entity, component)`, or `insert_if_new(entity, component)` to keep a value that is there";
    CommandsTryDespawn { pub fn try_despawn<A, R>(&self, _: A) -> R where This: CommandsTryDespawn }
        "`Commands` has no `try_despawn`",
        "write `despawn_if_alive(entity)`";
    CommandsTryInsertBatch { pub fn try_insert_batch<A, R>(&self, _: A) -> R where This: CommandsTryInsertBatch }
        "`Commands` has no `try_insert_batch`",
        "write `commands.insert(entity, bundle)` for each";
    CommandsSpawnBundle { pub fn spawn_bundle<A>(&self, _: A) -> crate::entity::Entity where This: CommandsSpawnBundle }
        "`Commands` has no `spawn_bundle`",
        "write `commands.spawn((A, B))`";
    CommandsCreateEntity { pub fn create_entity<R>(&self) -> R where This: CommandsCreateEntity }
        "`Commands` has no `create_entity`",
        "write `commands.spawn((A, B))`";
    CommandsPush { pub fn push<A, R>(&self, _: A) -> R where This: CommandsPush }
        "`Commands` has no `push`",
        "write `commands.spawn((A, B))`";
    CommandsExtend { pub fn extend<A, R>(&self, _: A) -> R where This: CommandsExtend }
        "`Commands` has no `extend`",
        "write `commands.spawn_batch(bundles)`";
    CommandsTriggerTargets { pub fn trigger_targets<A, B, R>(&self, _: A, _: B) -> R where This: CommandsTriggerTargets }
        "`Commands` has no `trigger_targets`",
        "write `commands.send(Hit(entity))`, with the entity in the event";
    CommandsQueueSilenced { pub fn queue_silenced<A, R>(&self, _: A) -> R where This: CommandsQueueSilenced }
        "`Commands` has no `queue_silenced`",
        "write `commands.run(|game| ..)`";
    CommandsQueueHandled { pub fn queue_handled<A, B, R>(&self, _: A, _: B) -> R where This: CommandsQueueHandled }
        "`Commands` has no `queue_handled`",
        "write `commands.run(|game| ..)`";
    CommandsAddSystems { pub fn add_systems<A, B, R>(&self, _: A, _: B) -> R where This: CommandsAddSystems }
        "`Commands` has no `add_systems`: the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`";
    CommandsGetSpawnedEntity { pub fn get_spawned_entity<A, R>(&self, _: A) -> R where This: CommandsGetSpawnedEntity }
        "`Commands` has no `get_spawned_entity`",
        "write `if commands.contains(entity) {{ .. }}`, and `commands.entity(entity)`";
    CommandsSetState { pub fn set_state<A, R>(&self, _: A) -> R where This: CommandsSetState }
        "`Commands` has no `set_state`",
        "take `mut state: ResMut<State<S>>`, and write `state.set(..)`";
    CommandsNextState { pub fn next_state<A, R>(&self, _: A) -> R where This: CommandsNextState }
        "`Commands` has no `next_state`",
        "take `mut state: ResMut<State<S>>`, and write `state.set(..)`";
    CommandsAppend { pub fn append<A, R>(&self, _: A) -> R where This: CommandsAppend }
        "`Commands` has no `append`: commands take effect in the order of the systems",
        "pass `commands.reborrow()` to the function instead";
    CommandsObserve { pub fn observe<A, R>(&self, _: A) -> R where This: CommandsObserve }
        "`Commands` has no `observe`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
}

foreign! {
    /// Methods that `EntityCommands` does not have.
    struct ForeignEntityCommands;
    EntityCommandsObserve { pub fn observe<A, R>(&self, _: A) -> R where This: EntityCommandsObserve }
        "`EntityCommands` has no `observe`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    EntityCommandsQueue { pub fn queue<A, R>(&self, _: A) -> R where This: EntityCommandsQueue }
        "`EntityCommands` has no `queue`",
        "write `commands.run(move |game| ..)`, with the entity in the closure";
    EntityCommandsTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: EntityCommandsTrigger }
        "`EntityCommands` has no `trigger`",
        "write `events.send(Hit(entity))`, with the entity in the event and the parameter `mut events: EventWriter<Hit>`";
    EntityCommandsTryInsert { pub fn try_insert<A, R>(&self, _: A) -> R where This: EntityCommandsTryInsert }
        "`EntityCommands` has no `try_insert`",
        "write `insert(component)`, or `insert_if_new(component)` to keep a value that is there";
    EntityCommandsTryDespawn { pub fn try_despawn<R>(&self) -> R where This: EntityCommandsTryDespawn }
        "`EntityCommands` has no `try_despawn`",
        "write `despawn_if_alive()`";
    EntityCommandsInsertIf { pub fn insert_if<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsInsertIf }
        "`EntityCommands` has no `insert_if`",
        "write `insert(component)`";
    EntityCommandsInsertBundle { pub fn insert_bundle<A, R>(&self, _: A) -> R where This: EntityCommandsInsertBundle }
        "`EntityCommands` has no `insert_bundle`",
        "write `insert(component)`";
    EntityCommandsInsertChildren { pub fn insert_children<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsInsertChildren }
        "`EntityCommands` has no `insert_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityCommandsPushChildren { pub fn push_children<A, R>(&self, _: A) -> R where This: EntityCommandsPushChildren }
        "`EntityCommands` has no `push_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityCommandsReplaceChildren { pub fn replace_children<A, R>(&self, _: A) -> R where This: EntityCommandsReplaceChildren }
        "`EntityCommands` has no `replace_children`",
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityCommandsRemoveChild { pub fn remove_child<A, R>(&self, _: A) -> R where This: EntityCommandsRemoveChild }
        "`EntityCommands` has no `remove_child`",
        "write `commands.remove::<ChildOf>(child)`";
    EntityCommandsRemoveChildren { pub fn remove_children<A, R>(&self, _: A) -> R where This: EntityCommandsRemoveChildren }
        "`EntityCommands` has no `remove_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityCommandsDetachChild { pub fn detach_child<A, R>(&self, _: A) -> R where This: EntityCommandsDetachChild }
        "`EntityCommands` has no `detach_child`",
        "write `commands.remove::<ChildOf>(child)`";
    EntityCommandsDetachAllChildren { pub fn detach_all_children<R>(&self) -> R where This: EntityCommandsDetachAllChildren }
        "`EntityCommands` has no `detach_all_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityCommandsClearChildren { pub fn clear_children<R>(&self) -> R where This: EntityCommandsClearChildren }
        "`EntityCommands` has no `clear_children`",
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityCommandsRemoveParent { pub fn remove_parent<R>(&self) -> R where This: EntityCommandsRemoveParent }
        "`EntityCommands` has no `remove_parent`",
        "write `commands.remove::<ChildOf>(entity)`";
    EntityCommandsDespawnRelated { pub fn despawn_related<T>(&self) -> &super::Chained<Self> where T: EntityCommandsDespawnRelated }
        "`EntityCommands` has no `despawn_related`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityCommandsDespawnDescendants { pub fn despawn_descendants<R>(&self) -> R where This: EntityCommandsDespawnDescendants }
        "`EntityCommands` has no `despawn_descendants`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityCommandsDespawnChildren { pub fn despawn_children<R>(&self) -> R where This: EntityCommandsDespawnChildren }
        "`EntityCommands` has no `despawn_children`",
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityCommandsAddRelated { pub fn add_related<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsAddRelated }
        "`EntityCommands` has no `add_related`",
        "write `commands.insert(other, ChildOf(entity))` for each";
    EntityCommandsWithRelated { pub fn with_related<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsWithRelated }
        "`EntityCommands` has no `with_related`",
        "write `commands.spawn((A, ChildOf(entity)))`";
    EntityCommandsWithRelatedEntities { pub fn with_related_entities<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsWithRelatedEntities }
        "`EntityCommands` has no `with_related_entities`",
        "write `commands.spawn((A, ChildOf(entity)))` for each";
    EntityCommandsCloneAndSpawn { pub fn clone_and_spawn<R>(&self) -> R where This: EntityCommandsCloneAndSpawn }
        "`EntityCommands` has no `clone_and_spawn`",
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityCommandsCloneWith { pub fn clone_with<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsCloneWith }
        "`EntityCommands` has no `clone_with`",
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityCommandsLogComponents { pub fn log_components<R>(&self) -> R where This: EntityCommandsLogComponents }
        "`EntityCommands` has no `log_components`",
        "write `commands.run(move |game| println!(\"{{:?}}\", game.entity(entity)))`";
    EntityCommandsWithChildren { pub fn with_children<R>(&self, _: impl FnOnce(&mut super::entity::ForeignParent)) -> R where This: EntityCommandsWithChildren }
        "`EntityCommands` has no `with_children`",
        "write `commands.spawn((A, ChildOf(parent)))` for each child";
    EntityCommandsDespawnRecursive { pub fn despawn_recursive<R>(&self) -> R where This: EntityCommandsDespawnRecursive }
        "`EntityCommands` has no `despawn_recursive`",
        "write `despawn()`, which also despawns the sources of a relation with `gone = cascade`, such as `ChildOf`";
    EntityCommandsWithChild { pub fn with_child<A, R>(&self, _: A) -> R where This: EntityCommandsWithChild }
        "`EntityCommands` has no `with_child`",
        "write `commands.spawn((A, ChildOf(parent)))`";
    EntityCommandsAddChild { pub fn add_child<A, R>(&self, _: A) -> R where This: EntityCommandsAddChild }
        "`EntityCommands` has no `add_child`",
        "write `commands.insert(child, ChildOf(parent))`";
    EntityCommandsAddChildren { pub fn add_children<A, R>(&self, _: A) -> R where This: EntityCommandsAddChildren }
        "`EntityCommands` has no `add_children`",
        "write `commands.insert(child, ChildOf(parent))` for each child";
    EntityCommandsSetParent { pub fn set_parent<A, R>(&self, _: A) -> R where This: EntityCommandsSetParent }
        "`EntityCommands` has no `set_parent`",
        "write `insert(ChildOf(parent))`";
    EntityCommandsEntry { pub fn entry<T>(&self) -> &super::Chained<Self> where This: EntityCommandsEntry }
        "`EntityCommands` has no `entry`",
        "write `insert_if_new(T::default())`";
    EntityCommandsRetain { pub fn retain<T>(&self) -> &super::Chained<Self> where This: EntityCommandsRetain }
        "`EntityCommands` has no `retain`",
        "write `remove::<A>()` for each component to remove";
    EntityCommandsReborrow { pub fn reborrow<R>(&self) -> R where This: EntityCommandsReborrow }
        "`EntityCommands` has no `reborrow`",
        "write `commands.entity(entity)` again";
    EntityCommandsGet { pub fn get<T>(&self) -> Option<&'static T> where This: EntityCommandsGet }
        "`EntityCommands` has no `get`",
        "write `commands.get::<T>(entity)`, or take a query, `Query<&T>`";
    EntityCommandsGetMut { pub fn get_mut<T>(&self) -> Option<&'static mut T> where This: EntityCommandsGetMut }
        "`EntityCommands` has no `get_mut`",
        "take a query, `Query<&mut T>`, and write `query.get_mut(entity)`";
    EntityCommandsHas { pub fn has<T>(&self) -> bool where This: EntityCommandsHas }
        "`EntityCommands` has no `has`",
        "write `commands.has::<T>(entity)`";
    EntityCommandsContains { pub fn contains<T>(&self) -> bool where This: EntityCommandsContains }
        "`EntityCommands` has no `contains`",
        "write `commands.has::<T>(entity)`";
    EntityCommandsRemoveWithRequires { pub fn remove_with_requires<T>(&self) -> &super::Chained<Self> where This: EntityCommandsRemoveWithRequires }
        "`EntityCommands` has no `remove_with_requires`",
        "write `remove::<(A, B)>()`, with the required components";
    EntityCommandsSet { pub fn set<A, R>(&self, _: A) -> R where This: EntityCommandsSet }
        "`EntityCommands` has no `set`",
        "write `insert(component)`";
    EntityCommandsAdd { pub fn add<A, R>(&self, _: A) -> R where This: EntityCommandsAdd }
        "`EntityCommands` has no `add`",
        "write `insert(component)`";
    EntityCommandsWith { pub fn with<A, R>(&self, _: A) -> R where This: EntityCommandsWith }
        "`EntityCommands` has no `with`",
        "write `insert(component)`";
    EntityCommandsRemoveIf { pub fn remove_if<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsRemoveIf }
        "`EntityCommands` has no `remove_if`",
        "write `if condition {{ .. }}` around `remove::<T>()`";
}

/// The methods of `EntityCommands`, in a chain behind one that it does not have.
impl<This, Item> ForeignEntityCommands<super::InChain<This>, Item> {
    #[doc(hidden)]
    pub fn insert<A>(&self, _: A) -> &Self {
        self
    }
    #[doc(hidden)]
    pub fn insert_if_new<A>(&self, _: A) -> &Self {
        self
    }
    #[doc(hidden)]
    pub fn remove<T>(&self) -> &Self {
        self
    }
    #[doc(hidden)]
    pub fn despawn(&self) {}
    #[doc(hidden)]
    pub fn id(&self) -> crate::entity::Entity {
        unreachable!("no type fulfils the condition")
    }
}
