//! The contents of event queues and removal logs in a file, and the names of systems in a file, for
//! instance `tick/movement`.

use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::base::place::Place;
use crate::persist::memory;

/// The queue of an event.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsImage<Q> {
    /// The number of events that were queued before the first of `kept`.
    pub(crate) before: u64,
    pub(crate) sent: u64,
    pub(crate) lost: u64,
    pub(crate) readers: Vec<ReaderImage>,
    pub(crate) kept: Q,
}

/// The log of a component's removed values.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogImage<Q> {
    pub(crate) before: u64,
    pub(crate) readers: Vec<ReaderImage>,
    pub(crate) kept: Q,
}

/// Events or removed values. When they are read, the memory of each is charged to the limit of the
/// load.
pub(crate) struct KeptValues<T>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for KeptValues<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(KeptVisitor(PhantomData))
    }
}

struct KeptVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for KeptVisitor<T> {
    type Value = KeptValues<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<KeptValues<T>, A::Error> {
        let mut kept = Vec::new();
        while let Some(value) = seq.next_element()? {
            memory::charge(size_of::<T>() as u64).map_err(de::Error::custom)?;
            kept.push(value);
        }
        Ok(KeptValues(kept))
    }
}

/// The position of a reader: the path of its system, and the number of values that it has seen.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReaderImage {
    pub(crate) at: String,
    pub(crate) seen: u64,
}

/// Returns the positions of readers, after the check that none is beyond `end`, the number of the
/// last value.
pub(crate) fn readers_of(readers: &[ReaderImage], end: u64) -> Result<Vec<u64>, &'static str> {
    let seen: Vec<u64> = readers.iter().map(|reader| reader.seen).collect();
    if seen.iter().all(|&seen| seen <= end) {
        Ok(seen)
    } else {
        Err("a reader is ahead of the last event or removal")
    }
}

/// The paths that identify systems in a file: `schedule/system`, and `schedule/system#2` for the
/// second occurrence of a system in a schedule. Indexed by schedule, then by the system's place in
/// the schedule.
pub(crate) struct SystemPaths(pub(crate) Vec<Vec<String>>);

impl SystemPaths {
    /// Returns the path of the system at a place; `None` for systems of schedules that were built
    /// at run time.
    pub(crate) fn of(&self, place: Place) -> Option<&str> {
        match place {
            Place::Written { schedule, place } => Some(self.0.get(schedule)?.get(place)?),
            Place::Built { .. } => None,
        }
    }

    /// Returns the place of the system that has this path.
    pub(crate) fn find(&self, key: &str) -> Option<Place> {
        self.0.iter().enumerate().find_map(|(schedule, names)| {
            let place = names.iter().position(|name| name == key)?;
            Some(Place::Written { schedule, place })
        })
    }
}

/// Returns the names of types in files: the last segment of the path, or the whole path if two
/// types have the same last segment.
pub(crate) fn names(spelled: &[&'static str]) -> Vec<&'static str> {
    let own = |spelled: &'static str| {
        let path = spelled.split('<').next().unwrap_or(spelled);
        path.rfind("::").map_or(spelled, |at| &spelled[at + 2..])
    };
    let short: Vec<&str> = spelled.iter().map(|spelled| own(spelled)).collect();
    let is_single = |name: &str| short.iter().filter(|other| **other == name).count() == 1;
    spelled
        .iter()
        .zip(&short)
        .map(|(spelled, short)| if is_single(short) { *short } else { *spelled })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_with_one_last_segment_have_their_whole_paths() {
        let spelled =
            ["Place", "shapes::Round", "ecs::Many<people::Likes>", "shapes::Flat", "maps::deep::Flat"];
        let expected = ["Place", "Round", "Many<people::Likes>", "shapes::Flat", "maps::deep::Flat"];
        assert_eq!(names(&spelled), expected);
    }

    #[test]
    fn a_reader_is_at_most_at_the_end() {
        let reader = |seen| ReaderImage { at: String::new(), seen };
        assert_eq!(readers_of(&[reader(0), reader(7)], 7), Ok([0, 7].into()));
        assert!(readers_of(&[reader(8), reader(7)], 7).is_err());
    }
}
