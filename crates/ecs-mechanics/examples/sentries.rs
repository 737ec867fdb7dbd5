//! Minds: a sentry with a state machine, an archer with a behaviour tree, and a cook with a plan,
//! in eight turns of a castle.
//!
//! `cargo run -p checked-ecs-mechanics --example sentries` prints what they do, and checks the end.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use ecs::prelude::*;
use ecs_mechanics::facts::{Fact, Facts};
use ecs_mechanics::minds::goals::{GoalKind, Plan, PlanDomains, PlanRefusal, make_plans};
use ecs_mechanics::minds::tree::{
    Behaviour, BehaviourKind, BehaviourRefusal, BehaviourTrees, Status, tick_trees,
};
use ecs_mechanics::minds::{Machine, StateChange, StateMachine, change_states};
use serde::Deserialize;

/// The sentry: is there a thief, and in which state is the alarm?
#[derive(StateMachine)]
enum Sentry {
    #[state(to(Alert))]
    Calm,
    #[state(nested, to(Calm))]
    Alert(Machine<Alarm>),
}

#[derive(StateMachine)]
enum Alarm {
    #[state(to(Bells))]
    Horn,
    #[state(to())]
    Bells,
}

/// The archer: conditions and actions of its tree.
#[derive(Deserialize)]
enum See {
    Thief,
}
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
enum Aim {
    Draw,
    Shoot,
    Rest,
}

#[derive(Component, Default)]
struct Eyes {
    thief: bool,
    action: Option<Aim>,
}

enum Archer {}
impl BehaviourKind for Archer {
    const NAME: &'static str = "archer";
    type Condition = See;
    type Action = Aim;
    type Agent = Eyes;
    fn holds(See::Thief: &See, eyes: &Eyes) -> bool {
        eyes.thief
    }
    fn act(action: &Aim, eyes: &mut Eyes) -> Status {
        eyes.action = Some(*action);
        Status::Success
    }
}

/// To draw the bow takes a turn, and so does the shot.
const ARCHER: &str = r#"
{ "reactive_selector": [
    { "reactive_sequence": [ { "if": "Thief" }, { "sequence": [ { "do": "Draw" }, { "wait": 1 }, { "do": "Shoot" } ] } ] },
    { "do": "Rest" } ] }"#;

/// The cook: facts and actions.
#[derive(Fact)]
enum Kitchen {
    HasWater,
    HasSoup,
}
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
enum Chore {
    Fetch,
    Cook,
}

enum Cook {}
impl GoalKind for Cook {
    const NAME: &'static str = "cook";
    type Fact = Kitchen;
    type Action = Chore;
}

const COOK: &str = r#"{
    "goals": [ { "name": "soup", "wants": { "HasSoup": true } } ],
    "actions": [
        { "do": "Fetch", "then": { "HasWater": true } },
        { "do": "Cook", "when": { "HasWater": true }, "then": { "HasWater": false, "HasSoup": true } } ] }"#;

#[derive(Resource, Default)]
struct Night {
    turn: u32,
    shots: u32,
    soups: u32,
}

world! {
    struct Castle {
        components { sentry: Machine<Sentry>, Eyes, archer: Behaviour<Archer>, kitchen: Facts<Kitchen>, cook: Plan<Cook> }
        resources  { trees: BehaviourTrees<Archer>, domains: PlanDomains<Cook>, Night = Night::default() }
        events     { StateChange<Sentry>, BehaviourRefusal(external), PlanRefusal(external) }
    }
    schedule turn { look; change_states::<Sentry>, tick_trees::<Archer>, make_plans::<Cook>; tell, shoot, work }
}

/// A thief is there from the second to the sixth turn.
#[system(Castle)]
fn look(mut night: ResMut<Night>, mut sentries: Query<&mut Machine<Sentry>>, mut archers: Query<&mut Eyes>) {
    night.turn += 1;
    let is_there = (2..=6).contains(&night.turn);
    for sentry in &mut sentries {
        if !is_there {
            sentry.change::<sentry::Alert, sentry::Calm>(());
        } else if let Some(alarm) = sentry.data_mut::<sentry::Alert>() {
            alarm.change::<alarm::Horn, alarm::Bells>(());
        } else {
            sentry.change::<sentry::Calm, sentry::Alert>(Machine::default());
        }
    }
    archers.iter_mut().for_each(|eyes| *eyes = Eyes { thief: is_there, action: None });
}

#[system(Castle)]
fn tell(mut changes: EventReader<StateChange<Sentry>>, night: Res<Night>) {
    for change in &mut changes {
        println!("turn {}: the sentry has {:?} {}", night.turn, change.edge, change.name());
    }
}

#[system(Castle)]
fn shoot(archers: Query<&Eyes>, mut night: ResMut<Night>) {
    for action in archers.iter().filter_map(|eyes| eyes.action) {
        println!("turn {}: the archer does {action:?}", night.turn);
        night.shots += u32::from(action == Aim::Shoot);
    }
}

#[system(Castle)]
fn work(
    mut cooks: Query<(&Plan<Cook>, &mut Facts<Kitchen>)>,
    domains: Res<PlanDomains<Cook>>,
    mut night: ResMut<Night>,
) {
    for (plan, facts) in &mut cooks {
        // the soup of the turn before is eaten
        facts.set(Kitchen::HasSoup, false);
        match plan.action(&domains) {
            Some(Chore::Fetch) => facts.set(Kitchen::HasWater, true),
            Some(Chore::Cook) => {
                facts.set(Kitchen::HasWater, false);
                facts.set(Kitchen::HasSoup, true);
                night.soups += 1;
            }
            None => {}
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut trees, mut domains) = (BehaviourTrees::default(), PlanDomains::default());
    trees.insert("archer", serde_json::from_str(ARCHER)?);
    domains.insert("kitchen", serde_json::from_str(COOK)?);
    let mut castle = Castle::new(trees, domains);
    castle.spawn(Machine::<Sentry>::default());
    castle.spawn((Eyes::default(), Behaviour::new("archer")));
    castle.spawn((Facts::<Kitchen>::new(), Plan::new("kitchen")));
    for _ in 0..8 {
        castle.turn();
    }
    let night = castle.resource::<Night>();
    println!("{} shots, {} soups", night.shots, night.soups);
    assert_eq!((night.shots, night.soups), (2, 3));
    Ok(())
}
