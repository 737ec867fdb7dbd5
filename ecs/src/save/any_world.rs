//! [`AnyWorld`]: a world without its type. What saves and loads worlds is compiled once, with the
//! library, and not for each world.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};

use crate::base::place::Place;
use crate::entity::allocator::Entities;
use crate::raw_world::fields::{erased_column, erased_column_mut};
use crate::raw_world::{WorldFields, journal};
use crate::schedule::plan::any_plans;
use crate::schedule::saved::SavedPlace;
use crate::schedule::states::{self, ScheduleStates};
use crate::storage::erased_column::ErasedColumn;
use crate::system::SystemState;
use crate::world::World;

/// A world without its type, and what saving needs of it.
pub(crate) trait AnyWorld: Any {
    fn entities(&self) -> &Entities;
    fn any_entities_mut(&mut self) -> &mut Entities;
    /// The column of a component of the world type `of`. Unsafe code relies on the test of the type:
    /// lists of components come from traits that are safe to implement.
    ///
    /// # Panics
    /// If the world is of another type, or the component is compiled out.
    fn erased_column(&self, of: TypeId, component: usize) -> &ErasedColumn;
    /// As [`erased_column`](Self::erased_column), mutable, and the entities.
    ///
    /// # Panics
    /// As [`erased_column`](Self::erased_column) does.
    fn erased_column_mut(&mut self, of: TypeId, component: usize) -> (&mut ErasedColumn, &Entities);
    /// The saved data of the systems of all schedules.
    fn places(&self) -> Vec<SavedPlace<'_>>;
    /// Returns the state of a place, and switches its system off if `off`.
    fn place_mut(&mut self, place: Place, off: bool) -> Option<&mut SystemState>;
    fn states_mut(&mut self) -> &mut ScheduleStates;
    /// Records in the journal that the entities of these slots were spawned.
    fn record_spawned(&self, slots: &[u32]);
}

/// The panic for a world that is of another type than the functions that ask it.
const OF_ANOTHER_TYPE: &str = "a world is asked for the values of its own types";

impl<W: World> AnyWorld for W {
    fn entities(&self) -> &Entities {
        self.__living()
    }

    fn any_entities_mut(&mut self) -> &mut Entities {
        WorldFields::entities_mut(self)
    }

    fn erased_column(&self, of: TypeId, component: usize) -> &ErasedColumn {
        assert!(of == TypeId::of::<W>(), "{OF_ANOTHER_TYPE}");
        erased_column(self, component)
    }

    fn erased_column_mut(&mut self, of: TypeId, component: usize) -> (&mut ErasedColumn, &Entities) {
        assert!(of == TypeId::of::<W>(), "{OF_ANOTHER_TYPE}");
        erased_column_mut(self, component)
    }

    fn places(&self) -> Vec<SavedPlace<'_>> {
        states::of(self).saved(any_plans::<W>())
    }

    fn place_mut(&mut self, place: Place, off: bool) -> Option<&mut SystemState> {
        states::of_mut(self).place_mut(any_plans::<W>(), place, off)
    }

    fn states_mut(&mut self) -> &mut ScheduleStates {
        states::of_mut(self)
    }

    fn record_spawned(&self, slots: &[u32]) {
        journal::record_spawned(self, slots.iter().copied());
    }
}

impl dyn AnyWorld {
    /// The world as one of its type.
    ///
    /// # Panics
    /// If the world is of another type: the library asks the types of a world with that world only.
    pub(crate) fn of<W: World>(&self) -> &W {
        let any: &dyn Any = self;
        any.downcast_ref().expect(OF_ANOTHER_TYPE)
    }

    /// The world as one of its type, mutable.
    ///
    /// # Panics
    /// As [`of`](Self::of) does.
    pub(crate) fn of_mut<W: World>(&mut self) -> &mut W {
        let any: &mut dyn Any = self;
        any.downcast_mut().expect(OF_ANOTHER_TYPE)
    }
}

/// The world that was loaded, as one of its type.
///
/// # Panics
/// As [`of`](AnyWorld::of) does.
pub(crate) fn into_world<W: World>(world: Box<dyn AnyWorld>) -> W {
    let any: Box<dyn Any> = world;
    *any.downcast().expect("a world is made by the functions of its own type")
}
