//! What stands in a schedule, and the plan that is made of it.
//!
//! Each system has a place of its own among the states for as long as it is in the list, so that neither sorting nor
//! planning moves a state. A plan goes by the numbers of the items: what became of them since it was made is looked up.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::super::node::{Node, Task};
use super::super::plan::{Entry, Plan, plan, whole};
use super::super::states;
use super::super::timing::Clock;
use super::{Item, Planned, Schedule, Step};
use crate::base::place::Place;
use crate::error::ScheduleError;
use crate::system::{SystemPhase, SystemState};
use crate::world::{World, WorldCell};

impl<W: World> Schedule<W> {
    pub(super) fn is_new(&self, system: &'static str, new: bool) -> Result<(), ScheduleError> {
        let present = ScheduleError::Present { system, schedule: self.name, world: W::NAME };
        if new { Ok(()) } else { Err(present) }
    }

    /// Whether it can be used with this world; if so, its next bond with it.
    pub(super) fn renew(&mut self, world: &mut W) -> Result<(), ScheduleError> {
        let bonded = self.bond == 0 || states::of(world).bonds.renew(&mut self.bond);
        let other = ScheduleError::OtherWorld { schedule: self.name, world: W::NAME };
        if bonded { Ok(()) } else { Err(other) }
    }

    /// Adds a system, the state of which is made by `init`.
    pub(super) fn insert(
        &mut self,
        world: &mut W,
        key: i64,
        node: Node<W>,
        init: impl FnOnce(&mut W) -> SystemState,
    ) -> Result<(), ScheduleError> {
        self.renew(world)?;
        if let Some(setup) = node.task.setup {
            setup(world);
            self.renew(world)?; // it may have put another world in the place of this one
        }
        let place = Place::Built { schedule: self.name, system: node.task.name };
        let state = states::open(world, place, &node.task, init);
        if self.bond == 0 {
            self.bond = states::of(world).bonds.tie();
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
        self.push(key, Step::System { node, place, on: true });
        Ok(())
    }

    pub(super) fn push(&mut self, key: i64, step: Step<W>) {
        self.items.push(Item { number: self.next, key, step });
        self.next += 1;
        self.sort();
    }

    /// Removes systems, and gives back to the world what their parameters hold. Then calls their `exit` functions, in the
    /// reverse order of adding.
    pub(super) fn remove_where(&mut self, world: &mut W, is: impl Fn(&Task<W>) -> bool) -> usize {
        let gone = |item: &mut Item<W>| item.task().is_some_and(&is);
        if let Err(other) = self.renew(world) {
            panic!("{other}");
        }
        let mut removed: Vec<Item<W>> = self.items.extract_if(.., gone).collect();
        if removed.is_empty() {
            return 0;
        }
        (self.stale, self.unmarked) = (true, true);
        let mut states = Vec::new();
        for item in &removed {
            let Step::System { node, place, .. } = &item.step else { continue };
            let mut state = core::mem::replace(&mut self.states.places[*place], SystemState::new(()));
            self.left.push(*place);
            #[expect(unsafe_code, reason = "the world is borrowed mutably")]
            // SAFETY: the world is borrowed mutably, and nothing of it is lent; the state was made by the task's `init`, or
            // in its stead by that of its closure.
            unsafe {
                (node.task.finish)(WorldCell::new(world), &mut state, &mut SystemPhase::Close);
            }
            states.push(state);
        }
        if self.is_empty() {
            states::of(world).bonds.cut(self.bond);
            self.bond = 0;
        }
        world.__trim_events();
        drop(states);
        removed.sort_by_key(|item| Reverse(item.number));
        for exit in removed.iter().filter_map(|item| item.task()?.exit) {
            exit(world);
        }
        removed.len()
    }

    /// The systems, in order.
    pub(super) fn systems(&self) -> impl Iterator<Item = (&Item<W>, &Task<W>)> {
        self.items.iter().filter_map(|item| Some((item, item.task()?)))
    }

    pub(super) fn key_where(&self, is: impl Fn(&Task<W>) -> bool) -> Option<i64> {
        self.systems().find(|(_, task)| is(task)).map(|(item, _)| item.key)
    }

    pub(super) fn set_key_where(&mut self, is: impl Fn(&Task<W>) -> bool, key: i64) -> usize {
        let items = self.items.iter_mut().filter(|item| item.task().is_some_and(&is));
        items.map(|item| item.key = key).count()
    }

    pub(super) fn enable_where(&mut self, is: impl Fn(&Task<W>) -> bool, to: bool) -> usize {
        self.unmarked = true;
        let mut found = 0;
        for item in &mut self.items {
            if let Step::System { node, on, .. } = &mut item.step
                && is(&node.task)
            {
                *on = to;
                found += 1;
            }
        }
        found
    }

    pub(super) fn is_enabled_where(&self, is: impl Fn(&Task<W>) -> bool) -> bool {
        self.systems().any(|(item, task)| is(task) && item.is_on())
    }

    /// The plan of the list as it is.
    pub(super) fn planned(&mut self) -> Arc<Planned<W>> {
        if !self.stale
            && let Some(planned) = &self.planned
        {
            return planned.clone();
        }
        let planned = Arc::new(self.plan());
        self.free.append(&mut self.left);
        let clock = &mut self.states.clock;
        let mut table = clock.table.take();
        if let (Some(sums), Some(before)) = (&mut table, &self.planned) {
            let sum = |&number| before.at(number).and_then(|at| sums.get(at)).copied();
            *sums = planned.numbers.iter().map(|number| sum(number).unwrap_or_default()).collect();
        }
        *clock = Clock { table, wish: clock.wish, ..Clock::default() };
        (self.stale, self.unmarked) = (false, true);
        self.planned.insert(planned).clone()
    }

    pub(super) fn plan(&self) -> Planned<W> {
        let (mut stage, mut entries, mut wholes, mut numbers) = (0, Vec::new(), Vec::new(), Vec::new());
        for item in &self.items {
            let Step::System { mut node, place, .. } = item.step else {
                stage += 1;
                continue;
            };
            stage += usize::from(self.flush_between);
            node.stage = stage;
            let whole = whole(&node);
            entries.push(Entry::new(node, &whole, place));
            wholes.push(whole);
            numbers.push(item.number);
        }
        let mut next = alloc::vec![0; entries.len()];
        plan(&mut entries, &wholes, &mut next);
        Planned { plan: Plan::boxed(self.name, &entries), numbers }
    }

    /// Looks up what in the plan is switched off, or removed since the plan was made.
    pub(super) fn mark(&mut self) {
        if let Some(planned) = self.planned.as_ref().filter(|_| self.unmarked) {
            let on = self.items.iter().filter(|item| item.is_on()).map(|item| item.number);
            let on: BTreeSet<u64> = on.collect();
            self.states.disabled = planned.numbers.iter().map(|number| !on.contains(number)).collect();
            self.unmarked = false;
        }
    }
}

impl<W: World> Item<W> {
    pub(super) fn task(&self) -> Option<&Task<W>> {
        match &self.step {
            Step::System { node, .. } => Some(&node.task),
            Step::Flush => None,
        }
    }

    pub(super) fn is_on(&self) -> bool {
        matches!(self.step, Step::System { on: true, .. })
    }
}

impl<W: World> Planned<W> {
    /// The entry of an item.
    pub(super) fn at(&self, number: u64) -> Option<usize> {
        self.numbers.iter().position(|&known| known == number)
    }
}

impl<W: World> Clone for Item<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Item<W> {}

impl<W: World> Clone for Step<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Step<W> {}
