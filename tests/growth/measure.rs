//! The cost of a piece of work, and the comparison of costs with what the documentation says.
//!
//! The cost is the time that the processor spends on the thread, which other programs of the
//! machine change little. Counters of instructions would be exact, but most virtual machines have
//! none, and they do not count the words that one instruction moves.

use std::hint::black_box;
use std::time::Duration;

use ecs_tests::thread_time;

/// The number of entities, edges or calls to begin with. The second size is ten times as large,
/// and the third, which is measured where the second costs too much, forty times.
pub(crate) const SMALL: usize = 10_000;

/// The growth of a cost when everything is ten times as large.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Growth {
    /// In proportion: about ten times, with a logarithm and with more misses of the caches up to
    /// thirty-five times.
    Linear,
    /// As the square, which the documentation says: about a hundred times.
    Square,
}

impl Growth {
    /// The quotient of the costs at ten times the size that is too large, unless what does not fit
    /// into the caches any more explains it.
    fn limit(self) -> f64 {
        match self {
            Self::Linear => 45.0,
            Self::Square => 350.0,
        }
    }

    /// The quotient of the costs at four times a size that is too large in any case. A cache that
    /// is too small makes a cost larger once; a square grows sixteen times, again and again.
    fn further_limit(self) -> f64 {
        match self {
            Self::Linear => 11.0,
            Self::Square => 45.0,
        }
    }
}

/// A verb of the library in one situation.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) growth: Growth,
    /// Prepares a world of this size, and returns the cost of the verb, by [`cost`].
    pub(crate) run: fn(usize) -> Duration,
}

/// The cost of a call. Its result is dropped later.
pub(crate) fn cost<R>(f: impl FnOnce() -> R) -> Duration {
    let start = thread_time();
    let result = black_box(f());
    let time = thread_time() - start;
    drop(result);
    time
}

/// The smallest costs at both sizes, of as many runs as are needed to see that the growth is right,
/// or of `MOST` runs.
fn costs(row: &Row) -> (Duration, Duration) {
    const MOST: usize = 4;
    let small = || (row.run)(SMALL);
    let mut costs = (small().min(small()), (row.run)(10 * SMALL));
    for _ in 1..MOST {
        if quotient(costs) < row.growth.limit() {
            break;
        }
        costs = (costs.0.max(small()), costs.1.min((row.run)(10 * SMALL)));
    }
    costs
}

fn quotient((small, large): (Duration, Duration)) -> f64 {
    // a cost of less than a microsecond is that of nothing
    large.as_secs_f64() / small.as_secs_f64().max(1e-6)
}

/// Measures all rows whose name contains the variable `GROWTH`, prints the table, and fails with
/// the rows that grow too fast.
pub(crate) fn check(rows: &[Row]) {
    let only = std::env::var("GROWTH").unwrap_or_default();
    let mut wrong = Vec::new();
    println!("{:<72} {:>8} {:>12} {:>12} {:>6}", "", "growth", SMALL, 10 * SMALL, "times");
    for row in rows.iter().filter(|row| row.name.contains(&only)) {
        let (small, large) = costs(row);
        let times = quotient((small, large));
        let line = format!(
            "{:<72} {:>8} {:>9.3} ms {:>9.3} ms {times:>6.1}",
            row.name,
            format!("{:?}", row.growth),
            small.as_secs_f64() * 1e3,
            large.as_secs_f64() * 1e3
        );
        println!("{line}");
        if times < row.growth.limit() {
            continue;
        }
        let further = (row.run)(40 * SMALL).min((row.run)(40 * SMALL));
        let times = quotient((large, further));
        let line = format!("{line}, and of {}: {times:.1}", 40 * SMALL);
        println!("{line}");
        if times >= row.growth.further_limit() {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "these costs grow faster than documented:\n{}", wrong.join("\n"));
}

/// A list of [`Row`]s: `Linear "name" => |n| { .. };` for each.
macro_rules! rows {
    ($($growth:ident $name:literal => |$n:ident| $run:block;)*) => {
        &[$(Row { name: $name, growth: $growth, run: |$n| $run }),*]
    };
}
pub(crate) use rows;
