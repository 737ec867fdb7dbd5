//! Saving and loading a component: its column, the change ticks, the log of removed values, and the
//! state of its rule.
//!
//! [`SavedComponent`] is the same type for all components and worlds, so that its methods are
//! compiled with the library. What they need of the component's own type are the functions of
//! [`ComponentFunctions`].
#![expect(unsafe_code, reason = "values are moved by address, and their type is known by its description")]

pub(crate) mod functions;
mod older;
mod stamps;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use std::sync::OnceLock;

use serde::de::{Error as _, IgnoredAny};

use crate::base::component_set::ComponentSet;
use crate::base::mask::{Slots, has_bit, range};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::{Reason, Refused};
use crate::persist::compact::read::{MapId, Reader};
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::SystemPaths;
use crate::persist::memory;
use crate::save::any_world::AnyWorld;
use crate::save::column::{self, ColumnType, PutBytes, Scratch, ValueChunks};
use crate::save::layout::Layout;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::value::description::ValueType;
use crate::value::deserialize::NewValue;
use crate::value::plan::ValuePlan;
use crate::value::room::Room;
use crate::value::serialize::ValueRef;
use functions::ComponentFunctions;
pub use functions::SaveComponent;
use older::AnyOld;
pub use older::Old;
use stamps::{check_stamp_runs, next_slot, note_entities, present, restore_stamp_runs, stamp_runs};

/// The functions that trace a type of serde, and that tell whether each value of it can be read.
type TraceFunctions = (fn() -> Layout, fn() -> bool);

/// A component of a world, as saving sees it. A skipped component has no values in a file.
///
/// # Invariant
/// `value` and `functions` are those of the component, as `olds` are.
pub(crate) struct SavedComponent {
    /// The index of the component in the world.
    pub(crate) index: usize,
    /// The name in files.
    pub(crate) name: &'static str,
    /// The former names of the component, which files may contain.
    pub(crate) aliases: &'static [&'static str],
    olds: &'static [AnyOld],
    /// The description of the values; `None` if the component is skipped.
    pub(in crate::save) value: Option<&'static ValueType>,
    /// The plan by which values of a described type are written and read.
    plan: OnceLock<Option<ValuePlan>>,
    /// Those of the type, if serde reads the values. A described type needs none.
    by_serde: Option<TraceFunctions>,
    pub(in crate::save) functions: &'static ComponentFunctions,
}

/// Maps the slots in a rule's saved order with `to`. Slots that `to` does not map are dropped.
pub(in crate::save) fn mapped(order: &Order, to: &dyn Fn(u32) -> Option<u32>) -> Order {
    let of = |(slot, slots): &(u32, Vec<u32>)| {
        Some((to(*slot)?, slots.iter().filter_map(|&slot| to(slot)).collect()))
    };
    order.iter().filter_map(of).collect()
}

impl SavedComponent {
    /// Whether the component is saved.
    pub(crate) fn is_saved(&self) -> bool {
        self.value.is_some()
    }

    /// The layout of the component; `None` if it is not saved.
    pub(in crate::save) fn layout(&self) -> Option<Layout> {
        let value = self.value?;
        Some(self.by_serde.map_or_else(|| Layout::of_type(value), |(layout, _)| layout()))
    }

    /// The older type that has this layout.
    pub(in crate::save) fn old_with(&self, layout: &str) -> Option<usize> {
        self.olds.iter().position(|old| old.layout().is(layout))
    }

    /// The type of the values, if they are saved.
    pub(in crate::save) fn column_type(&self) -> Option<ColumnType<'_>> {
        let value = self.value?;
        let is_certain = self.by_serde.map(|(_, is_certain)| is_certain);
        // SAFETY: all are those of the component.
        Some(unsafe { ColumnType::new(value, self.plan(value), self.functions.shape, is_certain) })
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
    ) -> Result<(), FormError> {
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
    /// The address is that of a value of the component, which does not change during the lifetime
    /// of the result.
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
    pub(crate) fn present(&self, world: &dyn AnyWorld) -> Vec<u64> {
        match self.value {
            Some(_) => present(self.functions.column(world).masks(), world.entities().alive()),
            None => Vec::new(),
        }
    }

    /// The value at a slot, for the human-readable form.
    pub(crate) fn value<'w>(&self, world: &'w dyn AnyWorld, slot: u32) -> Option<ValueRef<'w>> {
        self.value_of(self.functions.column(world), slot)
    }

    /// Writes the values of a column in the compact form. An error gives the entity and the reason.
    pub(crate) fn write(
        &self,
        world: &dyn AnyWorld,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        self.write_column(world, words, scratch, put).map_err(|(slot, fault)| {
            let place = slot
                .map_or_else(String::new, |slot| alloc::format!(" of entity {}", world.entities().at(slot)));
            (place, fault.to_string())
        })
    }

    fn write_column(
        &self,
        world: &dyn AnyWorld,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (Option<usize>, FormError)> {
        let Some(of) = self.column_type() else { return Ok(()) };
        let column = self.functions.column(world);
        let Some(write_numbers) = self.functions.write_numbers else {
            return column::write(column, of, words, scratch, put);
        };
        // the first value is read back in any case
        if words.iter().map(|word| word.count_ones()).sum::<u32>() > 1 && !of.is_certain() {
            return column::write(column, of, words, scratch, put);
        }
        // numbers are copied up to the first chunk with a value whose compact form is not its bytes
        // in memory
        match write_numbers(world, words, put)? {
            Some(0) => column::write(column, of, words, scratch, put),
            Some(slot) => {
                let mut rest = words.to_vec();
                rest[..slot / 64].fill(0);
                rest[slot / 64] &= !range(0, slot % 64);
                column::write(column, of, &rest, scratch, put)
            }
            None => put(&0u32.to_le_bytes()).map_err(|error| (None, FormError::text(error))),
        }
    }

    /// Returns `true` if there are values at these slots, and all their floating point numbers are
    /// finite.
    pub(crate) fn has_finite_numbers(&self, world: &dyn AnyWorld, words: &[u64]) -> bool {
        let column = self.functions.column(world);
        let mut slots = Slots::new(words).peekable();
        slots.peek().is_some()
            && slots.all(|slot| self.value_of(column, slot).is_some_and(|value| value.is_finite()))
    }

    /// The change ticks of the values, run-length encoded: number of values, tick when added, tick
    /// when changed.
    pub(crate) fn stamps(&self, world: &dyn AnyWorld, words: &[u64]) -> Vec<(u32, u64, u64)> {
        match self.value {
            Some(_) if self.functions.tracked => stamp_runs(self.functions.column(world).stamps(), words),
            _ => Vec::new(),
        }
    }

    /// The log of removed values, if the component has one.
    pub(crate) fn log<'w>(
        &self,
        world: &'w dyn AnyWorld,
        paths: &SystemPaths,
    ) -> Option<Box<dyn ErasedSerialize + 'w>> {
        (self.functions.log.as_ref()?.image)(world, paths)
    }

    /// Makes an empty column.
    pub(crate) fn column(&self) -> Box<dyn Any + Send> {
        (self.functions.new_column)()
    }

    /// A detached column of the component without its type.
    pub(crate) fn detached<'c>(&self, column: &'c mut dyn Any) -> Option<&'c mut ErasedColumn> {
        self.functions.detached_mut(column)
    }

    /// Returns the number of bytes of memory that values at these slots take.
    pub(crate) fn bytes_for(&self, slots: &[u64]) -> u64 {
        self.functions.shape.bytes_for(slots)
    }

    /// Reads one value, of the older type `old` if it is given, and replaces an existing value with
    /// it. For components without a rule, if the value is in a world.
    pub(crate) fn read_one(
        &self,
        old: Option<usize>,
        mut place: ValuePlace<'_>,
        form: &mut dyn ReadForm<'_>,
    ) -> Result<(), FormError> {
        let Some(of) = self.value else { return Ok(()) };
        if let ValuePlace::Column(column, slot) = &mut place {
            let Some(column) = self.functions.detached_mut(*column) else { return Ok(()) };
            let growth = column.growth(*slot, 1, self.functions.shape);
            memory::charge_growth(growth).map_err(FormError::custom)?;
        }
        let mut room = Room::new(of.layout());
        let to = room.address();
        // SAFETY: the room has the layout of the type. The value moves to a place of its type after
        // it was read, or is dropped.
        unsafe {
            match old.and_then(|old| self.olds.get(old)) {
                Some(old) => (old.read)(form, to)?,
                None => NewValue::new(of, to).read_form(form)?,
            }
            match place {
                ValuePlace::World(world, entity) => self.functions.put(world, entity, to),
                ValuePlace::Column(column, slot) => match self.functions.detached_mut(column) {
                    Some(column) => self.insert(column, slot, to),
                    None => of.drop_value(to),
                },
            }
        }
        Ok(())
    }

    /// Moves a value into a detached column, in place of the one that the slot has.
    ///
    /// # Safety
    /// The column is one of the component, and the address that of a value of it, which is not used
    /// any more.
    pub(in crate::save) unsafe fn insert(&self, column: &mut ErasedColumn, slot: u32, value: *mut u8) {
        let shape = self.functions.shape;
        // SAFETY: the contract of this function; an old value is dropped once, since it is no
        // longer part of the column.
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
    ) -> Result<(), (u32, FormError)> {
        let (Some(value), Some(of)) = (self.value, self.column_type()) else { return Ok(()) };
        let Some(column) = self.functions.detached_mut(column) else { return Ok(()) };
        // SAFETY: both functions write a value of the component's type.
        unsafe {
            match old.and_then(|old| self.olds.get(old)) {
                Some(old) => {
                    column::read(column, of, words, chunks, map, |reader, to| (old.read_bytes)(reader, to))
                }
                None => column::read(column, of, words, chunks, map, |reader, to| {
                    self.read_bytes(value, reader, to)
                }),
            }
        }
    }

    /// Reads values in the compact form as [`read`](Self::read) does, and inserts them into the
    /// world: the value of slot `n` into the entity `to[n]`. For components without a rule.
    pub(crate) fn read_into(
        &self,
        world: &mut dyn AnyWorld,
        to: &[Entity],
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, FormError)> {
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
                    Some(&entity) => self.functions.put(world, entity, address),
                    None => value.drop_value(address),
                }
            }
        }
        Ok(())
    }

    /// Restores the change ticks. Returns an error if their number is not that of the values, or if
    /// one is later than `tick`.
    pub(crate) fn set_stamps(
        &self,
        column: &mut dyn Any,
        stamps: &[(u32, u64, u64)],
        tick: u64,
    ) -> Result<(), String> {
        let (Some(_), Some(column)) = (self.value, self.functions.detached_mut(column)) else {
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
    pub(crate) fn order(&self, world: &dyn AnyWorld) -> Order {
        match (self.value, &self.functions.rule) {
            (Some(_), Some(rule)) => (rule.order)(world),
            _ => Order::new(),
        }
    }

    /// Checks that every slot with a value has a live entity, and that the component's rule accepts
    /// all values; then notes the component in the entities' blocks. An error gives the slot.
    pub(crate) fn register(
        &self,
        column: &mut dyn Any,
        entities: &Entities,
        order: &Order,
    ) -> Result<(), (u32, String)> {
        if self.value.is_none() {
            return Ok(());
        }
        let Some(masks) = self.functions.detached(column).map(ErasedColumn::masks) else { return Ok(()) };
        note_entities(masks, entities, self.index)?;
        match &self.functions.rule {
            Some(rule) => (rule.load)(column, ChangeContext::of_many(entities, self.index), order),
            None => without_rule(order),
        }
    }

    /// Reads a log of removed values from the human-readable form.
    pub(crate) fn read_log(&self, file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        match &self.functions.log {
            Some(log) => (log.read)(file),
            // a component that is skipped or keeps no removed values any more
            None => read_value::<IgnoredAny>(file).map(|_| Box::new(()) as Box<dyn Any>),
        }
    }

    /// Reads a log of removed values from the compact form.
    pub(crate) fn read_log_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Any>, FormError> {
        let log = self.functions.log.as_ref();
        log.map_or_else(|| Ok(Box::new(()) as Box<dyn Any>), |log| (log.read_bytes)(bytes))
    }

    /// Restores the log of removed values.
    pub(crate) fn set_log(
        &self,
        world: &mut dyn AnyWorld,
        log: Box<dyn Any>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str> {
        self.functions.log.as_ref().map_or(Ok(()), |functions| (functions.restore)(world, log, paths))
    }

    /// Writes the values of a detached column in the compact form. An error gives the slot.
    pub(crate) fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        let mut bytes = Vec::new();
        let (Some(of), Some(column)) = (self.column_type(), self.functions.detached(column)) else {
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

    /// Adds to the entity at `slot` the components that this component requires, except for those
    /// in `without`.
    pub(crate) fn fill(&self, world: &mut dyn AnyWorld, slot: u32, without: ComponentSet) {
        let entity = world.entities().at(slot as usize);
        (self.functions.fill)(world, entity, without);
    }

    /// Moves the values of a detached column to entities of the world, until a rule refuses a
    /// value; the error gives its slot in the column. With `check_only`, checks the rules and moves
    /// nothing.
    pub(crate) fn move_values(
        &self,
        world: &mut dyn AnyWorld,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        check_only: bool,
    ) -> Result<(), (u32, Refused)> {
        let refuse = self.functions.refuse;
        let Some(column) = self.functions.detached_mut(column) else { return Ok(()) };
        if check_only && refuse.is_none() {
            return Ok(());
        }
        let (shape, mut next) = (self.functions.shape, 0);
        // a column has the words of whole pages, and most of a prefab's are empty
        while let Some(from) = next_slot(column.masks(), next) {
            next = from + 1;
            let Some(slot) = to(from) else { continue };
            let entity = world.entities().at(slot as usize);
            // SAFETY: the column has values of the component.
            unsafe {
                let value = column.value(from, shape);
                if let (Some(refuse), Some(value)) = (refuse, value)
                    && let Some(refused) = refuse(world, Some(entity), value)
                    // a prefab checks its targets, which have their components later
                    && !matches!(refused.reason, Reason::TargetLacks(..))
                {
                    return Err((from, refused));
                }
            }
            if !check_only {
                self.put_from(column, from, world, entity);
            }
        }
        Ok(())
    }

    /// Moves the value of a slot of a detached column into an entity of the world; `false` if the
    /// slot has none.
    pub(in crate::save) fn put_from(
        &self,
        column: &mut ErasedColumn,
        slot: u32,
        world: &mut dyn AnyWorld,
        entity: Entity,
    ) -> bool {
        // SAFETY: the column has values of the component, and the value is moved once.
        unsafe {
            let value = column.take(slot, self.functions.shape);
            value.map(|value| self.functions.put(world, entity, value)).is_some()
        }
    }

    /// Moves the value of a slot of a detached column to a slot of another.
    pub(in crate::save) fn move_to(&self, from: (&mut ErasedColumn, u32), to: (&mut ErasedColumn, u32)) {
        // SAFETY: both columns have values of the component, and the value is moved once.
        unsafe {
            if let Some(value) = from.0.take(from.1, self.functions.shape) {
                self.insert(to.0, to.1, value);
            }
        }
    }

    /// Returns a value of a detached column.
    pub(crate) fn value_in<'c>(&self, column: &'c dyn Any, slot: u32) -> Option<ValueRef<'c>> {
        self.value_of(self.functions.detached(column)?, slot)
    }

    /// Whether a slot of a detached column has a value.
    pub(crate) fn has(&self, column: &dyn Any, slot: u32) -> bool {
        self.functions.detached(column).is_some_and(|column| has_bit(column.masks(), slot as usize))
    }

    /// The first slot of a detached column whose value is a relation to a target for which `is_wrong`
    /// is true, and that target.
    pub(crate) fn find_target(
        &self,
        column: &dyn Any,
        is_wrong: &dyn Fn(u32, Entity) -> bool,
    ) -> Option<(u32, Entity)> {
        self.functions.rule.as_ref()?.find_target?(column, is_wrong)
    }

    /// Returns the slots of a detached column that have a value.
    pub(crate) fn slots(&self, column: &dyn Any) -> Vec<u64> {
        match (self.value, self.functions.detached(column)) {
            (Some(_), Some(column)) => column.masks().to_vec(),
            _ => Vec::new(),
        }
    }

    /// Moves the values of a column from the file's slots to the slots that the world will give
    /// their entities, and checks that the component's rule accepts them there, together with the
    /// world's values. An error gives the file's slot or the new slot.
    pub(crate) fn moved(
        &self,
        world: &mut dyn AnyWorld,
        mut column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        entities: &Entities,
        order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        let mut moved: Box<dyn Any> = self.column();
        let shape = self.functions.shape;
        let columns = (self.functions.detached_mut(&mut *column), self.functions.detached_mut(&mut *moved));
        let (Some(_), (Some(from_column), Some(to_column))) = (self.value, columns) else { return Ok(moved) };
        let slots = from_column.masks().to_vec();
        for from in Slots::new(&slots) {
            let slot = to(from).ok_or_else(|| (from, "the slot has no live entity".to_string()))?;
            // charged twice: `moved` grows by this value now, and the column of the world when the
            // value is inserted
            for _ in 0..2 {
                memory::charge_growth(to_column.growth(slot, 1, shape))
                    .map_err(|error| (slot, error.to_string()))?;
            }
            self.move_to((from_column, from), (to_column, slot));
        }
        match &self.functions.rule {
            Some(rule) if self.functions.refuse.is_some() => {
                (rule.load)(&mut *moved, ChangeContext::of_many(entities, self.index), order)?;
                (rule.admit)(world, &*moved)?;
            }
            _ => without_rule(order)?,
        }
        Ok(moved)
    }

    /// Inserts the values into the world, in the order of `slots`, which contains the slots of all
    /// new entities; then restores the state of the component's rule.
    pub(crate) fn insert_moved(
        &self,
        world: &mut dyn AnyWorld,
        mut column: Box<dyn Any>,
        slots: &[u32],
        order: &Order,
    ) {
        let Some(column) = self.functions.detached_mut(&mut *column) else { return };
        let words = column.masks().to_vec();
        let mut put = |slot: u32| {
            let entity = world.entities().at(slot as usize);
            self.put_from(column, slot, world, entity);
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

/// The place of a component's value.
pub(crate) enum ValuePlace<'p> {
    /// In a world, of a live entity.
    World(&'p mut dyn AnyWorld, Entity),
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
