//! The systems that carry out the requests to talk.

use std::collections::BTreeSet;

use ecs::prelude::*;

use super::conversation::{Choice, Conversation, DialogueNode};
use super::{
    Consequence, Conversations, DialogueKind, DialogueReason, DialogueRefusal, OfferedChoice, Part, Speaker,
    Speech, Spoken, TalkRequest, TalkStep, TalksWith,
};

/// System: carries out the requests [`TalkRequest`], in the order in which they were sent, as
/// `converse::<Talk>`. Requests that are not possible are answered by [`DialogueRefusal`], and
/// change nothing.
#[system]
pub fn converse<K: DialogueKind>(
    mut requests: EventReader<TalkRequest>,
    mut talk: Talk<'_, K>,
    mut refused: EventWriter<DialogueRefusal>,
) {
    refused.extend(requests.iter().filter_map(|request| talk.answer(*request).err()));
}

/// System: [`converse`] that fails with the first request that is not possible. The requests before
/// it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_converse<K: DialogueKind>(
    mut requests: EventReader<TalkRequest>,
    mut talk: Talk<'_, K>,
) -> Result<(), DialogueRefusal> {
    requests.iter().try_for_each(|request| talk.answer(*request))
}

/// The choices that a conversation offers at its current node: for the screen of a game that was
/// just loaded.
///
/// Empty if the conversation or the node is missing.
#[must_use]
pub fn choices<K: DialogueKind>(
    conversations: &Conversations<K>,
    talk: &TalksWith,
    speaker: &Speaker,
    speaker_memory: Option<&K::Memory>,
    listener_memory: Option<&K::Memory>,
) -> Vec<OfferedChoice> {
    let node =
        conversations.get(&speaker.conversation).and_then(|conversation| conversation.nodes.get(&talk.node));
    let holds = |condition: &K::Condition| K::holds(condition, speaker_memory, listener_memory);
    node.map(|node| offered(node, &talk.node, &speaker.said, holds)).unwrap_or_default()
}

fn offered<C, E>(
    node: &DialogueNode<C, E>,
    name: &str,
    said: &BTreeSet<(String, Part)>,
    holds: impl Fn(&C) -> bool,
) -> Vec<OfferedChoice> {
    let mut offered = Vec::new();
    for (number, choice) in (0..).zip(&node.choices) {
        let is_over = choice.once && said.contains(&(name.to_owned(), Part::Choice(number)));
        if !is_over && choice.condition.as_ref().is_none_or(&holds) {
            offered.push(OfferedChoice { number, text: choice.text.clone() });
        }
    }
    offered
}

/// The parameters of [`converse`] and [`try_converse`], apart from the requests and refusals.
#[derive(SystemParam)]
pub struct Talk<'w, K: DialogueKind> {
    talks: Storage<'w, TalksWith>,
    speakers: Storage<'w, Speaker>,
    memories: Query<'w, &'static K::Memory>,
    living: Query<'w, Entity>,
    conversations: Res<'w, Conversations<K>>,
    spoken: EventWriter<'w, Spoken>,
    effects: EventWriter<'w, Consequence<K>>,
}

/// The results of a request.
struct Outcome<K: DialogueKind> {
    speaker: Entity,
    listener: Entity,
    speeches: Vec<Speech>,
    effects: Vec<K::Effect>,
    /// The lines and choices that are said once only, and were said.
    said: BTreeSet<(String, Part)>,
    /// The node that waits for a choice; `None` if the conversation is over.
    node: Option<String>,
}

impl<K: DialogueKind> Talk<'_, K> {
    /// Carries out a request, and sends its events.
    fn answer(&mut self, request: TalkRequest) -> Result<(), DialogueRefusal> {
        let outcome = self.carry_out(request);
        let Outcome { speaker, listener, speeches, effects, .. } =
            outcome.map_err(|reason| DialogueRefusal { listener: request.listener, reason })?;
        self.spoken.extend(speeches.into_iter().map(|speech| Spoken { speaker, listener, speech }));
        self.effects.extend(effects.into_iter().map(|effect| Consequence { speaker, listener, effect }));
        Ok(())
    }

    fn carry_out(
        &mut self,
        TalkRequest { listener, step }: TalkRequest,
    ) -> Result<Outcome<K>, DialogueReason> {
        // nothing changes before `commit`: a request that is refused leaves all as it was
        let now = self.talks.get(listener).cloned();
        if !self.living.contains(listener) || step == TalkStep::Start(listener) {
            return Err(DialogueReason::CannotListen);
        }
        let speaker = match (step, &now) {
            (TalkStep::Start(_), Some(talk)) => return Err(DialogueReason::AlreadyTalks(talk.speaker)),
            (TalkStep::Start(speaker), None) => speaker,
            (_, Some(talk)) => talk.speaker,
            (_, None) => return Err(DialogueReason::NotTalking),
        };
        // one may leave a conversation whose speaker is gone
        let said = match self.speakers.get(speaker) {
            Some(speaker) => speaker.said.clone(),
            None if step == TalkStep::Leave => Default::default(),
            None => return Err(DialogueReason::NotASpeaker(speaker)),
        };
        let mut outcome =
            Outcome { speaker, listener, speeches: Vec::new(), effects: Vec::new(), said, node: None };
        // to leave, there is nothing to say
        match (step, now) {
            (TalkStep::Choose(number), Some(talk)) => self.choose(number, talk.node, &mut outcome)?,
            (TalkStep::Start(_), _) => {
                let start = self.conversation(speaker)?.start.clone();
                outcome.speeches.push(Speech::Begun);
                self.enter(start, &mut outcome)?;
            }
            (TalkStep::Choose(_) | TalkStep::Leave, _) => {}
        }
        self.commit(&mut outcome)?;
        Ok(outcome)
    }

    fn conversation(
        &self,
        speaker: Entity,
    ) -> Result<&Conversation<K::Condition, K::Effect>, DialogueReason> {
        let name = &self.speakers.get(speaker).ok_or(DialogueReason::NotASpeaker(speaker))?.conversation;
        self.conversations.get(name).ok_or_else(|| DialogueReason::MissingConversation(name.clone()))
    }

    fn holds(&self, speaker: Entity, listener: Entity) -> impl Fn(&K::Condition) -> bool {
        let (speaker, listener) = (self.memories.get(speaker), self.memories.get(listener));
        move |condition| K::holds(condition, speaker, listener)
    }

    fn choose(&self, number: u16, node: String, outcome: &mut Outcome<K>) -> Result<(), DialogueReason> {
        let conversation = self.conversation(outcome.speaker)?;
        let Some(at) = conversation.nodes.get(&node) else { return Err(DialogueReason::MissingNode(node)) };
        let offered = offered(at, &node, &outcome.said, self.holds(outcome.speaker, outcome.listener));
        let chosen = offered.into_iter().find(|choice| choice.number == number);
        let chosen = chosen.ok_or(DialogueReason::NotOffered(number))?;
        let Choice { once, then, to, .. } = &at.choices[usize::from(number)];
        outcome.speeches.push(Speech::Chosen(chosen));
        outcome.effects.extend(then.iter().cloned());
        if *once {
            outcome.said.insert((node, Part::Choice(number)));
        }
        match to {
            Some(to) => self.enter(to.clone(), outcome),
            None => Ok(()),
        }
    }

    /// Says the lines of nodes, up to one that offers a choice or ends the conversation.
    fn enter(&self, first: String, outcome: &mut Outcome<K>) -> Result<(), DialogueReason> {
        let conversation = self.conversation(outcome.speaker)?;
        let (mut name, mut passed) = (first, 0);
        // effects and lines of the node; a line with `once` is said only if it was not said before
        loop {
            let Some(node) = conversation.nodes.get(&name) else {
                return Err(DialogueReason::MissingNode(name));
            };
            let holds = self.holds(outcome.speaker, outcome.listener);
            outcome.effects.extend(node.then.iter().cloned());
            for (number, line) in (0..).zip(&node.says) {
                if !line.condition.as_ref().is_none_or(&holds) {
                    continue;
                }
                if !line.once || outcome.said.insert((name.clone(), Part::Line(number))) {
                    outcome.speeches.push(Speech::Said { by: line.by, text: line.text.clone() });
                }
            }
            // a node with a choice waits for the listener
            let offered = offered(node, &name, &outcome.said, &holds);
            if !offered.is_empty() {
                outcome.speeches.push(Speech::Offered(offered));
                outcome.node = Some(name);
                return Ok(());
            }
            // otherwise go on by the first jump that is possible, or end
            let jump = node.jumps.iter().find(|jump| jump.condition.as_ref().is_none_or(&holds));
            let Some(to) = jump.map(|jump| &jump.to).or(node.to.as_ref()) else { return Ok(()) };
            // more nodes than there are: a circle that conditions have closed
            passed += 1;
            if passed > conversation.nodes.len() {
                return Err(DialogueReason::EndlessJumps(name));
            }
            name = to.clone();
        }
    }

    /// Changes the components.
    fn commit(&mut self, outcome: &mut Outcome<K>) -> Result<(), DialogueReason> {
        let (listener, speaker) = (outcome.listener, outcome.speaker);
        match outcome.node.take() {
            Some(node) => {
                let inserted = self.talks.insert(listener, TalksWith { speaker, node });
                inserted.map_err(|_| DialogueReason::CannotListen)?;
            }
            None => {
                self.talks.remove(listener);
                outcome.speeches.push(Speech::Ended);
            }
        }
        if let Some(component) = self.speakers.get_mut(speaker) {
            component.said = std::mem::take(&mut outcome.said);
        }
        Ok(())
    }
}
