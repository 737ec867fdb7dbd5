//! The bound on everything that a world stores.

/// What a world can store: `Send + Sync + 'static`. Implemented wherever that holds.
///
/// Systems may run on several threads, so components, resources and events must be `Send` and `Sync`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a world: it is not `Send` and `Sync`, and systems may run on several threads",
    label = "a field is not `Send` and `Sync`",
    note = "replace the field: an `Rc` by an `Arc`, a `Cell` or `RefCell` by a plain field, an atomic or a `Mutex`, a raw pointer by an index or an `Entity`, a `Box<dyn Trait>` by a `Box<dyn Trait + Send + Sync>`",
    note = "a value that must stay on its thread, as the handle of a window, is kept outside of the world"
)]
pub trait ThreadSafe: Send + Sync + 'static {}
impl<T: Send + Sync + 'static> ThreadSafe for T {}

// This impl applies to nothing. It is here for the message: of a bound that one impl alone could fulfil rustc reports
// what that impl lacks, `Send` and `Sync` apart; of one that two impls could fulfil it reports the bound.
impl<T: ThreadSafe> ThreadSafe for T where for<'a> &'a Never: Unimplemented {}

/// See above.
pub struct Never;
/// Implemented by nothing.
pub trait Unimplemented {}

/// Asks for the bound, for `world!`.
pub const fn check_thread_safe<T: ThreadSafe>() {}
