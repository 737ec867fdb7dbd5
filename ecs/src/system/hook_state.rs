//! [`HookState`]: a system parameter that reads the state of a component's hook.
#![expect(
    unsafe_code,
    reason = "the type of the state follows from the component, and is not checked at each use"
)]

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr;

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
    // Invariant 1: the type of the state is `T::Hook`. `T` is invariant, so that it is not replaced by
    // a subtype with another hook. The field names no type: with the bound `T: Hooked` on the
    // struct, rustc would show the error of a component without a hook twice.
    state: HeldState<'w>,
    component: PhantomData<fn(T) -> T>,
}

enum HeldState<'w> {
    Column(&'w (dyn Any + Send + Sync)),
    /// The state, if no entity has had the component.
    New(Box<dyn Any + Send + Sync>),
}

impl<'w, T: Hooked> HookState<'w, T> {
    /// Makes the parameter, to call a system as a plain function:
    /// `HookState::new(game.columns().weight)`.
    pub fn new(view: View<'w, T>) -> Self {
        let state = match hook_state(view.column()) {
            Some(state) => HeldState::Column(state),
            None => HeldState::New(Box::<T::Hook>::default()),
        };
        Self { state, component: PhantomData }
    }

    /// The state of the hook of component `T` in a world: `HookState::<Weight>::of(&game)`.
    pub fn of<W: Has<T>>(world: &'w W) -> Self {
        Self::new(View::new(world.column::<T>(), world.__living()))
    }

    /// Borrows the state for a shorter time.
    pub(crate) fn reborrow(&self) -> HookState<'_, T> {
        HookState { state: HeldState::Column(&**self), component: PhantomData }
    }
}

impl<T: Hooked> Deref for HookState<'_, T> {
    type Target = T::Hook;
    #[inline]
    fn deref(&self) -> &T::Hook {
        let state = match &self.state {
            HeldState::Column(state) => *state,
            HeldState::New(state) => &**state,
        };
        debug_assert!(state.is::<T::Hook>());
        // SAFETY: invariant 1; `new` and `reborrow` uphold it.
        unsafe { &*ptr::from_ref(state).cast::<T::Hook>() }
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
