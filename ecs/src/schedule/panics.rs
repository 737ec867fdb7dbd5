//! Panics of systems: the systems of the section that still run, the report on standard error, and resuming the panic.
//!
//! On several threads, systems after the one that panics, in the order of the text, may have run before it, or may be
//! running. So that the world is the same for any number of threads, every executor runs all systems that the plan allows to
//! run there: see [`Panics::stop`]. [`in_order`] does so on one thread. That needs to catch panics, and so the feature `std`; without it there is one executor, and
//! no system runs after a panic.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::format;
#[cfg(feature = "std")]
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::Cell;
use core::ops::Range;

use super::node::Failure;
use super::plan::Plan;
use crate::world::World;

/// The payload of a panic.
pub(super) type Payload = Box<dyn Any + Send>;

/// Calls a function, and catches its panic if that is possible. The state of the world after a panic is the caller's business.
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

/// Why a section has ended before its end.
pub(super) enum Stop {
    /// A system has failed.
    Failed(Failure),
    /// A system has panicked.
    Panicked(Payload),
}

/// The system in which a panic happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanicSite {
    /// Empty if it was in no system.
    pub(super) system: &'static str,
    /// Empty if the system was run once.
    pub(super) schedule: &'static str,
    pub(super) world: &'static str,
}

impl PanicSite {
    pub(super) fn nowhere<W: World>() -> Self {
        Self { system: "", schedule: "", world: W::NAME }
    }
}

/// The systems of a section that have panicked.
#[derive(Default)]
pub(super) struct Panics {
    systems: Vec<usize>,
    /// The panic of the first of them in the order of the text: the one that goes on.
    first: Option<(usize, Payload)>,
}

impl Panics {
    /// Whether the system at `at` must not run: a system before it in the text has panicked, and is in an earlier wave.
    ///
    /// In every executor, all systems before `at` in the text that are in an earlier wave have run or were stopped when `at`
    /// is about to run; so all executors run the same systems. A system that still runs does not clash with one before it
    /// that has panicked.
    #[inline]
    pub(super) fn stop<W: World>(&self, plan: &Plan<W>, at: usize) -> bool {
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

    /// Notes that a system has panicked.
    #[cold]
    pub(super) fn add(&mut self, at: usize, payload: Payload) {
        self.systems.push(at);
        let other = match &self.first {
            Some((first, _)) if *first < at => Some(payload),
            _ => self.first.replace((at, payload)).map(|(_, payload)| payload),
        };
        if let Some(other) = other
            && let _ = site_of(&other) // nobody will ask any more
            && let Err(again) = catch(|| drop(other))
        {
            core::mem::forget(again);
        }
    }

    /// The panic that goes on, with the index of its system.
    pub(super) fn first(self) -> Option<(usize, Payload)> {
        self.first
    }
}

/// Runs nodes of a section one after the other, up to the first that fails. After one that panics, those after it run that are not
/// [stopped](Panics::stop). The error has the index of the node that failed or panicked.
#[inline(always)]
pub(super) fn in_order<W: World>(
    mut panics: Panics,
    plan: &Plan<W>,
    nodes: Range<usize>,
    mut run: impl FnMut(usize) -> Result<(), Failure>,
) -> Result<(), (usize, Stop)> {
    let next = Cell::new(nodes.start);
    loop {
        let done = catch(|| {
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
        match done {
            Ok(done) => return ended(panics, done.map_err(|failure| (at, failure))),
            Err(payload) => panics.add(at, tell_of(plan, at, payload)),
        }
        next.set(at + 1);
    }
}

/// The outcome of a section. A panic comes before a failure, since no system after one that fails is in its wave, or in an earlier
/// one. The function is not generic, so that it is compiled with the library, and not for each world.
pub(super) fn ended(panics: Panics, done: Result<(), (usize, Failure)>) -> Result<(), (usize, Stop)> {
    match panics.first() {
        Some((at, payload)) => Err((at, Stop::Panicked(payload))),
        None => done.map_err(|(at, failure)| (at, Stop::Failed(failure))),
    }
}

/// Reports on standard error that a system has panicked, and puts the same words before the panic's message, if it has one.
#[cold]
pub(super) fn tell_of<W: World>(plan: &Plan<W>, at: usize, payload: Payload) -> Payload {
    tell(PanicSite { system: plan.entries[at].node.task.name, schedule: plan.name, world: W::NAME }, payload)
}

/// Does so for any system. A panic that was reported further down the call stack is not reported again.
#[cfg(feature = "std")]
#[cold]
fn tell(site: PanicSite, payload: Payload) -> Payload {
    let PanicSite { system, schedule, world } = site;
    let asked = asked::take().map_or_else(String::new, |condition| format!("condition `{condition}` of "));
    let whose = format!("{asked}system `{system}` of schedule `{schedule}` of world `{world}` panicked");
    let reported = told::take(&payload);
    let (line, payload) = match told::text_of(&payload) {
        None => (whose, payload),
        Some(text) => {
            let line = format!("{whose}: {text}");
            (line.clone(), Box::new(line) as Payload)
        }
    };
    if reported.is_none() {
        std::eprintln!("{line}");
    }
    told::note(&payload, reported.unwrap_or(site));
    payload
}

#[cfg(not(feature = "std"))]
fn tell(_: PanicSite, payload: Payload) -> Payload {
    payload
}

/// The system in which a panic has begun, if it was reported.
pub(super) fn site_of(payload: &Payload) -> Option<PanicSite> {
    #[cfg(feature = "std")]
    return told::take(payload);
    #[cfg(not(feature = "std"))]
    {
        let _ = payload;
        None
    }
}

/// Calls `f`. If it panics, reports the system whose name is in `current`. If `current` is empty, the panic was reported already,
/// or no system was running.
#[inline]
pub(super) fn named<W: World, R>(
    world: &mut W,
    schedule: &'static str,
    current: &Cell<&'static str>,
    f: impl FnOnce(&mut W) -> R,
) -> R {
    match catch(|| f(world)) {
        Ok(result) => result,
        Err(payload) => go_on(PanicSite { system: current.get(), schedule, world: W::NAME }, payload),
    }
}

#[cold]
fn go_on(site: PanicSite, payload: Payload) -> ! {
    resume(if site.system.is_empty() { payload } else { tell(site, payload) })
}

/// Goes on with the panic of a system that runs once, which it reports on standard error.
#[cold]
pub(super) fn go_on_once(world: &'static str, system: &'static str, payload: Payload) -> ! {
    #[cfg(feature = "std")]
    {
        let reported = told::take(&payload);
        if reported.is_none() {
            std::eprintln!("system `{system}` of world `{world}`, which was run once, panicked");
        }
        told::note(&payload, reported.unwrap_or(PanicSite { system, schedule: "", world }));
    }
    let _ = (world, system);
    resume(payload)
}

/// The panics that were reported and may still be on their way, so that schedules further up the call stack do not report them
/// again.
///
/// They are told apart by the address of the payload, and by its text: whatever a program writes into a panic of its own, it is not
/// taken for one that was reported, unless it is the very text of a report whose payload was dropped. The list is one for all
/// threads, since a payload goes from thread to thread.
#[cfg(feature = "std")]
mod told {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::any::{Any, TypeId};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::{PanicSite, Payload};

    struct Told {
        address: usize,
        of: TypeId,
        text: Option<String>,
        site: PanicSite,
    }

    /// The number of panics that are remembered: a program may catch one and drop it.
    const MOST: usize = 64;

    static TOLD: Mutex<Vec<Told>> = Mutex::new(Vec::new());

    fn list() -> MutexGuard<'static, Vec<Told>> {
        TOLD.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Remembers that a panic, which began at a site, was reported.
    pub(super) fn note(payload: &Payload, site: PanicSite) {
        let mut list = list();
        if list.len() == MOST {
            list.remove(0);
        }
        let text = text_of(payload).map(String::from);
        list.push(Told { address: address(payload), of: (**payload).type_id(), text, site });
    }

    /// Where a panic has begun, if it was reported. It is forgotten then.
    pub(super) fn take(payload: &Payload) -> Option<PanicSite> {
        let mut list = list();
        let is = |told: &Told| {
            told.address == address(payload)
                && told.of == (**payload).type_id()
                && told.text.as_deref() == text_of(payload)
        };
        let at = list.iter().rposition(is)?;
        Some(list.remove(at).site)
    }
}

/// The condition that has panicked, recorded while its panic unwinds to the executor on the same thread.
#[cfg(feature = "std")]
pub(super) mod asked {
    use core::cell::Cell;

    std::thread_local! {
        static ASKED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// ComponentRule around the call of a condition: forgotten after the call, and dropped if the condition panics.
    pub(in super::super) struct Asked(pub(in super::super) &'static str);

    impl Drop for Asked {
        fn drop(&mut self) {
            ASKED.set(Some(self.0));
        }
    }

    pub(super) fn take() -> Option<&'static str> {
        ASKED.take()
    }
}
