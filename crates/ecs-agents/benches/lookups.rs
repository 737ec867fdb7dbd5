//! `cargo bench -p checked-ecs-agents --bench lookups`: who is in a cell, by three ways, as a table
//! in Markdown: an array that is written by hand, the index of [`SingleCell`], and
//! `#[component(key)]`, which is a hash table. Half of the cells have an agent.
//!
//! Each figure is the median of 15 rounds, by turns, of the processor time of a lookup in
//! nanoseconds: of cells in random order, and of the eight neighbours of each cell in order.

#![allow(missing_docs, reason = "a program")]

use std::hint::black_box;

use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::prelude::{Cell, Grid, Random, SingleCell};
use rustix::time::{ClockId, clock_gettime};

/// The number of a cell.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(key)]
struct Number(u32);

world! { struct Town { components { SingleCell, Number } } }

const ROUNDS: usize = 15;

/// The sum of the ids of the agents, so that all ways do the same.
fn sum(agents: impl Iterator<Item = Option<Entity>>) -> u64 {
    agents.flatten().fold(0, |sum, agent| sum.wrapping_add(agent.to_bits()))
}

fn nanoseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn main() {
    println!("| cells | lookups | array, ns | `SingleCell` | ratio | `key` | ratio |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for width in [100, 1000] {
        let (grid, mut random) = (Grid::torus(width, width), Random::new(1));
        let mut town = Town::new();
        let mut array = vec![None; grid.len()];
        for cell in random.shuffled(grid.cells()).into_iter().take(grid.len() / 2) {
            let number = grid.index(cell);
            array[number] = Some(town.spawn((SingleCell(cell), Number(number as u32))));
        }
        let cells = random.shuffled(grid.cells());
        let (index, numbers) = (HookState::<SingleCell>::of(&town), town.columns().number);
        let of_array = |cell: Cell| array[grid.index(cell)];
        let of_index = |cell: Cell| index.one(cell);
        let of_key = |cell: Cell| numbers.find_one(&Number(grid.index(cell) as u32));
        let near = || grid.cells().flat_map(|cell| grid.moore(cell, 1));
        row(
            "random",
            width,
            [
                &|| (sum(cells.iter().map(|&cell| of_array(cell))), cells.len()),
                &|| (sum(cells.iter().map(|&cell| of_index(cell))), cells.len()),
                &|| (sum(cells.iter().map(|&cell| of_key(cell))), cells.len()),
            ],
        );
        row(
            "neighbours",
            width,
            [
                &|| (sum(near().map(of_array)), 8 * cells.len()),
                &|| (sum(near().map(of_index)), 8 * cells.len()),
                &|| (sum(near().map(of_key)), 8 * cells.len()),
            ],
        );
    }
}

/// A row: each way returns its sum, and the number of its lookups.
fn row(name: &str, width: u32, ways: [&dyn Fn() -> (u64, usize); 3]) {
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        let sums = [0, 1, 2].map(|i| {
            let start = nanoseconds();
            let (sum, number) = black_box(ways[i]());
            times[i].push((nanoseconds() - start) / number as f64);
            sum
        });
        assert!(sums.iter().all(|&sum| sum == sums[0]), "the ways find other agents");
    }
    let [array, index, key] = times.map(|mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let ratios = [index, key].map(|time| format!("{time:.1} | {:.2}", time / array));
    println!("| {width} x {width} | {name} | {array:.1} | {} |", ratios.join(" | "));
}
