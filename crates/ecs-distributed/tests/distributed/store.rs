//! Checkpoints in a store that is no folder: written beside the ticks, from which a run that was
//! killed at any moment resumes; stores that are full, slow, or gone.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs_distributed::{Checkpoints, InProcess, RunError, Store, Worker};

use crate::settlers::{Settlers, hash_of, run_ticks};

type Objects = BTreeMap<String, Vec<u8>>;

/// A store in memory. Clones are the same store.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    objects: Arc<Mutex<Objects>>,
    /// The number of changes that were tried.
    changes: Arc<AtomicUsize>,
    /// The number of changes after which all fail, as if the program were killed; 0 for none.
    last: usize,
    /// A lock that stops all changes.
    gate: Arc<Mutex<()>>,
    /// The method that fails: `list`, or `get` of manifests.
    broken: Arc<Mutex<&'static str>>,
}

impl Memory {
    pub(crate) fn checkpoints(&self) -> Checkpoints {
        Checkpoints::in_store(self.clone(), 7)
    }

    fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }

    fn check(&self, method: &str) -> io::Result<()> {
        let is_broken = *self.broken.lock().unwrap() == method;
        if is_broken { Err(io::Error::other("no answer")) } else { Ok(()) }
    }

    fn change(&self, change: impl FnOnce(&mut Objects)) -> io::Result<()> {
        drop(self.gate.lock().unwrap());
        let before = self.changes.load(SeqCst);
        let is_last = self.last > 0 && before >= self.last;
        if !is_last {
            change(&mut self.objects.lock().unwrap());
        }
        self.changes.fetch_add(1, SeqCst);
        if is_last { Err(io::Error::other("quota exceeded")) } else { Ok(()) }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("memory:")
    }
}

impl Store for Memory {
    fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        self.change(|objects| _ = objects.insert(name.to_owned(), parts.concat()))
    }

    fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        if name.ends_with("manifest") {
            self.check("get")?;
        }
        self.objects.lock().unwrap().get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.check("list")?;
        Ok(self.names())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.change(|objects| _ = objects.remove(name))
    }
}

/// Runs up to a tick, with a checkpoint begun after each tick, and returns the tick at which each
/// worker began, and the hash.
fn run(workers: usize, ticks: u64, checkpoints: &Checkpoints) -> Result<Vec<(u64, u64)>, RunError> {
    InProcess::run(workers, |mut exchange| {
        let mut worker = match Worker::resume(Settlers::new(), &mut exchange, checkpoints)? {
            Some(worker) => worker,
            None => Worker::new(Settlers::new(), &mut exchange)?,
        };
        let begin = worker.ticks();
        while worker.ticks() < ticks {
            worker.tick()?;
            worker.begin_checkpoint(checkpoints)?;
        }
        worker.end_checkpoint()?;
        Ok((begin, worker.hash()?))
    })
}

#[test]
fn whole_checkpoints_and_parts_give_the_same_hash_on_any_number_of_workers() {
    let expected = hash_of(1, 14);
    for whole_every in [1, 3, 8] {
        for (before, after) in [(3, 3), (3, 1), (2, 5)] {
            let memory = Memory::default();
            let checkpoints = memory.checkpoints().whole_every(whole_every);
            assert_eq!(run(before, 8, &checkpoints), Ok(vec![(0, hash_of(1, 8)); before]));
            // two checkpoints, and what they need: parts of a chain back to its whole one
            let first = match whole_every {
                1 => 7,
                3 => 7, // 1, 4 and 7 are whole
                _ => 1,
            };
            let names = memory.names();
            assert_eq!(names[0], format!("tick-{first:010}/manifest"), "{names:?}");
            assert_eq!(names.len() as u64, (9 - first) * (1 + before as u64), "{names:?}");
            assert_eq!(
                run(after, 14, &checkpoints),
                Ok(vec![(8, expected); after]),
                "{whole_every} {before} {after}"
            );
        }
    }
}

/// A run is killed after each number of changes to the store.
#[test]
fn a_run_that_is_killed_at_any_moment_resumes_to_the_same_hash() {
    let expected = hash_of(1, 7);
    let mut resumed = Vec::new();
    for last in 1.. {
        let memory = Memory { last, ..Memory::default() };
        let checkpoints = memory.checkpoints().whole_every(3);
        let killed = run(3, 7, &checkpoints);
        let survivor = Memory { last: 0, ..memory.clone() };
        let again = run(2, 7, &survivor.checkpoints().whole_every(3)).unwrap();
        assert_eq!(again[0].1, expected, "killed after change {last}");
        resumed.push(again[0].0);
        if killed.is_ok() {
            assert!(memory.changes.load(SeqCst) <= last);
            break;
        }
    }
    // nothing is lost but the last ticks
    assert!(resumed.is_sorted() && resumed.len() > 30, "{resumed:?}");
    resumed.dedup();
    assert_eq!(resumed, (0..=7).collect::<Vec<_>>());
}

/// Each object of each checkpoint of a chain.
#[test]
fn a_missing_or_damaged_part_is_named_or_passed_over() {
    let memory = Memory::default();
    let checkpoints = memory.checkpoints();
    // nobody moves to another worker, so that most ids stay where they are in the state
    let many = || Settlers { settlers: 3000, ..Settlers::new() };
    let written = InProcess::run(1, |exchange| {
        let mut worker = Worker::new(many(), exchange)?;
        (0..4).try_for_each(|_| {
            worker.tick()?;
            worker.checkpoint(&checkpoints)
        })
    });
    assert_eq!(written, Ok(vec![()]));
    let whole = memory.objects.lock().unwrap().clone();
    assert_eq!(whole.len(), 4 * 2);
    for name in whole.keys() {
        let tick: u64 = name[5..15].parse().unwrap();
        for damages in [false, true] {
            let mut objects = whole.clone();
            if damages {
                objects.get_mut(name).unwrap().iter_mut().for_each(|byte| *byte ^= 1);
            } else {
                objects.remove(name);
            }
            *memory.objects.lock().unwrap() = objects;
            let begun = InProcess::run(3, |exchange| {
                Ok(Worker::resume(many(), exchange, &checkpoints)?.map(|worker| worker.ticks()))
            });
            let begun = begun.map(|begun| begun[0].expect("there are others"));
            match (tick, name.ends_with("manifest")) {
                // the others need no manifest of an earlier one
                (4, _) => assert_eq!(begun, Ok(3), "{name}"),
                (_, true) => assert_eq!(begun, Ok(4), "{name}"),
                // the first one is whole, and all need it
                (1, _) => {
                    let text = begun.unwrap_err().to_string();
                    assert!(text.contains(&format!("memory:/{name}")), "{name}: {text}");
                }
                // those after it may need it
                _ => assert!(
                    begun.as_ref().is_ok_and(|begun| (tick - 1..=4).contains(begun)),
                    "{name}: {begun:?}"
                ),
            }
        }
    }
}

/// The error of a store reaches all workers in a later tick, and nothing of the checkpoint stays.
#[test]
fn a_full_store_is_an_error_of_all_workers_and_the_run_goes_on() {
    // two files and the manifest, then three changes that fail
    let memory = Memory { last: 4, ..Memory::default() };
    let roomy = Memory { last: 0, ..memory.clone() };
    let hashes = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        run_ticks(&mut worker, 1)?;
        worker.checkpoint(&memory.checkpoints())?;
        run_ticks(&mut worker, 1)?;
        worker.begin_checkpoint(&memory.checkpoints())?;
        run_ticks(&mut worker, 3)?;
        let error = worker.begin_checkpoint(&memory.checkpoints()).unwrap_err().to_string();
        let named = (0..2).any(|own| {
            error == format!("worker {own}: memory:/tick-0000000002/worker-000{own}: quota exceeded")
        });
        assert!(named, "{error}");
        run_ticks(&mut worker, 1)?;
        worker.checkpoint(&roomy.checkpoints())?;
        worker.hash()
    });
    assert_eq!(hashes, Ok(vec![hash_of(1, 6); 2]));
    assert_eq!(run(3, 9, &roomy.checkpoints()), Ok(vec![(6, hash_of(1, 9)); 3]));
}

/// Objects that may be needed are not removed, and a checkpoint whose manifest is written is
/// complete.
#[test]
fn a_store_that_does_not_answer_loses_no_checkpoint() {
    for broken in ["get", "list", "damaged"] {
        let memory = Memory::default();
        let checkpoints = memory.checkpoints().whole_every(3);
        let hashes = InProcess::run(2, |exchange| {
            let mut worker = Worker::new(Settlers::new(), exchange)?;
            for tick in 1..=6 {
                worker.tick()?;
                // 1 and 4 are whole, and 3, which stays at first, needs 1
                if worker.index() == 0 && tick == 4 {
                    *memory.broken.lock().unwrap() = broken;
                    if broken == "damaged" {
                        let mut objects = memory.objects.lock().unwrap();
                        objects.insert("tick-0000000003/manifest".to_owned(), b"half".to_vec());
                    }
                }
                worker.sum(&[])?;
                worker.checkpoint(&checkpoints)?;
                if tick == 4 {
                    assert_eq!(memory.names().len(), 4 * 3, "{broken}");
                }
                worker.sum(&[])?;
                *memory.broken.lock().unwrap() = "";
            }
            worker.hash()
        });
        assert_eq!(hashes, Ok(vec![hash_of(1, 6); 2]));
        assert_eq!(memory.names().len(), 3 * 3, "{broken}: {:?}", memory.names());
        // a run that begins does not know what it may remove
        *memory.broken.lock().unwrap() = broken;
        assert_eq!(run(2, 6, &checkpoints).is_ok(), broken == "damaged");
        assert_eq!(memory.names().len(), 3 * 3);
        *memory.broken.lock().unwrap() = "";
        assert_eq!(run(2, 8, &checkpoints), Ok(vec![(6, hash_of(1, 8)); 2]));
    }
}

#[test]
fn a_slow_store_does_not_delay_ticks_and_is_given_up() {
    let memory = Memory::default();
    let checkpoints = memory.checkpoints().within(Duration::from_millis(100));
    let hashes = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        worker.tick()?;
        let stopped = (worker.index() == 0).then(|| memory.gate.lock().unwrap());
        worker.sum(&[])?;
        worker.begin_checkpoint(&checkpoints)?;
        worker.tick()?;
        let error = worker.end_checkpoint().unwrap_err().to_string();
        assert!(
            error.ends_with("memory:/tick-0000000001/worker-0000: it is not written after 100ms"),
            "{error}"
        );
        // the threads are still at it
        let busy = worker.checkpoint(&checkpoints).unwrap_err().to_string();
        assert!(busy.ends_with("the store is busy with an earlier one"), "{busy}");
        worker.sum(&[])?;
        drop(stopped);
        // each thread writes its file, and removes it
        while memory.changes.load(SeqCst) < 4 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(memory.names(), [""; 0]);
        worker.sum(&[])?;
        worker.tick()?;
        // until the threads have ended, which all workers see together
        while let Err(error) = worker.checkpoint(&memory.checkpoints()) {
            assert!(error.to_string().ends_with("the store is busy with an earlier one"), "{error}");
        }
        worker.hash()
    });
    assert_eq!(hashes, Ok(vec![hash_of(1, 3); 2]));
    assert_eq!(memory.names().len(), 3);
}

/// A worker that writes no checkpoint would wait for the others in vain.
#[test]
fn a_checkpoint_that_a_part_of_the_workers_begins_is_an_error_in_the_next_tick() {
    let memory = Memory::default();
    let error = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        worker.tick()?;
        worker.checkpoint(&memory.checkpoints())?;
        worker.tick()?;
        if worker.index() == 1 {
            worker.begin_checkpoint(&memory.checkpoints())?;
        }
        worker.tick()
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("not all workers write a checkpoint"), "{text}");
}
