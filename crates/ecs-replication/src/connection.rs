//! [`Connection`]: what the server knows of one client.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::backlog::Backlog;
use crate::events::Outbox;
use crate::limits::Limits;
use crate::view::{State, Step};

/// The state of one client.
pub(crate) struct Connection<W> {
    /// The number of the connection.
    pub(crate) number: u64,
    /// The state that was sent last.
    pub(crate) last: State<W>,
    pub(crate) frames: Frames,
    pub(crate) whole: WholeStates,
    pub(crate) datagrams: Datagrams,
    pub(crate) inputs: Inputs,
    pub(crate) events: Outbox,
    /// The changes that wait for room; `None` without a budget.
    pub(crate) backlog: Option<Backlog>,
}

/// The frames that the client was sent, and those that it has.
#[derive(Default)]
pub(crate) struct Frames {
    /// The steps since the frame that the client has acknowledged, or from nothing, shared with
    /// clients of equal views.
    pub(crate) steps: VecDeque<Arc<Step>>,
    /// The number of steps that were merged into others.
    merged: usize,
    /// The frame of the first state that was sent since the client began; 0 before it.
    pub(crate) begun: u64,
    /// The last frame that was sent.
    pub(crate) sent: u64,
    /// The last frame that the client has acknowledged.
    pub(crate) acknowledged: u64,
}

/// The whole states that the client was sent.
#[derive(Default)]
pub(crate) struct WholeStates {
    /// The last frame when the client was sent one because it asked.
    asked: u64,
    /// The last frame whose message had one.
    last: u64,
    /// The number of such messages since the last acknowledgement.
    repeated: u64,
}

/// The messages that were sent as datagrams.
#[derive(Default)]
pub(crate) struct Datagrams {
    /// The number of messages.
    pub(crate) messages: u64,
    /// The part of the datagrams that is lost, of 255.
    pub(crate) loss: u8,
}

/// The counts of inputs and messages from the client.
#[derive(Default)]
pub(crate) struct Inputs {
    /// The number of inputs.
    pub(crate) received: u64,
    /// The number of messages, and of inputs, since the last tick.
    pub(crate) messages_in_tick: usize,
    pub(crate) in_tick: usize,
}

impl WholeStates {
    /// Whether the message of this frame had one.
    pub(crate) fn is_of(&self, frame: u64) -> bool {
        self.last == frame
    }
}

impl<W> Connection<W> {
    pub(crate) fn new(number: u64, backlog: Option<Backlog>) -> Self {
        Self {
            number,
            last: None,
            frames: Frames::default(),
            whole: WholeStates::default(),
            datagrams: Datagrams::default(),
            inputs: Inputs::default(),
            events: Outbox::default(),
            backlog,
        }
    }

    /// The frame from which the changes of the message at `frame` start. The whole state is in the
    /// first message, and again after `pause` frames, one more, two more.. The messages between
    /// have the changes after the first one, for a client that has any of them.
    pub(crate) fn from(&self, frame: u64, pause: u64) -> u64 {
        let Frames { begun, acknowledged, .. } = self.frames;
        if acknowledged > 0 || self.backlog.is_some() {
            return acknowledged;
        }
        // the pauses become longer, so that no regular loss hits each whole state
        let next =
            self.whole.last.saturating_add(pause).saturating_add(self.whole.repeated.saturating_sub(1));
        if frame < next { begun } else { 0 }
    }

    /// Notes that the message of `frame` is sent, with changes since `from`.
    pub(crate) fn note_sent(&mut self, frame: u64, from: u64) {
        self.frames.sent = frame;
        if self.frames.begun == 0 {
            self.frames.begun = frame;
        }
        if from == 0 {
            self.whole.last = frame;
            self.whole.repeated += 1;
        }
        (self.inputs.messages_in_tick, self.inputs.in_tick) = (0, 0);
    }

    /// Notes that the client has `frame`, and lacks those of the 64 before it that have a bit in
    /// `missing`.
    pub(crate) fn acknowledge(&mut self, frame: u64, missing: u64) {
        let frames = &mut self.frames;
        if let Some(backlog) = &mut self.backlog {
            if frame <= frames.acknowledged || frames.begun == 0 || frame < frames.begun {
                return;
            }
            backlog.acknowledge(frame, missing);
        } else if !frames.steps.iter().any(|step| step.frame == frame) {
            return;
        }
        frames.acknowledged = frame;
        self.whole.repeated = 0;
        while frames.steps.front().is_some_and(|step| step.frame <= frame) {
            frames.steps.pop_front();
        }
    }

    /// Sends the whole state with the next message because the client, at `frame`, asks for it, if
    /// the last one was long enough ago.
    pub(crate) fn begin_as_asked(&mut self, frame: u64, limits: &Limits) {
        let Frames { begun, sent, acknowledged, .. } = self.frames;
        // unless the client has not received the beginning yet
        let begins = begun == 0 || acknowledged == 0 && begun > frame;
        let may_ask = self.whole.asked == 0 || sent >= self.whole.asked.saturating_add(limits.pause);
        if may_ask && !begins {
            self.whole.asked = sent;
            self.begin_anew();
        }
    }

    /// Sends the whole state with the next message.
    pub(crate) fn begin_anew(&mut self) {
        self.last = None;
        self.frames = Frames { sent: self.frames.sent, ..Frames::default() };
        self.whole.last = 0;
        if let Some(backlog) = &mut self.backlog {
            backlog.clear();
        }
    }

    /// Whether the program of the client may be another one than that of this connection, at
    /// `frame`: it does not join any more once it has a state. To one that has not answered yet,
    /// the connection is as good as a new one.
    pub(crate) fn may_join_again(&self, frame: u64, limits: &Limits) -> bool {
        let has_answered =
            self.frames.acknowledged > 0 || self.inputs.received > 0 || self.events.are_received();
        has_answered && frame >= self.frames.begun.saturating_add(limits.pause)
    }
}

impl Frames {
    /// Adds a step, and merges two of the steps before it if there are more than `most`. Which two
    /// goes around, so that the steps that remain are spread over all frames.
    pub(crate) fn push(&mut self, step: Arc<Step>, most: usize) {
        self.steps.push_back(step);
        if self.steps.len() <= most.max(2) {
            return;
        }
        let mut at = self.merged % (self.steps.len() - 1).div_ceil(2);
        self.merged += 1;
        if self.steps[at].frame == self.begun {
            at += 1; // messages start from it
        }
        let Some(first) = self.steps.remove(at) else { return };
        let mut slots = first.slots.clone();
        slots.merge(&self.steps[at].slots);
        self.steps[at] = Arc::new(Step { frame: self.steps[at].frame, slots });
    }
}
