//! Saving and loading a component: its column, when values were changed, what was removed, what rules remember.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;

use erased_serde::Serialize as Erased;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Old, SavedEntry, SavedType, SkippedEntry};
use crate::base::component_set::ComponentSet;
use crate::base::mask::Bits;
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::image::LATEST;
use crate::error::Refused;
use crate::save::column::{self, PutBytes, Scratch, ValueChunks};
use crate::save::compact::Fault;
use crate::save::compact::read::{MapId, from_bytes};
use crate::save::image::{KeptValues, LogImage, SystemPaths};
use crate::save::memory;
use crate::save::state::ValueCode;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::storage::stamps::Stamps;
use crate::world::{World, WorldCell};

/// A component of a world. What is not said otherwise is what there is to do about one that is skipped: it has no values in
/// a file.
pub trait SavedComponent<W: World>: SavedType {
    /// For each word of slots, which have a value and live.
    fn present(&self, _world: &W) -> Vec<u64> {
        Vec::new()
    }
    /// A value, to be written by a name of its own.
    fn value<'w>(&self, _world: &'w W, _slot: u32) -> Option<&'w dyn Erased> {
        None
    }
    /// The values, in bulk.
    fn write(
        &self,
        _world: &W,
        _words: &[u64],
        _scratch: &mut Scratch,
        _put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        Ok(())
    }
    /// For runs of slots in which they are the same: how many values, when they were added, when they were changed.
    fn stamps(&self, _world: &W, _words: &[u64]) -> Vec<(u32, u64, u64)> {
        Vec::new()
    }
    /// The removed values that are kept.
    fn log<'w>(&self, _world: &'w W, _keys: &SystemPaths) -> Option<Box<dyn Erased + 'w>> {
        None
    }
    /// A column without values.
    fn column(&self) -> Box<dyn Any>;
    /// The number of bytes that values at these slots take.
    fn bytes_for(&self, slots: &[u64]) -> u64;
    /// Reads one value of the older type `old`, or of its own.
    fn read_one(
        &self,
        _old: Option<usize>,
        _column: &mut dyn Any,
        _slot: u32,
        _file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), erased_serde::Error> {
        Ok(())
    }
    /// Reads values in bulk.
    fn read(
        &self,
        _old: Option<usize>,
        _column: &mut dyn Any,
        _words: &[u64],
        _chunks: &mut ValueChunks<'_>,
        _map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        Ok(())
    }
    /// Takes on the stamps; an error if they are not as many as there are values, or later than `tick`.
    fn set_stamps(
        &self,
        _column: &mut dyn Any,
        _stamps: &[(u32, u64, u64)],
        _tick: u64,
    ) -> Result<(), String> {
        Ok(())
    }
    /// What rules remember that the values do not tell.
    fn order(&self, _world: &W) -> Order {
        Order::new()
    }
    /// Looks whether all who have a value live and may have it, and notes it. An error names the slot.
    fn settle(
        &self,
        _column: &mut dyn Any,
        _entities: &Entities,
        _order: &Order,
    ) -> Result<(), (u32, String)> {
        Ok(())
    }
    /// Reads removed values.
    fn read_log(
        &self,
        _old: Option<usize>,
        _file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new(()))
    }
    /// Reads removed values from bytes.
    fn read_log_bytes(&self, _bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }
    /// Takes them on.
    fn set_log(&self, _world: &mut W, _log: Box<dyn Any>, _keys: &SystemPaths) -> Result<(), &'static str> {
        Ok(())
    }
    /// A value of a column that belongs to no world.
    fn value_in<'c>(&self, _column: &'c dyn Any, _slot: u32) -> Option<&'c dyn Erased> {
        None
    }
    /// The values of a column that was read, in bulk. An error names the slot.
    fn bytes(&self, _column: &dyn Any, _words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        Ok(Vec::new())
    }
    /// Adds what the component requires to who has it, except for what is in `without`.
    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet);
    /// Moves the values of a column that belongs to no world to entities of this one, until a rule refuses one: the error
    /// names its slot in the column. If it is only `asked`, nothing is moved.
    fn place(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        asked: bool,
    ) -> Result<(), (u32, Refused)>;
    /// Which slots of a column that was read have a value.
    fn slots(&self, _column: &dyn Any) -> Vec<u64> {
        Vec::new()
    }
    /// The values at the slots of those who will have them, and whether rules accept them there: among themselves, and
    /// beside those of the world. An error names the slot.
    fn moved(
        &self,
        _world: &mut W,
        column: Box<dyn Any>,
        _to: &dyn Fn(u32) -> Option<u32>,
        _entities: &Entities,
        _order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        Ok(column)
    }
    /// Gives the values to the entities of a world that have their slots, in the order of `slots`, which are all that
    /// there are, and takes on their order.
    fn adopt(&self, _world: &mut W, _column: Box<dyn Any>, _slots: &[u32], _order: &Order) {}
}

/// A component that a world can save, or, if it is skipped, any.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or, if it is not to be saved, `#[component(skip)]`"
)]
pub trait SaveComponent<W: World, const SKIP: bool>: Sized + 'static {
    #[doc(hidden)]
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<Self>]) -> Box<dyn SavedComponent<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SaveComponent<W, false> for T {
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Box<dyn SavedComponent<W>> {
        Box::new(SavedEntry { aliases, olds, index: <W as Has<T>>::INDEX })
    }
}

impl<W: Has<T>, T: Component> SaveComponent<W, true> for T {
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Box<dyn SavedComponent<W>> {
        Box::new(SkippedEntry { of: SavedEntry { aliases, olds, index: <W as Has<T>>::INDEX } })
    }
}

/// The column of `T`, shared.
fn column_of<W: Has<T>, T: 'static>(world: &W) -> &Column<T> {
    // SAFETY: the world is borrowed shared for as long as the column is.
    unsafe { WorldCell::shared(world).column::<T>() }
}

/// The column of `T`, mutable.
fn column_mut_of<W: Has<T>, T: 'static>(world: &mut W) -> &mut Column<T> {
    // SAFETY: the world is borrowed mutably for as long as the column is.
    unsafe { WorldCell::new(world).column_mut::<T>() }
}

/// What [`SavedComponent::fill`] does.
fn fill<W: Has<T>, T: 'static>(world: &mut W, slot: u32, without: ComponentSet) {
    let cell = WorldCell::new(world);
    let entity = cell.entities().at(slot as usize);
    // SAFETY: the world is borrowed mutably, and nothing of it is lent.
    W::Kind::fill(&mut unsafe { RequiredInserter::without(cell, entity, without) });
}

/// What [`SavedComponent::place`] does.
fn place<W: Has<T>, T: 'static>(
    world: &mut W,
    column: &mut dyn Any,
    to: &dyn Fn(u32) -> Option<u32>,
    asked: bool,
) -> Result<(), (u32, Refused)> {
    let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
    if asked && !W::Kind::REFUSES {
        return Ok(());
    }
    for word in 0..column.words() {
        for bit in Bits(column.word(word)) {
            let from = (word * 64 + bit) as u32;
            let (Some(slot), Some(value)) = (to(from), column.get(from)) else { continue };
            let cell = WorldCell::new(world);
            // SAFETY: the world is borrowed mutably, and nothing of it is lent.
            if let Some(refused) = unsafe { cell.refuse(Some(cell.entities().at(slot as usize)), value) } {
                return Err((from, refused));
            }
            if !asked && let Some(value) = column.remove(from) {
                // SAFETY: as above.
                drop(unsafe { cell.put(slot, value) });
            }
        }
    }
    Ok(())
}

/// A column that was made for this entry.
fn known<T: 'static>(column: &dyn Any) -> Option<&Column<T>> {
    column.downcast_ref()
}

impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SavedComponent<W> for SavedEntry<T> {
    fn present(&self, world: &W) -> Vec<u64> {
        let (column, alive) = (column_of::<W, T>(world), world.__living().alive());
        let mut words: Vec<u64> =
            alive.iter().enumerate().map(|(word, alive)| alive & column.word(word)).collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        words
    }

    fn value<'w>(&self, world: &'w W, slot: u32) -> Option<&'w dyn Erased> {
        column_of::<W, T>(world).get(slot).map(|value| value as &dyn Erased)
    }

    fn write(
        &self,
        world: &W,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        column::write(column_of::<W, T>(world), words, scratch, put).map_err(|(slot, fault)| {
            let place = slot
                .map_or_else(String::new, |slot| alloc::format!(" of entity {}", world.__living().at(slot)));
            (place, fault.to_string())
        })
    }

    fn stamps(&self, world: &W, words: &[u64]) -> Vec<(u32, u64, u64)> {
        let mut runs: Vec<(u32, u64, u64)> = Vec::new();
        if !W::Kind::TRACKED {
            return runs;
        }
        // a column has no stamps if it was loaded from a file without change ticks: its values count as added when the world began
        let stamps = column_of::<W, T>(world).stamps();
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

    fn log<'w>(&self, world: &'w W, paths: &SystemPaths) -> Option<Box<dyn Erased + 'w>> {
        let removals = column_of::<W, T>(world).removals()?;
        Some(Box::new(removals.image(paths)))
    }

    fn column(&self) -> Box<dyn Any> {
        Box::new(Column::<T>::new())
    }

    fn bytes_for(&self, slots: &[u64]) -> u64 {
        Column::<T>::SHAPE.bytes_for(slots)
    }

    fn read_one(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), erased_serde::Error> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        memory::charge_slot(column, slot).map_err(serde::de::Error::custom)?;
        let value = self.value_of(old, file)?;
        drop(column.insert(slot, value));
        Ok(())
    }

    fn read(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => column::read(column, words, chunks, map, |reader| (old.read)(reader)),
            None => column::read(column, words, chunks, map, |reader| reader.value::<T>()),
        }
    }

    fn set_stamps(&self, column: &mut dyn Any, stamps: &[(u32, u64, u64)], tick: u64) -> Result<(), String> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        let runs = stamps
            .iter()
            .flat_map(|&(count, added, changed)| core::iter::repeat_n((added, changed), count as usize));
        if stamps.iter().any(|&(_, added, changed)| added > tick || changed > tick || added > changed) {
            return Err("a change tick is later than the tick of the file, or earlier than the tick at which its value was added".into());
        }
        let count: u64 = stamps.iter().map(|&(count, ..)| u64::from(count)).sum();
        if count != 0 && count != column.len() as u64 {
            return Err("the number of change ticks is not the number of values".into());
        }
        if !W::Kind::TRACKED {
            return Ok(());
        }
        let slots = (0..column.words()).map(|word| column.word(word));
        memory::charge(Stamps::bytes_for(slots)).map_err(|error| error.to_string())?;
        let mut runs = runs;
        for word in 0..column.words() {
            for bit in Bits(column.word(word)) {
                // what was not tracked when it was saved is as old as the world
                let (added, changed) = runs.next().unwrap_or((0, 0));
                column.restore_stamps((word * 64 + bit) as u32, added, changed);
            }
        }
        Ok(())
    }

    fn order(&self, world: &W) -> Order {
        column_of::<W, T>(world).order()
    }

    fn settle(&self, column: &mut dyn Any, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        for word in 0..column.words() {
            let (bits, alive) = (column.word(word), entities.alive().get(word).copied().unwrap_or(0));
            if bits & !alive != 0 {
                let slot = (word * 64) as u32 + (bits & !alive).trailing_zeros();
                return Err((slot, "the slot has no live entity".into()));
            }
            if bits != 0 {
                entities.note((word * 64) as u32, self.index);
            }
        }
        if W::Kind::GUARDED {
            return column.load::<W::Kind>(ChangeContext::of_file(entities, self.index), order);
        }
        match order.first() {
            Some(&(slot, _)) => Err((slot, "the file has an order, but the component has no rule".into())),
            None => Ok(()),
        }
    }

    fn read_log(
        &self,
        old: Option<usize>,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        if old.is_some() {
            // what was removed and not read is of a type that nobody reads any more
            return Ok(Box::new(()));
        }
        Ok(Box::new(erased_serde::deserialize::<LogImage<KeptValues<(Entity, T)>>>(file)?))
    }

    fn read_log_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(from_bytes::<LogImage<KeptValues<(Entity, T)>>>(bytes)?))
    }

    fn set_log(&self, world: &mut W, log: Box<dyn Any>, paths: &SystemPaths) -> Result<(), &'static str> {
        let Ok(log) = log.downcast::<LogImage<KeptValues<(Entity, T)>>>() else { return Ok(()) };
        match column_mut_of::<W, T>(world).log_mut() {
            Some(removals) => removals.restore(*log, paths),
            None => Ok(()),
        }
    }

    fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        let mut bytes = Vec::new();
        let Some(column) = known::<T>(column) else { return Ok(bytes) };
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let written = column::write(column, words, &mut Scratch::default(), &mut put);
        written.map_err(|(slot, fault)| (slot, fault.to_string()))?;
        Ok(bytes)
    }

    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        fill::<W, T>(world, slot, without);
    }

    fn place(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        asked: bool,
    ) -> Result<(), (u32, Refused)> {
        place::<W, T>(world, column, to, asked)
    }

    fn value_in<'c>(&self, column: &'c dyn Any, slot: u32) -> Option<&'c dyn Erased> {
        known::<T>(column)?.get(slot).map(|value| value as &dyn Erased)
    }

    fn slots(&self, column: &dyn Any) -> Vec<u64> {
        known::<T>(column)
            .map_or_else(Vec::new, |column| (0..column.words()).map(|word| column.word(word)).collect())
    }

    fn moved(
        &self,
        world: &mut W,
        column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        entities: &Entities,
        order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        let mut moved = Box::new(Column::<T>::new());
        let Ok(mut column) = column.downcast::<Column<T>>() else { return Ok(moved) };
        for (from, value) in drain(&mut column) {
            let slot = to(from).ok_or_else(|| (from, "the slot has no live entity".to_string()))?;
            // twice: the column of the world grows by as much
            for _ in 0..2 {
                memory::charge_slot(&moved, slot).map_err(|error| (slot, error.to_string()))?;
            }
            drop(moved.insert(slot, value));
        }
        if W::Kind::REFUSES {
            moved.load::<W::Kind>(ChangeContext::of_file(entities, self.index), order)?;
            let cell = WorldCell::new(world);
            // SAFETY: the world is borrowed mutably; the entities are another field than the column.
            let here = unsafe { cell.column_mut::<T>() };
            here.admit::<W::Kind>(cell.entities(), &moved)?;
        } else if let Some(&(slot, _)) = order.first() {
            return Err((slot, "the file has an order, but the component has no rule".into()));
        }
        Ok(moved)
    }

    fn adopt(&self, world: &mut W, column: Box<dyn Any>, slots: &[u32], order: &Order) {
        let Ok(mut column) = column.downcast::<Column<T>>() else { return };
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        let mut put = |slot, value| drop(unsafe { WorldCell::new(&mut *world).put(slot, value) });
        if W::Kind::GUARDED {
            // a rule remembers in which order they came
            for &slot in slots {
                if let Some(value) = column.remove(slot) {
                    put(slot, value);
                }
            }
        } else {
            drain(&mut column).for_each(|(slot, value)| put(slot, value));
        }
        // that it can be taken on was seen before
        let _ = arrange::<W, T>(world, order);
    }
}

/// An order, at the slots of those who take part; nothing of those whom nobody becomes.
pub(in crate::save) fn mapped(order: &Order, to: &dyn Fn(u32) -> Option<u32>) -> Order {
    let of = |(slot, slots): &(u32, Vec<u32>)| {
        Some((to(*slot)?, slots.iter().filter_map(|&slot| to(slot)).collect()))
    };
    order.iter().filter_map(of).collect()
}

/// Lets the rule of a component take on an order.
fn arrange<W: Has<T>, T: 'static>(world: &mut W, order: &Order) -> Result<(), (u32, String)> {
    if order.is_empty() {
        return Ok(());
    }
    let cell = WorldCell::new(world);
    // SAFETY: the world is borrowed mutably; the entities are another field than the column.
    let column = unsafe { cell.column_mut::<T>() };
    column.arrange(cell.entities(), order)
}

/// Takes all values out, with their slots.
fn drain<T>(column: &mut Column<T>) -> impl Iterator<Item = (u32, T)> {
    let words = (0..column.words()).map(|word| (word, column.word(word))).collect::<Vec<_>>();
    let slots =
        words.into_iter().flat_map(|(word, bits)| Bits(bits).map(move |bit| (word * 64 + bit) as u32));
    slots.filter_map(|slot| Some((slot, column.remove(slot)?)))
}

impl<T: Serialize + DeserializeOwned + 'static> SavedEntry<T> {
    fn value_of(
        &self,
        old: Option<usize>,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<T, erased_serde::Error> {
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => (old.code)(file),
            None => (ValueCode::<T>::OF.load)(file),
        }
    }
}

impl<W: Has<T>, T: Component> SavedComponent<W> for SkippedEntry<T> {
    fn column(&self) -> Box<dyn Any> {
        Box::new(Column::<T>::new())
    }

    fn bytes_for(&self, slots: &[u64]) -> u64 {
        Column::<T>::SHAPE.bytes_for(slots)
    }

    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        fill::<W, T>(world, slot, without);
    }

    fn place(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        asked: bool,
    ) -> Result<(), (u32, Refused)> {
        place::<W, T>(world, column, to, asked)
    }
}
