//! Figures about a world's memory.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::vec::Vec;
use core::fmt;

use super::cell::table;
use super::{World, WorldCell};

/// How a world uses its memory: see [`World::stats`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stats {
    /// Living entities.
    pub entities: usize,
    /// Blocks of 64 slots.
    pub blocks: usize,
    /// Blocks that belong to no kind.
    pub free_blocks: usize,
    /// Sets of components that entities were spawned with.
    pub kinds: usize,
    /// Pages of values, of all columns.
    pub pages: usize,
    /// Bytes of all columns.
    pub bytes: usize,
    /// Commands that came too late, so far: see [`World::on_stray`].
    pub stray_commands: u64,
    /// Column by column, in the order of the declaration.
    pub columns: Vec<ColumnStats>,
}

/// How one column uses its memory.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ColumnStats {
    /// The component.
    pub component: &'static str,
    /// Entities that have it.
    pub len: usize,
    /// Pages of values.
    pub pages: usize,
    /// Bytes of pages, page table and masks.
    pub bytes: usize,
}

impl Stats {
    pub(crate) fn of<W: World>(world: &W) -> Self {
        let columns: Vec<ColumnStats> = (0..W::COMPONENTS.len())
            .filter_map(|index| {
                let column = table(world, index)?;
                let (len, pages, bytes) = (column.len(), column.page_count(), column.bytes());
                Some(ColumnStats { component: W::COMPONENTS[index], len, pages, bytes })
            })
            .collect();
        let entities = world.__living();
        Self {
            entities: entities.len(),
            blocks: entities.blocks(),
            free_blocks: entities.free_blocks(),
            kinds: entities.kinds(),
            pages: columns.iter().map(|column| column.pages).sum(),
            bytes: columns.iter().map(|column| column.bytes).sum(),
            // SAFETY: the world is borrowed shared.
            stray_commands: unsafe { WorldCell::shared(world).places() }.strays.count,
            columns,
        }
    }
}

/// A table.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, blocks, free_blocks, kinds, pages, bytes, .. } = self;
        writeln!(f, "entities: {entities}, kinds: {kinds}, blocks: {blocks}, of which free: {free_blocks}")?;
        writeln!(f, "{:>12} {:>8} {:>12}  column", "entities", "pages", "bytes")?;
        for column in &self.columns {
            writeln!(f, "{:>12} {:>8} {:>12}  {}", column.len, column.pages, column.bytes, column.component)?;
        }
        write!(f, "{:>12} {pages:>8} {bytes:>12}  all", "")
    }
}

/// What `Debug` of a world prints: counts.
pub fn debug_world<W: World>(world: &W, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut debug = f.debug_struct(W::NAME);
    debug.field("entities", &world.__living().len());
    for (index, field) in W::FIELDS.iter().enumerate() {
        if let Some(column) = table(world, index) {
            debug.field(field, &column.len());
        }
    }
    debug.finish_non_exhaustive()
}
