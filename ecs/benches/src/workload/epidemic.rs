//! A tick of the example `epidemic`: infectious agents are sorted by cell, susceptible ones look
//! for infectious neighbours, and all walk. Neighbours are looked up in shared arrays, so that the
//! libraries differ in the loops over agents only.

use super::{PLAIN, Workload};

#[path = "../../../../examples/epidemic/src/rules.rs"]
#[allow(unreachable_pub, reason = "a module of the example")]
pub(crate) mod rules;

pub(crate) const EPIDEMIC: Workload = Workload {
    name: "epidemic",
    what: "a tick of an epidemic among agents who walk and infect their neighbours, one thread",
    counts: &[1_000_000],
    visits: 1_000_000,
    ..PLAIN
};

pub(crate) const PARALLEL: Workload = Workload {
    name: "epidemic_parallel",
    what: "the same, with the loops over agents on all threads; arrays: `rayon`",
    ..EPIDEMIC
};

/// The seed of all that is random.
pub(crate) const SEED: u64 = 1;

/// The agents in the beginning.
pub(crate) fn agents(count: u32) -> impl Iterator<Item = (u64, rules::Point, rules::Illness)> {
    let side = rules::side(count.into());
    (0..u64::from(count)).map(move |id| {
        let (point, illness) = rules::start(SEED, id, side);
        (id, point, illness)
    })
}

/// The state of a tick apart from the agents.
#[derive(Clone, Default)]
pub(crate) struct Tick {
    pub(crate) number: u32,
    pub(crate) side: u32,
    pub(crate) contacts: rules::Contacts,
}

impl Tick {
    pub(crate) fn new(count: u32) -> Self {
        Self { side: rules::side(count.into()), ..Self::default() }
    }

    #[inline]
    pub(crate) fn infect(&self, id: u64, point: rules::Point, illness: &mut rules::Illness) {
        *illness =
            rules::next_illness(*illness, || self.contacts.count(point, self.side), SEED, id, self.number);
    }

    #[inline]
    pub(crate) fn walk(&self, id: u64, point: &mut rules::Point) {
        *point = rules::next_point(*point, SEED, id, self.number, self.side);
    }
}

/// The contribution of an agent to the checksum, which does not depend on the order of agents.
pub(crate) fn term(id: u64, point: rules::Point, illness: rules::Illness) -> u64 {
    let place = u64::from(point.x) << 32 | u64::from(point.y);
    (place ^ id).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ illness.index() as u64
}
