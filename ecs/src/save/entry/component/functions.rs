//! The functions of a component that know its type, and the traits by which `world!` lists
//! components.

use alloc::boxed::Box;
use alloc::string::String;
use core::any::{Any, TypeId};
use core::ptr;
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SavedComponent;
use super::older::{AnyOld, Old};
use crate::base::component_set::ComponentSet;
use crate::base::page::Shape;
use crate::component::requires::RequiredInserter;
use crate::component::{Component, Has, IsComponent};
use crate::entity::Entity;
use crate::error::Refused;
use crate::persist::erased::FormError;
use crate::persist::image::{KeptValues, LogImage};
use crate::raw_world::WorldFields;
use crate::save::any_world::AnyWorld;
use crate::save::column::{self, PutBytes};
use crate::save::entry::SavedTypes;
use crate::save::entry::value::{SavedValueFunctions, read_boxed, read_boxed_bytes};
use crate::save::layout::{is_certain, layout_of};
use crate::storage::column::Column;
use crate::storage::erased_column::{ErasedColumn, PlainValues};
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::value::Reflect;
use crate::value::boxed::ValueBox;
use crate::value::description::{ValueType, column_by_serde};
use crate::world::World;

/// The functions of a component that know its type. Detached columns are made by `new_column`.
pub(crate) struct ComponentFunctions {
    pub(crate) shape: &'static Shape,
    pub(crate) tracked: bool,
    /// The type of the world.
    world: TypeId,
    /// The index of the component in the world.
    component: usize,
    pub(crate) new_column: fn() -> Box<dyn Any + Send>,
    /// The type of a detached column.
    column_type: TypeId,
    /// The functions that insert and remove values.
    values: ValueAccess,
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
    pub(super) log: Option<SavedValueFunctions>,
}

/// The functions of a component that insert and remove values.
enum ValueAccess {
    /// For a component without a rule whose removed values are not logged.
    Plain(PlainValues),
    /// For other components: the functions with the contracts of [`ComponentFunctions::put`] and
    /// [`ComponentFunctions::take`].
    Guarded {
        put: unsafe fn(&mut dyn AnyWorld, Entity, *mut u8),
        take: unsafe fn(&mut dyn AnyWorld, Entity, *mut u8) -> bool,
    },
}

/// A function that asks the rules of a component about the value of an entity, which may not exist
/// yet.
type RefuseValue = unsafe fn(&mut dyn AnyWorld, Option<Entity>, *const u8) -> Option<Refused>;

/// A function that writes the values of a column of numbers: see [`column::plain::write`].
type WriteNumbers =
    fn(&dyn AnyWorld, &[u64], &mut PutBytes<'_>) -> Result<Option<usize>, (Option<usize>, FormError)>;

/// A function that looks for a target in a detached column.
type FindTarget = fn(&dyn Any, &dyn Fn(u32, Entity) -> bool) -> Option<(u32, Entity)>;

/// The functions of the rule of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
pub(crate) struct RuleFunctions {
    pub(crate) order: fn(&dyn AnyWorld) -> Order,
    /// Takes the values of a detached column into the state of its rule.
    pub(crate) load: fn(&mut dyn Any, ChangeContext<'_>, &Order) -> Result<(), (u32, String)>,
    /// Checks that the rule accepts the values of a detached column beside those of the world.
    pub(crate) admit: fn(&mut dyn AnyWorld, &dyn Any) -> Result<(), (u32, String)>,
    pub(crate) arrange: fn(&mut dyn AnyWorld, &Order) -> Result<(), (u32, String)>,
    /// See [`SavedComponent::find_target`]; `None` for all but relations.
    pub(crate) find_target: Option<FindTarget>,
}

impl ComponentFunctions {
    /// The column of the component.
    ///
    /// # Panics
    /// If the world is not one of the component.
    pub(crate) fn column<'w>(&self, world: &'w dyn AnyWorld) -> &'w ErasedColumn {
        world.erased_column(self.world, self.component)
    }

    /// Inserts a value into a live entity.
    ///
    /// # Safety
    /// The address is that of a value of the component, which is moved out.
    pub(crate) unsafe fn put(&'static self, world: &mut dyn AnyWorld, entity: Entity, value: *mut u8) {
        match &self.values {
            ValueAccess::Plain(of) => {
                let (column, entities) = world.erased_column_mut(self.world, self.component);
                let context = ChangeContext { entity, ..ChangeContext::of_many(entities, self.component) };
                // SAFETY: the column and the functions are those of the component, and the contract
                // of this function.
                unsafe { column.put(context, of, value) };
            }
            // SAFETY: the contract of this function.
            ValueAccess::Guarded { put, .. } => unsafe { put(world, entity, value) },
        }
    }

    /// Removes the value of a live entity, and writes it to the address; `false` if the entity has
    /// none.
    ///
    /// # Safety
    /// The address is valid for a write of a value of the component.
    pub(crate) unsafe fn take(&'static self, world: &mut dyn AnyWorld, entity: Entity, to: *mut u8) -> bool {
        match &self.values {
            ValueAccess::Plain(of) => {
                let (column, entities) = world.erased_column_mut(self.world, self.component);
                let context = ChangeContext { entity, ..ChangeContext::of_many(entities, self.component) };
                // SAFETY: the column and the functions are those of the component, and the contract
                // of this function.
                unsafe { column.take_to(context, of, to) }
            }
            // SAFETY: the contract of this function.
            ValueAccess::Guarded { take, .. } => unsafe { take(world, entity, to) },
        }
    }

    /// Removes the value of a live entity.
    ///
    /// # Safety
    /// `of` describes the component.
    pub(crate) unsafe fn take_boxed(
        &'static self,
        of: &'static ValueType,
        world: &mut dyn AnyWorld,
        entity: Entity,
    ) -> Option<ValueBox> {
        // SAFETY: there is memory for a value of the component.
        let take = |to| unsafe { self.take(world, entity, to) }.then_some(()).ok_or(());
        // SAFETY: the value is written, unless there is none.
        unsafe { ValueBox::new(of, take) }.ok()
    }

    /// A detached column without its type, if it is one of the component.
    pub(crate) fn detached<'c>(&self, column: &'c dyn Any) -> Option<&'c ErasedColumn> {
        // SAFETY: it is a `Column`, which begins with the fields of an `ErasedColumn`.
        (column.type_id() == self.column_type).then(|| unsafe { &*ptr::from_ref(column).cast() })
    }

    /// A detached column as [`detached`](Self::detached) returns it, mutable.
    pub(crate) fn detached_mut<'c>(&self, column: &'c mut dyn Any) -> Option<&'c mut ErasedColumn> {
        let is_it = (*column).type_id() == self.column_type;
        // SAFETY: as in `detached`.
        is_it.then(|| unsafe { &mut *ptr::from_mut(column).cast() })
    }
}

/// The functions of a component whose values serde does not have to write. They are functions, not
/// closures: rustc compiles a closure twice if its address is taken.
pub(crate) const fn functions<W: Has<T>, T: Component>() -> ComponentFunctions {
    ComponentFunctions {
        shape: const { &Column::<T>::SHAPE },
        tracked: W::Kind::TRACKED,
        world: TypeId::of::<W>(),
        component: <W as Has<T>>::INDEX,
        new_column: new_column::<W, T>,
        column_type: TypeId::of::<Column<T>>(),
        values: const {
            if W::Kind::GUARDED || W::Kind::LOGGED {
                ValueAccess::Guarded { put: put::<W, T>, take: take::<W, T> }
            } else {
                ValueAccess::Plain(PlainValues::of::<T>(W::Kind::TRACKED))
            }
        },
        fill: fill::<W, T>,
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

fn new_column<W: Has<T>, T: Component>() -> Box<dyn Any + Send> {
    Box::new(Column::<T>::of_kind::<W::Kind>())
}

/// # Safety
/// See [`ComponentFunctions::put`].
unsafe fn put<W: Has<T>, T: Component>(world: &mut dyn AnyWorld, entity: Entity, value: *mut u8) {
    // SAFETY: the caller passes the address of a `T`, and does not use it any more.
    let value = unsafe { value.cast::<T>().read() };
    drop(world.of_mut::<W>().put(entity, value));
}

/// # Safety
/// See [`ComponentFunctions::take`].
unsafe fn take<W: Has<T>, T: Component>(world: &mut dyn AnyWorld, entity: Entity, to: *mut u8) -> bool {
    let Some(value) = world.of_mut::<W>().take::<T>(entity) else { return false };
    // SAFETY: the caller passes an address that is valid for a write of a `T`.
    unsafe { to.cast::<T>().write(value) };
    true
}

fn fill<W: Has<T>, T: Component>(world: &mut dyn AnyWorld, entity: Entity, without: ComponentSet) {
    RequiredInserter::without(world.of_mut::<W>(), entity, without).fill::<T>();
}

fn find_target<W: Has<T>, T: Component>(
    column: &dyn Any,
    is_wrong: &dyn Fn(u32, Entity) -> bool,
) -> Option<(u32, Entity)> {
    let (column, rule) = (column.downcast_ref::<Column<T>>()?, W::Kind::rule_state::<T>()?);
    column.slots().find_map(|slot| {
        let target = rule.find_target(column.get(slot)?, &|target| is_wrong(slot, target))?;
        Some((slot, target))
    })
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
        find_target: if W::Kind::RULES.has_target_rule() { Some(find_target::<W, T>) } else { None },
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
    note = "add `#[derive(Reflect)]` to `{Self}`, or the other one of `Serialize` and `Deserialize` if it has one of them; or, if it is not to be saved, `#[component(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveComponent<W: World, const WAY: u8>: Sized + 'static {
    /// Adds the component to the list of a world.
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<Self>]);
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SaveComponent<W, 0> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<T>]) {
        let functions = const { &saved_functions::<W, T>(<T as IsComponent>::__NUMBERS.is_some()) };
        let of = SavedComponent::by_serde::<T>(const { &column_by_serde::<T>() }, functions);
        list.components.push(SavedComponent { aliases, olds: AnyOld::of(olds), ..of });
    }
}

impl SavedComponent {
    /// A component that is not saved.
    fn skipped(functions: &'static ComponentFunctions) -> Self {
        let (value, plan, by_serde) = (None, OnceLock::new(), None);
        let index = functions.component;
        Self { index, name: "", aliases: &[], olds: &[], value, plan, by_serde, functions }
    }

    /// A component that serde writes and reads, with the layout of `T`.
    fn by_serde<T: DeserializeOwned + 'static>(
        value: &'static ValueType,
        functions: &'static ComponentFunctions,
    ) -> Self {
        let by_serde = Some((layout_of::<T> as _, is_certain::<T> as _));
        Self { value: Some(value), by_serde, ..Self::skipped(functions) }
    }

    /// A component of a selection, with the layout of `F`. The values in its log are not part of one.
    pub(in crate::save) fn selected<W: Has<T>, T: Component, F: DeserializeOwned + 'static>(
        value: &'static ValueType,
    ) -> Self {
        Self::by_serde::<F>(value, const { &functions::<W, T>() })
    }
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Reflect + Serialize + DeserializeOwned> SaveComponent<W, 2> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], olds: &'static [Old<T>]) {
        let (value, olds) = (Some(T::value_type()), AnyOld::of(olds));
        let of = SavedComponent::skipped(const { &saved_functions::<W, T>(false) });
        list.components.push(SavedComponent { aliases, olds, value, ..of });
    }
}

impl<W: Has<T>, T: Component> SaveComponent<W, 1> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str], _: &'static [Old<T>]) {
        let of = SavedComponent::skipped(const { &functions::<W, T>() });
        list.components.push(SavedComponent { aliases, ..of });
    }
}

/// The functions of the log of a component; `None` if its removed values are not logged. A function
/// constant: see `docs/compile-times.md`.
const fn saved_log<W: Has<T>, T: Component + Serialize + DeserializeOwned>() -> Option<SavedValueFunctions> {
    const {
        if W::Kind::LOGGED {
            Some(SavedValueFunctions {
                image: |world, paths| {
                    let removals = world.of::<W>().column::<T>().removals()?;
                    Some(Box::new(removals.image(paths)))
                },
                read: read_boxed::<LogImage<KeptValues<(Entity, T)>>>,
                read_bytes: read_boxed_bytes::<LogImage<KeptValues<(Entity, T)>>>,
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
