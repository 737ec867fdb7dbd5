//! The query elements [`Target`] and [`Up`] and the filter [`RelatedTo`]: an entity is matched by
//! what another entity has, the one to which a relation leads.
#![expect(
    unsafe_code,
    reason = "the values of another entity are reached by address, after its bits were seen"
)]

use core::marker::PhantomData;

use super::{ExclusiveRelation, HasRelation, Relation, Stored};
use crate::base::access::Access;
use crate::base::mask::{Bits, Span};
use crate::component::Has;
use crate::entity::Entity;
use crate::query::data::{Borrows, Data, QueryData, RawEntities, ReadData, WorldData};
use crate::query::filter::{Filter, QueryFilter, filter_type};
use crate::query::slots::{RequiredColumn, SlotMatcher};
use crate::query::{SnapshotData, SnapshotFilter};
use crate::raw_world::{WorldCell, WorldFields};

/// Query data that can be asked of the entity at the other end of a relation. Implemented for all
/// that only read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked of the entity at the other end of a relation, to which several entities may lead",
    label = "borrows mutably",
    note = "read it, by `&T` or `Ref<T>`, and change it in a system of its own, by `Query::get_mut`"
)]
pub trait FollowedData: ReadData {}
#[diagnostic::do_not_recommend]
impl<D: ReadData> FollowedData for D {}

/// The columns of an element that follows the relation `R`: of the relation, of the ids, and those
/// that the entity it leads to is matched by. With `UP` the relation is followed to the nearest
/// entity that matches, and else once.
pub struct FollowedColumns<R, S, const UP: bool> {
    relation: RequiredColumn,
    entities: RawEntities,
    reached: S,
    of: PhantomData<fn() -> R>,
}

copy!([R, S: Copy, const UP: bool] FollowedColumns<R, S, UP>);

impl<R: Relation, S: SlotMatcher, const UP: bool> FollowedColumns<R, S, UP> {
    /// # Safety
    /// While the columns are used, no one writes the relation, and `reached` are columns of `world`.
    #[inline(always)]
    unsafe fn new<W: HasRelation<R>>(world: WorldCell<'_, W>, reached: S) -> Self {
        // SAFETY: the caller keeps writers of the relation away.
        let relation = RequiredColumn(unsafe { world.raw_column::<R::Stored>() });
        Self { relation, entities: RawEntities::new(world.entities()), reached, of: PhantomData }
    }

    /// The target of the entity in a slot, which has the relation, if the target is alive.
    ///
    /// # Safety
    /// The columns are still borrowed, and the slot has a value in that of the relation.
    #[inline(always)]
    unsafe fn target(self, slot: usize) -> Option<Entity> {
        // SAFETY: the slot has a value of type `R::Stored`, which no one writes by the contract of
        // `new`.
        unsafe {
            let value = <&R::Stored>::at(<&R::Stored>::base(self.relation, slot / 64), slot % 64);
            let target = value.edges().first()?.target();
            self.entities.contains(target).then_some(target)
        }
    }

    /// The living entity to which the relation of the entity in a slot leads, if there is one that
    /// matches.
    ///
    /// # Safety
    /// The columns are still borrowed.
    #[inline(always)]
    unsafe fn find(self, slot: usize) -> Option<Entity> {
        // SAFETY: the slot has the relation if its bit is set.
        unsafe { if self.relation.has(slot) { self.find_of(slot) } else { None } }
    }

    /// [`find`](Self::find) for a slot that has the relation.
    ///
    /// # Safety
    /// The columns are still borrowed, and the slot has a value in that of the relation.
    #[inline(always)]
    unsafe fn find_of(self, slot: usize) -> Option<Entity> {
        // SAFETY: the caller promises that the columns are borrowed.
        let matches = |entity: Entity| unsafe { self.reached.has(entity.slot() as usize) };
        // SAFETY: as for `matches`; the slot has the relation if its bit is set.
        let next = |slot| unsafe { if self.relation.has(slot) { self.target(slot) } else { None } };
        // SAFETY: the caller promises that the slot has the relation.
        nearest(unsafe { self.target(slot) }, UP, matches, next)
    }
}

/// The `first` entity to which a relation leads, if it matches; with `up` the first one on the way
/// that does.
///
/// A relation that is not acyclic may lead in a circle: the walk compares each entity with one that
/// it has seen, the last whose distance is a power of two (Brent, "An improved Monte Carlo
/// factorization algorithm", 1980).
#[inline(always)]
fn nearest(
    first: Option<Entity>,
    up: bool,
    matches: impl Fn(Entity) -> bool,
    target: impl Fn(usize) -> Option<Entity>,
) -> Option<Entity> {
    let mut at = first?;
    let (mut seen, mut steps, mut most) = (at, 0_usize, 1);
    while !matches(at) {
        if !up {
            return None;
        }
        at = target(at.slot() as usize).filter(|&next| next != seen)?;
        steps += 1;
        if steps == most {
            (seen, steps, most) = (at, 0, most * 2);
        }
    }
    Some(at)
}

/// The entity of a snapshot to which `R` leads from a slot, if it matches `passing`.
fn frozen_nearest<R: ExclusiveRelation, W: HasRelation<R>>(
    world: &W,
    slot: usize,
    up: bool,
    passing: impl Fn(usize) -> u64,
) -> Option<Entity> {
    let living = world.__living();
    let target = |slot: usize| {
        let relation = world.column::<R>().frozen_word(slot / 64).get(slot % 64)?;
        Some(relation.target()).filter(|&target| living.frozen_contains(target))
    };
    let matches = |entity: Entity| passing(entity.slot() as usize / 64) >> (entity.slot() % 64) & 1 == 1;
    nearest(target(slot), up, matches, target)
}

/// The bits of a word of a snapshot whose relation leads to an entity.
fn frozen_mask<R: ExclusiveRelation, W: HasRelation<R>>(
    world: &W,
    word: usize,
    leads: impl Fn(usize) -> bool,
) -> u64 {
    let sources = Bits(world.column::<R>().frozen_mask(word));
    sources.filter(|bit| leads(word * 64 + bit)).fold(0, |mask, bit| mask | 1 << bit)
}

// SAFETY: a bit is set for slots whose relation leads to an entity that matches.
unsafe impl<R: Relation, S: SlotMatcher, const UP: bool> SlotMatcher for FollowedColumns<R, S, UP> {
    const REQUIRED: bool = true;
    fn words(self) -> Span {
        self.relation.words()
    }
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the caller promises that the word is below the end of the relation's words, and
        // that the columns are borrowed.
        let sources = Bits(unsafe { self.relation.mask(word) });
        // SAFETY: the columns are borrowed.
        let leads = |bit: &usize| unsafe { self.find(word * 64 + bit) }.is_some();
        sources.filter(leads).fold(0, |mask, bit| mask | 1 << bit)
    }
    unsafe fn has(self, slot: usize) -> bool {
        // SAFETY: the columns are borrowed.
        unsafe { self.find(slot) }.is_some()
    }
    unsafe fn used(self, group: usize) -> u64 {
        // SAFETY: the caller promises that the group begins below the end of the relation's words.
        unsafe { self.relation.used(group) }
    }
    const BY_SLOT: bool = true;
    const DATED: bool = S::DATED;
    fn since(self, tick: u64) -> Self {
        Self { reached: self.reached.since(tick), ..self }
    }
}

/// The columns of an element, and the first slot of a word.
#[derive(Clone, Copy)]
pub struct FollowedBase<C> {
    columns: C,
    first: usize,
}

macro_rules! followed {
    ($($(#[$doc:meta])* $name:ident, $up:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name<R, D> {
            entity: Entity,
            data: D,
            relation: PhantomData<fn() -> R>,
        }

        impl<R, D> $name<R, D> {
            /// Creates an element, for a unit test of a system.
            pub const fn new(entity: Entity, data: D) -> Self {
                Self { entity, data, relation: PhantomData }
            }

            /// The entity that the data belongs to.
            pub const fn entity(&self) -> Entity {
                self.entity
            }

            /// The data, by value.
            pub fn into_inner(self) -> D {
                self.data
            }
        }

        deref!([R, D] $name<R, D> => D, |this| &this.data);

        impl<R, D: Clone> Clone for $name<R, D> {
            fn clone(&self) -> Self {
                Self::new(self.entity, self.data.clone())
            }
        }

        impl<R, D: Copy> Copy for $name<R, D> {}

        debug!([R, D: core::fmt::Debug] $name<R, D>, |this, f| {
            f.debug_tuple(stringify!($name)).field(&this.entity).field(&this.data).finish()
        });

        impl<R: Relation, D: Data> $name<R, D> {
            /// The item of an entity to which a relation leads.
            ///
            /// # Safety
            /// The columns are still borrowed, and have just found the entity.
            #[inline(always)]
            unsafe fn item<'q>(
                columns: FollowedColumns<R, D::Columns, $up>,
                entity: Entity,
            ) -> $name<R, D::Item<'q>> {
                let (word, bit) = (entity.slot() as usize / 64, entity.slot() as usize % 64);
                // SAFETY: the columns are borrowed, and the slot of the entity matches `D`.
                $name::new(entity, unsafe { D::at(D::base(columns.reached, word), bit) })
            }
        }

        // SAFETY: an item is made if the entity matches `D`, which is looked up again: the target
        // of a relation is told by a function of the user. Several items may be those of one
        // entity: a world has such data only if `D` reads.
        unsafe impl<R: Relation, D: Data> Data for $name<R, D> {
            type Columns = FollowedColumns<R, D::Columns, $up>;
            type Base = FollowedBase<Self::Columns>;
            type Item<'q> = $name<R, D::Item<'q>>;
            type ReadOnly = $name<R, D::ReadOnly>;
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
                FollowedBase { columns, first: word * 64 }
            }
            #[inline(always)]
            unsafe fn at<'q>(base: Self::Base, i: usize) -> Self::Item<'q> {
                // SAFETY: the columns are borrowed, by the contract of `base`, and the slot has the
                // relation, since its bit is set.
                unsafe {
                    let entity = base.columns.find_of(base.first + i);
                    Self::item(base.columns, entity.expect("the target did not change"))
                }
            }
        }

        // SAFETY: the data gives what `D` gives, which only reads.
        unsafe impl<R: Relation, D: ReadData> ReadData for $name<R, D> {}

        // SAFETY: `ACCESS` declares that the relation is read, and that `D` is read of other
        // entities.
        unsafe impl<R, D, W> QueryData<W> for $name<R, D>
        where
            R: ExclusiveRelation,
            D: FollowedData + QueryData<W>,
            W: HasRelation<R>,
        {
            const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).and(D::ACCESS.elsewhere());
            #[inline(always)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller keeps writers of the relation and of what `D` reads away.
                unsafe { FollowedColumns::new(world, D::columns(world)) }
            }
        }

        impl<R, D, W> SnapshotData<W> for $name<R, D>
        where
            R: ExclusiveRelation,
            D: FollowedData + SnapshotData<W>,
            W: HasRelation<R>,
        {
            type Word<'s> = (&'s W, usize);
            fn word(world: &W, word: usize) -> Self::Word<'_> {
                (world, word)
            }
            fn mask(&(world, word): &Self::Word<'_>) -> u64 {
                let passing = |word| D::mask(&D::word(world, word));
                let leads = |slot| frozen_nearest::<R, W>(world, slot, $up, passing).is_some();
                frozen_mask::<R, W>(world, word, leads)
            }
            fn item<'s>(&(world, word): &Self::Word<'s>, bit: usize) -> Self::Item<'s> {
                let passing = |word| D::mask(&D::word(world, word));
                let found = frozen_nearest::<R, W>(world, word * 64 + bit, $up, passing);
                let entity = found.expect("the target did not change");
                let (word, bit) = (entity.slot() as usize / 64, entity.slot() as usize % 64);
                $name::new(entity, D::item(&D::word(world, word), bit))
            }
        }
        impl<R, D, W, S> Borrows<W, S> for $name<R, D>
        where
            R: ExclusiveRelation,
            D: FollowedData + Borrows<W, S>,
            W: HasRelation<R>,
        {
            type Out = D::Out;
        }
        impl<R, D, W> WorldData<W> for $name<R, D>
        where
            R: ExclusiveRelation,
            D: FollowedData + WorldData<W>,
            W: HasRelation<R>,
        {
        }
    )*};
}

followed! {
    /// Query element: the data `D` of the entity to which the exclusive relation `R` leads.
    /// Dereferences to the item of `D`.
    ///
    /// An entity matches if it has the relation, and its target is alive and matches `D`. An
    /// `Option` of it matches every entity. `D` only reads: `&T`, `Ref<T>`, `Option`s and tuples of
    /// them, [`Entity`], `#[derive(Query)]` structs, or another `Target`. A target that is
    /// [`Disabled`](crate::component::Disabled) counts like any other.
    ///
    /// ```
    /// use ecs::Target;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component, PartialEq, Debug)]
    /// struct Position(f32);
    /// #[derive(Component)]
    /// struct Aim(f32);
    /// #[derive(Relation)]
    /// #[relation(exclusive)]
    /// struct Follows(Entity);
    ///
    /// world! { struct Game { components { Position, Aim, Follows } } schedule tick { aim } }
    ///
    /// #[system(Game)]
    /// fn aim(aim: &mut Aim, own: &Position, leader: Target<Follows, &Position>) {
    ///     aim.0 = leader.0 - own.0;
    /// }
    ///
    /// let mut game = Game::new();
    /// let leader = game.spawn(Position(5.0));
    /// let dog = game.spawn((Position(2.0), Aim(0.0), Follows(leader)));
    /// game.tick();
    /// assert_eq!(game.get::<Aim>(dog).unwrap().0, 3.0);
    /// ```
    ///
    /// The system that reads a component of targets cannot write the same component, also not of
    /// entities that `With` and `Without` keep apart: the target may be any entity. `cargo check`
    /// reports it. Write to another component and copy it in a second system, or send an event.
    ///
    /// # Cost
    /// The target of each source in a word of 64 slots is looked up twice: once to match, and once
    /// for the item. [`Query::get`](crate::Query::get) looks up all of the entity's word.
    ///
    /// # Panics
    /// If a hand-written impl of [`Relation::target`] returns different entities for one value.
    Target, false;

    /// Query element: the data `D` of the nearest entity that has it, along the exclusive relation
    /// `R`: the target, its target, and so on. Dereferences to the item of `D`.
    ///
    /// An entity matches if one of these entities matches `D`; its own components do not count.
    /// An `Option` of it matches every entity. In a circle, which a relation that is not `acyclic`
    /// may have, each entity is asked at least once, the entity itself among them. For `D` and for
    /// what a system cannot write see [`Target`].
    ///
    /// ```
    /// use ecs::Up;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy, PartialEq, Debug)]
    /// struct Faction(u8);
    /// #[derive(Component)]
    /// struct Part;
    ///
    /// world! { struct Game { components { Faction, Part, ChildOf } } }
    ///
    /// let mut game = Game::new();
    /// let ship = game.spawn(Faction(3));
    /// let turret = game.spawn((Part, ChildOf(ship)));
    /// let gun = game.spawn((Part, ChildOf(turret)));
    /// let parts = game.query::<(Entity, &Part, Up<ChildOf, &Faction>)>();
    /// let found: Vec<_> = parts.iter().map(|(part, _, of)| (part, of.entity(), **of)).collect();
    /// assert_eq!(found, [(turret, ship, Faction(3)), (gun, ship, Faction(3))]);
    /// ```
    ///
    /// # Cost
    /// As for [`Target`], for each entity on the way to the nearest.
    ///
    /// # Panics
    /// As [`Target`].
    Up, true;
}

filter_type! {
    /// Filter: the entity has the exclusive relation `R`, and its target is alive and passes the
    /// filter `F`: [`With`](crate::With), [`Without`](crate::Without), and what is made of them.
    ///
    /// [`TargetOf`](super::TargetOf) asks the other way: whether an entity is a target. Whether an
    /// entity has the relation, dead target or not, is `With<R>`.
    ///
    /// ```
    /// use ecs::RelatedTo;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Ship;
    ///
    /// world! { struct Game { components { Ship, ChildOf } } }
    ///
    /// let mut game = Game::new();
    /// let [ship, island] = [game.spawn(Ship), game.spawn(())];
    /// let sailor = game.spawn(ChildOf(ship));
    /// game.spawn(ChildOf(island));
    /// let crew = game.entities().filter::<RelatedTo<ChildOf, With<Ship>>>();
    /// assert!(crew.iter().eq([sailor]));
    /// ```
    RelatedTo<R, F>
}

// SAFETY: the filter makes no claim about components but that of the relation, which the mask
// demands.
unsafe impl<R: Relation, F: Filter> Filter for RelatedTo<R, F> {
    type Columns = FollowedColumns<R, F::Columns, false>;
    const VALUE: Self = Self::new();
}

// SAFETY: an entity that passes has the relation. `ACCESS` declares that it is read, and what `F`
// reads of other entities, which are no stamps.
unsafe impl<R: ExclusiveRelation, F: QueryFilter<W>, W: HasRelation<R>> QueryFilter<W> for RelatedTo<R, F> {
    const ACCESS: Access = {
        assert!(
            F::ACCESS.stamps.is_empty() && !F::ACCESS.timed,
            "`RelatedTo<R, F>`: `F` asks which components the target has; ask for changes of the target by `Target<R, Ref<T>>`"
        );
        Access::read(<W as Has<R::Stored>>::INDEX).and(F::ACCESS.elsewhere())
    };
    const NEGATED: Access = <Self as QueryFilter<W>>::ACCESS.without_filters();
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        const { _ = <Self as QueryFilter<W>>::ACCESS }
        // SAFETY: the caller keeps those away who write the relation or add and remove components.
        unsafe { FollowedColumns::new(world, F::columns(world)) }
    }
}

impl<R: ExclusiveRelation, F: SnapshotFilter<W>, W: HasRelation<R>> SnapshotFilter<W> for RelatedTo<R, F> {
    fn passing(world: &W, word: usize) -> u64 {
        let leads =
            |slot| frozen_nearest::<R, W>(world, slot, false, |word| F::passing(world, word)).is_some();
        frozen_mask::<R, W>(world, word, leads)
    }
}
