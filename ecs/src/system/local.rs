//! [`Local`]: a value of a system's own.

use super::saved::SavingCode;

/// System parameter: a value of the system's own, which is kept between its runs and starts as
/// `T::default()`.
///
/// Each place of a system in a schedule has its own value. The value belongs to the world and is
/// cloned with it.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)] struct Seconds(u32);
///
/// world! {
///     struct Game { resources { Seconds } }
///     schedule tick { count }
/// }
///
/// #[system(Game)]
/// fn count(mut ticks: Local<u32>, mut seconds: ResMut<Seconds>) {
///     *ticks += 1;
///     if *ticks % 60 == 0 {
///         seconds.0 += 1;
///     }
/// }
///
/// let mut game = Game::new(Seconds::default());
/// for _ in 0..120 {
///     game.tick();
/// }
/// assert_eq!(game.resource::<Seconds>().0, 2);
/// ```
pub struct Local<'w, T>(pub(super) &'w mut T);

impl<'w, T> Local<'w, T> {
    /// Makes the parameter from a reference, to call a system as a plain function.
    pub const fn new(value: &'w mut T) -> Self {
        Self(value)
    }
}

deref!([T] Local<'_, T> => T, |this| this.0);

deref_mut!([T] Local<'_, T>, |this| this.0);

/// The state of a [`Local`]: its value, and the functions that clone and save it.
///
/// `T: Clone` is not a bound of this type, so that a missing `Clone` gives one compile error, at
/// the `Local`, and not a second one for its state.
pub struct LocalState<T> {
    pub(crate) value: T,
    pub(super) clone: fn(&T) -> T,
    /// The functions that save and load the value, if the world is saved.
    pub(super) code: SavingCode<T>,
}

impl<T> Clone for LocalState<T> {
    fn clone(&self) -> Self {
        let Self { value, clone, code } = self;
        Self { value: clone(value), clone: *clone, code: *code }
    }
}

/// The types that a [`Local`] can hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `Local`: it needs `Default`, to begin with, and `Clone`, since its world may be cloned",
    label = "not `Default` and `Clone`",
    note = "add `#[derive(Default, Clone)]` to `{Self}`, of a collection to the type in it; what a `Local` holds is also `Send` and `Sync`"
)]
pub trait LocalValue: Default + Clone + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Default + Clone + Send + Sync + 'static> LocalValue for T {}

debug!([T: core::fmt::Debug] Local<'_, T>, |this, f| this.0.fmt(f));
