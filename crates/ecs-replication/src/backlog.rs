//! [`Backlog`]: the changes that a client with a budget lacks, and the choice of those that its
//! next message has.
//!
//! The backlog has an entry for each entity that changed since a state that the client surely has.
//! An entry lists the changes with the messages that have had them, so that it is known which of
//! them are done once a message is acknowledged. A message that brings an entity up to date has all
//! its changes that are not acknowledged: after it, all components of the entity are of one frame,
//! whichever messages were lost.
//!
//! Two rules join entities:
//! - A value that names an entity which the client lacks is sent after that entity, or together
//!   with it, and otherwise again.
//! - Components with a rule about several entities ([`Selection::is_coupled`]), of which the client
//!   may have other values than the newest, are sent together, so that the client's world never
//!   refuses a value beside an old one. So are relations before a target loses a component that all
//!   their targets have, `target(..)`, and after it gets one.

use std::cmp::Reverse;
use std::collections::btree_map::Entry::Vacant;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ecs::save::{Baseline, SaveError, Selection, SlotChange};
use ecs::{Entity, World};

use crate::limits::Limits;
use crate::view::Step;

/// The most entities of which a message has the hash, and the most that are passed over in search
/// of them.
const HASHED: usize = 32;

/// The smallest budget, in bytes.
const SMALLEST: usize = 128;

/// The longest chain of entities that name one another and that are put in order.
const DEPTH: usize = 64;

/// The bits of a set of changes: the entity came, another one left its slot, and the components.
/// Beyond 62 components, several have the same bit, and are sent together.
type Changes = u64;
const CAME: Changes = 1 << 63;
const LEFT: Changes = 1 << 62;

const fn bit(component: usize) -> Changes {
    1 << (component % 62)
}

/// The changes of the entity in a slot that the client lacks.
#[derive(Default)]
struct Entry {
    /// The changes, with the frame of the first message that has them; 0 for none so far, which is
    /// the last one.
    changes: Vec<(u64, Changes)>,
    /// The frame of the last message that has them; 0 for none.
    sent: u64,
    /// Whether it is to be sent: it changed since, or that message is lost.
    is_due: bool,
    /// Whether an entity in the slot is in the view.
    is_here: bool,
    priority: u32,
    /// The sum of the priorities of the ticks for which it has been due.
    waited: u64,
}

impl Entry {
    /// Adds changes that no message has so far.
    fn add(&mut self, changes: Changes) {
        match self.changes.last_mut() {
            Some((0, last)) => *last |= changes,
            _ => self.changes.push((0, changes)),
        }
        self.is_due = true;
    }

    /// Merges the first changes of more than `most`.
    fn shorten(&mut self, most: usize) {
        if self.changes.len() > most {
            let (_, first) = self.changes.remove(0);
            let changes = &mut self.changes[0].1;
            *changes |= first;
            // the client may have the entity already, with other values
            *changes |= if *changes & CAME == 0 { 0 } else { LEFT };
        }
    }

    fn all(&self) -> Changes {
        self.changes.iter().fold(0, |all, (_, changes)| all | changes)
    }

    /// Whether the client may have another value of these components than the newest one, and not
    /// only none.
    fn may_be_old(&self, components: Changes) -> bool {
        let is_first = |at: usize, changes: Changes| at == 0 && changes & (CAME | LEFT) == CAME;
        let old = |(at, &(_, changes)): (usize, &(u64, Changes))| {
            changes & (components | LEFT) != 0 && !is_first(at, changes)
        };
        self.changes.iter().enumerate().any(old)
    }
}

/// A message that is neither acknowledged nor known to be lost.
struct Sent {
    frame: u64,
    slots: Vec<u32>,
}

/// The changes that a client with a budget lacks.
pub(crate) struct Backlog {
    /// The bytes of a tick.
    budget: usize,
    /// The bytes that earlier messages had beyond the budget.
    debt: usize,
    entries: BTreeMap<u32, Entry>,
    sent: VecDeque<Sent>,
    /// The entities and the bytes of the last message: for a guess of how many fit.
    last: (usize, usize),
    /// The slot after the last one whose priority was asked.
    asked: u32,
    /// The slot after the last one whose entity was compared by hash.
    hashed: u32,
}

/// The content of the next message.
pub(crate) struct Part {
    slots: Vec<u32>,
    /// The values that name an entity which the client lacks: slots and components.
    incomplete: Vec<(u32, Changes)>,
    pub(crate) delta: Vec<u8>,
    pub(crate) hash: u64,
    /// The slots whose entities the hash is of.
    pub(crate) hashed: (u32, u32),
}

impl Part {
    /// One without changes, whose numbers have the most bytes.
    pub(crate) const fn longest_without_delta() -> Self {
        Self {
            slots: Vec::new(),
            incomplete: Vec::new(),
            delta: Vec::new(),
            hash: u64::MAX,
            hashed: (u32::MAX, u32::MAX),
        }
    }
}

/// The world, and the part of it that the client sees.
pub(crate) struct Seen<'w, W: World> {
    pub(crate) world: &'w W,
    pub(crate) baseline: &'w Baseline<W>,
}

impl<W: World> Seen<'_, W> {
    /// The entity in this slot, if the client sees it.
    fn at(&self, slot: u32) -> Option<Entity> {
        self.baseline.entities_from(slot).next().filter(|entity| entity.slot() == slot)
    }
}

/// The entities that the values of a slot name and that the client lacks, with the component.
type Lacked = Vec<(Changes, u32)>;

/// The order in which entities are sent.
#[derive(Default)]
struct Order {
    slots: Vec<u32>,
    /// The number of the first ones that are sent together.
    least: usize,
    lacked: BTreeMap<u32, Lacked>,
}

impl Backlog {
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            budget: budget.max(SMALLEST),
            debt: 0,
            entries: BTreeMap::new(),
            sent: VecDeque::new(),
            last: (1, 32),
            asked: 0,
            hashed: 0,
        }
    }

    pub(crate) fn budget(&self) -> usize {
        self.budget
    }

    pub(crate) fn set_budget(&mut self, budget: usize) {
        (self.budget, self.debt) = (budget.max(SMALLEST), 0);
    }

    /// Forgets what the client has.
    pub(crate) fn clear(&mut self) {
        *self = Self { debt: self.debt, ..Self::new(self.budget) };
    }

    /// The bytes that are left for the next message.
    pub(crate) fn room(&self) -> usize {
        self.budget.saturating_sub(self.debt)
    }

    /// Adds the changes of a tick. To add them twice is as good as once.
    pub(crate) fn add<W: World>(&mut self, step: &Step, baseline: &Baseline<W>) {
        step.slots.for_each(|slot, change| {
            let entry =
                self.entries.entry(slot).or_insert_with(|| Entry { is_here: true, ..Entry::default() });
            match change {
                SlotChange::Came => {
                    entry.is_here = true;
                    entry.add(CAME);
                }
                SlotChange::Left => {
                    let here = baseline.entities_from(slot).next();
                    entry.is_here = here.is_some_and(|entity| entity.slot() == slot);
                    // before all others, once
                    entry.waited = if entry.is_here { entry.waited } else { u64::MAX };
                    entry.add(LEFT);
                }
                SlotChange::Component(at) => entry.add(bit(at)),
            }
        });
    }

    /// Chooses the content of the message of `frame`, which has at most `room` bytes, unless an
    /// entity alone has more, or those whose values belong together. `priority` is called for
    /// entities that wait.
    pub(crate) fn part<W: World>(
        &mut self,
        selection: Selection<W>,
        seen: &Seen<'_, W>,
        [from, frame]: [u64; 2],
        room: usize,
        priority: Option<&dyn Fn(Entity) -> u32>,
        limits: &Limits,
    ) -> Result<Part, SaveError> {
        self.wait(seen, priority, limits);
        let guess = (self.last.0.saturating_mul(room) / self.last.1).max(1);
        let most = guess.saturating_mul(2).saturating_add(64);
        let due = self.most_urgent(most);
        let Order { slots: order, least, lacked } = self.coupled_order(&selection, seen, &due, most)?;
        // the part of the selection that may be sent, and as much of it as fits
        let components = selection.names().len();
        let narrow = selection.only(order.iter().filter_map(|&slot| seen.at(slot)));
        let pays_back = self.debt > 0 && room == 0;
        let least = if pays_back { 0 } else { least.max(1).min(order.len()) };
        let (count, delta) = fitting(order.len(), least, guess, room, |count| {
            let changes = self.changes(order[..count].to_vec(), components);
            narrow.delta_of([&narrow.changes_of(changes)], from, seen.world, frame)
        })?;
        let slots = order[..count].to_vec();
        let chosen: BTreeSet<u32> = slots.iter().copied().collect();
        let names_lacked = |slot: &u32| {
            let lacked = lacked.get(slot).into_iter().flatten();
            let components =
                lacked.filter(|(_, named)| !chosen.contains(named)).fold(0, |all, (at, _)| all | at);
            (components != 0).then_some((*slot, components))
        };
        let incomplete = slots.iter().filter_map(names_lacked).collect();
        // a hash of some entities that the client has
        let (entities, hashed) = self.next_hashed(seen);
        let hash = narrow.only(entities).hash_by(seen.world, Some)?;
        Ok(Part { slots, incomplete, delta, hash, hashed })
    }

    /// Asks for the priorities of some entities, those of the next slots, and adds those of all.
    fn wait<W: World>(
        &mut self,
        seen: &Seen<'_, W>,
        priority: Option<&dyn Fn(Entity) -> u32>,
        limits: &Limits,
    ) {
        let mut left = if priority.is_some() { limits.priorities } else { 0 };
        for range in [self.asked..u32::MAX, 0..self.asked] {
            let due = self.entries.range_mut(range).filter(|(_, entry)| entry.is_due && entry.is_here);
            for (&slot, entry) in due.take(left) {
                if let Some((entity, priority)) = seen.at(slot).zip(priority) {
                    entry.priority = priority(entity);
                }
                (self.asked, left) = (slot + 1, left - 1);
            }
        }
        let greatest = self.entries.values().map(|entry| entry.priority).max().unwrap_or(1);
        for entry in self.entries.values_mut().filter(|entry| entry.is_due) {
            let priority = if entry.is_here { entry.priority } else { greatest };
            entry.waited = entry.waited.saturating_add(u64::from(priority.max(1)));
        }
    }

    /// The slots that are due, those that have waited longest first, and at most so many.
    fn most_urgent(&self, most: usize) -> Vec<u32> {
        let due = self.entries.iter().filter(|(_, entry)| entry.is_due);
        let mut due: Vec<_> = due.map(|(&slot, entry)| (Reverse(entry.waited), slot)).collect();
        if due.len() > most {
            due.select_nth_unstable(most);
            due.truncate(most);
        }
        due.sort_unstable();
        due.into_iter().map(|(_, slot)| slot).collect()
    }

    /// The order in which entities are sent: first those whose values belong together, if one of
    /// them, or another one with such values, is sent at all.
    fn coupled_order<W: World>(
        &self,
        selection: &Selection<W>,
        seen: &Seen<'_, W>,
        due: &[u32],
        most: usize,
    ) -> Result<Order, SaveError> {
        let order = self.order(selection, seen, &[], due, most)?;
        let coupled = (0..selection.names().len()).filter(|&at| selection.is_coupled(at));
        let coupled = coupled.fold(0, |all, at| all | bit(at));
        let of_targets: BTreeSet<usize> =
            (0..selection.names().len()).flat_map(|at| selection.of_targets(at)).collect();
        let loses = |slot: u32| {
            let changes = self.entries[&slot].all();
            let is_lost = |entity| {
                let mut changed = of_targets.iter().filter(|&&at| changes & bit(at) != 0);
                changed.any(|&at| !selection.has(at, seen.world, entity))
            };
            !of_targets.is_empty() && seen.at(slot).is_some_and(is_lost)
        };
        let is_coupled = |&slot: &u32| self.entries[&slot].all() & coupled != 0 || loses(slot);
        if !order.slots.iter().any(is_coupled) {
            return Ok(order);
        }
        let old = self.entries.iter().filter(|(_, entry)| entry.may_be_old(coupled));
        let old: Vec<u32> = old.map(|(&slot, _)| slot).collect();
        if old.is_empty() { Ok(order) } else { self.order(selection, seen, &old, due, most) }
    }

    /// The order in which entities are sent: those of `first`, and about `most` of those that are
    /// due. An entity that is named comes before those that name it.
    fn order<W: World>(
        &self,
        selection: &Selection<W>,
        seen: &Seen<'_, W>,
        first: &[u32],
        due: &[u32],
        most: usize,
    ) -> Result<Order, SaveError> {
        let mut order = Order::default();
        for (at, &slot) in first.iter().chain(due).enumerate() {
            if at == first.len() {
                order.least = order.slots.len();
            }
            if at >= first.len() && order.slots.len() >= most {
                break;
            }
            // a slot is pushed before those that it names, and placed when it is seen again
            let mut stack = vec![(slot, false)];
            while let Some((slot, is_next)) = stack.pop() {
                if is_next {
                    order.slots.push(slot);
                } else if let Vacant(entry) = order.lacked.entry(slot) {
                    let named = self.lacked(selection, seen, slot)?;
                    stack.push((slot, true));
                    if stack.len() < DEPTH {
                        stack.extend(named.iter().map(|&(_, named)| (named, false)));
                    }
                    entry.insert(named);
                }
            }
        }
        if due.is_empty() {
            order.least = order.slots.len();
        }
        Ok(order)
    }

    /// The entities that the changed values of a slot name and that the client lacks, or of which
    /// it may lack a component that the relation needs.
    fn lacked<W: World>(
        &self,
        selection: &Selection<W>,
        seen: &Seen<'_, W>,
        slot: u32,
    ) -> Result<Lacked, SaveError> {
        let (mut lacked, changes) = (Lacked::new(), self.entries[&slot].all());
        let Some(entity) = seen.at(slot) else { return Ok(lacked) };
        for component in (0..selection.names().len()).filter(|&at| changes & bit(at) != 0) {
            let needed = selection.of_targets(component).fold(CAME, |all, at| all | bit(at));
            for named in selection.ids(component, seen.world, entity)? {
                let comes = |entry: &Entry| entry.all() & needed != 0;
                let is_lacked = self.entries.get(&named.slot()).is_some_and(comes);
                if is_lacked && named != entity && seen.at(named.slot()) == Some(named) {
                    lacked.push((bit(component), named.slot()));
                }
            }
        }
        Ok(lacked)
    }

    /// The changes of these slots.
    fn changes(&self, mut slots: Vec<u32>, components: usize) -> Vec<(u32, SlotChange)> {
        slots.sort_unstable();
        let mut changes = Vec::new();
        for slot in slots {
            let all = self.entries[&slot].all();
            if all & CAME != 0 {
                changes.push((slot, SlotChange::Came));
            }
            if all & LEFT != 0 {
                changes.push((slot, SlotChange::Left));
            }
            let changed = (0..components).filter(|&at| all & bit(at) != 0);
            changes.extend(changed.map(|at| (slot, SlotChange::Component(at))));
        }
        changes
    }

    /// The next entities of which the client has the newest state, and the range of their slots.
    fn next_hashed<W: World>(&self, seen: &Seen<'_, W>) -> (Vec<Entity>, (u32, u32)) {
        let mut found: Vec<Entity> = Vec::new();
        for entity in seen.baseline.entities_from(self.hashed).take(2 * HASHED) {
            let slot = entity.slot();
            let first = found.last().map_or(slot, |last| last.slot());
            if self.entries.range(first..=slot).next().is_none() {
                found.push(entity);
            } else if !found.is_empty() {
                break;
            }
            if found.len() == HASHED {
                break;
            }
        }
        let range = match (found.first(), found.last()) {
            (Some(first), Some(last)) => (first.slot(), last.slot() + 1),
            _ => (0, 0),
        };
        (found, range)
    }

    /// Notes that the content of the message of `frame` is sent, in a message of so many bytes.
    pub(crate) fn note_sent<W: World>(
        &mut self,
        part: Part,
        frame: u64,
        bytes: usize,
        baseline: &Baseline<W>,
        limits: &Limits,
    ) {
        if part.slots.is_empty() {
            // what is in each message may be longer than the budget, and the debt ends nevertheless
            let paid = self.budget.saturating_sub(bytes).max(self.budget / 8);
            self.debt = self.debt.saturating_sub(paid);
        } else {
            self.debt = self.debt.saturating_add(bytes).saturating_sub(self.budget);
            self.last = (part.slots.len(), part.delta.len().max(1));
        }
        for slot in &part.slots {
            let Some(entry) = self.entries.get_mut(slot) else { continue };
            if let Some((first @ 0, _)) = entry.changes.last_mut() {
                *first = frame;
                entry.shorten(limits.frames.max(2));
            }
            (entry.sent, entry.is_due, entry.waited) = (frame, false, 0);
        }
        for (slot, components) in part.incomplete {
            if let Some(entry) = self.entries.get_mut(&slot) {
                entry.add(components);
            }
        }
        self.sent.push_back(Sent { frame, slots: part.slots });
        if self.sent.len() > limits.frames.max(2) {
            let lost = self.sent.pop_front();
            lost.into_iter().for_each(|lost| self.note_lost(&lost));
        }
        // go on after the hashed entities, or after those that were passed over
        let passed = || baseline.entities_from(self.hashed).nth(2 * HASHED).map_or(0, |entity| entity.slot());
        self.hashed = if part.hashed.1 > 0 { part.hashed.1 } else { passed() };
    }

    /// Notes that the client has `frame`, and lacks those of the 64 before it that have a bit in
    /// `missing`. A message that it lacks then is lost, since it does not take earlier ones.
    pub(crate) fn acknowledge(&mut self, frame: u64, missing: u64) {
        while let Some(sent) = self.sent.pop_front_if(|sent| sent.frame <= frame) {
            let back = frame - sent.frame;
            let is_received = back == 0 || back <= 64 && missing >> (back - 1) & 1 == 0;
            if is_received {
                self.note_received(&sent);
            } else {
                self.note_lost(&sent);
            }
        }
    }

    fn note_received(&mut self, message: &Sent) {
        for slot in &message.slots {
            let Some(entry) = self.entries.get_mut(slot) else { continue };
            entry.changes.retain(|&(first, _)| first == 0 || first > message.frame);
            if entry.changes.is_empty() {
                self.entries.remove(slot);
            }
        }
    }

    fn note_lost(&mut self, message: &Sent) {
        for slot in &message.slots {
            // unless a later message has the changes, too
            let entry = self.entries.get_mut(slot).filter(|entry| entry.sent == message.frame);
            entry.into_iter().for_each(|entry| entry.is_due = true);
        }
    }
}

/// The largest number, about, of the first entities of `all` whose delta has at most `room` bytes,
/// and at least `least`; and the delta. `guess` is tried first.
fn fitting(
    all: usize,
    least: usize,
    guess: usize,
    room: usize,
    delta: impl Fn(usize) -> Result<Vec<u8>, SaveError>,
) -> Result<(usize, Vec<u8>), SaveError> {
    let mut count = guess.clamp(least, all.max(least));
    // the largest number that is known to fit, and the smallest that does not
    let (mut best, mut too_many) = (None, all + 1);
    for _ in 0..6 {
        let bytes = delta(count)?;
        let length = bytes.len().max(1);
        let by_length = count.saturating_mul(room) / length;
        if length <= room || count <= least {
            best = Some((count, bytes));
            // an eighth of the room may stay empty
            if count + 1 >= too_many || length.saturating_mul(8) >= room.saturating_mul(7) {
                break;
            }
            count = by_length.clamp(count + 1, too_many - 1);
        } else {
            too_many = count;
            let known = best.as_ref().map_or(least, |(count, _)| count + 1);
            if known >= too_many {
                break;
            }
            count = by_length.clamp(known, count - 1);
        }
    }
    match best {
        Some(best) => Ok(best),
        None => Ok((least, delta(least)?)),
    }
}
