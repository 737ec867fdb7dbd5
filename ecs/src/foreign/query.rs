//! Methods that queries, events and relations have in other libraries.

verbs! {
    /// Methods that queries do not have.
    ForeignQuery;
    QueryIterCombinations: fn iter_combinations[const N: usize]() -> super::NoItems<[Item; N]>:
        "a query has no `iter_combinations`",
        "write `query.pairs_mut(|a, b| ..)`, or two loops over `query.iter()`";
    QueryIterCombinationsMut: fn iter_combinations_mut[const N: usize]() -> super::NoItems<[Item; N]>:
        "a query has no `iter_combinations_mut`",
        "write `query.pairs_mut(|a, b| ..)`";
    QueryParIter: fn par_iter[R]() -> R:
        "a query has no `par_iter`",
        "write `query.par_for_each(|item| ..)`";
    QueryParIterMut: fn par_iter_mut[R]() -> R:
        "a query has no `par_iter_mut`",
        "write `query.par_for_each(|item| ..)`";
    QueryIterMany: fn iter_many[A, R](A) -> R:
        "a query has no `iter_many`",
        "write `entities.iter().filter_map(|&entity| query.get(entity))`";
    QueryGetSingle: fn get_single[R]() -> R:
        "a query has no `get_single`",
        "write `query.single()`, which returns a `Result`";
    QueryGetSingleMut: fn get_single_mut[R]() -> R:
        "a query has no `get_single_mut`",
        "write `query.single_mut()`, which returns a `Result`";
    QueryGetComponent: fn get_component[T: 'static](crate::entity::Entity) -> Option<&'static T>:
        "a query has no `get_component`",
        "write `query.get(entity)`, which returns the data of the query for the entity",
        "a system reads one component of any entity with a query of its own: `positions: Query<&Position>`, `positions.get(entity)`";
    QueryGetComponentMut: fn get_component_mut[T: 'static](crate::entity::Entity) -> Option<&'static mut T>:
        "a query has no `get_component_mut`",
        "write `query.get_mut(entity)`, which returns the data of the query for the entity",
        "a system writes one component of any entity with a query of its own: `positions: Query<&mut Position>`, `positions.get_mut(entity)`";
    QueryForEachMut: fn for_each_mut[A, R](A) -> R:
        "a query has no `for_each_mut`",
        "write `query.for_each(|item| ..)`";
    QueryWith: fn with[Q]() -> super::NoItems<Item>:
        "a query has no `with`",
        "outside of systems, write `.filter::<With<T>>()`; in a system, `Query<D, With<T>>`",
        "`With` takes the component without `&`";
    QueryWithout: fn without[Q]() -> super::NoItems<Item>:
        "a query has no `without`",
        "outside of systems, write `.filter::<Without<T>>()`; in a system, `Query<D, Without<T>>`",
        "`Without` takes the component without `&`";
}

verbs! {
    /// Methods that an `EventReader` does not have.
    ForeignReader;
    ReaderRead: fn read[R]() -> R:
        "an `EventReader` has no `read`",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderReadMut: fn read_mut[R]() -> R:
        "an `EventReader` lends events as shared references",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderDrain: fn drain[R]() -> R:
        "an `EventReader` has no `drain`: other readers read the same events",
        "write `for event in &mut reader`, which marks them as read";
}

verbs! {
    /// Methods that an `EventWriter` does not have.
    ForeignWriter;
    WriterWrite: fn write[A, R](A) -> R:
        "an `EventWriter` has no `write`",
        "write `writer.send(event)`";
    WriterWriteBatch: fn write_batch[A, R](A) -> R:
        "an `EventWriter` has no `write_batch`",
        "write `writer.extend(events)`";
    WriterSendBatch: fn send_batch[A, R](A) -> R:
        "an `EventWriter` has no `send_batch`",
        "write `writer.extend(events)`";
    WriterSendDefault: fn send_default[R]() -> R:
        "an `EventWriter` has no `send_default`",
        "write `writer.send(E::default())`";
    WriterWriteDefault: fn write_default[R]() -> R:
        "an `EventWriter` has no `write_default`",
        "write `writer.send(E::default())`";
}

verbs! {
    /// Methods that `Related` does not have.
    ForeignRelated;
    RelatedChildren: fn children[A, R](A) -> R:
        "`Related` has no `children`",
        "write `related.sources(entity)`";
    RelatedParent: fn parent[A, R](A) -> R:
        "`Related` has no `parent`",
        "write `related.target(entity)`";
    RelatedIterDescendants: fn iter_descendants[A, R](A) -> R:
        "`Related` has no `iter_descendants`",
        "write `related.descendants(entity)`";
    RelatedIterAncestors: fn iter_ancestors[A, R](A) -> R:
        "`Related` has no `iter_ancestors`",
        "write `related.ancestors(entity)`";
}
