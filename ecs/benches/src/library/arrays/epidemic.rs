//! An array for each part of an agent.

use rayon::prelude::*;

use crate::harness::Suite;
use crate::workload::epidemic::rules::{Illness, Point};
use crate::workload::epidemic::{self, Tick};

/// The agents that one task handles.
const PIECE: usize = 4096;

struct Agents {
    ids: Vec<u64>,
    points: Vec<Point>,
    illnesses: Vec<Illness>,
    tick: Tick,
}

impl Agents {
    fn new(count: u32) -> Self {
        let (mut ids, mut points, mut illnesses) = (Vec::new(), Vec::new(), Vec::new());
        for (id, point, illness) in epidemic::agents(count) {
            ids.push(id);
            points.push(point);
            illnesses.push(illness);
        }
        Self { ids, points, illnesses, tick: Tick::new(count) }
    }

    fn sort(&mut self) {
        let agents = self.points.iter().zip(&self.illnesses);
        let infectious = agents.filter(|(_, illness)| illness.is_infectious()).map(|(&point, _)| point);
        self.tick.contacts.sort(infectious, self.tick.side);
    }

    fn tick(&mut self) {
        self.sort();
        let Self { ids, points, illnesses, tick } = self;
        infect(tick, (ids, points), illnesses);
        walk(tick, ids, points);
        tick.number += 1;
    }

    fn tick_on_all_threads(&mut self) {
        self.sort();
        let Self { ids, points, illnesses, tick } = self;
        let pieces = ids.par_chunks(PIECE).zip(points.par_chunks(PIECE));
        pieces.zip(illnesses.par_chunks_mut(PIECE)).for_each(|(agents, ill)| infect(tick, agents, ill));
        let pieces = ids.par_chunks(PIECE).zip(points.par_chunks_mut(PIECE));
        pieces.for_each(|(ids, points)| walk(tick, ids, points));
        tick.number += 1;
    }

    fn checksum(&mut self) -> u64 {
        let agents = self.ids.iter().zip(&self.points).zip(&self.illnesses);
        agents.fold(0, |sum, ((&id, &point), &ill)| sum.wrapping_add(epidemic::term(id, point, ill)))
    }
}

fn infect(tick: &Tick, (ids, points): (&[u64], &[Point]), illnesses: &mut [Illness]) {
    let agents = ids.iter().zip(points).zip(illnesses);
    agents.for_each(|((&id, &point), illness)| tick.infect(id, point, illness));
}

fn walk(tick: &Tick, ids: &[u64], points: &mut [Point]) {
    ids.iter().zip(points).for_each(|(&id, point)| tick.walk(id, point));
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&epidemic::EPIDEMIC, Agents::new, Agents::tick, Agents::checksum);
    suite.case(&epidemic::PARALLEL, Agents::new, Agents::tick_on_all_threads, Agents::checksum);
}
