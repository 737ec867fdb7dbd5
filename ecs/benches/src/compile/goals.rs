//! The goals of compile times.
//!
//! Judged are medians as they were measured: what `cargo` needs before it calls the compiler is
//! part of each and is not taken off, neither from a figure nor from the two of a ratio.

use super::{COUNTS, MANY, OF_ONE_SIZE, Results, Task};

/// The longest that a check of 200 components and systems should take, in seconds.
const CHECK_OF_200: f64 = 3.0;
/// The longest that a check of the program with many systems should take, in seconds.
const CHECK_OF_MANY: f64 = 4.0;
/// The most that twice as much of everything should cost: a fifth more than twice.
const GROWTH: f64 = 2.4;
/// The peers that should be slower.
const PEERS: [&str; 3] = ["gecs", "hecs", "bevy"];

/// A goal, judged.
pub(super) struct Goal {
    pub(super) met: bool,
    /// The goal and the measured figure, as text.
    pub(super) text: String,
}

/// All goals whose figures were measured, those missed first.
pub(super) fn judge(results: &Results) -> Vec<Goal> {
    let mut goals: Vec<Goal> = check_of_200(results).into_iter().chain(check_of_many(results)).collect();
    for task in Task::ALL {
        goals.extend([100, 200].into_iter().filter_map(|count| growth(results, task, count)));
    }
    for (task, peer) in Task::ALL.into_iter().flat_map(|task| PEERS.map(|peer| (task, peer))) {
        goals.extend(COUNTS.into_iter().filter_map(|count| below(results, task, peer, count)));
    }
    for (task, count) in OF_ONE_SIZE {
        goals.extend(PEERS.into_iter().filter_map(|peer| below(results, task, peer, count)));
    }
    goals.sort_by_key(|goal| goal.met);
    goals
}

fn check_of_200(results: &Results) -> Option<Goal> {
    let time = results.median("ecs", 200, Task::Check)?;
    let text = format!("check of 200: {time:.2} s, at most {CHECK_OF_200:.2} s");
    Some(Goal { met: time <= CHECK_OF_200, text })
}

fn check_of_many(results: &Results) -> Option<Goal> {
    let time = results.median("ecs", MANY.systems, Task::CheckMany)?;
    let text = format!("check of {} systems: {time:.2} s, at most {CHECK_OF_MANY:.2} s", MANY.systems);
    Some(Goal { met: time <= CHECK_OF_MANY, text })
}

/// From so many components to twice as many.
fn growth(results: &Results, task: Task, count: usize) -> Option<Goal> {
    let [few, many] = [count, 2 * count].map(|count| results.median("ecs", count, task));
    let growth = many? / few?;
    let text = format!("{}, {} : {count}: {growth:.2}, at most {GROWTH:.2}", task.name(), 2 * count);
    Some(Goal { met: growth <= GROWTH, text })
}

fn below(results: &Results, task: Task, peer: &str, count: usize) -> Option<Goal> {
    let [time, of_peer] = ["ecs", peer].map(|library| results.median(library, count, task));
    let (time, of_peer) = (time?, of_peer?);
    let text = format!("{} of {count}: {time:.2} s, below {peer} with {of_peer:.2} s", task.name());
    Some(Goal { met: time < of_peer, text })
}

#[cfg(test)]
mod tests {
    use super::super::{Content, Figure};
    use super::*;

    #[test]
    fn missed_goals_come_first_and_what_was_not_measured_is_not_judged() {
        let figure = |library: &str, count, seconds| Figure {
            entrant: library.into(),
            version: String::new(),
            count,
            content: Content::Numbers,
            task: Task::Check,
            samples: vec![seconds],
            processor: Vec::new(),
        };
        let figures = vec![
            figure("ecs", 100, 1.0),
            figure("ecs", 200, 2.5),
            figure("gecs", 200, 2.4),
            figure("bevy", 200, 9.0),
        ];
        let goals = judge(&Results { compiler: String::new(), threads: 1, figures });
        let met: Vec<bool> = goals.iter().map(|goal| goal.met).collect();
        assert_eq!(met, [false, false, true, true]);
        assert!(goals[0].text.starts_with("check, 200 : 100: 2.50"));
    }

    #[test]
    fn many_systems_are_judged_by_themselves() {
        let figure = Figure {
            entrant: "ecs".into(),
            version: String::new(),
            count: 300,
            content: Content::Numbers,
            task: Task::CheckMany,
            samples: vec![3.9, 4.0, 4.2],
            processor: Vec::new(),
        };
        let goals = judge(&Results { compiler: String::new(), threads: 1, figures: vec![figure] });
        assert_eq!(goals.len(), 1);
        assert!(goals[0].met && goals[0].text == "check of 300 systems: 4.00 s, at most 4.00 s");
    }
}
