//! W55: goal planning as data.

use ecs::prelude::*;
use ecs::save::LoadOptions;
use ecs_mechanics::facts::{Fact, Facts};
use ecs_mechanics::minds::goals::{
    GoalKind, Plan, PlanDomain, PlanDomains, PlanReason, PlanRefusal, make_plans, try_make_plans,
};
use oorandom::Rand32;
use pathfinding::prelude::dijkstra;
use serde::{Deserialize, Serialize};

#[derive(Fact, Clone, Copy)]
enum Need {
    HasAxe,
    HasWood,
    IsWarm,
    IsSafe,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    TakeAxe,
    Chop,
    Gather,
    Burn,
    Hide,
}

enum Woodcutter {}
impl GoalKind for Woodcutter {
    const NAME: &'static str = "woodcutter";
    type Fact = Need;
    type Action = Work;
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Wood {
        components { needs: Facts<Need>, plan: Plan<Woodcutter> }
        resources  { domains: PlanDomains<Woodcutter> }
        events     { PlanRefusal(external) }
    }
    schedule turn { make_plans::<Woodcutter> }
    schedule strict -> Result { try_make_plans::<Woodcutter> }
}

const WINTER: &str = r#"{
    "goals": [ { "name": "safe", "wants": { "IsSafe": true } }, { "name": "warm", "wants": { "IsWarm": true } } ],
    "actions": [
        { "do": "TakeAxe", "then": { "HasAxe": true } },
        { "do": "Chop", "cost": 2, "when": { "HasAxe": true }, "then": { "HasWood": true } },
        { "do": "Gather", "cost": 5, "then": { "HasWood": true } },
        { "do": "Burn", "when": { "HasWood": true }, "then": { "IsWarm": true, "HasWood": false } },
        { "do": "Hide", "then": { "IsSafe": true } } ] }"#;

fn domain(text: &str) -> PlanDomain<Need, Work> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

fn domains() -> PlanDomains<Woodcutter> {
    let mut domains = PlanDomains::default();
    domains.insert("winter", domain(WINTER));
    domains
}

/// A wood, and a man for whom these facts hold.
fn wood<const N: usize>(facts: [Need; N]) -> (Wood, Entity) {
    let mut wood = Wood::new(domains());
    let man = wood.spawn((Facts::from(facts), Plan::new("winter")));
    (wood, man)
}

/// The goal and the steps after a turn, before which the facts are changed.
fn turn(wood: &mut Wood, man: Entity, changes: &[(Need, bool)]) -> (Option<String>, Vec<Work>) {
    for (fact, holds) in changes {
        wood.get_mut::<Facts<Need>>(man).unwrap().set(*fact, *holds);
    }
    wood.turn();
    let (plan, domains) = (wood.get::<Plan<Woodcutter>>(man).unwrap(), wood.resource());
    assert_eq!(plan.action(domains), plan.steps(domains).next());
    (plan.goal(domains).map(str::to_owned), plan.steps(domains).copied().collect())
}

#[test]
fn w55_the_plan_of_least_cost_leads_to_the_first_goal_that_does_not_hold() {
    let (mut wood, man) = wood([Need::IsSafe]);
    let warm = || Some("warm".to_owned());
    assert_eq!(turn(&mut wood, man, &[]), (warm(), vec![Work::TakeAxe, Work::Chop, Work::Burn]));
    assert_eq!(turn(&mut wood, man, &[(Need::HasAxe, true)]), (warm(), vec![Work::Chop, Work::Burn]));
    assert_eq!(turn(&mut wood, man, &[(Need::HasWood, true)]), (warm(), vec![Work::Burn]));
    assert_eq!(turn(&mut wood, man, &[(Need::IsWarm, true)]), (None, vec![]));
}

#[test]
fn w55_a_plan_is_made_anew_when_the_world_has_changed() {
    let (mut wood, man) = wood([Need::IsSafe]);
    turn(&mut wood, man, &[(Need::HasAxe, true)]);
    // the axe is stolen: the plan does not lead to the goal any more
    let (_, steps) = turn(&mut wood, man, &[(Need::HasAxe, false)]);
    assert_eq!(steps, [Work::TakeAxe, Work::Chop, Work::Burn]);
    // a goal that comes before it
    let (goal, steps) = turn(&mut wood, man, &[(Need::IsSafe, false)]);
    assert_eq!((goal.as_deref(), steps), (Some("safe"), vec![Work::Hide]));
    // a gift: steps whose effects hold are dropped
    let (goal, steps) = turn(&mut wood, man, &[(Need::IsSafe, true), (Need::HasWood, true)]);
    assert_eq!((goal.as_deref(), steps), (Some("warm"), vec![Work::Burn]));
}

#[test]
fn w55_plans_of_the_same_cost_are_decided_by_the_file() {
    let actions = [
        r#"{ "do": "Gather", "then": { "HasWood": true } }"#,
        r#"{ "do": "Chop", "then": { "HasWood": true } }"#,
    ];
    for (order, expected) in [([0, 1], Work::Gather), ([1, 0], Work::Chop)] {
        let text = format!(
            r#"{{ "goals": [{{ "name": "wood", "wants": {{ "HasWood": true }} }}], "actions": [{}, {}] }}"#,
            actions[order[0]], actions[order[1]]
        );
        let mut domains = PlanDomains::<Woodcutter>::default();
        domains.insert("winter", domain(&text));
        let mut plan = Plan::<Woodcutter>::new("winter");
        plan.update(domains.get("winter").unwrap(), Facts::new());
        assert_eq!(plan.action(&domains), Some(&expected));
    }
}

#[test]
fn w55_a_search_is_bounded_in_nodes() {
    let mut domains = PlanDomains::<Woodcutter>::default();
    domains.insert("short", domain(WINTER).with_max_nodes(2));
    domains.insert("long", domain(WINTER).with_max_nodes(20));
    let mut plan = Plan::<Woodcutter>::new("short");
    plan.update(domains.get("short").unwrap(), Facts::from([Need::IsSafe]));
    assert!(plan.node_limit_reached() && plan.goal(&domains).is_none());
    let mut plan = Plan::<Woodcutter>::new("long");
    plan.update(domains.get("long").unwrap(), Facts::from([Need::IsSafe]));
    assert!(!plan.node_limit_reached() && plan.goal(&domains) == Some("warm"));
    let unreachable = r#"{ "goals": [{ "name": "warm", "wants": { "IsWarm": true } }], "actions": [] }"#;
    let mut plan = Plan::<Woodcutter>::new("none");
    plan.update(&domain(unreachable), Facts::new());
    assert!(!plan.node_limit_reached() && plan.goal(&domains).is_none(), "the search ends without a plan");
}

#[test]
fn w55_plans_are_saved_and_those_of_a_domain_that_has_changed_are_made_anew() {
    let (mut wood, man) = wood([Need::IsSafe, Need::HasAxe]);
    wood.turn();
    let loaded = Wood::load_with(&wood.to_bytes().unwrap(), LoadOptions::new().resource(domains())).unwrap();
    assert_eq!(loaded.hash(), wood.hash());
    for mut other in [wood.clone(), loaded] {
        assert_eq!(turn(&mut other, man, &[]).1, [Work::Chop, Work::Burn]);
    }
    let mut changed = PlanDomains::default();
    changed.insert("winter", domain(&WINTER.replace(r#""cost": 5"#, r#""cost": 1"#)));
    let mut other = Wood::load_with(&wood.to_bytes().unwrap(), LoadOptions::new().resource(changed)).unwrap();
    assert_eq!(turn(&mut other, man, &[]).1, [Work::Gather, Work::Burn]);
}

#[test]
fn w55_a_missing_domain_is_an_event_or_an_error() {
    let mut wood = Wood::new(PlanDomains::default());
    let entity = wood.spawn((Facts::<Need>::new(), Plan::new("summer")));
    wood.turn();
    let missing: Vec<PlanRefusal> = wood.drain().collect();
    assert_eq!(
        missing,
        [PlanRefusal {
            entity,
            kind: "woodcutter".into(),
            reason: PlanReason::MissingDomain("summer".into())
        }]
    );
    let error = wood.strict().unwrap_err().to_string();
    let expected = format!(
        "entity {entity} plans in the woodcutter domain `summer`, which is not in the resource `PlanDomains`"
    );
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn w55_errors_in_files_name_the_goal_or_the_action() {
    let cases = [
        (
            WINTER.replace(r#""HasAxe": true } },"#, r#""HasAx": true } },"#),
            "action 0: `Need` has no fact `HasAx`: the facts are `HasAxe`, ",
        ),
        (
            WINTER.replace(r#""Burn""#, r#""Brun""#),
            "action 3: unknown variant `Brun`, expected one of `TakeAxe`, ",
        ),
        (
            WINTER.replace(r#""warm", "wants""#, r#""warm", "want""#),
            "goal 1: unknown field `want`, expected `name` or `wants`",
        ),
        (WINTER.replace("warm", "safe"), "goal 1: there is a goal `safe` before it"),
        (
            WINTER.replace(r#""cost": 5"#, r#""cost": -5"#),
            "action 2: invalid value: integer `-5`, expected u32",
        ),
    ];
    for (text, expected) in cases {
        let error = serde_json::from_str::<PlanDomain<Need, Work>>(&text).err().unwrap().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(error.contains(" at line "), "{error}");
    }
}

#[derive(Fact)]
enum Bit {
    A,
    B,
    C,
    D,
    E,
    F,
}

enum Bits {}
impl GoalKind for Bits {
    const NAME: &'static str = "bits";
    type Fact = Bit;
    type Action = usize;
}

/// Random domains: the costs of plans are those of another library's search, and the plans lead to
/// the goals.
#[test]
fn w55_plans_have_the_least_cost() {
    let mut dice = Rand32::new(11);
    let _ = [Bit::A, Bit::B, Bit::C, Bit::D, Bit::E, Bit::F];
    let mut found = 0;
    for round in 0..2000 {
        // pairs of masks and values, which are kept for the other search
        let mut values = |most: u32| {
            let (mut mask, mut value, mut text) = (0_u32, 0_u32, Vec::new());
            for _ in 0..dice.rand_range(1..most) {
                let (bit, holds) = (dice.rand_range(0..6), dice.rand_u32().is_multiple_of(2));
                if mask >> bit & 1 == 0 {
                    mask |= 1 << bit;
                    value |= u32::from(holds) << bit;
                    text.push(format!("\"{}\": {holds}", Bit::NAMES[bit as usize]));
                }
            }
            (mask, value, format!("{{ {} }}", text.join(", ")))
        };
        let goal = values(6);
        let parts: Vec<_> = (0..8).map(|_| (values(4), values(3))).collect();
        let costs: Vec<u32> = (0..8).map(|_| dice.rand_range(0..7)).collect();
        let actions: Vec<String> = parts
            .iter()
            .zip(&costs)
            .enumerate()
            .map(|(at, ((when, then), cost))| {
                format!(r#"{{ "do": {at}, "cost": {cost}, "when": {}, "then": {} }}"#, when.2, then.2)
            })
            .collect();
        let text = format!(
            r#"{{ "goals": [{{ "name": "goal", "wants": {} }}], "actions": [{}] }}"#,
            goal.2,
            actions.join(", ")
        );
        let mut domains = PlanDomains::<Bits>::default();
        domains.insert("bits", serde_json::from_str(&text).unwrap());
        let mut plan = Plan::<Bits>::new("bits");
        plan.update(domains.get("bits").unwrap(), Facts::new());

        let next = |bits: &u32| {
            let bits = *bits;
            let possible = parts.iter().zip(&costs).filter(move |((when, _), _)| bits & when.0 == when.1);
            possible.map(move |((_, then), cost)| (bits & !then.0 | then.1, *cost)).collect::<Vec<_>>()
        };
        let best = dijkstra(&0, next, |bits| bits & goal.0 == goal.1);
        let steps: Vec<usize> = plan.steps(&domains).copied().collect();
        let cost: u32 = steps.iter().map(|step| costs[*step]).sum();
        let end = steps.iter().fold(0, |bits, step| {
            let (when, then) = &parts[*step];
            assert_eq!(bits & when.0, when.1, "round {round}: step {step} is not possible");
            bits & !then.0 | then.1
        });
        match best {
            Some((_, least)) => assert!(cost == least && end & goal.0 == goal.1, "round {round}: {steps:?}"),
            None => assert!(steps.is_empty() && plan.goal(&domains).is_none(), "round {round}: {steps:?}"),
        }
        found += usize::from(steps.len() > 1);
    }
    assert!(found > 100, "only {found} plans have several steps");
}
