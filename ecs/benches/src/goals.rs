//! The goals of this library, as data. [`judge`] compares results with them.
//!
//! A goal is judged within one run, by medians, at each number of entities with which its workload
//! was measured. The goal is left out if this library or the library of the comparison was not
//! measured.

mod judge;

pub(crate) use judge::{Judgement, Outcome, judge};

use crate::library::Storage;
use crate::results::Library;

/// Something to reach, in each of some workloads.
pub(crate) struct Goal {
    workloads: &'static [&'static str],
    against: Against,
    bound: Bound,
}

/// The figure to compare with.
#[derive(Clone, Copy)]
enum Against {
    /// The hand-written arrays.
    Arrays,
    /// The hand-written arrays in another workload.
    ArraysIn(&'static str),
    /// The arrays or the fastest peer, whichever is faster.
    ArraysOrPeer,
    /// The fastest of some peers.
    Fastest(Peers),
    /// The fastest peer in any of these workloads.
    FastestIn(&'static [&'static str]),
    /// Our own figure in another workload, with as many entities.
    Own(&'static str),
}

/// Some of the peers.
#[derive(Clone, Copy)]
enum Peers {
    All,
    /// Libraries in which the components of an entity are known at run time only.
    Dynamic,
    /// Libraries with archetypes that are created at run time.
    Archetypes,
    /// Libraries without groups. A group is declared for exactly the components that a loop reads.
    Ungrouped,
    Grouped,
    /// Libraries with sparse sets or trees of bits. Those with groups are left out: a group is as
    /// dense as an archetype.
    Sparse,
    Named(&'static str),
}

/// The relation of our figure to the one it is compared with.
#[derive(Clone, Copy)]
enum Bound {
    /// At most so many times the other.
    AtMost(f64),
    /// At most so many times the other, and so many bytes.
    AtMostAndBytes(f64, f64),
    /// Less than so many times the other.
    Below(f64),
    /// No bound: the figure is only shown.
    Shown,
}

/// The workloads that visit one entity at a time, by each form of loop.
const ENTITY_BY_ENTITY: &[&str] = &["simple_iter_for", "simple_iter_for_each", "simple_iter_system"];
/// The workloads with entities of several sets of components.
const KINDS: &[&str] = &[
    "frag_iter",
    "frag_iter_for",
    "frag_iter_single",
    "frag_iter_regrouped",
    "combinations",
    "combinations_inserted",
    "combinations_inserted_for",
    "combinations_regrouped",
    "rare_regrouped",
    "eight_kinds",
    "schedule",
];

const COMMANDS: &[&str] = &["commands_spawn", "commands_insert"];
const OBSERVERS: &[&str] = &["observe_added", "observe_events", "state_transition"];
/// bevy has the enabled entities side by side, and moves each that is disabled.
const DISABLED: &[&str] = &["disabled_iter", "disabled_toggle"];
/// bevy uses all threads, this library one.
const TRANSFORMS: &[&str] = &["transforms_all", "transforms_few"];
const HIERARCHY: &[&str] = &["hierarchy_despawn", "hierarchy_sum"];
/// As text, which is much the same for all: it is the format that takes the time.
const TEXT: &[&str] = &["save_text", "load_text"];
const DELTAS: &[&str] = &["delta_adjacent", "delta_scattered", "delta_untracked"];
const CHANGED: &[&str] = &["changed_0", "changed_0_1", "changed_1", "changed_100"];

/// All goals.
#[rustfmt::skip]
pub(crate) const ALL: &[Goal] = &[
    goal(&["simple_iter_for_each", "simple_iter_system"], Against::ArraysOrPeer, Bound::AtMost(1.05)),
    goal(&["simple_iter_row_by_row"], Against::Arrays, Bound::AtMost(1.03)),
    goal(&["simple_iter_slices"], Against::Arrays, Bound::AtMost(1.1)),
    // once against what peers do for an entity, once against those that lend slices as well
    goal(&["simple_iter_slices"], Against::FastestIn(ENTITY_BY_ENTITY), Bound::Below(0.5)),
    goal(&["simple_iter_slices"], Against::Fastest(Peers::All), Bound::Below(0.5)),
    goal(&["numbers"], Against::ArraysOrPeer, Bound::AtMost(1.05)),
    goal(&["frag_iter_for"], Against::Own("frag_iter"), Bound::AtMost(1.3)),
    goal(&["combinations_inserted_for"], Against::Own("combinations_inserted"), Bound::AtMost(1.3)),
    goal(&["simple_iter_for"], Against::Fastest(Peers::All), Bound::Below(1.0)),
    goal(&["simple_insert"], Against::Fastest(Peers::Named("gecs")), Bound::Below(1.0)),
    goal(&["simple_insert"], Against::Fastest(Peers::Dynamic), Bound::AtMost(1.0 / 4.0)),
    goal(&["simple_insert_batched"], Against::Arrays, Bound::AtMost(1.4)),
    goal(&["simple_insert_batched"], Against::Fastest(Peers::All), Bound::Below(1.0)),
    goal(&["add_remove"], Against::Fastest(Peers::All), Bound::AtMost(1.0 / 2.0)),
    goal(&["add_remove"], Against::Fastest(Peers::Archetypes), Bound::AtMost(1.0 / 15.0)),
    goal(&["random_access"], Against::Fastest(Peers::All), Bound::Below(1.0)),
    goal(KINDS, Against::Fastest(Peers::Ungrouped), Bound::AtMost(1.1)),
    goal(KINDS, Against::Fastest(Peers::Grouped), Bound::Shown),
    goal(&["frag_iter_single", "frag_iter_regrouped"], Against::Own("frag_iter"), Bound::AtMost(1.2)),
    goal(&["combinations_regrouped"], Against::Own("combinations"), Bound::AtMost(1.1)),
    goal(&["churn"], Against::Fastest(Peers::Dynamic), Bound::AtMost(1.0 / 2.0)),
    goal(&["churn_after"], Against::Own("churn_before"), Bound::AtMost(1.15)),
    goal(&["rare_random"], Against::Fastest(Peers::Sparse), Bound::Below(1.0)),
    goal(&["rare_set"], Against::Fastest(Peers::All), Bound::Below(1.0)),
    goal(&["memory"], Against::Arrays, Bound::AtMostAndBytes(1.05, 8.0)),
    // a despawn follows what the entity holds, not what the world declares
    goal(&["wide_despawn_512"], Against::Own("wide_despawn_26"), Bound::AtMost(1.2)),
    goal(&["wide_spawn_512"], Against::Own("wide_spawn_26"), Bound::Shown),
    goal(&["wide_insert_512"], Against::Own("wide_insert_26"), Bound::Shown),
    goal(&["wide_iter_512"], Against::Own("wide_iter_26"), Bound::Shown),
    goal(&["one_entity"], Against::Arrays, Bound::AtMost(1.3)),
    goal(&["epidemic"], Against::Arrays, Bound::AtMost(1.05)),
    goal(&["epidemic_parallel"], Against::Arrays, Bound::Below(1.0)),
    goal(&["schedule_parallel"], Against::Own("schedule"), Bound::AtMost(1.05)),
    goal(&["schedule_parallel"], Against::Fastest(Peers::All), Bound::Shown),
    goal(&["empty_systems"], Against::Arrays, Bound::AtMost(1.3)),
    goal(&["empty_systems_parallel"], Against::Fastest(Peers::Named("bevy")), Bound::AtMost(1.0 / 50.0)),
    goal(&["empty_systems_parallel"], Against::Own("empty_systems"), Bound::Shown),
    goal(&["events"], Against::Fastest(Peers::Named("bevy")), Bound::AtMost(0.7)),
    goal(OBSERVERS, Against::Fastest(Peers::All), Bound::AtMost(1.0 / 2.0)),
    goal(TRANSFORMS, Against::Fastest(Peers::All), Bound::Below(1.0)),
    goal(DISABLED, Against::Fastest(Peers::All), Bound::Shown),
    goal(&["timers"], Against::Fastest(Peers::All), Bound::Shown),
    goal(COMMANDS, Against::Fastest(Peers::All), Bound::Shown),
    goal(CHANGED, Against::Fastest(Peers::All), Bound::Shown),
    goal(HIERARCHY, Against::Fastest(Peers::All), Bound::Shown),
    goal(&["clone"], Against::Arrays, Bound::AtMost(1.2)),
    // page by page, past which the arrays go with the widest stores there are
    goal(&["clone_from"], Against::Arrays, Bound::AtMost(2.5)),
    goal(&["snapshot"], Against::Own("clone"), Bound::AtMost(1.0 / 20.0)),
    goal(&["restore"], Against::Own("clone_from"), Bound::AtMost(1.0 / 20.0)),
    goal(DELTAS, Against::Own("delta_whole"), Bound::AtMost(1.0 / 30.0)),
    goal(&["names_query"], Against::Own("names_query_typed"), Bound::AtMost(1.5)),
    goal(&["names_query_rows"], Against::Own("names_query_typed"), Bound::Shown),
    goal(&["names_read"], Against::Own("names_read_typed"), Bound::Shown),
    goal(&["names_json"], Against::Own("names_json_typed"), Bound::Shown),
    // a checksum is part of what is saved, and not of the limit
    goal(&["save"], Against::ArraysIn("save_copy"), Bound::AtMost(1.5)),
    goal(&["load"], Against::Arrays, Bound::AtMost(1.0)),
    goal(&["hash", "merge"], Against::Arrays, Bound::Shown),
    goal(TEXT, Against::Fastest(Peers::All), Bound::Shown),
];

const fn goal(workloads: &'static [&'static str], against: Against, bound: Bound) -> Goal {
    Goal { workloads, against, bound }
}

impl Peers {
    fn has(self, library: &Library) -> bool {
        let storage = library.storage;
        library.is_peer()
            && match self {
                Self::All => true,
                Self::Dynamic => storage != Storage::StaticArchetypes,
                Self::Archetypes => storage == Storage::Archetypes,
                Self::Ungrouped => storage != Storage::GroupedSparseSets,
                Self::Grouped => storage == Storage::GroupedSparseSets,
                // bevy has sparse sets, too, and is faster here with its tables
                Self::Sparse => matches!(storage, Storage::SparseSets | Storage::BitSets),
                Self::Named(name) => library.name == name,
            }
    }

    fn words(self) -> &'static str {
        match self {
            Self::All => "the fastest peer",
            Self::Dynamic => "the fastest dynamic peer",
            Self::Archetypes => "the fastest dynamic peer with archetypes",
            Self::Ungrouped => "the fastest peer without groups",
            Self::Grouped => "the fastest peer with groups",
            Self::Sparse => "the fastest peer with sparse storages",
            Self::Named(name) => name,
        }
    }
}

impl Against {
    fn words(self) -> String {
        match self {
            Self::Arrays => "the arrays".to_owned(),
            Self::ArraysIn(workload) => format!("the arrays in `{workload}`"),
            Self::ArraysOrPeer => "the faster of the arrays and the fastest peer".to_owned(),
            Self::Fastest(peers) => peers.words().to_owned(),
            Self::FastestIn(_) => "the fastest peer entity by entity".to_owned(),
            Self::Own(workload) => format!("its own `{workload}`"),
        }
    }
}

impl Bound {
    /// The most that is allowed where the other's figure is this.
    fn allows(self, other: f64) -> Option<f64> {
        match self {
            Self::AtMost(factor) | Self::Below(factor) => Some(factor * other),
            Self::AtMostAndBytes(factor, bytes) => Some(factor * other + bytes),
            Self::Shown => None,
        }
    }

    /// Of what is named.
    fn words(self, other: &str) -> String {
        match self {
            Self::AtMost(factor) => format!("at most {}", times(factor, other)),
            Self::Below(factor) => format!("below {}", times(factor, other)),
            Self::AtMostAndBytes(factor, bytes) => {
                format!("at most {} + {bytes} bytes", times(factor, other))
            }
            Self::Shown => format!("beside {other}"),
        }
    }
}

/// `half of it`, `1/15 of it`, `1.05 x it`.
fn times(factor: f64, what: &str) -> String {
    let part = 1.0 / factor;
    if factor == 1.0 {
        what.to_owned()
    } else if factor == 0.5 {
        format!("half of {what}")
    } else if factor < 1.0 && (part - part.round()).abs() < 1e-9 {
        format!("1/{part:.0} of {what}")
    } else {
        format!("{factor} x {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_of_workloads_that_there_are() {
        let names = crate::workload::ALL.map(|workload| workload.name);
        for goal in ALL {
            let others = match goal.against {
                Against::Own(name) | Against::ArraysIn(name) => &[name][..],
                Against::FastestIn(names) => names,
                _ => &[],
            };
            for name in goal.workloads.iter().chain(others) {
                assert!(names.contains(name), "{name}");
            }
        }
    }

    #[test]
    fn bounds_read_well() {
        assert_eq!(Bound::AtMost(1.0 / 15.0).words("gecs"), "at most 1/15 of gecs");
        assert_eq!(Bound::Below(1.0).words("gecs"), "below gecs");
        assert_eq!(Bound::Below(0.5).words("gecs"), "below half of gecs");
        assert_eq!(
            Bound::AtMostAndBytes(1.05, 8.0).words("the arrays"),
            "at most 1.05 x the arrays + 8 bytes"
        );
    }
}
