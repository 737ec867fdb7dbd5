//! W58: conversations as data, with lenient and strict errors.

use ecs::prelude::*;
use ecs::save::{LoadOptions, diff};
use ecs_mechanics::dialogue::{
    self, Consequence, Conversation, Conversations, DialogueKind, DialogueReason, DialogueRefusal,
    OfferedChoice, Speaker, Speech, Spoken, TalkRequest, TalksWith, Voice, choices, converse, try_converse,
};
use ecs_mechanics::facts::{Fact, FactValues, Facts};
use serde::{Deserialize, Serialize};

#[derive(Fact)]
enum Quest {
    HasLetter,
    IsKnown,
}

#[derive(Deserialize)]
enum If {
    Listener(FactValues<Quest>),
    Speaker(FactValues<Quest>),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Then {
    Give(u8),
    OpenGate,
}

enum Quests {}
impl DialogueKind for Quests {
    const NAME: &'static str = "quests";
    type Condition = If;
    type Effect = Then;
    type Memory = Facts<Quest>;
    fn holds(condition: &If, speaker: Option<&Facts<Quest>>, listener: Option<&Facts<Quest>>) -> bool {
        let (values, facts) = match condition {
            If::Listener(values) => (values, listener),
            If::Speaker(values) => (values, speaker),
        };
        facts.is_some_and(|facts| values.hold_in(facts))
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Town {
        include dialogue::dialogue;
        components { facts: Facts<Quest> }
        resources  { conversations: Conversations<Quests> }
        events     { Consequence<Quests>(external) }
    }
    schedule turn { converse::<Quests> }
    schedule strict -> Result { try_converse::<Quests> }
}

const GATE: &str = r#"{
    "start": "halt",
    "nodes": {
        "halt": {
            "then": [ { "Give": 1 } ],
            "says": [
                { "text": "I am new here.", "once": true },
                { "text": "You again!", "if": { "Speaker": { "IsKnown": true } } },
                { "text": "Good day.", "by": "listener" } ],
            "choices": [
                { "text": "A letter.", "if": { "Listener": { "HasLetter": true } }, "then": [ { "Give": 2 }, "OpenGate" ], "to": "in" },
                { "text": "Who are you?", "once": true, "to": "who" },
                { "text": "Bye." } ] },
        "who": { "says": [ { "text": "The guard." } ], "jumps": [ { "if": { "Listener": { "IsKnown": true } }, "to": "in" } ], "to": "halt" },
        "in": { "says": [ { "text": "Come in." } ] } } }"#;

fn conversations() -> Conversations<Quests> {
    let mut conversations = Conversations::default();
    conversations.insert("gate", serde_json::from_str(GATE).unwrap());
    conversations
}

/// A town with a guard and a traveller.
fn town() -> (Town, Entity, Entity) {
    let mut town = Town::new(conversations());
    let guard = town.spawn((Speaker::new("gate"), Facts::<Quest>::new()));
    let entity = town.spawn(Facts::<Quest>::new());
    (town, guard, entity)
}

/// The steps of conversations after requests, as text.
fn talk(town: &mut Town, requests: &[TalkRequest]) -> Vec<String> {
    requests.iter().for_each(|request| town.send(*request));
    town.turn();
    let text = |spoken: Spoken| match spoken.speech {
        Speech::Begun => "begun".to_owned(),
        Speech::Said { by: Voice::Speaker, text } => text,
        Speech::Said { by: Voice::Listener, text } => format!("- {text}"),
        Speech::Offered(offered) => {
            let numbers: Vec<String> = offered.iter().map(|choice| choice.number.to_string()).collect();
            format!("? {}", numbers.join(" "))
        }
        Speech::Chosen(OfferedChoice { number, text }) => format!("{number} {text}"),
        Speech::Ended => "ended".to_owned(),
    };
    town.drain::<Spoken>().map(text).collect()
}

/// The differences of two towns, apart from the numbers of runs and of events that were sent and
/// read.
fn changes(before: &Town, after: &Town) -> Vec<String> {
    let counted =
        |path: &str| path == "allocator.tick" || path.starts_with("event ") || path.starts_with("system ");
    let differences = diff(before, after).into_iter().filter(|difference| !counted(&difference.path));
    differences.map(|difference| difference.to_string()).collect()
}

fn refused(town: &mut Town) -> Vec<DialogueReason> {
    town.drain::<DialogueRefusal>().map(|refusal| refusal.reason).collect()
}

#[test]
fn w58_lines_choices_and_jumps_in_their_order() {
    let (mut town, guard, entity) = town();
    let start = talk(&mut town, &[TalkRequest::start(entity, guard)]);
    assert_eq!(start, ["begun", "I am new here.", "- Good day.", "? 1 2"]);
    assert_eq!(town.target::<TalksWith>(entity), Some(guard));
    let who_are_you = talk(&mut town, &[TalkRequest::choose(entity, 1)]);
    let expected = ["1 Who are you?", "The guard.", "- Good day.", "? 2"];
    assert_eq!(who_are_you, expected, "a line and a choice are there once");
    assert_eq!(talk(&mut town, &[TalkRequest::choose(entity, 2)]), ["2 Bye.", "ended"]);
    assert!(!town.has::<TalksWith>(entity));
    town.get_mut::<Facts<Quest>>(guard).unwrap().set(Quest::IsKnown, true);
    let again = talk(&mut town, &[TalkRequest::start(entity, guard), TalkRequest::leave(entity)]);
    assert_eq!(again, ["begun", "You again!", "- Good day.", "? 2", "ended"]);
    town.get_mut::<Speaker>(guard).unwrap().forget();
    town.get_mut::<Facts<Quest>>(entity).unwrap().set(Quest::IsKnown, true);
    let requests = [TalkRequest::start(entity, guard), TalkRequest::choose(entity, 1)];
    let known = talk(&mut town, &requests);
    assert_eq!(
        known[4..],
        ["? 1 2", "1 Who are you?", "The guard.", "Come in.", "ended"],
        "a jump with a condition"
    );
    assert_eq!(refused(&mut town), []);
}

#[test]
fn w58_effects_are_events_in_the_order_of_the_conversation() {
    let (mut town, guard, entity) = town();
    town.get_mut::<Facts<Quest>>(entity).unwrap().set(Quest::HasLetter, true);
    let spoken = talk(&mut town, &[TalkRequest::start(entity, guard), TalkRequest::choose(entity, 0)]);
    assert_eq!(spoken[3..], ["? 0 1 2", "0 A letter.", "Come in.", "ended"]);
    let effects: Vec<Consequence<Quests>> = town.drain().collect();
    assert!(effects.iter().all(|effect| (effect.speaker, effect.listener) == (guard, entity)));
    let effects: Vec<Then> = effects.into_iter().map(|effect| effect.effect).collect();
    assert_eq!(effects, [Then::Give(1), Then::Give(2), Then::OpenGate]);
}

#[test]
fn w58_lenient_what_is_not_possible_is_refused_with_its_reason_and_changes_nothing() {
    let (mut town, guard, entity) = town();
    let (tree, mute, dead) = (town.spawn(()), town.spawn(Speaker::new("nothing")), town.spawn(()));
    town.despawn(dead).unwrap();
    let before = town.clone();
    let requests = [
        TalkRequest::choose(entity, 0),
        TalkRequest::leave(entity),
        TalkRequest::start(entity, tree),
        TalkRequest::start(entity, dead),
        TalkRequest::start(entity, mute),
        TalkRequest::start(dead, guard),
        TalkRequest::start(guard, guard),
    ];
    assert_eq!(talk(&mut town, &requests), Vec::<String>::new());
    let expected = [
        DialogueReason::NotTalking,
        DialogueReason::NotTalking,
        DialogueReason::NotASpeaker(tree),
        DialogueReason::NotASpeaker(dead),
        DialogueReason::MissingConversation("nothing".into()),
        DialogueReason::CannotListen,
        DialogueReason::CannotListen,
    ];
    assert_eq!(refused(&mut town), expected);
    assert_eq!(changes(&before, &town), Vec::<String>::new());
    talk(&mut town, &[TalkRequest::start(entity, guard)]);
    let before = town.clone();
    let requests =
        [TalkRequest::start(entity, guard), TalkRequest::choose(entity, 0), TalkRequest::choose(entity, 9)];
    assert_eq!(talk(&mut town, &requests), Vec::<String>::new());
    let expected =
        [DialogueReason::AlreadyTalks(guard), DialogueReason::NotOffered(0), DialogueReason::NotOffered(9)];
    assert_eq!(refused(&mut town), expected, "without a letter, the first choice is not offered");
    assert_eq!(changes(&before, &town), Vec::<String>::new());
    talk(&mut town, &[TalkRequest::leave(entity)]);
    assert_ne!(changes(&before, &town), Vec::<String>::new(), "a request that is possible changes the town");
}

#[test]
fn w58_strict_the_first_request_that_is_not_possible_is_an_error() {
    let (mut town, guard, entity) = town();
    town.send(TalkRequest::start(entity, guard));
    town.send(TalkRequest::choose(entity, 0));
    town.send(TalkRequest::leave(entity));
    let error = town.strict().unwrap_err().to_string();
    assert!(error.contains(&format!("entity {entity} is not offered choice 0")), "{error}");
    assert!(town.has::<TalksWith>(entity), "the requests before it are carried out, those after it are not");
}

#[test]
fn w58_a_conversation_goes_on_after_a_save_and_shows_its_choices() {
    let (mut town, guard, entity) = town();
    talk(&mut town, &[TalkRequest::start(entity, guard)]);
    let bytes = town.to_bytes().unwrap();
    let mut loaded = Town::load_with(&bytes, LoadOptions::new().resource(conversations())).unwrap();
    let offered = choices::<Quests>(
        loaded.resource(),
        loaded.get(entity).unwrap(),
        loaded.get(guard).unwrap(),
        loaded.get(guard),
        loaded.get(entity),
    );
    let texts: Vec<(u16, &str)> =
        offered.iter().map(|choice| (choice.number, choice.text.as_str())).collect();
    assert_eq!(texts, [(1, "Who are you?"), (2, "Bye.")]);
    let request = [TalkRequest::choose(entity, 1)];
    assert_eq!(talk(&mut loaded, &request), talk(&mut town, &request));
    assert_eq!(loaded.hash(), town.hash());

    // the node is gone in the content of a later version
    let mut changed = Conversations::default();
    changed.insert("gate", serde_json::from_str(&GATE.replace("halt", "stop")).unwrap());
    let mut later = Town::load_with(&bytes, LoadOptions::new().resource(changed)).unwrap();
    assert_eq!(talk(&mut later, &request), Vec::<String>::new());
    assert_eq!(refused(&mut later), [DialogueReason::MissingNode("halt".into())]);
    assert_eq!(talk(&mut later, &[TalkRequest::leave(entity)]), ["ended"]);
}

#[test]
fn a_conversation_ends_when_the_speaker_is_despawned() {
    let (mut town, guard, entity) = town();
    talk(&mut town, &[TalkRequest::start(entity, guard)]);
    town.despawn(guard).unwrap();
    assert!(!town.has::<TalksWith>(entity));
    talk(&mut town, &[TalkRequest::choose(entity, 1)]);
    assert_eq!(refused(&mut town), [DialogueReason::NotTalking]);
}

#[test]
fn jumps_in_a_circle_are_refused() {
    let (mut town, guard, entity) = town();
    let text = r#"{ "start": "a", "nodes": {
        "a": { "jumps": [ { "to": "b" } ] },
        "b": { "choices": [ { "text": "x", "if": { "Listener": { "HasLetter": true } } } ], "to": "a" } } }"#;
    town.resource_mut::<Conversations<Quests>>().insert("gate", serde_json::from_str(text).unwrap());
    assert_eq!(talk(&mut town, &[TalkRequest::start(entity, guard)]), Vec::<String>::new());
    assert!(matches!(refused(&mut town)[..], [DialogueReason::EndlessJumps(_)]));
    town.get_mut::<Facts<Quest>>(entity).unwrap().set(Quest::HasLetter, true);
    assert_eq!(talk(&mut town, &[TalkRequest::start(entity, guard)]), ["begun", "? 0"]);
}

#[test]
fn w58_errors_in_files_name_the_node() {
    let cases = [
        (
            GATE.replace(r#""to": "in" },"#, r#""to": "inn" },"#),
            "node `halt`: choice 0 leads to node `inn`, which the conversation does not have: its nodes are `halt`, `in`, `who`",
        ),
        (
            GATE.replace(r#""start": "halt""#, r#""start": "hold""#),
            "the conversation starts at node `hold`, which it does not have: its nodes are `halt`, `in`, `who`",
        ),
        (
            GATE.replace("OpenGate", "OpenDoor"),
            "node `halt`: unknown variant `OpenDoor`, expected `Give` or `OpenGate`",
        ),
        (
            GATE.replace("HasLetter", "HasLeter"),
            "node `halt`: `Quest` has no fact `HasLeter`: the facts are `HasLetter`, `IsKnown`",
        ),
        (
            GATE.replace(r#""says": [ { "text": "Come"#, r#""say": [ { "text": "Come"#),
            "node `in`: unknown field `say`, expected one of `then`, `says`, ",
        ),
        (
            GATE.replace(r#""who": {"#, r#""halt": {"#),
            "node `halt`: there is a node with this name before it",
        ),
        (
            r#"{ "start": "a", "nodes": { "a": { "to": "b" }, "b": { "to": "a" } } }"#.to_owned(),
            "node `a`: the jumps `a` to `b` to `a` never end",
        ),
        (
            r#"{ "start": "a", "nodes": { "a": { "to": "c" }, "b": { "to": "d" }, "c": { "to": "d" }, "d": { "to": "b" } } }"#
                .to_owned(),
            "node `b`: the jumps `b` to `d` to `b` never end",
        ),
    ];
    for (text, expected) in cases {
        let error = serde_json::from_str::<Conversation<If, Then>>(&text).err().unwrap().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_long_chain_of_nodes_is_read_in_linear_time() {
    // each node is passed once; a search from each of them anew would not end today
    let nodes: String = (0..30_000).map(|at| format!(r#""n{at}": {{ "to": "n{}" }}, "#, at + 1)).collect();
    let text = format!(r#"{{ "start": "n0", "nodes": {{ {nodes} "n30000": {{}} }} }}"#);
    let conversation: Conversation<If, Then> = serde_json::from_str(&text).unwrap();
    assert_eq!(conversation.nodes().count(), 30_001);
    let circle = text.replace(r#""n30000": {}"#, r#""n30000": { "to": "n30000" }"#);
    let error = serde_json::from_str::<Conversation<If, Then>>(&circle).err().unwrap().to_string();
    assert!(error.starts_with("node `n30000`: the jumps `n30000` to `n30000` never end"), "{error}");
}
