//! Minds: state machines, behaviour trees and planners of goals.
//!
//! | part | for | data |
//! |---|---|---|
//! | [`Machine`] | modes of a creature, a door or a weapon: few states, and a list of the transitions between them | an enum with [`derive(StateMachine)`](macro@StateMachine) |
//! | [`BehaviourTree`](tree::BehaviourTree) | the choice of the next action: alternatives in an order, and steps one after the other | a file, with conditions and actions of the game |
//! | [`PlanDomain`](goals::PlanDomain) | several ways to a goal, which depend on each other | a file, with facts and actions of the game |
//!
//! The state of each is a component of its entity, which is saved and rolled back with the world.
//! The results are events and components that systems of the game read.
//!
//! A world lists these components, resources and events itself: the module has no `parts!`. Parts
//! with a parameter are checked with its default, and there is no sensible default for the states,
//! conditions and actions of a game.
//!
//! A state machine of an entity:
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::minds::{Machine, StateChange, StateMachine, change_states};
//!
//! #[derive(StateMachine)]
//! enum Guard {
//!     #[state(to(Chase))]
//!     Patrol,
//!     #[state(to(Patrol))]
//!     Chase(Entity),
//! }
//!
//! world! {
//!     struct Castle {
//!         components { mind: Machine<Guard> }
//!         events { StateChange<Guard>(external) }
//!     }
//!     schedule turn { change_states::<Guard> }
//! }
//!
//! let mut castle = Castle::new();
//! let thief = castle.spawn(());
//! let guard = castle.spawn(Machine::<Guard>::default());
//! castle.turn();                                                   // enters `Patrol`
//! let mind = castle.get_mut::<Machine<Guard>>(guard).unwrap();
//! assert!(mind.change::<guard::Patrol, guard::Chase>(thief));      // checked by `cargo check`
//! castle.turn();                                                   // leaves `Patrol` and enters `Chase`
//! let entered: Vec<bool> = castle.drain::<StateChange<Guard>>().map(|change| change.entered::<guard::Chase>()).collect();
//! assert_eq!(entered, [false, false, true]);
//! ```

pub mod goals;
mod machine;
mod shape_hash;
pub mod tree;

pub use ecs::state::CanChangeTo;
pub use ecs_mechanics_macros::StateMachine;

pub use self::machine::graph::{StateGraph, StateNode, StatePath};
pub use self::machine::{
    FirstState, InitialState, Machine, NestedMachine, NoTransition, StateChange, StateEdge, StateMachine,
    StateVariant, SubStates, change_states,
};

/// For expansions of the derives. Nothing here is stable.
#[doc(hidden)]
pub mod __private {
    /// The data of a state without a field. A value without a size takes no memory.
    #[must_use]
    pub fn no_data() -> &'static mut () {
        Box::leak(Box::new(()))
    }
}
