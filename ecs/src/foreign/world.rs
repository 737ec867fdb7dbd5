//! Methods that worlds have in other libraries, or have only with a derive.

verbs! {
    /// Methods that a world does not have.
    ForeignWorld;
    WorldInsertResource: fn insert_resource[A, R](A) -> R:
        "a world has no `insert_resource`: each of its resources is there from the beginning",
        "write `*game.resource_mut::<T>() = value`",
        "list the resource in the `world!`: `resources {{ name: T }}`, whose value `new` takes, or `resources {{ name: T = value }}`";
    WorldInitResource: fn init_resource[T]() -> ():
        "a world has no `init_resource`: each of its resources is there from the beginning",
        "list the resource in the `world!` instead",
        "write `resources {{ name: T = T::default() }}` in the `world!`";
    WorldGetResource: fn get_resource[T: 'static]() -> Option<&'static T>:
        "a world has no `get_resource`: no resource can be missing",
        "write `game.resource::<T>()`, which returns no `Option`";
    WorldGetResourceMut: fn get_resource_mut[T: 'static]() -> Option<&'static mut T>:
        "a world has no `get_resource_mut`: no resource can be missing",
        "write `game.resource_mut::<T>()`, which returns no `Option`";
    WorldRemoveResource: fn remove_resource[T]() -> Option<T>:
        "a world has no `remove_resource`: no resource can be missing",
        "put an `Option` into the resource, and `take` its value";
    WorldSendEvent: fn send_event[A, R](A) -> R:
        "a world has no `send_event`",
        "write `game.send(event)`";
    WorldWriteMessage: fn write_message[A, R](A) -> R:
        "a world has no `write_message`",
        "write `game.send(event)`";
    WorldTrigger: fn trigger[A, R](A) -> R:
        "a world has no `trigger`: systems read events with the parameter `EventReader<E>`",
        "write `game.send(event)`";
    WorldEvents: fn events[E: 'static]() -> core::slice::Iter<'static, E>:
        "a world has no `events`: systems read events with the parameter `EventReader<E>`",
        "outside of systems, write `game.drain::<E>()`",
        "`drain` removes the events from the world";
    WorldGetMany: fn get_many[T: 'static](impl Sized) -> Result<[&'static T; 2], super::NoItems<()>>:
        "a world has no `get_many`",
        "write `entities.map(|entity| game.get::<T>(entity))`";
    WorldGetManyMut: fn get_many_mut[T: 'static](impl Sized) -> Result<[&'static mut T; 2], super::NoItems<()>>:
        "a world has no `get_many_mut`",
        "write `game.query_mut::<&mut T>().get_many_mut([a, b])`";
    WorldAddSystems: fn add_systems[A, B, R](A, B) -> R:
        "a world has no `add_systems`: the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`",
        "`ecs::Schedule` is a list of systems that is built at run time";
    WorldAddSystem: fn add_system[A, R](A) -> R:
        "a world has no `add_system`: the `world!` lists the systems of each schedule",
        "write `schedule tick {{ one, two; three }}` in the `world!`",
        "`ecs::Schedule` is a list of systems that is built at run time";
    WorldRunSchedule: fn run_schedule[A, R](A) -> R:
        "a world has no `run_schedule`: each schedule of the `world!` is a method of the world",
        "write `game.tick()` for `schedule tick {{ .. }}`";
    WorldRunSystem: fn run_system[A, R](A) -> R:
        "a world has no `run_system`",
        "write `game.run::<system>()`";
    WorldRunSystemOnce: fn run_system_once[A, R](A) -> R:
        "a world has no `run_system_once`",
        "write `game.run::<system>()`";
    WorldUpdate: fn update[R]() -> R:
        "a world has no `update`: each schedule of the `world!` is a method of the world",
        "write `game.tick()` for `schedule tick {{ .. }}`";
    WorldProgress: fn progress[R]() -> R:
        "a world has no `progress`: each schedule of the `world!` is a method of the world",
        "write `game.tick()` for `schedule tick {{ .. }}`";
    WorldIter: fn iter[R]() -> R:
        "a world has no `iter`: a query names the components to iterate over",
        "write `game.query::<(Entity, &A)>().iter()`, or `game.entities().iter()`";
    WorldIterEntities: fn iter_entities[R]() -> R:
        "a world has no `iter_entities`",
        "write `game.entities().iter()`";
    WorldQueryOne: fn query_one[Q](impl Sized) -> Option<Q>:
        "a world has no `query_one`",
        "write `game.query::<Q>().get(entity)`",
        "for one component, write `game.get::<T>(entity)`";
    WorldQueryOneMut: fn query_one_mut[Q](impl Sized) -> Option<Q>:
        "a world has no `query_one_mut`",
        "write `game.query_mut::<Q>().get_mut(entity)`",
        "for one component, write `game.get_mut::<T>(entity)`";
    WorldQueryFiltered: fn query_filtered[Q, F]() -> super::NoItems<Q>:
        "a world has no `query_filtered`",
        "write `game.query::<D>().filter::<F>()`";
    WorldExchange: fn exchange[S, T](impl Sized, T) -> Option<S>:
        "a world has no `exchange`",
        "write `game.remove::<A>(entity)?`, then `game.insert(entity, b)?`";
    WorldGetEntity: fn get_entity[A, R](A) -> R:
        "a world has no `get_entity`",
        "write `game.entity(entity)`, which returns a `Result`";
    WorldEntry: fn entry[A, R](A) -> R:
        "a world has no `entry`",
        "write `game.entity_mut(entity)`, which returns a `Result`";
    WorldRegister: fn register[T]() -> ():
        "a world has no `register`: its components are known at compile time",
        "list the component in the `world!`: `components {{ T }}`";
    WorldCreateEntity: fn create_entity[R]() -> R:
        "a world has no `create_entity`",
        "write `game.spawn((A, B))`";
    WorldSpawnEmpty: fn spawn_empty[R]() -> R:
        "a world has no `spawn_empty`",
        "write `game.spawn(())`";
    WorldPush: fn push[A, R](A) -> R:
        "a world has no `push`",
        "write `game.spawn((A, B))`";
    WorldExtend: fn extend[A, R](A) -> R:
        "a world has no `extend`",
        "write `game.spawn_batch(bundles)`";
    WorldDelete: fn delete[A, R](A) -> R:
        "a world has no `delete`",
        "write `game.despawn(entity)`";
    WorldDeleteEntity: fn delete_entity[A, R](A) -> R:
        "a world has no `delete_entity`",
        "write `game.despawn(entity)`";
    WorldDespawnRecursive: fn despawn_recursive[A, R](A) -> R:
        "a world has no `despawn_recursive`",
        "write `game.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    WorldAdd: fn add[A, B, R](A, B) -> R:
        "a world has no `add`",
        "write `game.insert(entity, component)`";
    WorldAddComponent: fn add_component[A, B, R](A, B) -> R:
        "a world has no `add_component`",
        "write `game.insert(entity, component)`";
    WorldRemoveComponent: fn remove_component[T](impl Sized) -> Option<T>:
        "a world has no `remove_component`",
        "write `game.remove::<T>(entity)`";
    WorldObserve: fn observe[A, R](A) -> R:
        "a world has no `observe`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    WorldAddObserver: fn add_observer[A, R](A) -> R:
        "a world has no `add_observer`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    WorldFlush: fn flush[R]() -> R:
        "a world has no `flush`: at each `;` of a schedule, the commands before it are applied",
        "remove the call";
    WorldMaintain: fn maintain[R]() -> R:
        "a world has no `maintain`: at each `;` of a schedule, the commands before it are applied",
        "remove the call";
    WorldClone: fn clone[R]() -> R:
        "this world is not `Clone`",
        "write `#[derive(Clone)]` before the `struct` in the `world!`",
        "the components, resources and events of a world that is `Clone` are `Clone`, too";
    WorldReflect: fn reflect[R]() -> R:
        "this world has no `reflect`: it does not derive `Reflect`, or the trait `ecs::reflect::ReflectWorld` is not in scope",
        "write `#[derive(Reflect)]` before the `struct` in the `world!`, and `use ecs::reflect::ReflectWorld`",
        "the crate `ecs` needs its feature `reflect`; components, resources and events derive `Serialize` and `Deserialize`";
    WorldReflectMut: fn reflect_mut[R]() -> R:
        "this world has no `reflect_mut`: it does not derive `Reflect`, or the trait `ecs::reflect::ReflectWorld` is not in scope",
        "write `#[derive(Reflect)]` before the `struct` in the `world!`, and `use ecs::reflect::ReflectWorld`",
        "the crate `ecs` needs its feature `reflect`; components, resources and events derive `Serialize` and `Deserialize`";
    WorldSave: fn save[A, R](A) -> R:
        "this world has no `save`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
    WorldToBytes: fn to_bytes[R]() -> R:
        "this world has no `to_bytes`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
    WorldHash: fn hash[R]() -> R:
        "this world has no `hash`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
    WorldMerge: fn merge[A, R](A) -> R:
        "this world has no `merge`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
    WorldMergeFrom: fn merge_from[A, B, R](A, B) -> R:
        "this world has no `merge_from`: it does not derive `Serialize` and `Deserialize`",
        "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!`",
        "the crate `ecs` needs its feature `serde`, and the derives are imported with `use serde::{{Deserialize, Serialize}}`";
}
