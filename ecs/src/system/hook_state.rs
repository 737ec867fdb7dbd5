//! [`HookState`]: a system parameter that reads the state of a component's hook.

use core::fmt;
use core::ops::Deref;

use crate::component::Hooked;
use crate::component::hook::hook_state;
use crate::view::View;

/// System parameter: the state of the hook of component `T`, to be read: see [`ComponentHook`](crate::component::ComponentHook). Outside of
/// systems [`World::hook_state`](crate::World::hook_state) returns it.
///
/// It dereferences to the state. No other parameter of the system may write `T`.
pub struct HookState<'w, T: Hooked>(State<'w, T::Hook>);

enum State<'w, H> {
    Borrowed(&'w H),
    /// No entity has had the component.
    New(H),
}

impl<'w, T: Hooked> HookState<'w, T> {
    /// Makes the parameter, to call a system as a plain function: `HookState::new(game.columns().weight)`.
    pub fn new(view: View<'w, T>) -> Self {
        let state = hook_state(view.column());
        Self(state.map_or_else(|| State::New(T::Hook::default()), State::Borrowed))
    }

    /// Borrows the state for a shorter time.
    pub(crate) fn reborrow(&self) -> HookState<'_, T> {
        HookState(State::Borrowed(&**self))
    }
}

impl<T: Hooked> Deref for HookState<'_, T> {
    type Target = T::Hook;
    fn deref(&self) -> &T::Hook {
        match &self.0 {
            State::Borrowed(state) => state,
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
