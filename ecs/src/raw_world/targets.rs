//! The components that every target of a relation has: `#[relation(target(Health))]`.
//!
//! The rule of a relation has access to its own column only. Therefore the world looks the
//! components up before it adds an edge, and applies the policy of the relation after a target has
//! lost one: the verbs that remove components do so while a guard is there, [`losing`], which
//! compares what the entity had before with what it has afterwards, also after a panic.

use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::base::component_set::ComponentSet;
use crate::component::Has;
use crate::entity::Entity;
use crate::error::Reason;
use crate::raw_world::discard::Unmarked;
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

/// The guard of verbs that remove components of these entities: its drop applies the policies of
/// relations to the sources of each that has lost some, also if the code of a component panics.
#[inline(always)]
pub(crate) fn losing<W: RawWorld, const N: usize>(
    world: &mut W,
    entities: [Entity; N],
) -> Losing<'_, W, [(Entity, ComponentSet); N]> {
    let held = entities.map(|entity| (entity, held(world, entity)));
    Losing { world, held, unmarked: None }
}

/// As [`losing`], for any number of entities, without the marks of some sources.
pub(crate) fn losing_each<'w, W: RawWorld>(
    world: &'w mut W,
    entities: impl Iterator<Item = Entity>,
    unmarked: Option<Unmarked<'w>>,
) -> Losing<'w, W, Vec<(Entity, ComponentSet)>> {
    let held = match TargetRules::<W>::NONE {
        true => Vec::new(),
        false => entities.map(|entity| (entity, held(world, entity))).collect(),
    };
    Losing { world, held, unmarked }
}

/// See [`losing`].
pub(crate) struct Losing<'w, W: RawWorld, H: AsRef<[(Entity, ComponentSet)]>> {
    pub(crate) world: &'w mut W,
    /// The components of targets that the entities had.
    held: H,
    unmarked: Option<Unmarked<'w>>,
}

impl<W: RawWorld, H: AsRef<[(Entity, ComponentSet)]>> Drop for Losing<'_, W, H> {
    #[inline(always)]
    fn drop(&mut self) {
        if !TargetRules::<W>::NONE && self.held.as_ref().iter().any(|(_, held)| !held.is_empty()) {
            lost_by(self.world, self.held.as_ref(), self.unmarked);
        }
    }
}

/// Applies the policies for each of these entities. If a drop panics, the rest is still done.
#[inline(never)]
pub(crate) fn lost_by<W: RawWorld>(
    world: &mut W,
    held: &[(Entity, ComponentSet)],
    unmarked: Option<Unmarked<'_>>,
) {
    let mut rest = held.iter();
    let mut next = || rest.next().map(|&(entity, held)| lost(world, entity, held, unmarked)).is_some();
    discard::despite_panics(&mut next);
}

/// Applies the policies of relations to the sources of an entity that had the components `held`, if
/// it is alive and lacks some of them now.
fn lost<W: RawWorld>(world: &mut W, entity: Entity, held: ComponentSet, unmarked: Option<Unmarked<'_>>) {
    let lost = held.minus(present(world, entity, held));
    if !lost.is_empty() && world.__living().contains(entity) {
        discard::lose_target(world, entity, lost, unmarked);
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
