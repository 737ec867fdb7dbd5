//! [`Single`] and [`Populated`]: queries that skip their system if they do not match what it needs.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use super::SystemParam;
use super::param::query;
use super::shared_param::{SharedOutput, SharedParam};
use crate::base::access::Access;
use crate::entity::Entity;
use crate::error::SingleError;
use crate::query::passed_over::PassedColumnsList;
use crate::query::{Data, Filter, Iter, Query, QueryData, QueryFilter, ReadData, ReadItem};
use crate::raw_world::{RawWorld, WorldCell};

/// System parameter: the only entity that matches the data `D` and passes the filter `F`. If no
/// entity matches, or more than one, the system is skipped.
///
/// A skipped system does not run, as if it had a condition that is false: its commands, events and
/// `Local`s stay as they are, unread events wait, and [`Changed`](crate::Changed) counts from its
/// last run. A condition that is skipped is `false`, and a system that is run by itself returns
/// what [a skipped system returns](#what-a-skipped-system-returns).
///
/// `Option<Single<D, F>>` is `None` if no entity matches, and skips the system only if there are
/// several. A system that needs to know why there is no single entity takes a [`Query`] and calls
/// [`single`](Query::single).
///
/// For the data `&T` and `&mut T` it dereferences to `T`, and for [`Entity`] to the id:
/// `commands.despawn(*single)`. For other data, [`get`](Self::get), [`get_mut`](Self::get_mut) and
/// [`into_inner`](Self::into_inner) give the item.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Component)] struct Player;
/// #[derive(Component)] struct Wolf;
///
/// world! {
///     struct Game { components { Position, Player, Wolf } }
///     schedule tick { chase }
/// }
///
/// #[system(Game)]
/// fn chase(
///     wolf: &mut Position,
///     _: (With<Wolf>, Without<Player>),
///     player: Single<&Position, With<Player>>,
/// ) {
///     wolf.0 += (player.0 - wolf.0) / 2.0;
/// }
///
/// let mut game = Game::new();
/// let wolf = game.spawn((Position(0.0), Wolf));
/// game.tick(); // there is no player
/// game.spawn((Position(8.0), Player));
/// game.tick();
/// assert_eq!(game.get::<Position>(wolf).map(|position| position.0), Some(4.0));
/// ```
///
/// # What a skipped system returns
/// A system with this parameter returns nothing, `bool` (`false` if it is skipped), `Result<(), E>`
/// (`Ok(())`) or `Option<T>` (`None`).
///
/// # Cost
/// Each run looks for a second match, 64 slots at a time. To find an entity by its place, see
/// `#[component(unique)]`.
pub struct Single<'w, D: Data, F: Filter = ()> {
    query: Query<'w, D, F>,
    /// The word and the bit that `find_only` has returned for the query.
    word: usize,
    bit: usize,
    entity: Entity,
}

impl<'w, D: Data, F: Filter> Single<'w, D, F> {
    /// Makes the parameter from a query, to call a system as a plain function.
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn new(query: Query<'w, D, F>) -> Result<Self, SingleError> {
        let (word, bit) = query.find_only()?;
        let entity = query.entity_at(word * 64 + bit);
        Ok(Self { query, word, bit, entity })
    }

    /// The item, with shared references.
    #[inline]
    pub fn get(&self) -> ReadItem<'_, D> {
        let Self { query, word, bit, .. } = self;
        // SAFETY: the word and the bit are those of `find_only` of a query of the same columns, and
        // `ReadOnly` only reads; `&self` excludes mutable items.
        unsafe { query.as_read_only().at(*word, *bit) }
    }

    /// The item.
    #[inline]
    pub fn get_mut(&mut self) -> D::Item<'_> {
        let Self { query, word, bit, .. } = self;
        // SAFETY: the word and the bit are those of `find_only`, and `&mut self` excludes other
        // items.
        unsafe { query.at(*word, *bit) }
    }

    /// The item, for the whole run of the system.
    #[inline]
    pub fn into_inner(self) -> D::Item<'w> {
        let Self { query, word, bit, .. } = self;
        // SAFETY: the word and the bit are those of `find_only`. The query borrows the columns for
        // `'w`, and is consumed, unless it is `Copy` and only reads.
        unsafe { query.at(word, bit) }
    }

    /// The id of the entity.
    pub fn entity(&self) -> Entity {
        self.entity
    }

    /// Borrows the parameter for a shorter time, to pass it by value to a function and use it again
    /// later.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Single<'_, D, F> {
        Single { query: self.query.reborrow(), ..*self }
    }
}

deref!([T: 'static, F: Filter] Single<'_, &T, F> => T, |this| this.get());

deref!([T: 'static, F: Filter] Single<'_, &mut T, F> => T, |this| this.get());

deref!([F: Filter] Single<'_, Entity, F> => Entity, |this| &this.entity);

deref_mut!([T: 'static, F: Filter] Single<'_, &mut T, F>, |this| this.get_mut());

debug!([D: Data, F: Filter] Single<'_, D, F>, |this, f| {
    f.debug_tuple("Single").field(&this.entity()).finish()
});

/// System parameter: a [`Query`] that matches at least one entity. If it matches none, the system
/// is skipped, as by [`Single`].
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Fire;
/// #[derive(Resource, Default)] struct Alarm(u32);
///
/// world! {
///     struct Game { components { Fire } resources { Alarm = Alarm::default() } }
///     schedule tick { ring }
/// }
///
/// #[system(Game)]
/// fn ring(_fires: Populated<&Fire>, mut alarm: ResMut<Alarm>) {
///     alarm.0 += 1;
/// }
///
/// let mut game = Game::new();
/// game.tick();
/// assert_eq!(game.resource::<Alarm>().0, 0);
/// game.spawn(Fire);
/// game.tick();
/// assert_eq!(game.resource::<Alarm>().0, 1);
/// ```
pub struct Populated<'w, D: Data, F: Filter = ()>(Query<'w, D, F>);

impl<'w, D: Data, F: Filter> Populated<'w, D, F> {
    /// Makes the parameter from a query, to call a system as a plain function; `None` if the query
    /// matches no entity.
    pub fn new(query: Query<'w, D, F>) -> Option<Self> {
        (!query.is_empty()).then_some(Self(query))
    }

    /// The query.
    pub fn into_inner(self) -> Query<'w, D, F> {
        self.0
    }

    /// Borrows the parameter for a shorter time, to pass it by value to a function and use it again
    /// later.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Populated<'_, D, F> {
        Populated(self.0.reborrow())
    }
}

deref!(['w, D: Data, F: Filter] Populated<'w, D, F> => Query<'w, D, F>, |this| &this.0);

deref_mut!([D: Data, F: Filter] Populated<'_, D, F>, |this| &mut this.0);

impl<'w, D: Data, F: Filter> IntoIterator for Populated<'w, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = Iter<'w, D, F>;
    fn into_iter(self) -> Iter<'w, D, F> {
        self.0.into_iter()
    }
}

into_iter!(['q, D: Data, F: Filter] &'q Populated<'_, D, F>: ReadItem<'q, D>, Iter<'q, D::ReadOnly, F>, |this| this.0.iter());

impl<'q, D: Data, F: Filter> IntoIterator for &'q mut Populated<'_, D, F> {
    type Item = D::Item<'q>;
    type IntoIter = Iter<'q, D, F>;
    fn into_iter(self) -> Iter<'q, D, F> {
        self.0.iter_mut()
    }
}

debug!([D: Data, F: Filter] Populated<'_, D, F>, |this, f| {
    f.debug_tuple("Populated").field(&this.0).finish()
});
#[diagnostic::do_not_recommend]
// SAFETY: the item gives ids and shared references to components, which are `Sync` by the contract
// of `Has`.
unsafe impl<W: RawWorld, D: QueryData<W> + ReadData, F: QueryFilter<W>> SharedParam<W> for Single<'_, D, F> {
    fn share<'a>(item: &'a Single<'_, D, F>, _: &'a mut SharedOutput) -> Single<'a, D, F> {
        Single { query: item.query, word: item.word, bit: item.bit, entity: item.entity }
    }
}

#[diagnostic::do_not_recommend]
// SAFETY: the query gives ids and shared references to components, which are `Sync` by the contract
// of `Has`.
unsafe impl<W: RawWorld, D: QueryData<W> + ReadData, F: QueryFilter<W>> SharedParam<W>
    for Populated<'_, D, F>
{
    fn share<'a>(item: &'a Populated<'_, D, F>, _: &'a mut SharedOutput) -> Populated<'a, D, F> {
        Populated(item.0)
    }
}

/// The message of a panic if code other than an executor runs a system that is not ready.
const NOT_READY: &str = "a system runs only if all of its parameters are ready";

/// A parameter that is made of a query, and whose system is skipped if the query does not fit:
/// `SystemParam`, and the function that an expansion of `#[system]` calls. `$make` gives `None` if
/// the system is skipped, and `$get` is called only if it is not.
macro_rules! made_of_query {
    ($item:ident, $function:ident, |$query:ident| $make:expr, $get:expr, |$lent:ident| $lend:expr) => {
        // SAFETY: the item gives access to what the query does, and `ACCESS` is that of the query.
        unsafe impl<W: RawWorld, D: QueryData<W>, F: QueryFilter<W>> SystemParam<W> for $item<'_, D, F> {
            const ACCESS: Access = <Query<'_, D, F> as SystemParam<W>>::ACCESS;
            type State = ();
            type Item<'w> = $item<'w, D, F>;
            fn init(_: &mut W) {}
            #[inline(always)]
            unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> $item<'w, D, F> {
                // SAFETY: the caller promises that no clashing access happens during `'w`.
                let $query: Query<'w, D, F> = unsafe { Query::of(world) };
                $get
            }
            #[inline(always)]
            fn lend<'a>($lent: &'a mut $item<'_, D, F>) -> $item<'a, D, F> {
                $lend
            }
            unsafe fn has_news(world: WorldCell<'_, W>, state: &mut ()) -> bool {
                // SAFETY: the caller's promise is that of the query's `has_news`.
                unsafe { <Query<'_, D, F> as SystemParam<W>>::has_news(world, state) }
            }
            const MAY_SKIP: bool = true;
            #[inline(always)]
            unsafe fn is_ready(world: WorldCell<'_, W>, (): &mut ()) -> bool {
                // SAFETY: the caller promises that no clashing access happens; the query ends with
                // this function.
                let $query: Query<'_, D, F> = unsafe { Query::of(world) };
                $make.is_some()
            }
        }

        /// Makes the parameter from columns. `None` if the system is skipped.
        ///
        /// # Safety
        /// The contract of [`query`].
        #[inline(always)]
        pub unsafe fn $function<'w, W: RawWorld, D: Data, F: Filter, P: PassedColumnsList>(
            world: WorldCell<'w, W>,
            data: D::Columns,
            filter: F::Columns,
        ) -> Option<$item<'w, D, F>> {
            // SAFETY: this function has the contract of `query`.
            let $query: Query<'w, D, F> = unsafe { query::<W, D, F, P>(world, data, filter) };
            $make
        }
    };
}

/// The parameter `Option<Single<D, F>>`, whose system is skipped if several entities match.
type OptionalSingle<'w, D, F> = Option<Single<'w, D, F>>;

made_of_query! {
    Single, single, |query| Single::new(query).ok(), Single::new(query).expect(NOT_READY),
    |item| item.reborrow()
}
made_of_query! {
    OptionalSingle, optional_single, |query| match Single::new(query) {
        Ok(single) => Some(Some(single)),
        Err(SingleError::NoEntity) => Some(None),
        Err(SingleError::SeveralEntities) => None,
    },
    Single::new(query).ok(), |item| item.as_mut().map(Single::reborrow)
}
made_of_query! {
    Populated, populated, |query| Populated::new(query), Populated(query), |item| item.reborrow()
}
