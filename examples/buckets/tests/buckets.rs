//! Runs that resume from checkpoints in object stores: in memory, in a folder, slow ones, and one
//! that takes nothing.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use buckets::Bucket;
use ecs::prelude::*;
use ecs_distributed::{Checkpoints, GlobalId, Grid, InProcess, Model, Part, RunError, Store, Worker};
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Place(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Steps(u64);

world! {
    #[derive(Serialize, Deserialize)]
    struct Track { components { GlobalId, Place, Steps } }
    schedule tick { walk }
}

#[system(Track)]
fn walk(id: &GlobalId, place: &mut Place, steps: &mut Steps) {
    steps.0 += id.child(steps.0).0 % 2;
    place.0 = (place.0 + id.child(steps.0).0 as u32 % 2) % 40;
}

struct Walkers(Grid);

impl Model for Walkers {
    type World = Track;
    type Place = Place;
    type Components = (GlobalId, Place, Steps);
    type Shared = ();
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.0
    }
    fn place(&self, place: &Place) -> u32 {
        place.0
    }
    fn build(&self, part: &Part<'_>) -> Track {
        let mut track = Track::new();
        for id in (0..500).filter(|id| part.owns(id % 40)) {
            track.spawn((GlobalId(id.into()), Place(id % 40), Steps(0)));
        }
        track
    }
    fn tick(&self, track: &mut Track) {
        track.tick();
    }
}

/// Runs up to a tick with a checkpoint after every second one, and returns the tick at which it has
/// begun, and the hash.
fn run(workers: usize, ticks: u64, checkpoints: Option<&Checkpoints>) -> Result<(u64, u64), RunError> {
    let results = InProcess::run(workers, |mut exchange| {
        let model = || Walkers(Grid::new(40, 1));
        let resumed = checkpoints.map(|checkpoints| Worker::resume(model(), &mut exchange, checkpoints));
        let mut worker = match resumed.transpose()?.flatten() {
            Some(worker) => worker,
            None => Worker::new(model(), &mut exchange)?,
        };
        let begin = worker.ticks();
        while worker.ticks() < ticks {
            worker.tick()?;
            if let Some(checkpoints) = checkpoints.filter(|_| worker.ticks().is_multiple_of(2)) {
                worker.begin_checkpoint(checkpoints)?;
            }
        }
        worker.end_checkpoint()?;
        Ok((begin, worker.hash()?))
    });
    results.map(|results| results[0])
}

fn resumes(store: impl ObjectStore) {
    let checkpoints = Checkpoints::in_store(Bucket::new(store, "runs/first").unwrap(), 1).whole_every(3);
    assert_eq!(run(2, 11, Some(&checkpoints)), Ok((0, run(1, 11, None).unwrap().1)));
    assert_eq!(run(3, 20, Some(&checkpoints)), Ok((10, run(1, 20, None).unwrap().1)));
}

#[test]
fn a_run_resumes_from_a_bucket_in_memory() {
    resumes(InMemory::new());
    let slow = ThrottleConfig { wait_put_per_call: Duration::from_millis(2), ..ThrottleConfig::default() };
    resumes(ThrottledStore::new(InMemory::new(), slow));
}

#[test]
fn a_run_resumes_from_a_bucket_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    resumes(LocalFileSystem::new_with_prefix(folder.path()).unwrap());
    // two checkpoints of three workers, of which the second needs the one before
    let ticks = fs::read_dir(folder.path().join("runs/first")).unwrap();
    let ticks = ticks.map(|tick| fs::read_dir(tick.unwrap().path()).unwrap().count());
    assert_eq!(ticks.filter(|&files| files > 0).collect::<Vec<_>>(), [4; 2]);
}

#[test]
fn a_bucket_is_a_store() {
    for prefix in ["a/b", ""] {
        let bucket = Bucket::new(Arc::new(InMemory::new()), prefix).unwrap();
        bucket.put("tick-1/x", &[b"one", b"", b"two"]).unwrap();
        bucket.put("tick-1/x", &[b"on", b"ce"]).unwrap();
        bucket.put("tick-2/y", &[]).unwrap();
        assert_eq!(bucket.get("tick-1/x").unwrap(), b"once");
        assert_eq!(bucket.get("tick-2/y").unwrap(), b"");
        let mut names = bucket.list().unwrap();
        names.sort();
        assert_eq!(names, ["tick-1/x", "tick-2/y"]);
        bucket.delete("tick-1/x").unwrap();
        bucket.delete("tick-1/x").unwrap();
        assert_eq!(bucket.get("tick-1/x").unwrap_err().kind(), std::io::ErrorKind::NotFound);
    }
}

#[test]
fn a_store_that_takes_nothing_or_takes_too_long_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let checkpoints = Checkpoints::in_store(Bucket::new(store, "runs").unwrap(), 1);
    // there cannot be a folder where a file is
    fs::create_dir(folder.path().join("runs")).unwrap();
    fs::write(folder.path().join("runs/tick-0000000002"), b"a file").unwrap();
    let text = run(2, 4, Some(&checkpoints)).unwrap_err().to_string();
    assert!(text.starts_with("worker ") && text.contains("runs/tick-0000000002/worker-000"), "{text}");
    // what takes too long is given up
    let slow = ThrottleConfig { wait_put_per_call: Duration::from_secs(3), ..ThrottleConfig::default() };
    let store = ThrottledStore::new(InMemory::new(), slow);
    let checkpoints = Checkpoints::in_store(Bucket::new(store, "runs").unwrap(), 1);
    let begin = Instant::now();
    let error = run(2, 4, Some(&checkpoints.within(Duration::from_millis(50))));
    let text = error.unwrap_err().to_string();
    assert!(text.ends_with("it is not written after 50ms"), "{text}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}
