//! [`Access`]: the parts of the world that a parameter reads and writes, as constants that the
//! checks and the schedule compare.

use crate::base::bits256::Bits256;
use crate::base::component_set::ComponentSet;
use crate::base::disjoint::{Alternatives, are_disjoint};

/// The parts of a world that a query element, a filter or a system parameter reads and writes.
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
    /// The conditions of the filter's `Or`s on the components of matched entities.
    pub(crate) alternatives: Alternatives,
    /// Components whose presence is read: which entities have them.
    pub presence: ComponentSet,
    /// Components that may be added to entities and removed from them.
    pub presence_write: ComponentSet,
    /// Components whose change ticks are read.
    pub stamps: ComponentSet,
    /// Those of the components in `read` that are read from other entities than the matched one, so
    /// that no filter keeps the reader apart from a writer.
    pub(crate) elsewhere: ComponentSet,
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
    /// Those of the events in `events_read` that are changed in the queue.
    pub events_changed: Bits256,
    /// A shortcut for the comparison of two parameters, most of which access one component: the
    /// index of that component, or [`Access::SEVERAL`]. Two different indices cannot clash.
    pub(crate) only: usize,
    /// Whether the world is accessed at all (a `Local` does not access it).
    pub world: bool,
    /// Whether the whole world is borrowed mutably.
    pub exclusive: bool,
    /// Whether changes are deferred to the end of the stage.
    pub deferred: bool,
    /// Whether a resource with `#[resource(main_thread)]` is accessed: the system runs on the
    /// thread that runs the schedule.
    pub main_thread: bool,
    /// Whether the ticks of the system's last run and of this run are used. If not, the schedule
    /// does not pass them.
    pub timed: bool,
    /// The parameters inside this one, such as the fields of a `#[derive(SystemParam)]` struct;
    /// empty for all others. If there are any, the sets above are their union without filters: code
    /// that ignores the parts then finds too many clashes, and never too few.
    pub(crate) parts: &'static [ParamInfo],
    /// Whether the system borrows one of the parts at a time, so that they may clash with each
    /// other.
    pub(crate) one_at_a_time: bool,
}

impl Access {
    /// `only` of an access to no component or to several: a comparison has to look at the sets.
    pub(crate) const SEVERAL: usize = usize::MAX;

    /// No access to the world.
    pub const NONE: Self = Self {
        read: ComponentSet::EMPTY,
        write: ComponentSet::EMPTY,
        with: ComponentSet::EMPTY,
        without: ComponentSet::EMPTY,
        alternatives: Alternatives::NONE,
        presence: ComponentSet::EMPTY,
        presence_write: ComponentSet::EMPTY,
        stamps: ComponentSet::EMPTY,
        elsewhere: ComponentSet::EMPTY,
        alias: ComponentSet::EMPTY,
        resources_read: Bits256::EMPTY,
        resources_write: Bits256::EMPTY,
        events_read: Bits256::EMPTY,
        events_written: Bits256::EMPTY,
        events_changed: Bits256::EMPTY,
        only: Self::SEVERAL,
        world: false,
        exclusive: false,
        deferred: false,
        main_thread: false,
        timed: false,
        parts: &[],
        one_at_a_time: false,
    };

    /// Reads which entities are alive.
    pub const ENTITIES: Self = Self { world: true, ..Self::NONE };

    /// Borrows the whole world mutably.
    pub const EXCLUSIVE: Self = Self { exclusive: true, world: true, ..Self::NONE };

    /// The access of `Commands`: changes are deferred; the presence of all components is read.
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
        // `timed` is needed for a tracked component, and has no effect for others
        Self { write: set, presence_write: set, ..Self::ENTITIES }.timed()
    }

    /// This access with the use of ticks.
    pub(crate) const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }

    /// This access without the conditions of filters, as if every entity matched.
    pub(crate) const fn without_filters(self) -> Self {
        let alternatives = Alternatives::NONE;
        Self { with: ComponentSet::EMPTY, without: ComponentSet::EMPTY, alternatives, ..self }
    }

    /// This access to other entities than the matched one.
    pub(crate) const fn elsewhere(self) -> Self {
        Self { elsewhere: self.read, ..self.without_filters() }
    }

    /// Both accesses together, to the same entity.
    pub const fn and(self, other: Self) -> Self {
        // one system borrows both, so sets unite; `value_clash` finds the components borrowed twice
        Self {
            read: self.read.or(other.read),
            write: self.write.or(other.write),
            with: self.with.or(other.with),
            without: self.without.or(other.without),
            alternatives: self.alternatives.and(other.alternatives),
            presence: self.presence.or(other.presence),
            presence_write: self.presence_write.or(other.presence_write),
            stamps: self.stamps.or(other.stamps),
            elsewhere: self.elsewhere.or(other.elsewhere),
            alias: self.alias.or(other.alias).or(self.value_clash(&other)),
            resources_read: self.resources_read.or(other.resources_read),
            resources_write: self.resources_write.or(other.resources_write),
            events_read: self.events_read.or(other.events_read),
            events_written: self.events_written.or(other.events_written),
            events_changed: self.events_changed.or(other.events_changed),
            only: Self::SEVERAL,
            world: self.world || other.world,
            exclusive: self.exclusive || other.exclusive,
            deferred: self.deferred || other.deferred,
            main_thread: self.main_thread || other.main_thread,
            timed: self.timed || other.timed,
            parts: &[],
            one_at_a_time: false,
        }
    }

    /// The access of a parameter that is made of others, which the system has at the same time.
    pub const fn of_fields(fields: &'static [ParamInfo]) -> Self {
        let (mut all, mut alias, mut i) = (Self::NONE, ComponentSet::EMPTY, 0);
        while i < fields.len() {
            alias = alias.or(fields[i].access.alias);
            all = all.and(fields[i].access);
            i += 1;
        }
        // `and` is for one entity, and counts fields that filters keep apart as a component that is
        // borrowed twice
        Self { alias, parts: fields, ..all.without_filters() }
    }

    /// The access of a parameter that is made of others, of which the system borrows one at a time.
    pub(crate) const fn one_of(params: &'static [ParamInfo]) -> Self {
        Self { one_at_a_time: true, ..Self::of_fields(params) }
    }

    /// The access of an `Or` of filters: an entity that passes satisfies at least one of them. With
    /// no filters, no entity matches.
    pub(crate) const fn any_of(filters: &'static [Self]) -> Self {
        if filters.len() == 1 {
            return filters[0];
        }
        // borrows of all filters unite as in `and`, but only the conditions that all of them share
        // are certain
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
        // a filter that demands nothing lets every entity pass, and then the alternatives say
        // nothing
        any.alternatives = if is_demanding { Alternatives::of(filters) } else { Alternatives::NONE };
        any
    }

    /// Whether there is a condition on the components of matched entities.
    const fn demands(&self) -> bool {
        !self.with.is_empty() || !self.without.is_empty() || !self.alternatives.is_none()
    }

    /// Whether the world is not accessed.
    pub const fn is_none(&self) -> bool {
        !self.world
    }

    /// The components whose values both access and at least one writes, if both match the same
    /// entity.
    pub(crate) const fn value_clash(&self, other: &Self) -> ComponentSet {
        self.write.and(other.read.or(other.write)).or(self.read.and(other.write))
    }

    /// The components that one access reads from any entity and the other writes.
    pub(crate) const fn clash_elsewhere(&self, other: &Self) -> ComponentSet {
        self.write.and(other.elsewhere).or(self.elsewhere.and(other.write))
    }

    /// The components whose values both access and at least one writes; if their filters exclude
    /// each other, only those that one of them reads from other entities.
    pub(crate) const fn clash(&self, other: &Self) -> ComponentSet {
        if self.is_apart(other) { self.clash_elsewhere(other) } else { self.value_clash(other) }
    }

    /// The components that one access writes and whose change ticks the other reads; empty if their
    /// filters exclude each other. Within one query, `Mut<T>` with `Changed<T>`, this is not a
    /// clash.
    pub(crate) const fn stamp_clash(&self, other: &Self) -> ComponentSet {
        let clash = self.stamps.and(other.write).or(self.write.and(other.stamps));
        if self.is_apart(other) { ComponentSet::EMPTY } else { clash }
    }

    /// Whether no entity matches both, given that each matches some entity. For nearly all pairs,
    /// the sets `with` and `without` decide; only accesses with an `Or` need the proof of
    /// [`are_disjoint`].
    pub(crate) const fn is_apart(&self, other: &Self) -> bool {
        if self.with.meets(&other.without) || other.with.meets(&self.without) {
            return true;
        }
        if self.alternatives.is_none() && other.alternatives.is_none() {
            return false;
        }
        // the components on which the two may contradict each other: those that both read, except
        // those that both demand
        let same = self.with.and(other.with);
        self.presence.minus(same).meets(&other.presence) && are_disjoint(self, other)
    }

    /// Whether an entity may match.
    pub(crate) const fn can_match(&self) -> bool {
        match self.alternatives.is_none() {
            true => !self.with.meets(&self.without),
            false => !are_disjoint(self, &Self::NONE),
        }
    }

    /// The components that one access may add or remove and whose presence the other reads or
    /// changes.
    pub(crate) const fn presence_clash(&self, other: &Self) -> ComponentSet {
        self.presence_write
            .and(other.presence.or(other.presence_write))
            .or(self.presence.and(other.presence_write))
    }

    /// The resources that both access and at least one writes.
    pub(crate) const fn resource_clash(&self, other: &Self) -> Bits256 {
        let read_or_written = other.resources_read.or(other.resources_write);
        self.resources_write.and(read_or_written).or(self.resources_read.and(other.resources_write))
    }

    /// The events that one access sends or changes and the other reads.
    pub(crate) const fn event_clash(&self, other: &Self) -> Bits256 {
        let (one, two) = (self.events_written.or(self.events_changed), &other.events_written);
        one.and(other.events_read).or(self.events_read.and(two.or(other.events_changed)))
    }

    /// The events that one access changes in the queue and the other reads.
    pub(crate) const fn event_alias(&self, other: &Self) -> Bits256 {
        self.events_changed.and(other.events_read).or(self.events_read.and(other.events_changed))
    }

    /// Whether two systems with these accesses give the same result in either order.
    pub(crate) const fn commutes(&self, other: &Self) -> bool {
        self.disjoint(other)
            && !self.events_written.meets(&other.events_read)
            && !self.events_read.meets(&other.events_written)
    }

    /// Whether both access the values of some component and at least one writes them.
    pub(crate) const fn values_meet(&self, other: &Self) -> bool {
        self.write.meets(&other.write) || self.write.meets(&other.read) || self.read.meets(&other.write)
    }

    /// Whether parameters with these accesses may exist at the same time: no values, stamps,
    /// presence, resources or changed events clash, and neither parameter is the whole world.
    pub(crate) const fn disjoint(&self, other: &Self) -> bool {
        self.is_disjoint_as_a_whole(other)
            || (!self.parts.is_empty() || !other.parts.is_empty()) && self.parts_are_disjoint(other)
    }

    /// Whether no part of one access clashes with a part of the other; one of them has parts.
    const fn parts_are_disjoint(&self, other: &Self) -> bool {
        let (outer, inner) = if self.parts.is_empty() { (other, self) } else { (self, other) };
        !any!(outer.parts, |part| !part.access.disjoint(inner))
    }

    /// Whether the parts of this access may exist at the same time, unless the system borrows one
    /// at a time.
    const fn has_sound_parts(&self) -> bool {
        let mut i = 0;
        while i < self.parts.len() {
            let part = &self.parts[i].access;
            // parts that the system borrows one at a time need not be disjoint
            let mut j = if self.one_at_a_time { i } else { 0 };
            while j < i {
                if !self.parts[j].access.disjoint(part) {
                    return false;
                }
                j += 1;
            }
            if !part.has_sound_parts() {
                return false;
            }
            i += 1;
        }
        true
    }

    /// [`disjoint`](Self::disjoint) without a look at the parts.
    const fn is_disjoint_as_a_whole(&self, other: &Self) -> bool {
        let values =
            self.values_meet(other) || self.stamps.meets(&other.write) || self.write.meets(&other.stamps);
        if values && (!self.is_apart(other) || !self.clash_elsewhere(other).is_empty()) {
            return false;
        }
        let presence = self.presence_write.meets(&other.presence_write)
            || self.presence_write.meets(&other.presence)
            || self.presence.meets(&other.presence_write);
        let resources = self.resources_write.meets(&other.resources_write)
            || self.resources_write.meets(&other.resources_read)
            || self.resources_read.meets(&other.resources_write);
        let events =
            self.events_changed.meets(&other.events_read) || self.events_read.meets(&other.events_changed);
        let whole = (self.exclusive && other.world) || (other.exclusive && self.world);
        !presence && !resources && !events && !whole
    }
}

/// The kind of a system's parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// Query data of a per-entity system.
    RowData,
    /// A filter of a per-entity system.
    RowFilter,
    /// A `Query`.
    WholeQuery,
    /// Another parameter.
    Other,
    /// The world, mutably.
    WholeWorld,
}

impl ParamKind {
    /// Whether the parameter is part of the query of a per-entity system.
    pub(crate) const fn is_row(self) -> bool {
        matches!(self, Self::RowData | Self::RowFilter)
    }
}

/// A parameter of a system: its name, its kind and its access.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// The name of the parameter in the function; for closures its position, `"1st"`.
    pub name: &'static str,
    /// The kind of the parameter.
    pub kind: ParamKind,
    /// The parts of the world that the parameter reads and writes.
    pub access: Access,
}

/// Whether the parameters up to `i` are per-entity parameters of one component each, and the
/// component of parameter `i` is not that of an earlier one. Then parameter `i` cannot clash, in a
/// world without components that exclude each other.
///
/// The function writes `usize::MAX` instead of [`Access::SEVERAL`]: the compiler evaluates the
/// constants that a function names at each call, which costs compile time.
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

/// The access of all per-entity parameters together.
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

/// Whether no two parameters of a system clash, so that all may be made from one world at the same
/// time. Running a system is sound only if this is true.
pub(crate) const fn is_sound(params: &[ParamInfo]) -> bool {
    // the parameters of a row system are of one entity: a component in two of them is an alias
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
    // the other parameters: each must be apart from the row, which is borrowed as a whole, and from
    // each other
    if rows == params.len() {
        return true;
    }
    let row = row(params);
    let mut i = 0;
    while i < params.len() {
        if !params[i].kind.is_row() {
            if !row.disjoint(&params[i].access) || !params[i].access.has_sound_parts() {
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
