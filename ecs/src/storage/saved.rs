//! Saving and loading of the log of removed values and of the readers' positions.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::readers::{ReadQueue, Readers};
use super::removals::{AFTER_RUN, Removals};
use crate::entity::Entity;
use crate::entity::saved::image::LATEST;
use crate::persist::image::{KeptValues, LogImage, ReaderImage, SystemPaths, readers_of};

impl<T> Removals<T> {
    /// The saved form.
    pub(crate) fn image(&self, paths: &SystemPaths) -> LogImage<Vec<&(Entity, T)>> {
        // the bound and the copy function follow from the component's type; losses are statistics
        let Self { log, most: _, copy: _, added: _, expelled: _ } = self;
        let (before, readers) = log.image(paths);
        LogImage { before, readers, kept: log.values.iter().collect() }
    }

    /// Replaces the content of the log by that of a file.
    pub(crate) fn restore(
        &mut self,
        image: LogImage<KeptValues<(Entity, T)>>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str> {
        let LogImage { before, readers, kept: KeptValues(kept) } = image;
        if before > LATEST {
            return Err("more values were removed than there can be");
        }
        self.log.restore(before, kept.into(), &readers, paths)?;
        if self.most != AFTER_RUN {
            self.bound();
        }
        Ok(())
    }
}

impl<T> ReadQueue<T> {
    /// The saved number of values before the first one, and the saved positions of the readers.
    pub(crate) fn image(&self, paths: &SystemPaths) -> (u64, Vec<ReaderImage>) {
        let before = self.base.min(LATEST);
        (before, self.readers.image(paths, self.base - before, self.end()))
    }

    /// Replaces the values and the positions of the readers by those of a file.
    ///
    /// # Errors
    /// If the position of a reader is beyond the last value.
    pub(crate) fn restore(
        &mut self,
        before: u64,
        values: VecDeque<T>,
        readers: &[ReaderImage],
        paths: &SystemPaths,
    ) -> Result<(), &'static str> {
        (self.base, self.values) = (before, values);
        let end = self.end();
        self.readers.restore(readers, paths, end)
    }
}

impl Readers {
    /// The positions of the readers whose systems have a path, in a file in which `dropped` values
    /// fewer are counted than in the log, whose last value is `end`.
    fn image(&self, paths: &SystemPaths, dropped: u64, end: u64) -> Vec<ReaderImage> {
        let readers = self.0.iter().flatten().filter_map(|cursor| {
            let (at, seen) = (paths.of(cursor.place())?, cursor.seen().min(end));
            Some(ReaderImage { at: at.into(), seen: seen.saturating_sub(dropped) })
        });
        readers.collect()
    }

    /// Gives each reader its position in a file. A reader that is not in the file has seen all
    /// values.
    ///
    /// # Errors
    /// If a position in the file is beyond `end`, the number of the last value.
    fn restore(
        &mut self,
        readers: &[ReaderImage],
        paths: &SystemPaths,
        end: u64,
    ) -> Result<(), &'static str> {
        let seen = readers_of(readers, end)?;
        let mut taken = alloc::vec![false; seen.len()];
        for cursor in self.0.iter().flatten() {
            let at = paths.of(cursor.place());
            let found = (0..seen.len()).find(|&i| !taken[i] && Some(readers[i].at.as_str()) == at);
            cursor.advance(found.map_or(end, |i| {
                taken[i] = true;
                seen[i]
            }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::place::Place;
    use crate::storage::readers::ReaderCursor;

    const PLACE: Place = Place::Written { schedule: 0, place: 0 };

    fn entity(slot: u64) -> Entity {
        Entity::from_bits(1 << 32 | slot).unwrap()
    }

    #[test]
    fn a_log_of_a_file_has_its_readers_and_obeys_the_bound() {
        let paths = SystemPaths(alloc::vec![alloc::vec!["tick/one".into(), "tick/two".into()]]);
        let other = Place::Written { schedule: 0, place: 1 };
        let mut log = Removals::new(usize::MAX, |value: &u64| *value);
        let (one, two) = (log.log.subscribe(PLACE), log.log.subscribe(other));
        (0..5).for_each(|value| log.push(entity(value), value));
        log.log.readers.cursor(one).unwrap().advance(2);
        log.log.readers.unsubscribe(two);
        let image = log.image(&paths);
        assert_eq!(image.readers.len(), 1, "the reader that has left is not saved");
        assert_eq!((&*image.readers[0].at, image.readers[0].seen, image.kept.len()), ("tick/one", 2, 5));
        let image = |before| {
            let kept = KeptValues((0..5).map(|value| (entity(value), value)).collect());
            let readers = alloc::vec![ReaderImage { at: "tick/one".into(), seen: before + 2 }];
            LogImage { before, readers, kept }
        };
        for (most, kept) in [(usize::MAX, 5), (3, 3), (1, 1), (AFTER_RUN, 5)] {
            let mut log = Removals::new(most, |value: &u64| *value);
            let (one, two) = (log.log.subscribe(PLACE), log.log.subscribe(other));
            log.restore(image(100), &paths).unwrap();
            assert_eq!((log.log.values.len(), log.log.end()), (kept, 105));
            assert_eq!(log.log.readers.cursor(one).map(ReaderCursor::seen), Some(102));
            assert_eq!(
                log.log.readers.cursor(two).map(ReaderCursor::seen),
                Some(105),
                "it is not in the file"
            );
        }
        let mut log = Removals::new(usize::MAX, |value: &u64| *value);
        assert!(log.restore(image(LATEST), &paths).is_ok());
        assert!(log.restore(image(LATEST + 1), &paths).is_err());
    }
}
