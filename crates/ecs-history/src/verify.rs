//! [`History::verify`]: whether runs have the same result when they are repeated.

use ecs::schedule::SystemStep;
use ecs::world::SnapshotWorld;
use ecs::{Snapshot, World};

use crate::error::NotRepeatable;
use crate::history::{History, Run};
use crate::repeat::repeat;

impl<W: SnapshotWorld> History<W> {
    /// Makes each run twice in a copy of the world, but for those whose state was [thinned
    /// out](Self::thin), and compares the results by `hash`: for a world that is saved, its method
    /// `Game::hash`. So it finds a system that reads a clock, random numbers that are not in the
    /// world, or a static.
    ///
    /// Returns the runs after which the program has changed the world, before the next one: there,
    /// the world in the history is another one than that of the repetition.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// use ecs::prelude::*;
    /// use ecs_history::{History, Limit};
    ///
    /// #[derive(Component, Clone)] struct Place(u32);
    /// world! { #[derive(Clone)] struct Game { components { Place } } schedule tick { walk, scatter } }
    /// #[system(Game)] fn walk(place: &mut Place) { place.0 += 10; }
    /// #[system(Game)] fn scatter(place: &mut Place) {
    ///     static SEED: AtomicU32 = AtomicU32::new(0);
    ///     place.0 += SEED.fetch_add(1, Ordering::Relaxed);
    /// }
    ///
    /// let mut game = Game::new();
    /// let ball = game.spawn(Place(0));
    /// let mut history = History::new(Limit::runs(100));
    /// history.run(&mut game, Game::tick);
    /// let error = history.verify(&game, move |game| game.get::<Place>(ball).unwrap().0).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "run 0 has another result each time it is repeated: system `scatter` reads something \
    ///      outside of the world",
    /// );
    /// ```
    ///
    /// Cost: two repetitions of each run. A run whose results differ is made twice more, with a
    /// hash after each step.
    ///
    /// # Errors
    /// The first run whose results differ, with the first step after which they do.
    pub fn verify<H>(
        &self,
        game: &W,
        hash: impl Fn(&W) -> H + Clone + Send + 'static,
    ) -> Result<Vec<u64>, NotRepeatable>
    where
        H: PartialEq + Send + 'static,
    {
        let mut world = game.clone();
        let mut outside = Vec::new();
        let mut states = self.states().skip(1).map(|(_, state)| state);
        for run in &self.runs {
            let Some(before) = &run.before else { continue };
            let after = states.next();
            let last = |world: &mut W| {
                let all = hashes(world, run, before, false, &hash);
                all.into_iter().next_back()
            };
            let (first, second) = (last(&mut world), last(&mut world));
            if first != second {
                return Err(NotRepeatable {
                    run: run.number,
                    step: first_difference(&mut world, run, before, &hash),
                });
            }
            // the state after the run, unless it is thinned out: the next run may have another one
            if self.runs.get(self.index(run.number) + 1).is_some_and(|next| next.before.is_none()) {
                continue;
            }
            let recorded = match after.flatten() {
                Some(snapshot) => {
                    world.restore(snapshot);
                    hash(&world)
                }
                None => hash(game),
            };
            if first.is_some_and(|(hash, _)| hash != recorded) {
                outside.push(run.number);
            }
        }
        Ok(outside)
    }
}

/// The hashes after each step of a run and after the run, or after the run alone.
fn hashes<W: SnapshotWorld, H: Send + 'static>(
    world: &mut W,
    run: &Run<W>,
    before: &Snapshot<W>,
    steps: bool,
    hash: &(impl Fn(&W) -> H + Clone + Send + 'static),
) -> Vec<(H, Option<SystemStep>)> {
    world.restore(before);
    let hash = hash.clone();
    repeat(world, &run.repeat, move |all: &mut Vec<_>, world, step| {
        if steps || step.is_none() {
            all.push((hash(world), step.copied()));
        }
    })
}

/// The first step after which two repetitions of a run differ.
fn first_difference<W: SnapshotWorld, H: PartialEq + Send + 'static>(
    world: &mut W,
    run: &Run<W>,
    before: &Snapshot<W>,
    hash: &(impl Fn(&W) -> H + Clone + Send + 'static),
) -> Option<SystemStep> {
    let first = hashes(world, run, before, true, hash);
    let second = hashes(world, run, before, true, hash);
    let same = first.iter().zip(&second).take_while(|(first, second)| first == second).count();
    // one of them may have ended there, by a panic
    [first, second].iter().find_map(|all| all.get(same)?.1)
}
