//! Hooks: user code that is called for each value of a component that an entity gets or loses, and
//! that may refuse a value: `#[component(hook = Load)]`.
//!
//! A hook is the rule of its component. Its state is in the column, beside the values, and follows
//! from them: it is made anew from the values of a file, and copied with the column. A hook has no
//! access to the world, so that it cannot cause calls of other hooks.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::any::Any;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::Component;
use super::rule::{ComponentRule, rule_state_of};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;
use crate::raw_world::discard::despite_panics;
use crate::storage::column::Column;
use crate::storage::kind::RuleSet;
use crate::storage::rule_state::{ChangeContext, RuleState};

/// The hook of a component `T`, which names it in `#[component(hook = Load)]`: it is called for
/// each value of `T` that an entity gets or loses, and keeps a state in step with the values. It
/// may refuse a value. Without values the state is the default.
///
/// ```
/// use ecs::component::ComponentHook;
/// use ecs::prelude::*;
/// use ecs::system::HookState;
///
/// #[derive(Component, PartialEq, Debug)]
/// #[component(hook = Load)]
/// struct Weight(u32);
///
/// /// All that is on board.
/// #[derive(Clone, Default, PartialEq, Debug)]
/// struct Load { sum: u32 }
///
/// impl ComponentHook<Weight> for Load {
///     fn validate(&self, old: Option<&Weight>, new: &Weight) -> Result<(), &'static str> {
///         let sum = self.sum - old.map_or(0, |old| old.0) + new.0;
///         if sum > 100 { Err("the ship carries 100") } else { Ok(()) }
///     }
///     fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
///         self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
///     }
///     fn removed(&mut self, _: Entity, old: &Weight) {
///         self.sum -= old.0;
///     }
/// }
///
/// #[derive(Component, PartialEq, Debug)]
/// struct Draught(u32);
///
/// world! { struct Ship { components { Weight, Draught } } schedule tick { float } }
///
/// #[system(Ship)]
/// fn float(draught: &mut Draught, load: HookState<Weight>) { draught.0 = load.sum / 10; }
///
/// let mut ship = Ship::new();
/// let hull = ship.spawn((Draught(0), Weight(60)));
/// let barrel = ship.spawn(Weight(20));
/// ship.tick();
/// assert_eq!((HookState::<Weight>::of(&ship).sum, ship.get(hull)), (80, Some(&Draught(8))));
/// let refused = ship.insert(barrel, Weight(50)).unwrap_err();
/// assert!(refused.to_string().contains("the ship carries 100"));
/// ship.despawn(barrel)?;
/// assert_eq!(*HookState::<Weight>::of(&ship), Load { sum: 60 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A value of a component with a hook is not changed in place: `&mut Weight` is a compile error,
/// and `insert` replaces the value, so that the hook sees each change. Commands call the hook when
/// they are applied, `Storage` at once, a batch for each of its values. Several hooks of one
/// component are a tuple, `hook = (Load, Index)`, and are called in this order. The hooks of the
/// components of a bundle are called in the order of the bundle, after all of them have accepted
/// the bundle.
///
/// A refused value is an error where the call returns one, and the world is unchanged. `spawn`
/// panics, as for any rule of a component. A command is a [failed
/// command](crate::command::FailedCommand). A file, a prefab or a delta with a refused value is not
/// loaded.
///
/// # State
/// The state is `Clone`, `Default`, `Send` and `Sync`; a component asks that of its hook. It is a
/// function of the values, whatever the order in which they came: a clone and a
/// snapshot of the world copy it, and after loading, it is made from the default by
/// [`inserted`](Self::inserted) for each value. It is not saved.
/// [`HookState::of`](crate::system::HookState::of) and the system parameter
/// [`HookState`](crate::system::HookState) read it.
///
/// # Panics
/// A panic of `validate` leaves the world as it was. After a panic of `inserted` or `removed` the
/// value is still inserted or removed, and the state is as the hook has left it. Values are also
/// removed while another panic unwinds, when a second panic aborts the program.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook of component `{T}`",
    label = "does not implement `ComponentHook<{T}>`",
    note = "`hook = ..` names the type of a state, for which `ComponentHook<{T}>`, of `ecs::component`, is implemented with `inserted` and `removed`"
)]
pub trait ComponentHook<T>: 'static {
    /// Whether [`validate`](Self::validate) may refuse a value. If it is `false`, `validate` is not
    /// called, and other components may require the component, which must not be refused.
    const VALIDATES: bool = true;

    /// Refuses a value with a reason. It is called before anything changes; `old` is the value that
    /// `new` would replace.
    ///
    /// # Errors
    /// The reason, as the end of the sentence "entity 12v3 cannot have component `Weight`: ..".
    fn validate(&self, old: Option<&T>, new: &T) -> Result<(), &'static str> {
        let _ = (old, new);
        Ok(())
    }

    /// Called after an entity got a value, which replaced `old` if there is one. By default nothing
    /// happens, for instance in a hook that only validates.
    fn inserted(&mut self, entity: Entity, old: Option<&T>, new: &T) {
        let _ = (entity, old, new);
    }

    /// Called after an entity lost its value, alive or despawned. If the world removes all values
    /// at once, by `clear`, the state becomes the default instead. By default nothing happens: a
    /// state that [`inserted`](Self::inserted) changes needs it, since it follows from the values
    /// that are there.
    fn removed(&mut self, entity: Entity, old: &T) {
        let _ = (entity, old);
    }
}

macro_rules! hook_tuples {
    ($($name:ident $index:tt),+) => {
        #[diagnostic::do_not_recommend]
        /// Several hooks of one component, in the order in which they are called.
        impl<T, $($name: ComponentHook<T>),+> ComponentHook<T> for ($($name,)+) {
            const VALIDATES: bool = false $(|| $name::VALIDATES)+;
            fn validate(&self, old: Option<&T>, new: &T) -> Result<(), &'static str> {
                $(if $name::VALIDATES { self.$index.validate(old, new)?; })+
                Ok(())
            }
            fn inserted(&mut self, entity: Entity, old: Option<&T>, new: &T) {
                $(self.$index.inserted(entity, old, new);)+
            }
            fn removed(&mut self, entity: Entity, old: &T) {
                $(self.$index.removed(entity, old);)+
            }
        }
    };
}
hook_tuples!(A 0, B 1);
hook_tuples!(A 0, B 1, C 2);
hook_tuples!(A 0, B 1, C 2, D 3);

/// A component with `#[component(hook = ..)]`. Implemented by `derive(Component)`.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` has no hook",
    label = "no `#[component(hook = ..)]`",
    note = "name the type of a state that implements `ComponentHook<{Self}>`, of `ecs::component`: `#[component(hook = Load)]`"
)]
pub trait Hooked: Component {
    /// The hook.
    type Hook: ComponentHook<Self> + Clone + Default + Send + Sync;
}

/// The rule of a component with a hook.
pub struct HookRule<T>(PhantomData<fn() -> T>);

impl<T: Hooked> ComponentRule for HookRule<T> {
    const REFUSES: bool = T::Hook::VALIDATES;
    const RULES: RuleSet = RuleSet { hook: true, ..RuleSet::NONE };
    fn rule_state<C: 'static>() -> Option<Box<dyn RuleState<C>>> {
        rule_state_of::<T, C>(HookHolder(T::Hook::default()))
    }
}

/// The rule state of a component with a hook.
struct HookHolder<H>(H);

impl<T, H: ComponentHook<T> + Clone + Default + Send + Sync> RuleState<T> for HookHolder<H> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn RuleState<T>> {
        Box::new(Self(self.0.clone()))
    }

    fn refuse(&self, values: &Column<T>, _: &Entities, entity: Option<Entity>, new: &T) -> Option<Reason> {
        let old = entity.and_then(|entity| values.get(entity.slot()));
        self.0.validate(old, new).err().map(Reason::Invalid)
    }

    #[inline]
    fn replace(&mut self, entity: Entity, held: &mut T, value: &mut T) -> Option<Result<(), Reason>> {
        if H::VALIDATES
            && let Err(reason) = self.0.validate(Some(held), value)
        {
            return Some(Err(Reason::Invalid(reason)));
        }
        core::mem::swap(held, value);
        self.0.inserted(entity, Some(value), held);
        Some(Ok(()))
    }

    fn inserted(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, old: Option<&T>) {
        if let Some(new) = values.get(context.entity.slot()) {
            self.0.inserted(context.entity, old, new);
        }
    }

    fn removed(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, old: &T) {
        self.0.removed(context.entity, old);
    }

    /// Calls the hook for a removal, a replacement and an insertion. If one call panics, the others
    /// are still made.
    fn exchanged(&mut self, values: &mut Column<T>, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        let (Some(of_b), Some(of_a)) = (values.get(a.entity.slot()), values.get(b.entity.slot())) else {
            return;
        };
        let mut step = 0;
        despite_panics(&mut || {
            step += 1;
            match step {
                1 => self.0.removed(b.entity, of_b),
                2 => self.0.inserted(a.entity, Some(of_a), of_b),
                3 => self.0.inserted(b.entity, None, of_a),
                _ => return false,
            }
            true
        });
    }

    /// Calls the hook twice for each value: as removed from the former id, and as inserted at the
    /// present one. If one call panics, the others are still made.
    fn regrouped(&mut self, values: &mut Column<T>, _: ChangeContext<'_>, moved: &Regrouped) {
        // all former ids first, so that the hook never has more values than the column
        let (mut former, mut present) = (moved.iter(), moved.iter());
        despite_panics(&mut || {
            if let Some((former, present)) = former.next() {
                values.get(present.slot()).into_iter().for_each(|value| self.0.removed(former, value));
                return true;
            }
            let Some((_, present)) = present.next() else { return false };
            values.get(present.slot()).into_iter().for_each(|value| self.0.inserted(present, None, value));
            true
        });
    }

    fn clear(&mut self) {
        self.0 = H::default();
    }

    fn load_values(
        &mut self,
        values: &mut Column<T>,
        context: ChangeContext<'_>,
    ) -> Result<(), (u32, String)> {
        each_value(values, |slot, value| self.admit_one(context.entities.at(slot as usize), slot, value))
    }

    /// Inserts the values into a copy of the state, one after the other, to find out whether the
    /// hook refuses one. They have no entities yet, so the hook gets ids of slots behind those of
    /// the world.
    fn admit(&self, _: &Column<T>, entities: &Entities, newcomers: &Column<T>) -> Result<(), (u32, String)> {
        let (mut after, end) = (Self(self.0.clone()), entities.alive().len() as u32 * 64);
        each_value(newcomers, |slot, value| {
            after.admit_one(Entity::from_parts(end.saturating_add(slot), NonZeroU32::MIN), slot, value)
        })
    }
}

impl<H> HookHolder<H> {
    /// Validates a value from a file and takes it into the state.
    fn admit_one<T>(&mut self, entity: Entity, slot: u32, value: &T) -> Result<(), (u32, String)>
    where
        H: ComponentHook<T>,
    {
        if H::VALIDATES {
            self.0.validate(None, value).map_err(|reason| (slot, Reason::Invalid(reason).to_string()))?;
        }
        self.0.inserted(entity, None, value);
        Ok(())
    }
}

/// Calls `f` with each slot and value of a column, until it fails.
fn each_value<T, E>(values: &Column<T>, mut f: impl FnMut(u32, &T) -> Result<(), E>) -> Result<(), E> {
    for slot in values.slots() {
        if let Some(value) = values.get(slot) {
            f(slot, value)?;
        }
    }
    Ok(())
}

/// The state of the hook of a column; `None` before the first value.
pub(crate) fn hook_state<T: Hooked>(values: &Column<T>) -> Option<&T::Hook> {
    values.rule_state::<HookHolder<T::Hook>>().map(|HookHolder(state)| state)
}
