//! The state of a worker in the text format of Prometheus.

use std::fmt::Write as _;

use super::Worker;
use crate::{Exchange, Model};

impl<M: Model, E: Exchange> Worker<M, E> {
    /// The [`TickStats`](crate::TickStats) of the last tick in the text format of
    /// [Prometheus](https://prometheus.io/docs/instrumenting/exposition_formats/), for a program
    /// that serves them or writes them to a file. Times are in seconds.
    #[must_use]
    pub fn metrics(&self) -> String {
        let stats = &self.stats;
        let gauges = [
            ("tick", "The number of ticks that were run.", self.tick as f64),
            ("entities", "The entities with a place.", stats.entities as f64),
            ("mirrors", "The copies of entities of other workers.", stats.mirrors as f64),
            ("compute_seconds", "The time of the systems.", stats.compute.as_secs_f64()),
            ("migrate_seconds", "The time to move entities.", stats.migrate.as_secs_f64()),
            ("halo_seconds", "The time to exchange halos, totals and messages.", stats.halo.as_secs_f64()),
            ("wait_seconds", "The time in which it has waited for others.", stats.wait.as_secs_f64()),
            ("checkpoint_seconds", "The time of checkpoints after the tick.", stats.checkpoint.as_secs_f64()),
            ("sent_entities", "The entities that have moved to other workers.", stats.sent_entities as f64),
            ("migration_bytes", "The bytes of entities that have moved.", stats.migration_bytes as f64),
            ("halo_bytes", "The bytes of halos, totals and messages.", stats.halo_bytes as f64),
            ("rebalanced", "Whether places were divided anew.", f64::from(u8::from(stats.rebalanced))),
            ("slowest", "The worker whose systems took longest.", stats.slowest as f64),
        ];
        let mut text = String::new();
        let worker = self.exchange.index();
        for (name, help, value) in gauges {
            let name = format!("ecs_worker_{name}");
            let _ = writeln!(
                text,
                "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{worker=\"{worker}\"}} {value}"
            );
        }
        text
    }
}
