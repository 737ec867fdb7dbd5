//! Dialogue: conversations as data, between a speaker and a listener.
//!
//! A [`Conversation`] has nodes with lines and choices. It is read from a file, in which conditions
//! and effects are enums of the game. A [`Speaker`] has a conversation by name. The listener, who
//! chooses, has the relation [`TalksWith`] to the speaker during the conversation; it has the
//! current node, so that a save in the middle of a conversation goes on there.
//!
//! Systems ask by the event [`TalkRequest`]. The system [`converse`] does what is possible, and
//! sends [`Spoken`] for each line, for the choices, and for the beginning and the end, in this
//! order; a [`Consequence`] for each effect; and a [`DialogueRefusal`] for each request that is not
//! possible. [`try_converse`] is strict: it fails with the first refusal.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::dialogue::{
//!     self, Consequence, Conversations, DialogueKind, Speaker, Speech, Spoken, TalkRequest, converse,
//! };
//! use serde::Deserialize;
//!
//! #[derive(Component, Default)]
//! struct Purse { gold: u32 }
//! #[derive(Deserialize)]
//! enum If { HasGold(u32) }
//! #[derive(Deserialize, Clone, PartialEq, Debug)]
//! enum Then { Pay(u32) }
//!
//! enum Talk {}
//! impl DialogueKind for Talk {
//!     const NAME: &'static str = "talk";
//!     type Condition = If;
//!     type Effect = Then;
//!     type Memory = Purse;
//!     fn holds(If::HasGold(gold): &If, _: Option<&Purse>, listener: Option<&Purse>) -> bool {
//!         listener.is_some_and(|purse| purse.gold >= *gold)
//!     }
//! }
//!
//! world! {
//!     struct Inn {
//!         include dialogue::dialogue;
//!         components { Purse }
//!         resources  { conversations: Conversations<Talk> }
//!         events     { Consequence<Talk>(external) }
//!     }
//!     schedule turn { converse::<Talk> }
//! }
//!
//! let mut conversations = Conversations::default();
//! conversations.insert("host", serde_json::from_str(r#"{
//!     "start": "hello",
//!     "nodes": {
//!         "hello": {
//!             "says": [ { "text": "You are new here.", "once": true }, { "text": "A bed?" } ],
//!             "choices": [
//!                 { "text": "Here are two coins.", "if": { "HasGold": 2 }, "then": [ { "Pay": 2 } ], "to": "bed" },
//!                 { "text": "No." } ] },
//!         "bed": { "says": [ { "text": "Up the stairs." } ] } } }"#)?);
//! let mut inn = Inn::new(conversations);
//! let host = inn.spawn(Speaker::new("host"));
//! let guest = inn.spawn(Purse { gold: 3 });
//! inn.send(TalkRequest::start(guest, host));
//! inn.send(TalkRequest::choose(guest, 0));
//! inn.turn();
//! let said: Vec<String> = inn.drain::<Spoken>().filter_map(|spoken| spoken.text().map(str::to_owned)).collect();
//! assert_eq!(said, ["You are new here.", "A bed?", "Here are two coins.", "Up the stairs."]);
//! assert_eq!(inn.drain::<Consequence<Talk>>().next().unwrap().effect, Then::Pay(2));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! A node, all of whose parts may be missing:
//!
//! | part | meaning |
//! |---|---|
//! | `"then": [effect, ..]` | effects when the node is entered |
//! | `"says": [{"text", "by", "if", "once"}, ..]` | the lines whose conditions hold, in their order; `"by": "listener"` for a line of the listener |
//! | `"choices": [{"text", "if", "once", "then", "to"}, ..]` | the conversation waits for one of those whose conditions hold; one without `to` ends it |
//! | `"jumps": [{"if", "to"}, ..]`, `"to": node` | without a choice to wait for, the first jump whose condition holds, or else `to`; without one, the conversation ends |
//!
//! A line with `"once": true` is said once by each speaker, and a choice with it can be taken once.
//!
//! Conversations are not a part of saves: a loaded game reads its content again.

mod conversation;
mod refusal;
mod talk;

use std::collections::BTreeSet;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::conversation::{Conversation, Voice};
pub use self::refusal::{DialogueReason, DialogueRefusal};
pub use self::talk::{choices, converse, try_converse};
use crate::content::content;

/// The conditions and effects of the conversations of a world. It has no value; an enum without
/// variants will do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of dialogues",
    label = "does not implement `DialogueKind`",
    note = "write `impl DialogueKind for {Self}`, with conditions, effects, and the component `Memory` that they read and write"
)]
pub trait DialogueKind: Send + Sync + 'static {
    /// The name in errors, such as `quests`.
    const NAME: &'static str;
    /// The conditions, an enum with `Deserialize`.
    type Condition: Send + Sync + 'static;
    /// The effects, an enum with `Deserialize`.
    type Effect: Clone + Send + Sync + 'static;
    /// The component that conditions read. Speakers and listeners may have it.
    type Memory: Component;

    /// Whether a condition holds.
    ///
    /// All conditions of a request see the components as they were before it: its effects are
    /// events, which systems of the game read later.
    fn holds(
        condition: &Self::Condition,
        speaker: Option<&Self::Memory>,
        listener: Option<&Self::Memory>,
    ) -> bool;
}

/// A participant that has a conversation, by its name in [`Conversations`]. A component.
#[derive(Component, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Speaker {
    /// The name of the conversation.
    pub conversation: String,
    /// The lines and choices that are said once only, and were said.
    #[serde(default)]
    said: BTreeSet<(String, Part)>,
}

/// A line or a choice of a node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum Part {
    Line(u16),
    Choice(u16),
}

impl Speaker {
    /// A speaker who has said nothing yet.
    #[must_use]
    pub fn new(conversation: impl Into<String>) -> Self {
        Self { conversation: conversation.into(), said: BTreeSet::new() }
    }

    /// Forgets what was said: lines and choices with `once` are said and offered again.
    pub fn forget(&mut self) {
        self.said.clear();
    }
}

/// A conversation that is under way. A relation from the listener, who chooses, to the speaker; it
/// is removed when the speaker is despawned.
#[derive(Relation, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub struct TalksWith {
    /// The speaker.
    #[target]
    pub speaker: Entity,
    /// The node at which the conversation waits for a choice.
    pub node: String,
}

/// Asks to begin, continue or end a conversation. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TalkRequest {
    /// The listener.
    pub listener: Entity,
    /// The step.
    pub step: TalkStep,
}

/// The step that a [`TalkRequest`] asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TalkStep {
    /// Begins the conversation of this speaker.
    Start(Entity),
    /// Chooses, by the number of the choice in its node.
    Choose(u16),
    /// Ends the conversation.
    Leave,
}

impl TalkRequest {
    /// The request to begin the conversation of a speaker.
    #[must_use]
    pub const fn start(listener: Entity, speaker: Entity) -> Self {
        Self { listener, step: TalkStep::Start(speaker) }
    }

    /// The request to take a choice, by its number in [`OfferedChoice`].
    #[must_use]
    pub const fn choose(listener: Entity, number: u16) -> Self {
        Self { listener, step: TalkStep::Choose(number) }
    }

    /// The request to end the conversation.
    #[must_use]
    pub const fn leave(listener: Entity) -> Self {
        Self { listener, step: TalkStep::Leave }
    }
}

/// A step of a conversation, in the order of the steps. An event.
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spoken {
    /// The speaker.
    pub speaker: Entity,
    /// The listener.
    pub listener: Entity,
    /// The step.
    pub speech: Speech,
}

/// A part of a conversation, in [`Spoken`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Speech {
    /// The conversation begins.
    Begun,
    /// A line is said.
    Said {
        /// The participant that says it.
        by: Voice,
        /// The text, as it is in the file: the words, or a key for a translation.
        text: String,
    },
    /// The conversation waits for one of these choices.
    Offered(Vec<OfferedChoice>),
    /// The listener has chosen.
    Chosen(OfferedChoice),
    /// The conversation is over.
    Ended,
}

/// A choice whose condition holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfferedChoice {
    /// The number in the node, for [`TalkStep::Choose`].
    pub number: u16,
    /// The text, as it is in the file.
    pub text: String,
}

impl Spoken {
    /// The text of a line or of the taken choice.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.speech {
            Speech::Said { text, .. } | Speech::Chosen(OfferedChoice { text, .. }) => Some(text),
            Speech::Begun | Speech::Offered(_) | Speech::Ended => None,
        }
    }
}

/// An effect of a conversation, which systems of the game carry out. An event.
#[derive(Event, Serialize, Deserialize)]
#[serde(bound(serialize = "K::Effect: Serialize", deserialize = "K::Effect: Deserialize<'de>"))]
pub struct Consequence<K: DialogueKind> {
    /// The speaker.
    pub speaker: Entity,
    /// The listener.
    pub listener: Entity,
    /// The effect.
    pub effect: K::Effect,
}

impl<K: DialogueKind> Clone for Consequence<K> {
    fn clone(&self) -> Self {
        Self { speaker: self.speaker, listener: self.listener, effect: self.effect.clone() }
    }
}

impl<K: DialogueKind<Effect: fmt::Debug>> fmt::Debug for Consequence<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { speaker, listener, effect } = self;
        f.debug_struct("Consequence")
            .field("speaker", speaker)
            .field("listener", listener)
            .field("effect", effect)
            .finish()
    }
}

content! {
    /// The conversations of a world, by name. A resource.
    pub struct Conversations<K: DialogueKind>(Conversation<K::Condition, K::Effect>), "conversation";
}

parts! {
    /// The data of dialogue. Beside it, the world lists `Conversations` and `Consequence` of its
    /// kind.
    pub dialogue {
        components { Speaker, TalksWith }
        events { TalkRequest(external), Spoken(external), DialogueRefusal(external) }
    }
}
