//! [`Plan`]: the part of a schedule that is known before it runs, in particular which systems
//! clash, and which may run at the same time.
//!
//! The plan is computed in a constant. Two systems of one stage *clash* if a parameter of one and a
//! parameter of the other access the same data, at least one of them writes, and their filters do
//! not make the entities disjoint. Systems that clash keep their order. The *wave* of a system is
//! one more than the latest wave of the earlier systems with which it clashes; systems of one wave
//! may run at the same time. Two systems that send the same event may be in one wave, but the later
//! system is never in an earlier wave, so that their events can be merged in the order of the text.

use core::marker::PhantomData;
use core::slice;

use crate::base::access::{Access, ParamInfo};
use crate::raw_world::{ErasedPlans, RawWorld, discard};

use super::node::Node;

/// A stage of a schedule: the systems between two `;`, or a `react` block.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The maximal number of runs of a `react` block, which repeats until its systems have no
    /// unread events or changes. `None` for a stage that runs once.
    pub react: Option<u32>,
}

/// The access of a node in three masks, with one bit for all indices that are equal modulo 128. For
/// compile time only: these masks show for nearly all pairs of nodes that they do not clash, so
/// that the constant evaluation does not compare their sets.
#[derive(Clone, Copy)]
struct AccessSummary {
    /// All accessed data, and bit 0 for each node that accesses the world itself.
    accessed: u128,
    /// The written data, a subset of `accessed`.
    written: u128,
    /// The events that the node sends.
    sent: u128,
    /// Whether the node may fail. Later nodes wait for it, whatever they access.
    fallible: bool,
}

impl AccessSummary {
    const fn new(access: &Access, fallible: bool) -> Self {
        if access.exclusive {
            return Self { accessed: u128::MAX, written: u128::MAX, sent: u128::MAX, fallible };
        }
        let sent = access.events_written.folded();
        let written = access.write.or(access.presence_write).folded()
            | access.resources_write.folded()
            | sent
            | access.events_changed.folded();
        let read = access.read.or(access.presence).or(access.stamps).folded()
            | access.resources_read.folded()
            | access.events_read.folded();
        let world = if access.world { 1 } else { 0 };
        Self { accessed: read | written | world, written, sent, fallible }
    }
}

/// A node with its position in the plan.
#[repr(C)]
pub struct PlanEntry<W: 'static> {
    pub(crate) node: Node<W>,
    /// The index of its first place.
    pub(crate) place: usize,
    /// The index of its section. A section is the part of a schedule between two flushes: a stage,
    /// or a part of a stage before, between or after exclusive systems.
    pub(crate) section: usize,
    /// The index of its wave in the section.
    pub(crate) wave: usize,
    /// For the turn with the index of this entry: the index of the node that has this turn. Turns
    /// are ordered by section, wave and text.
    pub(crate) node_of_turn: usize,
    /// For the first node of a section: the index after the last node of the section.
    pub(crate) end: usize,
    /// For the first node of a section: whether a node of the section defers changes.
    pub(crate) flushes: bool,
    /// Whether a system of the node has work left after it has run.
    pub(crate) finishes: bool,
    /// Whether a system of the node takes the whole world.
    pub(crate) exclusive: bool,
    /// The index of the gate of the innermost group that the node is in.
    pub(crate) gate: Option<usize>,
    /// For a gate: the index after the last node of its group. 0 for other nodes.
    pub(crate) group_end: usize,
    /// Whether the node defers changes to the end of its section.
    pub(crate) deferred: bool,
    /// Whether a system of the node reads the tick of its last run.
    timed: bool,
    /// Whether the node runs on the thread that runs the schedule, since it accesses a resource
    /// with `#[resource(main_thread)]`.
    #[cfg(feature = "parallel")]
    pub(crate) main_thread: bool,
    summary: AccessSummary,
}

impl<W: RawWorld> PlanEntry<W> {
    /// Whether the systems of the node may change indexed values in place.
    #[inline(always)]
    pub(crate) const fn may_reindex(&self) -> bool {
        discard::may_reindex::<W>(self.summary.written)
    }
}

copy!([W] PlanEntry<W>);

/// A schedule: its systems in the order of the text, with their sections and waves. The entries of
/// a schedule of `world!` are a constant, and those of a schedule that is built at run time a list.
#[repr(C)]
pub struct Plan<'p, W: 'static> {
    pub(crate) name: &'static str,
    /// The index of the schedule in the world; `usize::MAX` for a run-time schedule.
    pub(crate) index: usize,
    pub(crate) stages: &'static [Stage],
    /// For a schedule with `every`: whether it runs once more after a number of runs in this call.
    /// `None` for a schedule that runs once.
    pub(crate) every: Option<fn(&mut W, u32) -> bool>,
    /// Whether a run only calls each system once, in order, so that [`fast_path`](super::fast_path)
    /// can run it.
    pub(crate) is_plain: bool,
    /// Whether a system reads the tick of its last run.
    pub(crate) is_timed: bool,
    /// Whether a wave has several systems.
    pub(crate) is_wide: bool,
    /// Whether there are groups of steps with a condition.
    pub(crate) has_groups: bool,
    /// Whether a failure of a system ends only itself.
    pub(super) contains_failures: bool,
    pub(crate) entries: &'p [PlanEntry<W>],
}

/// In place of the type of a world, for code that reads the plans of any world and runs no system:
/// it is compiled once, with the library. The type has no values, so that nothing of such a plan
/// can be called that takes a world.
pub(crate) enum NoWorld {}

/// A plan without the type of its world.
pub(crate) type AnyPlan<'p> = Plan<'p, NoWorld>;

impl<'p, W: 'static> Plan<'p, W> {
    /// The plan without the type of its world.
    #[expect(unsafe_code, reason = "the type of the world is erased")]
    pub(crate) const fn any(&self) -> &AnyPlan<'p> {
        // SAFETY: a plan and all that it has or refers to have the C representation, in which the
        // type of the world occurs only in types of functions and behind references. So the layout
        // is the same for all worlds.
        unsafe { &*core::ptr::from_ref(self).cast() }
    }
}

/// The access of all systems of a node together, without filters.
pub(crate) const fn node_access<W: 'static>(node: &Node<W>) -> Access {
    let (mut access, mut i) = (node.task.desc.access(), 0);
    while i < node.conditions.len() {
        access = access.and(node.conditions[i].task.desc.access());
        i += 1;
    }
    access.without_filters()
}

/// The access of a system's per-entity parameters together.
const fn row_access<W: 'static>(node: &Node<W>) -> Access {
    let (params, mut access, mut i) = (node.task.desc.params, Access::NONE, 0);
    while i < params.len() {
        if params[i].kind.is_row() {
            access = access.and(params[i].access);
        }
        i += 1;
    }
    access
}

/// Whether each parameter of a node commutes with an access. `row` is the node's [`row_access`].
const fn commutes<W: 'static>(node: &Node<W>, row: &Access, other: &Access) -> bool {
    // the parameters of the row, all the others, and the conditions, which run before the system
    row.commutes(other)
        && !any!(node.task.desc.params, |param| !param.kind.is_row() && !param.access.commutes(other))
        && !any!(node.conditions, |condition| {
            !condition.task.desc.access().without_filters().commutes(other)
        })
}

/// Whether a parameter of a node has a filter that excludes entities with a component. Only such a
/// filter can make the entities of two systems disjoint.
const fn has_exclusion<W: 'static>(node: &Node<W>) -> bool {
    any!(node.task.desc.params, |ParamInfo { access, .. }| {
        !access.without.is_empty() || !access.alternatives.is_none() || !access.parts.is_empty()
    })
}

/// Whether two nodes clash, so that their order matters. `access_a` and `access_b` are their
/// [`node_access`], which shows for most pairs that they do not clash.
pub(crate) const fn clash<W: 'static>(
    a: &Node<W>,
    access_a: &Access,
    b: &Node<W>,
    access_b: &Access,
) -> bool {
    if access_a.commutes(access_b) {
        return false;
    }
    if !has_exclusion(a) && !has_exclusion(b) {
        return true;
    }
    let (row_a, row_b) = (row_access(a), row_access(b));
    // compare each parameter of `b` with those of `a`
    !commutes(a, &row_a, &row_b)
        || any!(b.task.desc.params, |param| !param.kind.is_row() && !commutes(a, &row_a, &param.access))
        || any!(b.conditions, |condition| {
            !commutes(a, &row_a, &condition.task.desc.access().without_filters())
        })
}

/// Computes the sections, waves and turns of all entries. `accesses` has the [`node_access`] of
/// each entry, and `next` is scratch memory with the same length.
pub(crate) const fn plan<W: RawWorld>(entries: &mut [PlanEntry<W>], accesses: &[Access], next: &mut [usize]) {
    // a section ends with its stage, and before and after an exclusive system
    let (mut i, mut section, mut first) = (0, 0, 0);
    while i < entries.len() {
        if i > 0 {
            let (before, this) = (&entries[i - 1], &entries[i]);
            if before.node.stage != this.node.stage || before.exclusive || this.exclusive {
                assign_turns(entries, first, i, next);
                section += 1;
                first = i;
            }
        }
        entries[i].section = section;
        // the wave depends only on earlier entries of the section, so one pass is enough
        entries[i].wave = wave(entries, accesses, first, i);
        entries[first].end = i + 1;
        entries[first].flushes |= entries[i].deferred;
        i += 1;
    }
    // the last section has no successor that would end it
    assign_turns(entries, first, i, next);
}

/// Sorts the nodes of a section by wave and text, with a counting sort. The wave of a node is at
/// most the number of nodes before it in the section.
const fn assign_turns<W: RawWorld>(
    entries: &mut [PlanEntry<W>],
    first: usize,
    end: usize,
    next: &mut [usize],
) {
    // first the number of nodes of each wave, then the turn of the next node of each wave
    let mut i = first;
    while i < end {
        next[i] = 0;
        next[first + entries[i].wave] += 1;
        i += 1;
    }
    let (mut i, mut turn) = (first, first);
    while i < end {
        (next[i], turn) = (turn, turn + next[i]);
        i += 1;
    }
    let mut i = first;
    while i < end {
        let turn = &mut next[first + entries[i].wave];
        entries[*turn].node_of_turn = i;
        *turn += 1;
        i += 1;
    }
}

/// The wave of node `i` of the section that begins with `first`. The waves of all nodes before it
/// are known.
///
/// The compiler evaluates the loop for each pair of systems, so that the cheapest tests, which
/// decide most pairs, come first and call no function.
const fn wave<W: RawWorld>(entries: &[PlanEntry<W>], accesses: &[Access], first: usize, i: usize) -> usize {
    let PlanEntry { node, summary: AccessSummary { accessed, written, sent, fallible }, .. } = &entries[i];
    let (accessed, written, sent, fallible) = (*accessed, *written, *sent, *fallible);
    // a node of a group is later than its gate
    let mut wave = match entries[i].gate {
        Some(gate) if gate >= first => entries[gate].wave + 1,
        _ => 0,
    };
    let mut j = i;
    while j > first {
        j -= 1;
        let earlier = &entries[j];
        if earlier.wave < wave {
            continue; // the wave found so far is later already
        }
        let other = &earlier.summary;
        let disjoint = other.written & accessed | other.accessed & written == 0;
        if disjoint && other.sent & sent == 0 && !fallible && !other.fallible {
            continue;
        }
        if other.fallible || (!disjoint && clash(&earlier.node, &accesses[j], node, &accesses[i])) {
            wave = earlier.wave + 1;
        } else if fallible || accesses[j].events_written.meets(&accesses[i].events_written) {
            wave = earlier.wave;
        }
    }
    wave
}

/// Whether a run only calls each system once, in order.
const fn are_plain<W: RawWorld>(stages: &[Stage], entries: &[PlanEntry<W>]) -> bool {
    !any!(stages, |stage| stage.react.is_some())
        && !any!(entries, |entry| {
            !entry.node.is_plain() || entry.exclusive || entry.finishes || entry.deferred
        })
}

/// Whether a system reads the tick of its last run.
const fn is_timed<W: RawWorld>(entries: &[PlanEntry<W>]) -> bool {
    any!(entries, |entry| entry.timed)
}

/// Whether a wave has several nodes.
const fn is_wide<W: RawWorld>(entries: &[PlanEntry<W>]) -> bool {
    let mut i = 1;
    while i < entries.len() {
        let (a, b) = (&entries[entries[i - 1].node_of_turn], &entries[entries[i].node_of_turn]);
        if a.section == b.section && a.wave == b.wave {
            return true;
        }
        i += 1;
    }
    false
}

/// Finds the gate of each node in a group, and the end of each group.
const fn find_groups<W: RawWorld>(entries: &mut [PlanEntry<W>]) {
    let mut i = 0;
    while i < entries.len() {
        if entries[i].node.group > 0 {
            entries[i].gate = gate_before(entries, i);
            let mut outer = entries[i].gate;
            while let Some(gate) = outer {
                entries[gate].group_end = i + 1;
                outer = entries[gate].gate;
            }
        }
        i += 1;
    }
}

/// Whether there are groups of steps with a condition.
const fn has_groups<W: RawWorld>(entries: &[PlanEntry<W>]) -> bool {
    any!(entries, |entry| entry.gate.is_some())
}

/// The index of the gate of the group of node `i`, which stands before it.
const fn gate_before<W: RawWorld>(entries: &[PlanEntry<W>], i: usize) -> Option<usize> {
    let mut j = i;
    while j > 0 {
        j -= 1;
        if entries[j].node.gate == entries[i].node.group {
            return Some(j);
        }
    }
    None
}

impl<W: RawWorld> PlanEntry<W> {
    /// Creates the entry of a node with a [`node_access`], whose first place is `place`. The other
    /// fields are set by [`plan`].
    pub(crate) const fn new(node: Node<W>, access: &Access, place: usize) -> Self {
        let (finishes, exclusive) = (node.finishes(), node.is_exclusive());
        let summary = AccessSummary::new(access, node.is_fallible());
        Self {
            node,
            place,
            section: 0,
            wave: 0,
            node_of_turn: 0,
            end: 0,
            flushes: false,
            gate: None,
            group_end: 0,
            finishes,
            exclusive,
            deferred: access.deferred,
            timed: access.timed,
            #[cfg(feature = "parallel")]
            main_thread: access.main_thread,
            summary,
        }
    }

    /// The range of the node's places.
    pub(crate) fn places(&self) -> core::ops::Range<usize> {
        self.place..self.place + self.node.places()
    }
}

/// The entries of the nodes of a schedule of `world!`.
pub const fn entries<W: RawWorld, const N: usize>(nodes: [Node<W>; N]) -> [PlanEntry<W>; N] {
    let mut entries = [PlanEntry::new(Node::EMPTY, &Access::NONE, 0); N];
    let mut accesses = [Access::NONE; N];
    let (mut i, mut place) = (0, 0);
    while i < N {
        accesses[i] = node_access(&nodes[i]);
        entries[i] = PlanEntry::new(nodes[i], &accesses[i], place);
        place += nodes[i].places();
        i += 1;
    }
    find_groups(&mut entries);
    plan(&mut entries, &accesses, &mut [0; N]);
    entries
}

impl<'p, W: RawWorld> Plan<'p, W> {
    /// The plan of a schedule of `world!`, from its [`entries`].
    pub const fn new(
        name: &'static str,
        index: usize,
        stages: &'static [Stage],
        every: Option<fn(&mut W, u32) -> bool>,
        entries: &'p [PlanEntry<W>],
    ) -> Self {
        let is_plain = every.is_none() && W::OBSERVERS.is_none() && are_plain(stages, entries);
        let (is_timed, is_wide, has_groups) = (is_timed(entries), is_wide(entries), has_groups(entries));
        let contains_failures = any!(entries, |entry| entry.node.is_contained);
        Self {
            name,
            index,
            stages,
            every,
            is_plain,
            is_timed,
            is_wide,
            has_groups,
            contains_failures,
            entries,
        }
    }

    /// The plan of a run-time schedule, which has no groups and takes no fast path, from entries to
    /// which [`plan`] was applied.
    pub(super) fn of_list(name: &'static str, entries: &'p [PlanEntry<W>]) -> Self {
        Self { is_plain: false, entries, ..Self::new(name, usize::MAX, &[], None, &[]) }
    }
}

/// The plans of a world's schedules, as `world!` returns them: [`RawWorld`] does not know their
/// type.
#[must_use]
pub const fn erase_plans<W: RawWorld>(plans: &'static [&'static Plan<'static, W>]) -> ErasedPlans<W> {
    ErasedPlans { first: plans.as_ptr().cast(), len: plans.len(), world: PhantomData }
}

/// The plans of a world's schedules, without the type of the world.
#[expect(unsafe_code, reason = "the plans of a world are erased in the trait that `world!` implements")]
pub(crate) fn any_plans<W: RawWorld>() -> &'static [&'static AnyPlan<'static>] {
    let ErasedPlans { first, len, world: _ } = W::__schedules();
    // SAFETY: `erase_plans` made this from a slice of references to plans, which may be read
    // without the type of their world, as in `Plan::any`.
    unsafe { slice::from_raw_parts(first.cast(), len) }
}

/// The plans of a world's schedules.
#[inline]
#[expect(unsafe_code, reason = "the plans of a world are erased in the trait that `world!` implements")]
pub(crate) fn plans<W: RawWorld>() -> &'static [&'static Plan<'static, W>] {
    let ErasedPlans { first, len, world: _ } = W::__schedules();
    // SAFETY: `erase_plans` is the only function that makes a value of `ErasedPlans<W>`, of a slice
    // of this type.
    unsafe { slice::from_raw_parts(first.cast(), len) }
}
