//! Functions that have little to do, and a vector that one function fills and another one reads.

use std::hint::black_box;

use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{empty_systems, events};

/// An array for each component.
type Lones = Vec<Vec<f32>>;

macro_rules! functions {
    ($(($_:ident $__:ident $n:literal))*) => {
        const FUNCTIONS: [fn(&mut Lones); empty_systems::SYSTEMS as usize] = [$(step::<$n>),*];
    };
}

each_number!(100 functions);

fn step<const N: usize>(lones: &mut Lones) {
    lones[N].iter_mut().for_each(empty_systems::step);
}

#[derive(Default)]
struct Hits {
    sent: u32,
    all: Vec<(u32, u32)>,
    sum: u64,
}

#[inline(never)]
fn send(hits: &mut Hits) {
    hits.all.clear();
    for i in 0..hits.sent {
        hits.all.push(events::values(i));
    }
}

#[inline(never)]
fn receive(hits: &mut Hits) {
    hits.sum = hits.sum.wrapping_add(total(hits.all.iter().map(|hit| events::term(*hit))));
}

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&empty_systems::IN_TURN, &empty_systems::PARALLEL] {
        suite.case(
            workload,
            |_| -> Lones { (0..empty_systems::SYSTEMS).map(|n| vec![n as f32]).collect() },
            // they are not known to the compiler, so that none is inlined
            |lones| black_box(&FUNCTIONS).iter().for_each(|function| function(lones)),
            |lones| total(lones.iter().flatten().map(|lone| digest(&[&[*lone]]))),
        );
    }
    suite.case(
        &events::EVENTS,
        |sent| Hits { sent, ..Hits::default() },
        |hits| {
            send(hits);
            receive(hits);
        },
        |hits| hits.sum,
    );
}
