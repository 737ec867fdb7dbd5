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
    /// The state, if no entity has had the component.
    new: Option<Box<dyn Any + Send + Sync>>,
}

impl<'w, T: Hooked> HookState<'w, T> {
    /// Makes the parameter, to call a system as a plain function:
    /// `HookState::new(game.columns().weight)`.
    pub fn new(view: View<'w, T>) -> Self {
        let is_new = hook_state(view.column()).is_none();
        Self { view, new: is_new.then(|| Box::new(T::Hook::default()) as Box<_>) }
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
    fn deref(&self) -> &T::Hook {
        let new = || self.new.as_deref().and_then(|state| (state as &dyn Any).downcast_ref());
        hook_state(self.view.column()).or_else(new).expect("`new` has made a state if there was none")
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
