//! [`HookState`]: a system parameter that reads the state of a component's hook.

use alloc::boxed::Box;
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
pub struct HookState<'w, T: Hooked> {
    state: State<'w, T::Hook>,
}

enum State<'w, H> {
    Column(&'w H),
    /// The state, if no entity has had the component.
    New(Box<H>),
}

impl<'w, T: Hooked> HookState<'w, T> {
    /// Makes the parameter, to call a system as a plain function:
    /// `HookState::new(game.columns().weight)`.
    pub fn new(view: View<'w, T>) -> Self {
        let new = || State::New(Box::default());
        Self { state: hook_state(view.column()).map_or_else(new, State::Column) }
    }

    /// The state of the hook of component `T` in a world: `HookState::<Weight>::of(&game)`.
    pub fn of<W: Has<T>>(world: &'w W) -> Self {
        Self::new(View::new(world.column::<T>(), world.__living()))
    }

    /// Borrows the state for a shorter time.
    pub(crate) fn reborrow(&self) -> HookState<'_, T> {
        HookState { state: State::Column(self) }
    }
}

impl<T: Hooked> Deref for HookState<'_, T> {
    type Target = T::Hook;
    #[inline]
    fn deref(&self) -> &T::Hook {
        match &self.state {
            State::Column(state) => state,
            State::New(state) => state,
        }
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
