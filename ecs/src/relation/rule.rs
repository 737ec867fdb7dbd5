//! The rule of relations: whoever comes and goes, both ends know of each other.

use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::string::String;
use alloc::vec::{self, Vec};
use core::any::Any;
use core::marker::PhantomData;

use super::reverse_index::ReverseIndex;
use super::{Gone, Relation, Stored};
use crate::component::rule::ComponentRule;
use crate::component::{Component, ComponentKind};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
#[cfg(feature = "serde")]
use crate::storage::rule_state::Order;
use crate::storage::rule_state::{ChangeContext, DespawnEffects, RuleState};

/// The rule of a relation that is stored as `S`.
pub struct Relating<S>(PhantomData<fn() -> S>);

impl<S: Stored + Component> ComponentRule for Relating<S> {
    type Of = S;
    const REFUSES: bool = true;
    fn rule_state() -> Box<dyn RuleState<S>> {
        Box::new(ReverseIndex::default())
    }
}

impl<S: Stored + Component> RuleState<S> for ReverseIndex {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }
    fn copy(&self) -> Box<dyn RuleState<S>> {
        Box::new(self.clone())
    }

    fn refuse(
        &self,
        values: &Column<S>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &S,
    ) -> Option<Reason> {
        value.edges().iter().find_map(|edge| {
            let target = edge.target();
            if Some(target) == entity {
                return Some(Reason::Itself);
            }
            if !entities.contains(target) {
                return Some(Reason::NoSuchTarget(target));
            }
            let begins =
                entity.filter(|&entity| S::Relation::RELATION_ACYCLIC && !self.sources(entity).is_empty())?;
            leads_to(values, entities, target, begins).then_some(Reason::Cycle(target))
        })
    }

    fn inserted(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, old: Option<&S>) {
        if S::Relation::RELATION_SYMMETRIC {
            return self.inserted_symmetric(values, context, old);
        }
        let Some(value) = values.get(context.entity.slot()) else { return };
        if S::EXCLUSIVE {
            let (target, had) = (first_of(value), old.and_then(first_of));
            if target != had {
                if let Some(had) = had {
                    self.unlink(had, context.entity);
                }
                if let Some(target) = target {
                    self.gain(context, target);
                }
            }
            return;
        }
        let (targets, had) = (targets(value), old.map(targets).unwrap_or_default());
        for target in had.iter().filter(|had| targets.binary_search(had).is_err()) {
            self.unlink(*target, context.entity);
        }
        for target in targets.iter().filter(|target| had.binary_search(target).is_err()) {
            self.gain(context, *target);
        }
    }

    fn removed(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, old: &S) {
        let mut lost = Lost::<S>::new();
        for edge in old.edges() {
            self.lose(values, context, edge.target(), &mut lost);
        }
    }

    /// The target first, then its sources in order: the last one is the next one to die.
    fn died(&mut self, values: &mut Column<S>, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        let sources = self.take(context.entity);
        match S::Relation::RELATION_GONE {
            Gone::Keep => {}
            Gone::Cascade => effects.despawned.extend(sources.into_iter().rev()),
            Gone::Mark => effects.marked.extend(sources.into_iter().map(|source| (context.index, source))),
            Gone::Remove => {
                Bereaved { values, context, sources: sources.into_iter(), lost: Lost::new() }.run()
            }
        }
    }

    fn clear(&mut self) {
        ReverseIndex::clear(self);
    }

    #[cfg(feature = "serde")]
    fn order(&self) -> Order {
        self.orders()
    }
    #[cfg(feature = "serde")]
    fn load_values(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
    ) -> Result<(), (u32, String)> {
        super::load::load(self, values, context)
    }
    /// Who is here already has nothing to do with them.
    #[cfg(feature = "serde")]
    fn admit(&self, _: &Column<S>, _: &Entities, _: &Column<S>) -> Result<(), (u32, String)> {
        Ok(())
    }
    #[cfg(feature = "serde")]
    fn arrange(&mut self, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        ReverseIndex::order(self, entities, order)
    }
}

impl ReverseIndex {
    /// The source has an edge to a target.
    pub(super) fn gain(&mut self, context: ChangeContext<'_>, target: Entity) {
        if target != context.entity && context.entities.contains(target) {
            self.link(target, context.entity);
            // so that the death of the target is told to this column
            context.entities.note(target.slot(), context.index);
        }
    }

    /// The source has no edge to a target any more, nor one back if the relation is symmetric. What a source that has just
    /// died leaves at the other end is for the policy to say.
    fn lose<S: Stored + Component>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
        lost: &mut Lost<S>,
    ) {
        let linked = self.unlink(target, context.entity);
        if S::Relation::RELATION_SYMMETRIC && linked && context.entities.contains(context.entity) {
            self.unlink(context.entity, target);
            lost.edges.extend(cut(values, context, target, context.entity));
        }
    }

    /// The other ends are given theirs. All of them are made before anything changes, since that calls the user's `Clone`.
    fn inserted_symmetric<S: Stored + Component>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        old: Option<&S>,
    ) {
        let half = Half { web: self, values, context, old };
        let mirrored = mirrored(half.values, context);
        core::mem::forget(half);
        let mut lost = Lost::new();
        for edge in old.map(Stored::edges).unwrap_or_default() {
            let had = edge.target();
            if !mirrored.iter().any(|(target, _)| *target == had) {
                self.lose(values, context, had, &mut lost);
            }
        }
        for (target, edge) in mirrored {
            self.meet(values, context, target, edge, &mut lost);
        }
    }

    /// Source and target have edges to each other; `edge` is the one that goes back.
    fn meet<S: Stored + Component>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
        edge: S::Relation,
        lost: &mut Lost<S>,
    ) {
        let (source, back) = (context.entity, ChangeContext { entity: target, ..context });
        if target == source || !context.entities.contains(target) {
            return;
        }
        if !self.sources(target).contains(&source) {
            self.gain(context, target);
            self.gain(back, source);
        }
        let put = match values.get_mut(target.slot()) {
            Some(value) => value.put(edge),
            None => Err(edge),
        };
        let edge = match put {
            Ok(replaced) => {
                lost.edges.extend(replaced);
                return stamp(values, back, false);
            }
            Err(edge) => edge,
        };
        let (replaced, first) = values.insert(target.slot(), S::one(edge));
        stamp(values, back, replaced.is_none());
        if first {
            context.entities.note(target.slot(), context.index);
        }
        if S::Kind::LOGGED && replaced.is_none() {
            values.note_added(target.slot());
        }
        let former = replaced.as_ref().and_then(first_of).filter(|&former| former != source);
        lost.values.extend(replaced);
        if let Some(former) = former {
            self.lose(values, back, former, lost);
        }
    }

    /// Adds an edge to a source that has others, or replaces the one to the same target.
    fn relate<S: Stored + Component>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        edge: S::Relation,
    ) -> Option<S::Relation> {
        let target = edge.target();
        let mirrored = if S::Relation::RELATION_SYMMETRIC { edge.toward(context.entity) } else { None };
        let old = values.get_mut(context.entity.slot())?.put(edge).ok()?;
        stamp(values, context, false);
        let mut lost = Lost::new();
        match mirrored {
            Some(edge) => self.meet(values, context, target, edge, &mut lost),
            None if old.is_none() => self.gain(context, target),
            None => {}
        }
        // before `old` is given back: what is returned already is leaked by a drop that panics
        drop(lost);
        old
    }

    /// Takes one edge of a source away.
    fn unrelate<S: Stored + Component>(
        &mut self,
        values: &mut Column<S>,
        context: ChangeContext<'_>,
        target: Entity,
    ) -> Option<S::Relation> {
        let old = cut(values, context, context.entity, target)?;
        let mut lost = Lost::new();
        self.lose(values, context, target, &mut lost);
        // before `old` is given back, as in `relate`
        drop(lost);
        Some(old)
    }
}

impl<S: Stored + Component> Column<S> {
    /// Gives a source an edge, at a place among those of the target or at their end; the edge that it replaces.
    pub(crate) fn relate<K: ComponentKind>(
        &mut self,
        context: ChangeContext<'_>,
        edge: S::Relation,
        place: Option<usize>,
    ) -> Option<S::Relation> {
        let target = edge.target();
        let old = if S::EXCLUSIVE || !self.contains(context.entity.slot()) {
            self.insert_guarded::<K>(context, S::one(edge)).and_then(S::into_one)
        } else {
            self.with(|web: &mut ReverseIndex, values| web.relate(values, context, edge)).flatten()
        };
        if let Some(place) = place {
            self.with(|web: &mut ReverseIndex, _| web.place(target, context.entity, place));
        }
        old
    }

    /// Takes the edge from a source to a target away, and the source's value with its last edge.
    pub(crate) fn unrelate(&mut self, context: ChangeContext<'_>, target: Entity) -> Option<S::Relation> {
        self.with(|web: &mut ReverseIndex, values| web.unrelate(values, context, target)).flatten()
    }
}

/// What is dropped when all is as it shall be: a drop may panic.
struct Lost<S: Stored> {
    edges: Vec<S::Relation>,
    values: Vec<S>,
}

impl<S: Stored> Lost<S> {
    const fn new() -> Self {
        Self { edges: Vec::new(), values: Vec::new() }
    }
}

/// A value that was inserted, and whose mirror images are being made: if that panics, the source is left without it.
struct Half<'a, 's, S: Stored + Component> {
    web: &'a mut ReverseIndex,
    values: &'a mut Column<S>,
    context: ChangeContext<'s>,
    old: Option<&'a S>,
}

impl<S: Stored + Component> Drop for Half<'_, '_, S> {
    fn drop(&mut self) {
        let (_value, mut lost) = (self.values.remove(self.context.entity.slot()), Lost::new());
        for edge in self.old.map(Stored::edges).unwrap_or_default() {
            self.web.lose(self.values, self.context, edge.target(), &mut lost);
        }
    }
}

/// The sources of a target that has died lose their edges to it; if that panics, the rest is done all the same.
struct Bereaved<'a, 's, S: Stored + Component> {
    values: &'a mut Column<S>,
    context: ChangeContext<'s>,
    sources: vec::IntoIter<Entity>,
    lost: Lost<S>,
}

impl<S: Stored + Component> Bereaved<'_, '_, S> {
    fn run(&mut self) {
        let Self { values, context, sources, lost } = self;
        for source in sources.filter(|&source| context.entities.contains(source)) {
            let edge = cut(values, *context, source, context.entity);
            if const { core::mem::needs_drop::<S::Relation>() } {
                lost.edges.extend(edge);
            }
        }
    }
}

impl<S: Stored + Component> Drop for Bereaved<'_, '_, S> {
    fn drop(&mut self) {
        self.run();
    }
}

/// Takes the edge from a source to a target out of the column, and the source's value with its last edge.
fn cut<S: Stored + Component>(
    values: &mut Column<S>,
    context: ChangeContext<'_>,
    source: Entity,
    target: Entity,
) -> Option<S::Relation> {
    let edges = values.get(source.slot())?.edges();
    if edges.len() > 1 {
        let taken = values.get_mut(source.slot())?.take(target)?;
        stamp(values, ChangeContext { entity: source, ..context }, false);
        return Some(taken);
    }
    if edges.first()?.target() != target {
        return None;
    }
    values.remove_logged(source)?.into_one()
}

/// Notes that a value has come, or has changed, if anybody may ask.
fn stamp<S: Stored + Component>(values: &mut Column<S>, context: ChangeContext<'_>, added: bool) {
    if S::Kind::TRACKED {
        values.stamp(context.entity.slot(), context.tick, added);
    }
}

/// The edges of a source from the other ends.
fn mirrored<S: Stored>(values: &Column<S>, context: ChangeContext<'_>) -> Vec<(Entity, S::Relation)> {
    let edges = values.get(context.entity.slot()).map(S::edges).unwrap_or_default();
    edges.iter().filter_map(|edge| Some((edge.target(), edge.toward(context.entity)?))).collect()
}

/// The target of an exclusive relation.
pub(super) fn first_of<S: Stored>(value: &S) -> Option<Entity> {
    value.edges().first().map(Relation::target)
}

/// The targets, sorted, each once.
pub(super) fn targets<S: Stored>(value: &S) -> Vec<Entity> {
    let mut targets: Vec<Entity> = value.edges().iter().map(Relation::target).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Whether the relation leads from one entity to another one, or for ever round and round: then nobody may join. (That it
/// does is brought about only by code that exchanges parts of worlds, or by a relation that does not know its target.)
///
/// Source: Brent's algorithm, which compares each step with one that it remembers.
fn leads_to<S: Stored>(values: &Column<S>, entities: &Entities, from: Entity, to: Entity) -> bool {
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
