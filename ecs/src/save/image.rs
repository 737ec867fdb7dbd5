//! What events, logs and places are in a file, and the names by which a file knows places: `tick/movement`.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::memory;
use crate::base::place::Place;
use crate::world::World;

/// The events of a type.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsImage<Q> {
    /// How many were admitted before the first that is kept.
    pub(crate) before: u64,
    pub(crate) sent: u64,
    pub(crate) lost: u64,
    pub(crate) readers: Vec<ReaderImage>,
    pub(crate) kept: Q,
}

/// The removed values of a component.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogImage<Q> {
    pub(crate) before: u64,
    pub(crate) readers: Vec<ReaderImage>,
    pub(crate) kept: Q,
}

/// Events or removed values that were read: what they take is charged one by one.
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

/// How far the reader at a place is.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReaderImage {
    pub(crate) at: String,
    pub(crate) seen: u64,
}

/// How far they all are; nobody has seen what was not sent.
pub(crate) fn readers_of(readers: &[ReaderImage], end: u64) -> Result<Vec<u64>, &'static str> {
    let seen: Vec<u64> = readers.iter().map(|reader| reader.seen).collect();
    if seen.iter().all(|&seen| seen <= end) {
        Ok(seen)
    } else {
        Err("a reader is ahead of the last event or removal")
    }
}

/// The names of the places of a world: schedule, system, and, from the second on, which of those of one name it is.
pub struct SystemPaths(Vec<Vec<String>>);

impl SystemPaths {
    pub(crate) fn new<W: World>() -> Self {
        let schedules = W::__schedules().iter().map(|plan| {
            let mut seen = BTreeMap::new();
            let tasks = plan.entries.iter().flat_map(|entry| entry.node.tasks());
            let names = tasks.map(|task| {
                let occurrence = seen.entry(task.name).or_insert(0);
                *occurrence += 1;
                match *occurrence {
                    1 => format!("{}/{}", plan.name, task.name),
                    _ => format!("{}/{}#{occurrence}", plan.name, task.name),
                }
            });
            names.collect()
        });
        Self(schedules.collect())
    }

    /// That of a place; those of schedules that were built at run time have none.
    pub(crate) fn of(&self, place: Place) -> Option<&str> {
        match place {
            Place::Written { schedule, place } => Some(self.0.get(schedule)?.get(place)?),
            Place::Built { .. } => None,
        }
    }

    /// The place of this name.
    pub(crate) fn find(&self, key: &str) -> Option<Place> {
        self.0.iter().enumerate().find_map(|(schedule, names)| {
            let place = names.iter().position(|name| name == key)?;
            Some(Place::Written { schedule, place })
        })
    }
}

/// The names of a world's entries in files: a type's own name, with the path before it where two have the same.
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
