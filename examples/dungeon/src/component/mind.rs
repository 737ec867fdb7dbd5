//! Components of minds: the mood of a monster, what it can do in this turn, and what it does.

use ecs::prelude::*;
use ecs_mechanics::minds::tree::{Behaviour, BehaviourKind, BehaviourTrees, Status};
use ecs_mechanics::minds::{Machine, StateMachine};
use serde::Deserialize;

use crate::point::Point;

/// Hunts the player, and remembers the last position of the player for so many turns.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[component(requires(Machine<Mood>, Chances, Intent))]
pub struct Mind {
    pub memory: u8,
}

/// The states of a monster.
#[derive(StateMachine, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Mood {
    #[state(to(Hunting))]
    Idle,
    #[state(to(Idle))]
    Hunting(Trail),
}

/// A hunter's knowledge of its prey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub struct Trail {
    pub prey: Entity,
    /// The last known position of the prey.
    pub at: Point,
    /// The number of turns until the hunter forgets.
    pub patience: u8,
}

/// The tactics of a monster: the name of a behaviour tree in the content.
pub type Tactics = Behaviour<Hunting>;

/// The behaviour trees in the content.
pub type Minds = BehaviourTrees<Hunting>;

/// The actions that a hunter can take in this turn, and the one that its tree has chosen.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
pub struct Chances {
    /// Whether the prey is in a neighbouring cell.
    pub is_near: bool,
    pub can_strike: bool,
    pub can_shoot: bool,
    pub choice: Option<Choice>,
}

/// The conditions of behaviour trees.
#[derive(Clone, Copy, Debug, Deserialize)]
pub enum Chance {
    IsNear,
    CanStrike,
    CanShoot,
}

/// The actions of behaviour trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Choice {
    Strike,
    Shoot,
    Burst,
    Approach,
}

/// The kind of the behaviour trees.
pub enum Hunting {}

impl BehaviourKind for Hunting {
    const NAME: &'static str = "hunting";
    type Condition = Chance;
    type Action = Choice;
    type Agent = Chances;

    fn holds(condition: &Chance, chances: &Chances) -> bool {
        match condition {
            Chance::IsNear => chances.is_near,
            Chance::CanStrike => chances.can_strike,
            Chance::CanShoot => chances.can_shoot,
        }
    }

    fn act(action: &Choice, chances: &mut Chances) -> Status {
        chances.choice = Some(*action);
        Status::Success
    }
}

/// The action of a hunter in this turn.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
pub enum Intent {
    #[default]
    Wait,
    Walk(Point),
    Strike(Entity),
    Shoot(Entity),
    /// Die, and burst.
    Burst,
}
