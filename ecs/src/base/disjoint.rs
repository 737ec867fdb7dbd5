//! The proof that two queries cannot match the same entity, so that they may write the same
//! component at the same time.
//!
//! The filters of a query list components that an entity has, components that it lacks, and for
//! each `Or` several alternatives of which it satisfies one. An [`Access`] holds the first two as
//! sets and the third as [`Alternatives`]: a formula without `Not`, since each filter declares what
//! its opposite demands. `&T`, `&mut T`, `Ref<T>` and `Mut<T>` demand their component; `Option` and
//! `Is` demand nothing. `Changed<T>` and `Added<T>` demand `T`, their opposites nothing.
//!
//! Two queries are disjoint if no set of components satisfies both formulas. The proof is exact for
//! queries that can match at all, with limits that keep `cargo check` fast: [`MAX_OF_QUERY`],
//! [`MAX_OPEN`] and [`MAX_STEPS`]. Beyond a limit it answers that the queries may meet, which
//! refuses more than needed and is never unsound. Disjoint queries have different rows. They still
//! share columns: the words of 64 slots, the pages, and the change ticks beside them.

use crate::base::access::Access;
use crate::base::component_set::ComponentSet;

/// The most `Or`s side by side in one query that the proof looks at. An `Or` inside of another does
/// not count.
const MAX_OF_QUERY: usize = 4;

/// The most `Or`s without a chosen alternative at the same time during the proof.
const MAX_OPEN: usize = 16;

/// The most tests of an alternative during the proof; an alternative that is tested again counts
/// again.
const MAX_STEPS: u32 = 4000;

/// The `Or`s of a query: an entity that it matches satisfies at least one access of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives([Option<&'static [Access]>; MAX_OF_QUERY]);

impl Alternatives {
    /// No `Or`.
    pub(super) const NONE: Self = Self([None; MAX_OF_QUERY]);

    /// One `Or`. With no accesses, no entity matches.
    pub(super) const fn of(accesses: &'static [Access]) -> Self {
        let mut alternatives = Self::NONE;
        alternatives.0[0] = Some(accesses);
        alternatives
    }

    pub(crate) const fn is_none(&self) -> bool {
        self.0[0].is_none()
    }

    /// The `Or`s of both. `Or`s beyond the limit are left out: the result then matches more
    /// entities than it should, which is sound.
    pub(super) const fn and(self, other: Self) -> Self {
        if other.is_none() {
            return self;
        }
        let (mut both, mut i, mut at) = (self, 0, 0);
        while i < MAX_OF_QUERY {
            if both.0[i].is_none() {
                both.0[i] = other.0[at];
                at += 1;
            }
            i += 1;
        }
        both
    }
}

/// The `Or`s for which no alternative was chosen yet.
#[derive(Clone, Copy)]
struct OpenOrs {
    ors: [&'static [Access]; MAX_OPEN],
    len: usize,
}

impl OpenOrs {
    const NONE: Self = Self { ors: [&[]; MAX_OPEN], len: 0 };

    /// Adds the `Or`s of an access; `None` if there are more than [`MAX_OPEN`].
    const fn with(mut self, access: &Access) -> Option<Self> {
        let mut i = 0;
        while i < MAX_OF_QUERY {
            if let Some(or) = access.alternatives.0[i] {
                if self.len == MAX_OPEN {
                    return None;
                }
                self.ors[self.len] = or;
                self.len += 1;
            }
            i += 1;
        }
        Some(self)
    }
}

/// Whether no entity satisfies both accesses.
pub(super) const fn are_disjoint(a: &Access, b: &Access) -> bool {
    let open = match OpenOrs::NONE.with(a) {
        Some(open) => open.with(b),
        None => None,
    };
    match open {
        Some(open) => !may_match(a.with.or(b.with), a.without.or(b.without), open, &mut 0),
        None => false,
    }
}

/// Whether some set of components contains `with`, contains none of `without`, and satisfies all
/// open `Or`s. Also true beyond [`MAX_STEPS`].
///
/// The `Or` with the fewest remaining alternatives is tried first, as in the algorithm of Davis,
/// Putnam, Logemann and Loveland: an `Or` with no alternative ends the search, and an `Or` with a
/// single alternative needs no backtracking.
const fn may_match(with: ComponentSet, without: ComponentSet, mut open: OpenOrs, steps: &mut u32) -> bool {
    if with.meets(&without) {
        return false;
    }
    if open.len == 0 {
        return true;
    }
    let (mut i, mut tightest, mut fewest) = (0, 0, usize::MAX);
    while i < open.len && fewest > 0 {
        let left = left(open.ors[i], with, without, steps);
        if left < fewest {
            (tightest, fewest) = (i, left);
        }
        i += 1;
    }
    if *steps > MAX_STEPS {
        return true;
    }
    let or = open.ors[tightest];
    open.len -= 1;
    open.ors[tightest] = open.ors[open.len];
    let mut i = 0;
    while i < or.len() && fewest > 0 {
        let choice = &or[i];
        i += 1;
        if contradicts(choice, with, without) {
            continue;
        }
        let matches = match open.with(choice) {
            Some(open) => may_match(with.or(choice.with), without.or(choice.without), open, steps),
            None => true,
        };
        // If an alternative that adds no condition fails, every other alternative of this `Or`
        // fails, too.
        let is_free = choice.alternatives.is_none()
            && choice.with.minus(with).is_empty()
            && choice.without.minus(without).is_empty();
        if matches || is_free {
            return matches;
        }
    }
    false
}

/// The number of alternatives of an `Or` that do not contradict `with` and `without`.
const fn left(or: &[Access], with: ComponentSet, without: ComponentSet, steps: &mut u32) -> usize {
    let (mut left, mut i) = (0, 0);
    while i < or.len() {
        if !contradicts(&or[i], with, without) {
            left += 1;
        }
        *steps += 1;
        i += 1;
    }
    left
}

/// Whether an access demands a component in `without`, or excludes a component in `with`.
const fn contradicts(access: &Access, with: ComponentSet, without: ComponentSet) -> bool {
    access.with.meets(&without) || access.without.meets(&with)
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// A filter on the components 0, 1, 2, ...
    #[derive(Clone, Debug)]
    enum Filter {
        With(usize),
        Without(usize),
        And(Vec<Filter>),
        Or(Vec<Filter>),
        Not(Box<Filter>),
    }
    use Filter::{And, Not, Or, With, Without};

    impl Filter {
        /// Whether an entity with these components passes: the truth that the proof is compared
        /// with.
        fn passes(&self, components: u32) -> bool {
            match self {
                With(index) => components >> index & 1 == 1,
                Without(index) => components >> index & 1 == 0,
                And(filters) => filters.iter().all(|filter| filter.passes(components)),
                Or(filters) => filters.iter().any(|filter| filter.passes(components)),
                Not(filter) => !filter.passes(components),
            }
        }

        /// The access of the filter and of its negation, composed as the filter types do.
        fn accesses(&self) -> (Access, Access) {
            let all = |accesses: Vec<Access>| accesses.into_iter().fold(Access::NONE, Access::and);
            let any = |accesses: Vec<Access>| Access::any_of(accesses.leak());
            let of = |filters: &[Filter]| filters.iter().map(Filter::accesses).unzip();
            match self {
                With(index) | Without(index) => {
                    let access = Access::presence(*index);
                    let with = Access { with: access.presence, ..access };
                    let without = Access { without: access.presence, ..access };
                    if matches!(self, With(_)) { (with, without) } else { (without, with) }
                }
                And(filters) => {
                    let (accesses, negated) = of(filters);
                    (all(accesses), any(negated))
                }
                Or(filters) => {
                    let (accesses, negated) = of(filters);
                    (any(accesses), all(negated))
                }
                Not(filter) => {
                    let (access, negated) = filter.accesses();
                    (negated, access)
                }
            }
        }
    }

    /// A filter with the sets of components that pass, one bit for each set, and its access.
    struct Case {
        filter: Filter,
        passing: u32,
        access: Access,
    }

    fn cases(filters: &[Filter], components: usize) -> Vec<Case> {
        let case = |filter: &Filter| Case {
            filter: filter.clone(),
            passing: (0..1 << components).fold(0, |bits, set| bits | u32::from(filter.passes(set)) << set),
            access: filter.accesses().0,
        };
        filters.iter().map(case).collect()
    }

    /// Every filter of one operator over two filters of a list, and its opposite.
    fn pairs(left: &[Filter], right: &[Filter]) -> Vec<Filter> {
        let both =
            left.iter().flat_map(|one| right.iter().map(move |other| vec![one.clone(), other.clone()]));
        let either = both.flat_map(|both| [And(both.clone()), Or(both)]);
        either.flat_map(|filter| [Not(Box::new(filter.clone())), filter]).collect()
    }

    #[test]
    fn the_disjointness_of_all_pairs_of_small_filters_is_exact() {
        let mut small: Vec<Filter> = (0..3).flat_map(|index| [With(index), Without(index)]).collect();
        small.extend([And(vec![]), Or(vec![])]);
        let leaves = small.clone();
        small.extend(pairs(&leaves, &leaves));
        let larger = pairs(&leaves, &small);
        let (small, larger) = (cases(&small, 3), cases(&larger, 3));
        assert_eq!((small.len(), larger.len()), (264, 8448));
        let mut apart = 0;
        for one in &small {
            for other in small.iter().chain(&larger) {
                let truth = one.passing & other.passing == 0;
                let found = one.access.is_apart(&other.access);
                let may_match = one.passing != 0 && other.passing != 0;
                assert!(found == truth || !may_match, "{:?} beside {:?}", one.filter, other.filter);
                apart += usize::from(truth);
            }
        }
        assert!(apart > 100_000, "{apart}");
    }

    #[test]
    fn filters_of_any_size_are_never_wrongly_disjoint() {
        let mut seed = 1_u64;
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        fn filter(random: &mut impl FnMut(usize) -> usize, depth: usize) -> Filter {
            let kind = random(if depth == 0 { 2 } else { 8 });
            let mut many = |most| (0..random(most)).map(|_| filter(random, depth - 1)).collect();
            match kind {
                0 => With(random(5)),
                1 => Without(random(5)),
                2..5 => And(many(8)),
                5..7 => Or(many(5)),
                _ => Not(Box::new(filter(random, depth - 1))),
            }
        }
        let filters: Vec<Filter> = (0..400).map(|i| filter(&mut random, 1 + i % 4)).collect();
        let cases = cases(&filters, 5);
        let (mut found, mut missed) = (0, 0);
        for one in &cases {
            for other in &cases {
                let truth = one.passing & other.passing == 0;
                let apart = one.access.is_apart(&other.access);
                assert!(truth || !apart, "{:?} beside {:?}", one.filter, other.filter);
                found += usize::from(apart);
                missed += usize::from(truth && !apart && one.passing != 0 && other.passing != 0);
            }
        }
        assert!(found > 20_000, "{found}");
        assert!(missed < found / 100, "{missed} of {}", found + missed);
    }

    #[test]
    fn beyond_its_limits_the_proof_gives_up() {
        let or = |from: usize| Or((from..from + 12).map(With).collect());
        let none = |from: usize| And((from..from + 12).map(Without).collect());
        // of five `Or`s side by side, the last is ignored
        let five = And((0..5).map(|i| or(12 * i)).collect()).accesses().0;
        let without = |i: usize| none(12 * i).accesses().0;
        assert!((0..4).all(|i| five.is_apart(&without(i))));
        assert!(!five.is_apart(&without(4)));
        // the pigeonhole principle, more pigeons than holes: every proof by this method is long
        let pigeons = |count: usize, holes: usize| {
            let sits = |pigeon: usize, hole: usize| {
                let others = (0..count).filter(move |&other| other != pigeon);
                let alone = others.map(move |other| Without(other * holes + hole));
                And(core::iter::once(With(pigeon * holes + hole)).chain(alone).collect())
            };
            let of = |pigeon| Or((0..holes).map(|hole| sits(pigeon, hole)).collect());
            let (left, right) = (And((0..4).map(of).collect()), And((4..count).map(of).collect()));
            (left.accesses().0, right.accesses().0)
        };
        let apart = |(left, right): (Access, Access)| left.is_apart(&right);
        assert!(apart(pigeons(5, 4)) && apart(pigeons(6, 5)));
        assert!(!apart(pigeons(5, 5)) && !apart(pigeons(8, 8)));
        assert!(!apart(pigeons(8, 7)));
    }
}
