//! [`TestRefusal`]: a test that was not possible, as an event and as an error.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A test is not possible. The event of [`run_tests`](super::run_tests), and the error of
/// [`try_run_tests`](super::try_run_tests).
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestRefusal {
    /// The entity of the request.
    pub entity: Entity,
    /// The name of the stat.
    pub stat: Cow<'static, str>,
    /// The reason.
    pub reason: TestReason,
}

/// The reason of a [`TestRefusal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TestReason {
    /// The entity has no sheet, or is despawned.
    NoSheet,
    /// This opponent has no sheet, or is despawned.
    OpponentWithoutSheet(Entity),
}

impl fmt::Display for TestRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, stat, reason } = self;
        match reason {
            TestReason::NoSheet => write!(f, "entity {entity} has no sheet for a test of `{stat}`"),
            TestReason::OpponentWithoutSheet(opponent) => {
                write!(f, "entity {opponent} has no sheet for the test of `{stat}` by entity {entity}")
            }
        }
    }
}

impl Error for TestRefusal {}
