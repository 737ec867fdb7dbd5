//! A conversation at an inn: lines, choices with conditions, effects, and a line that is said once.
//!
//! `cargo run -p checked-ecs-mechanics --example inn` plays a fixed list of choices, prints what is
//! said, and checks the end.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use ecs::prelude::*;
use ecs_mechanics::dialogue::{
    self, Consequence, Conversations, DialogueKind, DialogueRefusal, Speaker, Speech, Spoken, TalkRequest,
    Voice, converse,
};
use serde::Deserialize;

#[derive(Component, Default)]
struct Purse {
    gold: u32,
    has_key: bool,
}

#[derive(Deserialize)]
enum If {
    HasGold(u32),
    HasKey,
}

#[derive(Deserialize, Clone, Debug)]
enum Then {
    Pay(u32),
    GetKey,
}

enum Inn {}
impl DialogueKind for Inn {
    const NAME: &'static str = "inn";
    type Condition = If;
    type Effect = Then;
    type Memory = Purse;
    fn holds(condition: &If, _: Option<&Purse>, guest: Option<&Purse>) -> bool {
        guest.is_some_and(|purse| match condition {
            If::HasGold(gold) => purse.gold >= *gold,
            If::HasKey => purse.has_key,
        })
    }
}

const HOST: &str = r#"{
    "start": "hello",
    "nodes": {
        "hello": {
            "says": [ { "text": "Welcome, stranger.", "once": true }, { "text": "What will it be?" } ],
            "choices": [
                { "text": "A room, here are five coins.", "if": { "HasGold": 5 }, "then": [ { "Pay": 5 }, "GetKey" ], "to": "room" },
                { "text": "What is new?", "once": true, "to": "news" },
                { "text": "I am going up.", "if": "HasKey", "to": "night" },
                { "text": "Nothing." } ] },
        "news": { "says": [ { "text": "Wolves on the road." }, { "text": "Wolves!", "by": "listener" } ], "to": "hello" },
        "room": { "says": [ { "text": "Here is your key." } ] },
        "night": { "says": [ { "text": "Good night." } ] } } }"#;

world! {
    struct Road {
        include dialogue::dialogue;
        components { Purse }
        resources  { conversations: Conversations<Inn> }
        events     { Consequence<Inn> }
    }
    schedule turn { converse::<Inn>; carry_out, tell }
}

#[system(Road)]
fn carry_out(mut effects: EventReader<Consequence<Inn>>, mut purses: Query<&mut Purse>) {
    for effect in &mut effects {
        if let Some(purse) = purses.get_mut(effect.listener) {
            match effect.effect {
                Then::Pay(gold) => purse.gold -= gold,
                Then::GetKey => purse.has_key = true,
            }
        }
    }
}

#[system(Road)]
fn tell(mut spoken: EventReader<Spoken>, mut refused: EventReader<DialogueRefusal>) {
    for spoken in &mut spoken {
        match &spoken.speech {
            Speech::Begun => println!("-- you step to the counter"),
            Speech::Said { by: Voice::Speaker, text } => println!("host: {text}"),
            Speech::Said { by: Voice::Listener, text } => println!("you:  {text}"),
            Speech::Offered(offered) => {
                offered.iter().for_each(|choice| println!("  {}) {}", choice.number, choice.text))
            }
            Speech::Chosen(choice) => println!("you:  {}", choice.text),
            Speech::Ended => println!("-- you turn away"),
        }
    }
    refused.iter().for_each(|refusal| println!("no: {refusal}"));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut conversations = Conversations::default();
    conversations.insert("host", serde_json::from_str(HOST)?);
    let mut road = Road::new(conversations);
    let host = road.spawn(Speaker::new("host"));
    let guest = road.spawn(Purse { gold: 7, has_key: false });
    let start = TalkRequest::start(guest, host);
    let choose = |number| TalkRequest::choose(guest, number);
    for request in [start, choose(2), choose(1), choose(0), start, choose(0), choose(2)] {
        road.send(request);
        road.turn();
    }
    let purse = road.get::<Purse>(guest).ok_or("the guest is gone")?;
    assert_eq!((purse.gold, purse.has_key), (2, true));
    Ok(())
}
