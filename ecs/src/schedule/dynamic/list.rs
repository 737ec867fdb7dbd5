//! The list of systems and flushes of a [`Schedule`], and the plan that is made from it.
//!
//! Each system keeps its place, the index of its state, for as long as it is in the list, so that
//! neither sorting nor planning moves a state. A plan refers to items by id.
//! [`update_disabled`](Schedule::update_disabled) looks up which of these items are still in the
//! list and switched on.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::super::node::{Node, Task};
use super::super::plan::{Plan, PlanEntry, node_access, plan};
use super::super::states;
use super::super::timing::ScheduleTimes;
use super::{ItemKind, ListPlan, Schedule, ScheduleItem};
use crate::base::place::Place;
use crate::error::ScheduleError;
use crate::raw_world::RawWorld;
use crate::system::{SystemPhase, SystemState};

impl<W: RawWorld> Schedule<W> {
    /// Returns an error that names the system, unless it is new.
    pub(super) fn check_new(&self, system: &'static str, new: bool) -> Result<(), ScheduleError> {
        let present = ScheduleError::Present { system, schedule: self.name, world: W::WORLD_NAME };
        if new { Ok(()) } else { Err(present) }
    }

    /// Checks that the schedule belongs to this world or to none, and renews the token that both
    /// share.
    pub(super) fn renew_token(&mut self, world: &mut W) -> Result<(), ScheduleError> {
        let belongs = self.token == 0 || states::of_mut(world).tokens.renew(&mut self.token);
        let other = ScheduleError::OtherWorld { schedule: self.name, world: W::WORLD_NAME };
        if belongs { Ok(()) } else { Err(other) }
    }

    /// Adds a system, and opens its state, which `init` makes.
    pub(super) fn insert(
        &mut self,
        world: &mut W,
        key: i64,
        node: Node<W>,
        init: impl FnOnce(&mut W) -> SystemState,
    ) -> Result<(), ScheduleError> {
        self.renew_token(world)?;
        node.task.desc.set_up(world);
        self.renew_token(world)?; // `set_up` may have replaced the world by another one
        let place = Place::Built { schedule: self.name, system: node.task.name };
        let state = states::open(world, place, node.task.desc, init);
        if self.token == 0 {
            self.token = states::of_mut(world).tokens.add();
        }
        let place = match self.free.pop() {
            Some(place) => {
                self.states.places[place] = state;
                place
            }
            None => {
                self.states.places.push(state);
                self.states.places.len() - 1
            }
        };
        self.push_item(key, ItemKind::System { node, place, on: true });
        Ok(())
    }

    /// Adds an item, and sorts the list.
    pub(super) fn push_item(&mut self, key: i64, kind: ItemKind<W>) {
        self.items.push(ScheduleItem { id: self.next_id, key, kind });
        self.next_id += 1;
        self.sort();
    }

    /// Removes systems, and closes their states, which releases what their parameters hold in the
    /// world. Then calls their `exit` functions, in the reverse of the order in which the systems
    /// were added.
    pub(super) fn remove_where(&mut self, world: &mut W, is: impl Fn(&Task<W>) -> bool) -> usize {
        let is_removed = |item: &mut ScheduleItem<W>| item.task().is_some_and(&is);
        // before anything changes: a state must only be closed in the world that opened it
        if let Err(error) = self.renew_token(world) {
            panic!("{error}");
        }
        // out of the list first: the systems never run again, even if an `exit` function panics
        let mut removed: Vec<ScheduleItem<W>> = self.items.extract_if(.., is_removed).collect();
        if removed.is_empty() {
            return 0;
        }
        (self.plan_is_stale, self.disabled_is_stale) = (true, true);
        let mut states = Vec::new();
        // close the states: the world forgets their event readers and reserved ids
        for item in &removed {
            let ItemKind::System { node, place, .. } = &item.kind else { continue };
            let mut state = core::mem::replace(&mut self.states.places[*place], SystemState::new(()));
            self.released.push(*place);
            node.task.desc.finish_alone(world, &mut state, &mut SystemPhase::Close);
            states.push(state);
        }
        // an empty schedule belongs to no world, and may be filled in another one
        if self.is_empty() {
            states::of_mut(world).tokens.remove(self.token);
            self.token = 0;
        }
        // events that only the closed readers were to read can go
        world.__trim_events();
        // user code: `Local` values are dropped, and `exit` functions run, once the world is
        // consistent
        drop(states);
        removed.sort_by_key(|item| Reverse(item.id));
        for task in removed.iter().filter_map(ScheduleItem::task) {
            task.desc.exit(world);
        }
        removed.len()
    }

    /// The systems of the list, in order, each with its item.
    pub(super) fn systems(&self) -> impl Iterator<Item = (&ScheduleItem<W>, &Task<W>)> {
        self.items.iter().filter_map(|item| Some((item, item.task()?)))
    }

    /// The key of the first system for which `is` holds.
    pub(super) fn key_where(&self, is: impl Fn(&Task<W>) -> bool) -> Option<i64> {
        self.systems().find(|(_, task)| is(task)).map(|(item, _)| item.key)
    }

    /// Sets the key of the systems for which `is` holds, and returns their number.
    pub(super) fn set_key_where(&mut self, is: impl Fn(&Task<W>) -> bool, key: i64) -> usize {
        let items = self.items.iter_mut().filter(|item| item.task().is_some_and(&is));
        items.map(|item| item.key = key).count()
    }

    /// Switches the systems for which `is` holds on or off, and returns their number.
    pub(super) fn enable_where(&mut self, is: impl Fn(&Task<W>) -> bool, to: bool) -> usize {
        self.disabled_is_stale = true;
        let mut found = 0;
        for item in &mut self.items {
            if let ItemKind::System { node, on, .. } = &mut item.kind
                && is(&node.task)
            {
                *on = to;
                found += 1;
            }
        }
        found
    }

    /// Whether a system for which `is` holds is switched on.
    pub(super) fn is_enabled_where(&self, is: impl Fn(&Task<W>) -> bool) -> bool {
        self.systems().any(|(item, task)| is(task) && item.is_on())
    }

    /// Returns the plan of the current list, and makes it if the list has changed since the last
    /// one.
    pub(super) fn current_plan(&mut self) -> Arc<ListPlan<W>> {
        if !self.plan_is_stale
            && let Some(planned) = &self.planned
        {
            return planned.clone();
        }
        // the old plan is not used any more, so places of removed systems are free for new ones
        let planned = Arc::new(self.plan());
        self.free.append(&mut self.released);
        // run times stay with their system by its id; decisions of the old plan are measured anew
        let clock = &mut self.states.clock;
        let mut table = clock.table.take();
        if let (Some(sums), Some(before)) = (&mut table, &self.planned) {
            let sum = |&id| before.index_of(id).and_then(|at| sums.get(at)).copied();
            *sums = planned.ids.iter().map(|id| sum(id).unwrap_or_default()).collect();
        }
        *clock = ScheduleTimes { table, parallelism: clock.parallelism, ..ScheduleTimes::default() };
        (self.plan_is_stale, self.disabled_is_stale) = (false, true);
        self.planned.insert(planned).clone()
    }

    /// Makes the plan of the current list.
    pub(super) fn plan(&self) -> ListPlan<W> {
        let (mut stage, mut entries, mut accesses, mut ids) = (0, Vec::new(), Vec::new(), Vec::new());
        for item in &self.items {
            // flushes are no entries: they end a stage, if a system is in it
            if self.flush_between || matches!(item.kind, ItemKind::Flush) {
                let last: Option<&PlanEntry<W>> = entries.last();
                stage = last.map_or(0, |last| last.node.stage + 1);
            }
            let ItemKind::System { mut node, place, .. } = item.kind else { continue };
            node.stage = stage;
            let access = node_access(&node);
            entries.push(PlanEntry::new(node, &access, place));
            accesses.push(access);
            ids.push(item.id);
        }
        // waves within each stage, by the accesses
        let mut next = alloc::vec![0; entries.len()];
        plan(&mut entries, &accesses, &mut next);
        ListPlan { name: self.name, entries, ids }
    }

    /// Computes which entries of the plan must not run: systems that are switched off, or were
    /// removed since the plan was made.
    pub(super) fn update_disabled(&mut self) {
        if let Some(planned) = self.planned.as_ref().filter(|_| self.disabled_is_stale) {
            let on = self.items.iter().filter(|item| item.is_on()).map(|item| item.id);
            let on: BTreeSet<u64> = on.collect();
            self.states.disabled = planned.ids.iter().map(|id| !on.contains(id)).collect();
            self.disabled_is_stale = false;
        }
    }
}

impl<W: RawWorld> ScheduleItem<W> {
    /// The system of the item; `None` for a flush.
    pub(super) fn task(&self) -> Option<&Task<W>> {
        match &self.kind {
            ItemKind::System { node, .. } => Some(&node.task),
            ItemKind::Flush => None,
        }
    }

    /// Whether the item is a system that is switched on.
    pub(super) fn is_on(&self) -> bool {
        matches!(self.kind, ItemKind::System { on: true, .. })
    }
}

impl<W: RawWorld> ListPlan<W> {
    /// The plan, for the executor.
    pub(super) fn plan(&self) -> Plan<'_, W> {
        Plan::of_list(self.name, &self.entries)
    }

    /// The index of the entry of an item.
    pub(super) fn index_of(&self, id: u64) -> Option<usize> {
        self.ids.iter().position(|&other| other == id)
    }
}

copy!([W: RawWorld] ScheduleItem<W>);
copy!([W: RawWorld] ItemKind<W>);
