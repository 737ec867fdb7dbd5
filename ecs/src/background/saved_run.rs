//! Saving of runs that are under way: the file contains the world that the run reads, and the
//! loaded world runs the function again.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use core::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::run::{BackgroundRun, Input, RunState, UnderWay};
use crate::entity::saved::image::LATEST;
use crate::persist::compact::read::Reader;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm};
use crate::persist::memory;
use crate::persist::state::{LoadContext, SavedState};
use crate::raw_world::{RawWorld, SnapshotWorld, WorldFields};
use crate::save::{self, Saved};
use crate::system::StateParts;

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
            last_run: run.last_run.min(LATEST),
            world: &run.input,
        });
        ShownRun { started: self.started.min(LATEST), under_way }.serialize(serializer)
    }
}

/// A clone of the world is saved: that of a snapshot has shared pages only. No system has slots
/// reserved in it, so that the loaded world is saved as the same bytes.
impl<W: SnapshotWorld + Saved> Serialize for Input<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let world = || {
            let mut world = self.world.clone();
            world.entities_mut().drop_reserved();
            world
        };
        if serializer.is_human_readable() {
            return save::human::serialize(&world(), serializer);
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

impl<W: RawWorld + Send + Sync> StateParts for RunState<W> {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        self.0.saved_states(&mut |_| each(self));
    }
    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        let mut is_saved = false;
        self.0.saved_states(&mut |_| is_saved = true);
        if is_saved {
            each(self);
        }
    }
}

/// Saves and loads as the [`LocalState`](crate::system::local::LocalState) does, and checks the
/// tick of the last run.
impl<W: RawWorld + Send + Sync> SavedState for RunState<W> {
    fn what(&self) -> &'static str {
        self.0.what()
    }
    fn save_kept(&self) -> Box<dyn ErasedSerialize + '_> {
        self.0.save_kept()
    }
    fn load_kept(&mut self, file: &mut dyn ReadForm<'_>, context: &LoadContext<'_>) -> Result<(), FormError> {
        self.0.load_kept(file, context)?;
        self.check(context.tick).map_err(de::Error::custom)
    }
    fn read_kept(&mut self, file: &mut Reader<'_, '_>, context: &LoadContext<'_>) -> Result<(), FormError> {
        self.0.read_kept(file, context)?;
        self.check(context.tick).map_err(FormError::text)
    }
}

impl<W> RunState<W> {
    /// Checks that the last run began before a file of this tick was saved.
    fn check(&self, tick: u64) -> Result<(), String> {
        match self.0.value.started {
            started if started > tick => Err(format!(
                "a run in the background began at tick {started}, later than the file's tick {tick}"
            )),
            _ => Ok(()),
        }
    }
}

std::thread_local! {
    /// Whether the world of a run is being loaded.
    static IN_A_RUN: Cell<bool> = const { Cell::new(false) };
}

/// The world of a run, within the file of the world. The world of a run has no runs, so that a file
/// cannot nest them.
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
        let world = memory::of_outer(|| save::human::deserialize(deserializer))?;
        Ok(Self(Input::without_states(world)))
    }
}
