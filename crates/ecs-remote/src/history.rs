//! [`History`]: the number of entities over time, for `/stats/world`.

use std::collections::VecDeque;

use serde_json::{Value, json};

/// The values of a period.
const VALUES: usize = 60;
/// The periods, and the number of values that become one value of the next period.
const PERIODS: [(&str, usize); 5] = [("1s", 60), ("1m", 60), ("1h", 24), ("1d", 7), ("1w", usize::MAX)];

/// The mean, the smallest and the largest number of entities, of the last 60 parts of each period. The shortest part is one call of
/// `serve`, since a clock would make answers differ from run to run.
#[derive(Clone, Default, Debug)]
pub(crate) struct History {
    rings: [VecDeque<[f64; 3]>; PERIODS.len()],
    /// The values since the last one of the next period.
    since: [usize; PERIODS.len()],
}

impl History {
    /// Adds the value of one call.
    pub(crate) fn push(&mut self, value: usize) {
        let mut value = [value as f64; 3];
        for (at, (_, every)) in PERIODS.iter().enumerate() {
            let ring = &mut self.rings[at];
            if ring.len() == VALUES {
                ring.pop_front();
            }
            ring.push_back(value);
            self.since[at] += 1;
            if self.since[at] < *every {
                return;
            }
            self.since[at] = 0;
            let last = ring.iter().rev().take(*every);
            let count = last.len() as f64;
            value = last.fold([0.0, f64::INFINITY, f64::NEG_INFINITY], |[sum, min, max], value| {
                [sum + value[0] / count, min.min(value[1]), max.max(value[2])]
            });
        }
    }

    /// The values of a period, newest last; zeros stand for the time before the first value.
    pub(crate) fn json(&self, period: &str) -> Value {
        let at = PERIODS.iter().position(|(name, _)| *name == period).unwrap_or(1);
        let ring = &self.rings[at];
        let part = |part: usize| {
            let values = std::iter::repeat_n(0.0, VALUES - ring.len())
                .chain(ring.iter().map(move |value| value[part]));
            values.collect::<Value>()
        };
        json!({ "avg": part(0), "min": part(1), "max": part(2), "brief": "the number of entities" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_the_means_of_its_seconds() {
        let mut history = History::default();
        (0..180).for_each(|call| history.push(call));
        let minute = history.json("1m");
        assert_eq!(minute["avg"].as_array().map(Vec::len), Some(60));
        let means: Vec<f64> = (57..60).filter_map(|at| minute["avg"][at].as_f64()).collect();
        assert!(
            means.iter().zip([29.5, 89.5, 149.5]).all(|(mean, right)| (mean - right).abs() < 1e-9),
            "{means:?}"
        );
        assert_eq!(
            (&minute["max"][59], &minute["min"][58], &minute["avg"][0]),
            (&json!(179.0), &json!(60.0), &json!(0.0))
        );
    }
}
