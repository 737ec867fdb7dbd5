//! Methods that commands have in other libraries, and methods of a world, which commands do not
//! have.

foreign! {
    /// Methods that `Commands` does not have.
    struct ForeignCommands, "`Commands`";
    CommandsSendEvent { pub fn send_event<A, R>(&self, _: A) -> R where This: CommandsSendEvent }
    CommandsTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: CommandsTrigger }
    CommandsWriteMessage { pub fn write_message<A, R>(&self, _: A) -> R where This: CommandsWriteMessage }
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsGetEntity { pub fn get_entity<A, R>(&self, _: A) -> R where This: CommandsGetEntity }
    CommandsGetSpawnedEntity { pub fn get_spawned_entity<A, R>(&self, _: A) -> R where This: CommandsGetSpawnedEntity }
        "write `if commands.contains(entity) {{ .. }}`, and `commands.entity(entity)`";
    CommandsAdd { pub fn add<A, R>(&self, _: A) -> R where This: CommandsAdd }
        "write `commands.run(|game| ..)` for a closure, `commands.insert(entity, component)` for a component";
    CommandsQueue { pub fn queue<A, R>(&self, _: A) -> R where This: CommandsQueue }
    CommandsQueueSilenced { pub fn queue_silenced<A, R>(&self, _: A) -> R where This: CommandsQueueSilenced }
    CommandsQueueHandled { pub fn queue_handled<A, B, R>(&self, _: A, _: B) -> R where This: CommandsQueueHandled }
        "write `commands.run(|game| ..)`";
    CommandsInsertResource { pub fn insert_resource<A, R>(&self, _: A) -> R where This: CommandsInsertResource }
        : "each resource is there from the beginning",
        "take the parameter `mut value: ResMut<T>`, and write `*value = ..`",
        "list the resource in the `world!`: `resources {{ name: T = value }}`";
    CommandsInitResource { pub fn init_resource<T>(&self) where This: CommandsInitResource }
        : "each resource is there from the beginning",
        "list the resource in the `world!` instead",
        "write `resources {{ name: T = T::default() }}` in the `world!`";
    CommandsRemoveResource { pub fn remove_resource<T>(&self) where This: CommandsRemoveResource }
        : "no resource can be missing",
        "put an `Option` into the resource, and `take` its value";
    CommandsSpawnEmpty { pub fn spawn_empty<R>(&self) -> R where This: CommandsSpawnEmpty }
        "write `commands.spawn(())`";
    CommandsAddComponent { pub fn add_component<A, B, R>(&self, _: A, _: B) -> R where This: CommandsAddComponent }
    CommandsInsertOne { pub fn insert_one<A, B, R>(&self, _: A, _: B) -> R where This: CommandsInsertOne }
        "write `commands.insert(entity, component)`";
    CommandsRemoveComponent { pub fn remove_component<T>(&self, _: impl Sized) where This: CommandsRemoveComponent }
    CommandsRemoveOne { pub fn remove_one<T>(&self, _: impl Sized) -> Result<Option<T>, ()> where This: CommandsRemoveOne }
        "write `commands.remove::<T>(entity)`";
    CommandsDelete { pub fn delete<A, R>(&self, _: A) -> R where This: CommandsDelete }
        "write `commands.despawn(entity)`";
    CommandsDespawnRecursive { pub fn despawn_recursive<A, R>(&self, _: A) -> R where This: CommandsDespawnRecursive }
        "write `commands.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    CommandsAddObserver { pub fn add_observer<A, R>(&self, _: A) -> R where This: CommandsAddObserver }
    CommandsObserve { pub fn observe<A, R>(&self, _: A) -> R where This: CommandsObserve }
        : "the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    CommandsDelayed { pub fn delayed<R>(&self) -> R where This: CommandsDelayed }
        : "a delayed command is a value, which is saved with the world",
        "write `commands.after(Duration::from_secs(1), DespawnEntity(entity))`, of `ecs::time`; `InsertBundle`, `RemoveBundle` and `SpawnBundle` are the other commands";
    CommandsTrySpawn { pub fn try_spawn<A, R>(&self, _: A) -> R where This: CommandsTrySpawn }
        "write `commands.spawn((A, B))`; a refused bundle is counted and reported";
    CommandsSpawnAt { pub fn spawn_at<A, B, R>(&self, _: A, _: B) -> R where This: CommandsSpawnAt }
        "write `commands.run(move |game| {{ let _ = game.spawn_at(..); }})`";
    CommandsClear { pub fn clear<R>(&self) -> R where This: CommandsClear }
        "write `commands.run(|game| game.clear())`";
    CommandsInsertBatch { pub fn insert_batch<A, R>(&self, _: A) -> R where This: CommandsInsertBatch }
        "write `commands.insert(entity, bundle)` for each, or `commands.run(move |game| {{ game.insert_batch(batch).unwrap(); }})`";
    CommandsDespawnAll { pub fn despawn_all<F>(&self) -> usize where This: CommandsDespawnAll }
        "write `commands.run(move |game| {{ let _ = game.despawn_all::<F>(); }})`";
    CommandsRetain { pub fn retain<D>(&self, _: impl Sized) -> usize where This: CommandsRetain }
        "write `commands.run(move |game| {{ let _ = game.retain::<D>(..); }})`";
    CommandsTryRemove { pub fn try_remove<B>(&self, _: impl Sized) -> Result<B, ()> where This: CommandsTryRemove }
        "write `commands.run(move |game| {{ let _ = game.try_remove::<B>(..); }})`";
    CommandsRemoveAll { pub fn remove_all<B>(&self) -> usize where This: CommandsRemoveAll }
        "write `commands.run(move |game| {{ let _ = game.remove_all::<B>(); }})`";
    CommandsSwap { pub fn swap<B>(&self, _: impl Sized, _: impl Sized) -> Result<(), ()> where This: CommandsSwap }
        "write `commands.run(move |game| {{ let _ = game.swap::<B>(..); }})`";
    CommandsCloneEntity { pub fn clone_entity<A, R>(&self, _: A) -> R where This: CommandsCloneEntity }
        "write `commands.run(move |game| {{ let _ = game.clone_entity(..); }})`";
    CommandsCloneEntities { pub fn clone_entities<A, R>(&self, _: A) -> R where This: CommandsCloneEntities }
        "write `commands.run(move |game| {{ let _ = game.clone_entities(..); }})`";
    CommandsGetMut { pub fn get_mut<T>(&self, _: impl Sized) -> Option<&'static mut T> where This: CommandsGetMut }
        "in a system, take a query, `healths: Query<&mut T>`, and write `healths.get_mut(entity)`";
    CommandsGetTracked { pub fn get_tracked<T>(&self, _: impl Sized) -> Option<&'static mut T> where This: CommandsGetTracked }
        "in a system, take a query, `healths: Query<Mut<T>>`, and write `healths.get_mut(entity)`";
    CommandsGetRef { pub fn get_ref<T>(&self, _: impl Sized) -> Option<&'static T> where This: CommandsGetRef }
        "in a system, take a query, `healths: Query<Ref<T>>`, and write `healths.get(entity)`";
    CommandsFind { pub fn find<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: CommandsFind }
        "in a system, take `lookup: Lookup<T>`, and write `lookup.find(&value)`";
    CommandsFindOne { pub fn find_one<T>(&self, _: impl Sized) -> Option<crate::entity::Entity> where This: CommandsFindOne }
        "in a system, take `lookup: Lookup<T>`, and write `lookup.find_one(&value)`";
    CommandsNamed { pub fn named<A, R>(&self, _: A) -> R where This: CommandsNamed }
        "write `commands.run(move |game| {{ let _ = game.find_one::<Name>(name); }})`";
    CommandsUnique { pub fn unique<T>(&self) -> Option<(crate::entity::Entity, &'static T)> where This: CommandsUnique }
        "in a system, take `Single<(Entity, &T)>`";
    CommandsQuery { pub fn query<D>(&self) -> super::NoItems<D> where This: CommandsQuery }
        "a system takes its queries as parameters: `positions: Query<&Position>`";
    CommandsQueryMut { pub fn query_mut<D>(&self) -> super::NoItems<D> where This: CommandsQueryMut }
        "a system takes its queries as parameters: `mut positions: Query<&mut Position>`";
    CommandsEntities { pub fn entities<R>(&self) -> R where This: CommandsEntities }
        "a system takes its queries as parameters: `all: Query<Entity>`";
    CommandsResource { pub fn resource<T>(&self) -> &'static T where This: CommandsResource }
        "a system takes its resources as parameters: `value: Res<T>`";
    CommandsResourceMut { pub fn resource_mut<T>(&self) -> &'static mut T where This: CommandsResourceMut }
        "a system takes its resources as parameters: `mut value: ResMut<T>`";
    CommandsDrain { pub fn drain<E>(&self) -> super::NoItems<E> where This: CommandsDrain }
        "a system reads events with the parameter `mut events: EventReader<E>`";
    CommandsRestore { pub fn restore<A, R>(&self, _: A) -> R where This: CommandsRestore }
        "write `commands.run(move |game| game.restore(&snapshot))`";
    CommandsSnapshot { pub fn snapshot<R>(&self) -> R where This: CommandsSnapshot }
        "write `commands.run(move |game| {{ let _ = game.snapshot(); }})`";
    CommandsRunWith { pub fn run_with<S>(&self, _: impl Sized) -> &super::Chained<Self> where This: CommandsRunWith }
        "write `commands.run(|game| game.run_with::<system>(input))`";
    CommandsGetOrInsertWith { pub fn get_or_insert_with<T>(&self, _: impl Sized, _: impl Sized) -> &super::Chained<Self> where This: CommandsGetOrInsertWith }
        "write `commands.run(move |game| {{ let _ = game.get_or_insert_with::<T>(..); }})`";
    CommandsTakeEntity { pub fn take_entity<B>(&self, _: impl Sized) -> Result<B, ()> where This: CommandsTakeEntity }
        "write `commands.run(move |game| {{ let _ = game.take_entity::<B>(..); }})`";
    CommandsEntityMut { pub fn entity_mut<A, R>(&self, _: A) -> R where This: CommandsEntityMut }
        "write `commands.entity(entity)`";
    CommandsSwapAll { pub fn swap_all<A, B, R>(&self, _: A, _: B) -> R where This: CommandsSwapAll }
        "write `commands.run(move |game| {{ let _ = game.swap_all(..); }})`";
    CommandsShrinkToFit { pub fn shrink_to_fit<R>(&self) -> R where This: CommandsShrinkToFit }
        "write `commands.run(|game| game.shrink_to_fit())`";
    CommandsSpawnColumns { pub fn spawn_columns<A, R>(&self, _: A) -> R where This: CommandsSpawnColumns }
        "write `commands.run(move |game| {{ let _ = game.spawn_columns(..); }})`";
    CommandsRegroup { pub fn regroup<R>(&self) -> R where This: CommandsRegroup }
        "write `commands.run(move |game| {{ let _ = game.regroup(); }})`";
    CommandsStats { pub fn stats<R>(&self) -> R where This: CommandsStats }
        "a system takes what it reads as parameters; or write `commands.run(|game| println!(\"{{:?}}\", game.stats()))`";
    CommandsSpawnChild { pub fn spawn_child<A, R>(&self, _: A) -> R where This: CommandsSpawnChild }
        "write `commands.spawn((A, ChildOf(parent)))`";
    CommandsRunSystem { pub fn run_system<A, R>(&self, _: A) -> R where This: CommandsRunSystem }
    CommandsRunSystemCached { pub fn run_system_cached<A, R>(&self, _: A) -> R where This: CommandsRunSystemCached }
        "write `commands.run(|game| game.run::<movement>())`, with the name of the system";
    CommandsRunSystemWith { pub fn run_system_with<A, B, R>(&self, _: A, _: B) -> R where This: CommandsRunSystemWith }
        "write `commands.run(|game| game.run_with::<movement>(input))`";
    CommandsRegisterSystem { pub fn register_system<A, R>(&self, _: A) -> R where This: CommandsRegisterSystem }
        : "a system is called by its name",
        "write `commands.run(|game| game.run::<movement>())`";
    CommandsRunSchedule { pub fn run_schedule<A, R>(&self, _: A) -> R where This: CommandsRunSchedule }
        : "each schedule of the `world!` is a method of the world",
        "write `commands.run(|game| game.tick())`";
    CommandsInsertOrSpawnBatch { pub fn insert_or_spawn_batch<A, R>(&self, _: A) -> R where This: CommandsInsertOrSpawnBatch }
    CommandsTryInsertBatch { pub fn try_insert_batch<A, R>(&self, _: A) -> R where This: CommandsTryInsertBatch }
        "write `commands.insert(entity, bundle)` for each";
    CommandsTryInsert { pub fn try_insert<A, B, R>(&self, _: A, _: B) -> R where This: CommandsTryInsert }
        "write `insert(entity, component)`, or `insert_if_new(entity, component)` to keep a value that is there";
    CommandsTryDespawn { pub fn try_despawn<A, R>(&self, _: A) -> R where This: CommandsTryDespawn }
        "write `despawn_if_alive(entity)`";
    CommandsSpawnBundle { pub fn spawn_bundle<A>(&self, _: A) -> crate::entity::Entity where This: CommandsSpawnBundle }
    CommandsCreateEntity { pub fn create_entity<R>(&self) -> R where This: CommandsCreateEntity }
    CommandsPush { pub fn push<A, R>(&self, _: A) -> R where This: CommandsPush }
        "write `commands.spawn((A, B))`";
    CommandsExtend { pub fn extend<A, R>(&self, _: A) -> R where This: CommandsExtend }
        "write `commands.spawn_batch(bundles)`";
    CommandsTriggerTargets { pub fn trigger_targets<A, B, R>(&self, _: A, _: B) -> R where This: CommandsTriggerTargets }
        "write `commands.send(Hit(entity))`, with the entity in the event";
    CommandsAddSystems { pub fn add_systems<A, B, R>(&self, _: A, _: B) -> R where This: CommandsAddSystems }
        : "the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`";
    CommandsSetState { pub fn set_state<A, R>(&self, _: A) -> R where This: CommandsSetState }
    CommandsNextState { pub fn next_state<A, R>(&self, _: A) -> R where This: CommandsNextState }
        "take `mut state: ResMut<State<S>>`, and write `state.set(..)`";
    CommandsAppend { pub fn append<A, R>(&self, _: A) -> R where This: CommandsAppend }
        : "commands take effect in the order of the systems",
        "pass `commands.reborrow()` to the function instead";
}

foreign! {
    /// Methods that `EntityCommands` does not have.
    struct ForeignEntityCommands, "`EntityCommands`";
    EntityCommandsObserve { pub fn observe<A, R>(&self, _: A) -> R where This: EntityCommandsObserve }
        : "the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    EntityCommandsQueue { pub fn queue<A, R>(&self, _: A) -> R where This: EntityCommandsQueue }
        "write `commands.run(move |game| ..)`, with the entity in the closure";
    EntityCommandsTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: EntityCommandsTrigger }
        "write `events.send(Hit(entity))`, with the entity in the event and the parameter `mut events: EventWriter<Hit>`";
    EntityCommandsTryInsert { pub fn try_insert<A, R>(&self, _: A) -> R where This: EntityCommandsTryInsert }
        "write `insert(component)`, or `insert_if_new(component)` to keep a value that is there";
    EntityCommandsTryDespawn { pub fn try_despawn<R>(&self) -> R where This: EntityCommandsTryDespawn }
        "write `despawn_if_alive()`";
    EntityCommandsInsertIf { pub fn insert_if<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsInsertIf }
    EntityCommandsInsertBundle { pub fn insert_bundle<A, R>(&self, _: A) -> R where This: EntityCommandsInsertBundle }
    EntityCommandsSet { pub fn set<A, R>(&self, _: A) -> R where This: EntityCommandsSet }
    EntityCommandsAdd { pub fn add<A, R>(&self, _: A) -> R where This: EntityCommandsAdd }
    EntityCommandsWith { pub fn with<A, R>(&self, _: A) -> R where This: EntityCommandsWith }
        "write `insert(component)`";
    EntityCommandsInsertChildren { pub fn insert_children<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsInsertChildren }
    EntityCommandsPushChildren { pub fn push_children<A, R>(&self, _: A) -> R where This: EntityCommandsPushChildren }
    EntityCommandsReplaceChildren { pub fn replace_children<A, R>(&self, _: A) -> R where This: EntityCommandsReplaceChildren }
        "write `commands.insert(child, ChildOf(entity))` for each child";
    EntityCommandsRemoveChild { pub fn remove_child<A, R>(&self, _: A) -> R where This: EntityCommandsRemoveChild }
    EntityCommandsDetachChild { pub fn detach_child<A, R>(&self, _: A) -> R where This: EntityCommandsDetachChild }
        "write `commands.remove::<ChildOf>(child)`";
    EntityCommandsRemoveChildren { pub fn remove_children<A, R>(&self, _: A) -> R where This: EntityCommandsRemoveChildren }
    EntityCommandsDetachAllChildren { pub fn detach_all_children<R>(&self) -> R where This: EntityCommandsDetachAllChildren }
    EntityCommandsClearChildren { pub fn clear_children<R>(&self) -> R where This: EntityCommandsClearChildren }
        "write `commands.remove::<ChildOf>(child)` for each child";
    EntityCommandsRemoveParent { pub fn remove_parent<R>(&self) -> R where This: EntityCommandsRemoveParent }
        "write `commands.remove::<ChildOf>(entity)`";
    EntityCommandsDespawnRelated { pub fn despawn_related<T>(&self) -> &super::Chained<Self> where T: EntityCommandsDespawnRelated }
    EntityCommandsDespawnDescendants { pub fn despawn_descendants<R>(&self) -> R where This: EntityCommandsDespawnDescendants }
    EntityCommandsDespawnChildren { pub fn despawn_children<R>(&self) -> R where This: EntityCommandsDespawnChildren }
        "take `family: Related<ChildOf>`, and write `for &child in family.sources(entity) {{ commands.despawn(child); }}`";
    EntityCommandsAddRelated { pub fn add_related<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsAddRelated }
        "write `commands.insert(other, ChildOf(entity))` for each";
    EntityCommandsWithRelated { pub fn with_related<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsWithRelated }
        "write `commands.spawn((A, ChildOf(entity)))`";
    EntityCommandsWithRelatedEntities { pub fn with_related_entities<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsWithRelatedEntities }
        "write `commands.spawn((A, ChildOf(entity)))` for each";
    EntityCommandsCloneAndSpawn { pub fn clone_and_spawn<R>(&self) -> R where This: EntityCommandsCloneAndSpawn }
    EntityCommandsCloneWith { pub fn clone_with<A, B, R>(&self, _: A, _: B) -> R where This: EntityCommandsCloneWith }
        "write `commands.run(move |game| {{ game.clone_entity(entity).unwrap(); }})`, with `#[derive(Clone)]` on the world";
    EntityCommandsLogComponents { pub fn log_components<R>(&self) -> R where This: EntityCommandsLogComponents }
        "write `commands.run(move |game| println!(\"{{:?}}\", game.entity(entity)))`";
    EntityCommandsWithChildren { pub fn with_children<R>(&self, _: impl FnOnce(&mut super::entity::ForeignParent)) -> R where This: EntityCommandsWithChildren }
        "write `commands.spawn((A, ChildOf(parent)))` for each child";
    EntityCommandsDespawnRecursive { pub fn despawn_recursive<R>(&self) -> R where This: EntityCommandsDespawnRecursive }
        "write `despawn()`, which also despawns the sources of a relation with `gone = cascade`, such as `ChildOf`";
    EntityCommandsWithChild { pub fn with_child<A, R>(&self, _: A) -> R where This: EntityCommandsWithChild }
        "write `commands.spawn((A, ChildOf(parent)))`";
    EntityCommandsAddChild { pub fn add_child<A, R>(&self, _: A) -> R where This: EntityCommandsAddChild }
        "write `commands.insert(child, ChildOf(parent))`";
    EntityCommandsAddChildren { pub fn add_children<A, R>(&self, _: A) -> R where This: EntityCommandsAddChildren }
        "write `commands.insert(child, ChildOf(parent))` for each child";
    EntityCommandsSetParent { pub fn set_parent<A, R>(&self, _: A) -> R where This: EntityCommandsSetParent }
        "write `insert(ChildOf(parent))`";
    EntityCommandsEntry { pub fn entry<T>(&self) -> &super::Chained<Self> where This: EntityCommandsEntry }
        "write `insert_if_new(T::default())`";
    EntityCommandsRetain { pub fn retain<T>(&self) -> &super::Chained<Self> where This: EntityCommandsRetain }
        "write `remove::<A>()` for each component to remove";
    EntityCommandsReborrow { pub fn reborrow<R>(&self) -> R where This: EntityCommandsReborrow }
        "write `commands.entity(entity)` again";
    EntityCommandsGet { pub fn get<T>(&self) -> Option<&'static T> where This: EntityCommandsGet }
        "write `commands.get::<T>(entity)`, or take a query, `Query<&T>`";
    EntityCommandsGetMut { pub fn get_mut<T>(&self) -> Option<&'static mut T> where This: EntityCommandsGetMut }
        "take a query, `Query<&mut T>`, and write `query.get_mut(entity)`";
    EntityCommandsHas { pub fn has<T>(&self) -> bool where This: EntityCommandsHas }
    EntityCommandsContains { pub fn contains<T>(&self) -> bool where This: EntityCommandsContains }
        "write `commands.has::<T>(entity)`";
    EntityCommandsRemoveWithRequires { pub fn remove_with_requires<T>(&self) -> &super::Chained<Self> where This: EntityCommandsRemoveWithRequires }
        "write `remove::<(A, B)>()`, with the required components";
    EntityCommandsRemoveIf { pub fn remove_if<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: EntityCommandsRemoveIf }
        "write `if condition {{ .. }}` around `remove::<T>()`";
}

/// The methods of `EntityCommands`, in a chain behind one that it does not have.
#[doc(hidden)]
impl<This, Item> ForeignEntityCommands<super::InChain<This>, Item> {
    pub fn insert<A>(&self, _: A) -> &Self {
        self
    }
    pub fn insert_if_new<A>(&self, _: A) -> &Self {
        self
    }
    pub fn remove<T>(&self) -> &Self {
        self
    }
    pub fn despawn(&self) {}
    pub fn id(&self) -> crate::entity::Entity {
        unreachable!("no type fulfils the condition")
    }
}
