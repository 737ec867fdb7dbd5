//! [`History`]: numbers of a world over time, for `/stats`. It belongs to the server, so that
//! snapshots and hashes of the world do not contain it.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use ecs::reflect::ReflectWorld;
use ecs::schedule::Timing;
use serde_json::{Map, Value, json};

/// The values of a period.
const VALUES: usize = 60;
/// The periods, and the number of values that become one value of the next period.
const PERIODS: [(&str, usize); 5] = [("1s", 60), ("1m", 60), ("1h", 24), ("1d", 7), ("1w", usize::MAX)];

/// The mean, the smallest and the largest of a number, of the last 60 parts of each period. The
/// shortest part is one call of `serve`, so that series do not depend on the speed of the machine:
/// 60 calls are a second.
#[derive(Clone, Default, Debug)]
pub(crate) struct Series {
    rings: [VecDeque<[f64; 3]>; PERIODS.len()],
    /// The values since the last one of the next period.
    since: [usize; PERIODS.len()],
}

/// The numbers of one call of `serve`.
pub(crate) struct Sample {
    pub(crate) entities: usize,
    pub(crate) requests: usize,
    pub(crate) at: Instant,
    pub(crate) timings: Vec<Timing>,
}

/// The series of a world.
#[derive(Clone, Default, Debug)]
pub(crate) struct History {
    entities: Series,
    requests: Series,
    /// The seconds from call to call.
    frames: Series,
    /// The seconds of all systems in a call, while they are measured.
    in_systems: Series,
    first: Option<Instant>,
    last: Option<Instant>,
    /// The seconds of each place of a system, by its schedule, name and number, and the total time
    /// at the last call.
    systems: BTreeMap<Place, (Duration, Series)>,
}

/// The schedule and the name of a system, and the number of its place among those of the same name.
pub(crate) type Place = (&'static str, &'static str, usize);

impl Sample {
    pub(crate) fn of(world: &mut dyn ReflectWorld, requests: usize) -> Self {
        let world = world.reflect();
        Self { entities: world.len(), requests, at: Instant::now(), timings: world.timings() }
    }
}

/// The place of each timing.
pub(crate) fn places(timings: &[Timing]) -> impl Iterator<Item = Place> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    timings.iter().map(move |timing| {
        let count = counts.entry((timing.schedule, timing.system)).or_default();
        *count += 1;
        (timing.schedule, timing.system, *count - 1)
    })
}

impl Series {
    /// Adds the value of one call.
    fn push(&mut self, value: f64) {
        let mut value = [value; 3];
        // a value goes to the ring of calls; each full period sums up its values as one of the next
        // ring
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
            // the mean of the means, and the extremes of the extremes
            let last = ring.iter().rev().take(*every);
            let count = last.len() as f64;
            value = last.fold([0.0, f64::INFINITY, f64::NEG_INFINITY], |[sum, min, max], value| {
                [sum + value[0] / count, min.min(value[1]), max.max(value[2])]
            });
        }
    }

    /// The values of a period, newest last; zeros stand for the time before the first value.
    fn json(&self, period: &str, brief: &str) -> Value {
        let at = PERIODS.iter().position(|(name, _)| *name == period).unwrap_or(1);
        let ring = &self.rings[at];
        let part = |part: usize| {
            let values = std::iter::repeat_n(0.0, VALUES - ring.len())
                .chain(ring.iter().map(move |value| value[part]));
            values.collect::<Value>()
        };
        json!({ "avg": part(0), "min": part(1), "max": part(2), "brief": brief })
    }
}

impl History {
    /// Adds the numbers of one call.
    pub(crate) fn push(&mut self, sample: &Sample) {
        self.entities.push(sample.entities as f64);
        self.requests.push(sample.requests as f64);
        self.first.get_or_insert(sample.at);
        if let Some(last) = self.last.replace(sample.at) {
            self.frames.push(sample.at.saturating_duration_since(last).as_secs_f64());
        }
        let mut sum = 0.0;
        for (place, timing) in places(&sample.timings).zip(&sample.timings) {
            let (total, series) = self.systems.entry(place).or_default();
            // a new measurement begins at zero
            let time = timing.total.checked_sub(*total).unwrap_or(timing.total).as_secs_f64();
            *total = timing.total;
            series.push(time);
            sum += time;
        }
        if !sample.timings.is_empty() {
            self.in_systems.push(sum);
        }
    }

    /// The calls of a second, from the last 60 of them.
    pub(crate) fn calls_per_second(&self) -> Option<f64> {
        let frames = &self.frames.rings[0];
        let seconds: f64 = frames.iter().map(|[mean, ..]| mean).sum();
        (seconds > 0.0).then(|| frames.len() as f64 / seconds)
    }

    /// The time from the first call to the last one.
    pub(crate) fn uptime(&self) -> Option<Duration> {
        Some(self.last?.saturating_duration_since(self.first?))
    }

    /// The series of a world in a period, by the names of flecs.
    pub(crate) fn world(&self, period: &str) -> Value {
        let all = [
            ("entities.count", &self.entities, "the number of entities"),
            (
                "http.request_handled_count",
                &self.requests,
                "the requests that a call of `serve` has answered",
            ),
            ("performance.frame_time", &self.frames, "the seconds from one call of `serve` to the next"),
            ("performance.system_time", &self.in_systems, "the seconds in systems, while they are measured"),
        ];
        let all = all.map(|(name, series, brief)| (name.to_owned(), series.json(period, brief)));
        Value::Object(Map::from_iter(all))
    }

    /// The seconds of a system in the calls of a period.
    pub(crate) fn system(&self, place: Place, period: &str) -> Value {
        let series = self.systems.get(&place).map(|(_, series)| series.json(period, "seconds in a call"));
        series.unwrap_or(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_the_means_of_its_seconds() {
        let mut series = Series::default();
        (0..180).for_each(|call| series.push(f64::from(call)));
        let minute = series.json("1m", "");
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
