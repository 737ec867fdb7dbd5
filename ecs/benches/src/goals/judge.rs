//! Whether results reach the goals.

use super::{Against, Bound, Goal};
use crate::library::Role;
use crate::results::{Entry, Library, Measured, Results};
use crate::workload::Measure;

/// The judgement of a goal at one number of entities.
pub(crate) struct Judgement<'a> {
    pub(crate) workload: &'a str,
    pub(crate) entities: u32,
    pub(crate) measure: Measure,
    /// The goal in words.
    pub(crate) goal: String,
    /// Our figure.
    pub(crate) ours: f64,
    /// The library to compare with.
    pub(crate) other: String,
    /// The figure of the library with that name, or of the arrays.
    pub(crate) theirs: f64,
    /// Our figure at most, or just below; none if it is only shown.
    pub(crate) allowed: Option<f64>,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Missed,
    Reached,
    /// The goal has no bound.
    Shown,
}

impl Judgement<'_> {
    /// Our figure in the other's.
    pub(crate) fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }

    /// The allowed ratio to the other figure.
    pub(crate) fn allowed_ratio(&self) -> Option<f64> {
        self.allowed.map(|allowed| allowed / self.theirs)
    }

    /// Our figure in what is allowed: above one, the goal is missed.
    pub(crate) fn excess(&self) -> Option<f64> {
        self.allowed.map(|allowed| self.ours / allowed)
    }
}

/// Judges all goals that the results have figures for: those missed come first, the worst before
/// the others.
pub(crate) fn judge(results: &Results) -> Vec<Judgement<'_>> {
    let mut judgements: Vec<_> = super::ALL.iter().flat_map(|goal| of(goal, results)).collect();
    judgements.sort_by(|a, b| {
        // missed before reached, reached before shown; the others stay in the order of the goals
        let missed = |judgement: &Judgement<'_>| match judgement.outcome {
            Outcome::Missed => -judgement.excess().unwrap_or_default(),
            Outcome::Reached => 0.0,
            Outcome::Shown => 1.0,
        };
        missed(a).total_cmp(&missed(b))
    });
    judgements
}

fn of<'a>(goal: &'a Goal, results: &'a Results) -> impl Iterator<Item = Judgement<'a>> {
    let rows = goal
        .workloads
        .iter()
        .flat_map(|name| results.measured().filter(move |row| row.row.workload == *name));
    rows.filter_map(|row| one(goal, results, row))
}

fn one<'a>(goal: &Goal, results: &'a Results, row: Measured<'a>) -> Option<Judgement<'a>> {
    let ours = row.ours()?.1.median;
    let (library, cell) = other(goal.against, results, row)?;
    let theirs = cell.median;
    let allowed = goal.bound.allows(theirs);
    let outcome = match (goal.bound, allowed) {
        (Bound::Below(_), Some(allowed)) if ours < allowed => Outcome::Reached,
        (Bound::AtMost(_) | Bound::AtMostAndBytes(..), Some(allowed)) if ours <= allowed => Outcome::Reached,
        (_, Some(_)) => Outcome::Missed,
        (_, None) => Outcome::Shown,
    };
    Some(Judgement {
        workload: &row.row.workload,
        entities: row.row.entities,
        measure: row.row.measure,
        goal: goal.bound.words(&goal.against.words()),
        ours,
        other: match goal.against {
            Against::Own(workload) | Against::ArraysIn(workload) => workload.to_owned(),
            _ => library.name.clone(),
        },
        theirs,
        allowed,
        outcome,
    })
}

/// The entries of a row to compare with.
fn other<'a>(against: Against, results: &'a Results, row: Measured<'a>) -> Option<Entry<'a>> {
    let entities = row.row.entities;
    match against {
        Against::Arrays => row.arrays(),
        Against::ArraysIn(workload) => results.find(workload, entities)?.arrays(),
        Against::ArraysOrPeer => row.best(|library| library.role == Role::Limit || library.is_peer()),
        Against::Fastest(peers) => row.best(|library| peers.has(library)),
        Against::FastestIn(workloads) => workloads
            .iter()
            .filter_map(|workload| results.find(workload, entities)?.best(Library::is_peer))
            .min_by(|(_, a), (_, b)| a.median.total_cmp(&b.median)),
        Against::Own(workload) => results.find(workload, entities)?.ours(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    /// The judgements of a goal whose words contain these.
    fn find<'a>(judgements: &'a [Judgement<'a>], workload: &str, goal: &str) -> &'a Judgement<'a> {
        let found = judgements.iter().find(|j| j.workload == workload && j.goal.contains(goal));
        found.unwrap_or_else(|| panic!("{workload}: {goal}"))
    }

    #[test]
    fn missed_goals_come_first_and_the_worst_before_the_others() {
        let results = results(&[
            ("one_entity", 1, &[("arrays", 1.0), ("ecs", 1.3)]),
            ("random_access", 10_000, &[("ecs", 2.0), ("hecs", 1.9)]),
            ("simple_iter_for", 10_000, &[("ecs", 2.0), ("hecs", 1.0)]),
        ]);
        let judgements = judge(&results);
        let order: Vec<_> = judgements.iter().map(|j| (j.workload, j.outcome)).collect();
        assert_eq!(
            order,
            [
                ("simple_iter_for", Outcome::Missed),
                ("random_access", Outcome::Missed),
                ("one_entity", Outcome::Reached),
            ]
        );
        assert_eq!((judgements[0].excess(), judgements[0].ratio()), (Some(2.0), 2.0));
    }

    #[test]
    fn each_count_is_judged_by_itself() {
        let results = results(&[
            ("random_access", 10_000, &[("ecs", 1.0), ("hecs", 1.0)]),
            ("random_access", 1_000_000, &[("ecs", 0.9), ("hecs", 1.0)]),
        ]);
        let outcomes: Vec<_> = judge(&results).iter().map(|j| (j.entities, j.outcome)).collect();
        // below is below: the same figure does not do
        assert_eq!(outcomes, [(10_000, Outcome::Missed), (1_000_000, Outcome::Reached)]);
    }

    #[test]
    fn goals_without_figures_are_left_out() {
        let rows =
            results(&[("random_access", 10_000, &[("hecs", 1.0)]), ("memory", 1_000_000, &[("ecs", 1.0)])]);
        assert_eq!(judge(&rows).len(), 0);
        assert_eq!(judge(&results(&[])).len(), 0);
        // `churn_after` is compared with `churn_before`, which is not there
        let rows = results(&[("churn_after", 100_000, &[("ecs", 1.0), ("hecs", 1.0)])]);
        assert_eq!(judge(&rows).len(), 0);
    }

    #[test]
    fn arrays_or_peer_is_the_faster() {
        let row = |arrays, hecs| {
            results(&[("simple_iter_system", 10_000, &[("arrays", arrays), ("ecs", 1.05), ("hecs", hecs)])])
        };
        let (peer, arrays) = (row(1.2, 1.0), row(0.9, 1.0));
        assert_eq!((&*judge(&peer)[0].other, judge(&peer)[0].outcome), ("hecs", Outcome::Reached));
        assert_eq!((&*judge(&arrays)[0].other, judge(&arrays)[0].outcome), ("arrays", Outcome::Missed));
    }

    #[test]
    fn slices_are_judged_against_entities_and_slices_of_peers() {
        let results = results(&[
            ("simple_iter_for", 10_000, &[("ecs", 1.0), ("hecs", 1.4)]),
            ("simple_iter_for_each", 10_000, &[("ecs", 1.0), ("hecs", 1.2), ("bevy", 1.0)]),
            ("simple_iter_slices", 10_000, &[("arrays", 0.4), ("ecs", 0.4), ("bevy", 0.5)]),
        ]);
        let judgements = judge(&results);
        let entities = find(&judgements, "simple_iter_slices", "entity by entity");
        assert_eq!((&*entities.other, entities.theirs, entities.outcome), ("bevy", 1.0, Outcome::Reached));
        let slices = find(&judgements, "simple_iter_slices", "below half of the fastest peer");
        assert_eq!(entities.allowed, Some(0.5));
        let also =
            judgements.iter().filter(|j| j.outcome == Outcome::Missed && j.workload == slices.workload);
        assert_eq!(also.map(|j| j.theirs).collect::<Vec<_>>(), [0.5]);
    }

    #[test]
    fn peers_are_told_apart() {
        let results = results(&[
            ("simple_insert", 10_000, &[("ecs", 1.0), ("gecs", 2.0), ("hecs", 4.0), ("shipyard", 5.0)]),
            ("add_remove", 10_000, &[("ecs", 1.0), ("hecs", 14.0), ("shipyard", 3.0), ("sparsey", 2.0)]),
            ("frag_iter", 520, &[("ecs", 1.0), ("hecs", 0.95), ("sparsey", 0.5)]),
            ("rare_random", 1_000_000, &[("ecs", 1.0), ("hecs", 0.5), ("bevy", 2.0), ("shipyard", 3.0)]),
        ]);
        let judgements = judge(&results);
        let outcome = |workload, goal| {
            let judgement = find(&judgements, workload, goal);
            (&*judgement.other, judgement.outcome)
        };
        assert_eq!(outcome("simple_insert", "gecs"), ("gecs", Outcome::Reached));
        assert_eq!(outcome("simple_insert", "dynamic"), ("hecs", Outcome::Reached));
        assert_eq!(outcome("add_remove", "half of the fastest peer"), ("sparsey", Outcome::Reached));
        assert_eq!(outcome("add_remove", "archetypes"), ("hecs", Outcome::Missed));
        assert_eq!(outcome("frag_iter", "without groups"), ("hecs", Outcome::Reached));
        assert_eq!(outcome("frag_iter", "with groups"), ("sparsey", Outcome::Shown));
        assert_eq!(outcome("rare_random", "sparse"), ("shipyard", Outcome::Reached));
    }

    #[test]
    fn memory_may_take_some_bytes_more() {
        let at = |ours| results(&[("memory", 1_000_000, &[("arrays", 100.0), ("ecs", ours)])]);
        assert_eq!(judge(&at(113.0))[0].outcome, Outcome::Reached);
        assert_eq!(judge(&at(113.1))[0].outcome, Outcome::Missed);
    }

    #[test]
    fn own_figures_are_compared() {
        let results = results(&[
            ("wide_despawn_26", 10_000, &[("ecs", 10.0)]),
            ("wide_despawn_512", 10_000, &[("ecs", 12.5), ("hecs", 1.0)]),
        ]);
        let judgements = judge(&results);
        assert_eq!(judgements.len(), 1);
        assert_eq!((&*judgements[0].other, judgements[0].outcome), ("wide_despawn_26", Outcome::Missed));
    }
}
