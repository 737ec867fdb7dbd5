//! The components that every target of a relation has: `#[relation(target(Health))]`.
//!
//! The rule of a relation has access to its own column only. Therefore the world looks the
//! components up before it adds an edge, and applies the policy of the relation after a target has
//! lost one: the verbs that remove components ask for those that an entity has before the removal,
//! by [`held`], and call [`lost`] after it.

use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::component::Has;
use crate::entity::Entity;
use crate::error::Reason;
use crate::raw_world::fields::table;
use crate::raw_world::{RawWorld, WorldFields, discard};
use crate::storage::column_offset::columns_where;
use crate::storage::kind::RelationRules;

/// The relations of a world that name components of their targets, and these components.
pub(crate) struct TargetRules<W>(PhantomData<fn() -> W>);

impl<W: RawWorld> TargetRules<W> {
    /// The relations.
    pub(crate) const RELATIONS: ComponentSet = columns_where!(W, |offset| offset.targets.is_some());
    /// Whether there are none.
    pub(crate) const NONE: bool = Self::RELATIONS.is_empty();
    /// The components.
    pub(crate) const COMPONENTS: ComponentSet = {
        let (mut set, mut rest) = (ComponentSet::EMPTY, Self::RELATIONS);
        while let Some(i) = rest.first() {
            if let Some(rule) = &W::OFFSETS[i].targets {
                set = set.or(*rule.components);
            }
            rest = rest.minus(ComponentSet::EMPTY.with(i));
        }
        set
    };
    /// Both: what a system parameter with one column cannot add or remove.
    pub(crate) const ALL: ComponentSet = Self::RELATIONS.or(Self::COMPONENTS);
}

/// The components of targets that an entity has.
#[inline(always)]
pub(crate) fn held<W: RawWorld>(world: &W, entity: Entity) -> ComponentSet {
    if TargetRules::<W>::NONE {
        return ComponentSet::EMPTY;
    }
    present(world, entity, TargetRules::<W>::COMPONENTS)
}

/// Applies the policies of relations to the sources of an entity that had the components `held`, if
/// it is alive and lacks some of them now.
#[inline(always)]
pub(crate) fn lost<W: RawWorld>(world: &mut W, entity: Entity, held: ComponentSet) {
    if !TargetRules::<W>::NONE && !held.is_empty() {
        apply(world, entity, held);
    }
}

#[inline(never)]
fn apply<W: RawWorld>(world: &mut W, entity: Entity, held: ComponentSet) {
    let lost = held.minus(present(world, entity, held));
    if !lost.is_empty() && world.__living().contains(entity) {
        discard::lose_target(world, entity, lost);
    }
}

/// Those of some components that an entity has.
fn present<W: RawWorld>(world: &W, entity: Entity, of: ComponentSet) -> ComponentSet {
    let has = |index: &usize| table(world, *index).is_some_and(|table| table.contains(entity.slot()));
    of.indices().filter(has).fold(ComponentSet::EMPTY, ComponentSet::with)
}

/// The components that the targets of a relation with this index have in a file, or in a delta. A
/// relation that stays when its target is gone may also have other targets there.
pub(crate) fn of_saved<W: RawWorld>(relation: usize) -> ComponentSet {
    let offset = &W::OFFSETS[relation];
    match (offset.targets, offset.rules.relation) {
        (Some(rule), Some(RelationRules { gone: "remove" | "cascade", .. })) => *rule.components,
        _ => ComponentSet::EMPTY,
    }
}

/// The reason why an entity cannot be a target of a relation, which has this index.
pub(crate) fn lacking<W: RawWorld>(world: &W, relation: usize, target: Entity) -> Option<Reason> {
    let components = *W::OFFSETS[relation].targets?.components;
    let lacking = components.minus(present(world, target, components)).first()?;
    Some(Reason::TargetLacks(target, W::COMPONENT_NAMES[lacking]))
}

/// The reason why a value of a relation is refused: one of its targets lacks a component.
pub(crate) fn refuse<W: Has<T>, T: 'static>(world: &W, value: &T) -> Option<Reason> {
    let lacking = |target| lacking(world, <W as Has<T>>::INDEX, target);
    lacking(world.column::<T>().find_target(value, &|target| lacking(target).is_some())?)
}
