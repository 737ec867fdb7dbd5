//! Panics of systems: the systems of the section that still run, the report on standard error, and resuming the panic.
//!
//! On several threads, systems after the one that panics, in the order of the text, may have run before it, or may be
//! running. So that the world is the same for any number of threads, every executor runs all systems that the plan allows to
//! run there: see [`Panics::stop`]. That needs to catch panics, and so the feature `std`; without it there is one executor, and
//! no system runs after a panic.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::format;
#[cfg(feature = "std")]
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::Cell;

use super::places;
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

/// The system in which a panic happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PanicSite {
    pub(crate) system: &'static str,
    /// Empty if the system was run once.
    pub(crate) schedule: &'static str,
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

/// Reports on standard error that a system has panicked, and puts the same words before the panic's message, if it has one.
#[cold]
pub(super) fn tell_of<W: World>(plan: &Plan<W>, at: usize, payload: Payload) -> Payload {
    let site = PanicSite { system: plan.entries[at].node.task.name, schedule: plan.name };
    tell(site, W::NAME, payload).0
}

/// Does so for any system. The flag tells whether this call was the first to report the panic.
#[cfg(feature = "std")]
#[cold]
fn tell(site: PanicSite, world: &str, payload: Payload) -> (Payload, bool) {
    let PanicSite { system, schedule } = site;
    let asked = asked::take().map_or_else(String::new, |condition| format!("condition `{condition}` of "));
    let whose = format!("{asked}system `{system}` of schedule `{schedule}` of world `{world}` panicked");
    let text = match payload.downcast_ref::<String>() {
        Some(text) => Some(text.as_str()),
        None => payload.downcast_ref::<&'static str>().copied(),
    };
    let Some(text) = text else {
        std::eprintln!("{whose}");
        return (payload, false);
    };
    // an inner schedule has reported it
    let told = (text.starts_with("system `") || text.starts_with("condition `"))
        && text.contains("` of world `")
        && text.contains("` panicked: ");
    let text = format!("{whose}: {text}");
    if !told {
        std::eprintln!("{text}");
    }
    (Box::new(text), !told)
}

#[cfg(not(feature = "std"))]
fn tell(_: PanicSite, _: &str, payload: Payload) -> (Payload, bool) {
    (payload, true)
}

/// Records the system that has panicked, for [`try_run`](super::try_run).
#[cold]
pub(super) fn note<W: World>(world: &mut W, site: PanicSite, innermost: bool) {
    let noted = &mut places::of(world).panicked;
    if innermost || noted.is_none() {
        *noted = Some(site);
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
        Err(payload) => go_on(world, PanicSite { system: current.get(), schedule }, payload),
    }
}

#[cold]
fn go_on<W: World>(world: &mut W, site: PanicSite, payload: Payload) -> ! {
    if site.system.is_empty() {
        resume(payload);
    }
    let (payload, innermost) = tell(site, W::NAME, payload);
    note(world, site, innermost);
    resume(payload)
}

/// Reports on standard error that a system that runs once has panicked. Called while the panic unwinds, which is not caught.
#[cold]
pub(super) fn tell_of_once<W: World>(world: &mut W, system: &'static str) {
    #[cfg(feature = "std")]
    if std::thread::panicking() {
        std::eprintln!("system `{system}` of world `{}`, which was run once, panicked", W::NAME);
    }
    note(world, PanicSite { system, schedule: "" }, false);
}

/// The condition that has panicked, recorded while its panic unwinds to the executor on the same thread.
#[cfg(feature = "std")]
pub(super) mod asked {
    use core::cell::Cell;

    std::thread_local! {
        static ASKED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// Guard around the call of a condition: forgotten after the call, and dropped if the condition panics.
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
