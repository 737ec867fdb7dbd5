//! [`Step`]: the exchanges of a worker. Each message begins with its step and its tick, so that
//! workers that do not call the same methods get an error.

use crate::wire::{read_number, write_number};
use crate::{Exchange, RunError};

/// The exchanges of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Migration,
    Weights,
    Shared,
    Answers,
    Sum,
    Gather,
    Hash,
    Checkpoints,
    Loading,
    Writing,
}

/// Checks that the number of this worker, as the engine gives it, is below the number of workers.
pub(crate) fn check_index(exchange: &impl Exchange) -> Result<(), RunError> {
    let (own, workers) = (exchange.index(), exchange.workers());
    if own < workers {
        return Ok(());
    }
    Err(RunError::System(format!("the exchange says that this is worker {own} of {workers}")))
}

/// Sends each worker its message after a head that tells this exchange from others, and returns the
/// messages without heads.
pub(crate) fn exchange_at<E: Exchange>(
    exchange: &mut E,
    step: Step,
    tick: u64,
    to_each: Vec<Vec<u8>>,
) -> Result<Vec<Vec<u8>>, RunError> {
    // the head is the step and the tick, so a worker that calls other methods is found at once
    let head = |message: Vec<u8>| {
        let mut out = Vec::with_capacity(message.len() + 11);
        out.push(step as u8);
        write_number(tick, &mut out);
        out.extend_from_slice(&message);
        out
    };
    let workers = to_each.len();
    let mut received = exchange.exchange(to_each.into_iter().map(head).collect())?;
    if received.len() != workers {
        let text = format!("the exchange has returned {} messages of {workers} workers", received.len());
        return Err(RunError::System(text));
    }
    // a message of another step or tick is an error; otherwise its head is removed
    for (from, message) in received.iter_mut().enumerate() {
        let mut input = message.as_slice();
        let kind = input.split_off_first().copied();
        let found = read_number(&mut input);
        if (kind, found) != (Some(step as u8), Some(tick)) {
            return Err(RunError::damaged(
                from,
                format_args!(
                    "it is not that of step {step:?} of tick {tick}; all workers call the same methods in the same order"
                ),
            ));
        }
        let head = message.len() - input.len();
        message.drain(..head);
    }
    Ok(received)
}

/// Exchanges a message or an error with all workers: the messages of all, or the same error for
/// all.
pub(crate) fn agree<E: Exchange>(
    exchange: &mut E,
    step: Step,
    tick: u64,
    own: Result<Vec<u8>, RunError>,
) -> Result<Vec<Vec<u8>>, RunError> {
    // the first byte tells a message from the text of an error
    let mut message = Vec::new();
    match &own {
        Ok(bytes) => {
            message.push(0);
            message.extend_from_slice(bytes);
        }
        Err(error) => {
            message.push(1);
            message.extend_from_slice(error.to_string().as_bytes());
        }
    }
    let to_each = vec![message; exchange.workers()];
    let received = exchange_at(exchange, step, tick, to_each)?;
    let mut messages = Vec::with_capacity(received.len());
    // the first error in the order of workers, so that all workers return the same one
    for (from, message) in received.iter().enumerate() {
        match message.split_first() {
            Some((0, bytes)) => messages.push(bytes.to_vec()),
            Some((1, text)) => {
                let text = String::from_utf8_lossy(text);
                return Err(RunError::Checkpoint(format!("worker {from}: {text}")));
            }
            _ => return Err(RunError::damaged(from, "a part of a checkpoint")),
        }
    }
    Ok(messages)
}
