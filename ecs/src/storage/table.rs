//! The part of a column that does not depend on the type of its values: bits, and pages of memory.
//!
//! This code is compiled once, not once for each component. A table owns memory and knows nothing
//! about the values in it.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.
#![expect(unsafe_code, reason = "pages are raw memory, accessed by address")]

mod shrink;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicBool, Ordering};

use super::extent::PageMemory;
use super::packed::PackedMemory;
use super::packed::placement::{PlacedSlots, slots_of};
use crate::base::mask::Span;
use crate::base::page::Shape;

/// A word of bits for each 64 slots, and a table of pages of values.
///
/// # Invariants
/// 1. `masks.len() == page_count * words`; `pages` has an entry for each page unless values have no
///    size, then none.
/// 2. An entry is null, or a page of `layout` that `memory` gave out for this entry alone; `memory`
///    is freed when the table is dropped. If there is one entry, its page may be shorter, with room
///    for `open` slots. In a packed table an entry is null, or the address that `memory` has set:
///    then the values whose bits are set have places of their own.
/// 3. No bit is set outside of `span`, whose end is at most `masks.len()`.
/// 4. `touched.len() == pages.len()`.
/// 5. `open` is the number of slots of all entries of `pages`, or of those of a shorter page. In a
///    packed table, in which each slot needs a place before a value is written, it is 0.
/// 6. `touched_slots` has an entry for the word of each slot below `noted_slots`.
/// 7. `used.len() == masks.len().div_ceil(GROUP)`, and each word with a bit has its bit in `used`.
///
/// The fields are in an order in which the addresses that a query reads lie in one line of the
/// processor's cache, the second: a system of few entities waits for little else.
#[repr(C, align(64))]
pub(crate) struct Table {
    /// The layout of a page.
    layout: Layout,
    /// By word, a bit for each eight slots, which [`get_mut`](super::column::Column::get_mut) of
    /// one of them sets in place of `touched`. Has the words that the table had when it last agreed
    /// with a snapshot, and is empty without snapshots.
    pub(super) touched_slots: Vec<u8>,
    /// The number of slots of `touched_slots`.
    noted_slots: usize,
    /// The number of bytes in the copies of pages that the column shares with snapshots.
    pub(super) copied: usize,
    pub(super) masks: Vec<u64>,
    /// A range of words that contains all set bits.
    span: Span,
    pub(super) pages: Vec<*mut u8>,
    /// By page, whether any value may have changed since the page last agreed with a snapshot; says
    /// nothing about bits. Systems that write different rows of a page at the same time all set it.
    pub(super) touched: Vec<AtomicBool>,
    /// The number of slots each of which may be written to if its page is there.
    open: usize,
    /// By group of 64 words, a bit for each word that may have bits, so that queries pass over the
    /// other words.
    used: Vec<u64>,
    memory: Memory,
}

/// The number of words in a group: a word of [`used`](Table::used) has a bit for each.
pub(crate) const GROUP: usize = 64;

/// The number of words for which the memory of a column's only page is allocated first: the memory
/// is four times as long each time it is too short, up to the length of a page.
const FIRST_WORDS: usize = 4;

/// The memory of a table's values.
enum Memory {
    /// Each page has memory of its own.
    Pages(PageMemory),
    /// Pages overlap, and each value has a place of its own. `None` until the first value.
    Packed(Option<Box<PackedMemory>>),
}

impl Table {
    /// A table without pages; allocates nothing. A table of values without a size is never packed.
    pub(super) const fn new(layout: Layout, packed: bool) -> Self {
        let packed = packed && layout.size() != 0;
        Self {
            masks: Vec::new(),
            pages: Vec::new(),
            open: 0,
            used: Vec::new(),
            memory: if packed { Memory::Packed(None) } else { Memory::Pages(PageMemory::new()) },
            touched: Vec::new(),
            touched_slots: Vec::new(),
            noted_slots: 0,
            span: Span::NONE,
            layout,
            copied: 0,
        }
    }

    /// The addresses of bits and pages that queries use.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn raw(&self) -> RawTable {
        RawTable {
            masks: self.masks.as_ptr(),
            used: self.used.as_ptr(),
            pages: self.pages.as_ptr(),
            touched: self.touched.as_ptr(),
            span: self.span,
            placed: PlacedSlots::ALL,
        }
    }

    /// The addresses that queries use, with the list of the slots of a packed table.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn raw_packed(&self) -> RawTable {
        let placed = match &self.memory {
            Memory::Packed(Some(memory)) => PlacedSlots::of(memory.placement()),
            _ => PlacedSlots::ALL,
        };
        RawTable { placed, ..self.raw() }
    }

    /// Whether the pages of the table overlap.
    pub(super) const fn is_packed(&self) -> bool {
        matches!(self.memory, Memory::Packed(_))
    }

    /// The approximate number of bytes that the table grows by when `len` slots of a word get a
    /// value, from `slot` on.
    pub(super) fn growth(&mut self, slot: u32, len: usize, shape: Shape) -> u64 {
        let page = slot as usize / shape.slots();
        let missing = ((page + 1) * shape.words).saturating_sub(self.masks.len());
        let bits = (missing * size_of::<u64>() + missing / shape.words * size_of::<(*mut u8, bool)>()) as u64;
        let is_there = !shape.sized() || self.pages.get(page).is_some_and(|page| !page.is_null());
        let first = self.first_bytes((slot as usize / 64 + 1).min(shape.words), shape.words);
        bits + match &mut self.memory {
            Memory::Pages(memory) if page == 0 && self.pages.len() <= 1 => {
                let full = is_there && memory.short_bytes() == 0;
                if full || !shape.sized() { 0 } else { first.saturating_sub(memory.short_bytes()) as u64 }
            }
            Memory::Pages(_) if is_there => 0,
            // the first page gets its full length, and then there is one page
            Memory::Pages(memory) if memory.short_bytes() > 0 => {
                (2 * self.layout.size() - memory.short_bytes()) as u64
            }
            Memory::Pages(memory) => (memory.next_pages() * self.layout.size()) as u64,
            Memory::Packed(None) => self.layout.size() as u64,
            Memory::Packed(Some(memory)) => memory.growth(page, (slot as usize % shape.slots()) as u16, len),
        }
    }

    /// Sets the bits of `len` slots from `slot` on.
    pub(super) fn set(&mut self, slot: u32, len: usize) {
        let (mut from, end) = (slot as usize, slot as usize + len);
        while from < end {
            let to = end.min((from / 64 + 1) * 64);
            self.widen(from / 64);
            self.masks[from / 64] |= crate::base::mask::range(from % 64, to - from / 64 * 64);
            from = to;
        }
    }

    /// Extends `span` and `used` by a word whose first bit is set. Not inlined, so that inserting a
    /// value stays small: it is called once for up to 64 values.
    #[inline(never)]
    pub(super) fn widen(&mut self, word: usize) {
        debug_assert!(word < self.masks.len());
        self.span = self.span.or(Span { first: word as u32, end: word as u32 + 1 });
        self.used[word / GROUP] |= 1 << (word % GROUP);
    }

    /// Computes `span` and `used` anew, after bits were cleared in bulk.
    pub(super) fn narrow(&mut self) {
        for (used, masks) in self.used.iter_mut().zip(self.masks.chunks(GROUP)) {
            // from the last word on: three instructions for each word
            *used = masks.iter().rev().fold(0, |used, &mask| used << 1 | u64::from(mask != 0));
        }
        let first = self.masks.iter().position(|&mask| mask != 0);
        let last = self.masks.iter().rposition(|&mask| mask != 0);
        self.span = first
            .zip(last)
            .map_or(Span::NONE, |(first, last)| Span { first: first as u32, end: last as u32 + 1 });
    }

    /// Allocates a page and its masks if they do not exist. Returns the page's address (null for
    /// values without a size).
    pub(super) fn grow(&mut self, page: usize, words: usize) -> *mut u8 {
        self.grow_for(page, words, words)
    }

    /// The length of the memory of a page of `words` words while it is the only one, if its first
    /// `used` words are to be written to.
    fn first_bytes(&self, used: usize, words: usize) -> usize {
        let mut first = FIRST_WORDS;
        while first < used {
            first *= 4;
        }
        self.layout.size() / words * first.min(words)
    }

    /// [`grow`](Self::grow), where the first `used` words of the page are to be written to. A page
    /// that is the only one may be shorter then. If it was shorter before, its values may move.
    #[cold]
    #[inline(never)]
    pub(super) fn grow_for(&mut self, page: usize, words: usize, used: usize) -> *mut u8 {
        let pages = page + 1;
        if self.masks.len() < pages * words {
            if self.layout.size() != 0 {
                self.pages.resize(pages, ptr::null_mut());
                self.touched.resize_with(pages, || AtomicBool::new(true));
            }
            self.masks.resize(pages * words, 0);
            self.used.resize(self.masks.len().div_ceil(GROUP), 0);
        }
        let first = if self.pages.len() == 1 { self.first_bytes(used, words) } else { self.layout.size() };
        let Some(first_entry) = self.pages.first_mut() else { return ptr::null_mut() };
        let Memory::Pages(memory) = &mut self.memory else { return self.pages[page] };
        let is_too_short = match memory.short_bytes() {
            0 => page == 0 && memory.is_empty(),
            bytes => bytes < first,
        };
        if is_too_short {
            // SAFETY: `self.layout` never changes, and has a size, because `pages` has entries only
            // then. The memory is empty or has a shorter page, which is that of the first entry,
            // and no other.
            *first_entry = unsafe { memory.take_first(self.layout, first) }.as_ptr();
        }
        let entry = &mut self.pages[page];
        if entry.is_null() {
            // SAFETY: `self.layout` never changes, and has a size, because `pages` has entries only
            // then.
            *entry = unsafe { memory.take_page(self.layout) }.as_ptr();
        }
        self.open = match memory.short_bytes() {
            0 => self.pages.len() * words * 64,
            bytes => bytes / (self.layout.size() / words) * 64,
        };
        self.pages[page]
    }

    /// Makes sure that `len` slots of one page, from `slot` on, can be written to. Returns the
    /// page's address.
    ///
    /// # Safety
    /// The shape is that of the column's values, which have a size.
    #[cold]
    #[inline(never)]
    unsafe fn open_run(&mut self, slot: u32, len: usize, shape: &'static Shape) -> *mut u8 {
        let page = slot as usize / shape.slots();
        let first = slot as usize % shape.slots();
        let address = self.grow_for(page, shape.words, (first + len).div_ceil(64));
        match &self.memory {
            Memory::Pages(_) => return address,
            Memory::Packed(Some(memory)) if len == 1 && memory.has(page, first) => return address,
            Memory::Packed(_) => {}
        }
        if let Ok(first) = u16::try_from(first)
            && len == 1
        {
            self.claim_places(page, &[first], *shape);
            return self.pages[page];
        }
        let wanted: Vec<u16> = (first..first + len).map(|slot| slot as u16).collect();
        self.claim_places(page, &wanted, *shape);
        self.pages[page]
    }

    /// Gives places to the slots of a page that `masks` names, in a packed table; does nothing in
    /// others.
    pub(super) fn open_slots(&mut self, page: usize, masks: &[u64], shape: Shape) {
        if self.is_packed() {
            let wanted = slots_of(masks);
            if !wanted.is_empty() {
                self.grow(page, shape.words);
                self.claim_places(page, &wanted, shape);
            }
        }
    }

    /// Gives places to the slots `wanted` of a page of a packed table.
    fn claim_places(&mut self, page: usize, wanted: &[u16], shape: Shape) {
        assert!(wanted.last().is_none_or(|&last| (last as usize) < shape.slots()));
        let Self { masks, pages, memory: Memory::Packed(memory), layout, .. } = self else { return };
        let new = || {
            // the layout of a page is that of its values, one after the other
            let value = Layout::from_size_align(layout.size() / shape.slots(), layout.align());
            Box::new(PackedMemory::new(value.expect("a value is smaller than a page"), shape.slots()))
        };
        let memory = memory.get_or_insert_with(new);
        let masks = &masks[page * shape.words..(page + 1) * shape.words];
        // SAFETY: a value is written to a slot only after the slot got a place here (invariant 5),
        // and only then its bit is set. Only `claim` sets entries of `pages`, and `grow` has made
        // that of `page`.
        unsafe { memory.claim(page, wanted, masks, pages) };
    }

    /// The address of the value of `slot`, the first of `len` slots of one page that are to be
    /// written to. Allocates the page and the masks if they do not exist. The other values may
    /// move.
    ///
    /// The shape is passed by its address, because a copy for the rare call would be written to the
    /// stack each time.
    ///
    /// # Safety
    /// The shape is that of the column's values, and `len` is not 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn reserve(&mut self, slot: u32, len: usize, shape: &'static Shape) -> NonNull<u8> {
        debug_assert!(len > 0);
        let page = slot as usize / shape.slots();
        if !shape.sized() {
            if page * shape.words >= self.masks.len() {
                self.grow(page, shape.words);
            }
            // SAFETY: the address is the alignment, which is not zero.
            return unsafe { NonNull::new_unchecked(shape.nowhere()) };
        }
        if slot as usize + len <= self.open {
            // SAFETY: by invariant 5 the page is within the table, and these slots of it may be
            // written to.
            let first = unsafe { *self.pages.get_unchecked(page) };
            if !first.is_null() {
                // SAFETY: the page exists, and the slot is below `open`; the shape is that of the
                // column's values.
                return unsafe { self.place(first, slot, *shape) };
            }
        }
        // SAFETY: the shape is right by the contract of this function, and values have a size.
        // `open_run` returns the address of the page, which then exists.
        unsafe {
            let first = self.open_run(slot, len, shape);
            self.place(first, slot, *shape)
        }
    }

    /// The address of the value of `slot`, which is about to be written.
    ///
    /// # Safety
    /// `first` is the address of the slot's page, which has room for the slot, and the shape is
    /// that of the column's values, which have a size.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn place(&mut self, first: *mut u8, slot: u32, shape: Shape) -> NonNull<u8> {
        // SAFETY: by the contract of this function the page exists, so that `first` is not null,
        // and has room for the slot.
        unsafe {
            self.touch(slot as usize / shape.slots());
            NonNull::new_unchecked(first.add(slot as usize % shape.slots() * shape.size))
        }
    }

    /// Does what [`reserve`](Self::reserve) does and sets the slot's bit. The value must be written
    /// at once. An old value is leaked.
    ///
    /// # Safety
    /// The shape is that of the column's values, and a value is written before any other code reads
    /// the column.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn claim(&mut self, slot: u32, shape: &'static Shape) -> *mut u8 {
        // SAFETY: the shape is right by the contract of this function; `reserve` made the page of
        // this slot, hence (invariant 1) its mask word.
        unsafe {
            let address = self.reserve(slot, 1, shape);
            let word = slot as usize / 64;
            // the test is an instruction of its own, so that the bit is set by one that needs no
            // register
            if *self.masks.get_unchecked(word) == 0 {
                self.widen(word);
            }
            *self.masks.get_unchecked_mut(word) |= 1 << (slot % 64);
            address.as_ptr()
        }
    }

    /// The address of `slot`'s value.
    ///
    /// # Safety
    /// The shape is that of the column's values. The slot's page is allocated (its bit is set, or
    /// `reserve` was called), or values have no size.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn address(&self, slot: usize, shape: Shape) -> NonNull<u8> {
        // SAFETY: an alignment is not zero. By the contract of this function the page of the slot
        // is allocated, so the table has it (invariant 2), and the offset lies within the page.
        unsafe {
            if !shape.sized() {
                return NonNull::new_unchecked(shape.nowhere());
            }
            debug_assert!(!self.pages[slot / shape.slots()].is_null());
            let page = *self.pages.get_unchecked(slot / shape.slots());
            // Without this hint every reference is compared to null once more when it becomes an
            // `Option`.
            core::hint::assert_unchecked(!page.is_null());
            NonNull::new_unchecked(page.add(slot % shape.slots() * shape.size))
        }
    }

    /// Notes that any values of a page may change from now on, so that the page no longer agrees
    /// with a snapshot's copy.
    ///
    /// # Safety
    /// The page table has an entry for the page.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn touch(&mut self, page: usize) {
        debug_assert!(page < self.touched.len());
        // SAFETY: the page has an entry by the contract of this function, hence (invariant 4) one
        // in `touched`.
        *unsafe { self.touched.get_unchecked_mut(page) }.get_mut() = true;
    }

    /// Notes that the value of `slot`, in a page of `slots` slots, may change from now on.
    ///
    /// # Safety
    /// The page table has an entry for the page of the slot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn touch_slot(&mut self, slot: u32, slots: usize) {
        if (slot as usize) < self.noted_slots {
            // SAFETY: by invariant 6 the word of the slot has an entry.
            *unsafe { self.touched_slots.get_unchecked_mut(slot as usize / 64) } |= 1 << (slot % 64 / 8);
        } else {
            // SAFETY: the page has an entry by the contract of this function.
            unsafe { self.touch(slot as usize / slots) };
        }
    }

    /// Notes that all values agree with those of a snapshot.
    pub(super) fn agree(&mut self) {
        self.touched.iter_mut().for_each(|touched| *touched.get_mut() = false);
        self.touched_slots.fill(0);
        self.note_slots(if self.layout.size() == 0 { 0 } else { self.masks.len() });
    }

    /// Sets the number of words of `touched_slots`.
    fn note_slots(&mut self, words: usize) {
        self.noted_slots = 0; // an allocation may panic
        self.touched_slots.resize(words, 0);
        self.noted_slots = words * 64;
    }

    /// Whether `slot` has a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.masks.get(slot as usize / 64).is_some_and(|mask| mask >> (slot % 64) & 1 == 1)
    }

    /// The bits of a word; 0 beyond the table's end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.masks.get(word).copied().unwrap_or(0)
    }

    /// Clears the bit of `slot`; its value is not dropped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn forget(&mut self, slot: u32) {
        match self.masks.get_mut(slot as usize / 64) {
            Some(mask) => *mask &= !(1 << (slot % 64)),
            None => beyond_the_end(),
        }
    }

    /// Clears all bits; values are not dropped.
    pub(crate) fn forget_all(&mut self) {
        self.masks.fill(0);
        self.used.fill(0);
        self.span = Span::NONE;
    }

    /// The number of values; counts the bits.
    pub(crate) fn len(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// The number of allocated pages of values.
    pub(crate) fn page_count(&self) -> usize {
        self.pages.iter().filter(|page| !page.is_null()).count()
    }

    /// The number of bytes in the copies of pages that the column shares with snapshots: those that
    /// were taken or restored last.
    pub(crate) fn copied(&self) -> usize {
        self.copied
    }

    /// The number of bytes allocated for pages, page table and masks.
    pub(crate) fn bytes(&self) -> usize {
        self.touched.capacity()
            + self.touched_slots.capacity()
            + match &self.memory {
                Memory::Pages(memory) => memory.bytes(self.layout),
                Memory::Packed(memory) => memory.as_ref().map_or(0, |memory| memory.bytes()),
            }
            + self.pages.capacity() * size_of::<*mut u8>()
            + (self.masks.capacity() + self.used.capacity()) * size_of::<u64>()
    }
}

/// Tells the compiler that its caller's branch is rare, so that a loop does not jump around it.
#[cold]
#[inline(always)]
const fn beyond_the_end() {}

/// The bits and the page table of a column as plain addresses.
///
/// # Invariants
/// While a value of this type is used, the column is borrowed, shared at least: neither bits nor
/// page table change.
#[derive(Clone, Copy)]
pub(crate) struct RawTable {
    masks: *const u64,
    used: *const u64,
    pages: *const *mut u8,
    touched: *const AtomicBool,
    span: Span,
    /// The slots of a packed column that have a place; all slots if the column is not packed, or is
    /// iterated by its bits.
    placed: PlacedSlots,
}

impl RawTable {
    /// The slots of a packed column that have a place, among which are all that have a value.
    #[inline(always)]
    pub(crate) fn placed(self) -> PlacedSlots {
        self.placed
    }

    /// The range of words that may have bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn words(self) -> Span {
        self.span
    }

    /// The bits of a word.
    ///
    /// # Safety
    /// The word is below the end of `self.words()`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn mask(self, word: usize) -> u64 {
        debug_assert!(self.span.contains(word));
        // SAFETY: the word is within bounds by the contract of this function, and the masks do not
        // change while the column is borrowed.
        unsafe { *self.masks.add(word) }
    }

    /// The bits of a word; 0 beyond the column's end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn mask_or_empty(self, word: usize) -> u64 {
        // SAFETY: `span` contains the word, so it is below the end.
        if self.span.contains(word) { unsafe { self.mask(word) } } else { 0 }
    }

    /// The words of a group of 64 that may have bits, one bit for each.
    ///
    /// # Safety
    /// The first word of the group is below the end of `self.words()`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn used(self, group: usize) -> u64 {
        debug_assert!(self.span.contains(group * GROUP));
        // SAFETY: a word of the group is below the end of the column's words, so that invariant 7 of
        // `Table` says that the group has an entry.
        unsafe { *self.used.add(group) }
    }

    /// The address of the bits of `word`, or null beyond the column's end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn masks_from(self, word: usize) -> *const u64 {
        if self.span.contains(word) { self.masks.wrapping_add(word) } else { ptr::null() }
    }

    /// The address of the value of slot `word * 64`; null or dangling, and not to be used, if the
    /// page is missing.
    ///
    /// # Safety
    /// The shape is that of the column's values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn base(self, word: usize, shape: Shape) -> *mut u8 {
        if !shape.sized() {
            return shape.nowhere();
        }
        if !self.span.contains(word) {
            return ptr::null_mut();
        }
        // SAFETY: by invariant 1 of `Table` a word within bounds has its page within the table.
        let page = unsafe { *self.pages.add(word / shape.words) };
        page.wrapping_add(word % shape.words * 64 * shape.size)
    }

    /// Notes that values of the page of `word` may change from now on, for a word that has bits.
    ///
    /// Reads the flag before it writes it, so that threads which write to pages of their own do not
    /// invalidate the cache lines of each other.
    ///
    /// # Safety
    /// The shape is that of the column's values, and `word` is below the end of `self.words()`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn touch_some(self, word: usize, shape: Shape) {
        debug_assert!(self.span.contains(word));
        if !shape.sized() {
            return;
        }
        // SAFETY: by invariants 1 and 4 of `Table` a word within bounds has its page within the
        // table.
        let touched = unsafe { &*self.touched.add(word / shape.words) };
        if !touched.load(Ordering::Relaxed) {
            touched.store(true, Ordering::Relaxed);
        }
    }

    /// The address of the value of slot `word * 64`, whose page is allocated. Not null, which saves
    /// a comparison for each reference made from it.
    ///
    /// # Safety
    /// The shape is that of the column's values, the word is below the end of `self.words()`, and
    /// some bit of it is set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn base_of_some(self, word: usize, shape: Shape) -> NonNull<u8> {
        debug_assert!(self.span.contains(word));
        // SAFETY: an alignment is not zero. By invariant 1 of `Table` a word within bounds has its
        // page within the table. A bit of the word is set, so the page is allocated and contains
        // the word's slots.
        unsafe {
            if !shape.sized() {
                return NonNull::new_unchecked(shape.nowhere());
            }
            let page = *self.pages.add(word / shape.words);
            debug_assert!(!page.is_null());
            core::hint::assert_unchecked(!page.is_null());
            NonNull::new_unchecked(page.add(word % shape.words * 64 * shape.size))
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if let Memory::Pages(memory) = &mut self.memory {
            // SAFETY: by invariant 2 all pages have this layout; they are not used after this drop.
            unsafe { memory.free(self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of bytes in use, without the spare capacity of vectors.
    fn bytes(table: &Table) -> u64 {
        let pages = table.pages.len() * size_of::<(*mut u8, bool)>();
        let Memory::Pages(memory) = &table.memory else { panic!("the table is not packed") };
        (table.masks.len() * size_of::<u64>() + pages + memory.bytes(table.layout)) as u64
    }

    #[test]
    fn groups_have_each_word_with_a_bit() {
        let shape = Shape::of::<u64>();
        let mut table = Table::new(shape.layout(), false);
        let words = |table: &Table| -> Vec<usize> {
            assert_eq!(table.used.len(), table.masks.len().div_ceil(GROUP));
            (0..table.masks.len())
                .filter(|word| table.used[word / GROUP] >> (word % GROUP) & 1 == 1)
                .collect()
        };
        for (slot, len) in [(300_000, 1), (64, 129), (5000, 1)] {
            table.grow(slot as usize / shape.slots(), shape.words);
            table.set(slot, len);
        }
        assert_eq!(words(&table), [1, 2, 3, 78, 4687]);
        (64..193).chain([300_000]).for_each(|slot| table.forget(slot));
        table.shrink(shape);
        assert_eq!(words(&table), [78]);
        table.forget_all();
        assert!(words(&table).is_empty());
    }

    #[test]
    fn a_table_grows_by_the_predicted_number_of_bytes() {
        let shape = const { &Shape::of::<[u8; 64]>() };
        for slots in [
            &[5000, 5001, 0, 1023, 1024, 3000, 20_000, 19_000, 60_000, 59_000][..],
            &[0, 255, 256, 1023, 1024, 5000],
            &[300, 0, 1023],
            &[7, 3000, 0, 1023, 1024],
            &[1023, 5],
        ] {
            let mut table = Table::new(shape.layout(), false);
            for &slot in slots {
                let (before, growth) = (bytes(&table), table.growth(slot, 1, *shape));
                // SAFETY: the shape is that of the table, and nothing looks at the value.
                unsafe { table.claim(slot, shape) };
                assert_eq!(bytes(&table) - before, growth, "slot {slot} of {slots:?}");
                assert_eq!(table.growth(slot, 1, *shape), 0);
            }
        }
    }

    #[test]
    fn the_only_page_is_as_long_as_its_values_need() {
        let shape = const { &Shape::of::<u64>() };
        let mut table = Table::new(shape.layout(), false);
        for (slot, open) in
            [(3, 256), (255, 256), (256, 1024), (1023, 1024), (1024, 4096), (4095, 4096), (4096, 8192)]
        {
            // SAFETY: the shape is that of the table.
            unsafe { table.claim(slot, shape).cast::<u64>().write(u64::from(slot)) };
            assert_eq!(table.open, open);
            // SAFETY: slot 3 has a value.
            assert_eq!(unsafe { table.address(3, *shape).cast::<u64>().read() }, 3);
        }
        let mut table = Table::new(shape.layout(), false);
        for (slot, open) in [(3, 256), (9000, 3 * 4096), (5000, 3 * 4096), (300, 3 * 4096)] {
            // SAFETY: the shape is that of the table.
            unsafe { table.claim(slot, shape).cast::<u64>().write(u64::from(slot)) };
            assert_eq!(table.open, open);
            // SAFETY: slot 3 has a value.
            assert_eq!(unsafe { table.address(3, *shape).cast::<u64>().read() }, 3);
        }
    }

    #[test]
    fn values_without_a_size_take_no_pages() {
        let shape = const { &Shape::of::<()>() };
        let mut table = Table::new(shape.layout(), false);
        let words = 3 * shape.words * size_of::<u64>();
        assert!(table.growth(10_000, 1, *shape) < words as u64 + 64);
        // SAFETY: the shape is that of the table, and there is no value to write.
        unsafe { table.claim(10_000, shape) };
        assert_eq!((table.growth(10_000, 1, *shape), table.page_count()), (0, 0));
    }
}
