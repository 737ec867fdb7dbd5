//! Statistics of a world: the memory of its columns, its events and their readers.

use alloc::vec::Vec;
use core::fmt;

use super::World;
use crate::base::reader_stats::{EventStats, ReaderStats, RemovedStats};
use crate::raw_world::discard::removed_stats;
use crate::raw_world::fields::table;
use crate::schedule::states;

/// Statistics of a world, as [`World::stats`] returns them: the memory of its columns, its events
/// and their readers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Stats {
    /// The number of entities.
    pub entities: usize,
    /// The number of blocks; a block has 64 slots.
    pub blocks: usize,
    /// The number of blocks without entities, which any set of components can use.
    pub free_blocks: usize,
    /// Allocation groups: the different sets of components that entities were spawned with.
    pub groups: usize,
    /// The number of pages of values, in all columns.
    pub pages: usize,
    /// The sum of [`ColumnStats::bytes`]: pages, page tables and masks, without change ticks,
    /// indexes, relations and removed values.
    pub bytes: usize,
    /// The memory of the copies of values that the world shares with the snapshot that was taken or
    /// restored last, in bytes.
    pub shared: usize,
    /// The number of commands that have failed so far: see [`World::on_failed_command`].
    pub failed_commands: u64,
    /// The statistics of each column, in the order of the declaration.
    pub columns: Vec<ColumnStats>,
    /// The statistics of each event type, in the order of the declaration.
    pub events: Vec<EventStats>,
}

/// Statistics of one column: its entities, its memory, its removed values.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ColumnStats {
    /// The name of the component.
    pub component: &'static str,
    /// The number of entities that have the component.
    pub len: usize,
    /// The number of pages of values.
    pub pages: usize,
    /// The memory of pages, page table and masks, in bytes. Up to a ninth of the pages is reserved
    /// for further values, more after [`WorldMemory::reserve`](crate::world::WorldMemory::reserve);
    /// of a column of one page up to three quarters. The pages of a packed column overlap: when it
    /// needs more places for values, their number grows by half, and at least by the slots of a
    /// page.
    pub bytes: usize,
    /// The memory of the copies of values that the column shares with the snapshot that was taken
    /// or restored last, in bytes. The copies of a snapshot that was dropped count until
    /// [`WorldMemory::shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit).
    pub shared: usize,
    /// Statistics of the removed values that are kept for systems with a
    /// [`Removed`](crate::Removed); `None` if no schedule has such a system.
    pub removed: Option<RemovedStats>,
}

impl Stats {
    pub(crate) fn of<W: World>(world: &W) -> Self {
        // components without a column have no values to count
        let columns: Vec<ColumnStats> = (0..W::COMPONENTS.len())
            .filter_map(|index| {
                let column = table(world, index)?;
                let (len, pages, bytes) = (column.len(), column.page_count(), column.bytes());
                Some(ColumnStats {
                    component: W::COMPONENTS[index],
                    len,
                    pages,
                    bytes,
                    shared: column.copied(),
                    removed: removed_stats(world, index),
                })
            })
            .collect();
        let mut events = Vec::new();
        world.__event_stats(&mut |event| events.push(event));
        let entities = world.__living();
        // entities and blocks from the allocator, memory as the sum of all columns
        Self {
            entities: entities.len(),
            blocks: entities.blocks(),
            free_blocks: entities.free_blocks(),
            groups: entities.groups(),
            pages: columns.iter().map(|column| column.pages).sum(),
            bytes: columns.iter().map(|column| column.bytes).sum(),
            shared: columns.iter().map(|column| column.shared).sum(),
            failed_commands: states::of(world).failed_commands.count,
            columns,
            events,
        }
    }
}

/// Writes a table of the columns and, if the world has events, a table of the events.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // a line of totals, then one for each column and event, which names the reader that is
        // furthest behind
        let Self { entities, blocks, free_blocks, groups, pages, bytes, shared, .. } = self;
        writeln!(
            f,
            "entities: {entities}, groups: {groups}, blocks: {blocks}, of which free: {free_blocks}"
        )?;
        writeln!(f, "{:>12} {:>8} {:>12}  column", "entities", "pages", "bytes")?;
        for column in &self.columns {
            write!(f, "{:>12} {:>8} {:>12}  {}", column.len, column.pages, column.bytes, column.component)?;
            if let Some(removed) = &column.removed {
                write!(f, ", {} removed values kept, {} lost", removed.kept, removed.lost)?;
                behind(f, removed.slowest())?;
            }
            f.write_str("\n")?;
        }
        write!(f, "{:>12} {pages:>8} {bytes:>12}  all", "")?;
        if *shared > 0 {
            write!(f, "\n{:>12} {:>8} {shared:>12}  shared with snapshots", "", "")?;
        }
        if !self.events.is_empty() {
            write!(f, "\n{:>12} {:>8} {:>12} {:>8}  event", "kept", "lost", "sent", "readers")?;
        }
        for event in &self.events {
            let EventStats { event: name, kept, sent, lost, readers, .. } = event;
            write!(f, "\n{kept:>12} {lost:>8} {sent:>12} {:>8}  {name}", readers.len())?;
            behind(f, event.slowest())?;
        }
        Ok(())
    }
}

/// Writes the name of the slowest reader, if it has unread values.
fn behind(f: &mut fmt::Formatter<'_>, slowest: Option<&ReaderStats>) -> fmt::Result {
    let Some(ReaderStats { schedule, system, unread, missed, .. }) = slowest else { return Ok(()) };
    if *unread > 0 {
        write!(f, ": `{system}` of schedule `{schedule}` is {unread} behind")?;
    }
    if *unread > 0 && *missed > 0 {
        write!(f, " and has missed {missed}")?;
    }
    Ok(())
}

/// Implements `Debug` for worlds: prints the number of entities, and of values in each column.
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
