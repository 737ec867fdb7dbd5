//! `cargo bench -p checked-ecs-agents --bench lookups`: who is in a cell, by four ways, as a table
//! in Markdown: an array beside the world, an array that is the hook of a component, the index of
//! [`SingleCell`], and `#[component(key)]`, which is a hash table. Half of the cells have an agent.
//!
//! Each figure is the median of 15 rounds, by turns, of the processor time of a lookup in
//! nanoseconds, with a look at the group of the agent: of cells in random order, and of the eight
//! neighbours of each cell in order.

#![allow(missing_docs, reason = "a program")]

use std::hint::black_box;

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::prelude::{Cell, Grid, Random, RngExt, SingleCell};
use rustix::time::{ClockId, clock_gettime};

/// The number of a cell.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(key)]
struct Number(u32);

/// The number of a cell, as the guide has it in the section "Numbers as keys".
#[derive(Component, Clone, Copy)]
#[component(hook = Places)]
struct Place(u32);

#[derive(Clone, Default)]
struct Places(Vec<Option<Entity>>);

impl ComponentHook<Place> for Places {
    const VALIDATES: bool = false; // the benchmark sets each place once
    fn inserted(&mut self, agent: Entity, _: Option<&Place>, place: &Place) {
        let place = place.0 as usize;
        self.0.resize(self.0.len().max(place + 1), None);
        self.0[place] = Some(agent);
    }
    fn removed(&mut self, _: Entity, place: &Place) {
        self.0[place.0 as usize] = None;
    }
}

world! { struct Town { components { SingleCell, Number, Place } } }

const ROUNDS: usize = 15;

/// The sum of the groups of the agents, which an array has by slots: what a model asks of neighbours.
fn sum(groups: &[u8], agents: impl Iterator<Item = Option<Entity>>) -> u64 {
    let group = |agent: Entity| u64::from(groups[agent.slot() as usize]);
    agents.map(|agent| agent.map_or(0, group)).sum()
}

fn nanoseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn main() {
    println!("| cells | lookups | array, ns | hook | ratio | `SingleCell` | ratio | `key` | ratio |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for width in [100, 1000] {
        let (grid, mut random) = (Grid::torus(width, width), Random::new(1));
        let mut town = Town::new();
        let mut array = vec![None; grid.len()];
        for cell in random.shuffled(grid.cells()).into_iter().take(grid.len() / 2) {
            let number = grid.index(cell);
            array[number] = Some(town.spawn((SingleCell(cell), Number(number as u32), Place(number as u32))));
        }
        let cells = random.shuffled(grid.cells());
        let groups: Vec<u8> = (0..grid.len()).map(|_| random.random_range(0..2)).collect();
        let (index, places) = (HookState::<SingleCell>::of(&town), HookState::<Place>::of(&town));
        let (index, places, numbers) = (&*index, &*places, town.columns().number);
        let of_hook = |cell: Cell| places.0.get(grid.index(cell)).copied().flatten();
        let of_array = |cell: Cell| array[grid.index(cell)];
        let of_index = |cell: Cell| index.one(cell);
        let of_key = |cell: Cell| numbers.find_one(&Number(grid.index(cell) as u32));
        let near = || grid.cells().flat_map(|cell| grid.moore(cell, 1));
        row(
            "random",
            width,
            [
                &|| (sum(&groups, cells.iter().map(|&cell| of_array(cell))), cells.len()),
                &|| (sum(&groups, cells.iter().map(|&cell| of_hook(cell))), cells.len()),
                &|| (sum(&groups, cells.iter().map(|&cell| of_index(cell))), cells.len()),
                &|| (sum(&groups, cells.iter().map(|&cell| of_key(cell))), cells.len()),
            ],
        );
        row(
            "neighbours",
            width,
            [
                &|| (sum(&groups, near().map(of_array)), 8 * cells.len()),
                &|| (sum(&groups, near().map(of_hook)), 8 * cells.len()),
                &|| (sum(&groups, near().map(of_index)), 8 * cells.len()),
                &|| (sum(&groups, near().map(of_key)), 8 * cells.len()),
            ],
        );
    }
}

/// A row: each way returns its sum, and the number of its lookups.
fn row(name: &str, width: u32, ways: [&dyn Fn() -> (u64, usize); 4]) {
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        let sums = [0, 1, 2, 3].map(|i| {
            let start = nanoseconds();
            let (sum, number) = black_box(ways[i]());
            times[i].push((nanoseconds() - start) / number as f64);
            sum
        });
        assert!(sums.iter().all(|&sum| sum == sums[0]), "the ways find other agents");
    }
    let [array, others @ ..] = times.map(|mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let ratios = others.map(|time| format!("{time:.1} | {:.2}", time / array));
    println!("| {width} x {width} | {name} | {array:.1} | {} |", ratios.join(" | "));
}
