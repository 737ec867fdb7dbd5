//! Saving and loading a component: its column, the change ticks, the log of removed values, and the state of its rule.
//!
//! [`SavedComponent`] is the same type for all components, so that its methods are compiled once for a world. What they need of the
//! component's own type are the functions of [`ComponentFunctions`].
#![expect(unsafe_code, reason = "values are moved by address, and their type is known by its description")]

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;
use std::sync::OnceLock;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserializer, Serialize};

use super::SavedType;
use crate::base::component_set::ComponentSet;
use crate::base::mask::{Bits, Slots, range};
use crate::base::page::Shape;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::{Component, Has, IsComponent};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::saved::image::LATEST;
use crate::error::Refused;
use crate::persist::compact::Fault;
use crate::persist::compact::read::{MapId, Reader, from_bytes};
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::{KeptValues, LogImage, SystemPaths};
use crate::persist::memory;
use crate::raw_world::WorldFields;
use crate::save::column::{self, ColumnType, PutBytes, Scratch, ValueChunks};

use crate::save::human::read_finite;
use crate::save::layout::{Layout, is_certain};
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::storage::stamps::Stamps;
use crate::value::Reflect;
use crate::value::description::{ValueType, column_by_serde};
use crate::value::deserialize::NewValue;
use crate::value::plan::ValuePlan;
use crate::value::room::Room;
use crate::value::serialize::ValueRef;
use crate::world::World;

/// A component of a world, as saving sees it. A skipped component has no values in a file.
///
/// # Invariant
/// `value` and `functions` are those of the component, as `olds` are.
pub struct SavedComponent<W: 'static> {
    index: usize,
    aliases: &'static [&'static str],
    olds: &'static [AnyOld],
    /// The description of the values; `None` if the component is skipped.
    value: Option<&'static ValueType>,
    /// The plan by which values of a described type are written and read.
    plan: OnceLock<Option<ValuePlan>>,
    layout: fn() -> Layout,
    is_certain: fn() -> bool,
    functions: &'static ComponentFunctions<W>,
}

/// The functions of a component that know its type. Detached columns are made by `new_column`.
struct ComponentFunctions<W> {
    shape: &'static Shape,
    tracked: bool,
    column: fn(&W) -> &ErasedColumn,
    new_column: fn() -> Box<dyn Any + Send>,
    detached: fn(&dyn Any) -> Option<&ErasedColumn>,
    detached_mut: fn(&mut dyn Any) -> Option<&mut ErasedColumn>,
    /// Inserts a value into a live entity.
    ///
    /// # Safety
    /// The address is that of a value of the component, which is moved out.
    put: unsafe fn(&mut W, Entity, *mut u8),
    /// Adds to a live entity the components that the component requires, except for those of a set.
    fill: fn(&mut W, Entity, ComponentSet),
    /// The functions of the component's rule, if it has one.
    rule: Option<RuleFunctions<W>>,
    /// Writes the values of a column of numbers as they lie in memory, up to one that is not.
    write_numbers: Option<WriteNumbers<W>>,
    log: Option<SavedLog<W>>,
}

/// A function that writes the values of a column of numbers: see [`column::plain::write`].
type WriteNumbers<W> = fn(&W, &[u64], &mut PutBytes<'_>) -> Result<Option<usize>, (Option<usize>, Fault)>;

/// The functions of the rule of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
struct RuleFunctions<W> {
    /// Asks the rule about a value; `None` if it accepts all values.
    ///
    /// # Safety
    /// The address is that of a value of the component.
    refuse: Option<unsafe fn(&mut W, Entity, *const u8) -> Option<Refused>>,
    order: fn(&W) -> Order,
    /// Takes the values of a detached column into the state of its rule.
    load: fn(&mut dyn Any, ChangeContext<'_>, &Order) -> Result<(), (u32, String)>,
    /// Checks that the rule accepts the values of a detached column beside those of the world.
    admit: fn(&mut W, &dyn Any) -> Result<(), (u32, String)>,
    arrange: fn(&mut W, &Order) -> Result<(), (u32, String)>,
}

/// The functions of a component whose values serde does not have to write.
const fn functions<W: Has<T>, T: Component>() -> ComponentFunctions<W> {
    ComponentFunctions {
        shape: const { &Column::<T>::SHAPE },
        tracked: W::Kind::TRACKED,
        column: |world| ErasedColumn::of(world.column::<T>()),
        new_column: || Box::new(Column::<T>::of_kind::<W::Kind>()),
        detached: |column| column.downcast_ref::<Column<T>>().map(ErasedColumn::of),
        detached_mut: |column| column.downcast_mut::<Column<T>>().map(ErasedColumn::of_mut),
        // SAFETY: the caller passes the address of a `T`, and does not use it any more.
        put: |world, entity, value| drop(world.put(entity, unsafe { value.cast::<T>().read() })),
        fill: |world, entity, without| {
            W::Kind::fill(&mut RequiredInserter::without(world, entity, without));
        },
        rule: const { if W::Kind::GUARDED { Some(rule_functions::<W, T>()) } else { None } },
        write_numbers: None,
        log: None,
    }
}

const fn rule_functions<W: Has<T>, T: Component>() -> RuleFunctions<W> {
    RuleFunctions {
        refuse: if W::Kind::REFUSES {
            // SAFETY: the caller passes the address of a `T`.
            Some(|world, entity, value| world.refuse(Some(entity), unsafe { &*value.cast::<T>() }))
        } else {
            None
        },
        order: |world| world.column::<T>().order(),
        load: |column, context, order| match column.downcast_mut::<Column<T>>() {
            Some(column) => column.load::<W::Kind>(context, order),
            None => Ok(()),
        },
        admit: |world, newcomers| {
            let Some(newcomers) = newcomers.downcast_ref::<Column<T>>() else { return Ok(()) };
            let (here, entities) = world.column_and_entities::<T>();
            here.admit::<W::Kind>(entities, newcomers)
        },
        arrange: |world, order| {
            let (column, entities) = world.column_and_entities::<T>();
            column.arrange(entities, order)
        },
    }
}

/// The functions of a component that serde writes and reads.
const fn saved_functions<W: Has<T>, T: Component + Serialize + DeserializeOwned>(
    has_numbers: bool,
) -> ComponentFunctions<W> {
    ComponentFunctions {
        write_numbers: if has_numbers {
            Some(|world, words, put| column::plain::write(world.column::<T>(), words, put))
        } else {
            None
        },
        log: saved_log::<W, T>(),
        ..functions::<W, T>()
    }
}

/// Components that a saved world can list: with `WAY = 0` those that serde writes and reads, with `WAY = 1` all components, which are
/// skipped, and with `WAY = 2` those that are described.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or, if it is not to be saved, `#[component(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveComponent<W: World, const WAY: u8>: Sized + 'static {
    /// Passes the component to a visitor.
    #[doc(hidden)]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<Self>],
    ) -> V::Output;
}

/// A function for a component of a saved world, to be called with one component of a number that is known at run time. It may have type
/// parameters of its own, for instance a format, which a method of a trait object cannot have.
pub trait SavedVisitor<W: World>: Sized {
    /// The result.
    type Output;
    /// Gets a component that serde writes and reads, with its type.
    fn typed<T: Component + Serialize + DeserializeOwned>(self, component: SavedComponent<W>) -> Self::Output
    where
        W: Has<T>;
    /// Gets a component that is described or skipped.
    fn untyped(self, component: SavedComponent<W>) -> Self::Output;
}

/// Makes the [`SavedComponent`] of a component.
pub(in crate::save) struct MakeEntry;

impl<W: World> SavedVisitor<W> for MakeEntry {
    type Output = SavedComponent<W>;

    fn typed<T: Component + Serialize + DeserializeOwned>(
        self,
        component: SavedComponent<W>,
    ) -> SavedComponent<W>
    where
        W: Has<T>,
    {
        component
    }

    fn untyped(self, component: SavedComponent<W>) -> SavedComponent<W> {
        component
    }
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SaveComponent<W, 0> for T {
    #[inline]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> V::Output {
        visitor.typed::<T>(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: AnyOld::of(olds),
            value: Some(const { &column_by_serde::<T>() }),
            plan: OnceLock::new(),
            layout: Layout::of::<T>,
            is_certain: is_certain::<T>,
            functions: const { &saved_functions::<W, T>(<T as IsComponent>::__NUMBERS.is_some()) },
        })
    }
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Reflect + Serialize + DeserializeOwned> SaveComponent<W, 2> for T {
    #[inline]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> V::Output {
        visitor.untyped(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: AnyOld::of(olds),
            value: Some(T::value_type()),
            plan: OnceLock::new(),
            layout: || Layout::of_type(T::value_type()),
            is_certain: || T::value_type().is_certain(),
            functions: const { &saved_functions::<W, T>(false) },
        })
    }
}

impl<W: Has<T>, T: Component> SaveComponent<W, 1> for T {
    #[inline]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        _: &'static [Old<T>],
    ) -> V::Output {
        visitor.untyped(SavedComponent {
            index: <W as Has<T>>::INDEX,
            aliases,
            olds: &[],
            value: None,
            plan: OnceLock::new(),
            layout: Layout::of::<()>,
            is_certain: || true,
            functions: const { &functions::<W, T>() },
        })
    }
}

/// The functions of the log of removed values of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
struct SavedLog<W> {
    image: for<'w> fn(&'w W, &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>>,
    read: fn(&mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError>,
    read_bytes: fn(&[u8]) -> Result<Box<dyn Any>, Fault>,
    restore: fn(&mut W, Box<dyn Any>, &SystemPaths) -> Result<(), &'static str>,
}

/// The functions of the log of a component; `None` if its removed values are not logged. A function constant: see
/// `docs/compile-times.md`.
const fn saved_log<W: Has<T>, T: Component + Serialize + DeserializeOwned>() -> Option<SavedLog<W>> {
    const {
        if W::Kind::LOGGED {
            Some(SavedLog {
                image: |world, paths| {
                    let removals = world.column::<T>().removals()?;
                    Some(Box::new(removals.image(paths)))
                },
                read: |file| Ok(Box::new(read_value::<LogImage<KeptValues<(Entity, T)>>>(file)?)),
                read_bytes: |bytes| Ok(Box::new(from_bytes::<LogImage<KeptValues<(Entity, T)>>>(bytes)?)),
                restore: |world, log, paths| {
                    let Ok(log) = log.downcast::<LogImage<KeptValues<(Entity, T)>>>() else { return Ok(()) };
                    match world.column_mut::<T>().log_mut() {
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

/// The words of a column's bits with the bits of live entities, up to the last one that is not empty.
fn present(masks: &[u64], alive: &[u64]) -> Vec<u64> {
    let mut words: Vec<u64> = masks.iter().zip(alive).map(|(mask, alive)| mask & alive).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}

/// The first slot from `slot` on that has a value.
fn next_slot(masks: &[u64], slot: u32) -> Option<u32> {
    let first = slot as usize / 64;
    let word = masks.get(first)? & !range(0, slot as usize % 64);
    if word != 0 {
        return Some((first * 64) as u32 + word.trailing_zeros());
    }
    let skipped = masks[first + 1..].iter().position(|&bits| bits != 0)?;
    let word = first + 1 + skipped;
    Some((word * 64) as u32 + masks[word].trailing_zeros())
}

/// The change ticks of the values of these slots, run-length encoded. A column has no stamps if it was loaded from a file without change
/// ticks: its values count as added when the world began.
fn stamp_runs(stamps: Option<&Stamps>, words: &[u64]) -> Vec<(u32, u64, u64)> {
    let mut runs: Vec<(u32, u64, u64)> = Vec::new();
    for (word, &bits) in words.iter().enumerate() {
        let of = stamps.and_then(|stamps| stamps.word(word));
        for bit in Bits(bits) {
            let (added, changed) = of.map_or((0, 0), |of| (of.added(bit), of.changed(bit)));
            let (added, changed) = (added.min(LATEST), changed.min(LATEST));
            match runs.last_mut() {
                Some((count, a, c)) if (*a, *c) == (added, changed) => *count += 1,
                _ => runs.push((1, added, changed)),
            }
        }
    }
    runs
}

/// Checks the change ticks of a file: `values` is the number of values that they are for, `tick` that of the file.
fn check_stamp_runs(runs: &[(u32, u64, u64)], values: usize, tick: u64) -> Result<(), String> {
    if runs.iter().any(|&(_, added, changed)| added > tick || changed > tick || added > changed) {
        return Err("a change tick is later than the tick of the file, or earlier than the tick at which its value was added".into());
    }
    let count: u64 = runs.iter().map(|&(count, ..)| u64::from(count)).sum();
    if count != 0 && count != values as u64 {
        return Err("the number of change ticks is not the number of values".into());
    }
    Ok(())
}

/// Restores the change ticks of values. A component that was not tracked when it was saved has no ticks: its values count as added when the
/// world began.
fn restore_stamp_runs(
    runs: &[(u32, u64, u64)],
    masks: &[u64],
    stamps: &mut Option<Box<Stamps>>,
) -> Result<(), String> {
    memory::charge(Stamps::bytes_for(masks.iter().copied())).map_err(|error| error.to_string())?;
    let mut ticks = runs
        .iter()
        .flat_map(|&(count, added, changed)| core::iter::repeat_n((added, changed), count as usize));
    for slot in Slots::new(masks) {
        let (added, changed) = ticks.next().unwrap_or((0, 0));
        stamps.get_or_insert_default().recall(slot, added, changed);
    }
    Ok(())
}

/// Checks that every slot with a value has a live entity, and notes the component in the blocks of the entities.
fn note_entities(masks: &[u64], entities: &Entities, component: usize) -> Result<(), (u32, String)> {
    for (word, &bits) in masks.iter().enumerate() {
        let alive = entities.alive().get(word).copied().unwrap_or(0);
        if bits & !alive != 0 {
            let slot = (word * 64) as u32 + (bits & !alive).trailing_zeros();
            return Err((slot, "the slot has no live entity".into()));
        }
        if bits != 0 {
            entities.note((word * 64) as u32, component);
        }
    }
    Ok(())
}

/// Maps the slots in a rule's saved order with `to`. Slots that `to` does not map are dropped.
pub(in crate::save) fn mapped(order: &Order, to: &dyn Fn(u32) -> Option<u32>) -> Order {
    let of = |(slot, slots): &(u32, Vec<u32>)| {
        Some((to(*slot)?, slots.iter().filter_map(|&slot| to(slot)).collect()))
    };
    order.iter().filter_map(of).collect()
}

impl<W: World> SavedType for SavedComponent<W> {
    fn index(&self) -> usize {
        self.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn is_saved(&self) -> bool {
        self.value.is_some()
    }

    fn layout(&self) -> Option<Layout> {
        self.value.map(|_| (self.layout)())
    }

    fn olds(&self) -> Vec<Layout> {
        self.olds.iter().map(AnyOld::layout).collect()
    }
}

impl<W: World> SavedComponent<W> {
    /// The type of the values, if they are saved.
    fn column_type(&self) -> Option<ColumnType<'_>> {
        let value = self.value?;
        // SAFETY: all are those of the component.
        Some(unsafe { ColumnType::new(value, self.plan(value), self.functions.shape, self.is_certain) })
    }

    fn plan(&self, value: &'static ValueType) -> Option<&ValuePlan> {
        self.plan.get_or_init(|| value.plan()).as_ref()
    }

    /// Reads a value of the component in the compact form.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type, which `value` describes.
    unsafe fn read_bytes(
        &self,
        value: &'static ValueType,
        from: &mut Reader<'_, '_>,
        to: *mut u8,
    ) -> Result<(), Fault> {
        // SAFETY: the contract of this function.
        unsafe {
            match self.plan(value) {
                Some(plan) => plan.read(from, to),
                None => value.read(from, to),
            }
        }
    }

    /// A value at an address.
    ///
    /// # Safety
    /// The address is that of a value of the component, which does not change during the lifetime of the result.
    unsafe fn value_at<'v>(&self, address: *const u8) -> Option<ValueRef<'v>> {
        // SAFETY: the contract of this function.
        self.value.map(|value| unsafe { ValueRef::new(value, address) })
    }

    /// The value of a slot of a column of the component.
    fn value_of<'c>(&self, column: &'c ErasedColumn, slot: u32) -> Option<ValueRef<'c>> {
        // SAFETY: the column is one of the component, which lends its values for `'c`.
        unsafe { self.value_at(column.value(slot, self.functions.shape)?) }
    }

    /// The slots that have a value, as one bit per slot in words of 64.
    pub(crate) fn present(&self, world: &W) -> Vec<u64> {
        match self.value {
            Some(_) => present((self.functions.column)(world).masks(), world.__living().alive()),
            None => Vec::new(),
        }
    }

    /// The value at a slot, for the human-readable form.
    pub(crate) fn value<'w>(&self, world: &'w W, slot: u32) -> Option<ValueRef<'w>> {
        self.value_of((self.functions.column)(world), slot)
    }

    /// Writes the values of a column in the compact form. An error gives the entity and the reason.
    pub(crate) fn write(
        &self,
        world: &W,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        self.write_column(world, words, scratch, put).map_err(|(slot, fault)| {
            let place = slot
                .map_or_else(String::new, |slot| alloc::format!(" of entity {}", world.__living().at(slot)));
            (place, fault.to_string())
        })
    }

    fn write_column(
        &self,
        world: &W,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (Option<usize>, Fault)> {
        let Some(of) = self.column_type() else { return Ok(()) };
        let column = (self.functions.column)(world);
        let Some(write_numbers) = self.functions.write_numbers else {
            return column::write(column, of, words, scratch, put);
        };
        // the first value is read back in any case
        if words.iter().map(|word| word.count_ones()).sum::<u32>() > 1 && !(self.is_certain)() {
            return column::write(column, of, words, scratch, put);
        }
        // numbers are copied up to the first chunk with a value whose compact form is not its bytes in memory
        match write_numbers(world, words, put)? {
            Some(0) => column::write(column, of, words, scratch, put),
            Some(slot) => {
                let mut rest = words.to_vec();
                rest[..slot / 64].fill(0);
                rest[slot / 64] &= !range(0, slot % 64);
                column::write(column, of, &rest, scratch, put)
            }
            None => put(&0u32.to_le_bytes()).map_err(|error| (None, Fault::text(error))),
        }
    }

    /// Returns `true` if there are values at these slots, and all their floating point numbers are finite.
    pub(crate) fn has_finite_numbers(&self, world: &W, words: &[u64]) -> bool {
        let column = (self.functions.column)(world);
        let mut slots = Slots::new(words).peekable();
        slots.peek().is_some()
            && slots.all(|slot| self.value_of(column, slot).is_some_and(|value| value.is_finite()))
    }

    /// The change ticks of the values, run-length encoded: number of values, tick when added, tick when changed.
    pub(crate) fn stamps(&self, world: &W, words: &[u64]) -> Vec<(u32, u64, u64)> {
        match self.value {
            Some(_) if self.functions.tracked => stamp_runs((self.functions.column)(world).stamps(), words),
            _ => Vec::new(),
        }
    }

    /// The log of removed values, if the component has one.
    pub(crate) fn log<'w>(&self, world: &'w W, paths: &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>> {
        (self.functions.log.as_ref()?.image)(world, paths)
    }

    /// Makes an empty column.
    pub(crate) fn column(&self) -> Box<dyn Any + Send> {
        (self.functions.new_column)()
    }

    /// Returns the number of bytes of memory that values at these slots take.
    pub(crate) fn bytes_for(&self, slots: &[u64]) -> u64 {
        self.functions.shape.bytes_for(slots)
    }

    /// Reads one value, of the older type `old` if it is given, in place of the value that the slot has.
    pub(crate) fn read_one(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        file: &mut dyn ReadForm<'_>,
    ) -> Result<(), FormError> {
        self.read_value(old, column, slot, |new| new.read_form(file))
    }

    /// Reads one value by a function, in place of the value that the slot has.
    pub(crate) fn read_value<E: serde::de::Error>(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        read: impl FnOnce(NewColumnValue) -> Result<(), E>,
    ) -> Result<(), E> {
        let (Some(of), Some(column)) = (self.value, (self.functions.detached_mut)(column)) else {
            return Ok(());
        };
        let shape = self.functions.shape;
        memory::charge_growth(column.growth(slot, 1, shape)).map_err(E::custom)?;
        let mut room = Room::new(of.layout());
        let to = room.address();
        read(NewColumnValue(match old.and_then(|old| self.olds.get(old)) {
            Some(old) => NewKind::Old(old, to),
            // SAFETY: the room has the layout of the type.
            None => NewKind::Described(unsafe { NewValue::new(of, to) }),
        }))?;
        // SAFETY: the value was read, and moves into the column of its type.
        unsafe { self.insert(column, slot, to) };
        Ok(())
    }

    /// Moves a value into a detached column, in place of the one that the slot has.
    ///
    /// # Safety
    /// The column is one of the component, and the address that of a value of it, which is not used any more.
    unsafe fn insert(&self, column: &mut ErasedColumn, slot: u32, value: *mut u8) {
        let shape = self.functions.shape;
        // SAFETY: the contract of this function; an old value is dropped once, since it is no longer part of the column.
        unsafe {
            if let (Some(before), Some(of)) = (column.take(slot, shape), self.value) {
                of.drop_value(before);
            }
            column.reserve(slot, 1, shape).copy_from_nonoverlapping(value, shape.size);
            column.set_written(slot, 1);
        }
    }

    /// Reads the values of a column in the compact form.
    pub(crate) fn read(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        let (Some(value), Some(of)) = (self.value, self.column_type()) else { return Ok(()) };
        let Some(column) = (self.functions.detached_mut)(column) else { return Ok(()) };
        // SAFETY: both functions write a value of the component's type.
        unsafe {
            match old.and_then(|old| self.olds.get(old)) {
                Some(old) => {
                    column::read(column, of, words, chunks, map, |reader, to| old.read_bytes(reader, to))
                }
                None if value.is_plain() => {
                    column::read(column, of, words, chunks, map, |reader, to| value.read_plain(reader, to))
                }
                None => column::read(column, of, words, chunks, map, |reader, to| {
                    self.read_bytes(value, reader, to)
                }),
            }
        }
    }

    /// Reads values in the compact form as [`read`](Self::read) does, and inserts them into the world: the value of slot `n` into the
    /// entity `to[n]`. For components without a rule.
    pub(crate) fn read_into(
        &self,
        world: &mut W,
        to: &[Entity],
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        let Some(value) = self.value else { return Ok(()) };
        let mut room = Room::new(value.layout());
        for number in Slots::new(words) {
            let address = room.address();
            // SAFETY: the room has the layout of the type.
            let read =
                column::one(chunks, map, &mut |reader| unsafe { self.read_bytes(value, reader, address) });
            read.map_err(|fault| (number, fault))?;
            // SAFETY: the value was read, and is moved or dropped.
            unsafe {
                match to.get(number as usize) {
                    Some(&entity) => (self.functions.put)(world, entity, address),
                    None => value.drop_value(address),
                }
            }
        }
        Ok(())
    }

    /// Reads a value from all bytes of the compact form, and replaces an existing value with it. For components without a rule, if the
    /// value is in a world.
    pub(crate) fn read_over(
        &self,
        place: ValuePlace<'_, W>,
        mut reader: Reader<'_, '_>,
    ) -> Result<(), Fault> {
        let Some(value) = self.value else { return Ok(()) };
        let mut room = Room::new(value.layout());
        let address = room.address();
        // SAFETY: the room has the layout of the type; the value is moved or dropped.
        unsafe {
            self.read_bytes(value, &mut reader, address)?;
            if let Err(fault) = reader.end() {
                value.drop_value(address);
                return Err(fault);
            }
            match place {
                ValuePlace::World(world, entity) => (self.functions.put)(world, entity, address),
                ValuePlace::Column(column, slot) => match (self.functions.detached_mut)(column) {
                    Some(column) => self.insert(column, slot, address),
                    None => value.drop_value(address),
                },
            }
        }
        Ok(())
    }

    /// Restores the change ticks. Returns an error if their number is not that of the values, or if one is later than `tick`.
    pub(crate) fn set_stamps(
        &self,
        column: &mut dyn Any,
        stamps: &[(u32, u64, u64)],
        tick: u64,
    ) -> Result<(), String> {
        let (Some(_), Some(column)) = (self.value, (self.functions.detached_mut)(column)) else {
            return Ok(());
        };
        check_stamp_runs(stamps, column.len(), tick)?;
        if !self.functions.tracked {
            return Ok(());
        }
        let (masks, of) = column.stamps_mut();
        restore_stamp_runs(stamps, masks, of)
    }

    /// The state of the component's rule that cannot be derived from the values.
    pub(crate) fn order(&self, world: &W) -> Order {
        match (self.value, &self.functions.rule) {
            (Some(_), Some(rule)) => (rule.order)(world),
            _ => Order::new(),
        }
    }

    /// Checks that every slot with a value has a live entity, and that the component's rule accepts all values; then notes the
    /// component in the entities' blocks. An error gives the slot.
    pub(crate) fn register(
        &self,
        column: &mut dyn Any,
        entities: &Entities,
        order: &Order,
    ) -> Result<(), (u32, String)> {
        if self.value.is_none() {
            return Ok(());
        }
        let Some(masks) = (self.functions.detached)(column).map(ErasedColumn::masks) else { return Ok(()) };
        note_entities(masks, entities, self.index)?;
        match &self.functions.rule {
            Some(rule) => (rule.load)(column, ChangeContext::of_many(entities, self.index), order),
            None => without_rule(order),
        }
    }

    /// Reads a log of removed values from the human-readable form.
    pub(crate) fn read_log(&self, file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        match (self.value, &self.functions.log) {
            (Some(_), Some(log)) => (log.read)(file),
            (Some(_), None) => read_value::<IgnoredAny>(file).map(|_| Box::new(()) as Box<dyn Any>),
            (None, _) => Ok(Box::new(())),
        }
    }

    /// Reads a log of removed values from the compact form.
    pub(crate) fn read_log_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        let log = self.functions.log.as_ref();
        log.map_or_else(|| Ok(Box::new(()) as Box<dyn Any>), |log| (log.read_bytes)(bytes))
    }

    /// Restores the log of removed values.
    pub(crate) fn set_log(
        &self,
        world: &mut W,
        log: Box<dyn Any>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str> {
        self.functions.log.as_ref().map_or(Ok(()), |functions| (functions.restore)(world, log, paths))
    }

    /// Writes the values of a detached column in the compact form. An error gives the slot.
    pub(crate) fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        let mut bytes = Vec::new();
        let (Some(of), Some(column)) = (self.column_type(), (self.functions.detached)(column)) else {
            return Ok(bytes);
        };
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let written = column::write(column, of, words, &mut Scratch::default(), &mut put);
        written.map_err(|(slot, fault)| (slot, fault.to_string()))?;
        Ok(bytes)
    }

    /// Adds to the entity at `slot` the components that this component requires, except for those in `without`.
    pub(crate) fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        let entity = world.__living().at(slot as usize);
        (self.functions.fill)(world, entity, without);
    }

    /// Moves the values of a detached column to entities of the world, until a rule refuses a value; the error gives
    /// its slot in the column. With `check_only`, checks the rules and moves nothing.
    pub(crate) fn move_values(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        check_only: bool,
    ) -> Result<(), (u32, Refused)> {
        let refuse = self.functions.rule.as_ref().and_then(|rule| rule.refuse);
        let Some(column) = (self.functions.detached_mut)(column) else { return Ok(()) };
        if check_only && refuse.is_none() {
            return Ok(());
        }
        let (shape, mut next) = (self.functions.shape, 0);
        // a column has the words of whole pages, and most of a prefab's are empty
        while let Some(from) = next_slot(column.masks(), next) {
            next = from + 1;
            let Some(slot) = to(from) else { continue };
            let entity = world.__living().at(slot as usize);
            // SAFETY: the column has values of the component, which are moved out once.
            unsafe {
                let value = column.value(from, shape);
                if let (Some(refuse), Some(value)) = (refuse, value)
                    && let Some(refused) = refuse(world, entity, value)
                {
                    return Err((from, refused));
                }
                if !check_only && let Some(value) = column.take(from, shape) {
                    (self.functions.put)(world, entity, value);
                }
            }
        }
        Ok(())
    }

    /// Returns a value of a detached column.
    pub(crate) fn value_in<'c>(&self, column: &'c dyn Any, slot: u32) -> Option<ValueRef<'c>> {
        self.value_of((self.functions.detached)(column)?, slot)
    }

    /// Returns the slots of a detached column that have a value.
    pub(crate) fn slots(&self, column: &dyn Any) -> Vec<u64> {
        match (self.value, (self.functions.detached)(column)) {
            (Some(_), Some(column)) => column.masks().to_vec(),
            _ => Vec::new(),
        }
    }

    /// Moves the values of a column from the file's slots to the slots that the world will give their entities, and checks that the
    /// component's rule accepts them there, together with the world's values. An error gives the file's slot or the new slot.
    pub(crate) fn moved(
        &self,
        world: &mut W,
        mut column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        entities: &Entities,
        order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        let mut moved: Box<dyn Any> = self.column();
        let shape = self.functions.shape;
        let columns =
            ((self.functions.detached_mut)(&mut *column), (self.functions.detached_mut)(&mut *moved));
        let (Some(_), (Some(from_column), Some(to_column))) = (self.value, columns) else { return Ok(moved) };
        let slots = from_column.masks().to_vec();
        for from in Slots::new(&slots) {
            let slot = to(from).ok_or_else(|| (from, "the slot has no live entity".to_string()))?;
            // charged twice: `moved` grows by this value now, and the column of the world when the value is inserted
            for _ in 0..2 {
                memory::charge_growth(to_column.growth(slot, 1, shape))
                    .map_err(|error| (slot, error.to_string()))?;
            }
            // SAFETY: both columns have values of the component, and the value is moved once.
            unsafe {
                if let Some(value) = from_column.take(from, shape) {
                    self.insert(to_column, slot, value);
                }
            }
        }
        match &self.functions.rule {
            Some(rule) if rule.refuse.is_some() => {
                (rule.load)(&mut *moved, ChangeContext::of_many(entities, self.index), order)?;
                (rule.admit)(world, &*moved)?;
            }
            _ => without_rule(order)?,
        }
        Ok(moved)
    }

    /// Inserts the values into the world, in the order of `slots`, which contains the slots of all new entities; then restores
    /// the state of the component's rule.
    pub(crate) fn insert_moved(&self, world: &mut W, mut column: Box<dyn Any>, slots: &[u32], order: &Order) {
        let Some(column) = (self.functions.detached_mut)(&mut *column) else { return };
        let (shape, words) = (self.functions.shape, column.masks().to_vec());
        let mut put = |slot: u32| {
            // SAFETY: the column has values of the component, and the value is moved once.
            unsafe {
                if let Some(value) = column.take(slot, shape) {
                    (self.functions.put)(world, world.__living().at(slot as usize), value);
                }
            }
        };
        let Some(rule) = &self.functions.rule else {
            return Slots::new(&words).for_each(put);
        };
        // the rule depends on the order of insertion: insert in the order of `slots`
        slots.iter().for_each(|&slot| put(slot));
        if !order.is_empty() {
            // this cannot fail: `moved` has checked the order
            let _ = (rule.arrange)(world, order);
        }
    }
}

/// An older type of a component: its layout, and the functions that read a value of it and convert the value.
#[repr(transparent)]
pub struct Old<T>(AnyOld, PhantomData<fn() -> T>);

/// An older type of a component whose type is not known here.
struct AnyOld {
    layout: fn() -> Layout,
    /// # Safety
    /// The address is valid for a write of the component's type. Nothing is written if there is an error.
    read: unsafe fn(&mut dyn ReadForm<'_>, *mut u8) -> Result<(), FormError>,
    /// # Safety
    /// As for `read`.
    read_bytes: unsafe fn(&mut Reader<'_, '_>, *mut u8) -> Result<(), Fault>,
}

impl<T> Old<T> {
    /// Makes the description of the older type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        let old = AnyOld {
            layout: Layout::of::<O>,
            // SAFETY: the caller passes an address that is valid for a write of a `T`.
            read: |form, to| unsafe {
                to.cast::<T>().write(T::from(read_value::<O>(form)?));
                Ok(())
            },
            // SAFETY: as above.
            read_bytes: |reader, to| unsafe {
                to.cast::<T>().write(T::from(reader.value::<O>()?));
                Ok(())
            },
        };
        Self(old, PhantomData)
    }
}

impl AnyOld {
    /// The older types without the type of the component.
    fn of<T>(olds: &'static [Old<T>]) -> &'static [Self] {
        // SAFETY: an `Old` has the memory of an `AnyOld`.
        unsafe { core::slice::from_raw_parts(olds.as_ptr().cast(), olds.len()) }
    }

    fn layout(&self) -> Layout {
        (self.layout)()
    }

    /// Reads a value of the older type from the human-readable form, and writes what it is converted to.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type.
    unsafe fn read(&self, form: &mut dyn ReadForm<'_>, to: *mut u8) -> Result<(), FormError> {
        // SAFETY: the contract of this function.
        unsafe { (self.read)(form, to) }
    }

    /// Reads a value of the older type from the compact form, and writes what it is converted to.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type.
    unsafe fn read_bytes(&self, reader: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), Fault> {
        // SAFETY: the contract of this function.
        unsafe { (self.read_bytes)(reader, to) }
    }
}

/// Memory for a value of a component.
pub(crate) struct NewColumnValue(NewKind);

enum NewKind {
    /// The value is of the component's type.
    Described(NewValue),
    /// The value is of an older type, and is converted before it is written to the address.
    ///
    /// Invariant: the address is valid for a write of the component's type.
    Old(&'static AnyOld, *mut u8),
}

impl NewColumnValue {
    /// Reads the value from a form.
    fn read_form(self, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        match self.0 {
            NewKind::Described(new) => new.read_form(form),
            // SAFETY: the address is valid for a write of the component's type.
            NewKind::Old(old, to) => unsafe { old.read(form, to) },
        }
    }

    /// Reads the value. With `finite`, all its numbers are: see [`read_finite`].
    pub(in crate::save) fn read<'de, D: Deserializer<'de>>(
        self,
        finite: bool,
        from: D,
    ) -> Result<(), D::Error> {
        match self.0 {
            NewKind::Described(new) if finite => new.finish(|new| read_finite(new, from)),
            NewKind::Described(new) => new.read(from),
            NewKind::Old(..) => {
                self.read_form(&mut <dyn ReadForm<'_>>::of(from)).map_err(|error| error.to_read_error())
            }
        }
    }
}

/// The place of a component's value.
pub(crate) enum ValuePlace<'p, W> {
    /// In a world, of a live entity.
    World(&'p mut W, Entity),
    /// At a slot of a detached column.
    Column(&'p mut dyn Any, u32),
}

/// The error of a saved order for a component that has no rule.
fn without_rule(order: &Order) -> Result<(), (u32, String)> {
    match order.first() {
        Some(&(slot, _)) => Err((slot, "the file has an order, but the component has no rule".into())),
        None => Ok(()),
    }
}

/// Implements [`SavedComponent::fill`] for a component whose type is known.
pub(in crate::save) fn fill<W: Has<T>, T: 'static>(world: &mut W, slot: u32, without: ComponentSet) {
    let entity = world.__living().at(slot as usize);
    W::Kind::fill(&mut RequiredInserter::without(world, entity, without));
}
