//! Random models with all that workers exchange, on different numbers of workers, through
//! checkpoints: the same hash, totals and lost messages.

use ecs::World;
use ecs_distributed::{Checkpoints, Exchange, Grid, InProcess, RunError, Worker};

use crate::checkpoint::Folder;
use crate::crowd::{Crowd, Gift, Note, Purses, Setting};
use crate::store::Memory;

/// The parts of a run that must be equal: the hash, the totals as text, and the numbers of lost
/// messages.
type Result = (u64, String, [u64; 2]);

const TICKS: u64 = 24;

fn result<const DIVIDES: bool, E: Exchange>(
    worker: &mut Worker<Crowd<DIVIDES>, E>,
) -> std::result::Result<Result, RunError> {
    let hash = worker.hash()?;
    let world = worker.world();
    let totals = world.resource::<Purses>().iter().map(|total| format!("{total:?}")).collect();
    let lost = [
        world.resource::<ecs_distributed::Messages<Gift>>().lost(),
        world.resource::<ecs_distributed::Messages<Note>>().lost(),
    ];
    Ok((hash, totals, lost))
}

pub(crate) fn setting(seed: u64) -> Setting {
    let grid = Grid::new(4 + seed as u32 % 5, 5 + seed as u32 % 8);
    Setting { grid, people: 180, seed, tick: 0, gather: 6 + seed % 9, changes: true }
}

/// Runs on a number of workers, with checkpoints beside the ticks, whole and in parts, and goes on
/// from the last one with another number.
fn run<const DIVIDES: bool>(seed: u64, before: usize, after: usize) -> Vec<Result> {
    let checkpoints = Memory::default().checkpoints().whole_every(1 + seed % 5);
    let model = || Crowd::<DIVIDES>(setting(seed));
    let middle = 3 + seed % 17;
    InProcess::run(before, |exchange| {
        let mut worker = Worker::new(model(), exchange)?.rebalance_every(seed % 4);
        for tick in 1..=middle {
            worker.tick()?;
            if (middle - tick).is_multiple_of(1 + seed % 3) {
                worker.begin_checkpoint(&checkpoints)?;
            }
        }
        worker.end_checkpoint()
    })
    .expect("the run succeeds");
    let results = InProcess::run(after, |exchange| {
        let resumed = Worker::resume(model(), exchange, &checkpoints)?.expect("there is a checkpoint");
        let mut worker = if seed.is_multiple_of(3) { resumed.rebalance_by_time() } else { resumed };
        (middle..TICKS).try_for_each(|_| worker.tick())?;
        result(&mut worker)
    });
    results.expect("the run succeeds")
}

/// The result of one worker.
fn alone<const DIVIDES: bool>(seed: u64) -> Result {
    let alone = InProcess::run(1, |exchange| {
        let mut worker = Worker::new(Crowd::<DIVIDES>(setting(seed)), exchange)?;
        (0..TICKS).try_for_each(|_| worker.tick())?;
        result(&mut worker)
    });
    alone.expect("the run succeeds").remove(0)
}

fn check<const DIVIDES: bool>(seed: u64) {
    let expected = alone::<DIVIDES>(seed);
    assert!(expected.2[0] > 0, "some gifts are lost: {expected:?}");
    for before in 1..5 {
        let after = 1 + (before + seed as usize) % 4;
        let results = run::<DIVIDES>(seed, before, after);
        assert_eq!(results, vec![expected.clone(); after], "seed {seed}, {before} to {after} workers");
    }
}

/// A worker that is killed ends the run of all, and the run goes on from the last checkpoint with
/// one worker less.
#[test]
fn a_run_of_which_a_worker_was_killed_goes_on_to_the_same_result() {
    for seed in 0..4 {
        let folder = Folder::new(&format!("killed-{seed}"));
        let checkpoints = Checkpoints::new(&folder.0, seed);
        let error = InProcess::run(3, |exchange| {
            let mut worker = Worker::new(Crowd::<true>(setting(seed)), exchange)?;
            loop {
                worker.tick()?;
                match (worker.ticks() % 5, worker.index()) {
                    (0, _) => worker.checkpoint(&checkpoints)?,
                    // it ends without a word
                    (3, 1) if worker.ticks() > 10 => return Ok(()),
                    _ => {}
                }
            }
        });
        assert!(matches!(error, Err(RunError::Lost { .. })), "{error:?}");
        let results = InProcess::run(2, |exchange| {
            let resumed = Worker::resume(Crowd::<true>(setting(seed)), exchange, &checkpoints)?;
            let mut worker = resumed.expect("there is a checkpoint");
            assert_eq!(worker.ticks(), 10);
            (worker.ticks()..TICKS).try_for_each(|_| worker.tick())?;
            result(&mut worker)
        });
        assert_eq!(results, Ok(vec![alone::<true>(seed); 2]), "seed {seed}");
    }
}

/// The number of seeds: all of them before a change lands.
fn seeds() -> std::ops::Range<u64> {
    0..if std::env::var("ROUNDS").is_ok_and(|rounds| rounds == "all") { 40 } else { 4 }
}

#[test]
fn results_are_equal_for_each_number_of_workers_and_through_checkpoints() {
    seeds().for_each(check::<false>);
}

#[test]
fn results_are_equal_if_places_are_divided() {
    seeds().for_each(check::<true>);
}
