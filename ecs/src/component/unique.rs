//! Unique components, of which a world has at most one value: `#[component(unique)]`.

use alloc::boxed::Box;
use core::any::Any;
use core::marker::PhantomData;

use super::Has;
use super::kind::{AnyKind, Kind};
use super::rule::{ComponentRule, rule_state_of};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::kind::RuleSet;
use crate::storage::rule_state::{ChangeContext, RuleState};

/// The rule of `#[component(unique)]`.
pub struct UniqueRule<T>(PhantomData<fn() -> T>);

/// The rule state of a unique component: the entity that has the value.
#[derive(Clone, Copy)]
pub(crate) struct UniqueHolder(pub(crate) Option<Entity>);

impl<T: 'static> ComponentRule for UniqueRule<T> {
    const REFUSES: bool = true;
    const RULES: RuleSet = RuleSet { unique: true, ..RuleSet::NONE };
    fn rule_state<C: 'static>() -> Option<Box<dyn RuleState<C>>> {
        rule_state_of::<T, C>(UniqueHolder(None))
    }
}

impl<T> RuleState<T> for UniqueHolder {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn copy(&self) -> Box<dyn RuleState<T>> {
        Box::new(*self)
    }
    fn refuse(&self, values: &Column<T>, _: &Entities, entity: Option<Entity>, _: &T) -> Option<Reason> {
        let holder = self.0.filter(|&holder| Some(holder) != entity && values.contains(holder.slot()))?;
        Some(Reason::HeldBy(holder))
    }
    fn inserted(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, _: Option<&T>) {
        self.0 = Some(context.entity);
    }
    fn removed(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, _: &T) {
        if self.0 == Some(context.entity) {
            self.0 = None;
        }
    }
    fn regrouped(&mut self, _: &mut Column<T>, _: ChangeContext<'_>, moved: &Regrouped) {
        self.0 = self.0.map(|holder| moved.current(holder));
    }
    fn clear(&mut self) {
        self.0 = None;
    }
}

/// A kind of component of which a world has at most one value.
#[diagnostic::on_unimplemented(
    message = "component `{T}` is not unique: write `#[component(unique)]` on it",
    label = "any number of entities may have a `{T}`",
    note = "for a component that is not unique, use a query: `game.query::<&{T}>().into_query().single()`"
)]
pub trait IsUnique<T: ?Sized> {}
#[diagnostic::do_not_recommend]
impl<T, F, const TRACKED: bool, L, P, const EXCLUDES: bool> IsUnique<T>
    for Kind<F, TRACKED, UniqueRule<T>, L, P, EXCLUDES>
{
}
#[diagnostic::do_not_recommend]
impl<T: ?Sized> IsUnique<T> for AnyKind {}

/// A world that stores the unique component `T`, as [`World::unique`](crate::World::unique) needs
/// it. Implemented for every component with `#[component(unique)]`.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no component `{T}`",
    label = "`{T}` is not a component of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `components {{ {T} }}`, with `#[derive(Component)]` on the type"
)]
pub trait HasUnique<T: 'static>: Has<T> {}
impl<T: 'static, W: Has<T>> HasUnique<T> for W where <W as Has<T>>::Kind: IsUnique<T> {}
