//! The component rule of relations. It keeps the [`ReverseIndex`] of a relation equal to its
//! values, refuses invalid targets, and applies the policy of the relation when a target is
//! despawned.

use crate::storage::kind::{RelationRules, RuleSet};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;

use super::reverse_index::ReverseIndex;
use super::{Gone, Relation, Stored};
use crate::base::mask::Bits;
use crate::component::rule::{ComponentRule, rule_state_of};
use crate::component::{ComponentKind, IsComponent};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::Order;
use crate::storage::rule_state::{ChangeContext, DespawnEffects, RuleState};

/// The component rule of a relation that is stored as `S`.
pub struct RelationRule<S>(PhantomData<fn() -> S>);

impl<S: Stored + IsComponent> ComponentRule for RelationRule<S> {
    const REFUSES: bool = true;
    const RULES: RuleSet = RuleSet {
        relation: Some(RelationRules {
            exclusive: S::EXCLUSIVE,
            symmetric: S::Relation::RELATION_SYMMETRIC,
            acyclic: S::Relation::RELATION_ACYCLIC,
            gone: S::Relation::RELATION_GONE.spelled(),
            has_target_rule: S::Relation::RELATION_TARGETS,
        }),
        ..RuleSet::NONE
    };
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        rule_state_of::<S, T>(ReverseIndex::default())
    }
}

/// Whether a source keeps its relation to a despawned entity.
pub(super) const fn targets_may_dangle<S: Stored>() -> bool {
    matches!(S::Relation::RELATION_GONE, Gone::Keep | Gone::Mark)
}

impl<S: Stored + IsComponent> RuleState<S> for ReverseIndex {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }
    fn copy(&self) -> Box<dyn RuleState<S>> {
        Box::new(self.clone())
    }
    fn shrink(&mut self) {
        ReverseIndex::shrink(self);
    }

    fn map_ids(&self, value: &mut S, map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
        value.map_targets(map)
    }

    fn retain_targets(&self, value: &mut S, keep: &dyn Fn(Entity) -> bool) -> bool {
        targets_may_dangle::<S>() || RuleState::<S>::keep_targets(self, value, keep)
    }

    fn keep_targets(&self, value: &mut S, keep: &dyn Fn(Entity) -> bool) -> bool {
        value.keep_targets(keep)
    }

    fn find_target(&self, value: &S, is_wrong: &dyn Fn(Entity) -> bool) -> Option<Entity> {
        value.edges().iter().map(Relation::target).find(|&target| is_wrong(target))
    }

    fn dependents(&self, target: Entity) -> &[Entity] {
        if targets_may_dangle::<S>() { &[] } else { self.sources(target) }
    }

    fn refuse(
        &self,
        values: &Column<S>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &S,
    ) -> Option<Reason> {
        value.edges().iter().find_map(|edge| self.refuse_edge(values, entities, entity, edge))
    }

    fn inserted(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, old: Option<&S>) {
        if S::Relation::RELATION_SYMMETRIC {
            return self.inserted_symmetric(values, context, old);
        }
        let Some(value) = values.get(context.entity.slot()) else { return };
        // one target: a common case, and no list is built for it
        if S::EXCLUSIVE {
            let (target, former) = (first_of(value), old.and_then(first_of));
            if target != former {
                if let Some(former) = former {
                    self.unlink(former, context.entity);
                }
                if let Some(target) = target {
                    self.add_edge::<S>(context, target);
                }
            }
            return;
        }
        // many targets: those that stay keep their place in the order of sources
        let (targets, former) = (targets(value), old.map(targets).unwrap_or_default());
        for target in former.iter().filter(|target| targets.binary_search(target).is_err()) {
            self.unlink(*target, context.entity);
        }
        for target in targets.iter().filter(|target| former.binary_search(target).is_err()) {
            self.add_edge::<S>(context, *target);
        }
    }

    fn removed(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, old: &S) {
        if context.entities.contains(context.entity) {
            self.record_loss(context.tick);
        }
        let mut lost = DeferredDrops::<S>::new();
        for edge in old.edges() {
            self.remove_edge(values, context, edge.target(), &mut lost);
        }
    }

    /// The list `despawned` is a stack: the sources are pushed in reverse, so that they are
    /// despawned in their order.
    fn despawned(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        effects: &mut DespawnEffects,
    ) {
        let is_alive = context.entities.contains(context.entity);
        // relations to a target that lives on, and that are kept, are still relations to it
        let sources = match is_alive && targets_may_dangle::<S>() {
            true => self.sources(context.entity).to_vec(),
            false => self.take_sources(context.entity),
        };
        if !sources.is_empty() && !matches!(S::Relation::RELATION_GONE, Gone::Cascade) {
            self.record_loss(context.tick);
        }
        match S::Relation::RELATION_GONE {
            Gone::Keep => {}
            Gone::Cascade => effects.despawned.extend(sources.into_iter().rev()),
            Gone::Mark => effects.marked.extend(sources.into_iter().map(|source| (context.index, source))),
            Gone::Remove => {
                SourceUnlinker { values, context, sources: sources.into_iter(), lost: DeferredDrops::new() }
                    .run()
            }
        }
    }

    fn regrouped(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, moved: &Regrouped) {
        // the index first: its lists must have the new ids of both targets and sources
        self.replace_ids(moved);
        // as `add_edge` does: a despawn of the target must find this column in its new block
        for (_, target) in moved.iter().filter(|(_, present)| !self.sources(*present).is_empty()) {
            context.entities.note(target.slot(), context.index);
        }
        // values are written only where they change, so that pages shared with snapshots are not
        // copied
        for word in 0..values.words() {
            for bit in Bits(values.word(word)) {
                let slot = (word * 64 + bit) as u32;
                let points_to_moved =
                    |value: &S| value.edges().iter().any(|edge| moved.get(edge.target()).is_some());
                if values.get(slot).is_some_and(points_to_moved)
                    && let Some(value) = values.get_mut(slot)
                {
                    value.map_targets(&|target| moved.get(target));
                    // the value has another id, which a delta must have
                    let source = context.entities.at(slot as usize);
                    stamp(values, ChangeContext { entity: source, ..context }, false);
                }
            }
        }
    }

    fn clear(&mut self) {
        ReverseIndex::clear(self);
    }

    fn order(&self) -> Order {
        self.orders()
    }
    fn load_values(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
    ) -> Result<(), (u32, String)> {
        super::load::load(self, values, context)
    }
    /// Loaded entities cannot be related to entities that are in the world already, so that there
    /// is nothing to check.
    fn admit(&self, _: &Column<S>, _: &Entities, _: &Column<S>) -> Result<(), (u32, String)> {
        Ok(())
    }
    fn arrange(&mut self, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        ReverseIndex::order(self, entities, order)
    }
}

impl ReverseIndex {
    /// The reason why `entity`, or a new entity if it is `None`, cannot have the edge.
    fn refuse_edge<S: Stored>(
        &self,
        values: &Column<S>,
        entities: &Entities,
        entity: Option<Entity>,
        edge: &S::Relation,
    ) -> Option<Reason> {
        let target = edge.target();
        if !S::Relation::RELATION_TO_SELF && Some(target) == entity {
            return Some(Reason::Itself);
        }
        if !entities.contains(target) {
            return Some(Reason::NoSuchTarget(target));
        }
        let source = entity.filter(|&entity| S::Relation::RELATION_ACYCLIC && self.has_sources(entity))?;
        reaches(values, entities, target, source).then_some(Reason::Cycle(target))
    }

    /// Adds the source, the entity of the context, to the list of a target, if the target is alive.
    pub(super) fn add_edge<S: Stored>(&mut self, context: ChangeContext<'_>, target: Entity) {
        let is_refused = !S::Relation::RELATION_TO_SELF && target == context.entity;
        if !is_refused && context.entities.contains(target) {
            self.link(target, context.entity, context.tick);
            // so that a despawn of the target calls the rule of this column
            context.entities.note(target.slot(), context.index);
        } else {
            self.record_loss(context.tick);
        }
    }

    /// Removes the source, the entity of the context, from the list of a target. For a symmetric
    /// relation, also removes the edge of the target back to the source, unless the source was
    /// despawned: `despawned` then applies the policy to that edge.
    fn remove_edge<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
        lost: &mut DeferredDrops<S>,
    ) {
        let linked = self.unlink(target, context.entity);
        if S::Relation::RELATION_SYMMETRIC && linked && context.entities.contains(context.entity) {
            self.unlink(context.entity, target);
            lost.edges.extend(take_edge(values, context, target, context.entity, Column::move_to_log));
        }
    }

    /// Updates the other ends of a symmetric relation. The edges that point back are made before
    /// anything changes, since making them calls the user's `Clone`, which may panic.
    fn inserted_symmetric<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        old: Option<&S>,
    ) {
        let guard = SymmetricInsertGuard { index: self, values, context, old };
        let mirrored = mirrored(guard.values, context);
        core::mem::forget(guard);
        let mut lost = DeferredDrops::new();
        let mut present: Vec<Entity> = mirrored.iter().map(|(target, _)| *target).collect();
        present.sort_unstable();
        for edge in old.map(Stored::edges).unwrap_or_default() {
            let former = edge.target();
            if present.binary_search(&former).is_err() {
                self.remove_edge(values, context, former, &mut lost);
            }
        }
        for (target, edge) in mirrored {
            self.add_symmetric_edge(values, context, target, edge, &mut lost);
        }
    }

    /// Links source and target in both directions, and gives the target the edge back to the
    /// source, `edge`.
    fn add_symmetric_edge<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
        edge: S::Relation,
        lost: &mut DeferredDrops<S>,
    ) {
        let (source, back) = (context.entity, ChangeContext { entity: target, ..context });
        if target == source || !context.entities.contains(target) {
            return;
        }
        let mut put = Err(edge);
        let mut is_linked = false;
        if let Some(value) = values.get_mut(target.slot()) {
            is_linked = S::EXCLUSIVE && first_of(value) == Some(source);
            put = put.or_else(|edge| value.put(edge));
        }
        // the target points back if and only if each is among the sources of the other
        if !is_linked && !matches!(put, Ok(Some(_))) {
            self.add_edge::<S>(context, target);
            self.add_edge::<S>(back, source);
        }
        let edge = match put {
            Ok(replaced) => {
                lost.edges.extend(replaced);
                return stamp(values, back, false);
            }
            Err(edge) => edge,
        };
        let former = values.get(target.slot()).and_then(first_of).filter(|&former| former != source);
        insert_one(values, back, edge, lost);
        if let Some(former) = former {
            self.remove_edge(values, back, former, lost);
        }
    }

    /// Adds an edge to a source that has a value already, or replaces the edge to the same target
    /// and returns the replaced one.
    fn relate<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        edge: S::Relation,
    ) -> Option<S::Relation> {
        let target = edge.target();
        let mirrored = if S::Relation::RELATION_SYMMETRIC { edge.with_target(context.entity) } else { None };
        let old = values.get_mut(context.entity.slot())?.put(edge).ok()?;
        stamp(values, context, false);
        let mut lost = DeferredDrops::new();
        match mirrored {
            Some(edge) => self.add_symmetric_edge(values, context, target, edge, &mut lost),
            None if old.is_none() => self.add_edge::<S>(context, target),
            None => {}
        }
        // before `old` is returned: a drop that panics would leak a value that is returned already
        drop(lost);
        old
    }

    /// Adds edges, each with its source, of a relation with many targets. First the values change,
    /// in the order of their slots, then the lists of sources: each value and each list gets its
    /// new entries in the order of `edges`.
    fn relate_batch<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        edges: Vec<(Entity, S::Relation)>,
    ) {
        let both = if S::Relation::RELATION_SYMMETRIC { 2 } else { 1 };
        let (mut ends, mut links) = (Vec::with_capacity(both * edges.len()), Vec::new());
        for (source, edge) in edges {
            // calls the user's `Clone`, before anything changes
            let twin = if S::Relation::RELATION_SYMMETRIC { edge.with_target(source) } else { None };
            let target = edge.target();
            ends.push((source, ends.len(), edge));
            ends.extend(twin.map(|twin| (target, ends.len(), twin)));
        }
        links.extend(ends.iter().map(|(source, _, edge)| (edge.target(), *source)));
        let (mut is_new, mut lost) = (vec![false; ends.len()], DeferredDrops::<S>::new());
        sort_by_slot(&mut ends, |(source, ..)| source.slot());
        for (source, at, edge) in ends {
            let context = ChangeContext { entity: source, ..context };
            match values.get_mut(source.slot()) {
                Some(value) => {
                    let replaced = value.put(edge).unwrap_or_else(Some);
                    stamp(values, context, false);
                    is_new[at] = replaced.is_none();
                    lost.edges.extend(replaced);
                }
                None => {
                    insert_one(values, context, edge, &mut lost);
                    is_new[at] = true;
                }
            }
        }
        let mut is_new = is_new.into_iter();
        links.retain(|_| is_new.next() == Some(true));
        sort_by_slot(&mut links, |(target, _)| target.slot());
        for (target, source) in links {
            self.add_edge::<S>(ChangeContext { entity: source, ..context }, target);
        }
    }

    /// Removes and returns the edge of a source to a target.
    fn unrelate<S: Stored + IsComponent>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
    ) -> Option<S::Relation> {
        let old = take_edge(values, context, context.entity, target, Column::remove_logged)?;
        self.record_loss(context.tick);
        let mut lost = DeferredDrops::new();
        self.remove_edge(values, context, target, &mut lost);
        // before `old` is returned, as in `relate`
        drop(lost);
        Some(old)
    }
}

impl<S: Stored + IsComponent> Column<S> {
    /// The reason why a source cannot have the edge.
    pub(crate) fn refuse_edge<K: ComponentKind>(
        &mut self,
        entities: &Entities,
        source: Entity,
        edge: &S::Relation,
    ) -> Option<Reason> {
        self.ensure_rule_state::<K>();
        self.rule_state::<ReverseIndex>()?.refuse_edge(self, entities, Some(source), edge)
    }

    /// Adds an edge to a source, and returns the edge that it replaces. With a position, the source
    /// is moved to that position among the sources of the target.
    pub(crate) fn relate<K: ComponentKind>(
        &mut self,
        context: ChangeContext<'_>,
        edge: S::Relation,
        position: Option<usize>,
    ) -> Option<S::Relation> {
        let target = edge.target();
        let old = if S::EXCLUSIVE || !self.contains(context.entity.slot()) {
            self.insert_guarded::<K>(context, S::one(edge)).and_then(S::into_one)
        } else {
            self.with(|index: &mut ReverseIndex, values| index.relate(values, context, edge)).flatten()
        };
        self.drop_expelled();
        if let Some(position) = position {
            self.with(|index: &mut ReverseIndex, _| index.move_source(target, context.entity, position));
        }
        old
    }

    /// Adds edges of a relation with many targets, each with its source.
    pub(crate) fn relate_batch(&mut self, context: ChangeContext<'_>, edges: Vec<(Entity, S::Relation)>) {
        self.with(|index: &mut ReverseIndex, values| index.relate_batch(values, context, edges));
        self.drop_expelled();
    }

    /// Removes and returns the edge from a source to a target. A source without edges loses its
    /// value.
    pub(crate) fn unrelate(&mut self, context: ChangeContext<'_>, target: Entity) -> Option<S::Relation> {
        let old =
            self.with(|index: &mut ReverseIndex, values| index.unrelate(values, context, target)).flatten();
        self.drop_expelled();
        old
    }
}

/// Edges and values that are dropped after all changes were made, since the user's `Drop` may
/// panic.
struct DeferredDrops<S: Stored> {
    edges: Vec<S::Relation>,
    values: Vec<S>,
}

impl<S: Stored> DeferredDrops<S> {
    const fn new() -> Self {
        Self { edges: Vec::new(), values: Vec::new() }
    }
}

/// Guard while the edges back to an inserted value are cloned: if `Clone` panics, the value is
/// removed again.
struct SymmetricInsertGuard<'a, 's, S: Stored + IsComponent> {
    index: &'a mut ReverseIndex,
    values: &'a mut Column<S>,
    context: ChangeContext<'s>,
    old: Option<&'a S>,
}

impl<S: Stored + IsComponent> Drop for SymmetricInsertGuard<'_, '_, S> {
    fn drop(&mut self) {
        let (value, mut lost) = (self.values.remove(self.context.entity.slot()), DeferredDrops::new());
        if value.is_some() {
            self.context.record(RecordedAction::Removed(self.context.index));
        }
        for edge in self.old.map(Stored::edges).unwrap_or_default() {
            self.index.remove_edge(self.values, self.context, edge.target(), &mut lost);
        }
    }
}

/// Removes the edges of all sources to a despawned target. If a drop panics, the remaining sources
/// are still updated.
struct SourceUnlinker<'a, 's, S: Stored + IsComponent> {
    values: &'a mut Column<S>,
    context: ChangeContext<'s>,
    sources: vec::IntoIter<Entity>,
    lost: DeferredDrops<S>,
}

impl<S: Stored + IsComponent> SourceUnlinker<'_, '_, S> {
    fn run(&mut self) {
        let Self { values, context, sources, lost } = self;
        for source in sources.filter(|&source| context.entities.contains(source)) {
            let edge = take_edge(values, *context, source, context.entity, Column::move_to_log);
            if const { core::mem::needs_drop::<S::Relation>() } {
                lost.edges.extend(edge);
            }
        }
    }
}

impl<S: Stored + IsComponent> Drop for SourceUnlinker<'_, '_, S> {
    fn drop(&mut self) {
        self.run();
    }
}

/// Removes the edge from a source to a target from the column. A source without other edges loses
/// its value, by `remove`, which also logs it. Returns the edge if there was one, unless its value
/// was moved to the log.
fn take_edge<S: Stored + IsComponent>(
    values: &mut Column<S>,
    context: ChangeContext<'_>,
    source: Entity,
    target: Entity,
    remove: fn(&mut Column<S>, Entity) -> Option<S>,
) -> Option<S::Relation> {
    let value = values.get(source.slot())?;
    // the edges are not read if there are several, since a read after each removal would move all
    // of them
    if value.count() > 1 {
        let taken = values.get_mut(source.slot())?.take(target)?;
        stamp(values, ChangeContext { entity: source, ..context }, false);
        return Some(taken);
    }
    if first_of(value)? != target {
        return None;
    }
    let value = remove(values, source);
    ChangeContext { entity: source, ..context }.record(RecordedAction::Removed(context.index));
    value?.into_one()
}

/// Sorts items by their slots. Items of the same slot keep their order.
///
/// By counting, if there are enough items for all slots up to the greatest one: items go straight to
/// their places, so that none waits for the memory of another one.
fn sort_by_slot<T>(items: &mut Vec<T>, slot: impl Fn(&T) -> u32) {
    let end = items.iter().map(|item| slot(item) as usize + 1).max().unwrap_or(0);
    if end / 8 > items.len() {
        return items.sort_by_key(slot);
    }
    // the place of the first item of each slot, and then of the next one
    let mut places = vec![0_usize; end + 1];
    items.iter().for_each(|item| places[slot(item) as usize + 1] += 1);
    (0..end).for_each(|slot| places[slot + 1] += places[slot]);
    let mut sorted: Vec<Option<T>> = items.iter().map(|_| None).collect();
    for item in items.drain(..) {
        let place = &mut places[slot(&item) as usize];
        sorted[*place] = Some(item);
        *place += 1;
    }
    items.extend(sorted.into_iter().flatten());
}

/// Gives the entity of the context a value with one edge. A value that it replaces is dropped with
/// `lost`.
fn insert_one<S: Stored + IsComponent>(
    values: &mut Column<S>,
    context: ChangeContext<'_>,
    edge: S::Relation,
    lost: &mut DeferredDrops<S>,
) {
    let (replaced, first) = values.insert(context.entity.slot(), S::one(edge));
    stamp(values, context, replaced.is_none());
    if first {
        context.entities.note(context.entity.slot(), context.index);
    }
    if replaced.is_none() {
        context.record(RecordedAction::Inserted(context.index));
        if S::Kind::LOGGED {
            values.note_added(context.entity.slot());
        }
    }
    lost.values.extend(replaced);
}

/// Records that a value was added or changed, if the component is tracked.
fn stamp<S: Stored + IsComponent>(values: &mut Column<S>, context: ChangeContext<'_>, added: bool) {
    if S::Kind::TRACKED {
        values.stamp(context.entity.slot(), context.tick, added);
    }
}

/// The edges that the targets of a symmetric relation get: each target with its edge back to the
/// source.
fn mirrored<S: Stored>(values: &Column<S>, context: ChangeContext<'_>) -> Vec<(Entity, S::Relation)> {
    let edges = values.get(context.entity.slot()).map(S::edges).unwrap_or_default();
    edges.iter().filter_map(|edge| Some((edge.target(), edge.with_target(context.entity)?))).collect()
}

/// The target of an exclusive relation; the first target of another one.
pub(super) fn first_of<S: Stored>(value: &S) -> Option<Entity> {
    value.edges().first().map(Relation::target)
}

/// The targets, sorted and without duplicates.
pub(super) fn targets<S: Stored>(value: &S) -> Vec<Entity> {
    let mut targets: Vec<Entity> = value.edges().iter().map(Relation::target).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Whether following the relation from one entity reaches another one, or enters a cycle: then an
/// edge must not be added. (A cycle that exists already is caused only by code that swaps parts of
/// worlds, or by a `Relation` that returns different targets for one value.)
///
/// Source: Brent's cycle detection, which compares each entity with one that it has remembered.
fn reaches<S: Stored>(values: &Column<S>, entities: &Entities, from: Entity, to: Entity) -> bool {
    let (mut at, mut remembered) = (from, from);
    let (mut steps, mut limit) = (0_usize, 1);
    while at != to {
        let next = values.get(at.slot()).and_then(first_of);
        let Some(next) = next.filter(|&next| entities.contains(next)) else { return false };
        (at, steps) = (next, steps + 1);
        if at == remembered {
            return true;
        }
        if steps == limit {
            (remembered, steps, limit) = (at, 0, limit * 2);
        }
    }
    true
}
