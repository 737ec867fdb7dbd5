//! The plan of a generated program, independent of the library, and its expected result.
//!
//! Everything follows from the numbers of components and systems, so that every library gets the
//! same program. System `i` writes component `i`, from the first again where there are more systems
//! than components, and reads one that is far from it; every fourth wants a third, by turns to read
//! it and only to be there. Entities come in kinds, each with what five systems in a row want: so
//! every system has something to do, no kind has more components than the shortest tuple of all
//! libraries takes, and gecs has archetypes to declare.

use std::collections::{BTreeMap, BTreeSet};

use super::{Content, Size};

/// Entities of each kind.
pub(super) const ENTITIES: u8 = 3;
/// The number of runs of the schedule.
pub(super) const TICKS: u32 = 3;
/// Systems whose components make a kind.
const SYSTEMS_OF_A_KIND: usize = 5;

/// A program.
pub(super) struct Plan {
    pub(super) content: Content,
    /// The number of numbers in each component: one to three.
    pub(super) components: Vec<usize>,
    /// The components of each kind of entity.
    pub(super) kinds: Vec<BTreeSet<usize>>,
    /// In the order of the schedule.
    pub(super) systems: Vec<System>,
}

/// A system, by the numbers of its components.
pub(super) struct System {
    pub(super) writes: usize,
    pub(super) reads: usize,
    pub(super) third: Option<Third>,
    /// As it is written in the body.
    pub(super) factor: String,
}

/// The use of the third component of a system.
#[derive(Clone, Copy)]
pub(super) enum Third {
    Reads(usize),
    With(usize),
}

impl Plan {
    /// The program of this size, after the factor of its middle system was changed so many times. A
    /// factor is always of the same length: nothing behind it moves, so that a rebuild is for what
    /// the system computes and not for where everything else stands.
    pub(super) fn new(size: Size, edits: usize) -> Self {
        let mut systems: Vec<System> = (0..size.systems).map(|i| System::new(i, size.components)).collect();
        if edits > 0 {
            systems[size.systems / 2].factor = format!("0.{}", 900 + edits % 100);
        }
        let kinds = systems.chunks(SYSTEMS_OF_A_KIND);
        let kinds = kinds.map(|systems| systems.iter().flat_map(System::components).collect()).collect();
        let numbers = |i| if size.content == Content::Numbers { i * 5 % 7 % 3 + 1 } else { 3 };
        Self {
            content: size.content,
            components: (0..size.components).map(numbers).collect(),
            kinds,
            systems,
        }
    }

    /// The expected output: the sum of the bits of all numbers that the systems record.
    pub(super) fn checksum(&self) -> u64 {
        let entity = |kind: &BTreeSet<usize>, i| -> BTreeMap<usize, Vec<f32>> {
            let numbers = |&component: &usize| (0..self.components[component]).map(move |n| (component, n));
            let value = |(component, n)| f32::from(i) + parsed(&initial(component, n));
            kind.iter().map(|id| (*id, numbers(id).map(value).collect())).collect()
        };
        let mut entities: Vec<_> =
            self.kinds.iter().flat_map(|kind| (0..ENTITIES).map(move |i| entity(kind, i))).collect();
        let mut sum = 0_u64;
        for _ in 0..TICKS {
            for system in &self.systems {
                let noted = entities.iter_mut().filter_map(|entity| system.run(entity));
                sum = noted.fold(sum, |sum, noted| sum.wrapping_add(noted.to_bits().into()));
            }
        }
        sum
    }
}

impl System {
    /// System `i`, where there are so many components.
    fn new(i: usize, count: usize) -> Self {
        let (writes, round) = (i % count, i / count);
        let reads = (i * 7 + 1 + 2 * round) % count;
        let third = (0..count)
            .map(|step| (i * 13 + 5 + step) % count)
            .find(|third| ![writes, reads].contains(third))
            .expect("there are three components");
        let third = match i % 8 {
            3 => Some(Third::With(third)),
            7 => Some(Third::Reads(third)),
            _ => None,
        };
        Self { writes, reads, third, factor: format!("0.{}", 100 + i * 37 % 800) }
    }

    /// The indices of the components that a matching entity has.
    fn components(&self) -> impl Iterator<Item = usize> {
        let third = self.third.map(|(Third::Reads(third) | Third::With(third))| third);
        [self.writes, self.reads].into_iter().chain(third)
    }

    /// Computes the statements that [`body`](super::leaf::body) writes.
    fn run(&self, entity: &mut BTreeMap<usize, Vec<f32>>) -> Option<f32> {
        if !self.components().all(|component| entity.contains_key(&component)) {
            return None;
        }
        let read = entity[&self.reads][0];
        let third = match self.third {
            Some(Third::Reads(third)) => Some(entity[&third][0]),
            _ => None,
        };
        let factor = parsed(&self.factor);
        let written = entity.get_mut(&self.writes)?;
        for number in &mut *written {
            *number = *number * 0.5 + read * factor;
            if let Some(third) = third {
                *number += third;
            }
        }
        Some(written[0])
    }
}

/// The initial value of number `n` of a component in the first entity of a kind.
pub(super) fn initial(component: usize, n: usize) -> String {
    format!("{}.{n}", component % 16)
}

/// A number of the program, as the compiler reads it.
fn parsed(literal: &str) -> f32 {
    literal.parse().expect("a number")
}

#[cfg(test)]
mod tests {
    use super::super::MANY;
    use super::*;

    #[test]
    fn every_system_has_an_entity_and_every_kind_fits_in_a_tuple() {
        for size in [50, 100, 200, 400].map(Size::even).into_iter().chain([MANY]) {
            let plan = Plan::new(size, 0);
            assert!(plan.kinds.iter().all(|kind| kind.len() <= 12));
            for system in &plan.systems {
                let components: BTreeSet<usize> = system.components().collect();
                assert_eq!(components.len(), system.components().count(), "no component is wanted twice");
                assert!(plan.kinds.iter().any(|kind| kind.is_superset(&components)));
            }
        }
    }

    #[test]
    fn an_edit_changes_the_checksum_and_the_length_of_nothing() {
        let plans = [0, 1, 2].map(|edits| Plan::new(Size::even(50), edits));
        assert_ne!(plans[0].checksum(), plans[1].checksum());
        assert_ne!(plans[1].checksum(), plans[2].checksum());
        let lengths = plans.map(|plan| plan.systems[25].factor.len());
        assert!(lengths.iter().all(|length| *length == lengths[0]));
    }
}
