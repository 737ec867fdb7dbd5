//! The bound on all types that a world stores.

/// A type that a world can store: `Send + Sync + 'static`. Implemented for all such types.
///
/// Systems may run on several threads, so components, events and most resources must be `Send` and
/// `Sync`: see [`Resource`](trait@crate::Resource) for the exception.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a world: it is not `Send` and `Sync`, and systems may run on several threads",
    label = "a field is not `Send` and `Sync`",
    note = "replace the field: an `Rc` by an `Arc`, a `Cell` or `RefCell` by a plain field, an atomic or a `Mutex`, a raw pointer by an index or an `Entity`, a `Box<dyn Trait>` by a `Box<dyn Trait + Send + Sync>`",
    note = "keep a value that must stay on its thread, such as the handle of a window, in a resource with `#[resource(main_thread)]`"
)]
pub trait ThreadSafe: Send + Sync + 'static {}
impl<T: Send + Sync + 'static> ThreadSafe for T {}

// This impl applies to no type, and exists for the message only. If a single impl could satisfy a
// bound, rustc reports what that impl lacks, `Send` and `Sync` apart; if two impls could, it
// reports the bound itself.
impl<T: ThreadSafe> ThreadSafe for T where for<'a> &'a NoType: Unimplemented {}

/// The type in the impl above that never applies.
pub struct NoType;
/// A trait that no type implements.
pub trait Unimplemented {}

/// Fails to compile if a world cannot store a `T`; called by the expansion of `world!`.
#[track_caller]
pub const fn check_thread_safe<T: ThreadSafe>() {
    check_alignment::<T>();
}

/// The largest alignment of data in a world, in bytes. rustc 1.95 miscompiles functions that return
/// early and have a local variable with a larger one, and functions of the library have such
/// variables.
const MAX_ALIGNMENT: usize = 1024;

/// Fails to compile if values of `T` are aligned to more than [`MAX_ALIGNMENT`].
#[track_caller]
pub(crate) const fn check_alignment<T>() {
    assert!(
        align_of::<T>() <= MAX_ALIGNMENT,
        "the data of a world is aligned to at most 1024 bytes, because rustc miscompiles moves of values with a larger alignment: \
         lower the one in `#[repr(align(..))]`, or keep the aligned value in a `Box`"
    );
}
