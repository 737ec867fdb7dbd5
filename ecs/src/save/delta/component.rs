//! [`SelectedComponent`]: a component of a [`Selection`](crate::save::Selection).
//!
//! It is made from the types of the selection, not by `world!`, so that a world without selections
//! has none of this code. Its methods are compiled with the library: they use the functions that
//! saving has, and [`SelectionFunctions`].
#![expect(unsafe_code, reason = "values are moved by address, and their type is known by its description")]

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::cell::{Cell, RefCell};
use core::num::NonZeroU32;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::component_set::ComponentSet;
use crate::base::mask::{Bits, Slots, has_bit};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::persist::compact::read::{EMPTY, EMPTY_FOR_A_BYTE, MapId, Reader};
use crate::persist::compact::write::{Writer, to_vec};
use crate::persist::erased::FormError;
use crate::persist::memory;
use crate::raw_world::WorldFields;
use crate::save::any_world::AnyWorld;
use crate::save::column::{Scratch, Windows, WrittenRun, append, differ, differing, each_pair};
use crate::save::entry::SavedComponent;
use crate::save::layout::Layout;
use crate::save::sum::hash_of;
use crate::save::wire::SelectedAs;
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order, RuleState};
use crate::value::boxed::ValueBox;
use crate::value::description::{ValueType, column_by_serde};
use crate::world::World;

/// The test whether values that contain this id count as changed.
pub(super) type Mentioned<'m> = &'m dyn Fn(Entity) -> bool;

/// Values that were read from a delta, each with the local entity that gets it; `None` if the local
/// entity is gone.
pub(super) struct ReadValues {
    pub(super) targets: Vec<Option<Entity>>,
    /// The slots of entities whose relation has no target in this world, so that they have none.
    pub(super) unrelated: Vec<u32>,
    /// A detached column with the values, at the slots of their positions in `targets`.
    column: Box<dyn Any>,
}

impl ReadValues {
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.targets.iter().flatten().map(|entity| entity.slot())
    }
}

/// A component of a selection.
///
/// # Invariant
/// All fields are those of the component, or of its [`Wire`](crate::save::Wire), a transparent
/// wrapper of it, which serde writes and reads.
pub struct SelectedComponent {
    of: SavedComponent,
    value: &'static ValueType,
    functions: &'static SelectionFunctions,
}

/// The functions of a component that only selections need. `before` is the world of a snapshot.
struct SelectionFunctions {
    /// Whether a value must be removed before another entity gets an equal one.
    is_key: bool,
    /// The version of the form of the values; 0 for their own form.
    version: u64,
    present_before: fn(&dyn AnyWorld, &mut [u64]),
    changed: FindChanged,
    /// The rule of a relation, to ask it about values; `None` for other components.
    relation: fn() -> Option<Box<dyn SelectedRelation>>,
    detach: Option<DetachSources>,
}

/// See [`SelectedComponent::changed`].
type FindChanged = fn(
    &dyn AnyWorld,
    &dyn AnyWorld,
    &[u64],
    Option<u64>,
    Option<Mentioned<'_>>,
) -> Result<Vec<u64>, (usize, FormError)>;

/// See [`SelectedComponent::detach`].
type DetachSources = fn(&mut dyn AnyWorld, &[Entity], &dyn Fn(Entity) -> bool);

/// The rule of a relation whose type is not known.
trait SelectedRelation {
    /// Removes targets from a value as [`RuleState::retain_targets`] does.
    ///
    /// # Safety
    /// The address is that of a value of the component.
    unsafe fn retain(&self, value: *mut u8, keep: &dyn Fn(Entity) -> bool) -> bool;

    /// Removes targets from a value as [`RuleState::keep_targets`] does.
    ///
    /// # Safety
    /// The address is that of a value of the component.
    unsafe fn keep(&self, value: *mut u8, keep: &dyn Fn(Entity) -> bool) -> bool;
}

impl<T> SelectedRelation for Box<dyn RuleState<T>> {
    unsafe fn retain(&self, value: *mut u8, keep: &dyn Fn(Entity) -> bool) -> bool {
        // SAFETY: the contract of this function.
        self.retain_targets(unsafe { &mut *value.cast::<T>() }, keep)
    }

    unsafe fn keep(&self, value: *mut u8, keep: &dyn Fn(Entity) -> bool) -> bool {
        // SAFETY: the contract of this function.
        self.keep_targets(unsafe { &mut *value.cast::<T>() }, keep)
    }
}

/// The id that stands for all entities without a name in a hash.
const NO_ENTITY: Entity = Entity::from_parts(u32::MAX, NonZeroU32::MIN);

/// The rule of a relation, to ask it about values; `None` for other components.
fn relation_of<W: World + Has<T>, T: Component>() -> Option<Box<dyn RuleState<T>>> {
    if W::Kind::RULES.relation.is_some() { W::Kind::rule_state::<T>() } else { None }
}

fn relation<W: World + Has<T>, T: Component>() -> Option<Box<dyn SelectedRelation>> {
    Some(Box::new(relation_of::<W, T>()?))
}

const fn functions<W: World + Has<T>, T: Component, F: SelectedAs<T>>() -> SelectionFunctions {
    SelectionFunctions {
        is_key: W::Kind::RULES.key,
        version: F::VERSION,
        present_before: present_before::<W, T>,
        changed: changed::<W, T, F>,
        relation: relation::<W, T>,
        detach: if W::Kind::RULES.relation.is_some() { Some(detach::<W, T>) } else { None },
    }
}

fn present_before<W: World + Has<T>, T: Component>(before: &dyn AnyWorld, words: &mut [u64]) {
    let column = before.of::<W>().column::<T>();
    for (page, words) in words.chunks_mut(Column::<T>::WORDS).enumerate() {
        copy_mask(column.frozen_page(page).map_or(&[], |(masks, _)| masks), words);
    }
}

/// Copies a mask to words, and clears the words beyond it.
fn copy_mask(mask: &[u64], words: &mut [u64]) {
    let (known, rest) = words.split_at_mut(mask.len().min(words.len()));
    known.copy_from_slice(&mask[..known.len()]);
    rest.fill(0);
}

fn changed<W: World + Has<T>, T: Component, F: SelectedAs<T>>(
    before: &dyn AnyWorld,
    world: &dyn AnyWorld,
    among: &[u64],
    since: Option<u64>,
    mentioned: Option<Mentioned<'_>>,
) -> Result<Vec<u64>, (usize, FormError)> {
    let (old, new) = (before.of::<W>().column::<T>(), world.of::<W>().column::<T>());
    let (mut found, mut chosen, mut windows) = (Vec::new(), Vec::new(), Windows::new());
    if size_of::<T>() == 0 {
        return Ok(found);
    }
    let len = among.len();
    let tracked = since.filter(|_| W::Kind::TRACKED && mentioned.is_none());
    for (page, among) in among.chunks(Column::<T>::WORDS).enumerate() {
        if among.iter().all(|&word| word == 0) || (mentioned.is_none() && new.agrees_with(old, page)) {
            continue;
        }
        let Some((masks, values)) = old.frozen_page(page) else { continue };
        let by_slot = mentioned.is_none() && new.differs_in_slots(old, page);
        // most pages have a value in each slot: then nothing has to be counted
        let is_full = values.len() == masks.len() * 64;
        let start = page * Column::<T>::WORDS;
        let end = start + among.len();
        let mut word = start;
        // first all slots are chosen, then values are compared: a processor reads the stamps of
        // several words at a time if no comparison is between them
        chosen.clear();
        while word < end {
            let mut candidates = masks.get(word - start).map_or(0, |mask| mask & among[word - start]);
            if let Some(tick) = tracked {
                // without stamps, no value was changed since the world was made
                let next = new.stamps().map_or(end, |stamps| stamps.next_since(word, tick));
                if next > word {
                    word = next;
                    continue;
                }
                candidates &= new.stamps().map_or(0, |stamps| stamps.changed_since(word, tick));
            }
            if by_slot {
                candidates &= new.touched_slots(word);
            }
            if candidates != 0 {
                chosen.push((word, candidates));
            }
            word += 1;
        }
        // the number of values in the words before `counted`
        let (mut counted, mut first) = (0, 0);
        for &(word, candidates) in &chosen {
            let skipped = masks.get(counted..word - start).unwrap_or_default();
            first += match is_full {
                true => skipped.len() * 64,
                false => skipped.iter().map(|mask| mask.count_ones() as usize).sum(),
            };
            counted = word - start;
            let old = values.get(first..).unwrap_or_default();
            let differing =
                differing_slots::<T, F>(new, old, word, masks[counted], candidates, mentioned, &mut windows)?;
            if differing != 0 {
                found.resize(len, 0);
                found[word] = differing;
            }
        }
    }
    Ok(found)
}

fn detach<W: World + Has<T>, T: Component>(
    world: &mut dyn AnyWorld,
    gone: &[Entity],
    is_received: &dyn Fn(Entity) -> bool,
) {
    let (world, Some(relation)) = (world.of_mut::<W>(), relation_of::<W, T>()) else { return };
    let leaves = |entity: Entity| gone.binary_search(&entity).is_ok();
    let column = world.column::<T>();
    let sources = gone.iter().flat_map(|&target| column.dependents(target)).copied();
    let mut sources: Vec<Entity> = sources.filter(|&source| !leaves(source) && is_received(source)).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        if let Some(mut value) = world.detach::<T>(source)
            && relation.retain_targets(&mut value, &|target| !leaves(target))
        {
            drop(world.put(source, value));
        }
    }
    world.drop_expelled::<T>();
}

/// Whether a value contains an id for which `mentioned` is true.
fn mentions<T: Serialize + DeserializeOwned>(value: &T, mentioned: Mentioned<'_>) -> Result<bool, FormError> {
    let bytes = to_vec(value)?;
    let found = Cell::new(false);
    let note = |id| {
        found.set(found.get() || mentioned(id));
        Ok(id)
    };
    Reader::mapping(&bytes, &note).value::<T>()?;
    Ok(found.get())
}

/// The slots of `candidates`, in a word of a column, whose values differ from the old ones. `old`
/// begins with the values of the slots in `mask`, without gaps.
#[inline]
fn differing_slots<T, F: SelectedAs<T>>(
    column: &Column<T>,
    old: &[T],
    word: usize,
    mask: u64,
    candidates: u64,
    mentioned: Option<Mentioned<'_>>,
    windows: &mut Windows,
) -> Result<u64, (usize, FormError)> {
    let mut found = 0;
    column.runs_of(word, candidates, |slot, values| {
        let below = match mask {
            u64::MAX => slot % 64,
            _ => (mask & ((1 << (slot % 64)) - 1)).count_ones() as usize,
        };
        let (old, values) = (F::of(old.get(below..).unwrap_or_default()), F::of(values));
        let differing = match mentioned {
            None => differing(old, values, windows),
            Some(mentioned) => each_pair(old, values, |old, new| {
                differ(old, new).and_then(|differs| Ok(differs || mentions(new, mentioned)?))
            }),
        };
        found |= differing.map_err(|(pair, fault)| (slot + pair, fault))? << (slot % 64);
        Ok(())
    })?;
    Ok(found)
}

impl SelectedComponent {
    pub(in crate::save) fn new<W: World + Has<T>, T: Component, F: SelectedAs<T>>() -> Self {
        let value = const { &column_by_serde::<F>() };
        let of = SavedComponent::selected::<W, T, F::Form>(value);
        Self { of, value, functions: const { &functions::<W, T, F>() } }
    }

    /// The index of the component in the world.
    pub(in crate::save) fn index(&self) -> usize {
        self.of.index
    }

    /// The layout of the values.
    pub(in crate::save) fn layout(&self) -> Layout {
        let mut layout = self.of.layout().unwrap_or_else(|| Layout::of_type(self.value));
        if self.functions.version > 0 {
            layout.text.push_str(&format!("#{:x}", self.functions.version));
            layout.former = None;
        }
        layout
    }

    fn column<'w>(&self, world: &'w dyn AnyWorld) -> &'w ErasedColumn {
        self.of.functions.column(world)
    }

    /// Sets a bit for each slot that has a value, for the slots of these words, and clears the
    /// others.
    pub(super) fn present(&self, world: &dyn AnyWorld, words: &mut [u64]) {
        copy_mask(self.column(world).masks(), words);
    }

    /// Sets a bit for each slot that had a value, for the slots of these words, and clears the
    /// others.
    pub(super) fn present_before(&self, before: &dyn AnyWorld, words: &mut [u64]) {
        (self.functions.present_before)(before, words);
    }

    /// The slots of `among`, all of which had and have a value, whose values differ in the compact
    /// form. With `since`, a tracked value without a later stamp is equal. A value that contains an
    /// id for which `mentioned` is true counts as different. The result has no words if no values
    /// differ.
    pub(super) fn changed(
        &self,
        before: &dyn AnyWorld,
        world: &dyn AnyWorld,
        among: &[u64],
        since: Option<u64>,
        mentioned: Option<Mentioned<'_>>,
    ) -> Result<Vec<u64>, (usize, FormError)> {
        (self.functions.changed)(before, world, among, since, mentioned)
    }

    /// Appends the values of these slots, one bit for each, in the compact form. An error gives the
    /// slot.
    pub(super) fn write(
        &self,
        world: &dyn AnyWorld,
        slots: &[u64],
        scratch: &mut Scratch,
        to: &mut Vec<u8>,
    ) -> Result<(), (Option<usize>, FormError)> {
        let Some(of) = self.of.column_type().filter(|_| !slots.is_empty()) else { return Ok(()) };
        let count: usize = slots.iter().map(|word| word.count_ones() as usize).sum();
        // a guess that is right for plain values, and room for the length
        to.reserve(count * self.of.functions.shape.size + 16);
        append(self.column(world), of, slots, scratch, to)
    }

    /// Reads one value.
    fn value(&self, reader: &mut Reader<'_, '_>) -> Result<ValueBox, FormError> {
        // SAFETY: the value is written to memory of its type, unless there is an error.
        unsafe { ValueBox::new(self.value, |to| self.value.read(reader, to)) }
    }

    /// Reads a copy of a value from all bytes that were written for it.
    fn copy(&self, bytes: &[u8]) -> Result<ValueBox, FormError> {
        let mut reader = Reader::new(bytes);
        let copy = self.value(&mut reader)?;
        reader.end().map(|()| copy)
    }

    /// Appends the value at an address.
    ///
    /// # Safety
    /// The address is that of a value of the component.
    unsafe fn append(&self, value: *const u8, to: &mut Vec<u8>) -> Result<(), FormError> {
        let mut writer = Writer::new(core::mem::take(to));
        // SAFETY: the contract of this function.
        let written = unsafe { self.value.write(value, &mut writer) };
        *to = writer.sink;
        written
    }

    /// Moves a value to a slot of a detached column.
    fn insert(&self, column: &mut dyn Any, slot: u32, value: ValueBox) {
        if let Some(column) = self.of.functions.detached_mut(column) {
            // SAFETY: the column and the value are of the component.
            value.take(self.value, |value| unsafe { self.of.insert(column, slot, value) });
        }
    }

    /// Reads values for these entities. `is_alive` is for local ids after the delta: a relation to
    /// another entity is left out, unless it may dangle. An error gives the position of the value.
    pub(super) fn read(
        &self,
        world: &dyn AnyWorld,
        bytes: &[u8],
        mut targets: Vec<Option<Entity>>,
        map: MapId<'_>,
        is_alive: &dyn Fn(Entity) -> bool,
    ) -> Result<ReadValues, (usize, FormError)> {
        // the memory of the values that are read, and of those that are new in the world. The rest
        // of the page of the last value that is read is not touched.
        let (read, mut new) = ((targets.len() * self.of.functions.shape.size) as u64, Vec::new());
        for slot in targets.iter().flatten().map(|entity| entity.slot()) {
            if !has_bit(self.column(world).masks(), slot as usize) {
                set_bit(&mut new, slot);
            }
        }
        memory::charge(read + self.of.bytes_for(&new)).map_err(|error| (0, FormError::text(error)))?;
        let (relation, shape) = ((self.functions.relation)(), self.of.functions.shape);
        let (mut values, mut unrelated): (Box<dyn Any>, _) = (self.of.column(), Vec::new());
        let (mut rest, mut empty) = (bytes, EMPTY + EMPTY_FOR_A_BYTE * bytes.len() as u64);
        let Some(column) = self.of.functions.detached_mut(&mut *values) else {
            return Ok(ReadValues { targets, unrelated, column: values });
        };
        for (run, targets) in targets.chunks_mut(64).enumerate() {
            // SAFETY: the shape is that of the values.
            let first = unsafe { column.reserve(run as u32 * 64, targets.len(), shape) };
            let mut written = WrittenRun { column: &mut *column, slot: run as u32 * 64, len: 0 };
            for target in targets {
                let mut reader = Reader::of_part(rest, empty, Some(map));
                let fail = |fault| (run * 64 + written.len, fault);
                // SAFETY: the values of a run lie side by side. A value without a target stays in
                // the column.
                unsafe {
                    let to = first.add(written.len * shape.size);
                    self.value.read(&mut reader, to).map_err(fail)?;
                    written.len += 1;
                    (rest, empty) = (reader.input, reader.empty);
                    if !relation.as_deref().is_none_or(|relation| relation.retain(to, is_alive)) {
                        unrelated.extend(target.take().map(|entity| entity.slot()));
                    }
                }
            }
        }
        if !rest.is_empty() {
            let fault = FormError::text(format_args!("{} bytes remain after the last value", rest.len()));
            return Err((targets.len().saturating_sub(1), fault));
        }
        Ok(ReadValues { targets, unrelated, column: values })
    }

    /// The sum of a hash for each value of these slots, in which `id` names the entity, and so do
    /// ids in the value if it `has_ids`. An error gives the slot.
    pub(super) fn hash(
        &self,
        world: &dyn AnyWorld,
        slots: &[u64],
        has_ids: bool,
        id: &dyn Fn(Entity) -> Option<Entity>,
    ) -> Result<u64, (usize, FormError)> {
        let (column, relation) = (self.column(world), (self.functions.relation)());
        let (mut sum, mut bytes) = (0_u64, Vec::new());
        for (word, &slots) in slots.iter().enumerate() {
            for slot in Bits(slots & column.word(word)).map(|bit| word * 64 + bit) {
                // SAFETY: the shape is that of the values.
                let value = unsafe { column.value(slot as u32, self.of.functions.shape) };
                let (Some(named), Some(value)) = (id(world.entities().at(slot)), value) else { continue };
                bytes.clear();
                bytes.extend_from_slice(&named.to_bits().to_le_bytes());
                // SAFETY: the address is that of a value of the component.
                let written = unsafe { self.append(value, &mut bytes) }.and_then(|()| match has_ids {
                    true => self.name_ids(&mut bytes, relation.as_deref(), id),
                    false => Ok(true),
                });
                if written.map_err(|fault| (slot, fault))? {
                    sum = sum.wrapping_add(hash_of([&bytes]));
                }
            }
        }
        Ok(sum)
    }

    /// Names the ids in the value after the id of its entity. Returns `false` if the value is a
    /// relation without a target that has a name.
    fn name_ids(
        &self,
        bytes: &mut Vec<u8>,
        relation: Option<&dyn SelectedRelation>,
        id: &dyn Fn(Entity) -> Option<Entity>,
    ) -> Result<bool, FormError> {
        let mut rest = bytes.split_off(size_of::<u64>());
        if let Some(relation) = relation {
            let mut copy = self.copy(&rest)?;
            // SAFETY: the address is that of the value, here and below.
            if !unsafe { relation.retain(copy.address(), &|target| id(target).is_some()) } {
                return Ok(false);
            }
            rest.clear();
            // SAFETY: as above.
            unsafe { self.append(copy.address(), &mut rest) }?;
        }
        let name = |entity| Ok(id(entity).unwrap_or(NO_ENTITY));
        let mut named = self.value(&mut Reader::mapping(&rest, &name))?;
        // SAFETY: as above.
        unsafe { self.append(named.address(), bytes) }?;
        Ok(true)
    }

    /// The ids in the value of a slot.
    pub(super) fn ids(&self, world: &dyn AnyWorld, slot: u32) -> Result<Vec<Entity>, FormError> {
        // SAFETY: the shape is that of the values.
        let value = unsafe { self.column(world).value(slot, self.of.functions.shape) };
        let (Some(value), mut bytes) = (value, Vec::new()) else { return Ok(Vec::new()) };
        // SAFETY: the address is that of a value of the component.
        unsafe { self.append(value, &mut bytes) }?;
        let found = RefCell::new(Vec::new());
        let note = |id| {
            found.borrow_mut().push(id);
            Ok(id)
        };
        self.value(&mut Reader::mapping(&bytes, &note))?;
        Ok(found.into_inner())
    }

    /// Whether the rule may refuse values.
    pub(super) fn refuses(&self) -> bool {
        self.of.functions.refuse.is_some()
    }

    /// Whether a value must be removed before another entity gets an equal one.
    pub(super) fn is_key(&self) -> bool {
        self.functions.is_key
    }

    /// Checks that the rule accepts the column with the new values and without the values of slots
    /// that are `lost`. An error gives the slot.
    pub(super) fn admit(
        &self,
        world: &dyn AnyWorld,
        read: &mut ReadValues,
        lost: &dyn Fn(u32) -> bool,
        stays: &dyn Fn(Entity) -> bool,
        entities: &Entities,
    ) -> Result<(), (u32, String)> {
        let Some(rule) = &self.of.functions.rule else { return Ok(()) };
        let (column, shape) = (self.column(world), self.of.functions.shape);
        let mut new = Vec::new();
        read.slots().for_each(|slot| set_bit(&mut new, slot));
        let mut whole: Box<dyn Any> = self.of.column();
        let (mut bytes, relation) = (Vec::new(), (self.functions.relation)());
        for slot in Slots::new(column.masks()).filter(|&slot| !has_bit(&new, slot as usize) && !lost(slot)) {
            // SAFETY: the shape is that of the values.
            let Some(value) = (unsafe { column.value(slot, shape) }) else { continue };
            bytes.clear();
            // SAFETY: the address is that of a value of the component.
            let copy = unsafe { self.append(value, &mut bytes) };
            let copy = copy.and_then(|()| self.copy(&bytes));
            let mut copy = copy.map_err(|fault| (slot, fault.to_string()))?;
            // SAFETY: the box has a value of the component.
            let keeps = |relation: &dyn SelectedRelation| unsafe { relation.keep(copy.address(), stays) };
            // the relations to an entity that leaves end with it
            if relation.as_deref().is_none_or(keeps) {
                self.insert(&mut *whole, slot, copy);
            }
        }
        let places = || read.targets.iter().zip(0..).filter_map(|(to, at)| Some((at, to.as_ref()?.slot())));
        self.move_all(places(), &mut *read.column, &mut *whole);
        let admitted =
            (rule.load)(&mut *whole, ChangeContext::of_many(entities, self.index()), &Order::new());
        self.move_all(places().map(|(at, slot)| (slot, at)), &mut *whole, &mut *read.column);
        admitted
    }

    /// The slot of the first new value that is a relation to a target for which `is_wrong` is true,
    /// and that target.
    pub(super) fn find_target(
        &self,
        read: &ReadValues,
        is_wrong: &dyn Fn(Entity) -> bool,
    ) -> Option<(u32, Entity)> {
        let source = |at: u32| read.targets.get(at as usize).copied().flatten();
        let is_wrong = |at, target| source(at).is_some() && is_wrong(target);
        let (at, target) = self.of.find_target(&*read.column, &is_wrong)?;
        Some((source(at)?.slot(), target))
    }

    /// Moves values from slots of one detached column to those of another.
    fn move_all(&self, slots: impl Iterator<Item = (u32, u32)>, from: &mut dyn Any, to: &mut dyn Any) {
        let functions = self.of.functions;
        let (Some(from), Some(to)) = (functions.detached_mut(from), functions.detached_mut(to)) else {
            return;
        };
        slots.for_each(|(slot, new)| self.of.move_to((from, slot), (to, new)));
    }

    /// Removes the relations of received entities that stay to entities that leave, which are
    /// sorted.
    pub(super) fn detach(
        &self,
        world: &mut dyn AnyWorld,
        gone: &[Entity],
        is_received: &dyn Fn(Entity) -> bool,
    ) {
        if let Some(detach) = self.functions.detach {
            detach(world, gone, is_received);
        }
    }

    /// Removes the value of a slot; `false` if there was none.
    pub(super) fn take(&self, world: &mut dyn AnyWorld, slot: u32) -> bool {
        let entity = world.entities().at(slot as usize);
        // SAFETY: the description is that of the component.
        unsafe { self.of.functions.take_boxed(self.value, world, entity) }.is_some()
    }

    /// Inserts the values, and returns their number.
    pub(super) fn put(&self, world: &mut dyn AnyWorld, read: ReadValues) -> usize {
        let ReadValues { targets, mut column, .. } = read;
        let Some(column) = self.of.functions.detached_mut(&mut *column) else { return 0 };
        let targets = targets.into_iter().zip(0..).filter_map(|(target, at)| Some((target?, at)));
        targets.filter(|&(target, at)| self.of.put_from(column, at, world, target)).count()
    }

    /// Adds to the entity at `slot` the components that this component requires, except for those
    /// in `without`.
    pub(super) fn fill(&self, world: &mut dyn AnyWorld, slot: u32, without: ComponentSet) {
        self.of.fill(world, slot, without);
    }
}

/// Sets the bit of a slot in a list of words, which grows if it is too short.
pub(super) fn set_bit(words: &mut Vec<u64>, slot: u32) {
    let word = slot as usize / 64;
    words.resize(words.len().max(word + 1), 0);
    words[word] |= 1 << (slot % 64);
}
