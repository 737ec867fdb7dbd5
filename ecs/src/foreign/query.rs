//! Methods that queries, events and relations have in other libraries.

foreign! {
    /// Methods that queries do not have.
    struct ForeignQuery, "a query";
    QueryIterCombinationsMut { pub fn iter_combinations_mut<const N: usize>(&self) -> super::NoItems<[Item; N]> where This: QueryIterCombinationsMut }
        "write `query.pairs_mut(|a, b| ..)`";
    QueryParIter { pub fn par_iter<R>(&self) -> R where This: QueryParIter }
    QueryParIterMut { pub fn par_iter_mut<R>(&self) -> R where This: QueryParIterMut }
    QueryIterBatched { pub fn iter_batched<A, R>(&self, _: A) -> R where This: QueryIterBatched }
    QueryParForEachMut { pub fn par_for_each_mut<A, R>(&self, _: A) -> R where This: QueryParForEachMut }
    QueryParForEachChunk { pub fn par_for_each_chunk<A, R>(&self, _: A) -> R where This: QueryParForEachChunk }
        "write `query.par_for_each(|item| ..)`";
    QueryGetSingle { pub fn get_single<R>(&self) -> R where This: QueryGetSingle }
        "write `query.single()`, which returns a `Result`";
    QueryGetSingleMut { pub fn get_single_mut<R>(&self) -> R where This: QueryGetSingleMut }
        "write `query.single_mut()`, which returns a `Result`";
    QueryGetComponent { pub fn get_component<T: 'static>(&self, _: crate::entity::Entity) -> Option<&'static T> where This: QueryGetComponent }
        "write `query.get(entity)`, which returns the data of the query for the entity",
        "a system reads one component of any entity with a query of its own: `positions: Query<&Position>`, `positions.get(entity)`";
    QueryGetComponentMut { pub fn get_component_mut<T: 'static>(&self, _: crate::entity::Entity) -> Option<&'static mut T> where This: QueryGetComponentMut }
        "write `query.get_mut(entity)`, which returns the data of the query for the entity",
        "a system writes one component of any entity with a query of its own: `positions: Query<&mut Position>`, `positions.get_mut(entity)`";
    QueryForEachMut { pub fn for_each_mut<A, R>(&self, _: A) -> R where This: QueryForEachMut }
    QueryEach { pub fn each<A, R>(&self, _: A) -> R where This: QueryEach }
    QueryEachMut { pub fn each_mut<A, R>(&self, _: A) -> R where This: QueryEachMut }
        "write `query.for_each(|item| ..)`";
    QueryWith { pub fn with<Q>(&self) -> super::NoItems<Item> where This: QueryWith }
        "outside of systems, write `.filter::<With<T>>()`; in a system, `Query<D, With<T>>`",
        "`With` takes the component without `&`";
    QueryWithout { pub fn without<Q>(&self) -> super::NoItems<Item> where This: QueryWithout }
        "outside of systems, write `.filter::<Without<T>>()`; in a system, `Query<D, Without<T>>`",
        "`Without` takes the component without `&`";
    QueryIterManyMut { pub fn iter_many_mut<A, R>(&self, _: A) -> R where This: QueryIterManyMut }
        "write `for entity in entities {{ if let Some(item) = query.get_mut(entity) {{ .. }} }}`";
    QueryMany { pub fn many<A, R>(&self, _: A) -> R where This: QueryMany }
        "write `query.get_many([a, b])`, which returns a `Result`";
    QueryManyMut { pub fn many_mut<A, R>(&self, _: A) -> R where This: QueryManyMut }
        "write `query.get_many_mut([a, b])`, which returns a `Result`";
    QueryIterInner { pub fn iter_inner<R>(&self) -> R where This: QueryIterInner }
        "write `query.iter()`";
    QueryGetInner { pub fn get_inner<A, R>(&self, _: A) -> R where This: QueryGetInner }
        "write `query.get(entity)`";
    QuerySingleInner { pub fn single_inner<R>(&self) -> R where This: QuerySingleInner }
        "write `query.single()`";
    QueryTransmuteLens { pub fn transmute_lens<D>(&self) -> &super::Chained<Self> where This: QueryTransmuteLens }
        "pass the query with `query.reborrow()`, or take a second query";
    QueryAsReadonly { pub fn as_readonly<R>(&self) -> R where This: QueryAsReadonly }
        "write `query.as_read_only()`";
    QueryIterChunks { pub fn iter_chunks<R>(&self) -> R where This: QueryIterChunks }
    QueryContiguousIter { pub fn contiguous_iter<R>(&self) -> R where This: QueryContiguousIter }
        "write `query.chunks()`";
    QueryContiguousIterMut { pub fn contiguous_iter_mut<R>(&self) -> R where This: QueryContiguousIterMut }
        "write `query.chunks_mut()`";
    QueryIterChildren { pub fn iter_children<A, R>(&self, _: A) -> R where This: QueryIterChildren }
        "take `family: Related<ChildOf>`, and write `family.sources(entity)`";
    QueryIterDescendants { pub fn iter_descendants<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: QueryIterDescendants }
        "take `family: Related<ChildOf>`, and write `family.descendants(entity)`";
    QueryIterAncestors { pub fn iter_ancestors<T>(&self, _: impl Sized) -> super::NoItems<crate::entity::Entity> where This: QueryIterAncestors }
        "take `family: Related<ChildOf>`, and write `family.ancestors(entity)`";
    QueryRootAncestor { pub fn root_ancestor<T>(&self, _: impl Sized) -> crate::entity::Entity where This: QueryRootAncestor }
        "take `family: Related<ChildOf>`, and write `family.ancestors(entity).last()`";
    QueryParent { pub fn parent<A, R>(&self, _: A) -> R where This: QueryParent }
        "take `family: Related<ChildOf>`, and write `family.target(entity)`";
    QueryIsAdded { pub fn is_added<T>(&self, _: impl Sized) -> bool where This: QueryIsAdded }
        "ask for `Ref<T>` of a tracked component, and write `value.is_added()`";
    QueryIsChanged { pub fn is_changed<T>(&self, _: impl Sized) -> bool where This: QueryIsChanged }
        "ask for `Ref<T>` of a tracked component, and write `value.is_changed()`";
    QueryJoin { pub fn join<R>(&self) -> R where This: QueryJoin }
        "write one query of all components, `Query<(&mut A, &B)>`";
    QueryEachEntity { pub fn each_entity<A, R>(&self, _: A) -> R where This: QueryEachEntity }
        "write `Query<(Entity, &A)>`, and `query.for_each(|(entity, a)| ..)`";
    QueryNext { pub fn next(&self) -> Option<Item> where This: QueryNext }
        "write `for item in &mut query {{ .. }}`, or `query.iter().next()`";
    QueryCount { pub fn count(&self) -> usize where This: QueryCount }
        "write `query.len()`";
    QueryMap { pub fn map<A, R>(&self, _: A) -> R where This: QueryMap }
        "write `query.iter().map(|item| ..)`";
    QueryFilter { pub fn filter<A>(&self, _: A) -> super::NoItems<Item> where This: QueryFilter }
        "write `query.iter().filter(|item| ..)`, or `Query<D, With<T>>`";
    QueryCollect { pub fn collect<R>(&self) -> R where This: QueryCollect }
        "write `query.iter().collect::<Vec<_>>()`";
    QueryFirst { pub fn first(&self) -> Option<Item> where This: QueryFirst }
        "write `query.iter().next()`";
    QuerySort { pub fn sort<L>(&self) -> super::NoItems<Item> where This: QuerySort }
    QuerySortByKey { pub fn sort_by_key<A, R>(&self, _: A) -> R where This: QuerySortByKey }
        "write `query.sorted_by_key(|item| ..)`";
    QuerySortBy { pub fn sort_by<A, R>(&self, _: A) -> R where This: QuerySortBy }
        "write `query.sorted_by(|a, b| ..)`";
    QueryInsert { pub fn insert<A, B, R>(&self, _: A, _: B) -> R where This: QueryInsert }
        "take `mut commands: Commands<Game>`, and write `commands.insert(entity, component)`";
    QueryRemove { pub fn remove<T>(&self, _: impl Sized) -> &super::Chained<Self> where This: QueryRemove }
        "take `mut commands: Commands<Game>`, and write `commands.remove::<T>(entity)`";
    QueryDespawn { pub fn despawn<A, R>(&self, _: A) -> R where This: QueryDespawn }
        "take `mut commands: Commands<Game>`, and write `commands.despawn(entity)`";
    QuerySpawn { pub fn spawn<A, R>(&self, _: A) -> R where This: QuerySpawn }
        "take `mut commands: Commands<Game>`, and write `commands.spawn((A, B))`";
    QueryHas { pub fn has<T>(&self, _: impl Sized) -> bool where This: QueryHas }
        "ask for `Is<T>`, or write `query.contains(entity)`";
    QueryClear { pub fn clear<R>(&self) -> R where This: QueryClear }
        "take `mut commands: Commands<Game>`, and write `commands.despawn(entity)` for each";
    QueryResource { pub fn resource<T>(&self) -> &super::Chained<Self> where This: QueryResource }
        "take the resource as a parameter, `value: Res<T>`";
}

foreign! {
    /// Methods that the iterators of queries do not have.
    struct ForeignIter, "the iterator of a query";
    IterSort { pub fn sort<L>(&self) -> super::NoItems<Item> where This: IterSort }
    IterSortUnstable { pub fn sort_unstable<L>(&self) -> super::NoItems<Item> where This: IterSortUnstable }
    IterSortByKey { pub fn sort_by_key<L, K>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortByKey }
    IterSortByCachedKey { pub fn sort_by_cached_key<L, K>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortByCachedKey }
    IterSorted { pub fn sorted(&self) -> super::NoItems<Item> where This: IterSorted }
        "write `query.sorted_by_key(|item| ..)`, of the query itself";
    IterSortBy { pub fn sort_by<L>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortBy }
    IterSortUnstableBy { pub fn sort_unstable_by<L>(&self, _: impl Sized) -> super::NoItems<Item> where This: IterSortUnstableBy }
        "write `query.sorted_by(|a, b| ..)`, of the query itself";
    IterIsEmpty { pub fn is_empty(&self) -> bool where This: IterIsEmpty }
        "write `query.is_empty()`, of the query itself";
    IterGet { pub fn get<A, R>(&self, _: A) -> R where This: IterGet }
        "write `query.get(entity)`, of the query itself";
    IterWith { pub fn with<T>(&self) -> super::NoItems<Item> where This: IterWith }
        "write `Query<D, With<T>>`";
    IterWithout { pub fn without<T>(&self) -> super::NoItems<Item> where This: IterWithout }
        "write `Query<D, Without<T>>`";
    IterWithId { pub fn with_id(&self) -> super::NoItems<(crate::entity::Entity, Item)> where This: IterWithId }
        "write `Query<(Entity, &A)>`";
    IterParForEach { pub fn par_for_each<A, R>(&self, _: A) -> R where This: IterParForEach }
        "write `query.par_for_each(|item| ..)`, of the query itself";
}

foreign! {
    /// Methods that an `EventReader` does not have.
    struct ForeignReader, "an `EventReader`";
    ReaderRead { pub fn read<R>(&self) -> R where This: ReaderRead }
    ReaderParRead { pub fn par_read<R>(&self) -> R where This: ReaderParRead }
    ReaderReadWithId { pub fn read_with_id<R>(&self) -> R where This: ReaderReadWithId }
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderReadMut { pub fn read_mut<R>(&self) -> R where This: ReaderReadMut }
        = "an `EventReader` lends events as shared references",
        "write `for event in &mut reader`, or `reader.iter()`";
    ReaderDrain { pub fn drain<R>(&self) -> R where This: ReaderDrain }
        : "other readers read the same events",
        "write `for event in &mut reader`, which marks them as read";
    ReaderIterMut { pub fn iter_mut(&self) -> super::NoItems<()> where This: ReaderIterMut }
        : "other readers read the same events",
        "write `for event in &mut reader`, which gives shared references";
    ReaderPop { pub fn pop<R>(&self) -> R where This: ReaderPop }
    ReaderNext { pub fn next<R>(&self) -> R where This: ReaderNext }
    ReaderPeek { pub fn peek<R>(&self) -> R where This: ReaderPeek }
        "write `reader.iter().next()`";
    ReaderSend { pub fn send<A, R>(&self, _: A) -> R where This: ReaderSend }
        "take `mut writer: EventWriter<E>`, and write `writer.send(event)`";
    ReaderEvent { pub fn event<R>(&self) -> R where This: ReaderEvent }
        : "a reader has several events",
        "write `for event in &mut reader`";
}

foreign! {
    /// Methods that an `EventWriter` does not have.
    struct ForeignWriter, "an `EventWriter`";
    WriterIter { pub fn iter<R>(&self) -> R where This: WriterIter }
    WriterRead { pub fn read<R>(&self) -> R where This: WriterRead }
        "take `mut reader: EventReader<E>`, and write `for event in &mut reader`";
    WriterWrite { pub fn write<A, R>(&self, _: A) -> R where This: WriterWrite }
    WriterPush { pub fn push<A, R>(&self, _: A) -> R where This: WriterPush }
    WriterTrigger { pub fn trigger<A, R>(&self, _: A) -> R where This: WriterTrigger }
    WriterEmit { pub fn emit<A, R>(&self, _: A) -> R where This: WriterEmit }
    WriterSingleWrite { pub fn single_write<A, R>(&self, _: A) -> R where This: WriterSingleWrite }
        "write `writer.send(event)`";
    WriterWriteBatch { pub fn write_batch<A, R>(&self, _: A) -> R where This: WriterWriteBatch }
    WriterSendBatch { pub fn send_batch<A, R>(&self, _: A) -> R where This: WriterSendBatch }
        "write `writer.extend(events)`";
    WriterSendDefault { pub fn send_default<R>(&self) -> R where This: WriterSendDefault }
    WriterWriteDefault { pub fn write_default<R>(&self) -> R where This: WriterWriteDefault }
        "write `writer.send(E::default())`";
}

foreign! {
    /// Methods that `Related` does not have.
    struct ForeignRelated, "`Related`";
    RelatedChildren { pub fn children<A, R>(&self, _: A) -> R where This: RelatedChildren }
    RelatedIterChildren { pub fn iter_children<A, R>(&self, _: A) -> R where This: RelatedIterChildren }
        "write `related.sources(entity)`";
    RelatedParent { pub fn parent<A, R>(&self, _: A) -> R where This: RelatedParent }
        "write `related.target(entity)`";
    RelatedIterDescendants { pub fn iter_descendants<A, R>(&self, _: A) -> R where This: RelatedIterDescendants }
        "write `related.descendants(entity)`";
    RelatedIterAncestors { pub fn iter_ancestors<A, R>(&self, _: A) -> R where This: RelatedIterAncestors }
        "write `related.ancestors(entity)`";
    RelatedGet { pub fn get<A, R>(&self, _: A) -> R where This: RelatedGet }
        "write `related.target(entity)`, or `related.sources(entity)`";
    RelatedRootAncestor { pub fn root_ancestor<A, R>(&self, _: A) -> R where This: RelatedRootAncestor }
        "write `related.ancestors(entity).last()`";
}

foreign! {
    /// Methods that a `Storage` does not have.
    struct ForeignStorage, "a `Storage`";
    StorageJoin { pub fn join<R>(&self) -> R where This: StorageJoin }
        : "a query has the entities with several components",
        "take `bodies: Query<(&A, &B)>`, and write `for (a, b) in &bodies`";
    StorageAddComponent { pub fn add_component<A, B, R>(&self, _: A, _: B) -> R where This: StorageAddComponent }
        "write `storage.insert(entity, component)`";
    StorageDelete { pub fn delete<A, R>(&self, _: A) -> R where This: StorageDelete }
        "write `storage.remove(entity)`";
    StorageHas { pub fn has<A>(&self, _: A) -> bool where This: StorageHas }
        "write `storage.contains(entity)`";
    StorageEntry { pub fn entry<A, R>(&self, _: A) -> R where This: StorageEntry }
        "write `if !storage.contains(entity) {{ storage.insert(entity, component)?; }}`";
    StorageEntities { pub fn entities<R>(&self) -> R where This: StorageEntities }
        "write `storage.iter().map(|(entity, _)| entity)`";
    StorageClear { pub fn clear<R>(&self) -> R where This: StorageClear }
        "write `commands.run(|game| {{ game.remove_all::<T>(); }})`";
}
