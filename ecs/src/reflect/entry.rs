//! One table of functions for each component, resource and event of a world. `world!` lists the tables, and the code that reads and
//! changes worlds by name is compiled once, because it calls the functions of the tables.

use alloc::boxed::Box;
use alloc::string::String;
use core::any::Any;
use core::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::aspects::{AspectNames, ListAspects};
use super::value::DynamicValue;
use crate::base::hidden::{Described, Hidden, TypeDocs};
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::error::Refused;
use crate::event::HasEvent;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm};
use crate::persist::state::ValueCode;
use crate::raw_world::WorldFields;
use crate::relation::reverse_index::ReverseIndex;
use crate::resource::HasResource;
use crate::storage::detached_columns::DetachedColumns;
use crate::storage::kind::{ColumnKind, RuleSet};
use crate::world::World;

/// A world that derives `Reflect`.
pub trait ReflectedWorld: World {
    #[doc(hidden)]
    const COMPONENTS: &'static [Option<ComponentEntry<Self>>];
    #[doc(hidden)]
    const RESOURCES: &'static [Option<ResourceEntry<Self>>];
    #[doc(hidden)]
    const EVENTS: &'static [Option<EventEntry<Self>>];
    #[doc(hidden)]
    const COMPONENT_DESCRIPTIONS: &'static [Description];
    #[doc(hidden)]
    const RESOURCE_DESCRIPTIONS: &'static [Description];
    #[doc(hidden)]
    const EVENT_DESCRIPTIONS: &'static [Description];
    #[doc(hidden)]
    const ASPECTS: Option<ListAspects<Self>>;
}

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
pub(super) type MakeDefault = fn() -> Result<DynamicValue, String>;

/// The declarations of the derives of `T`, as constants. `Marked::<T>::HIDDEN` is the inherent constant if the derive implements
/// [`Hidden`] for `T`, and else the constant of [`Shown`], because an inherent item takes precedence over one of a trait.
pub struct Marked<T>(PhantomData<T>);

/// The defaults of [`Marked`] for declarations that a derive does not make.
pub trait Shown {
    /// Whether the type is hidden.
    const HIDDEN: bool = false;
    /// The documentation of the type and its parts.
    const DOCS: TypeDocs = &[];
    /// Makes the default value.
    const DEFAULT: Option<MakeDefault> = None;
}

impl<T> Shown for Marked<T> {}

impl<T: Hidden> Marked<T> {
    #[allow(missing_docs)]
    pub const HIDDEN: bool = true;
}

impl<T: Described> Marked<T> {
    #[allow(missing_docs)]
    pub const DOCS: TypeDocs = T::DOCS;
}

impl<T: Default + Serialize> Marked<T> {
    #[allow(missing_docs)]
    pub const DEFAULT: Option<MakeDefault> = Some(|| DynamicValue::of(&T::default()));
}

/// The default of [`Marked`] for a world whose aspects have no names.
pub trait WithoutAspects<W: ReflectedWorld> {
    /// Makes the list of its aspects.
    const ASPECTS: Option<ListAspects<W>> = None;
}

impl<W: ReflectedWorld> WithoutAspects<W> for Marked<W> {}

impl<W: AspectNames> Marked<W> {
    #[allow(missing_docs)]
    pub const ASPECTS: Option<ListAspects<W>> = Some(W::aspect_names);
}

/// A value of a type that is not known here.
pub(super) type AnyValueBox = Box<dyn Any>;

/// The function that reads a value of one type.
pub(super) type ReadValue = fn(&mut dyn ReadForm<'_>) -> Result<AnyValueBox, FormError>;

/// The properties of a component that do not depend on the type of the world.
#[derive(Clone, Copy)]
pub struct ComponentFacts {
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) tracked: bool,
    pub(super) removed: bool,
    pub(super) rules: RuleSet,
    pub(super) read: ReadValue,
}

/// The functions of a component. A value that is passed to one of them is of the component's type: `ComponentFacts::read` makes it.
pub struct ComponentEntry<W> {
    pub(super) facts: ComponentFacts,
    pub(super) value: fn(&W, u32) -> Option<&dyn ErasedSerialize>,
    /// The sources of a target, if the component is a relation.
    pub(super) sources: fn(&W, Entity) -> &[Entity],
    pub(super) refuse: fn(&mut W, Option<Entity>, &dyn Any) -> Option<Refused>,
    /// Inserts a value at the slot of a live entity.
    pub(super) put: fn(&mut W, u32, AnyValueBox),
    /// Adds the components that this component requires to a live entity.
    pub(super) fill: fn(&mut W, Entity),
    /// Removes and returns the value at the slot of a live entity.
    pub(super) take: fn(&mut W, u32) -> Option<AnyValueBox>,
    /// Takes the value at slot 0 of detached columns.
    pub(super) detach: fn(&mut DetachedColumns) -> Option<AnyValueBox>,
    /// The value, to be serialized.
    pub(super) erase: fn(&dyn Any) -> Option<&dyn ErasedSerialize>,
}

/// The functions of a resource.
pub struct ResourceEntry<W> {
    pub(super) size: usize,
    pub(super) read: ReadValue,
    pub(super) value: fn(&W) -> &dyn ErasedSerialize,
    pub(super) any: fn(&W) -> &dyn Any,
    pub(super) set: fn(&mut W, AnyValueBox),
}

/// The functions of an event.
pub struct EventEntry<W> {
    pub(super) size: usize,
    pub(super) read: ReadValue,
    pub(super) send: fn(&mut W, AnyValueBox),
}

/// Reads a value of type `T`.
fn read_value<T: Serialize + DeserializeOwned + 'static>(
    deserializer: &mut dyn ReadForm<'_>,
) -> Result<AnyValueBox, FormError> {
    Ok(Box::new((ValueCode::<T>::OF.load)(deserializer)?))
}

/// Components that a world with `Reflect` can list: serializable ones, and with `HIDDEN = true` all components.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which derives `Reflect`, cannot be read by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[component(hidden)]`"
)]
pub trait ReflectComponent<W: World, const HIDDEN: bool>: Sized + 'static {
    #[doc(hidden)]
    const ENTRY: Option<ComponentEntry<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> ReflectComponent<W, false> for T {
    const ENTRY: Option<ComponentEntry<W>> = Some(ComponentEntry {
        facts: ComponentFacts {
            size: size_of::<T>(),
            align: align_of::<T>(),
            tracked: <W as Has<T>>::Kind::TRACKED,
            removed: <W as Has<T>>::Kind::LOGGED,
            rules: <W as Has<T>>::Kind::RULES,
            read: read_value::<T>,
        },
        value: |world, slot| world.column::<T>().get(slot).map(|value| value as &dyn ErasedSerialize),
        // a function constant: see `docs/compile-times.md`
        sources: if <W as Has<T>>::Kind::GUARDED { sources_of::<W, T> } else { |_, _| &[] },
        refuse: |world, entity, value| {
            let value = value.downcast_ref::<T>()?;
            world.refuse(entity, value)
        },
        put: |world, slot, value| {
            if let Ok(value) = value.downcast::<T>() {
                drop(world.put(world.__living().at(slot as usize), *value));
            }
        },
        fill: |world, entity| {
            W::Kind::fill(&mut RequiredInserter::new(world, entity));
        },
        take: |world, slot| Some(Box::new(world.take::<T>(world.__living().at(slot as usize))?)),
        detach: |columns| Some(Box::new(columns.of::<T>(W::INDEX).remove(0)?)),
        erase: |value| value.downcast_ref::<T>().map(|value| value as &dyn ErasedSerialize),
    });
}

impl<W: Has<T>, T: Component> ReflectComponent<W, true> for T {
    const ENTRY: Option<ComponentEntry<W>> = None;
}

/// The sources of a target of a relation.
fn sources_of<W: Has<T>, T: 'static>(world: &W, target: Entity) -> &[Entity] {
    world.column::<T>().rule_state::<ReverseIndex>().map_or(&[], |index| index.sources(target))
}

/// Resources that a world with `Reflect` can list: serializable ones, and with `HIDDEN = true` all resources.
#[diagnostic::on_unimplemented(
    message = "resource `{Self}` of world `{W}`, which derives `Reflect`, cannot be read by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[resource(hidden)]`"
)]
pub trait ReflectResource<W: World, const HIDDEN: bool>: Sized + 'static {
    #[doc(hidden)]
    const ENTRY: Option<ResourceEntry<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasResource<T>, T: Serialize + DeserializeOwned + 'static> ReflectResource<W, false> for T {
    const ENTRY: Option<ResourceEntry<W>> = Some(ResourceEntry {
        size: size_of::<T>(),
        read: read_value::<T>,
        value: |world| world.resource::<T>(),
        any: |world| world.resource::<T>(),
        set: |world, value| {
            if let Ok(value) = value.downcast::<T>() {
                *world.resource_mut::<T>() = *value;
            }
        },
    });
}

impl<W: HasResource<T>, T: 'static> ReflectResource<W, true> for T {
    const ENTRY: Option<ResourceEntry<W>> = None;
}

/// Events that a world with `Reflect` can list: serializable ones, and with `HIDDEN = true` all events.
#[diagnostic::on_unimplemented(
    message = "event `{Self}` of world `{W}`, which derives `Reflect`, cannot be sent by name: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be shown, `#[event(hidden)]`"
)]
pub trait ReflectEvent<W: World, const HIDDEN: bool>: Sized + 'static {
    #[doc(hidden)]
    const ENTRY: Option<EventEntry<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasEvent<T>, T: Serialize + DeserializeOwned + 'static> ReflectEvent<W, false> for T {
    const ENTRY: Option<EventEntry<W>> = Some(EventEntry {
        size: size_of::<T>(),
        read: read_value::<T>,
        send: |world, event| {
            if let Ok(event) = event.downcast::<T>() {
                world.send(*event);
            }
        },
    });
}

impl<W: HasEvent<T>, T: 'static> ReflectEvent<W, true> for T {
    const ENTRY: Option<EventEntry<W>> = None;
}
