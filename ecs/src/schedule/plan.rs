//! What of a schedule is known before it runs: which systems clash, and what can run at the same time.
//!
//! The plan is computed in a constant. Two systems of one stage *clash* if some parameter of the one and some of the
//! other touch the same, one of them writing, unless their filters keep the entities apart. Those that clash keep their
//! order; a system's *wave* is one more than the latest wave of those before it that it clashes with, and systems of one
//! wave may run at the same time. Two that send the same event may share a wave, but the later one is never in an
//! earlier wave, so that what they send can be put together in the order of the text.

use alloc::alloc::{alloc, handle_alloc_error};
use alloc::boxed::Box;
use core::alloc::Layout;
use core::mem::offset_of;

use crate::system::access::Access;
use crate::world::World;

use super::node::Node;

/// A stage as written: what stands between two `;`.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// How often its systems may run until they have no news to react to; once, if there is no number.
    pub react: Option<u32>,
}

/// What a node touches as a whole, with one bit for all indices that are the same modulo 128: nearly all pairs of nodes are
/// told apart by it, and the compiler, which computes the plan, is spared the sets.
#[derive(Clone, Copy)]
struct Digest {
    /// All that it touches, and a bit that all have who touch the world.
    touched: u128,
    /// What it changes: a part of that.
    changed: u128,
    /// The events that it sends.
    sent: u128,
    /// Whether it may fail: who comes later waits for it, whatever it touches.
    fallible: bool,
}

impl Digest {
    const fn new(access: &Access, fallible: bool) -> Self {
        if access.exclusive {
            return Self { touched: u128::MAX, changed: u128::MAX, sent: u128::MAX, fallible };
        }
        let sent = access.events_written.folded();
        let written =
            access.write.or(access.presence_write).folded() | access.resources_write.folded() | sent;
        let read = access.read.or(access.presence).or(access.stamps).folded()
            | access.resources_read.folded()
            | access.events_read.folded();
        let world = if access.world { 1 } else { 0 };
        Self { touched: read | written | world, changed: written, sent, fallible }
    }
}

/// A node, and where the plan has it.
pub struct Entry<W: World> {
    pub(crate) node: Node<W>,
    /// The number of its first place.
    pub(crate) place: usize,
    /// Between two flushes: a stage, or a part of one that an exclusive system cuts in two.
    pub(crate) section: usize,
    pub(crate) wave: usize,
    /// The number of the node that takes this one's turn in the order by section, wave and text.
    pub(crate) nth: usize,
    /// Where the section of the first node of one ends.
    pub(crate) end: usize,
    /// Whether a node of the section that begins here leaves changes behind.
    pub(crate) flushes: bool,
    pub(crate) finishes: bool,
    pub(crate) exclusive: bool,
    /// Whether it leaves changes behind that are made when its section is over.
    pub(crate) deferred: bool,
    digest: Digest,
}

impl<W: World> Clone for Entry<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Entry<W> {}

/// A schedule. The layout is fixed, so that one can be made whose length is known at run time only.
#[repr(C)]
pub struct Plan<W: World, Entries: ?Sized = [Entry<W>]> {
    pub(crate) name: &'static str,
    /// Which of the world's schedules it is.
    pub(crate) index: usize,
    pub(crate) stages: &'static [Stage],
    /// Whether it is to run once more, after so many times; once, if nothing says.
    pub(crate) every: Option<fn(&mut W, u32) -> bool>,
    /// Whether a run is no more than one turn of each system, in order.
    pub(crate) is_plain: bool,
    /// Whether some system is told when it ran last.
    pub(crate) is_timed: bool,
    /// Whether some systems can run at the same time.
    pub(crate) is_wide: bool,
    pub(crate) entries: Entries,
}

/// What all systems of a node touch, filters apart.
pub(crate) const fn whole<W: World>(node: &Node<W>) -> Access {
    let (mut access, mut i) = (node.task.access(), 0);
    while i < node.asked.len() {
        access = access.and(node.asked[i].task.access());
        i += 1;
    }
    access.without_filters()
}

/// What the per-entity parameters of a system touch together.
const fn row<W: World>(node: &Node<W>) -> Access {
    let (params, mut row, mut i) = (node.task.params, Access::NONE, 0);
    while i < params.len() {
        if params[i].kind.is_row() {
            row = row.and(params[i].access);
        }
        i += 1;
    }
    row
}

/// Whether what a node touches commutes with an access, parameter by parameter.
const fn commutes<W: World>(node: &Node<W>, row: &Access, other: &Access) -> bool {
    if !row.commutes(other) {
        return false;
    }
    let mut i = 0;
    while i < node.task.params.len() {
        let param = &node.task.params[i];
        if !param.kind.is_row() && !param.access.commutes(other) {
            return false;
        }
        i += 1;
    }
    let mut i = 0;
    while i < node.asked.len() {
        if !node.asked[i].task.access().without_filters().commutes(other) {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether a filter of a node may demand that its entities do not have some component: without one, filters keep no
/// entities apart.
const fn excludes<W: World>(node: &Node<W>) -> bool {
    let mut i = 0;
    while i < node.task.params.len() {
        let access = &node.task.params[i].access;
        if !access.without.is_empty() || !access.alternatives.is_none() {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the order of two nodes matters. What each touches as a whole is given, for most are told apart by that.
pub(crate) const fn clash<W: World>(a: &Node<W>, whole_a: &Access, b: &Node<W>, whole_b: &Access) -> bool {
    if whole_a.commutes(whole_b) {
        return false;
    }
    if !excludes(a) && !excludes(b) {
        return true;
    }
    let (row_a, row_b) = (row(a), row(b));
    // every part of `b` against `a`
    if !commutes(a, &row_a, &row_b) {
        return true;
    }
    let mut i = 0;
    while i < b.task.params.len() {
        let param = &b.task.params[i];
        if !param.kind.is_row() && !commutes(a, &row_a, &param.access) {
            return true;
        }
        i += 1;
    }
    let mut i = 0;
    while i < b.asked.len() {
        if !commutes(a, &row_a, &b.asked[i].task.access().without_filters()) {
            return true;
        }
        i += 1;
    }
    false
}

/// Fills in sections, waves and the order by them, given what each node touches as a whole. `next` has room for as many
/// numbers as there are entries.
pub(crate) const fn plan<W: World>(entries: &mut [Entry<W>], wholes: &[Access], next: &mut [usize]) {
    let (mut i, mut section, mut first) = (0, 0, 0);
    while i < entries.len() {
        if i > 0 {
            let (before, this) = (&entries[i - 1], &entries[i]);
            if before.node.stage != this.node.stage || before.exclusive || this.exclusive {
                order(entries, first, i, next);
                section += 1;
                first = i;
            }
        }
        entries[i].section = section;
        entries[i].wave = wave(entries, wholes, first, i);
        entries[first].end = i + 1;
        entries[first].flushes |= entries[i].deferred;
        i += 1;
    }
    order(entries, first, i, next);
}

/// Gives the nodes of a section their turns, by wave and text. A wave is at most the number of nodes before its own in the
/// section.
const fn order<W: World>(entries: &mut [Entry<W>], first: usize, end: usize, next: &mut [usize]) {
    // how many there are of each wave, and then where the next of each goes
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
        entries[*turn].nth = i;
        *turn += 1;
        i += 1;
    }
}

/// The wave of a node of the section that begins with `first`, when all before it have theirs.
///
/// The compiler does this for each pair of systems: what most pairs need comes first, and calls nothing.
const fn wave<W: World>(entries: &[Entry<W>], wholes: &[Access], first: usize, i: usize) -> usize {
    let Entry { node, digest: Digest { touched, changed, sent, fallible }, .. } = &entries[i];
    let (touched, changed, sent, fallible) = (*touched, *changed, *sent, *fallible);
    let (mut wave, mut j) = (0, i);
    while j > first {
        j -= 1;
        let earlier = &entries[j];
        if earlier.wave < wave {
            continue; // whatever they do to each other, it is late enough
        }
        let digest = &earlier.digest;
        let apart = digest.changed & touched | digest.touched & changed == 0;
        if apart && digest.sent & sent == 0 && !fallible && !digest.fallible {
            continue;
        }
        if digest.fallible || (!apart && clash(&earlier.node, &wholes[j], node, &wholes[i])) {
            wave = earlier.wave + 1;
        } else if fallible || wholes[j].events_written.meets(&wholes[i].events_written) {
            wave = earlier.wave;
        }
    }
    wave
}

/// Whether there is nothing to do but to give each node its turn.
const fn are_plain<W: World>(stages: &[Stage], entries: &[Entry<W>]) -> bool {
    let mut i = 0;
    while i < stages.len() {
        if stages[i].react.is_some() {
            return false;
        }
        i += 1;
    }
    let mut i = 0;
    while i < entries.len() {
        let entry = &entries[i];
        if !entry.node.is_plain() || entry.exclusive || entry.finishes || entry.deferred {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether somebody asks when its system ran last.
const fn is_timed(wholes: &[Access]) -> bool {
    let (mut timed, mut i) = (false, 0);
    while i < wholes.len() {
        timed |= wholes[i].timed;
        i += 1;
    }
    timed
}

/// Whether some wave has several nodes.
const fn is_wide<W: World>(entries: &[Entry<W>]) -> bool {
    let mut i = 1;
    while i < entries.len() {
        let (a, b) = (&entries[entries[i - 1].nth], &entries[entries[i].nth]);
        if a.section == b.section && a.wave == b.wave {
            return true;
        }
        i += 1;
    }
    false
}

impl<W: World> Entry<W> {
    /// A node whose places begin with `place`, and what it touches as a whole.
    pub(crate) const fn new(node: Node<W>, whole: &Access, place: usize) -> Self {
        let (finishes, exclusive) = (node.finishes(), node.is_exclusive());
        let digest = Digest::new(whole, node.is_fallible());
        Self {
            node,
            place,
            section: 0,
            wave: 0,
            nth: 0,
            end: 0,
            flushes: false,
            finishes,
            exclusive,
            deferred: whole.deferred,
            digest,
        }
    }

    /// Its places.
    pub(crate) fn places(&self) -> core::ops::Range<usize> {
        self.place..self.place + self.node.places()
    }
}

impl<W: World, const N: usize> Plan<W, [Entry<W>; N]> {
    /// The plan of a schedule.
    pub const fn new(
        name: &'static str,
        index: usize,
        stages: &'static [Stage],
        every: Option<fn(&mut W, u32) -> bool>,
        nodes: [Node<W>; N],
    ) -> Self {
        let mut entries = [Entry::new(Node::NOTHING, &Access::NONE, 0); N];
        let mut wholes = [Access::NONE; N];
        let (mut i, mut place) = (0, 0);
        while i < N {
            wholes[i] = whole(&nodes[i]);
            entries[i] = Entry::new(nodes[i], &wholes[i], place);
            place += nodes[i].places();
            i += 1;
        }
        plan(&mut entries, &wholes, &mut [0; N]);
        Self {
            name,
            index,
            stages,
            every,
            is_plain: every.is_none() && are_plain(stages, &entries),
            is_timed: is_timed(&wholes),
            is_wide: is_wide(&entries),
            entries,
        }
    }
}

impl<W: World> Plan<W> {
    /// The plan of a schedule that is built at run time, of entries that were planned.
    pub(super) fn boxed(name: &'static str, entries: &[Entry<W>]) -> Box<Self> {
        let head = Plan::<W, [Entry<W>; 0]> {
            name,
            index: usize::MAX,
            stages: &[],
            every: None,
            is_plain: false,
            is_timed: true,
            is_wide: is_wide(entries),
            entries: [],
        };
        let layout =
            Layout::array::<Entry<W>>(entries.len()).and_then(|array| Layout::for_value(&head).extend(array));
        let (layout, start) = layout.expect("a list of this length is in memory already");
        debug_assert_eq!(start, offset_of!(Plan<W, [Entry<W>; 0]>, entries));
        let layout = layout.pad_to_align();
        #[expect(unsafe_code, reason = "there is no safe way to make a value with a tail of any length")]
        // SAFETY: the layout is not empty, and that of a `repr(C)` struct of the head's fields and that many entries; all
        // of them are written before it counts as one, and they are `Copy`.
        unsafe {
            let memory = alloc(layout);
            if memory.is_null() {
                handle_alloc_error(layout);
            }
            memory.cast::<Plan<W, [Entry<W>; 0]>>().write(head);
            let tail = memory.add(start).cast::<Entry<W>>();
            tail.copy_from_nonoverlapping(entries.as_ptr(), entries.len());
            let plan = core::ptr::slice_from_raw_parts_mut(memory, entries.len()) as *mut Self;
            debug_assert_eq!(Layout::for_value(&*plan), layout);
            Box::from_raw(plan)
        }
    }
}
