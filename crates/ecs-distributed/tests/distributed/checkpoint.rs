//! Checkpoints, and runs that resume from them.

use std::fs;
use std::path::PathBuf;

use ecs_distributed::{Checkpoints, InProcess, Model, RunError, Worker};

use crate::settlers::{Settlers, hash_of, run_ticks};
use crate::street::{self, Houses};

/// A folder that is removed when the test ends.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ecs-distributed-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(&self.0, 7)
    }

    /// The names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A file of the checkpoint of a tick.
    fn file(&self, tick: u64, name: &str) -> PathBuf {
        self.0.join(format!("tick-{tick:010}")).join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a number of ticks with a checkpoint every five ticks, and begins with the newest one.
/// Returns the tick at which each worker began, and the hash.
fn run(workers: usize, ticks: u64, checkpoints: &Checkpoints) -> Result<Vec<(u64, u64)>, RunError> {
    InProcess::run(workers, |mut exchange| {
        let resumed = Worker::resume(Settlers::new(), &mut exchange, checkpoints)?;
        let mut worker = match resumed {
            Some(worker) => worker,
            None => Worker::new(Settlers::new(), &mut exchange)?,
        };
        let begin = worker.ticks();
        let mut hash = worker.hash()?;
        while worker.ticks() < ticks {
            hash = run_ticks(&mut worker, 1)?;
            if worker.ticks().is_multiple_of(5) {
                worker.checkpoint(checkpoints)?;
            }
        }
        Ok((begin, hash))
    })
}

#[test]
fn a_run_resumes_to_the_same_hash() {
    let folder = Folder::new("resumes");
    let hash = hash_of(1, 20);
    assert_eq!(run(3, 13, &folder.checkpoints()).unwrap(), vec![(0, hash_of(1, 13)); 3]);
    assert_eq!(folder.names(), ["tick-0000000005", "tick-0000000010"]);
    assert_eq!(run(3, 20, &folder.checkpoints()).unwrap(), vec![(10, hash); 3]);
    assert_eq!(folder.names(), ["tick-0000000015", "tick-0000000020"]);
}

/// The second one would replace files with pieces by files that need them.
#[test]
fn a_second_checkpoint_of_a_tick_leaves_the_first() {
    let folder = Folder::new("twice");
    let begin = |resumes: bool| {
        let hashes = InProcess::run(2, |mut exchange| {
            let mut worker = match resumes {
                true => Worker::resume(Settlers::new(), &mut exchange, &folder.checkpoints())?.unwrap(),
                false => Worker::new(Settlers::new(), &mut exchange)?,
            };
            if !resumes {
                run_ticks(&mut worker, 5)?;
            }
            worker.checkpoint(&folder.checkpoints())?;
            worker.checkpoint(&folder.checkpoints())?;
            worker.hash()
        });
        assert_eq!(hashes, Ok(vec![hash_of(1, 5); 2]));
        fs::read(folder.file(5, "worker-0001")).unwrap()
    };
    let first = begin(false);
    assert_eq!(begin(true), first);
    assert_eq!(run(2, 10, &folder.checkpoints()), Ok(vec![(5, hash_of(1, 10)); 2]));
}

#[test]
fn a_run_resumes_with_another_number_of_workers() {
    let hash = hash_of(1, 20);
    for (before, after) in [(1, 3), (4, 1), (2, 5), (5, 2)] {
        let folder = Folder::new(&format!("workers-{before}-{after}"));
        run(before, 10, &folder.checkpoints()).unwrap();
        assert_eq!(
            run(after, 20, &folder.checkpoints()).unwrap(),
            vec![(10, hash); after],
            "{before} to {after}"
        );
    }
}

#[test]
fn an_unfinished_or_damaged_checkpoint_is_passed_over() {
    let hash = hash_of(1, 20);
    for damage in ["no manifest", "half a manifest", "damaged file", "no file", "only temporary files"] {
        let folder = Folder::new(&damage.replace(' ', "-"));
        run(2, 10, &folder.checkpoints()).unwrap();
        let (manifest, file) = (folder.file(10, "manifest"), folder.file(10, "worker-0001"));
        match damage {
            "no manifest" => fs::remove_file(manifest).unwrap(),
            "half a manifest" => {
                let text = fs::read(&manifest).unwrap();
                fs::write(&manifest, &text[..text.len() / 2]).unwrap();
            }
            "damaged file" => {
                let mut bytes = fs::read(&file).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                fs::write(&file, bytes).unwrap();
            }
            "no file" => fs::remove_file(file).unwrap(),
            _ => {
                fs::remove_file(manifest).unwrap();
                fs::rename(&file, file.with_extension("part")).unwrap();
            }
        }
        assert_eq!(run(2, 20, &folder.checkpoints()).unwrap(), vec![(5, hash); 2], "{damage}");
    }
}

#[test]
fn without_a_whole_checkpoint_there_is_an_error() {
    let folder = Folder::new("none-is-whole");
    run(2, 10, &folder.checkpoints()).unwrap();
    for tick in [5, 10] {
        fs::write(folder.file(tick, "worker-0001"), b"nothing").unwrap();
    }
    let error = run(2, 20, &folder.checkpoints()).unwrap_err();
    assert!(matches!(error, RunError::Checkpoint(_)), "{error}");
    assert!(
        error.to_string().starts_with("worker 1: ") && error.to_string().ends_with("is damaged"),
        "{error}"
    );
}

/// A run that would begin anew beside a damaged checkpoint would remove it with its own.
#[test]
fn a_folder_with_damaged_manifests_only_is_an_error() {
    let folder = Folder::new("manifests");
    run(2, 10, &folder.checkpoints()).unwrap();
    for tick in [5, 10] {
        let path = folder.file(tick, "manifest");
        let mut bytes = fs::read(&path).unwrap();
        bytes[60] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    let error = run(2, 20, &folder.checkpoints()).unwrap_err().to_string();
    assert!(error.contains("manifest is damaged, and there is no other checkpoint"), "{error}");
    assert_eq!(folder.names(), ["tick-0000000005", "tick-0000000010"]);
}

#[test]
fn each_changed_bit_of_a_manifest_is_found() {
    let folder = Folder::new("bits");
    run(2, 10, &folder.checkpoints()).unwrap();
    let path = folder.file(10, "manifest");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8); // some are no text then
        fs::write(&path, bytes).unwrap();
        let begun = InProcess::run(2, |exchange| {
            Ok(Worker::resume(Settlers::new(), exchange, &folder.checkpoints())?.map(|worker| worker.ticks()))
        });
        assert_eq!(begun, Ok(vec![Some(5); 2]), "byte {at}");
    }
}

#[test]
fn checkpoints_of_another_version_or_space_are_refused() {
    let folder = Folder::new("version");
    run(2, 5, &folder.checkpoints()).unwrap();
    let smaller = || Settlers { grid: ecs_distributed::Grid::new(12, 39), ..Settlers::new() };
    let error = InProcess::run(2, |exchange| {
        Ok(Worker::resume(smaller(), exchange, &folder.checkpoints())?.map(|worker| worker.ticks()))
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("belongs to a run whose space has not 468 places"), "{error}");
    // as a later version would write it: with its own title, and the right hash
    let path = folder.file(5, "manifest");
    let text = fs::read_to_string(&path).unwrap();
    let (body, _) = text.rsplit_once("end ").unwrap();
    let body = body.replace("version 3", "version 4");
    let end = twox_hash::XxHash3_128::oneshot(body.as_bytes());
    fs::write(&path, format!("{body}end {end:032x}\n")).unwrap();
    let error = run(2, 10, &folder.checkpoints()).unwrap_err().to_string();
    assert!(error.contains("was written by another version of the library"), "{error}");
}

/// Workers that do not call the same methods write no checkpoint that cannot be loaded.
#[test]
fn a_checkpoint_of_a_part_of_the_workers_is_an_error() {
    let folder = Folder::new("part");
    run(2, 5, &folder.checkpoints()).unwrap();
    for other in ["a tick", "nothing", "a sum"] {
        let error = InProcess::run(2, |mut exchange| {
            let resumed = Worker::resume(Settlers::new(), &mut exchange, &folder.checkpoints())?;
            let mut worker = resumed.expect("there is a checkpoint");
            run_ticks(&mut worker, 5)?;
            match (worker.index(), other) {
                (0, _) => worker.checkpoint(&folder.checkpoints()),
                (_, "a tick") => worker.tick(),
                (_, "a sum") => worker.sum(&[0, 0]).map(drop),
                _ => Err(RunError::System("no more ink".to_owned())),
            }
        });
        let error = error.unwrap_err();
        assert!(other == "nothing" || error.to_string().contains("the same methods"), "{error}");
        assert!(!folder.file(10, "manifest").exists(), "{other}");
        assert_eq!(run(2, 5, &folder.checkpoints()).unwrap(), vec![(5, hash_of(1, 5)); 2], "{other}");
    }
}

/// A run that begins anew would remove the checkpoints of another one.
#[test]
fn a_folder_with_checkpoints_of_another_run_is_refused() {
    let folder = Folder::new("another");
    run(2, 10, &folder.checkpoints()).unwrap();
    fs::write(folder.file(5, "manifest"), b"damaged").unwrap();
    let whole = fs::read(folder.file(10, "worker-0001")).unwrap();
    let other = Folder::new("another-of-its-own");
    let errors = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        run_ticks(&mut worker, 10)?;
        let error = worker.checkpoint(&folder.checkpoints()).unwrap_err();
        worker.checkpoint(&other.checkpoints())?;
        run_ticks(&mut worker, 1)?;
        worker.checkpoint(&other.checkpoints())?;
        Ok(error)
    });
    for error in errors.unwrap() {
        let text = format!(
            "worker 0: {} has the checkpoint of tick 10 of another run, which this one would remove: continue from it with \
             `Worker::resume`, choose another folder, or remove this one",
            folder.0.display()
        );
        assert_eq!(error.to_string(), text);
    }
    assert_eq!(fs::read(folder.file(10, "worker-0001")).unwrap(), whole);
    assert_eq!(folder.names(), ["tick-0000000005", "tick-0000000010"]);
    assert_eq!(other.names(), ["tick-0000000010", "tick-0000000011"]);
}

#[test]
fn checkpoints_of_other_settings_are_refused() {
    let folder = Folder::new("settings");
    run(2, 5, &folder.checkpoints()).unwrap();
    let error = run(2, 5, &Checkpoints::new(&folder.0, 8)).unwrap_err();
    assert!(error.to_string().contains("belongs to a run with other settings"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_of_all_workers() {
    let folder = Folder::new("file");
    fs::write(&folder.0, b"a file in the place of the folder").unwrap();
    let errors = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        Ok(worker.checkpoint(&folder.checkpoints()).unwrap_err())
    });
    for error in errors.unwrap() {
        assert!(error.to_string().starts_with("worker 0: "), "{error}");
    }
    fs::remove_file(&folder.0).unwrap();
}

/// `/dev/full` is a disk on which there is no room.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_on_a_full_disk_and_the_run_goes_on() {
    for (full, name) in [("worker-0001", "worker 1"), ("worker-0000", "worker 0"), ("manifest", "worker 0")] {
        let folder = Folder::new(&format!("full-{full}"));
        let hashes = InProcess::run(2, |exchange| {
            let mut worker = Worker::new(Settlers::new(), exchange)?;
            run_ticks(&mut worker, 5)?;
            worker.checkpoint(&folder.checkpoints())?;
            run_ticks(&mut worker, 5)?;
            if worker.index() == 0 {
                fs::create_dir(folder.0.join("tick-0000000010")).unwrap();
                let part = folder.file(10, full).with_extension("part");
                std::os::unix::fs::symlink("/dev/full", part).unwrap();
            }
            worker.sum(&[])?; // waits for worker 0
            let error = worker.checkpoint(&folder.checkpoints()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}: ")) && error.contains("No space left"), "{error}");
            worker.sum(&[])?;
            assert_eq!(folder.names(), ["tick-0000000005"], "{full}");
            run_ticks(&mut worker, 5)?;
            worker.checkpoint(&folder.checkpoints())?;
            worker.hash()
        });
        assert_eq!(hashes, Ok(vec![hash_of(1, 15); 2]), "{full}");
        assert_eq!(run(3, 20, &folder.checkpoints()).unwrap(), vec![(15, hash_of(1, 20)); 3]);
    }
}

#[test]
fn what_a_killed_run_has_left_is_removed_when_the_next_one_begins() {
    let folder = Folder::new("left");
    run(2, 10, &folder.checkpoints()).unwrap();
    let leave = |tick: u64, names: &[&str]| {
        fs::create_dir_all(folder.file(tick, "x").parent().unwrap()).unwrap();
        names.iter().for_each(|name| fs::write(folder.file(tick, name), b"half").unwrap());
    };
    leave(10, &["manifest.part", "worker-0007.part"]);
    leave(15, &["worker-0000", "worker-0001.part", "manifest.part"]);
    leave(20, &["worker-0000", "notes"]);
    let begun = InProcess::run(2, |exchange| {
        Ok(Worker::resume(Settlers::new(), exchange, &folder.checkpoints())?.map(|worker| worker.ticks()))
    });
    assert_eq!(begun, Ok(vec![Some(10); 2]));
    // a file of another program stays
    assert_eq!(folder.names(), ["tick-0000000005", "tick-0000000010", "tick-0000000020"]);
    assert_eq!(fs::read_dir(folder.0.join("tick-0000000010")).unwrap().count(), 3);
    assert!(folder.file(20, "notes").exists() && !folder.file(20, "worker-0000").exists());
    // also in a folder without a whole checkpoint
    let other = Folder::new("left-alone");
    fs::create_dir_all(other.0.join("tick-0000000003")).unwrap();
    fs::write(other.file(3, "worker-0000.part"), b"half").unwrap();
    let written = InProcess::run(2, |exchange| {
        Worker::new(Settlers::new(), exchange)?.checkpoint(&other.checkpoints())
    });
    assert_eq!(written, Ok(vec![(); 2]));
    assert_eq!(other.names(), ["tick-0000000000"]);
}

/// Totals and messages that a checkpoint has would go to others.
#[test]
fn a_checkpoint_of_a_model_with_other_shared_resources_is_refused() {
    fn resume<const LIST: usize>(folder: &Folder) -> Result<Vec<u64>, RunError>
    where
        Houses<LIST>: Model,
    {
        InProcess::run(2, |exchange| {
            let houses = Houses::<LIST>::new(|_, _| ());
            let worker = Worker::resume(houses, exchange, &folder.checkpoints())?;
            Ok(worker.expect("there is a checkpoint").ticks())
        })
    }
    let folder = Folder::new("shared");
    let written = InProcess::run(2, |exchange| {
        let mut worker = street::worker(exchange, |_, _| ())?;
        worker.tick()?;
        worker.checkpoint(&folder.checkpoints())
    });
    assert_eq!(written, Ok(vec![(); 2]));
    assert_eq!(resume::<0>(&folder), Ok(vec![1; 2]));
    for (result, name) in [
        (resume::<1>(&folder), "Totals<(), i64>"),
        (resume::<2>(&folder), "Totals<(), i64>"),
        (resume::<3>(&folder), "Totals<alloc::string::String, f64>"),
        (resume::<4>(&folder), "Messages<alloc::string::String>"),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains("another version of the model") && error.contains(name), "{error}");
    }
}
