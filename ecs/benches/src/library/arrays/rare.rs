//! A component that one entity in a hundred has: a list of who has it, and its values.

use super::{Position, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&rare::RANDOM, &rare::REGROUPED] {
        suite.case(
            workload,
            |count| {
                let (mut field, chosen) = field(count);
                field.give(&chosen);
                // it is given once and iterated often: in the order of the positions they are read
                // ahead
                field.rare.sort_unstable_by_key(|(id, _)| *id);
                field
            },
            Field::step,
            |field| {
                let positions = &field.positions;
                total(field.rare.iter().map(|(id, rare)| digest(&[&positions[*id as usize].0, &[*rare]])))
            },
        );
    }
    suite.case(
        &rare::SET,
        field,
        |(field, chosen)| {
            field.give(chosen);
            field.step();
            // all who have it lose it
            field.rare.clear();
        },
        |(field, _)| total(field.positions.iter().map(|position| digest(&[&position.0]))),
    );
    suite.case(&rare::KIND, of_kind, Kind::step, |kind| {
        let all = kind.positions.iter().zip(&kind.rares);
        total(all.map(|(position, rare)| digest(&[&position.0, &[*rare]])))
    });
}

struct Field {
    positions: Vec<Position>,
    rare: Vec<(u32, f32)>,
}

impl Field {
    fn give(&mut self, chosen: &[u32]) {
        self.rare.extend(chosen.iter().map(|&id| (id, rare::VALUE)));
    }

    fn step(&mut self) {
        for (id, rare) in &self.rare {
            rare::step(&mut self.positions[*id as usize].0, rare);
        }
    }
}

/// A field, and those who are chosen.
fn field(count: u32) -> (Field, Vec<u32>) {
    let positions = (0..count).map(|i| body(i).1).collect();
    (Field { positions, rare: Vec::new() }, rare::chosen(count))
}

/// The kind that has it. The others lie elsewhere.
struct Kind {
    positions: Vec<Position>,
    rares: Vec<f32>,
}

fn of_kind(count: u32) -> Kind {
    let positions: Vec<Position> = (0..count).filter(|&i| rare::is_of_kind(i)).map(|i| body(i).1).collect();
    Kind { rares: vec![rare::VALUE; positions.len()], positions }
}

impl Kind {
    fn step(&mut self) {
        let all = self.positions.iter_mut().zip(&self.rares);
        all.for_each(|(position, rare)| rare::step(&mut position.0, rare));
    }
}
