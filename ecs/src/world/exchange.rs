//! Verbs that move values between two entities of a world: exchange them, or move them from one
//! entity to the other.
//!
//! All rules are checked before the first value moves. A component of both entities is changed; one
//! that only one of them has is removed there and inserted at the other.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::World;
use super::verbs::no_such;
use crate::base::component_set::ComponentSet;
use crate::bundle::{Bundle, BundleComponents, Replaced};
use crate::component::requires::RequiredInserter;
use crate::component::{ComponentKind, Has};
use crate::entity::Entity;
use crate::error::{InsertError, Refused};
use crate::raw_world::discard::despite_panics;
use crate::raw_world::fields::excluded_unless;
use crate::raw_world::{ComponentVisitor, WorldFields, targets};
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;

/// A set of components whose types can be visited: those of a bundle, or all of a world.
pub(crate) trait ComponentTypes<W: World> {
    fn visit(visitor: &mut impl ComponentVisitor<W>);
    fn set() -> ComponentSet;
}

/// The components of a bundle.
pub(crate) struct BundleTypes<B>(PhantomData<B>);

impl<W: World, B: Bundle<W>> ComponentTypes<W> for BundleTypes<B> {
    fn visit(visitor: &mut impl ComponentVisitor<W>) {
        B::BundleComponents::visit(visitor);
    }
    fn set() -> ComponentSet {
        B::BundleComponents::OWN
    }
}

/// All components of the world.
pub(crate) struct WorldTypes;

impl<W: World> ComponentTypes<W> for WorldTypes {
    fn visit(visitor: &mut impl ComponentVisitor<W>) {
        W::__visit_components(visitor);
    }
    fn set() -> ComponentSet {
        (0..W::COMPONENTS.len()).fold(ComponentSet::EMPTY, ComponentSet::with)
    }
}

/// See [`MoveComponents::swap`](crate::world::MoveComponents::swap) and
/// [`MoveComponents::swap_all`](crate::world::MoveComponents::swap_all).
pub(crate) fn swap<W: World, C: ComponentTypes<W>>(
    world: &mut W,
    a: Entity,
    b: Entity,
) -> Result<(), InsertError> {
    check_alive(world, a, b)?;
    if a == b {
        return Ok(());
    }
    check::<W, C>(world, a, b, C::set())?;
    check::<W, C>(world, b, a, C::set())?;
    let (of_a, of_b) = (demanding::<W, C>(world, a), demanding::<W, C>(world, b));
    let losing = targets::losing(world, [a, b]);
    SwapValues::<W, C>::all(losing.world, a, b);
    fill::<W, C>(losing.world, a, of_b);
    fill::<W, C>(losing.world, b, of_a);
    Ok(())
}

/// See [`MoveComponents::move_components`](crate::world::MoveComponents::move_components).
pub(crate) fn move_bundle<W: World, B: Bundle<W>>(
    world: &mut W,
    from: Entity,
    to: Entity,
) -> Result<Replaced<W, B>, InsertError> {
    check_alive(world, from, to)?;
    if from == to {
        return Ok(B::BundleComponents::none().into());
    }
    check::<W, BundleTypes<B>>(world, from, to, ComponentSet::EMPTY)?;
    let moved = demanding::<W, BundleTypes<B>>(world, from);
    let losing = targets::losing(world, [from]);
    let replaced = B::BundleComponents::move_values(losing.world, from, to);
    fill::<W, BundleTypes<B>>(losing.world, to, moved);
    drop(losing);
    Ok(replaced.into())
}

/// See [`MoveComponents::move_all_components`](crate::world::MoveComponents::move_all_components).
pub(crate) fn move_all<W: World>(world: &mut W, from: Entity, to: Entity) -> Result<(), InsertError> {
    check_alive(world, from, to)?;
    if from == to {
        return Ok(());
    }
    check::<W, WorldTypes>(world, from, to, ComponentSet::EMPTY)?;
    let moved = demanding::<W, WorldTypes>(world, from);
    let losing = targets::losing(world, [from]);
    let world = &mut *losing.world;
    let mut components = HeldComponents { world, entity: from, moves: Vec::new() };
    W::__visit_components(&mut components);
    let mut moves = components.moves.into_iter();
    despite_panics(&mut || moves.next().map(|one| one(world, from, to)).is_some());
    fill::<W, WorldTypes>(world, to, moved);
    Ok(())
}

fn check_alive<W: World>(world: &W, a: Entity, b: Entity) -> Result<(), InsertError> {
    match [a, b].into_iter().find(|&entity| !world.contains(entity)) {
        Some(dead) => Err(no_such::<W>(dead).into()),
        None => Ok(()),
    }
}

/// Checks that no rule refuses the components of `from` for `to`, which loses the components of
/// `lost` at the same time.
fn check<W: World, C: ComponentTypes<W>>(
    world: &W,
    from: Entity,
    to: Entity,
    lost: ComponentSet,
) -> Result<(), InsertError> {
    let mut check = ExchangeCheck { world, from, to, lost, refused: None };
    C::visit(&mut check);
    check.refused.map_or(Ok(()), |refused| Err(refused.into()))
}

struct ExchangeCheck<'w, W> {
    world: &'w W,
    from: Entity,
    to: Entity,
    lost: ComponentSet,
    refused: Option<Refused>,
}

impl<W: World> ComponentVisitor<W> for ExchangeCheck<'_, W> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        let Self { world, from, to, lost, refused } = self;
        let column = world.column::<T>();
        if !W::Kind::REFUSES || refused.is_some() || !column.contains(from.slot()) {
            return;
        }
        let excluded = if W::Kind::EXCLUDES { excluded_unless::<W, T>(world, *to, *lost) } else { None };
        let reason = excluded.or_else(|| column.refuse_held(world.__living(), *from, *to));
        *refused = reason.map(|reason| Refused {
            entity: Some(*to),
            component: W::COMPONENTS[W::INDEX],
            world: W::NAME,
            reason,
        });
    }
}

/// Exchanges the values of the components `C`. If one panics, the others are exchanged all the same
/// before the panic goes on.
struct SwapValues<'w, W: World, C: ComponentTypes<W>> {
    world: &'w mut W,
    a: Entity,
    b: Entity,
    /// The number of components whose exchange has begun.
    begun: usize,
    /// The number of components that were visited since the visit began.
    visited: usize,
    components: PhantomData<C>,
}

impl<W: World, C: ComponentTypes<W>> SwapValues<'_, W, C> {
    fn all(world: &mut W, a: Entity, b: Entity) {
        let mut swap = SwapValues::<W, C> { world, a, b, begun: 0, visited: 0, components: PhantomData };
        C::visit(&mut swap);
        core::mem::forget(swap);
    }
}

impl<W: World, C: ComponentTypes<W>> Drop for SwapValues<'_, W, C> {
    fn drop(&mut self) {
        self.visited = 0;
        C::visit(self);
    }
}

impl<W: World, C: ComponentTypes<W>> ComponentVisitor<W> for SwapValues<'_, W, C> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        // after a panic, `drop` visits all again, and passes over those whose exchange has begun
        self.visited += 1;
        if self.visited <= self.begun {
            return;
        }
        self.begun = self.visited;
        let Self { world, a, b, .. } = self;
        let (a, b) = (*a, *b);
        // two values change places; a single one moves as if removed and inserted, so that rules
        // and logs see it
        let column = world.column::<T>();
        match (column.contains(a.slot()), column.contains(b.slot())) {
            (true, true) => {
                let (column, of_a) = world.change::<T>(a);
                column.exchange::<W::Kind>(of_a, ChangeContext { entity: b, ..of_a });
            }
            (true, false) => move_one::<W, T>(world, a, b),
            (false, true) => move_one::<W, T>(world, b, a),
            (false, false) => {}
        }
    }
}

fn move_one<W: Has<T>, T: 'static>(world: &mut W, from: Entity, to: Entity) {
    drop(world.move_value::<T>(from, to));
}

/// Collects the functions that move the components of an entity.
struct HeldComponents<'w, W> {
    world: &'w W,
    entity: Entity,
    moves: Vec<fn(&mut W, Entity, Entity)>,
}

impl<W: World> ComponentVisitor<W> for HeldComponents<'_, W> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        if self.world.column::<T>().contains(self.entity.slot()) {
            self.moves.push(move_one::<W, T>);
        }
    }
}

/// Those of the components `C` that an entity has and that require others.
fn demanding<W: World, C: ComponentTypes<W>>(world: &W, entity: Entity) -> ComponentSet {
    struct Demanding<'w, W>(&'w W, Entity, ComponentSet);
    impl<W: World> ComponentVisitor<W> for Demanding<'_, W> {
        fn visit<T: 'static>(&mut self)
        where
            W: Has<T>,
        {
            if !W::REQUIRES[W::INDEX].is_empty() && self.0.column::<T>().contains(self.1.slot()) {
                self.2 = self.2.with(W::INDEX);
            }
        }
    }
    let mut found = Demanding(world, entity, ComponentSet::EMPTY);
    C::visit(&mut found);
    found.2
}

/// Inserts the components that those of `moved` require, which an entity has got. What a component
/// requires that the entity had before is not looked at: it may have been removed.
fn fill<W: World, C: ComponentTypes<W>>(world: &mut W, entity: Entity, moved: ComponentSet) {
    struct FillRequired<'w, W>(&'w mut W, Entity, ComponentSet);
    impl<W: World> ComponentVisitor<W> for FillRequired<'_, W> {
        fn visit<T: 'static>(&mut self)
        where
            W: Has<T>,
        {
            let Self(world, entity, moved) = self;
            if moved.contains(W::INDEX) && world.column::<T>().contains(entity.slot()) {
                RequiredInserter::new(&mut **world, *entity).fill::<T>();
            }
        }
    }
    C::visit(&mut FillRequired(world, entity, moved));
}
