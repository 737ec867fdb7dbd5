//! Figures about a world's memory and its events.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::vec::Vec;
use core::fmt;

use super::cell::table;
use super::{World, WorldCell};
use crate::base::reader_stats::{EventStats, ReaderStats, RemovedStats};
use crate::storage::column_offset::Values;

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
    /// Bytes of the copies of values that the world shares with snapshots: those that were taken, or restored, last.
    pub shared: usize,
    /// Commands that came too late, so far: see [`World::on_failed_command`].
    pub failed_commands: u64,
    /// Column by column, in the order of the declaration.
    pub columns: Vec<ColumnStats>,
    /// Event by event, in the order of the declaration.
    pub events: Vec<EventStats>,
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
    /// Bytes of pages, page table and masks. Includes memory that is reserved for further pages, a fifth of the total at most.
    pub bytes: usize,
    /// Bytes of the copies of values that it shares with snapshots.
    pub shared: usize,
    /// The removed values that are kept for systems with a [`Removed`](crate::Removed); `None` if no schedule has one.
    pub removed: Option<RemovedStats>,
}

impl Stats {
    pub(crate) fn of<W: World>(world: &W) -> Self {
        let columns: Vec<ColumnStats> = (0..W::COMPONENTS.len())
            .filter_map(|index| {
                let column = table(world, index)?;
                let (len, pages, bytes) = (column.len(), column.page_count(), column.bytes());
                let removed = match W::OFFSETS[index].values {
                    // SAFETY: the column is that of the offset, and the world is borrowed shared.
                    Values::Dropped(_, Some(logs), _) => unsafe { (logs.stats)(column, W::__system_names) },
                    _ => None,
                };
                Some(ColumnStats {
                    component: W::COMPONENTS[index],
                    len,
                    pages,
                    bytes,
                    shared: column.copied(),
                    removed,
                })
            })
            .collect();
        let mut events = Vec::new();
        world.__event_stats(&mut |event| events.push(event));
        let entities = world.__living();
        Self {
            entities: entities.len(),
            blocks: entities.blocks(),
            free_blocks: entities.free_blocks(),
            kinds: entities.kinds(),
            pages: columns.iter().map(|column| column.pages).sum(),
            bytes: columns.iter().map(|column| column.bytes).sum(),
            shared: columns.iter().map(|column| column.shared).sum(),
            // SAFETY: the world is borrowed shared.
            failed_commands: unsafe { WorldCell::shared(world).schedule_states() }.failed_commands.count,
            columns,
            events,
        }
    }
}

/// A table of columns and, if the world has events, one of events.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, blocks, free_blocks, kinds, pages, bytes, shared, .. } = self;
        writeln!(f, "entities: {entities}, kinds: {kinds}, blocks: {blocks}, of which free: {free_blocks}")?;
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

/// Writes the name of the slowest reader if it is behind.
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
