//! [`divide`]: division of a range of slots into pieces that several threads run.
//!
//! The time that the function takes decides the division, not the number of slots. The current
//! thread begins alone, with one slot, then a few, and measures them. If the rest would take so
//! long that waking other threads pays, the rest is divided into pieces: large ones first, then
//! smaller ones, down to a duration that is still long beside the cost of handing over a piece. A
//! thread that has taken a piece measures it too, and gives back the rest of a piece that takes
//! longer than expected. So a thousand slots with much work use all threads, and a hundred thousand
//! slots with hardly any use one or two.
//!
//! Callers must not let their result depend on the division, which differs from run to run.

use core::ops::Range;

/// The rule by which loops over the entities of a world are divided among threads.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Division {
    /// By measured time.
    #[default]
    Measured,
    /// The current thread runs all slots, in their order.
    Whole,
    /// Many pieces of one to 256 slots, in no order, on all threads: for tests.
    Tiny,
}

/// The number of slots in a word.
#[cfg(any(feature = "std", test))]
const WORD: usize = 64;

/// The end of a batch of about `size` slots from `at` on, at most `end`. The batch lies within one
/// word, or consists of whole words, if `end` is the end of a word or in the word of `at`.
#[cfg(any(feature = "std", test))]
pub(crate) fn batch_end(at: usize, size: usize, end: usize) -> usize {
    let in_word = !at.is_multiple_of(WORD) || size < WORD;
    if in_word {
        (at + size).min((at / WORD + 1) * WORD).min(end)
    } else {
        ((at + size) & !(WORD - 1)).min(end)
    }
}

/// The number of runners that [`divide`] may use now: one for each thread of the current `rayon`
/// pool, and one for the current thread if it is not part of the pool.
///
/// A current thread outside of the pool does not replace a thread of it. If it did, a loop could
/// use one processor less for its whole time: the operating system may wake a thread on the
/// processor of the current thread, which goes on working.
pub(crate) fn runners(division: Division) -> usize {
    #[cfg(feature = "parallel")]
    if division != Division::Whole {
        let threads = rayon::current_num_threads();
        let is_outside = threads > 1 && rayon::current_thread_index().is_none();
        return threads.max(1) + usize::from(is_outside);
    }
    let _ = division;
    1
}

/// Calls `run` with ranges that do not overlap and together are `slots`, which begins and ends with
/// a word. Each range lies within one word or consists of whole words.
///
/// The first argument is the number of the runner, below `runners`. Calls with the same number
/// happen one after the other. With one runner, the ranges come in ascending order, unless the
/// division is [`Division::Tiny`].
///
/// `run` must not panic.
pub(crate) fn divide(
    slots: Range<usize>,
    division: Division,
    runners: usize,
    run: &(dyn Fn(usize, Range<usize>) + Sync),
) {
    if slots.is_empty() {
        return;
    }
    #[cfg(feature = "parallel")]
    match division {
        Division::Measured if runners > 1 => return parallel::measured(slots, runners, run),
        Division::Tiny => return parallel::tiny(slots, runners, run),
        _ => {}
    }
    let _ = (division, runners);
    run(0, slots);
}

#[cfg(feature = "parallel")]
mod parallel {
    use alloc::vec::Vec;
    use core::ops::Range;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Instant;

    use super::{WORD, batch_end};

    /// The time of a batch: the clock is read after each batch.
    const BATCH_NANOS: u64 = 12_000;
    /// The time of a small piece: it is many times the cost of taking a piece.
    const PIECE_NANOS: u64 = 50_000;
    /// The current thread runs alone for this time, and as long as the rest will take less than a
    /// small piece.
    const ALONE_NANOS: u64 = 10_000;
    /// The most slots in a batch.
    const LONGEST_BATCH: usize = 64 * WORD;

    type Run<'s> = &'s (dyn Fn(usize, Range<usize>) + Sync);

    /// The measured speed.
    #[derive(Clone, Copy)]
    struct Pace {
        /// The picoseconds that a slot of the last batch took.
        picos: u64,
        /// The number of slots in the next batch.
        batch: usize,
    }

    impl Pace {
        const UNKNOWN: Self = Self { picos: 1, batch: 1 };

        /// Notes the time of a batch. Returns the time of its end.
        fn learn(&mut self, slots: usize, began: Instant) -> Instant {
            let now = Instant::now();
            let nanos = nanos_between(began, now);
            self.picos = (nanos.saturating_mul(1_000) / slots as u64).max(1);
            let most = LONGEST_BATCH.min(8 * self.batch.max(slots));
            self.batch = self.slots_of(BATCH_NANOS).clamp(1, most);
            now
        }

        /// The number of slots that take about this time.
        fn slots_of(&self, nanos: u64) -> usize {
            usize::try_from(nanos * 1_000 / self.picos).unwrap_or(usize::MAX)
        }

        /// The time that this number of slots will take, in nanoseconds.
        fn nanos_of(&self, slots: usize) -> u64 {
            self.picos.saturating_mul(slots as u64) / 1_000
        }
    }

    fn nanos_between(began: Instant, now: Instant) -> u64 {
        u64::try_from(now.duration_since(began).as_nanos()).unwrap_or(u64::MAX)
    }

    /// Runs slots on the current thread until it is known that the rest is worth several threads.
    pub(super) fn measured(slots: Range<usize>, runners: usize, run: Run<'_>) {
        let Range { start: mut at, end } = slots;
        let (mut pace, began) = (Pace::UNKNOWN, Instant::now());
        let mut last = began;
        loop {
            // a small batch first, on this thread: short loops never pay for waking others
            let next = batch_end(at, pace.batch, end);
            run(0, at..next);
            let done = next - at;
            at = next;
            if at == end {
                return;
            }
            // each batch improves the estimate of the time per slot
            last = pace.learn(done, last);
            let rest = pace.nanos_of(end - at);
            // waking threads pays only for a long rest, and the first few slots say little about
            // its length
            if rest > PIECE_NANOS && nanos_between(began, last) >= ALONE_NANOS {
                let helpers = usize::try_from(rest / PIECE_NANOS).unwrap_or(usize::MAX).min(runners - 1);
                let ranges = core::iter::once(at..end).collect();
                return Pieces::new(ranges, pace, runners, false, run).run(helpers);
            }
        }
    }

    /// Runs many small pieces, in no order.
    pub(super) fn tiny(slots: Range<usize>, runners: usize, run: Run<'_>) {
        let middle = (slots.start + slots.len() / 2) & !(WORD - 1);
        let ranges = [slots.start..middle, middle..slots.end].into_iter().filter(|range| !range.is_empty());
        Pieces::new(ranges.collect(), Pace::UNKNOWN, runners, true, run).run(runners - 1);
    }

    /// The slots that are left, and the runners.
    struct Pieces<'s> {
        left: Mutex<Left>,
        pace: Pace,
        runners: usize,
        /// Whether this is the division [`Tiny`](super::Division::Tiny).
        tiny: bool,
        run: Run<'s>,
    }

    struct Left {
        /// The ranges that no runner has taken.
        ranges: Vec<Range<usize>>,
        /// The number of slots in them.
        slots: usize,
        /// The numbers of the runners that are not running.
        idle: Vec<usize>,
        /// The number of pieces that were taken.
        taken: usize,
    }

    impl Left {
        /// Takes a piece of at most `most` slots.
        fn take(&mut self, most: usize, tiny: bool) -> Option<Range<usize>> {
            if self.ranges.is_empty() {
                return None;
            }
            self.taken += 1;
            // in tests, pieces of many lengths from all ranges: an error in the order then shows
            let (index, most) = if tiny {
                (self.taken % self.ranges.len(), [1, 64, 3, 256, 17, 7][self.taken % 6])
            } else {
                (self.ranges.len() - 1, most)
            };
            let range = &mut self.ranges[index];
            let piece = range.start..batch_end(range.start, most, range.end);
            range.start = piece.end;
            if range.start == range.end {
                self.ranges.swap_remove(index);
            }
            self.slots -= piece.len();
            Some(piece)
        }
    }

    impl<'s> Pieces<'s> {
        fn new(ranges: Vec<Range<usize>>, pace: Pace, runners: usize, tiny: bool, run: Run<'s>) -> Self {
            let slots = ranges.iter().map(ExactSizeIterator::len).sum();
            let left = Left { ranges, slots, idle: (1..runners).rev().collect(), taken: 0 };
            Self { left: Mutex::new(left), pace, runners, tiny, run }
        }

        fn left(&self) -> MutexGuard<'_, Left> {
            self.left.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Runs all pieces, on the current thread and on as many others.
        fn run(&self, helpers: usize) {
            rayon::in_place_scope(|scope| {
                for _ in 0..helpers {
                    self.wake(scope);
                }
                self.runner(0, scope);
            });
        }

        /// Starts a runner, unless all run.
        fn wake<'p>(&'p self, scope: &rayon::Scope<'p>) {
            let idle = self.left().idle.pop();
            if let Some(number) = idle {
                scope.spawn(move |scope| self.runner(number, scope));
            }
        }

        /// Takes pieces and runs them until none is left.
        fn runner<'p>(&'p self, number: usize, scope: &rayon::Scope<'p>) {
            let mut pace = self.pace;
            while let Some(piece) = self.take(number, &pace) {
                let rest =
                    if self.tiny { self.half(number, piece) } else { self.piece(number, piece, &mut pace) };
                if !rest.is_empty() {
                    let mut left = self.left();
                    left.slots += rest.len();
                    left.ranges.push(rest);
                    drop(left);
                    self.wake(scope);
                }
            }
        }

        /// Takes a piece; `None` if none is left, and the runner is idle then.
        fn take(&self, number: usize, pace: &Pace) -> Option<Range<usize>> {
            let mut left = self.left();
            // the first pieces are large, so that few are taken; the last are small, so that the
            // runners end at the same time
            let large = pace.slots_of(PIECE_NANOS).max(left.slots / (8 * self.runners));
            let most = large.min(left.slots / (2 * self.runners)).max(1);
            let piece = left.take(most, self.tiny);
            if piece.is_none() {
                left.idle.push(number);
            }
            piece
        }

        /// Runs a piece, batch by batch. Returns the rest of it if it takes longer than expected.
        fn piece(&self, number: usize, mut piece: Range<usize>, pace: &mut Pace) -> Range<usize> {
            let longest = 2 * pace.nanos_of(piece.len()).max(PIECE_NANOS);
            let began = Instant::now();
            let mut last = began;
            while !piece.is_empty() {
                let next = batch_end(piece.start, pace.batch, piece.end);
                (self.run)(number, piece.start..next);
                last = pace.learn(next - piece.start, last);
                piece.start = next;
                if nanos_between(began, last) > longest {
                    break;
                }
            }
            piece
        }

        /// Runs the first half of a piece, and returns the other one.
        fn half(&self, number: usize, piece: Range<usize>) -> Range<usize> {
            let middle = batch_end(piece.start, piece.len().div_ceil(2), piece.end);
            (self.run)(number, piece.start..middle);
            middle..piece.end
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Checks that each slot is visited once, by ranges of the promised form, and that the calls of
    /// a runner do not overlap.
    fn visits_each_slot_once(words: Range<usize>, division: Division, work: impl Fn(usize) + Sync) -> usize {
        let runners = runners(division);
        let visits: Vec<AtomicU32> = (0..words.end * WORD).map(|_| AtomicU32::new(0)).collect();
        let running: Vec<AtomicU32> = (0..runners).map(|_| AtomicU32::new(0)).collect();
        let used: Vec<AtomicU32> = (0..runners).map(|_| AtomicU32::new(0)).collect();
        divide(words.start * WORD..words.end * WORD, division, runners, &|runner, slots| {
            assert_eq!(running[runner].fetch_add(1, Ordering::SeqCst), 0);
            used[runner].fetch_add(1, Ordering::SeqCst);
            let whole = slots.start.is_multiple_of(WORD) && slots.end.is_multiple_of(WORD);
            assert!(
                !slots.is_empty() && (whole || slots.start / WORD == (slots.end - 1) / WORD),
                "{slots:?}"
            );
            for slot in slots {
                visits[slot].fetch_add(1, Ordering::Relaxed);
                work(slot);
            }
            running[runner].fetch_sub(1, Ordering::SeqCst);
        });
        for (slot, visits) in visits.iter().enumerate() {
            let expected = u32::from(slot >= words.start * WORD);
            assert_eq!(visits.load(Ordering::Relaxed), expected, "slot {slot} of {words:?}, {division:?}");
        }
        used.iter().filter(|used| used.load(Ordering::Relaxed) > 0).count()
    }

    fn spin(nanos: u64) {
        #[cfg(feature = "std")]
        {
            let began = std::time::Instant::now();
            while began.elapsed().as_nanos() < u128::from(nanos) {}
        }
        let _ = nanos;
    }

    #[test]
    fn every_slot_is_visited_once() {
        for division in [Division::Measured, Division::Whole, Division::Tiny] {
            for words in [0..0, 0..1, 3..4, 2..9, 0..150] {
                visits_each_slot_once(words.clone(), division, |_| {});
                visits_each_slot_once(words.clone(), division, |slot| {
                    spin(if slot % 500 == 499 { 200_000 } else { 0 })
                });
            }
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn a_few_expensive_slots_use_all_threads_and_many_cheap_ones_use_one() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        pool.install(|| {
            let dear = visits_each_slot_once(0..1, Division::Measured, |_| {
                std::thread::sleep(core::time::Duration::from_millis(5))
            });
            assert_eq!(dear, 4);
            let runners = runners(Division::Measured);
            // the fewest of several tries: a machine that is busy with something else makes a slot
            // look expensive
            let calls = (0..50).map(|_| {
                let calls = AtomicU32::new(0);
                divide(0..16 * WORD, Division::Measured, runners, &|runner, _| {
                    _ = calls.fetch_add(1 + 1000 * runner as u32, Ordering::Relaxed)
                });
                calls.into_inner()
            });
            assert!(calls.min().unwrap() < 10, "cheap slots stay on the current thread, in a few calls");
        });
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn expensive_slots_after_cheap_ones_are_given_back() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        // a block of expensive slots in the middle of cheap ones, which one runner takes in one
        // piece
        let used = pool.install(|| {
            visits_each_slot_once(0..600, Division::Measured, |slot| {
                spin(if (20_000..20_100).contains(&slot) { 500_000 } else { 300 });
            })
        });
        assert!(used > 1);
    }

    #[test]
    fn batches_end_with_words() {
        let ends = [
            (0, 1, 640),
            (0, 64, 640),
            (0, 100, 640),
            (0, 700, 640),
            (5, 100, 640),
            (63, 1, 640),
            (5, 9, 10),
        ];
        let ends = ends.map(|(at, size, end)| batch_end(at, size, end));
        assert_eq!(vec![1, 64, 64, 640, 64, 64, 10], ends);
    }
}
