//! [`OnManyThreads`]: why `Commands` stays on one thread, as one message.
#![expect(unsafe_code, reason = "a bound that no type meets is the reason why a type is not `Send`")]

use super::Commands;
use crate::raw_world::RawWorld;

/// No type implements it. So `Commands` is neither `Send` nor `Sync` by one bound, which gives one
/// message where a closure that runs on several threads uses it.
#[diagnostic::on_unimplemented(
    message = "`Commands` cannot be used on several threads at the same time",
    label = "used on several threads",
    note = "find the entities on all threads, and give the commands in a loop: write `for entity in query.par_filter_map(|item| ..) {{ .. }}`; a per-entity system that is marked `par` takes `commands: ParCommands<W>`"
)]
trait OnManyThreads {}

// SAFETY: applies to no type: the trait is private and has no implementation.
unsafe impl<W: RawWorld> Send for Commands<'_, W> where Self: OnManyThreads {}
// SAFETY: as above.
unsafe impl<W: RawWorld> Sync for Commands<'_, W> where Self: OnManyThreads {}
