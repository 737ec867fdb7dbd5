//! Copies of the allocator, and what it shares with snapshots.
//!
//! What is kept for each slot and block, generations above all, is copied by pages, as columns are: a snapshot's
//! allocator has copies of pages and nothing else of the kind. Whether a page still agrees with a copy is found by comparing,
//! but for generations, which are much: they change when an entity begins to live, which its bit shows, and when one dies,
//! which its block notes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::allocator::{DEAD, Entities};
use super::blocks::Block;

/// How many blocks are copied together.
const PAGE: usize = 64;

/// Copies of pages, those that the allocator last agreed with, or those of a snapshot's.
#[derive(Default)]
pub(super) struct SnapshotSlots {
    pages: Vec<Arc<SlotPage>>,
    /// Whether there is nothing else.
    saved: bool,
}

struct SlotPage {
    generations: Vec<u32>,
    alive: Vec<u64>,
    blocks: Vec<Block>,
    held: Vec<u64>,
}

/// A block as far as anybody sees it.
fn seen(block: &Block) -> (u64, u32, u64) {
    let Block { retired, kind, touched: _, died } = *block;
    (retired, kind, died)
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

impl Entities {
    /// That of a snapshot. What it copies is known from now on.
    pub(crate) fn save(&mut self) -> Self {
        let mut saved = self.like(true);
        saved.clone_from(self);
        self.agree(&saved);
        saved
    }

    /// A new one of the same world.
    fn like(&self, saved: bool) -> Self {
        let known = saved.then(|| Box::new(SnapshotSlots { pages: Vec::new(), saved }));
        let mut new = Self::with(self.stride, self.first_generation);
        new.known = known;
        new
    }

    fn is_saved(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.saved)
    }

    fn copies(&self) -> &[Arc<SlotPage>] {
        self.known.as_ref().map_or(&[], |known| &known.pages)
    }

    /// The blocks of a page.
    fn page(&self, page: usize) -> Range<usize> {
        let blocks = self.blocks.len();
        (page * PAGE).min(blocks)..((page + 1) * PAGE).min(blocks)
    }

    /// The copy that a page agrees with, as far as that is known.
    fn agreed(&self, page: usize) -> Option<&Arc<SlotPage>> {
        let (copy, range) = (self.copies().get(page)?, self.page(page));
        let blocks = &self.blocks.all[range.clone()];
        let held = &self.held[range.start * self.stride..range.end * self.stride];
        let agrees = self.alive[range] == *copy.alive
            && blocks.iter().all(|block| !block.touched)
            && blocks.iter().map(seen).eq(copy.blocks.iter().map(seen))
            && held.iter().map(load).eq(copy.held.iter().copied());
        agrees.then_some(copy)
    }

    /// Makes one of a snapshot of one that lives.
    fn capture(&mut self, source: &Self) {
        let pages = (0..source.blocks.len().div_ceil(PAGE))
            .map(|page| source.agreed(page).map_or_else(|| Arc::new(source.copy_of(page)), Arc::clone));
        self.known = Some(Box::new(SnapshotSlots { pages: pages.collect(), saved: true }));
    }

    fn copy_of(&self, page: usize) -> SlotPage {
        let range = self.page(page);
        SlotPage {
            generations: self.generations[range.start * 64..range.end * 64].to_vec(),
            alive: self.alive[range.clone()].to_vec(),
            held: self.held[range.start * self.stride..range.end * self.stride].iter().map(load).collect(),
            blocks: self.blocks.all[range].iter().map(|block| Block { touched: false, ..*block }).collect(),
        }
    }

    /// Takes note that all pages agree with those of a snapshot.
    fn agree(&mut self, saved: &Self) {
        let mut known = self.known.take().unwrap_or_default();
        known.pages.truncate(saved.copies().len());
        for (page, copy) in saved.copies().iter().enumerate() {
            match known.pages.get_mut(page) {
                Some(mine) if Arc::ptr_eq(mine, copy) => continue,
                Some(mine) => mine.clone_from(copy),
                None => known.pages.push(copy.clone()),
            }
            let range = self.page(page);
            self.blocks.all[range].iter_mut().for_each(|block| block.touched = false);
        }
        self.known = Some(known);
    }

    /// Makes one that lives what one of a snapshot is.
    fn restore(&mut self, saved: &Self) {
        let blocks = saved.copies().iter().map(|copy| copy.blocks.len()).sum();
        self.alive.resize(blocks, 0);
        self.generations.resize(blocks * 64, self.first_generation | DEAD);
        self.held.resize_with(blocks * self.stride, AtomicU64::default);
        self.blocks.all.resize(blocks, Block::NEW);
        for (page, copy) in saved.copies().iter().enumerate() {
            if self.agreed(page).is_some_and(|agreed| Arc::ptr_eq(agreed, copy)) {
                continue;
            }
            let range = self.page(page);
            let SlotPage { generations, alive, blocks, held } = &**copy;
            self.alive[range.clone()].copy_from_slice(alive);
            self.generations[range.start * 64..range.end * 64].copy_from_slice(generations);
            let to = &mut self.held[range.start * self.stride..range.end * self.stride];
            to.iter_mut().zip(held).for_each(|(to, from)| *to.get_mut() = *from);
            self.blocks.all[range].copy_from_slice(blocks);
        }
        self.agree(saved);
    }
}

impl Clone for Entities {
    fn clone(&self) -> Self {
        let mut copy = self.like(self.is_saved());
        copy.clone_from(self);
        copy
    }

    /// Reuses memory. From the allocator of a snapshot, and to one, whole pages are shared.
    fn clone_from(&mut self, source: &Self) {
        self.take_rest(source);
        match (self.is_saved(), source.is_saved()) {
            (false, false) => {
                self.known = None;
                self.generations.clone_from(&source.generations);
                self.alive.clone_from(&source.alive);
                self.blocks.all.clone_from(&source.blocks.all);
                self.held.clear();
                self.held.extend(source.held.iter().map(|word| AtomicU64::new(load(word))));
            }
            (false, true) => self.restore(source),
            (true, false) => self.capture(source),
            (true, true) => {
                self.known = Some(Box::new(SnapshotSlots { pages: source.copies().to_vec(), saved: true }))
            }
        }
    }
}
