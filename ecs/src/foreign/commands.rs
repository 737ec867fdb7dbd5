//! Methods that commands have in other libraries.

verbs! {
    /// Methods that `Commands` does not have.
    ForeignCommands;
    CommandsSend: fn send[A, R](A) -> R:
        "`Commands` has no `send`: an `EventWriter` sends events",
        "take the parameter `mut events: EventWriter<E>`, and write `events.send(event)`";
    CommandsSendEvent: fn send_event[A, R](A) -> R:
        "`Commands` has no `send_event`: an `EventWriter` sends events",
        "take the parameter `mut events: EventWriter<E>`, and write `events.send(event)`";
    CommandsTrigger: fn trigger[A, R](A) -> R:
        "`Commands` has no `trigger`: an `EventWriter` sends events",
        "take the parameter `mut events: EventWriter<E>`, and write `events.send(event)`";
    CommandsWriteMessage: fn write_message[A, R](A) -> R:
        "`Commands` has no `write_message`: an `EventWriter` sends events",
        "take the parameter `mut events: EventWriter<E>`, and write `events.send(event)`";
    CommandsEntity: fn entity[A, R](A) -> R:
        "`Commands` has no `entity`: the first argument of each command is the entity",
        "write `commands.insert(entity, component)`, `commands.remove::<T>(entity)` or `commands.despawn(entity)`";
    CommandsGetEntity: fn get_entity[A, R](A) -> R:
        "`Commands` has no `get_entity`: the first argument of each command is the entity",
        "write `if commands.contains(entity) {{ .. }}`, and `commands.insert(entity, component)`";
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
    CommandsSpawnBatch: fn spawn_batch[A, R](A) -> R:
        "`Commands` has no `spawn_batch`",
        "write `for bundle in bundles {{ commands.spawn(bundle); }}`",
        "if no system needs the ids, write `commands.run(|game| {{ game.spawn_batch(bundles); }})`";
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
}
