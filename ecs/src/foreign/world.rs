//! Methods that worlds have in other libraries, or have only with a derive.

foreign! {
    /// Methods that a world does not have.
    struct ForeignWorld, "a world";
    WorldInsertResource { pub fn insert_resource<A, R>(&self, _: A) -> R where [This]: WorldInsertResource }
        : "each of its resources is there from the beginning",
        "write `*game.resource_mut::<T>() = value`",
        "list the resource in the `world!`: `resources {{ name: T }}`, whose value `new` takes, or `resources {{ name: T = value }}`";
    WorldInitResource { pub fn init_resource<T>(&self) -> &super::Chained<Self> where [This]: WorldInitResource }
        : "each of its resources is there from the beginning",
        "list the resource in the `world!` instead",
        "write `resources {{ name: T = T::default() }}` in the `world!`";
    WorldGetResource { pub fn get_resource<T: 'static>(&self) -> Option<&'static T> where [This]: WorldGetResource }
    WorldTryFetch { pub fn try_fetch<T>(&self) -> Option<&'static T> where [This]: WorldTryFetch }
        : "no resource can be missing",
        "write `game.resource::<T>()`, which returns no `Option`";
    WorldGetResourceMut { pub fn get_resource_mut<T: 'static>(&self) -> Option<&'static mut T> where [This]: WorldGetResourceMut }
    WorldTryFetchMut { pub fn try_fetch_mut<T>(&self) -> Option<&'static mut T> where [This]: WorldTryFetchMut }
        : "no resource can be missing",
        "write `game.resource_mut::<T>()`, which returns no `Option`";
    WorldRemoveResource { pub fn remove_resource<T>(&self) -> Option<T> where [This]: WorldRemoveResource }
    WorldRemoveUnique { pub fn remove_unique<T>(&self) -> T where [This]: WorldRemoveUnique }
        : "no resource can be missing",
        "put an `Option` into the resource, and `take` its value";
    WorldSendEvent { pub fn send_event<A, R>(&self, _: A) -> R where [This]: WorldSendEvent }
    WorldWriteMessage { pub fn write_message<A, R>(&self, _: A) -> R where [This]: WorldWriteMessage }
    WorldSendMessage { pub fn send_message<A, R>(&self, _: A) -> R where [This]: WorldSendMessage }
    WorldEmit { pub fn emit<A, R>(&self, _: A) -> R where [This]: WorldEmit }
        "write `game.send(event)`";
    WorldTrigger { pub fn trigger<A, R>(&self, _: A) -> R where [This]: WorldTrigger }
        : "systems read events with the parameter `EventReader<E>`",
        "write `game.send(event)`";
    WorldEvents { pub fn events<E: 'static>(&self) -> core::slice::Iter<'static, E> where [This]: WorldEvents }
        : "systems read events with the parameter `EventReader<E>`",
        "outside of systems, write `game.drain::<E>()`",
        "`drain` removes the events from the world";
    WorldGetMany { pub fn get_many<T: 'static>(&self, _: impl Sized) -> Result<[&'static T; 2], super::NoItems<()>> where [This]: WorldGetMany }
        "write `entities.map(|entity| game.get::<T>(entity))`";
    WorldGetManyMut { pub fn get_many_mut<T: 'static>(&self, _: impl Sized) -> Result<[&'static mut T; 2], super::NoItems<()>> where [This]: WorldGetManyMut }
        "write `game.query_mut::<&mut T>().get_many_mut([a, b])`";
    WorldAddSystems { pub fn add_systems<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAddSystems }
    WorldAddSystem { pub fn add_system<A, R>(&self, _: A) -> R where [This]: WorldAddSystem }
        : "the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`",
        "`ecs::Schedule` is a list of systems that is built at run time";
    WorldTick { pub fn tick<R>(&self) -> R where [This]: WorldTick }
        : "each schedule of the `world!` is a method of the world, and this one has no schedule `tick`",
        "write `schedule tick {{ one, two; three }}` in the `world!`";
    WorldRunSchedule { pub fn run_schedule<A, R>(&self, _: A) -> R where [This]: WorldRunSchedule }
    WorldUpdate { pub fn update<R>(&self) -> R where [This]: WorldUpdate }
    WorldProgress { pub fn progress<R>(&self) -> R where [This]: WorldProgress }
    WorldTryRunSchedule { pub fn try_run_schedule<A, R>(&self, _: A) -> R where [This]: WorldTryRunSchedule }
    WorldScheduleScope { pub fn schedule_scope<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldScheduleScope }
    WorldDispatch { pub fn dispatch<A, R>(&self, _: A) -> R where [This]: WorldDispatch }
    WorldRunWorkload { pub fn run_workload<A, R>(&self, _: A) -> R where [This]: WorldRunWorkload }
    WorldRunDefaultWorkload { pub fn run_default_workload<R>(&self) -> R where [This]: WorldRunDefaultWorkload }
    WorldRunDefault { pub fn run_default<R>(&self) -> R where [This]: WorldRunDefault }
    WorldStep { pub fn step<R>(&self) -> R where [This]: WorldStep }
        : "each schedule of the `world!` is a method of the world",
        "write `game.tick()` for `schedule tick {{ .. }}`";
    WorldRunSystem { pub fn run_system<A, R>(&self, _: A) -> R where [This]: WorldRunSystem }
    WorldRunSystemOnce { pub fn run_system_once<A, R>(&self, _: A) -> R where [This]: WorldRunSystemOnce }
        "write `game.run::<system>()`";
    WorldIter { pub fn iter<R>(&self) -> R where [This]: WorldIter }
        : "a query names the components to iterate over",
        "write `game.query::<(Entity, &A)>().iter()`, or `game.entities().iter()`";
    WorldIterEntities { pub fn iter_entities<R>(&self) -> R where [This]: WorldIterEntities }
        "write `game.entities().iter()`";
    WorldQueryOne { pub fn query_one<Q>(&self, _: impl Sized) -> Option<Q> where [This]: WorldQueryOne }
        "write `game.query::<Q>().get(entity)`",
        "for one component, write `game.get::<T>(entity)`";
    WorldQueryOneMut { pub fn query_one_mut<Q>(&self, _: impl Sized) -> Option<Q> where [This]: WorldQueryOneMut }
        "write `game.query_mut::<Q>().get_mut(entity)`",
        "for one component, write `game.get_mut::<T>(entity)`";
    WorldQueryFiltered { pub fn query_filtered<Q, F>(&self) -> super::NoItems<Q> where [This]: WorldQueryFiltered }
        "write `game.query::<D>().filter::<F>()`";
    WorldExchange { pub fn exchange<S, T>(&self, _: impl Sized, _: T) -> Option<S> where [This]: WorldExchange }
    WorldExchangeOne { pub fn exchange_one<S, T>(&self, _: impl Sized, _: impl Sized) -> &super::Chained<Self> where [This]: WorldExchangeOne }
        "write `game.remove::<A>(entity)?`, then `game.insert(entity, b)?`";
    WorldGetEntity { pub fn get_entity<A, R>(&self, _: A) -> R where [This]: WorldGetEntity }
    WorldEntryRef { pub fn entry_ref<A, R>(&self, _: A) -> R where [This]: WorldEntryRef }
        "write `game.entity(entity)`, which returns a `Result`";
    WorldEntry { pub fn entry<A, R>(&self, _: A) -> R where [This]: WorldEntry }
    WorldGetEntityMut { pub fn get_entity_mut<A, R>(&self, _: A) -> R where [This]: WorldGetEntityMut }
    WorldEntryMut { pub fn entry_mut<A, R>(&self, _: A) -> R where [This]: WorldEntryMut }
        "write `game.entity_mut(entity)`, which returns a `Result`";
    WorldRegister { pub fn register<T>(&self) where [This]: WorldRegister }
        : "its components are known at compile time",
        "list the component in the `world!`: `components {{ T }}`";
    WorldCreateEntity { pub fn create_entity<R>(&self) -> R where [This]: WorldCreateEntity }
    WorldPush { pub fn push<A, R>(&self, _: A) -> R where [This]: WorldPush }
    WorldAddEntity { pub fn add_entity<A>(&self, _: A) -> crate::entity::Entity where [This]: WorldAddEntity }
    WorldAddEntityWith { pub fn add_entity_with<A>(&self, _: A) -> crate::entity::Entity where [This]: WorldAddEntityWith }
    WorldNewEntity { pub fn new_entity(&self) -> crate::entity::Entity where [This]: WorldNewEntity }
        "write `game.spawn((A, B))`";
    WorldSpawnEmpty { pub fn spawn_empty<R>(&self) -> R where [This]: WorldSpawnEmpty }
        "write `game.spawn(())`";
    WorldExtend { pub fn extend<A, R>(&self, _: A) -> R where [This]: WorldExtend }
    WorldCreateIter { pub fn create_iter<R>(&self) -> R where [This]: WorldCreateIter }
    WorldSpawnMany { pub fn spawn_many<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldSpawnMany }
    WorldBulkAddEntity { pub fn bulk_add_entity<A, R>(&self, _: A) -> R where [This]: WorldBulkAddEntity }
        "write `game.spawn_batch(bundles)`";
    WorldDelete { pub fn delete<A, R>(&self, _: A) -> R where [This]: WorldDelete }
    WorldDestroy { pub fn destroy<A, R>(&self, _: A) -> R where [This]: WorldDestroy }
    WorldDestroyEntity { pub fn destroy_entity<A, R>(&self, _: A) -> R where [This]: WorldDestroyEntity }
    WorldDestroyActor { pub fn destroy_actor<A, R>(&self, _: A) -> R where [This]: WorldDestroyActor }
    WorldRemoveEntity { pub fn remove_entity<A, R>(&self, _: A) -> R where [This]: WorldRemoveEntity }
    WorldDeleteEntity { pub fn delete_entity<A, R>(&self, _: A) -> R where [This]: WorldDeleteEntity }
        "write `game.despawn(entity)`";
    WorldDespawnRecursive { pub fn despawn_recursive<A, R>(&self, _: A) -> R where [This]: WorldDespawnRecursive }
        "write `game.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    WorldAdd { pub fn add<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAdd }
    WorldAddComponent { pub fn add_component<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAddComponent }
    WorldSet { pub fn set<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldSet }
    WorldEmplace { pub fn emplace<T>(&self, _: impl Sized, _: impl Sized) -> &'static mut T where [This]: WorldEmplace }
        "write `game.insert(entity, component)`";
    WorldRemoveComponent { pub fn remove_component<T>(&self, _: impl Sized) -> Option<T> where [This]: WorldRemoveComponent }
    WorldDeleteComponent { pub fn delete_component<T>(&self, _: impl Sized) -> &super::Chained<Self> where [This]: WorldDeleteComponent }
        "write `game.remove::<T>(entity)`";
    WorldObserve { pub fn observe<A, R>(&self, _: A) -> R where [This]: WorldObserve }
    WorldAddObserver { pub fn add_observer<A, R>(&self, _: A) -> R where [This]: WorldAddObserver }
    WorldAddObservers { pub fn add_observers<A, R>(&self, _: A) -> R where [This]: WorldAddObservers }
    WorldObserver { pub fn observer<E, T>(&self) -> &super::Chained<Self> where [This]: WorldObserver }
        : "the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    WorldFlush { pub fn flush<R>(&self) -> R where [This]: WorldFlush }
    WorldMaintain { pub fn maintain<R>(&self) -> R where [This]: WorldMaintain }
        : "at each `;` of a schedule, the commands before it are applied",
        "remove the call";
    WorldClone { pub fn clone<R>(&self) -> R where [This]: WorldClone }
        = "this world is not `Clone`",
        "write `#[derive(Clone)]` before the `struct` in the `world!`",
        "the components, resources and events of a world that is `Clone` are `Clone`, too";
    WorldReflect { pub fn reflect<R>(&self) -> R where [This]: WorldReflect }
        = "this world has no `reflect`: it does not derive `Reflect`, or the trait `ecs::reflect::ReflectWorld` is not in scope",
        "write `#[derive(Reflect)]` before the `struct` in the `world!`, and `use ecs::reflect::ReflectWorld`",
        "the crate `ecs` needs its feature `reflect`; components, resources and events have `Reflect`, or `Serialize` and `Deserialize`";
    WorldReflectMut { pub fn reflect_mut<R>(&self) -> R where [This]: WorldReflectMut }
        = "this world has no `reflect_mut`: it does not derive `Reflect`, or the trait `ecs::reflect::ReflectWorld` is not in scope",
        "write `#[derive(Reflect)]` before the `struct` in the `world!`, and `use ecs::reflect::ReflectWorld`",
        "the crate `ecs` needs its feature `reflect`; components, resources and events have `Reflect`, or `Serialize` and `Deserialize`";
    WorldSave { pub fn save<A, R>(&self, _: A) -> R where [This]: WorldSave }
    WorldToBytes { pub fn to_bytes<R>(&self) -> R where [This]: WorldToBytes }
    WorldHash { pub fn hash<R>(&self) -> R where [This]: WorldHash }
    WorldMerge { pub fn merge<A, R>(&self, _: A) -> R where [This]: WorldMerge }
    WorldMergeFrom { pub fn merge_from<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldMergeFrom }
        = "this world has no `{method}`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
    WorldAddEvent { pub fn add_event<E>(&self) -> &super::Chained<Self> where [This]: WorldAddEvent }
    WorldAddMessage { pub fn add_message<E>(&self) -> &super::Chained<Self> where [This]: WorldAddMessage }
        "list the event in the `world!`: `events {{ E }}`";
    WorldAddPlugins { pub fn add_plugins<A, R>(&self, _: A) -> R where [This]: WorldAddPlugins }
    WorldAddPlugin { pub fn add_plugin<A, R>(&self, _: A) -> R where [This]: WorldAddPlugin }
        "a library offers `parts! {{ pub physics {{ .. }} }}`, and a world writes `include physics;`";
    WorldAddStartupSystem { pub fn add_startup_system<A, R>(&self, _: A) -> R where [This]: WorldAddStartupSystem }
        : "the `world!` lists the systems of each schedule",
        "write `schedule start {{ one, two }}` in the `world!`, and `game.start()`";
    WorldConfigureSets { pub fn configure_sets<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldConfigureSets }
    WorldConfigureSet { pub fn configure_set<A, R>(&self, _: A) -> R where [This]: WorldConfigureSet }
        : "systems take effect in the order of the text",
        "write `schedule tick {{ (one, two) if playing; three }}` in the `world!`";
    WorldAddSchedule { pub fn add_schedule<A, R>(&self, _: A) -> R where [This]: WorldAddSchedule }
    WorldInitSchedule { pub fn init_schedule<A, R>(&self, _: A) -> R where [This]: WorldInitSchedule }
    WorldEditSchedule { pub fn edit_schedule<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldEditSchedule }
    WorldAddWorkload { pub fn add_workload<A, R>(&self, _: A) -> R where [This]: WorldAddWorkload }
        : "the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`";
    WorldInitState { pub fn init_state<S>(&self) -> &super::Chained<Self> where [This]: WorldInitState }
    WorldInsertState { pub fn insert_state<A, R>(&self, _: A) -> R where [This]: WorldInsertState }
    WorldAddState { pub fn add_state<S>(&self) -> &super::Chained<Self> where [This]: WorldAddState }
        "list it in the `world!`: `resources {{ State<S> = State::new(S::A) }}`, and `transition::<S>` in a schedule";
    WorldAddSubState { pub fn add_sub_state<S>(&self) -> &super::Chained<Self> where [This]: WorldAddSubState }
        "write `#[states(within = screen::Play)]` on the enum, and list it: `resources {{ SubState<S> = SubState::new(S::A) }}`";
    WorldAddComputedState { pub fn add_computed_state<S>(&self) -> &super::Chained<Self> where [This]: WorldAddComputedState }
        "write a condition: a system that takes `Res<State<S>>` and returns `bool`";
    WorldRegisterType { pub fn register_type<T>(&self) -> &super::Chained<Self> where [This]: WorldRegisterType }
    WorldRegisterBundle { pub fn register_bundle<T>(&self) -> &super::Chained<Self> where [This]: WorldRegisterBundle }
    WorldSetup { pub fn setup<R>(&self) -> R where [This]: WorldSetup }
        : "nothing is registered",
        "leave this call out";
    WorldRegisterComponent { pub fn register_component<T>(&self) -> &super::Chained<Self> where [This]: WorldRegisterComponent }
    WorldInitComponent { pub fn init_component<T>(&self) -> &super::Chained<Self> where [This]: WorldInitComponent }
    WorldComponent { pub fn component<T>(&self) -> &super::Chained<Self> where [This]: WorldComponent }
        : "nothing is registered",
        "list the component in the `world!`: `components {{ T }}`";
    WorldRegisterRequiredComponents { pub fn register_required_components<T, U>(&self) -> &super::Chained<Self> where [This]: WorldRegisterRequiredComponents }
        : "a component names what it requires",
        "write `#[component(requires(U))]` on `T`";
    WorldRegisterRequiredComponentsWith { pub fn register_required_components_with<T, U>(&self, _: impl Sized) -> &super::Chained<Self> where [This]: WorldRegisterRequiredComponentsWith }
        : "a component names what it requires",
        "write `#[component(requires(U(3)))]` on `T`";
    WorldRegisterComponentHooks { pub fn register_component_hooks<T>(&self) -> &super::Chained<Self> where [This]: WorldRegisterComponentHooks }
        : "a component names its hook",
        "write `#[component(hook = Load)]` on `T`, with `ComponentHook<T>` for `Load`";
    WorldRegisterSystem { pub fn register_system<A, R>(&self, _: A) -> R where [This]: WorldRegisterSystem }
    WorldRegisterBoxedSystem { pub fn register_boxed_system<A, R>(&self, _: A) -> R where [This]: WorldRegisterBoxedSystem }
        : "a system is called by its name",
        "write `game.run::<movement>()`, with the name of the system";
    WorldUnregisterSystem { pub fn unregister_system<A, R>(&self, _: A) -> R where [This]: WorldUnregisterSystem }
        : "a system is called by its name",
        "leave this call out";
    WorldRunSystemWith { pub fn run_system_with<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldRunSystemWith }
    WorldRunSystemOnceWith { pub fn run_system_once_with<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldRunSystemOnceWith }
        "write `game.run_with::<movement>(input)`, with the name of the system";
    WorldRunSystemCached { pub fn run_system_cached<A, R>(&self, _: A) -> R where [This]: WorldRunSystemCached }
        "write `game.run::<movement>()`, with the name of the system";
    WorldSetRunner { pub fn set_runner<A, R>(&self, _: A) -> R where [This]: WorldSetRunner }
        : "the program owns the loop",
        "write `loop {{ game.tick() }}`";
    WorldFinish { pub fn finish<R>(&self) -> R where [This]: WorldFinish }
        : "a world is complete when it is made",
        "leave this call out";
    WorldWorld { pub fn world<R>(&self) -> R where [This]: WorldWorld }
    WorldWorldMut { pub fn world_mut<R>(&self) -> R where [This]: WorldWorldMut }
    WorldMainMut { pub fn main_mut<R>(&self) -> R where [This]: WorldMainMut }
        : "this is the world",
        "leave this call out";
    WorldCommands { pub fn commands<R>(&self) -> R where [This]: WorldCommands }
        : "a world is changed at once",
        "write the change, `game.spawn(..)`; or `game.with_commands(|mut commands| ..)`";
    WorldClearTrackers { pub fn clear_trackers<R>(&self) -> R where [This]: WorldClearTrackers }
        : "each system remembers its last run",
        "leave this call out";
    WorldIncrementChangeTick { pub fn increment_change_tick<R>(&self) -> R where [This]: WorldIncrementChangeTick }
    WorldCheckChangeTicks { pub fn check_change_ticks<R>(&self) -> R where [This]: WorldCheckChangeTicks }
        : "each system run counts by itself",
        "leave this call out";
    WorldClearAll { pub fn clear_all<R>(&self) -> R where [This]: WorldClearAll }
    WorldClearEntities { pub fn clear_entities<R>(&self) -> R where [This]: WorldClearEntities }
    WorldDeleteAll { pub fn delete_all<R>(&self) -> R where [This]: WorldDeleteAll }
        "write `game.clear()`";
    WorldDeleteEntities { pub fn delete_entities<A, R>(&self, _: A) -> R where [This]: WorldDeleteEntities }
    WorldDespawnBatch { pub fn despawn_batch<A, R>(&self, _: A) -> R where [This]: WorldDespawnBatch }
        "write `game.despawn(entity)` for each";
    WorldContainsResource { pub fn contains_resource<T>(&self) -> bool where [This]: WorldContainsResource }
    WorldHasResource { pub fn has_resource<T>(&self) -> bool where [This]: WorldHasResource }
    WorldHasValue { pub fn has_value<T>(&self) -> bool where [This]: WorldHasValue }
        : "no resource can be missing",
        "leave this call out";
    WorldIsResourceChanged { pub fn is_resource_changed<T>(&self) -> bool where [This]: WorldIsResourceChanged }
        "write `#[resource(tracked)]` on `T`, and `tracked.is_changed()` in a system with `Res<T>`";
    WorldResourceScope { pub fn resource_scope<A, R>(&self, _: A) -> R where [This]: WorldResourceScope }
        "write `let value = core::mem::take(game.resource_mut::<T>())`, and put it back behind the use";
    WorldGetResourceOrInsertWith { pub fn get_resource_or_insert_with<T>(&self, _: impl Sized) -> &'static mut T where [This]: WorldGetResourceOrInsertWith }
    WorldGetResourceOrInit { pub fn get_resource_or_init<T>(&self) -> &'static mut T where [This]: WorldGetResourceOrInit }
        : "no resource can be missing",
        "write `game.resource_mut::<T>()`";
    WorldInsertNonSendResource { pub fn insert_non_send_resource<A, R>(&self, _: A) -> R where [This]: WorldInsertNonSendResource }
    WorldInsertNonSend { pub fn insert_non_send<A, R>(&self, _: A) -> R where [This]: WorldInsertNonSend }
    WorldInitNonSendResource { pub fn init_non_send_resource<T>(&self) -> &super::Chained<Self> where [This]: WorldInitNonSendResource }
        : "each of its resources is there from the beginning",
        "write `#[resource(main_thread)]` on the type, and list it: `resources {{ T = value }}`";
    WorldNonSendResource { pub fn non_send_resource<T>(&self) -> &'static T where [This]: WorldNonSendResource }
    WorldGetUnique { pub fn get_unique<T>(&self) -> &'static T where [This]: WorldGetUnique }
    WorldFetch { pub fn fetch<T>(&self) -> &'static T where [This]: WorldFetch }
    WorldReadResource { pub fn read_resource<T>(&self) -> &'static T where [This]: WorldReadResource }
    WorldSingleton { pub fn singleton<T>(&self) -> &super::Chained<Self> where [This]: WorldSingleton }
        "write `game.resource::<T>()`";
    WorldNonSendResourceMut { pub fn non_send_resource_mut<T>(&self) -> &'static mut T where [This]: WorldNonSendResourceMut }
    WorldFetchMut { pub fn fetch_mut<T>(&self) -> &'static mut T where [This]: WorldFetchMut }
    WorldWriteResource { pub fn write_resource<T>(&self) -> &'static mut T where [This]: WorldWriteResource }
        "write `game.resource_mut::<T>()`";
    WorldAddResource { pub fn add_resource<A, R>(&self, _: A) -> R where [This]: WorldAddResource }
    WorldAddUnique { pub fn add_unique<A, R>(&self, _: A) -> R where [This]: WorldAddUnique }
        : "each of its resources is there from the beginning",
        "list it in the `world!`: `resources {{ T = value }}`; a later value is `*game.resource_mut::<T>() = value`";
    WorldReadStorage { pub fn read_storage<T>(&self) -> super::NoItems<T> where [This]: WorldReadStorage }
    WorldReadComponent { pub fn read_component<T>(&self) -> super::NoItems<T> where [This]: WorldReadComponent }
    WorldColumn { pub fn column<T>(&self) -> super::NoItems<T> where [This]: WorldColumn }
        "write `game.query::<&T>()`";
    WorldWriteStorage { pub fn write_storage<T>(&self) -> super::NoItems<T> where [This]: WorldWriteStorage }
    WorldWriteComponent { pub fn write_component<T>(&self) -> super::NoItems<T> where [This]: WorldWriteComponent }
    WorldColumnMut { pub fn column_mut<T>(&self) -> super::NoItems<T> where [This]: WorldColumnMut }
        "write `game.query_mut::<&mut T>()`";
    WorldSystemData { pub fn system_data<T>(&self) -> &super::Chained<Self> where [This]: WorldSystemData }
        "write `game.query_mut::<(&mut A, &B)>()`, or `game.resource::<T>()`";
    WorldExec { pub fn exec<A, R>(&self, _: A) -> R where [This]: WorldExec }
        "write `game.query_mut::<(&mut A, &B)>()` for the entities, or a system and `game.run::<movement>()`";
    WorldIsAlive { pub fn is_alive<A>(&self, _: A) -> bool where [This]: WorldIsAlive }
    WorldIsEntityAlive { pub fn is_entity_alive<A>(&self, _: A) -> bool where [This]: WorldIsEntityAlive }
        "write `game.contains(entity)`";
    WorldInspectEntity { pub fn inspect_entity<A, R>(&self, _: A) -> R where [This]: WorldInspectEntity }
        "write `game.entity(entity)`, whose `components` are the names of its components";
    WorldTryInsert { pub fn try_insert<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldTryInsert }
        "write `insert_if_new(entity, component)`, or `insert(entity, component)` to replace a value";
    WorldTryDespawn { pub fn try_despawn<A, R>(&self, _: A) -> R where [This]: WorldTryDespawn }
        "write `game.despawn(entity)`, which returns a `Result`";
    WorldSpawnColumnBatch { pub fn spawn_column_batch<A, R>(&self, _: A) -> R where [This]: WorldSpawnColumnBatch }
        "write `game.spawn_columns((positions, velocities))`";
    WorldInsertOrSpawnBatch { pub fn insert_or_spawn_batch<A, R>(&self, _: A) -> R where [This]: WorldInsertOrSpawnBatch }
        "write `game.insert_batch([(entity, (A, B))])`";
    WorldEntityNamed { pub fn entity_named<A>(&self, _: A) -> crate::entity::Entity where [This]: WorldEntityNamed }
        "write `game.spawn(Name::new(name))`, with `Name` of `ecs::component`; `game.find_one::<Name>(name)` finds it";
    WorldLookup { pub fn lookup<A, R>(&self, _: A) -> R where [This]: WorldLookup }
        "write `game.find_one::<Name>(name)`, with `Name` of `ecs::component`";
    WorldAddBundle { pub fn add_bundle<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAddBundle }
    WorldInsertBundle { pub fn insert_bundle<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldInsertBundle }
        "write `game.insert(entity, (A, B))`";
    WorldSatisfies { pub fn satisfies<Q>(&self, _: impl Sized) -> bool where [This]: WorldSatisfies }
        "write `game.has::<T>(entity)`";
    WorldTake { pub fn take<A, R>(&self, _: A) -> R where [This]: WorldTake }
        "write `game.take_entity::<(A, B)>(entity)`";
    WorldLen { pub fn len(&self) -> usize where [This]: WorldLen }
    WorldEntityCount { pub fn entity_count(&self) -> usize where [This]: WorldEntityCount }
        "write `game.entities().len()`";
    WorldIsEmpty { pub fn is_empty(&self) -> bool where [This]: WorldIsEmpty }
        "write `game.entities().is_empty()`";
    WorldCount { pub fn count<T>(&self) -> usize where [This]: WorldCount }
        "write `game.query::<&T>().len()`";
    WorldView { pub fn view<Q>(&self) -> super::NoItems<Q> where [This]: WorldView }
    WorldTryQuery { pub fn try_query<Q>(&self) -> super::NoItems<Q> where [This]: WorldTryQuery }
    WorldNewQuery { pub fn new_query<Q>(&self) -> super::NoItems<Q> where [This]: WorldNewQuery }
        "write `game.query::<Q>()`";
    WorldViewMut { pub fn view_mut<Q>(&self) -> super::NoItems<Q> where [This]: WorldViewMut }
        "write `game.query_mut::<Q>()`";
    WorldBorrow { pub fn borrow<V>(&self) -> &super::Chained<Self> where [This]: WorldBorrow }
        "write `game.query::<&T>()` for components, `game.resource::<T>()` for a resource";
    WorldTryQueryFiltered { pub fn try_query_filtered<Q, F>(&self) -> super::NoItems<Q> where [This]: WorldTryQueryFiltered }
        "write `game.query::<Q>().filter::<F>()`";
    WorldEach { pub fn each<A, R>(&self, _: A) -> R where [This]: WorldEach }
        "write `game.query_mut::<(&mut A, &B)>().for_each(|(a, b)| ..)`";
    WorldReserveEntity { pub fn reserve_entity(&self) -> crate::entity::Entity where [This]: WorldReserveEntity }
        "write `game.spawn(())`, and `game.insert(entity, component)` later";
    WorldReserveEntities { pub fn reserve_entities<A, R>(&self, _: A) -> R where [This]: WorldReserveEntities }
        "write `game.reserve::<(A, B)>(count)` for memory, `game.spawn_batch(bundles)` for entities";
    WorldArchetypes { pub fn archetypes<R>(&self) -> R where [This]: WorldArchetypes }
        : "each component has one column",
        "write `game.stats()`";
    WorldComponents { pub fn components<R>(&self) -> R where [This]: WorldComponents }
        : "the `world!` has the list",
        "write `game.stats()`";
    WorldComponentId { pub fn component_id<T>(&self) -> &super::Chained<Self> where [This]: WorldComponentId }
        : "a component is known by its type",
        "leave this call out";
    WorldSystem { pub fn system<T>(&self) -> &super::Chained<Self> where [This]: WorldSystem }
        : "the `world!` lists the systems of each schedule",
        "write `#[system(Game)]` on a function, and `schedule tick {{ movement }}` in the `world!`";
    WorldImport { pub fn import<M>(&self) -> &super::Chained<Self> where [This]: WorldImport }
        "write `include library::parts;` in the `world!`";
    WorldPrefab { pub fn prefab<R>(&self) -> R where [This]: WorldPrefab }
        "write a struct with `#[derive(Aspect)]`, or read one from data: see `Prefab`";
    WorldDefer { pub fn defer<A, R>(&self, _: A) -> R where [This]: WorldDefer }
        "write `game.with_commands(|mut commands| ..)`";
    WorldDeferBegin { pub fn defer_begin<R>(&self) -> R where [This]: WorldDeferBegin }
    WorldDeferEnd { pub fn defer_end<R>(&self) -> R where [This]: WorldDeferEnd }
        : "a world is changed at once",
        "leave this call out";
    WorldQuit { pub fn quit<R>(&self) -> R where [This]: WorldQuit }
        : "the program owns the loop",
        "leave the loop";
    WorldShouldQuit { pub fn should_quit(&self) -> bool where [This]: WorldShouldQuit }
        : "the program owns the loop",
        "write `while running {{ game.tick() }}`";
    WorldSetThreads { pub fn set_threads<A, R>(&self, _: A) -> R where [This]: WorldSetThreads }
        : "systems run on the current `rayon` pool",
        "write `rayon::ThreadPoolBuilder::new().num_threads(4)`";
    WorldProgressTime { pub fn progress_time<A, R>(&self, _: A) -> R where [This]: WorldProgressTime }
        : "each schedule of the `world!` is a method of the world",
        "write `game.tick()`, and advance a resource such as `Clock`";
    WorldSendEventBatch { pub fn send_event_batch<A, R>(&self, _: A) -> R where [This]: WorldSendEventBatch }
    WorldWriteMessageBatch { pub fn write_message_batch<A, R>(&self, _: A) -> R where [This]: WorldWriteMessageBatch }
        "write `game.send(event)` for each";
    WorldSendEventDefault { pub fn send_event_default<E>(&self) -> &super::Chained<Self> where [This]: WorldSendEventDefault }
        "write `game.send(E::default())`";
    WorldTriggerTargets { pub fn trigger_targets<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldTriggerTargets }
        : "systems read events with the parameter `EventReader<E>`",
        "write `game.send(Hit(entity))`, with the entity in the event";
    WorldGetById { pub fn get_by_id<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldGetById }
        : "a component is known by its type",
        "write `game.get::<T>(entity)`";
    WorldModifyComponent { pub fn modify_component<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldModifyComponent }
        "write `if let Some(value) = game.get_mut::<T>(entity) {{ .. }}`";
    WorldGetComponent { pub fn get_component<T>(&self, _: impl Sized) -> Option<&'static T> where [This]: WorldGetComponent }
        "write `game.get::<T>(entity)`";
    WorldGetComponentMut { pub fn get_component_mut<T>(&self, _: impl Sized) -> Option<&'static mut T> where [This]: WorldGetComponentMut }
        "write `game.get_mut::<T>(entity)`";
    WorldAddChild { pub fn add_child<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAddChild }
    WorldSetParent { pub fn set_parent<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldSetParent }
        "write `game.insert(child, ChildOf(parent))`";
    WorldAddChildren { pub fn add_children<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldAddChildren }
        "write `game.insert(child, ChildOf(parent))` for each child";
    WorldChildren { pub fn children<A>(&self, _: A) -> &'static [crate::entity::Entity] where [This]: WorldChildren }
        "write `game.sources::<ChildOf>(parent)`";
    WorldAddPair { pub fn add_pair<A, B, C, R>(&self, _: A, _: B, _: C) -> R where [This]: WorldAddPair }
        "write `game.relate(source, Relation(target))`";
    WorldSpawnChild { pub fn spawn_child<A, B>(&self, _: A, _: B) -> crate::entity::Entity where [This]: WorldSpawnChild }
        "write `game.spawn((A, ChildOf(parent)))`";
    WorldSetState { pub fn set_state<A, R>(&self, _: A) -> R where [This]: WorldSetState }
    WorldNextState { pub fn next_state<A, R>(&self, _: A) -> R where [This]: WorldNextState }
        "write `game.resource_mut::<State<S>>().set(S::A)`";
    WorldComponentMut { pub fn component_mut<T>(&self, _: impl Sized) -> &'static mut T where [This]: WorldComponentMut }
        "write `game.get_mut::<T>(entity)`, which returns an `Option`";
    WorldTargets { pub fn targets<R>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where [This]: WorldTargets }
        "write `game.relations::<T>(entity)` of a relation with many targets, `game.target::<T>(entity)` of an exclusive one";
    WorldDespawnChildren { pub fn despawn_children<A, R>(&self, _: A) -> R where [This]: WorldDespawnChildren }
    WorldDespawnDescendants { pub fn despawn_descendants<A, R>(&self, _: A) -> R where [This]: WorldDespawnDescendants }
        "write `for child in game.sources::<ChildOf>(parent).to_vec() {{ game.despawn(child)?; }}`";
    WorldInstantiate { pub fn instantiate<A, R>(&self, _: A) -> R where [This]: WorldInstantiate }
    WorldSpawnPrefab { pub fn spawn_prefab<A, R>(&self, _: A) -> R where [This]: WorldSpawnPrefab }
    WorldSpawnActor { pub fn spawn_actor<A, R>(&self, _: A) -> R where [This]: WorldSpawnActor }
        "write `game.spawn((A, B))`, or `prefab.spawn(&mut game)` for a `Prefab` that was read from a file";
    WorldFindWithTag { pub fn find_with_tag<A, R>(&self, _: A) -> R where [This]: WorldFindWithTag }
    WorldFindObject { pub fn find_object<A, R>(&self, _: A) -> R where [This]: WorldFindObject }
    WorldFindByName { pub fn find_by_name<A, R>(&self, _: A) -> R where [This]: WorldFindByName }
        "write `game.query::<Entity>().filter::<With<Player>>().single()`, with a component `Player` for the tag",
        "a component with `#[component(key)]` is found by its value: `game.find_one::<T>(&value)`";
    WorldSetActive { pub fn set_active<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldSetActive }
        "write `game.insert(entity, Disabled)`, and `game.remove::<Disabled>(entity)`, with `Disabled` in the `components` of the world";
    WorldSaveTo { pub fn save_to<A, R>(&self, _: A) -> R where [This]: WorldSaveTo }
        "write `game.save(std::fs::File::create(path)?)`, of a world with `#[derive(Serialize, Deserialize)]`";
    WorldToJson { pub fn to_json<R>(&self) -> R where [This]: WorldToJson }
        = "a world has `to_json` if it derives `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`; `to_json` needs the feature `json` and `use ecs::prelude::*`";
    WorldChange { pub fn change<A, B, R>(&self, _: A, _: B) -> R where [This]: WorldChange }
        : "its states are resources",
        "write `game.resource_mut::<State<T>>().set(value)`, with the enum `T`";
}

#[cfg(feature = "serde")]
foreign! {
    /// Functions that the type of a saved world does not have. `world!` implements it for these
    /// worlds, not one impl for all: for another type, rustc would say that it is no saved world.
    trait ForeignSaved, "a world";
    SavedFromBytes { fn from_bytes<A, R>(_: A) -> R where Self: SavedFromBytes }
        "write `Game::load(&bytes)`, with the name of the world";
    #[cfg(not(feature = "json"))]
    SavedFromJson { fn from_json<A, R>(_: A) -> R where Self: SavedFromJson }
        = "a world has `from_json` with the feature `json`",
        "write `ecs = {{ .., features = [\"json\"] }}` in `Cargo.toml`, or `serde_json::from_str::<Game>(text)`";
}
