//! Required components: an insertion of a component also adds the components that it requires.

use core::marker::PhantomData;

use super::kind::Kind;
use super::naming::RelationComponents;
use super::packed::StoragePart;
use super::{ComponentKind, Has};
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::exclusion::Exclusion;
use crate::base::message::message;
use crate::entity::Entity;
use crate::raw_world::{RawWorld, WorldFields};

/// The components that a component requires, as `#[component(requires(..))]` lists them.
/// `derive(Component)` implements it, and `world!` has it as the bound of every component.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component",
    note = "add `#[derive(Component)]` to `{Self}`; a type of another crate needs a one-field newtype; a resource is listed in `resources {{ .. }}`, an event in `events {{ .. }}`"
)]
pub trait ComponentOf<W: RawWorld> {
    /// The kind of component.
    type Kind: WorldKind<W>;
    /// The listed components, without those that the listed components require in turn.
    const DIRECT: ComponentSet = ComponentSet::EMPTY;
    /// The components that this component excludes.
    const EXCLUSION: Exclusion = Exclusion::NONE;
    /// The queries that pass over the entities with this component.
    const DISABLES: Disables = Disables::Nothing;
    /// Inserts the listed components, and those that they require in turn.
    fn fill(_at: &mut RequiredInserter<'_, W>) {}
}

/// A component kind whose properties that depend on the world are known.
pub trait WorldKind<W: RawWorld>: ComponentKind {
    /// These properties.
    type Part: WorldPart<W>;
}

/// The properties of the component `T` that depend on the world `W`.
pub(crate) type PartOf<W, T> = <<W as Has<T>>::Kind as WorldKind<W>>::Part;

/// The properties of a component kind that depend on the world: required components, exclusions,
/// marks of relations. `()` has none.
pub trait WorldPart<W: RawWorld>: 'static {
    /// The components that the component excludes.
    const EXCLUSION: Exclusion = Exclusion::NONE;
    /// The queries that pass over the entities with the component.
    const DISABLES: Disables = Disables::Nothing;
    /// The components that the options of a relation name.
    const NAMED: Option<&'static RelationComponents> = None;
    /// Inserts the required components.
    fn fill(_at: &mut RequiredInserter<'_, W>) {}
    /// Adds the mark of a relation to an entity that lacks it.
    fn mark(_at: &mut RequiredInserter<'_, W>) {}
}

impl<F, const TRACKED: bool, G, L, P, const EXCLUDES: bool, W: RawWorld> WorldKind<W>
    for Kind<F, TRACKED, G, L, P, EXCLUDES>
where
    Self: ComponentKind,
    P: StoragePart<Part: WorldPart<W>>,
{
    type Part = P::Part;
}

impl<W: RawWorld> WorldPart<W> for () {}

/// The `WorldPart` of a component `T` that requires, excludes or disables others.
pub struct Demands<T>(PhantomData<fn() -> T>);

impl<W: RawWorld, T: ComponentOf<W> + 'static> WorldPart<W> for Demands<T> {
    const EXCLUSION: Exclusion = T::EXCLUSION;
    const DISABLES: Disables = T::DISABLES;
    #[inline]
    fn fill(at: &mut RequiredInserter<'_, W>) {
        T::fill(at);
    }
}

/// Inserts required components into one entity.
pub struct RequiredInserter<'w, W: RawWorld> {
    world: &'w mut W,
    entity: Entity,
    /// The components that are done or to be skipped. Several components may require the same one.
    filled: ComponentSet,
}

impl<'w, W: RawWorld> RequiredInserter<'w, W> {
    /// An inserter for all required components.
    pub(crate) const fn new(world: &'w mut W, entity: Entity) -> Self {
        Self::without(world, entity, ComponentSet::EMPTY)
    }

    /// An inserter that skips the components of a set.
    pub(crate) const fn without(world: &'w mut W, entity: Entity, filled: ComponentSet) -> Self {
        Self { world, entity, filled }
    }

    /// Inserts the `T` that `make` returns, unless the entity has one, and then the components that
    /// `T` requires.
    ///
    /// Expansions pass `<T as Default>::default`. With a bound `T: Default` instead, the message
    /// for a `T` without a default would name this method.
    pub fn require<T: 'static>(&mut self, make: fn() -> T)
    where
        W: Has<T>,
    {
        if self.insert(make) {
            self.fill::<T>();
        }
    }

    /// Inserts the `T` that `make` returns, unless the entity has one or `T` is done or skipped.
    /// Returns whether the components that `T` requires are still to be inserted, by
    /// [`fill`](Self::fill).
    pub fn insert<T: 'static>(&mut self, make: fn() -> T) -> bool
    where
        W: Has<T>,
    {
        if self.filled.contains(W::INDEX) {
            return false;
        }
        self.filled = self.filled.with(W::INDEX);
        if !self.world.column::<T>().contains(self.entity.slot()) {
            let value = make();
            drop(self.world.put(self.entity, value));
        }
        true
    }

    /// Inserts the components that `T` requires.
    #[inline]
    pub fn fill<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        PartOf::<W, T>::fill(self);
    }
}

/// For each component, the set of the component itself and of all components that it requires,
/// directly or indirectly.
pub const fn closures<const N: usize>(direct: [ComponentSet; N]) -> [ComponentSet; N] {
    let mut closed = direct;
    // nothing to search in a world without required components: rustc runs this for each world
    let any = any!(direct, |required| !required.is_empty());
    // Warshall's algorithm: whoever requires `middle` requires all that `middle` requires
    let mut middle = 0;
    while any && middle < N {
        if !closed[middle].is_empty() {
            let mut from = 0;
            while from < N {
                if closed[from].contains(middle) {
                    closed[from] = closed[from].or(closed[middle]);
                }
                from += 1;
            }
        }
        middle += 1;
    }
    let mut i = 0;
    while i < N {
        closed[i] = closed[i].with(i);
        i += 1;
    }
    closed
}

/// Fails to compile if required components form a cycle, or if a rule may refuse a required
/// component. The message prints the cycle.
#[track_caller]
pub const fn check_requires<W: RawWorld>() {
    let mut start = 0;
    while start < W::REQUIRES.len() {
        // a cycle: the message follows it once around, from the component back to itself
        if !W::REQUIRES[start].is_empty()
            && let Some(mut at) = step_towards(W::REQUIRES, start, start)
        {
            let mut text = message!("world `" text(W::WORLD_NAME) "`: required components form a cycle: ");
            text = text.quoted(W::COMPONENT_NAMES[start]);
            text = message!(text => " requires " quoted(W::COMPONENT_NAMES[at]));
            while at != start
                && let Some(next) = step_towards(W::REQUIRES, at, start)
            {
                at = next;
                text = message!(text => " requires " quoted(W::COMPONENT_NAMES[at]));
            }
            text.text("; leave one of them out").panic();
        }
        if let Some(mark) = W::OFFSETS[start].mark
            && W::OFFSETS[mark.component].refuses
        {
            let reason =
                ", which a rule may refuse: mark with a component without `unique`, `key` and `excludes`";
            clash::<W>("relation ", start, " marks with ", mark.component, reason);
        }
        let targets = &W::OFFSETS[start].targets;
        let mut i = 0;
        while i < W::OFFSETS.len() && (targets.is_some() || !W::REQUIRES[start].is_empty()) {
            // no caller could handle the refusal of a component that is added as a required one
            if W::REQUIRES[start].contains(i) && W::OFFSETS[i].refuses {
                let reason =
                    ", which a rule may refuse: do not require it, and insert it where entities are spawned";
                clash::<W>("component ", start, " requires ", i, reason);
            }
            // the rule of a relation would remove it from a target
            if let Some(rule) = targets
                && rule.components.contains(i)
                && W::OFFSETS[i].rules.relation.is_some()
            {
                let reason = ", which is a relation and ends with its own target: name a component in `target(..)` that is no relation";
                clash::<W>("relation ", start, " has targets with ", i, reason);
            }
            i += 1;
        }
        start += 1;
    }
}

/// Fails to compile, since a component names another one that it must not name.
#[track_caller]
const fn clash<W: RawWorld>(noun: &str, of: usize, names: &str, other: usize, reason: &str) {
    let text = message!("world `" text(W::WORLD_NAME) "`: " text(noun) quoted(W::COMPONENT_NAMES[of]));
    message!(text => text(names) quoted(W::COMPONENT_NAMES[other]) text(reason)).panic();
}

/// The next component on a shortest path from `at` to `goal`; `None` if there is no path.
const fn step_towards(direct: &[ComponentSet], at: usize, goal: usize) -> Option<usize> {
    if direct[at].contains(goal) {
        return Some(goal);
    }
    // from the goal backwards, one step further each time: the first neighbour of `at` that is met
    // is nearest to the goal
    let mut reached = ComponentSet::EMPTY.with(goal);
    loop {
        let mut grown = reached;
        let mut i = 0;
        while i < direct.len() {
            if !direct[i].and(reached).is_empty() {
                grown = grown.with(i);
                if direct[at].contains(i) {
                    return Some(i);
                }
            }
            i += 1;
        }
        if grown.minus(reached).is_empty() {
            return None;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn set(indices: &[usize]) -> ComponentSet {
        let (mut set, mut i) = (ComponentSet::EMPTY, 0);
        while i < indices.len() {
            set = set.with(indices[i]);
            i += 1;
        }
        set
    }

    #[test]
    fn closures_are_transitive_and_reflexive() {
        let closed = closures([set(&[2]), set(&[]), set(&[1]), set(&[0])]);
        assert_eq!(closed, [set(&[0, 1, 2]), set(&[1]), set(&[1, 2]), set(&[0, 1, 2, 3])]);
    }

    #[test]
    fn cycles_are_found_with_their_path() {
        let direct = [set(&[1]), set(&[2, 3]), set(&[]), set(&[0])];
        let steps = [(0, 0), (1, 0), (3, 0), (2, 2)].map(|(at, goal)| step_towards(&direct, at, goal));
        assert_eq!(steps, [Some(1), Some(3), Some(0), None]);
    }
}
