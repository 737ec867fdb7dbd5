//! [`HookState`]: a system parameter that reads the state of a component's hook.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;
use core::ops::Deref;

use crate::component::hook::hook_state;
use crate::component::{Has, Hooked};
use crate::raw_world::WorldFields;
use crate::view::View;

/// System parameter: the state of the hook of component `T`, to be read: see
/// [`ComponentHook`](crate::component::ComponentHook). Outside of systems [`HookState::of`] reads
/// it.
///
/// It dereferences to the state. No other parameter of the system may write `T`.
pub struct HookState<'w, T> {
    view: View<'w, T>,
    /// The state of the column, or a new one if no entity has had the component. `Any`, since the
    /// type itself has no bound.
    state: Result<&'w (dyn Any + Send + Sync), Box<dyn Any + Send + Sync>>,
}

impl<'w, T: Hooked> HookState<'w, T> {
    /// Makes the parameter, to call a system as a plain function:
    /// `HookState::new(game.columns().weight)`.
    pub fn new(view: View<'w, T>) -> Self {
        let state = match hook_state(view.column()) {
            Some(state) => Ok(state as _),
            None => Err(Box::new(T::Hook::default()) as _),
        };
        Self { view, state }
    }

    /// The state of the hook of component `T` in a world: `HookState::<Weight>::of(&game)`.
    pub fn of<W: Has<T>>(world: &'w W) -> Self {
        Self::new(View::new(world.column::<T>(), world.__living()))
    }

    /// Borrows the state for a shorter time.
    pub(crate) fn reborrow(&self) -> HookState<'_, T> {
        HookState::new(self.view)
    }
}

impl<T: Hooked> Deref for HookState<'_, T> {
    type Target = T::Hook;
    #[inline]
    fn deref(&self) -> &T::Hook {
        let state = match &self.state {
            Ok(state) => *state,
            Err(new) => &**new,
        };
        (state as &dyn Any).downcast_ref().expect("`new` has the state of this component")
    }
}

impl<T: Hooked> fmt::Debug for HookState<'_, T>
where
    T::Hook: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HookState").field(&**self).finish()
    }
}
