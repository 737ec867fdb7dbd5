//! The limits of histories with branches, beside a model that has a snapshot of each state.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::collections::{BTreeMap, VecDeque};

use ecs::Snapshot;
use ecs::prelude::*;
use ecs_history::{History, Limit};
use oorandom::Rand32;

#[derive(Component, Clone)]
struct Place(u64);
#[derive(Component, Clone)]
struct Name(u64);

world! {
    #[derive(Clone)]
    struct Game { components { Place, Name } }
    schedule tick { walk }
}

#[system(Game)]
fn walk(place: &mut Place) {
    place.0 += 1;
}

/// A run by its number, with the state before it.
type Run = (u64, Snapshot<Game>);

/// A history as lists of states.
struct Model {
    runs: usize,
    bytes: usize,
    line: VecDeque<Run>,
    end: Option<Snapshot<Game>>,
    branches: Vec<(Vec<Run>, Snapshot<Game>)>,
}

impl Model {
    /// The bytes of all pages, each counted once.
    fn size(&self) -> usize {
        let mut pages = BTreeMap::new();
        let branches = self.branches.iter();
        let ends = branches.clone().map(|(_, end)| end).chain(&self.end);
        let runs = self.line.iter().chain(branches.flat_map(|(runs, _)| runs));
        for snapshot in runs.map(|(_, before)| before).chain(ends) {
            snapshot.for_each_page(|page, bytes| _ = pages.insert(page, bytes));
        }
        pages.values().sum()
    }

    fn forget_branches(&mut self) {
        let runs = |model: &Self| model.branches.iter().map(|(runs, _)| runs.len()).sum::<usize>();
        while !self.branches.is_empty() && (runs(self) > self.runs || self.size() > self.bytes) {
            self.branches.remove(0);
        }
    }

    fn forget(&mut self) {
        self.forget_branches();
        while self.line.len() > 1 && (self.line.len() > self.runs || self.size() > self.bytes) {
            self.line.pop_front();
        }
    }

    fn give_up(&mut self, from: u64, end: Snapshot<Game>) {
        let at = self.line.partition_point(|(run, _)| *run < from);
        self.branches.push((self.line.split_off(at).into(), end));
    }

    /// Whether there are no more runs and bytes than the limit has. The last run is kept, and the
    /// end that a move back needs.
    fn holds(&self) -> bool {
        let is_least = self.branches.is_empty() && (self.line.len() <= 1 || self.end.is_some());
        let runs: usize = self.branches.iter().map(|(runs, _)| runs.len()).sum();
        self.line.len() <= self.runs && runs <= self.runs && (is_least || self.size() <= self.bytes)
    }
}

#[test]
fn branches_are_forgotten_before_the_runs_of_the_line() {
    let mut lost = [0; 2];
    for seed in 0..24 {
        let mut rand = Rand32::new(seed);
        let mut game = Game::new();
        let ids: Vec<Entity> = game.spawn_batch((0..200).map(|n| (Place(n), Name(n)))).collect();
        let one = {
            let mut history = History::new(Limit::runs(1));
            history.run(&mut game, |_: &mut Game| ());
            history.bytes()
        };
        // sometimes one of the limits is not reached
        let runs = [8, 30, usize::MAX][rand.rand_range(0..3) as usize];
        let bytes = [one * 6, one * 20, usize::MAX][rand.rand_range(0..3) as usize];
        let mut history = History::new(Limit::runs(runs).and_bytes(bytes));
        let mut model = Model { runs, bytes, line: VecDeque::new(), end: None, branches: Vec::new() };
        for turn in 0..300 {
            let before = (history.runs(), history.branches().len());
            let position = history.position();
            match rand.rand_range(0..8) {
                0..=4 => {
                    if rand.rand_range(0..3) == 0 {
                        game.get_mut::<Name>(ids[rand.rand_range(0..200) as usize]).unwrap().0 += 1;
                    }
                    // the history shares the pages of this snapshot
                    let state = game.snapshot();
                    if let Some(end) = model.end.take() {
                        model.give_up(position, end);
                    }
                    model.line.push_back((position, state));
                    history.run(&mut game, Game::tick);
                    model.forget();
                }
                5 | 6 => {
                    let all = history.runs();
                    let to = all.end - u64::from(rand.rand_range(0..6)).min(all.end - all.start);
                    if to != position && model.end.is_none() {
                        model.end = Some(game.snapshot());
                        model.forget_branches();
                    }
                    history.go_to(&mut game, to).unwrap();
                    model.end.take_if(|_| to == all.end);
                }
                _ => {
                    let Some((chosen, _)) = history.branches().iter().enumerate().next_back() else {
                        continue;
                    };
                    let now = model.end.clone().unwrap_or_else(|| game.snapshot());
                    if history.switch_to(&mut game, chosen).is_err() {
                        continue;
                    }
                    model.end = None;
                    let (runs, _) = model.branches.remove(chosen);
                    if model.line.back().is_some_and(|(last, _)| *last >= runs[0].0) {
                        model.give_up(runs[0].0, now);
                    }
                    model.line.extend(runs);
                    model.forget();
                }
            }
            let line = model.line.front().map_or(0, |(run, _)| *run)..history.runs().end;
            assert_eq!(history.runs(), line, "seed {seed}, turn {turn}");
            let branches: Vec<_> =
                model.branches.iter().map(|(runs, _)| runs[0].0..runs[0].0 + runs.len() as u64).collect();
            let found: Vec<_> = history.branches().iter().map(|branch| branch.runs()).collect();
            assert_eq!(found, branches, "seed {seed}, turn {turn}");
            assert_eq!(history.bytes(), model.size(), "seed {seed}, turn {turn}");
            assert!(model.holds(), "seed {seed}, turn {turn}");
            lost[0] += usize::from(history.runs().start > before.0.start);
            lost[1] += usize::from(history.branches().len() < before.1);
        }
    }
    // both happen, so that the assertions have said something
    assert!(lost.iter().all(|&times| times > 100), "{lost:?}");
}

/// Abandoned futures take the bytes that the line needs: the line keeps all of its runs, and the
/// latest future stays longest.
#[test]
fn the_oldest_branch_goes_first() {
    let mut game = Game::new();
    game.spawn_batch((0..200).map(|n| (Place(n), Name(n)))).for_each(drop);
    let mut history = History::new(Limit::runs(100));
    history.run(&mut game, Game::tick);
    let first = history.bytes();
    history.run(&mut game, Game::tick);
    let run = history.bytes() - first;

    let mut history = History::new(Limit::bytes(first + 13 * run));
    (0..4).for_each(|_| history.run(&mut game, Game::tick));
    for _ in 0..2 {
        history.go_to(&mut game, 2).unwrap();
        (0..4).for_each(|_| history.run(&mut game, Game::tick));
    }
    let branches = |history: &History<Game>| -> Vec<_> {
        history.branches().iter().map(|branch| branch.runs()).collect()
    };
    assert_eq!((history.runs(), branches(&history)), (0..6, vec![2..4, 2..6]));
    let mut seen = Vec::new();
    for _ in 0..6 {
        history.run(&mut game, Game::tick);
        assert_eq!(history.runs().start, 0);
        seen.push(branches(&history));
    }
    seen.dedup();
    assert_eq!(format!("{seen:?}"), "[[2..4, 2..6], [2..6], []]");
    (0..10).for_each(|_| history.run(&mut game, Game::tick));
    assert!(history.runs().start > 0 && history.bytes() <= first + 13 * run);
}
