//! Panics of systems: the systems of the section that still run, the report on standard error, and
//! resuming the panic.
//!
//! On several threads, systems that come after the panicking one in the text may have run before
//! it, or may be running. So that the world is the same for any number of threads, every executor
//! then runs the same systems: see [`Panics::stop`]. [`run_in_order`] does so on one thread. This
//! needs the feature `std`, to catch panics. Without it there is one executor, and no system runs
//! after a panic.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::format;
#[cfg(feature = "std")]
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::Cell;
use core::ops::Range;

use super::output::Failure;
use super::plan::Plan;
use crate::raw_world::RawWorld;

/// The payload of a panic.
pub(super) type Payload = Box<dyn Any + Send>;

/// Calls a function, and catches its panic with the feature `std`. The caller has to put the world
/// into a valid state after a panic.
#[inline(always)]
pub(super) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Payload> {
    #[cfg(feature = "std")]
    return std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    #[cfg(not(feature = "std"))]
    Ok(f())
}

/// Resumes a panic.
#[cold]
pub(super) fn resume(payload: Payload) -> ! {
    #[cfg(feature = "std")]
    std::panic::resume_unwind(payload);
    #[cfg(not(feature = "std"))]
    {
        drop(payload);
        unreachable!("a panic was caught without the feature `std`")
    }
}

/// The reason for which a section has ended early.
pub(super) enum SectionError {
    /// A system has failed.
    Failed(Failure),
    /// A system has panicked.
    Panicked(Payload),
}

/// The system in which a panic began, with its schedule and world.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanicSite {
    /// Empty if the panic was outside of a system.
    pub(super) system: &'static str,
    /// Empty if the system was not run by a schedule.
    pub(super) schedule: &'static str,
    pub(super) world: &'static str,
}

impl PanicSite {
    /// The site of a panic outside of a system.
    pub(super) fn outside_of_systems<W: RawWorld>() -> Self {
        Self { system: "", schedule: "", world: W::WORLD_NAME }
    }
}

/// The systems of a section that have panicked.
#[derive(Default)]
pub(super) struct Panics {
    systems: Vec<usize>,
    /// The index of the first of these systems in the text, and its panic. This one is resumed.
    first: Option<(usize, Payload)>,
}

impl Panics {
    /// Whether the system at `at` must not run: a system that is before it in the text, and in an
    /// earlier wave, has panicked.
    ///
    /// When `at` is about to run, every executor has run or stopped all systems that are before
    /// `at` in the text and in an earlier wave. So all executors run the same systems. A system
    /// that still runs does not clash with an earlier one that has panicked.
    #[inline]
    pub(super) fn stop<W: RawWorld>(&self, plan: &Plan<'_, W>, at: usize) -> bool {
        let mut i = 0;
        while i < self.systems.len() {
            let panicked = self.systems[i];
            if panicked < at && plan.entries[panicked].wave < plan.entries[at].wave {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Records that a system has panicked. Drops the payload if another panic comes first in the
    /// text.
    #[cold]
    pub(super) fn add(&mut self, at: usize, payload: Payload) {
        self.systems.push(at);
        let other = match &self.first {
            Some((first, _)) if *first < at => Some(payload),
            _ => self.first.replace((at, payload)).map(|(_, payload)| payload),
        };
        if let Some(other) = other
            && let _ = site_of(&other) // removes the payload from the list of reported panics
            && let Err(again) = catch(|| drop(other))
        {
            core::mem::forget(again);
        }
    }

    /// The panic that is resumed, with the index of its system.
    pub(super) fn first(self) -> Option<(usize, Payload)> {
        self.first
    }
}

/// Runs nodes of a section one after the other, until one fails. If a node panics, the nodes after
/// it that are not [stopped](Panics::stop) still run.
///
/// # Errors
/// The failure or panic, with the index of its node.
#[inline(always)]
pub(super) fn run_in_order<W: RawWorld>(
    mut panics: Panics,
    plan: &Plan<'_, W>,
    nodes: Range<usize>,
    mut run: impl FnMut(usize) -> Result<(), Failure>,
) -> Result<(), (usize, SectionError)> {
    // outside of `catch`, so that the node that panics is known
    let next = Cell::new(nodes.start);
    loop {
        // one `catch` for many nodes: it is entered again only after a panic
        let result = catch(|| {
            while next.get() < nodes.end {
                let at = next.get();
                if !panics.stop(plan, at) {
                    run(at)?;
                }
                next.set(at + 1);
            }
            Ok(())
        });
        let at = next.get();
        match result {
            // the end, or a failure; a panic of an earlier node comes before it
            Ok(result) => return section_result(panics, result.map_err(|failure| (at, failure))),
            Err(payload) => panics.add(at, report_system(plan, at, payload)),
        }
        next.set(at + 1);
    }
}

/// The result of a section. A panic comes before a failure in the text, since a system after one
/// that fails is always in a later wave. The function is not generic, so that it is compiled with
/// the library, and not for each world.
pub(super) fn section_result(
    panics: Panics,
    result: Result<(), (usize, Failure)>,
) -> Result<(), (usize, SectionError)> {
    match panics.first() {
        Some((at, payload)) => Err((at, SectionError::Panicked(payload))),
        None => result.map_err(|(at, failure)| (at, SectionError::Failed(failure))),
    }
}

/// Reports on standard error that a system has panicked. Returns the payload; if it has a message,
/// the report is put before it.
#[cold]
pub(super) fn report_system<W: RawWorld>(plan: &Plan<'_, W>, at: usize, payload: Payload) -> Payload {
    report(
        PanicSite { system: plan.entries[at].node.task.name, schedule: plan.name, world: W::WORLD_NAME },
        payload,
    )
}

/// Reports a panic like [`report_system`]. A panic that was reported further down the call stack is
/// not reported again.
#[cfg(feature = "std")]
#[cold]
fn report(site: PanicSite, payload: Payload) -> Payload {
    let PanicSite { system, schedule, world } = site;
    // the report begins with the innermost part that is known: the condition, if one was running
    let condition = condition::take().map_or_else(String::new, |name| format!("condition `{name}` of "));
    let subject =
        format!("{condition}system `{system}` of schedule `{schedule}` of world `{world}` panicked");
    // a text gets the report before it, so that a test or a caller sees where the panic came from
    let earlier = reported::take(&payload);
    let (line, payload) = match reported::text_of(&payload) {
        None => (subject, payload),
        Some(text) => {
            let line = format!("{subject}: {text}");
            (line.clone(), Box::new(line) as Payload)
        }
    };
    // standard error has one line for a panic, however many schedules it passes
    if earlier.is_none() {
        std::eprintln!("{line}");
    }
    reported::add(&payload, earlier.unwrap_or(site));
    payload
}

#[cfg(not(feature = "std"))]
fn report(_: PanicSite, payload: Payload) -> Payload {
    payload
}

/// The system in which a reported panic began; `None` for a panic that was not reported. Removes it
/// from the list of reported panics.
pub(super) fn site_of(payload: &Payload) -> Option<PanicSite> {
    #[cfg(feature = "std")]
    return reported::take(payload);
    #[cfg(not(feature = "std"))]
    {
        let _ = payload;
        None
    }
}

/// Calls `f`. If it panics, reports the panic for the system whose name is in `current`, and
/// resumes it. If `current` is empty, the panic was reported already, or no system was running.
#[inline]
pub(super) fn report_panics<W: RawWorld, R>(
    world: &mut W,
    schedule: &'static str,
    current: &Cell<&'static str>,
    f: impl FnOnce(&mut W) -> R,
) -> R {
    match catch(|| f(world)) {
        Ok(result) => result,
        Err(payload) => {
            let system = current.get();
            #[cfg(feature = "reflect")]
            if !system.is_empty() {
                super::by_name::record_panic(world, schedule, system, &payload);
            }
            report_and_resume(PanicSite { system, schedule, world: W::WORLD_NAME }, payload)
        }
    }
}

#[cold]
fn report_and_resume(site: PanicSite, payload: Payload) -> ! {
    resume(if site.system.is_empty() { payload } else { report(site, payload) })
}

/// Reports the panic of a system that `run` has called once, and resumes it.
#[cold]
pub(super) fn report_once_and_resume(world: &'static str, system: &'static str, payload: Payload) -> ! {
    #[cfg(feature = "std")]
    {
        let earlier = reported::take(&payload);
        if earlier.is_none() {
            std::eprintln!("system `{system}` of world `{world}`, which was run once, panicked");
        }
        reported::add(&payload, earlier.unwrap_or(PanicSite { system, schedule: "", world }));
    }
    let _ = (world, system);
    resume(payload)
}

/// The list of panics that were reported and may still be unwinding, so that schedules further up
/// the call stack do not report them again.
///
/// A panic is identified by the address, type and text of its payload. So another panic is mistaken
/// for a reported one only if its payload has the same text, and the address of a payload that was
/// dropped. There is one list for all threads, since a payload can move from thread to thread.
#[cfg(feature = "std")]
mod reported {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::any::{Any, TypeId};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::{PanicSite, Payload};

    struct ReportedPanic {
        address: usize,
        payload_type: TypeId,
        text: Option<String>,
        site: PanicSite,
    }

    /// The maximal length of the list. It is bounded because a program may catch panics and drop
    /// them.
    const MAX_PANICS: usize = 64;

    static PANICS: Mutex<Vec<ReportedPanic>> = Mutex::new(Vec::new());

    fn list() -> MutexGuard<'static, Vec<ReportedPanic>> {
        PANICS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn address(payload: &Payload) -> usize {
        core::ptr::from_ref::<dyn Any + Send>(&**payload).addr()
    }

    /// The message of a panic.
    pub(super) fn text_of(payload: &Payload) -> Option<&str> {
        match payload.downcast_ref::<String>() {
            Some(text) => Some(text),
            None => payload.downcast_ref::<&'static str>().copied(),
        }
    }

    /// Adds a panic that was reported, with the site where it began.
    pub(super) fn add(payload: &Payload, site: PanicSite) {
        let mut list = list();
        if list.len() == MAX_PANICS {
            list.remove(0);
        }
        let text = text_of(payload).map(String::from);
        list.push(ReportedPanic {
            address: address(payload),
            payload_type: (**payload).type_id(),
            text,
            site,
        });
    }

    /// Removes a panic from the list, and returns the site where it began; `None` if it was not
    /// reported.
    pub(super) fn take(payload: &Payload) -> Option<PanicSite> {
        let mut list = list();
        let is_same = |panic: &ReportedPanic| {
            panic.address == address(payload)
                && panic.payload_type == (**payload).type_id()
                && panic.text.as_deref() == text_of(payload)
        };
        let at = list.iter().rposition(is_same)?;
        Some(list.remove(at).site)
    }
}

/// The name of a condition that has panicked, stored while its panic unwinds to the executor on the
/// same thread.
#[cfg(feature = "std")]
pub(super) mod condition {
    use core::cell::Cell;

    std::thread_local! {
        static PANICKED_CONDITION: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// Guard around the call of a condition, with the name of the condition. It is passed to
    /// `mem::forget` after the call, so that it is dropped only if the condition panics.
    pub(in super::super) struct ConditionGuard(pub(in super::super) &'static str);

    impl Drop for ConditionGuard {
        fn drop(&mut self) {
            PANICKED_CONDITION.set(Some(self.0));
        }
    }

    /// Removes and returns the name of the condition that has panicked on this thread.
    pub(super) fn take() -> Option<&'static str> {
        PANICKED_CONDITION.take()
    }
}
