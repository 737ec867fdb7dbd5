//! Methods that queries, events and relations have in other libraries.

foreign! {
    /// Methods that queries do not have.
    struct ForeignQuery;
    QueryIterCombinationsMut { pub fn iter_combinations_mut<const N: usize>(&self) -> super::NoItems<[Item; N]> where This: QueryIterCombinationsMut }
        "a query has no `iter_combinations_mut`",
        "write `query.pairs_mut(|a, b| ..)`";
    QueryParIter { pub fn par_iter<R>(&self) -> R where This: QueryParIter }
        "a query has no `par_iter`",
        "write `query.par_for_each(|item| ..)`";
    QueryParIterMut { pub fn par_iter_mut<R>(&self) -> R where This: QueryParIterMut }
        "a query has no `par_iter_mut`",
        "write `query.par_for_each(|item| ..)`";
    QueryGetSingle { pub fn get_single<R>(&self) -> R where This: QueryGetSingle }
        "a query has no `get_single`",
        "write `query.single()`, which returns a `Result`";
    QueryGetSingleMut { pub fn get_single_mut<R>(&self) -> R where This: QueryGetSingleMut }
        "a query has no `get_single_mut`",
        "write `query.single_mut()`, which returns a `Result`";
    QueryGetComponent { pub fn get_component<T: 'static>(&self, _: crate::entity::Entity) -> Option<&'static T> where This: QueryGetComponent }
        "a query has no `get_component`",
        "write `query.get(entity)`, which returns the data of the query for the entity",
        "a system reads one component of any entity with a query of its own: `positions: Query<&Position>`, `positions.get(entity)`";
    QueryGetComponentMut { pub fn get_component_mut<T: 'static>(&self, _: crate::entity::Entity) -> Option<&'static mut T> where This: QueryGetComponentMut }
        "a query has no `get_component_mut`",
        "write `query.get_mut(entity)`, which returns the data of the query for the entity",
        "a system writes one component of any entity with a query of its own: `positions: Query<&mut Position>`, `positions.get_mut(entity)`";
    QueryForEachMut { pub fn for_each_mut<A, R>(&self, _: A) -> R where This: QueryForEachMut }
        "a query has no `for_each_mut`",
        "write `query.for_each(|item| ..)`";
    QueryWith { pub fn with<Q>(&self) -> super::NoItems<Item> where This: QueryWith }
        "a query has no `with`",
        "outside of systems, write `.filter::<With<T>>()`; in a system, `Query<D, With<T>>`",
        "`With` takes the component without `&`";
    QueryWithout { pub fn without<Q>(&self) -> super::NoItems<Item> where This: QueryWithout }
        "a query has no `without`",
        "outside of systems, write `.filter::<Without<T>>()`; in a system, `Query<D, Without<T>>`",
        "`Without` takes the component without `&`";
    QueryIterManyMut { pub fn iter_many_mut<A, R>(&self, _: A) -> R where This: QueryIterManyMut }
        "a query has no `iter_many_mut`",
        "write `for entity in entities {{ if let Some(item) = query.get_mut(entity) {{ .. }} }}`";
    QueryMany { pub fn many<A, R>(&self, _: A) -> R where This: QueryMany }
        "a query has no `many`",
        "write `query.get_many([a, b])`, which returns a `Result`";
    QueryManyMut { pub fn many_mut<A, R>(&self, _: A) -> R where This: QueryManyMut }
        "a query has no `many_mut`",
        "write `query.get_many_mut([a, b])`, which returns a `Result`";
    QueryIterInner { pub fn iter_inner<R>(&self) -> R where This: QueryIterInner }
        "a query has no `iter_inner`",
        "write `query.iter()`";
    QueryGetInner { pub fn get_inner<A, R>(&self, _: A) -> R where This: QueryGetInner }
        "a query has no `get_inner`",
        "write `query.get(entity)`";
    QuerySingleInner { pub fn single_inner<R>(&self) -> R where This: QuerySingleInner }
        "a query has no `single_inner`",
        "write `query.single()`";
    QueryTransmuteLens { pub fn transmute_lens<D>(&self) -> &super::Chained<Self> where This: QueryTransmuteLens }
        "a query has no `transmute_lens`",
        "pass the query with `query.reborrow()`, or take a second query";
    QueryAsReadonly { pub fn as_readonly<R>(&self) -> R where This: QueryAsReadonly }
        "a query has no `as_readonly`",
        "write `query.as_read_only()`";
    QueryIterBatched { pub fn iter_batched<A, R>(&self, _: A) -> R where This: QueryIterBatched }
        "a query has no `iter_batched`",
        "write `query.par_for_each(|item| ..)`";
    QueryParForEachMut { pub fn par_for_each_mut<A, R>(&self, _: A) -> R where This: QueryParForEachMut }
        "a query has no `par_for_each_mut`",
        "write `query.par_for_each(|item| ..)`";
    QueryParForEachChunk { pub fn par_for_each_chunk<A, R>(&self, _: A) -> R where This: QueryParForEachChunk }
        "a query has no `par_for_each_chunk`",
        "write `query.par_for_each(|item| ..)`";
    QueryIterChunks { pub fn iter_chunks<R>(&self) -> R where This: QueryIterChunks }
        "a query has no `iter_chunks`",
        "write `query.chunks()`";
    QueryContiguousIter { pub fn contiguous_iter<R>(&self) -> R where This: QueryContiguousIter }
        "a query has no `contiguous_iter`",
        "write `query.chunks()`";
    QueryContiguousIterMut { pub fn contiguous_iter_mut<R>(&self) -> R where This: QueryContiguousIterMut }
        "a query has no `contiguous_iter_mut`",
        "write `query.chunks_mut()`";
    QueryIterChildren { pub fn iter_children<A, R>(&self, _: A) -> R where This: QueryIterChildren }
        "a query has no `iter_children`",
        "take `family: Related<ChildOf>`, and write `family.sources(entity)`";
    QueryIterDescendants { pub fn iter_descendants<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: QueryIterDescendants }
        "a query has no `iter_descendants`",
        "take `family: Related<ChildOf>`, and write `family.descendants(entity)`";
    QueryIterAncestors { pub fn iter_ancestors<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: QueryIterAncestors }
        "a query has no `iter_ancestors`",
        "take `family: Related<ChildOf>`, and write `family.ancestors(entity)`";
    QueryRootAncestor { pub fn root_ancestor<T>(&self, _: impl Sized) -> crate::entity::Entity where This: QueryRootAncestor }
        "a query has no `root_ancestor`",
        "take `family: Related<ChildOf>`, and write `family.ancestors(entity).last()`";
    QueryParent { pub fn parent<A, R>(&self, _: A) -> R where This: QueryParent }
        "a query has no `parent`",
        "take `family: Related<ChildOf>`, and write `family.target(entity)`";
    QueryIsAdded { pub fn is_added<T>(&self, _: impl Sized) -> bool where This: QueryIsAdded }
        "a query has no `is_added`",
        "ask for `Ref<T>` of a tracked component, and write `value.is_added()`";
    QueryIsChanged { pub fn is_changed<T>(&self, _: impl Sized) -> bool where This: QueryIsChanged }
        "a query has no `is_changed`",
        "ask for `Ref<T>` of a tracked component, and write `value.is_changed()`";
    QueryJoin { pub fn join<R>(&self) -> R where This: QueryJoin }
        "a query has no `join`",
        "write one query of all components, `Query<(&mut A, &B)>`";
    QueryEach { pub fn each<A, R>(&self, _: A) -> R where This: QueryEach }
        "a query has no `each`",
        "write `query.for_each(|item| ..)`";
    QueryEachMut { pub fn each_mut<A, R>(&self, _: A) -> R where This: QueryEachMut }
        "a query has no `each_mut`",
        "write `query.for_each(|item| ..)`";
    QueryEachEntity { pub fn each_entity<A, R>(&self, _: A) -> R where This: QueryEachEntity }
        "a query has no `each_entity`",
        "write `Query<(Entity, &A)>`, and `query.for_each(|(entity, a)| ..)`";
    QueryNext { pub fn next(&self) -> Option<Item> where This: QueryNext }
        "a query has no `next`",
        "write `for item in &mut query {{ .. }}`, or `query.iter().next()`";
    QueryCount { pub fn count(&self) -> usize where This: QueryCount }
        "a query has no `count`",
        "write `query.len()`";
    QueryMap { pub fn map<A, R>(&self, _: A) -> R where This: QueryMap }
        "a query has no `map`",
        "write `query.iter().map(|item| ..)`";
    QueryFilter { pub fn filter<A>(&self, _: A) -> super::NoItems<Item> where This: QueryFilter }
        "a query has no `filter`",
        "write `query.iter().filter(|item| ..)`, or `Query<D, With<T>>`";
    QueryCollect { pub fn collect<R>(&self) -> R where This: QueryCollect }
        "a query has no `collect`",
        "write `query.iter().collect::<Vec<_>>()`";
    QueryFirst { pub fn first(&self) -> Option<Item> where This: QueryFirst }
        "a query has no `first`",
        "write `query.iter().next()`";
    QuerySort { pub fn sort<L>(&self) -> super::NoItems<Item> where This: QuerySort }
        "a query has no `sort`",
        "write `query.sorted_by_key(|item| ..)`";
    QuerySortBy { pub fn sort_by<A, R>(&self, _: A) -> R where This: QuerySortBy }
        "a query has no `sort_by`",
        "write `query.sorted_by(|a, b| ..)`";
    QuerySortByKey { pub fn sort_by_key<A, R>(&self, _: A) -> R where This: QuerySortByKey }
        "a query has no `sort_by_key`",
        "write `query.sorted_by_key(|item| ..)`";
    QueryInsert { pub fn insert<A, B, R>(&self, _: A, _: B) -> R where This: QueryInsert }
        "a query has no `insert`",
        "take `mut commands: Commands<Game>`, and write `commands.insert(entity, component)`";
    QueryRemove { pub fn remove<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: QueryRemove }
        "a query has no `remove`",
        "take `mut commands: Commands<Game>`, and write `commands.remove::<T>(entity)`";
    QueryDespawn { pub fn despawn<A, R>(&self, _: A) -> R where This: QueryDespawn }
        "a query has no `despawn`",
        "take `mut commands: Commands<Game>`, and write `commands.despawn(entity)`";
    QuerySpawn { pub fn spawn<A, R>(&self, _: A) -> R where This: QuerySpawn }
        "a query has no `spawn`",
        "take `mut commands: Commands<Game>`, and write `commands.spawn((A, B))`";
    QueryHas { pub fn has<T>(&self, _: impl Sized) -> bool where This: QueryHas }
        "a query has no `has`",
        "ask for `Is<T>`, or write `query.contains(entity)`";
    QueryClear { pub fn clear<R>(&self) -> R where This: QueryClear }
        "a query has no `clear`",
        "take `mut commands: Commands<Game>`, and write `commands.despawn(entity)` for each";
    QueryResource { pub fn resource<T>(&self) -> &super::Chained<Self> where This: QueryResource }
        "a query has no `resource`",
        "take the resource as a parameter, `value: Res<T>`";
}

foreign! {
    /// Methods that the iterators of queries do not have.
    struct ForeignIter;
    IterSort { pub fn sort<L>(&self) -> super::NoItems<Item> where This: IterSort }
        "the iterator of a query has no `sort`",
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterSortUnstable { pub fn sort_unstable<L>(&self) -> super::NoItems<Item> where This: IterSortUnstable }
        "the iterator of a query has no `sort_unstable`",
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterSortBy { pub fn sort_by<L>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortBy }
        "the iterator of a query has no `sort_by`",
        "write `query.sorted_by(|a, b| ..)`, of the query itself";
    IterSortUnstableBy { pub fn sort_unstable_by<L>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortUnstableBy }
        "the iterator of a query has no `sort_unstable_by`",
        "write `query.sorted_by(|a, b| ..)`, of the query itself";
    IterSortByKey { pub fn sort_by_key<L, K>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortByKey }
        "the iterator of a query has no `sort_by_key`",
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterSortByCachedKey { pub fn sort_by_cached_key<L, K>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortByCachedKey }
        "the iterator of a query has no `sort_by_cached_key`",
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterSorted { pub fn sorted(&self) -> super::NoItems<Item> where This: IterSorted }
        "the iterator of a query has no `sorted`",
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterIsEmpty { pub fn is_empty(&self) -> bool where This: IterIsEmpty }
        "the iterator of a query has no `is_empty`",
        "write `query.is_empty()`, of the query itself";
    IterGet { pub fn get<A, R>(&self, _: A) -> R where This: IterGet }
        "the iterator of a query has no `get`",
        "write `query.get(entity)`, of the query itself";
    IterWith { pub fn with<T>(&self) -> super::NoItems<Item> where This: IterWith }
        "the iterator of a query has no `with`",
        "write `Query<D, With<T>>`";
    IterWithout { pub fn without<T>(&self) -> super::NoItems<Item> where This: IterWithout }
        "the iterator of a query has no `without`",
        "write `Query<D, Without<T>>`";
    IterWithId { pub fn with_id(&self) -> super::NoItems<(crate::entity::Entity, Item)> where This: IterWithId }
        "the iterator of a query has no `with_id`",
        "write `Query<(Entity, &A)>`";
    IterParForEach { pub fn par_for_each<A, R>(&self, _: A) -> R where This: IterParForEach }
        "the iterator of a query has no `par_for_each`",
        "write `query.par_for_each(|item| ..)`, of the query itself";
}

foreign! {
    /// Methods that an `EventReader` does not have.
    struct ForeignReader;
    ReaderRead { pub fn read<R>(&self) -> R where This: ReaderRead }
        "an `EventReader` has no `read`",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderReadMut { pub fn read_mut<R>(&self) -> R where This: ReaderReadMut }
        "an `EventReader` lends events as shared references",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderDrain { pub fn drain<R>(&self) -> R where This: ReaderDrain }
        "an `EventReader` has no `drain`: other readers read the same events",
        "write `for event in &mut reader`, which marks them as read";
    ReaderParRead { pub fn par_read<R>(&self) -> R where This: ReaderParRead }
        "an `EventReader` has no `par_read`",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderReadWithId { pub fn read_with_id<R>(&self) -> R where This: ReaderReadWithId }
        "an `EventReader` has no `read_with_id`",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderIterMut { pub fn iter_mut(&self) -> super::NoItems<()> where This: ReaderIterMut }
        "an `EventReader` has no `iter_mut`: other readers read the same events",
        "write `for event in &mut reader`, which gives shared references";
    ReaderPop { pub fn pop<R>(&self) -> R where This: ReaderPop }
        "an `EventReader` has no `pop`",
        "write `reader.iter().next()`";
    ReaderNext { pub fn next<R>(&self) -> R where This: ReaderNext }
        "an `EventReader` has no `next`",
        "write `reader.iter().next()`";
    ReaderPeek { pub fn peek<R>(&self) -> R where This: ReaderPeek }
        "an `EventReader` has no `peek`",
        "write `reader.iter().next()`";
    ReaderSend { pub fn send<A, R>(&self, _: A) -> R where This: ReaderSend }
        "an `EventReader` has no `send`",
        "take `mut writer: EventWriter<E>`, and write `writer.send(event)`";
    ReaderEvent { pub fn event<R>(&self) -> R where This: ReaderEvent }
        "an `EventReader` has no `event`: a reader has several events",
        "write `for event in &mut reader`";
}

foreign! {
    /// Methods that an `EventWriter` does not have.
    struct ForeignWriter;
    WriterWrite { pub fn write<A, R>(&self, _: A) -> R where This: WriterWrite }
        "an `EventWriter` has no `write`",
        "write `writer.send(event)`";
    WriterWriteBatch { pub fn write_batch<A, R>(&self, _: A) -> R where This: WriterWriteBatch }
        "an `EventWriter` has no `write_batch`",
        "write `writer.extend(events)`";
    WriterSendBatch { pub fn send_batch<A, R>(&self, _: A) -> R where This: WriterSendBatch }
        "an `EventWriter` has no `send_batch`",
        "write `writer.extend(events)`";
    WriterSendDefault { pub fn send_default<R>(&self) -> R where This: WriterSendDefault }
        "an `EventWriter` has no `send_default`",
        "write `writer.send(E::default())`";
    WriterWriteDefault { pub fn write_default<R>(&self) -> R where This: WriterWriteDefault }
        "an `EventWriter` has no `write_default`",
        "write `writer.send(E::default())`";
    WriterPush { pub fn push<A, R>(&self, _: A) -> R where This: WriterPush }
        "an `EventWriter` has no `push`",
        "write `writer.send(event)`";
    WriterTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: WriterTrigger }
        "an `EventWriter` has no `trigger`",
        "write `writer.send(event)`";
    WriterEmit { pub fn emit<A, R>(&self, _: A) -> R where This: WriterEmit }
        "an `EventWriter` has no `emit`",
        "write `writer.send(event)`";
    WriterSingleWrite { pub fn single_write<A, R>(&self, _: A) -> R where This: WriterSingleWrite }
        "an `EventWriter` has no `single_write`",
        "write `writer.send(event)`";
}

foreign! {
    /// Methods that `Related` does not have.
    struct ForeignRelated;
    RelatedChildren { pub fn children<A, R>(&self, _: A) -> R where This: RelatedChildren }
        "`Related` has no `children`",
        "write `related.sources(entity)`";
    RelatedParent { pub fn parent<A, R>(&self, _: A) -> R where This: RelatedParent }
        "`Related` has no `parent`",
        "write `related.target(entity)`";
    RelatedIterDescendants { pub fn iter_descendants<A, R>(&self, _: A) -> R where This: RelatedIterDescendants }
        "`Related` has no `iter_descendants`",
        "write `related.descendants(entity)`";
    RelatedIterAncestors { pub fn iter_ancestors<A, R>(&self, _: A) -> R where This: RelatedIterAncestors }
        "`Related` has no `iter_ancestors`",
        "write `related.ancestors(entity)`";
    RelatedIterChildren { pub fn iter_children<A, R>(&self, _: A) -> R where This: RelatedIterChildren }
        "`Related` has no `iter_children`",
        "write `related.sources(entity)`";
    RelatedGet { pub fn get<A, R>(&self, _: A) -> R where This: RelatedGet }
        "`Related` has no `get`",
        "write `related.target(entity)`, or `related.sources(entity)`";
    RelatedRootAncestor { pub fn root_ancestor<A, R>(&self, _: A) -> R where This: RelatedRootAncestor }
        "`Related` has no `root_ancestor`",
        "write `related.ancestors(entity).last()`";
}

foreign! {
    /// Methods that a `Storage` does not have.
    struct ForeignStorage;
    StorageJoin { pub fn join<R>(&self) -> R where This: StorageJoin }
        "a `Storage` has no `join`: a query has the entities with several components",
        "take `bodies: Query<(&A, &B)>`, and write `for (a, b) in &bodies`";
    StorageAddComponent { pub fn add_component<A, B, R>(&self, _: A, _: B) -> R where This: StorageAddComponent }
        "a `Storage` has no `add_component`",
        "write `storage.insert(entity, component)`";
    StorageDelete { pub fn delete<A, R>(&self, _: A) -> R where This: StorageDelete }
        "a `Storage` has no `delete`",
        "write `storage.remove(entity)`";
    StorageHas { pub fn has<A>(&self, _: A) -> bool where This: StorageHas }
        "a `Storage` has no `has`",
        "write `storage.contains(entity)`";
    StorageEntry { pub fn entry<A, R>(&self, _: A) -> R where This: StorageEntry }
        "a `Storage` has no `entry`",
        "write `if !storage.contains(entity) {{ storage.insert(entity, component)?; }}`";
    StorageEntities { pub fn entities<R>(&self) -> R where This: StorageEntities }
        "a `Storage` has no `entities`",
        "write `storage.iter().map(|(entity, _)| entity)`";
    StorageClear { pub fn clear<R>(&self) -> R where This: StorageClear }
        "a `Storage` has no `clear`",
        "write `commands.run(|game| {{ game.remove_all::<T>(); }})`";
}
