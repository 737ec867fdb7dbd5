//! Saving and loading of an event's queue.

use super::HasEvent;
use super::queue::{Bound, Events, Full};
use crate::entity::saved::image::LATEST;
use crate::persist::image::{EventsImage, KeptValues, SystemPaths};

impl<E> Events<E> {
    /// The parts of the queue that are saved: its counters, its readers and its events.
    pub(crate) fn image(&self, paths: &SystemPaths) -> EventsImage<&[E]> {
        let Self { log, sent, drained: _ } = self;
        let (before, readers) = log.image(paths);
        let (kept, _) = log.values.as_slices();
        let sent = (*sent).min(LATEST);
        let lost = log.lost.min(sent.saturating_sub(kept.len() as u64));
        EventsImage { before, sent, lost, readers, kept }
    }

    /// Loads the queue from a file.
    ///
    /// The readers are those of this world; a reader that is not in the file has seen all events.
    /// Events beyond the bound of this world are dropped as if they were sent now.
    ///
    /// # Errors
    /// If a counter of the file is out of range or contradicts another one.
    pub(crate) fn restore<W: HasEvent<E>>(
        &mut self,
        image: EventsImage<KeptValues<E>>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str>
    where
        E: 'static,
    {
        let EventsImage { before, sent, lost, readers, kept: KeptValues(kept) } = image;
        if before > LATEST || sent > LATEST || lost > sent {
            return Err("more events were lost than sent, or a count is out of range");
        }
        // The events in the file were sent and are not lost, so `sent` is at least their number
        // plus `lost`.
        let sent = sent.max(lost.saturating_add(kept.len() as u64));
        (self.sent, self.log.lost) = (sent, lost);
        self.log.restore(before, kept.into(), &readers, paths)?;
        self.shed::<W>();
        if let Bound { keep, full: Full::Newest | Full::Panic, .. } = W::BOUND {
            let over = self.kept().saturating_sub(keep);
            self.log.lost += over as u64;
            self.log.values.truncate(self.log.values.len() - over);
            let end = self.log.end();
            self.log.readers.iter().for_each(|(_, cursor)| cursor.advance(cursor.seen().min(end)));
        }
        Ok(())
    }
}
