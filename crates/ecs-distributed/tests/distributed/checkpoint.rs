//! Checkpoints, and runs that resume from them.

use std::fs;
use std::path::PathBuf;

use ecs_distributed::{Checkpoints, InProcess, RunError, Worker};

use crate::settlers::{Settlers, hash_of, run_ticks};

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
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

/// Runs a number of ticks with a checkpoint every five ticks, and begins with the newest one. Returns the tick at which each worker
/// began, and the hash.
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
