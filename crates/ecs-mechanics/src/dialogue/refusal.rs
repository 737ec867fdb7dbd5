//! [`DialogueRefusal`]: a request that was not possible, as an event and as an error.

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A request to talk is not possible. The event of [`converse`](super::converse), and the error of
/// [`try_converse`](super::try_converse).
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DialogueRefusal {
    /// The listener of the request.
    pub listener: Entity,
    /// The reason.
    pub reason: DialogueReason,
}

/// The reason of a [`DialogueRefusal`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DialogueReason {
    /// This entity lacks [`Speaker`](super::Speaker), or is despawned.
    NotASpeaker(Entity),
    /// The listener talks with this speaker already.
    AlreadyTalks(Entity),
    /// The listener is despawned, or would talk with itself.
    CannotListen,
    /// The listener is in no conversation.
    NotTalking,
    /// The node has no choice with this number, or does not offer it: its condition does not hold,
    /// or it was taken once.
    NotOffered(u16),
    /// The resource [`Conversations`](super::Conversations) lacks the conversation of the speaker.
    MissingConversation(String),
    /// The conversation lacks the node at which it was: it has changed since the save.
    MissingNode(String),
    /// From this node, jumps lead in a circle, because no choice on their way can be taken.
    EndlessJumps(String),
}

impl fmt::Display for DialogueRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listener = self.listener;
        match &self.reason {
            DialogueReason::NotASpeaker(speaker) => {
                write!(f, "entity {listener} cannot talk with {speaker}, which is no speaker")
            }
            DialogueReason::AlreadyTalks(speaker) => {
                write!(f, "entity {listener} talks with {speaker} already: leave that conversation first")
            }
            DialogueReason::CannotListen => {
                write!(f, "entity {listener} is despawned, or would talk with itself")
            }
            DialogueReason::NotTalking => write!(f, "entity {listener} is in no conversation"),
            DialogueReason::NotOffered(number) => {
                write!(f, "entity {listener} is not offered choice {number}")
            }
            DialogueReason::MissingConversation(name) => write!(
                f,
                "entity {listener} cannot begin the conversation `{name}`, which is not in the resource `Conversations`: insert it, also when a world \
                 is loaded"
            ),
            DialogueReason::MissingNode(node) => {
                write!(
                    f,
                    "entity {listener} is at node `{node}`, which the conversation does not have any more: let it leave"
                )
            }
            DialogueReason::EndlessJumps(node) => {
                write!(
                    f,
                    "entity {listener} comes to node `{node}`, from which jumps lead in a circle: no choice on their way can be taken"
                )
            }
        }
    }
}

impl Error for DialogueRefusal {}
