//! Failures of workers and of messages, and the errors that they give.

use std::time::{Duration, Instant};

use ecs_distributed::{Exchange, InProcess, RunError, Worker};

use crate::crowd::{Crowd, Setting};
use crate::settlers::Settlers;

#[test]
fn a_worker_that_ends_is_reported_to_the_others() {
    let error = InProcess::run(3, |exchange| {
        let own = exchange.index();
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        for tick in 0..10 {
            if own == 1 && tick == 5 {
                return Ok(());
            }
            worker.tick()?;
        }
        Ok(())
    });
    let error = error.unwrap_err();
    assert!(matches!(error, RunError::Lost { .. }), "{error}");
    assert!(error.to_string().contains("worker"), "{error}");
}

#[test]
fn a_worker_that_hangs_is_reported_by_its_number() {
    let begin = Instant::now();
    let (hang, done) = std::sync::mpsc::channel::<()>();
    let (hang, done) = (std::sync::Mutex::new(Some(hang)), std::sync::Mutex::new(done));
    let errors = InProcess::run(2, |exchange| {
        let own = exchange.index();
        let mut worker = Worker::new(Settlers::new(), exchange.timeout(Duration::from_millis(300)))?;
        worker.tick()?;
        if own == 1 {
            // until worker 0 has given up
            let _ = done.lock().unwrap().recv_timeout(Duration::from_secs(30));
            return Ok(None);
        }
        let error = worker.tick().unwrap_err();
        drop(hang.lock().unwrap().take());
        Ok(Some(error))
    });
    let error = errors.unwrap()[0].clone().unwrap();
    assert!(matches!(&error, RunError::Timeout { missing, .. } if *missing == [1]), "{error}");
    assert!(error.to_string().starts_with("no message of worker 1 for 300ms"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(30));
}

/// Damages the messages of one exchange.
struct Damaging<E> {
    exchange: E,
    /// The number of exchanges before the damaged one.
    left: u32,
    at: usize,
}

impl<E: Exchange> Exchange for Damaging<E> {
    fn index(&self) -> usize {
        self.exchange.index()
    }

    fn workers(&self) -> usize {
        self.exchange.workers()
    }

    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        let mut received = self.exchange.exchange(to_each)?;
        if self.left == 0 && self.index() == 0 {
            let message = &mut received[1];
            let at = self.at % message.len().max(1);
            if let Some(byte) = message.get_mut(at) {
                *byte ^= 0x55;
            }
        }
        self.left = self.left.wrapping_sub(1);
        Ok(received)
    }
}

/// Also in totals, in messages to other workers, and in the answers to them.
#[test]
fn damaged_totals_and_messages_give_errors_and_no_panics() {
    let grid = ecs_distributed::Grid::new(6, 8);
    let setting = Setting { grid, people: 60, seed: 3, tick: 0, gather: 2, changes: true };
    let mut errors = 0;
    for left in 0..24 {
        for at in [3, 21, 144, 610, 1597] {
            let result = InProcess::run(2, |exchange| {
                let damaging = Damaging { exchange, left, at };
                let mut worker = Worker::new(Crowd::<true>(setting), damaging)?;
                (0..6).try_for_each(|_| worker.tick())?;
                worker.hash()
            });
            errors += usize::from(result.is_err());
        }
    }
    assert!(errors > 50, "{errors}");
}

#[test]
fn damaged_messages_give_errors_and_no_panics() {
    let mut errors = 0;
    for left in 3..9 {
        for at in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
            let result = InProcess::run(2, |exchange| {
                let mut worker = Worker::new(Settlers::new(), Damaging { exchange, left, at })?;
                for _ in 0..6 {
                    worker.tick()?;
                }
                worker.hash()
            });
            errors += usize::from(result.is_err());
        }
    }
    assert!(errors > 30, "{errors}");
}
