//! Synchronous update: all agents act at once, on the state of the last step.
//!
//! [`Next`] is a second component with the next state of an agent. A system reads the states of all
//! agents and writes the next one of each, in parallel if it is `par`; then [`take_next`] makes the
//! next states the present ones. No agent sees half of a step, and the result depends neither on
//! the order of the agents nor on threads.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
//! struct Opinion(f64);
//! #[derive(Component, Serialize, Deserialize)]
//! struct Friends(Vec<Entity>);
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Town { components { Opinion, Next<Opinion>, Friends } }
//!     schedule step { listen; take_next::<Opinion> }
//! }
//!
//! /// Everybody takes over the mean opinion of the friends.
//! #[system(Town, par)]
//! fn listen(friends: &Friends, next: &mut Next<Opinion>, opinions: Query<&Opinion>) {
//!     let opinions = friends.0.iter().filter_map(|&friend| opinions.get(friend));
//!     next.0 = Opinion(opinions.map(|opinion| opinion.0).sum::<f64>() / friends.0.len() as f64);
//! }
//!
//! let mut town = Town::new();
//! let two = [0.0, 1.0].map(|opinion| town.spawn((Opinion(opinion), Next(Opinion(opinion)))));
//! for (agent, friend) in [(two[0], two[1]), (two[1], two[0])] {
//!     town.insert(agent, Friends(vec![friend]))?;
//! }
//! town.step();
//! assert_eq!(two.map(|agent| town.get::<Opinion>(agent)), [Some(&Opinion(1.0)), Some(&Opinion(0.0))]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The state `T` that an agent has in the next step: see [`take_next`].
#[derive(
    Component, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug,
)]
#[serde(bound = "T: Serialize + serde::de::DeserializeOwned")]
pub struct Next<T: Send + Sync + 'static>(pub T);

/// System: the present state of each agent becomes its next one. Name it in a schedule after the
/// systems that write [`Next`], as `take_next::<Opinion>`.
///
/// The next state stays what it is: an agent for which no system writes another one keeps its
/// state.
///
/// # Cost
/// Each step clones the state of each agent, a nanosecond for 32 bytes.
#[system]
pub fn take_next<T: Component + Clone>(state: &mut T, next: &Next<T>) {
    state.clone_from(&next.0);
}
