//! W55: behaviour trees as data.

use ecs::prelude::*;
use ecs::save::LoadOptions;
use ecs_mechanics::minds::tree::{
    Behaviour, BehaviourKind, BehaviourReason, BehaviourRefusal, BehaviourTree, BehaviourTrees, Status,
    TreeAgent, TreePosition, tick_trees, try_tick_trees,
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Debug)]
enum If {
    Is(char),
}

#[derive(Deserialize, Debug)]
enum Do {
    /// Runs for so many ticks.
    Run(char, u32),
    Succeed(char),
    Fail(char),
}

type Tree = BehaviourTree<If, Do>;

/// Writes down what it does. Conditions hold for the letters that are set.
#[derive(Component, Default, Clone, Serialize, Deserialize)]
struct Diary {
    letters: String,
    log: String,
    ran: u32,
}

impl TreeAgent<If, Do> for Diary {
    fn holds(&mut self, If::Is(letter): &If) -> bool {
        Letters::holds(&If::Is(*letter), self)
    }
    fn act(&mut self, action: &Do) -> Status {
        Letters::act(action, self)
    }
    fn stop(&mut self, action: &Do) {
        Letters::stop(action, self);
    }
}

enum Letters {}
impl BehaviourKind for Letters {
    const NAME: &'static str = "letters";
    type Condition = If;
    type Action = Do;
    type Agent = Diary;
    fn holds(If::Is(letter): &If, agent: &Diary) -> bool {
        agent.letters.contains(*letter)
    }
    fn act(action: &Do, agent: &mut Diary) -> Status {
        let (Do::Run(letter, _) | Do::Succeed(letter) | Do::Fail(letter)) = action;
        agent.log.push(*letter);
        match action {
            Do::Succeed(_) => Status::Success,
            Do::Fail(_) => Status::Failure,
            Do::Run(_, ticks) if agent.ran < *ticks => {
                agent.ran += 1;
                Status::Running
            }
            Do::Run(..) => {
                agent.ran = 0;
                Status::Success
            }
        }
    }
    fn stop(action: &Do, agent: &mut Diary) {
        if let Do::Run(letter, _) = action {
            agent.log.push('!');
            agent.log.push(*letter);
            agent.ran = 0;
        }
    }
}

fn tree(text: &str) -> Tree {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The log and the results of a number of ticks, with letters set before each.
fn ticks(text: &str, letters: &[&str]) -> (Vec<String>, Vec<Status>) {
    let (tree, mut position, mut diary) = (tree(text), TreePosition::default(), Diary::default());
    let tick = |letters: &&str| {
        diary.letters = (*letters).to_owned();
        let status = tree.tick(&mut position, &mut diary);
        assert!(status == Running || position.is_at_root(), "only a running tree remembers something");
        (std::mem::take(&mut diary.log), status)
    };
    letters.iter().map(tick).unzip()
}

use Status::{Failure, Running, Success};

#[test]
fn w55_a_sequence_goes_on_at_its_running_node() {
    let text = r#"{ "sequence": [ {"do": {"Succeed": "a"}}, {"do": {"Run": ["b", 2]}}, {"do": {"Succeed": "c"}} ] }"#;
    assert_eq!(
        ticks(text, &[""; 4]),
        (vec!["ab".into(), "b".into(), "bc".into(), "ab".into()], vec![Running, Running, Success, Running])
    );
    let text = r#"{ "sequence": [ {"if": {"Is": "x"}}, {"do": {"Succeed": "a"}}, {"do": {"Fail": "b"}}, {"do": {"Fail": "c"}} ] }"#;
    assert_eq!(ticks(text, &["", "x"]), (vec!["".into(), "ab".into()], vec![Failure, Failure]));
}

#[test]
fn w55_a_selector_tries_until_one_succeeds() {
    let text =
        r#"{ "selector": [ {"do": {"Fail": "a"}}, {"do": {"Run": ["b", 1]}}, {"do": {"Succeed": "c"}} ] }"#;
    assert_eq!(ticks(text, &[""; 2]), (vec!["ab".into(), "b".into()], vec![Running, Success]));
    let text = r#"{ "selector": [ {"do": {"Fail": "a"}}, {"do": {"Fail": "b"}} ] }"#;
    assert_eq!(ticks(text, &[""]), (vec!["ab".into()], vec![Failure]));
}

#[test]
fn w55_a_reactive_node_stops_what_another_one_replaces() {
    let text = r#"{ "reactive_selector": [
        {"sequence": [{"if": {"Is": "x"}}, {"do": {"Succeed": "a"}}]},
        {"sequence": [{"do": {"Succeed": "b"}}, {"do": {"Run": ["c", 9]}}]} ] }"#;
    let (log, status) = ticks(text, &["", "", "x", ""]);
    assert_eq!(log, ["bc", "c", "a!c", "bc"]);
    assert_eq!(status, [Running, Running, Success, Running]);
    let text = r#"{ "reactive_sequence": [ {"if": {"Is": "x"}}, {"do": {"Run": ["a", 1]}}, {"do": {"Run": ["b", 9]}} ] }"#;
    let (log, status) = ticks(text, &["x", "x", "x", "", "x"]);
    assert_eq!(log, ["a", "ab", "ab", "!b", "a"]);
    assert_eq!(status, [Running, Running, Running, Failure, Running]);
}

#[test]
fn w55_a_parallel_node_runs_all_until_enough_are_done() {
    let two = |counts: &str| {
        format!(
            r#"{{ "parallel": [ {{"do": {{"Succeed": "a"}}}}, {{"wait": 2}}, {{"do": {{"Run": ["c", 9]}}}} ] {counts} }}"#
        )
    };
    let (log, status) = ticks(&two(r#", "successes": 2"#), &[""; 3]);
    assert_eq!(
        log,
        ["ac", "c", "c!c"],
        "a finished node is not run again, and one that is not needed is stopped"
    );
    assert_eq!(status, [Running, Running, Success]);
    let text = r#"{ "parallel": [ {"do": {"Run": ["a", 9]}}, {"sequence": [{"wait": 1}, {"do": {"Fail": "b"}}]} ] }"#;
    assert_eq!(ticks(text, &[""; 2]), (vec!["a".into(), "ab!a".into()], vec![Running, Failure]));
    let text = r#"{ "parallel": [ {"do": {"Succeed": "a"}}, {"do": {"Fail": "b"}} ], "successes": 2, "failures": 2 }"#;
    assert_eq!(ticks(text, &[""]).1, [Failure], "neither number can be reached");
}

#[test]
fn w55_decorators_change_the_result_of_one_node() {
    let all = |text: &str, count: usize| ticks(text, &vec![""; count]);
    assert_eq!(all(r#"{"invert": {"do": {"Fail": "a"}}}"#, 1).1, [Success]);
    assert_eq!(all(r#"{"succeed": {"do": {"Fail": "a"}}}"#, 1).1, [Success]);
    assert_eq!(all(r#"{"fail": {"do": {"Run": ["a", 1]}}}"#, 2).1, [Running, Failure]);
    assert_eq!(
        all(r#"{"repeat": {"do": {"Succeed": "a"}}, "times": 3}"#, 4).1,
        [Running, Running, Success, Running]
    );
    assert_eq!(all(r#"{"repeat": {"do": {"Succeed": "a"}}}"#, 3).1, [Running; 3]);
    assert_eq!(all(r#"{"repeat": {"do": {"Fail": "a"}}}"#, 1).1, [Failure]);
    assert_eq!(all(r#"{"until_success": {"do": {"Run": ["a", 2]}}}"#, 3).1, [Running, Running, Success]);
    assert_eq!(all(r#"{"until_failure": {"do": {"Fail": "a"}}}"#, 1).1, [Success]);
    assert_eq!(all(r#"{"until_success": {"do": {"Fail": "a"}}}"#, 2).1, [Running; 2]);
    let (log, status) = all(r#"{"ticks": 2, "limit": {"do": {"Run": ["a", 9]}}}"#, 4);
    assert_eq!(log, ["a", "a", "!a", "a"]);
    assert_eq!(status, [Running, Running, Failure, Running]);
    assert_eq!(all(r#"{"wait": 0}"#, 1).1, [Success]);
}

#[test]
fn stop_ends_all_running_actions() {
    let tree = tree(r#"{ "parallel": [ {"do": {"Run": ["a", 9]}}, {"do": {"Run": ["b", 9]}} ] }"#);
    let (mut position, mut diary) = (TreePosition::default(), Diary::default());
    tree.tick(&mut position, &mut diary);
    tree.stop(&mut position, &mut diary);
    assert_eq!((diary.log.as_str(), position.is_at_root()), ("ab!a!b", true));
}

#[test]
fn w55_errors_in_files_name_the_node() {
    let cases = [
        (
            r#"{"selector": [{"wait": 1}, {"sequence": [{"do": {"Jump": "a"}}]}]}"#,
            "node `selector[1].sequence[0]`: unknown variant `Jump`, expected one of `Run`, `Succeed`, `Fail`",
        ),
        (
            r#"{"name": "hunt", "invert": {"if": "Is"}}"#,
            "node `invert`: invalid type: unit variant, expected newtype variant",
        ),
        (
            r#"{"name": "hunt", "sequnce": []}"#,
            "the root node (`hunt`): unknown key `sequnce`: the kinds of nodes are `sequence`, ",
        ),
        (r#"{"name": "hunt"}"#, "the root node (`hunt`): no kind: a node has one of the keys `sequence`, "),
        (
            r#"{"wait": 1, "do": {"Fail": "a"}}"#,
            "the root node: the keys `wait` and `do`: a node has one kind",
        ),
        (r#"{"invert": {"sequence": []}}"#, "node `invert`: a sequence has at least one node"),
        (r#"{"repeat": {"wait": 1}, "times": 0}"#, "the root node: `times` is 0: it is at least 1"),
        (r#"{"limit": {"wait": 1}}"#, "the root node: a limit has the key `ticks`, at least 1"),
        (
            r#"{"parallel": [{"wait": 1}], "failures": 2}"#,
            "the root node: `failures` is 2: it is at least 1 and at most the number of nodes, 1",
        ),
        (r#"{"selector": [{"wait": 1, "ticks": 2}]}"#, "node `selector[0]`: a wait has no key `ticks`"),
        (
            r#"{"limit": {"wait": 1}, "ticks": 1, "ticks": 2}"#,
            "the root node: the key `ticks` is there twice",
        ),
        (r#"{"wait": 4000000000}"#, "the root node: `wait` is 4000000000: it is at most 1000000000"),
        (
            r#"{"selector": [{"wait": 1}, 7]}"#,
            "invalid type: integer `7`, expected node `selector[1]`, such as `{\"do\": ..}`",
        ),
    ];
    for (text, expected) in cases {
        let error = serde_json::from_str::<Tree>(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(error.contains(" at line 1 column "), "{error}");
    }
    let deep = format!("{}{{\"wait\": 1}}{}", r#"{"invert": "#.repeat(64), "}".repeat(64));
    let error = serde_json::from_str::<Tree>(&deep).unwrap_err().to_string();
    assert!(error.contains("more than 64 nodes are within each other"), "{error}");
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Study {
        components { Diary, mind: Behaviour<Letters> }
        resources { trees: BehaviourTrees<Letters> }
        events { BehaviourRefusal(external) }
    }
    schedule turn { tick_trees::<Letters> }
    schedule strict -> Result { try_tick_trees::<Letters> }
}

fn trees(text: &str) -> BehaviourTrees<Letters> {
    let mut trees = BehaviourTrees::default();
    trees.insert("writer", tree(text));
    trees
}

const WRITER: &str =
    r#"{ "sequence": [ {"do": {"Run": ["a", 1]}}, {"wait": 1}, {"do": {"Run": ["b", 2]}} ] }"#;

#[test]
fn w55_the_running_position_is_saved() {
    let mut study = Study::new(trees(WRITER));
    let writer = study.spawn((Diary::default(), Behaviour::new("writer")));
    for _ in 0..12 {
        let mut others = [
            study.clone(),
            Study::load_with(&study.to_bytes().unwrap(), LoadOptions::new().resource(trees(WRITER))).unwrap(),
        ];
        study.turn();
        for other in &mut others {
            other.turn();
            assert_eq!(other.hash(), study.hash());
        }
    }
    assert_eq!(study.get::<Diary>(writer).unwrap().log, "aabbbaabbbaa");
}

#[test]
fn w55_a_position_in_a_tree_that_has_changed_begins_at_the_root() {
    let mut study = Study::new(trees(WRITER));
    let writer = study.spawn((Diary::default(), Behaviour::new("writer")));
    study.turn();
    study.turn();
    let other = trees(r#"{ "selector": [ {"do": {"Fail": "x"}}, {"do": {"Run": ["y", 9]}} ] }"#);
    *study.resource_mut() = other;
    study.turn();
    study.turn();
    assert_eq!(study.get::<Diary>(writer).unwrap().log, "aaxyy");
    // an edited position
    let text = serde_json::to_string(&study.get::<Behaviour<Letters>>(writer).unwrap().position).unwrap();
    for edited in [
        text.replace("[0,2]", "[0,77]"),
        text.replace("[0,2]", "[9000,2]"),
        text.replace("[[0,2],", "[[5,2],"),
    ] {
        assert_ne!(edited, text);
        let position = serde_json::from_str(&edited).unwrap();
        study.get_mut::<Behaviour<Letters>>(writer).unwrap().position = position;
        study.turn();
    }
}

#[test]
fn w55_a_missing_tree_is_an_event_or_an_error() {
    let mut study = Study::new(trees(WRITER));
    let writer = study.spawn((Diary::default(), Behaviour::new("reader")));
    study.turn();
    let missing: Vec<BehaviourRefusal> = study.drain().collect();
    assert_eq!(
        missing,
        [BehaviourRefusal {
            entity: writer,
            kind: "letters".into(),
            reason: BehaviourReason::MissingTree("reader".into())
        }]
    );
    let error = study.strict().unwrap_err().to_string();
    let expected = format!(
        "entity {writer} follows the letters tree `reader`, which is not in the resource `BehaviourTrees`"
    );
    assert!(error.contains(&expected), "{error}");
}
