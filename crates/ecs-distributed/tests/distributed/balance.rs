//! The loads of workers when all people walk into a corner.

use ecs::World;
use ecs_distributed::{Grid, InProcess, Worker};

use crate::crowd::{Crowd, Setting, Spot};

/// The entities of each worker in each tick from 20 ticks after all have begun to walk into the
/// corner, and the hash.
fn crowded<const DIVIDES: bool>(workers: usize, by_time: bool) -> Vec<(Vec<u64>, u64)> {
    let grid = Grid::new(16, 16);
    let setting = Setting { grid, people: 1500, seed: 1, tick: 0, gather: 5, changes: false };
    let runs = InProcess::run(workers, |exchange| {
        let mut worker = Worker::new(Crowd::<DIVIDES>(setting), exchange)?;
        if by_time {
            worker = worker.rebalance_by_time();
        }
        let mut loads = Vec::new();
        for tick in 0..42 {
            worker.tick()?;
            if tick >= setting.gather + 20 {
                loads.push(worker.world().query::<&Spot>().len() as u64);
            }
        }
        Ok((loads, worker.hash()?))
    });
    runs.expect("the run succeeds")
}

/// The largest load of each tick, in percent of the mean.
fn largest(runs: &[(Vec<u64>, u64)]) -> Vec<u64> {
    let loads = |tick: usize| runs.iter().map(move |(loads, _)| loads[tick]);
    let percent = |tick| loads(tick).max().unwrap_or(0) * 100 * runs.len() as u64 / loads(tick).sum::<u64>();
    (0..runs[0].0.len()).map(percent).collect()
}

#[test]
fn a_crowd_in_a_corner_is_divided_among_all_workers() {
    let alone = crowded::<true>(1, false)[0].1;
    for workers in [2, 4] {
        let runs = crowded::<true>(workers, false);
        let largest = largest(&runs);
        assert!(largest.iter().all(|&percent| percent <= 115), "{largest:?}");
        assert!(runs.iter().all(|run| run.1 == alone));
    }
    // at the end more than a half is in one place, which no partition of whole places divides
    let whole = crowded::<false>(4, false);
    assert!(largest(&whole).last().is_some_and(|&percent| percent > 200));
    assert!(whole.iter().all(|run| run.1 == alone));
    let by_time = crowded::<true>(3, true);
    assert!(by_time.iter().all(|run| run.1 == alone));
}

/// A worker whose entities take longer gets fewer of them.
#[test]
fn a_measured_time_is_balanced() {
    use std::time::Duration;

    use crate::street::{self, House};

    // the entities of the first houses take 20 milliseconds each
    let counts = InProcess::run(2, |exchange| {
        let mut worker = street::worker(exchange, |street, _| {
            let slow = street.query::<&House>().iter().filter(|house| house.0 < 3).count();
            std::thread::sleep(Duration::from_millis(20 * slow as u64));
        })?
        .rebalance_every(1)
        .rebalance_by_time();
        for _ in 0..4 {
            worker.tick()?;
        }
        Ok((worker.world().query::<&House>().len(), worker.stats().slowest))
    });
    let counts = counts.expect("the run succeeds");
    assert_eq!(counts[0].0 + counts[1].0, 10);
    assert!(counts[0].0 <= 3, "{counts:?}");
    assert!(counts[0].1 == counts[1].1, "{counts:?}");
}

#[test]
fn metrics_are_lines_of_names_and_numbers() {
    let texts = InProcess::run(2, |exchange| {
        let mut worker = crate::street::worker(exchange, |_, _| ())?;
        (0..3).try_for_each(|_| worker.tick())?;
        Ok(worker.metrics())
    });
    let text = &texts.expect("the run succeeds")[1];
    assert!(text.contains("# TYPE ecs_worker_tick gauge\necs_worker_tick{worker=\"1\"} 3\n"), "{text}");
    assert!(text.contains("\necs_worker_entities{worker=\"1\"} 5\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, number) = line.split_once(' ').expect("a name and a number");
        assert!(name.starts_with("ecs_worker_") && name.ends_with("{worker=\"1\"}"), "{line}");
        assert!(number.parse::<f64>().is_ok_and(|number| number >= 0.0), "{line}");
    }
}
