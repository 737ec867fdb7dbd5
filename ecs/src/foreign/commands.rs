//! Methods that commands have in other libraries.

verbs! {
    /// Methods that `Commands` does not have.
    ForeignCommands;
    CommandsSendEvent: fn send_event[A, R](A) -> R:
        "`Commands` has no `send_event`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsTrigger: fn trigger[A, R](A) -> R:
        "`Commands` has no `trigger`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsWriteMessage: fn write_message[A, R](A) -> R:
        "`Commands` has no `write_message`",
        "write `events.send(event)` with the parameter `mut events: EventWriter<E>`, or `commands.send(event)`, which sends it when the stage ends";
    CommandsGetEntity: fn get_entity[A, R](A) -> R:
        "`Commands` has no `get_entity`",
        "write `if commands.contains(entity) {{ .. }}`, and `commands.entity(entity)`";
    CommandsAdd: fn add[A, R](A) -> R:
        "`Commands` has no `add`",
        "write `commands.run(|game| ..)` for a closure, `commands.insert(entity, component)` for a component";
    CommandsQueue: fn queue[A, R](A) -> R:
        "`Commands` has no `queue`",
        "write `commands.run(|game| ..)`";
    CommandsInsertResource: fn insert_resource[A, R](A) -> R:
        "`Commands` has no `insert_resource`: each resource is there from the beginning",
        "take the parameter `mut value: ResMut<T>`, and write `*value = ..`",
        "list the resource in the `world!`: `resources {{ name: T = value }}`";
    CommandsInitResource: fn init_resource[T]() -> ():
        "`Commands` has no `init_resource`: each resource is there from the beginning",
        "list the resource in the `world!` instead",
        "write `resources {{ name: T = T::default() }}` in the `world!`";
    CommandsRemoveResource: fn remove_resource[T]() -> ():
        "`Commands` has no `remove_resource`: no resource can be missing",
        "put an `Option` into the resource, and `take` its value";
    CommandsSpawnEmpty: fn spawn_empty[R]() -> R:
        "`Commands` has no `spawn_empty`",
        "write `commands.spawn(())`";
    CommandsAddComponent: fn add_component[A, B, R](A, B) -> R:
        "`Commands` has no `add_component`",
        "write `commands.insert(entity, component)`";
    CommandsRemoveComponent: fn remove_component[T](impl Sized) -> ():
        "`Commands` has no `remove_component`",
        "write `commands.remove::<T>(entity)`";
    CommandsDelete: fn delete[A, R](A) -> R:
        "`Commands` has no `delete`",
        "write `commands.despawn(entity)`";
    CommandsDespawnRecursive: fn despawn_recursive[A, R](A) -> R:
        "`Commands` has no `despawn_recursive`",
        "write `commands.despawn(entity)`",
        "a relation with `gone = cascade`, such as `ChildOf`, despawns its sources with their target";
    CommandsAddObserver: fn add_observer[A, R](A) -> R:
        "`Commands` has no `add_observer`: the world lists its observers",
        "list it in `world!`, after the struct: `observers {{ name }}`; its trigger is a parameter, such as `Added<T>`, `Removed<T>` or `EventReader<E>`";
    CommandsDelayed: fn delayed[R]() -> R:
        "`Commands` has no `delayed`: a delayed command is a value, which is saved with the world",
        "write `commands.after(Duration::from_secs(1), DespawnEntity(entity))`, of `ecs::time`; `InsertBundle`, `RemoveBundle` and `SpawnBundle` are the other commands";
}
