//! The functions of a component that know its type, and the traits by which `world!` lists
//! components.

use alloc::boxed::Box;
use alloc::string::String;
use core::any::Any;
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SavedComponent;
use super::older::{AnyOld, Old};
use crate::base::component_set::ComponentSet;
use crate::base::page::Shape;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::{Component, Has, IsComponent};
use crate::entity::Entity;
use crate::error::Refused;
use crate::persist::compact::Fault;
use crate::persist::compact::read::from_bytes;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::{KeptValues, LogImage, SystemPaths};
use crate::raw_world::WorldFields;
use crate::save::any_world::AnyWorld;
use crate::save::column::{self, PutBytes};
use crate::save::entry::SavedTypes;
use crate::save::layout::{Layout, is_certain};
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::value::Reflect;
use crate::value::description::column_by_serde;
use crate::world::World;

/// The functions of a component that know its type. Detached columns are made by `new_column`.
pub(crate) struct ComponentFunctions {
    pub(crate) shape: &'static Shape,
    pub(crate) tracked: bool,
    pub(crate) column: fn(&dyn AnyWorld) -> &ErasedColumn,
    pub(crate) new_column: fn() -> Box<dyn Any + Send>,
    pub(crate) detached: fn(&dyn Any) -> Option<&ErasedColumn>,
    pub(crate) detached_mut: fn(&mut dyn Any) -> Option<&mut ErasedColumn>,
    /// Inserts a value into a live entity.
    ///
    /// # Safety
    /// The address is that of a value of the component, which is moved out.
    pub(crate) put: unsafe fn(&mut dyn AnyWorld, Entity, *mut u8),
    /// Removes the value of a live entity, and writes it to the address; `false` if the entity has
    /// none.
    ///
    /// # Safety
    /// The address is valid for a write of a value of the component.
    #[cfg(feature = "reflect")]
    pub(crate) take: unsafe fn(&mut dyn AnyWorld, Entity, *mut u8) -> bool,
    /// Adds to a live entity the components that the component requires, except for those of a set.
    pub(crate) fill: fn(&mut dyn AnyWorld, Entity, ComponentSet),
    /// Asks the rules of the component about a value; `None` if they accept all values.
    ///
    /// # Safety
    /// The address is that of a value of the component.
    pub(crate) refuse: Option<RefuseValue>,
    /// The functions of the component's rule, if it has one.
    pub(crate) rule: Option<RuleFunctions>,
    /// Writes the values of a column of numbers as they lie in memory, up to one that is not.
    pub(super) write_numbers: Option<WriteNumbers>,
    pub(super) log: Option<SavedLog>,
}

/// A function that asks the rules of a component about the value of an entity, which may not exist
/// yet.
type RefuseValue = unsafe fn(&mut dyn AnyWorld, Option<Entity>, *const u8) -> Option<Refused>;

/// A function that writes the values of a column of numbers: see [`column::plain::write`].
type WriteNumbers =
    fn(&dyn AnyWorld, &[u64], &mut PutBytes<'_>) -> Result<Option<usize>, (Option<usize>, Fault)>;

/// The functions of the rule of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
pub(crate) struct RuleFunctions {
    pub(crate) order: fn(&dyn AnyWorld) -> Order,
    /// Takes the values of a detached column into the state of its rule.
    pub(crate) load: fn(&mut dyn Any, ChangeContext<'_>, &Order) -> Result<(), (u32, String)>,
    /// Checks that the rule accepts the values of a detached column beside those of the world.
    pub(crate) admit: fn(&mut dyn AnyWorld, &dyn Any) -> Result<(), (u32, String)>,
    pub(crate) arrange: fn(&mut dyn AnyWorld, &Order) -> Result<(), (u32, String)>,
}

/// The functions of a component whose values serde does not have to write.
pub(crate) const fn functions<W: Has<T>, T: Component>() -> ComponentFunctions {
    ComponentFunctions {
        shape: const { &Column::<T>::SHAPE },
        tracked: W::Kind::TRACKED,
        column: |world| ErasedColumn::of(world.of::<W>().column::<T>()),
        new_column: || Box::new(Column::<T>::of_kind::<W::Kind>()),
        detached: |column| column.downcast_ref::<Column<T>>().map(ErasedColumn::of),
        detached_mut: |column| column.downcast_mut::<Column<T>>().map(ErasedColumn::of_mut),
        put: |world, entity, value| {
            // SAFETY: the caller passes the address of a `T`, and does not use it any more.
            let value = unsafe { value.cast::<T>().read() };
            drop(world.of_mut::<W>().put(entity, value));
        },
        #[cfg(feature = "reflect")]
        take: |world, entity, to| match world.of_mut::<W>().take::<T>(entity) {
            Some(value) => {
                // SAFETY: the caller passes an address that is valid for a write of a `T`.
                unsafe { to.cast::<T>().write(value) };
                true
            }
            None => false,
        },
        fill: |world, entity, without| {
            W::Kind::fill(&mut RequiredInserter::without(world.of_mut::<W>(), entity, without));
        },
        refuse: if W::Kind::REFUSES {
            // SAFETY: the caller passes the address of a `T`.
            Some(|world, entity, value| world.of_mut::<W>().refuse(entity, unsafe { &*value.cast::<T>() }))
        } else {
            None
        },
        rule: const { if W::Kind::GUARDED { Some(rule_functions::<W, T>()) } else { None } },
        write_numbers: None,
        log: None,
    }
}

const fn rule_functions<W: Has<T>, T: Component>() -> RuleFunctions {
    RuleFunctions {
        order: |world| world.of::<W>().column::<T>().order(),
        load: |column, context, order| match column.downcast_mut::<Column<T>>() {
            Some(column) => column.load::<W::Kind>(context, order),
            None => Ok(()),
        },
        admit: |world, newcomers| {
            let Some(newcomers) = newcomers.downcast_ref::<Column<T>>() else { return Ok(()) };
            let (here, entities) = world.of_mut::<W>().column_and_entities::<T>();
            here.admit::<W::Kind>(entities, newcomers)
        },
        arrange: |world, order| {
            let (column, entities) = world.of_mut::<W>().column_and_entities::<T>();
            column.arrange(entities, order)
        },
    }
}

/// The functions of a component that serde writes and reads.
const fn saved_functions<W: Has<T>, T: Component + Serialize + DeserializeOwned>(
    has_numbers: bool,
) -> ComponentFunctions {
    ComponentFunctions {
        write_numbers: if has_numbers {
            Some(|world, words, put| column::plain::write(world.of::<W>().column::<T>(), words, put))
        } else {
            None
        },
        log: saved_log::<W, T>(),
        ..functions::<W, T>()
    }
}

/// Components that a saved world can list: with `WAY = 0` those that serde writes and reads, with
/// `WAY = 1` all components, which are skipped, and with `WAY = 2` those that are described.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be saved, `#[component(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveComponent<W: World, const WAY: u8>: Sized + 'static {
    /// Adds the component to the list of a world.
    #[doc(hidden)]
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<Self>]);
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SaveComponent<W, 0> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<T>]) {
        list.components.push(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: AnyOld::of(olds),
            value: Some(const { &column_by_serde::<T>() }),
            plan: OnceLock::new(),
            layout: Layout::of::<T>,
            is_certain: is_certain::<T>,
            functions: const { &saved_functions::<W, T>(<T as IsComponent>::__NUMBERS.is_some()) },
        });
    }
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Reflect + Serialize + DeserializeOwned> SaveComponent<W, 2> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<T>]) {
        list.components.push(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: AnyOld::of(olds),
            value: Some(T::value_type()),
            plan: OnceLock::new(),
            layout: || Layout::of_type(T::value_type()),
            is_certain: || T::value_type().is_certain(),
            functions: const { &saved_functions::<W, T>(false) },
        });
    }
}

impl<W: Has<T>, T: Component> SaveComponent<W, 1> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], _: &'static [Old<T>]) {
        list.components.push(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: &[],
            value: None,
            plan: OnceLock::new(),
            layout: Layout::of::<()>,
            is_certain: || true,
            functions: const { &functions::<W, T>() },
        });
    }
}

/// The functions of the log of removed values of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
pub(super) struct SavedLog {
    pub(super) image: for<'w> fn(&'w dyn AnyWorld, &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>>,
    pub(super) read: fn(&mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError>,
    pub(super) read_bytes: fn(&[u8]) -> Result<Box<dyn Any>, Fault>,
    pub(super) restore: fn(&mut dyn AnyWorld, Box<dyn Any>, &SystemPaths) -> Result<(), &'static str>,
}

/// The functions of the log of a component; `None` if its removed values are not logged. A function
/// constant: see `docs/compile-times.md`.
const fn saved_log<W: Has<T>, T: Component + Serialize + DeserializeOwned>() -> Option<SavedLog> {
    const {
        if W::Kind::LOGGED {
            Some(SavedLog {
                image: |world, paths| {
                    let removals = world.of::<W>().column::<T>().removals()?;
                    Some(Box::new(removals.image(paths)))
                },
                read: |file| Ok(Box::new(read_value::<LogImage<KeptValues<(Entity, T)>>>(file)?)),
                read_bytes: |bytes| Ok(Box::new(from_bytes::<LogImage<KeptValues<(Entity, T)>>>(bytes)?)),
                restore: |world, log, paths| {
                    let Ok(log) = log.downcast::<LogImage<KeptValues<(Entity, T)>>>() else { return Ok(()) };
                    match world.of_mut::<W>().column_mut::<T>().log_mut() {
                        Some(removals) => removals.restore(*log, paths),
                        None => Ok(()),
                    }
                },
            })
        } else {
            None
        }
    }
}
