//! What a parameter touches, as constants that the checks and the schedule work with.

use super::disjoint::{Alternatives, are_disjoint};
use crate::base::bits256::Bits256;
use crate::base::component_set::ComponentSet;

/// What a query element, a filter or a system parameter reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Components whose values are read.
    pub read: ComponentSet,
    /// Components whose values are written.
    pub write: ComponentSet,
    /// Components that every matched entity has.
    pub with: ComponentSet,
    /// Components that no matched entity has.
    pub without: ComponentSet,
    /// What else matched entities have and lack, of which there are several possibilities.
    pub(crate) alternatives: Alternatives,
    /// Components of which it matters who has them.
    pub presence: ComponentSet,
    /// Components that may be added and removed.
    pub presence_write: ComponentSet,
    /// Components of which it matters when they were changed.
    pub stamps: ComponentSet,
    /// Components that this one parameter borrows twice, once mutably.
    pub alias: ComponentSet,
    /// Resources that are read.
    pub resources_read: Bits256,
    /// Resources that are written.
    pub resources_write: Bits256,
    /// Events that are read.
    pub events_read: Bits256,
    /// Events that are written.
    pub events_written: Bits256,
    /// The only component that any of these sets can hold, or [`Access::ANY`]: so that most parameters are told apart by a
    /// glance.
    pub(crate) only: usize,
    /// Whether it touches the world at all (a `Local` does not).
    pub world: bool,
    /// Whether it is the whole world, mutably.
    pub exclusive: bool,
    /// Whether it leaves changes behind that are applied at the end of the stage.
    pub deferred: bool,
    /// Whether it asks when its system ran last, or notes when it does: what does not is not told.
    pub timed: bool,
}

impl Access {
    /// Not of one component alone.
    pub(crate) const ANY: usize = usize::MAX;

    /// Nothing of the world.
    pub const NONE: Self = Self {
        read: ComponentSet::EMPTY,
        write: ComponentSet::EMPTY,
        with: ComponentSet::EMPTY,
        without: ComponentSet::EMPTY,
        alternatives: Alternatives::NONE,
        presence: ComponentSet::EMPTY,
        presence_write: ComponentSet::EMPTY,
        stamps: ComponentSet::EMPTY,
        alias: ComponentSet::EMPTY,
        resources_read: Bits256::EMPTY,
        resources_write: Bits256::EMPTY,
        events_read: Bits256::EMPTY,
        events_written: Bits256::EMPTY,
        only: Self::ANY,
        world: false,
        exclusive: false,
        deferred: false,
        timed: false,
    };

    /// Who is alive.
    pub const ENTITIES: Self = Self { world: true, ..Self::NONE };

    /// The world as `&mut`.
    pub const EXCLUSIVE: Self = Self { exclusive: true, world: true, ..Self::NONE };

    /// Deferred changes: they are made later, but who has what is looked at now.
    pub(crate) const COMMANDS: Self = Self { presence: ComponentSet::ALL, deferred: true, ..Self::ENTITIES };

    pub(crate) const fn read(index: usize) -> Self {
        let set = ComponentSet::EMPTY.with(index);
        Self { read: set, with: set, presence: set, only: index, ..Self::ENTITIES }
    }

    pub(crate) const fn write(index: usize) -> Self {
        let set = ComponentSet::EMPTY.with(index);
        Self { write: set, with: set, presence: set, only: index, ..Self::ENTITIES }
    }

    pub(crate) const fn presence(index: usize) -> Self {
        Self { presence: ComponentSet::EMPTY.with(index), only: index, ..Self::ENTITIES }
    }

    pub(crate) const fn storage(index: usize) -> Self {
        let set = ComponentSet::EMPTY.with(index);
        // of a tracked component; of others it makes no difference
        Self { write: set, presence_write: set, ..Self::ENTITIES }.timed()
    }

    /// The same without the demand that matched entities have the components.
    pub(crate) const fn optional(self) -> Self {
        Self { with: ComponentSet::EMPTY, ..self }
    }

    /// The same of what remembers when it was changed.
    pub(crate) const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }

    /// The same of any entity, whatever the filters.
    pub(crate) const fn without_filters(self) -> Self {
        let alternatives = Alternatives::NONE;
        Self { with: ComponentSet::EMPTY, without: ComponentSet::EMPTY, alternatives, ..self }
    }

    /// Both, of the same entity.
    pub const fn and(self, other: Self) -> Self {
        Self {
            read: self.read.or(other.read),
            write: self.write.or(other.write),
            with: self.with.or(other.with),
            without: self.without.or(other.without),
            alternatives: self.alternatives.and(other.alternatives),
            presence: self.presence.or(other.presence),
            presence_write: self.presence_write.or(other.presence_write),
            stamps: self.stamps.or(other.stamps),
            alias: self.alias.or(other.alias).or(self.value_clash(&other)),
            resources_read: self.resources_read.or(other.resources_read),
            resources_write: self.resources_write.or(other.resources_write),
            events_read: self.events_read.or(other.events_read),
            events_written: self.events_written.or(other.events_written),
            only: Self::ANY,
            world: self.world || other.world,
            exclusive: self.exclusive || other.exclusive,
            deferred: self.deferred || other.deferred,
            timed: self.timed || other.timed,
        }
    }

    /// Any of several filters: only what all demand is demanded in any case. Of none: nothing matches.
    pub(crate) const fn any_of(filters: &'static [Self]) -> Self {
        if filters.len() == 1 {
            return filters[0];
        }
        let (mut any, mut is_demanding, mut i) = (Self::NONE, true, 0);
        while i < filters.len() {
            let filter = &filters[i];
            let (with, without) = match i {
                0 => (filter.with, filter.without),
                _ => (any.with.and(filter.with), any.without.and(filter.without)),
            };
            any = Self { with, without, ..any.and(*filter) };
            is_demanding &= filter.demands();
            i += 1;
        }
        any.alternatives = if is_demanding { Alternatives::of(filters) } else { Alternatives::NONE };
        any
    }

    /// Whether it does not match every entity, as far as components are concerned.
    const fn demands(&self) -> bool {
        !self.with.is_empty() || !self.without.is_empty() || !self.alternatives.is_none()
    }

    /// Whether it touches nothing of the world.
    pub const fn is_none(&self) -> bool {
        !self.world
    }

    /// The components whose values both touch, one of them writing, if they meet at the same entity.
    pub(crate) const fn value_clash(&self, other: &Self) -> ComponentSet {
        self.write.and(other.read.or(other.write)).or(self.read.and(other.write))
    }

    /// The components whose values both touch, one of them writing, unless their filters keep the entities apart.
    pub(crate) const fn clash(&self, other: &Self) -> ComponentSet {
        if self.is_apart(other) { ComponentSet::EMPTY } else { self.value_clash(other) }
    }

    /// The components that one changes while the other looks at when they were changed, unless their filters keep the
    /// entities apart. Of one entity, `Mut<T>` beside `Changed<T>`, this is no clash.
    pub(crate) const fn stamp_clash(&self, other: &Self) -> ComponentSet {
        let clash = self.stamps.and(other.write).or(self.write.and(other.stamps));
        if self.is_apart(other) { ComponentSet::EMPTY } else { clash }
    }

    /// Whether no entity is matched by both, given that some entity is matched by each. Nearly all pairs for which this
    /// matters are told apart by their sets; only where there is an `Or` does it take more.
    pub(crate) const fn is_apart(&self, other: &Self) -> bool {
        if self.with.meets(&other.without) || other.with.meets(&self.without) {
            return true;
        }
        if self.alternatives.is_none() && other.alternatives.is_none() {
            return false;
        }
        // the components on which they may disagree: those that both look at, but for those that both demand
        let same = self.with.and(other.with);
        self.presence.minus(same).meets(&other.presence) && are_disjoint(self, other)
    }

    /// Whether some entity may be matched.
    pub(crate) const fn can_match(&self) -> bool {
        match self.alternatives.is_none() {
            true => !self.with.meets(&self.without),
            false => !are_disjoint(self, &Self::NONE),
        }
    }

    /// The components that one may add or remove while the other relies on who has them.
    pub(crate) const fn presence_clash(&self, other: &Self) -> ComponentSet {
        self.presence_write
            .and(other.presence.or(other.presence_write))
            .or(self.presence.and(other.presence_write))
    }

    pub(crate) const fn resource_clash(&self, other: &Self) -> Bits256 {
        let read_or_written = other.resources_read.or(other.resources_write);
        self.resources_write.and(read_or_written).or(self.resources_read.and(other.resources_write))
    }

    /// The events that one sends and the other reads.
    pub(crate) const fn event_clash(&self, other: &Self) -> Bits256 {
        self.events_written.and(other.events_read).or(self.events_read.and(other.events_written))
    }

    /// Whether it does not matter which of two systems' parameters comes first.
    pub(crate) const fn commutes(&self, other: &Self) -> bool {
        self.disjoint(other)
            && !self.events_written.meets(&other.events_read)
            && !self.events_read.meets(&other.events_written)
    }

    /// Whether both touch the value of some component, one of them writing.
    pub(crate) const fn values_meet(&self, other: &Self) -> bool {
        self.write.meets(&other.write) || self.write.meets(&other.read) || self.read.meets(&other.write)
    }

    /// Whether two parameters may be alive at once: whether none of the clashes above has anything in it.
    pub(crate) const fn disjoint(&self, other: &Self) -> bool {
        let values =
            self.values_meet(other) || self.stamps.meets(&other.write) || self.write.meets(&other.stamps);
        if values && !self.is_apart(other) {
            return false;
        }
        let presence = self.presence_write.meets(&other.presence_write)
            || self.presence_write.meets(&other.presence)
            || self.presence.meets(&other.presence_write);
        let resources = self.resources_write.meets(&other.resources_write)
            || self.resources_write.meets(&other.resources_read)
            || self.resources_read.meets(&other.resources_write);
        let whole = (self.exclusive && other.world) || (other.exclusive && self.world);
        !presence && !resources && !whole
    }
}

/// What a parameter of a system is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// An element of a per-entity system.
    Element,
    /// A filter of a per-entity system.
    Filter,
    /// A `Query`.
    Query,
    /// Another parameter.
    Other,
    /// The world, mutably.
    World,
}

impl ParamKind {
    /// Whether it belongs to the query of a per-entity system.
    pub(crate) const fn is_row(self) -> bool {
        matches!(self, Self::Element | Self::Filter)
    }
}

/// A parameter of a system: its name, its kind and what it touches.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// As the function spells it.
    pub name: &'static str,
    /// What it is.
    pub kind: ParamKind,
    /// What it touches.
    pub access: Access,
}

/// Whether parameter `i` and those before it are per-entity parameters of one component each, and no two of the same one:
/// nothing can be wrong with them then, in a world without components that exclude each other. It names no constant, since
/// the compiler evaluates all that a function names whenever it calls it.
pub(crate) const fn is_apart(params: &[ParamInfo], i: usize) -> bool {
    let only = params[i].access.only;
    if only == usize::MAX {
        return false;
    }
    let mut j = 0;
    while j <= i {
        let earlier = &params[j];
        let same = earlier.access.only == only && j < i;
        if same || earlier.access.only == usize::MAX || !earlier.kind.is_row() {
            return false;
        }
        j += 1;
    }
    true
}

/// What the per-entity parameters access together.
pub(crate) const fn row(params: &[ParamInfo]) -> Access {
    let mut row = Access::NONE;
    let mut i = 0;
    while i < params.len() {
        if params[i].kind.is_row() {
            row = row.and(params[i].access);
        }
        i += 1;
    }
    row
}

/// Whether a system's parameters may be made from one world: the proof that running it is sound.
pub(crate) const fn is_sound(params: &[ParamInfo]) -> bool {
    let (mut rows, mut i) = (0, 0);
    while i < params.len() {
        if !params[i].access.alias.is_empty() {
            return false;
        }
        if params[i].kind.is_row() {
            rows += 1;
            let mut j = 0;
            while j < i {
                if params[j].kind.is_row() && params[j].access.values_meet(&params[i].access) {
                    return false;
                }
                j += 1;
            }
        }
        i += 1;
    }
    if rows == params.len() {
        return true;
    }
    let row = row(params);
    let mut i = 0;
    while i < params.len() {
        if !params[i].kind.is_row() {
            if !row.disjoint(&params[i].access) {
                return false;
            }
            let mut j = 0;
            while j < i {
                if !params[j].kind.is_row() && !params[j].access.disjoint(&params[i].access) {
                    return false;
                }
                j += 1;
            }
        }
        i += 1;
    }
    true
}
