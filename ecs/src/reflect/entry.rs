//! One table of functions for each component, resource and event of a world. `world!` lists the
//! tables, and the code that reads and changes worlds by name is compiled once, because it calls
//! the functions of the tables.
#![expect(
    unsafe_code,
    reason = "values of components are moved by address, and their type is known by its description"
)]

use alloc::boxed::Box;
use alloc::string::String;
use core::any::Any;
use core::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aspects::{AspectNames, ListAspects};
use crate::base::hidden::{Described, Hidden, TypeDocs};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::error::Refused;
use crate::event::HasEvent;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm};
use crate::raw_world::{WorldFields, targets};
use crate::relation::reverse_index::ReverseIndex;
use crate::resource::HasResource;
use crate::save::entry::component::functions::{ComponentFunctions, functions};
use crate::save::entry::{Marks, read_boxed};
use crate::storage::detached_columns::DetachedColumns;
use crate::storage::kind::{ColumnKind, RuleSet};
use crate::value::Reflect;
use crate::value::boxed::ValueBox;
use crate::value::description::{FieldType, TypeOf, WithSerde};
use crate::value::serialize::ValueRef;
use crate::value::tree::DynamicValue;
use crate::world::World;

/// A world that derives `Reflect`.
pub trait ReflectedWorld: World {
    #[doc(hidden)]
    const LISTS: ReflectedLists<Self>;
}

/// The components, resources and events of a world, in the order of their indexes, and its aspects.
pub struct ReflectedLists<W: ReflectedWorld> {
    #[allow(missing_docs)]
    pub components: &'static [Listed<ComponentEntry<W>>],
    #[allow(missing_docs)]
    pub resources: &'static [Listed<ValueEntry<W>>],
    #[allow(missing_docs)]
    pub events: &'static [Listed<ValueEntry<W>>],
    /// Makes the list of the aspects, if they have names.
    pub aspects: Option<ListAspects<W>>,
}

/// A type of a list, and its functions, unless it is hidden or compiled out.
pub(crate) type Listed<E> = (Description, Option<E>);

/// The name and the documentation of a type, and the function that makes its default value.
#[derive(Clone, Copy)]
pub struct Description {
    /// The name with its modules.
    pub name: fn() -> &'static str,
    #[allow(missing_docs)]
    pub docs: TypeDocs,
    #[allow(missing_docs)]
    pub default: Option<MakeDefault>,
}

impl Description {
    /// The description of a type that is compiled out.
    pub const NONE: Self = Self { name: || "", docs: &[], default: None };
}

/// Makes the tree of a type's default value.
pub(crate) type MakeDefault = fn() -> Result<DynamicValue, String>;

// The declarations of derives that only worlds with `Reflect` ask for: see `Unmarked`.

impl<T: Hidden> Marks<T> {
    #[allow(missing_docs)]
    pub const HIDDEN: bool = true;
}

impl<T: Described> Marks<T> {
    #[allow(missing_docs)]
    pub const DOCS: TypeDocs = T::DOCS;
}

impl<T: Default + Serialize> Marks<T> {
    #[allow(missing_docs)]
    pub const TREE: Option<MakeDefault> = Some(|| DynamicValue::of(&T::default()));
}

impl<W: AspectNames> Marks<W> {
    #[allow(missing_docs)]
    pub const ASPECTS: Option<ListAspects<W>> = Some(W::aspect_names);
}

/// A value of a resource or an event, whose type is not known here.
pub(super) type AnyValueBox = Box<dyn Any>;

/// The function that reads a value of a resource or an event.
pub(super) type ReadValue = fn(&mut dyn ReadForm<'_>) -> Result<AnyValueBox, FormError>;

/// The properties of a component that do not depend on the type of the world.
#[derive(Clone, Copy)]
pub struct ComponentFacts {
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) tracked: bool,
    pub(super) removed: bool,
    pub(super) rules: RuleSet,
    pub(super) of: TypeOf,
}

/// The functions of a component of world `W`.
///
/// # Invariant
/// `facts.of` returns the description of the type whose functions `functions` are.
pub struct ComponentEntry<W> {
    pub(super) facts: ComponentFacts,
    /// The functions that saving has, too.
    pub(super) functions: &'static ComponentFunctions,
    /// The sources of a target, if the component is a relation.
    pub(super) sources: fn(&W, Entity) -> &[Entity],
}

impl<W: World> ComponentEntry<W> {
    /// The value at a slot.
    pub(super) fn value<'w>(&self, world: &'w W, slot: u32) -> Option<ValueRef<'w>> {
        let column = self.functions.column(world);
        // SAFETY: the column and the description are those of the component.
        unsafe { Some(ValueRef::new((self.facts.of)(), column.value(slot, self.functions.shape)?)) }
    }

    /// Asks the component's rules about a value.
    pub(super) fn refuse(&self, world: &mut W, entity: Option<Entity>, value: &ValueBox) -> Option<Refused> {
        let refuse = self.functions.refuse?;
        let value = value.address_of((self.facts.of)())?;
        // SAFETY: the address is that of a value of the component.
        unsafe { refuse(world, entity, value) }
    }

    /// Inserts a value into a live entity.
    pub(super) fn put(&self, world: &mut W, entity: Entity, value: ValueBox) {
        value.take((self.facts.of)(), |value| {
            // SAFETY: the address is that of a value of the component, which is moved out.
            unsafe { self.functions.put(world, entity, value) };
        });
    }

    /// Removes and returns the value of a live entity.
    pub(super) fn take(&self, world: &mut W, entity: Entity) -> Option<ValueBox> {
        self.take_before_others(targets::losing(world, [entity]).world, entity)
    }

    /// As [`take`](Self::take), without the policies of relations to the entity.
    pub(super) fn take_before_others(&self, world: &mut W, entity: Entity) -> Option<ValueBox> {
        // SAFETY: the description is that of the component.
        unsafe { self.functions.take_boxed((self.facts.of)(), world, entity) }
    }

    /// Takes the value at slot 0 of detached columns.
    pub(super) fn detach(&self, columns: &mut DetachedColumns, index: usize) -> Option<ValueBox> {
        let column = self.functions.detached_mut(columns.any(index, self.functions.new_column))?;
        let size = self.functions.shape.size;
        // SAFETY: the column is one of the component, and its value is moved.
        unsafe {
            let value = column.take(0, self.functions.shape)?;
            let moved = |to: *mut u8| {
                to.copy_from_nonoverlapping(value, size);
                Ok::<(), ()>(())
            };
            ValueBox::new((self.facts.of)(), moved).ok()
        }
    }
}

/// The functions of a resource or an event.
pub struct ValueEntry<W> {
    pub(super) size: usize,
    pub(super) read: ReadValue,
    pub(super) content: ValueContent<W>,
    /// Sets the resource, or sends the event.
    pub(super) put: fn(&mut W, AnyValueBox),
}

/// The function that returns the value of a resource, or an event of a queue.
pub(super) enum ValueContent<W> {
    Resource(fn(&W) -> (&dyn ErasedSerialize, &dyn Any)),
    /// The event with this number.
    Event(fn(&W, u64) -> EventAt<'_>),
}

/// The numbers of the events that a queue keeps, and one of them.
pub(super) type EventAt<'w> = (Range<u64>, Option<&'w dyn ErasedSerialize>);

/// Components that a world with `Reflect` can list: with `WAY = 0` those that serde writes and
/// reads, with `WAY = 1` all components, which are hidden, and with `WAY = 2` those that are
/// described.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which derives `Reflect`, cannot be read by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[component(hidden)]`"
)]
pub trait ReflectComponent<W: World, const WAY: u8>: Sized + 'static {
    /// The functions of the type.
    const ENTRY: Option<ComponentEntry<W>>;
}

/// The entry of a component with this description.
const fn entry<W: Has<T>, T: Component>(of: TypeOf) -> Option<ComponentEntry<W>> {
    Some(ComponentEntry {
        facts: ComponentFacts {
            size: size_of::<T>(),
            align: align_of::<T>(),
            tracked: <W as Has<T>>::Kind::TRACKED,
            removed: <W as Has<T>>::Kind::LOGGED,
            rules: <W as Has<T>>::Kind::RULES,
            of,
        },
        functions: const { &functions::<W, T>() },
        // a function constant: see `docs/compile-times.md`
        sources: if <W as Has<T>>::Kind::GUARDED { sources_of::<W, T> } else { no_sources::<W> },
    })
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> ReflectComponent<W, 0> for T {
    const ENTRY: Option<ComponentEntry<W>> = entry::<W, T>(<FieldType<T> as WithSerde<T>>::describe);
}

impl<W: Has<T>, T: Component> ReflectComponent<W, 1> for T {
    const ENTRY: Option<ComponentEntry<W>> = None;
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Reflect> ReflectComponent<W, 2> for T {
    const ENTRY: Option<ComponentEntry<W>> = entry::<W, T>(T::value_type);
}

fn no_sources<W>(_: &W, _: Entity) -> &[Entity] {
    &[]
}

/// The sources of a target of a relation.
fn sources_of<W: Has<T>, T: 'static>(world: &W, target: Entity) -> &[Entity] {
    world.column::<T>().rule_state::<ReverseIndex>().map_or(&[], |index| index.sources(target))
}

/// Resources that a world with `Reflect` can list: serializable ones, and with `HIDDEN = true` all
/// resources.
#[diagnostic::on_unimplemented(
    message = "resource `{Self}` of world `{W}`, which derives `Reflect`, cannot be read by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[resource(hidden)]`"
)]
pub trait ReflectResource<W: World, const HIDDEN: bool>: Sized + 'static {
    /// The functions of the type.
    const ENTRY: Option<ValueEntry<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasResource<T>, T: Serialize + DeserializeOwned + 'static> ReflectResource<W, false> for T {
    const ENTRY: Option<ValueEntry<W>> = Some(ValueEntry {
        size: size_of::<T>(),
        read: read_boxed::<T>,
        content: ValueContent::Resource(|world| (world.resource::<T>(), world.resource::<T>())),
        put: |world, value| {
            if let Ok(value) = value.downcast::<T>() {
                *world.resource_mut::<T>() = *value;
            }
        },
    });
}

impl<W: HasResource<T>, T: 'static> ReflectResource<W, true> for T {
    const ENTRY: Option<ValueEntry<W>> = None;
}

/// Events that a world with `Reflect` can list: serializable ones, and with `HIDDEN = true` all
/// events.
#[diagnostic::on_unimplemented(
    message = "event `{Self}` of world `{W}`, which derives `Reflect`, cannot be sent by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[event(hidden)]`"
)]
pub trait ReflectEvent<W: World, const HIDDEN: bool>: Sized + 'static {
    /// The functions of the type.
    const ENTRY: Option<ValueEntry<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasEvent<T>, T: Serialize + DeserializeOwned + 'static> ReflectEvent<W, false> for T {
    const ENTRY: Option<ValueEntry<W>> = Some(ValueEntry {
        size: size_of::<T>(),
        read: read_boxed::<T>,
        content: ValueContent::Event(|world, number| {
            let log = &world.events_of::<T>().log;
            let event = number.checked_sub(log.base).and_then(|at| log.values.get(at as usize));
            (log.base..log.end(), event.map(|event| event as &dyn ErasedSerialize))
        }),
        put: |world, event| {
            if let Ok(event) = event.downcast::<T>() {
                world.send(*event);
            }
        },
    });
}

impl<W: HasEvent<T>, T: 'static> ReflectEvent<W, true> for T {
    const ENTRY: Option<ValueEntry<W>> = None;
}
