//! Panics of systems: which other systems of the section still run, what standard error says, and how the panic goes on.
//!
//! On several threads, systems after the one that panics, in the order of the text, may have run before it, or may be
//! running. So that the world is the same for any number of threads, every executor lets run what the plan allows to run
//! there: see [`Panics::stop`]. That needs to catch panics, and so the feature `std`; without it there is one executor, and
//! nothing runs after a panic.

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

/// What a panic carries.
pub(super) type Payload = Box<dyn Any + Send>;

/// Calls a function, and catches its panic if that is possible. The state of the world after a panic is the caller's business.
#[inline(always)]
pub(super) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Payload> {
    #[cfg(feature = "std")]
    return std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    #[cfg(not(feature = "std"))]
    Ok(f())
}

/// Goes on panicking.
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
    /// Whether a system is not to run any more: one before it in the text has panicked, and the plan has it in a later wave
    /// than that one.
    ///
    /// Whichever executor runs a section, those before a system in the text that have an earlier wave have run or were
    /// stopped when the system is about to run; so all executors run the same systems. What runs although it stands after
    /// a system that has panicked does not clash with it.
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

    /// The panic that goes on, and in which system it happened.
    pub(super) fn first(self) -> Option<(usize, Payload)> {
        self.first
    }
}

/// Says on standard error which system has panicked, and makes the panic say it, too, if it has a text.
#[cold]
pub(super) fn tell_of<W: World>(plan: &Plan<W>, at: usize, payload: Payload) -> Payload {
    let site = PanicSite { system: plan.entries[at].node.task.name, schedule: plan.name };
    tell(site, W::NAME, payload).0
}

/// The same of any system; and whether this was the first to say so.
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
    // that of a schedule within this one
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

/// Notes for [`try_run`](super::try_run) which system has panicked.
#[cold]
pub(super) fn note<W: World>(world: &mut W, site: PanicSite, innermost: bool) {
    let noted = &mut places::of(world).panicked;
    if innermost || noted.is_none() {
        *noted = Some(site);
    }
}

/// Calls `f`. If it panics, standard error and the panic say in which system, which `current` tells; if that is empty they
/// have said so already, or no system was running.
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

/// Says on standard error that a system that runs once has panicked: while the panic is on its way, which is not caught.
#[cold]
pub(super) fn tell_of_once<W: World>(world: &mut W, system: &'static str) {
    #[cfg(feature = "std")]
    if std::thread::panicking() {
        std::eprintln!("system `{system}` of world `{}`, which was run once, panicked", W::NAME);
    }
    note(world, PanicSite { system, schedule: "" }, false);
}

/// Which condition has panicked: noted while its panic is on its way to those who catch it, on the same thread.
#[cfg(feature = "std")]
pub(super) mod asked {
    use core::cell::Cell;

    std::thread_local! {
        static ASKED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// A condition that is being asked. Dropped, and not forgotten, it has panicked.
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
