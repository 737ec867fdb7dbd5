//! Saving of runs that are under way: the file contains the world that the run reads, and the loaded world runs the function again.

use alloc::sync::Arc;
use core::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::run::{BackgroundRun, Input, UnderWay};
use crate::persist::memory;
use crate::raw_world::{SnapshotWorld, WorldFields};
use crate::save::{self, Saved};

#[derive(Serialize)]
#[serde(rename = "BackgroundRun", bound = "")]
struct ShownRun<'r, W: SnapshotWorld + Saved> {
    started: u64,
    under_way: Option<ShownUnderWay<'r, W>>,
}

#[derive(Serialize)]
#[serde(rename = "UnderWay", bound = "")]
struct ShownUnderWay<'r, W: SnapshotWorld + Saved> {
    left: Option<u32>,
    last_run: u64,
    world: &'r Input<W>,
}

#[derive(Deserialize)]
#[serde(rename = "BackgroundRun", bound = "W: SnapshotWorld + Saved")]
struct SavedRun<W: SnapshotWorld + Saved> {
    started: u64,
    under_way: Option<SavedUnderWay<W>>,
}

#[derive(Deserialize)]
#[serde(rename = "UnderWay", bound = "W: SnapshotWorld + Saved")]
struct SavedUnderWay<W: SnapshotWorld + Saved> {
    left: Option<u32>,
    last_run: u64,
    world: Inner<W>,
}

impl<W: SnapshotWorld + Saved> Serialize for BackgroundRun<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let under_way = self.under_way.as_ref().map(|run| ShownUnderWay {
            left: run.left,
            last_run: run.last_run,
            world: &run.input,
        });
        ShownRun { started: self.started, under_way }.serialize(serializer)
    }
}

/// A clone of the world is saved: that of a snapshot has shared pages only. No system has slots reserved in it, so that the loaded world is
/// saved as the same bytes.
impl<W: SnapshotWorld + Saved> Serialize for Input<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let world = || {
            let mut world = self.world.clone();
            world.entities_mut().drop_reserved();
            world
        };
        if serializer.is_human_readable() {
            return save::serialize(&world(), serializer);
        }
        if let Some(bytes) = self.bytes.get() {
            return serializer.serialize_bytes(bytes);
        }
        let bytes = world().to_bytes().map_err(ser::Error::custom)?;
        serializer.serialize_bytes(self.bytes.get_or_init(|| bytes))
    }
}

impl<'de, W: SnapshotWorld + Saved> Deserialize<'de> for BackgroundRun<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedRun { started, under_way } = SavedRun::<W>::deserialize(deserializer)?;
        if under_way.as_ref().is_some_and(|run| run.left == Some(0) || run.last_run > started) {
            return Err(de::Error::custom(
                "a run in the background that began before the one before it, or whose output was due",
            ));
        }
        let under_way = under_way.map(|run| UnderWay::loaded(run.left, run.last_run, run.world.0));
        Ok(Self { started, under_way })
    }
}

std::thread_local! {
    /// Whether the world of a run is being loaded.
    static IN_A_RUN: Cell<bool> = const { Cell::new(false) };
}

/// The world of a run, within the file of the world. The world of a run has no runs, so that a file cannot nest them.
struct Inner<W>(Arc<Input<W>>);

impl<'de, W: SnapshotWorld + Saved> Deserialize<'de> for Inner<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Before;
        impl Drop for Before {
            fn drop(&mut self) {
                IN_A_RUN.set(false);
            }
        }
        if IN_A_RUN.replace(true) {
            return Err(de::Error::custom("a run in the background within the world of another one"));
        }
        let _before = Before;
        let world = memory::of_outer(|| save::deserialize(deserializer))?;
        Ok(Self(Input::without_states(world)))
    }
}
