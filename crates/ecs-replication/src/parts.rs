//! Messages as datagrams: a message is divided into parts, with spare parts if some are lost, so
//! that any parts that are as many as the message has are enough.
//!
//! The spare parts are those of a Reed-Solomon code. The client measures the part of the datagrams
//! that is lost, and the server makes so many spare parts that a message of many arrives as often
//! as a datagram does. A whole state of several parts, without which no other message is of use,
//! arrives nearly always, also before a loss is known.

use std::collections::BTreeMap;

use reed_solomon_simd::{EncoderResult, ReedSolomonEncoder};
use serde::{Deserialize, Serialize};

use crate::error::MessageError;
use crate::message::{opened, sealed_after, taken, unsealed, written};

const PART: &[u8; 4] = b"erp1";

/// The most bytes of a datagram before its part of the message: first bytes, checksum, two numbers
/// of 64 bits, one of 32 and three of 16.
const HEAD: usize = 4 + 4 + 2 * 10 + 5 + 3 * 3;

/// The shortest datagram.
const SHORTEST: usize = 128;

/// The number of messages, the newest and those before it, whose parts still count.
const WINDOW: u64 = 8;

/// The most bytes of parts that wait for others, in lengths of the longest message.
const WAITING: usize = 4;

/// The loss that is expected before one is known, of 255: a tenth.
const EXPECTED_LOSS: u8 = 26;

/// How likely a whole state arrives.
const WHOLE_ARRIVES: f64 = 0.99;

/// The messages over which the loss is averaged.
const AVERAGED: u8 = 32;

/// The numbers before the bytes of a part.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct PartHead {
    connection: u64,
    /// The number of the message in this connection, from 1 on.
    number: u64,
    /// The bytes of the message.
    length: u32,
    /// The number of parts that the message has without spare ones: so many are needed.
    parts: u16,
    /// The number of spare parts.
    spare: u16,
    /// The number of this part, from 0 on; from `parts` on, it is a spare one.
    index: u16,
}

impl PartHead {
    /// The bytes of each part. An even number, as the code wants it.
    fn size(&self) -> usize {
        (self.length as usize).div_ceil(usize::from(self.parts)).max(1).next_multiple_of(2)
    }
}

/// Whether these bytes are a part of a message.
pub(crate) fn is_part(bytes: &[u8]) -> bool {
    bytes.starts_with(PART)
}

/// The most bytes of a message in a datagram of at most `size`.
fn room(size: usize) -> usize {
    (size.max(SHORTEST) - HEAD) & !1
}

/// The longest message whose datagrams, of at most `size`, have so many bytes together.
pub(crate) fn longest(bytes: usize, size: usize) -> usize {
    let (full, rest) = (bytes / size.max(SHORTEST), bytes % size.max(SHORTEST));
    full * room(size) + (rest.saturating_sub(HEAD) & !1)
}

/// The bytes of the heads of the datagrams, of at most `size`, of a message of so many bytes.
pub(crate) fn heads(message: usize, size: usize) -> usize {
    HEAD.saturating_mul(message.div_ceil(room(size)).max(1))
}

/// A message that is to be divided.
pub(crate) struct Undivided {
    pub(crate) bytes: Vec<u8>,
    pub(crate) connection: u64,
    /// Its number in the connection.
    pub(crate) number: u64,
    /// Whether it has a whole state.
    pub(crate) is_whole: bool,
}

/// A message as datagrams of at most `size` bytes, where `loss` of 255 are lost. A message that is
/// too long for 65,535 parts is not divided.
pub(crate) fn into_datagrams(
    message: Undivided,
    size: usize,
    loss: u8,
    known: &mut SpareParts,
) -> Vec<Vec<u8>> {
    let Undivided { bytes: message, connection, number, is_whole } = message;
    let needed = message.len().div_ceil(room(size)).max(1);
    let (Ok(parts), Ok(length)) = (u16::try_from(needed), u32::try_from(message.len())) else {
        return vec![message];
    };
    let spare = known.of(needed, loss, is_whole);
    let mut head = PartHead { connection, number, length, parts, spare: 0, index: 0 };
    let part_size = head.size();
    let mut padded = message;
    padded.resize(part_size * needed, 0);
    let shards = || padded.chunks_exact(part_size);
    // without spare parts where the code has none for so many
    let coded = known.coded(shards(), [needed, spare, part_size]);
    let coded: Vec<&[u8]> = coded.iter().flat_map(EncoderResult::recovery_iter).collect();
    head.spare = coded.len() as u16;
    let datagram = |(index, part): (usize, &[u8])| {
        // numbers can always be written; the code has parts for numbers of 16 bits
        let (bytes, index) = (unsealed(PART, HEAD + part_size), index as u16);
        sealed_after(written(bytes, &PartHead { index, ..head }).unwrap_or_default(), part)
    };
    shards().chain(coded).enumerate().map(datagram).collect()
}

/// The numbers of spare parts that were computed, by parts and loss, since those of one tick are
/// mostly those of the tick before; and the memory of the code.
#[derive(Default)]
pub(crate) struct SpareParts {
    numbers: BTreeMap<(usize, u8, bool), usize>,
    encoder: Option<ReedSolomonEncoder>,
}

impl SpareParts {
    /// The most numbers that are kept.
    const MOST: usize = 4096;

    fn of(&mut self, parts: usize, loss: u8, is_whole: bool) -> usize {
        if self.numbers.len() >= Self::MOST {
            self.numbers.clear();
        }
        let new = || match is_whole {
            true => spare_parts(parts, loss.max(EXPECTED_LOSS), WHOLE_ARRIVES),
            false => spare_parts(parts, loss, 1.0 - lost(loss)),
        };
        *self.numbers.entry((parts, loss, is_whole)).or_insert_with(new)
    }

    /// The spare parts of these parts, so many for so many of so many bytes; `None` without any,
    /// and if the code has none for so many.
    fn coded<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p [u8]>,
        [needed, spare, size]: [usize; 3],
    ) -> Option<EncoderResult<'_>> {
        if spare == 0 {
            return None;
        }
        if let Some(encoder) = &mut self.encoder {
            encoder.reset(needed, spare, size).ok()?;
        } else {
            self.encoder = Some(ReedSolomonEncoder::new(needed, spare, size).ok()?);
        }
        let encoder = self.encoder.as_mut()?;
        for part in parts {
            encoder.add_original_shard(part).ok()?;
        }
        encoder.encode().ok()
    }
}

/// A loss of 255 as a part of one, at most a half.
fn lost(loss: u8) -> f64 {
    f64::from(loss.min(127)) / 255.0
}

/// The fewest spare parts with which a message of so many parts is as `likely` to arrive, at most
/// as many as parts: the sums of a binomial distribution.
fn spare_parts(parts: usize, loss: u8, likely: f64) -> usize {
    let lost = lost(loss);
    if parts == 1 || loss == 0 {
        return 0;
    }
    // beyond this the probabilities of single counts are too small for a number
    if parts > 1000 || 2.0 * parts as f64 * -(1.0 - lost).ln() > 700.0 {
        return parts.min((parts as f64 * lost / (1.0 - lost) * 1.1) as usize);
    }
    let arrives = |spare: usize| {
        let sent = (parts + spare) as f64;
        let mut exactly = (1.0 - lost).powi((parts + spare) as i32);
        let mut sum = exactly;
        for count in 1..=spare {
            let count = count as f64;
            exactly *= (sent - count + 1.0) / count * lost / (1.0 - lost);
            sum += exactly;
        }
        sum
    };
    let least = (parts as f64 * lost / (1.0 - lost)) as usize;
    (least..parts).find(|&spare| arrives(spare) >= likely).unwrap_or(parts)
}

/// A message of which some parts have arrived.
struct Incomplete {
    head: PartHead,
    /// A bit for each part that has arrived.
    seen: Vec<u64>,
    count: usize,
    /// The parts; none if the message is not needed any more.
    parts: BTreeMap<u16, Vec<u8>>,
}

impl Incomplete {
    /// The bytes of its parts, which are of one length.
    fn bytes(&self) -> usize {
        self.parts.len() * self.head.size()
    }
}

/// The parts that have arrived at a client.
#[derive(Default)]
pub(crate) struct Assembly {
    connection: u64,
    /// The last message that was complete.
    complete: u64,
    /// The last message of which a part has arrived.
    newest: u64,
    messages: BTreeMap<u64, Incomplete>,
    /// The bytes of all parts that wait.
    bytes: usize,
    /// The part of the datagrams that was lost.
    loss: f32,
    /// The number of messages that the loss was measured with, up to [`AVERAGED`].
    measured: u8,
}

impl Assembly {
    /// The number of the connection whose parts arrive; 0 before the first.
    pub(crate) fn connection(&self) -> u64 {
        self.connection
    }

    /// The part of the datagrams that was lost, of 255.
    pub(crate) fn loss(&self) -> u8 {
        (self.loss * 255.0) as u8
    }

    /// Adds a part, and returns its message if that is complete, and newer than all before.
    pub(crate) fn add(&mut self, bytes: &[u8], most: usize) -> Result<Option<Vec<u8>>, MessageError> {
        let mut part = opened(PART, bytes)?;
        let head: PartHead = taken(&mut part)?;
        // check the head against the limits and the length of the part
        if head.length as usize > most {
            return Err(MessageError::TooLong { length: head.length as usize, limit: most });
        }
        let sent = usize::from(head.parts) + usize::from(head.spare);
        // the code takes memory for all spare parts, also for those that have not arrived
        let most_parts = (head.length as usize).div_ceil(SHORTEST - HEAD).max(1);
        let is_possible = (1..=most_parts).contains(&usize::from(head.parts))
            && head.number > 0
            && head.spare <= head.parts;
        if !is_possible || usize::from(head.index) >= sent || part.len() != head.size() {
            return Err(MessageError::Damaged);
        }
        // a later connection replaces the earlier one, whose parts come too late
        if head.connection > self.connection {
            *self = Self { connection: head.connection, newest: head.number - 1, ..Self::default() };
        }
        if head.connection < self.connection || head.number.saturating_add(WINDOW) <= self.newest {
            return Ok(None);
        }
        self.retire(head.number);
        // count the part once, also of a message that is complete: for the loss
        let same = |message: &Incomplete| PartHead { index: head.index, ..message.head } == head;
        let new = || Incomplete { head, seen: vec![0; sent.div_ceil(64)], count: 0, parts: BTreeMap::new() };
        let message = self.messages.entry(head.number).or_insert_with(new);
        if !same(message) {
            return Err(MessageError::Damaged);
        }
        let (word, bit) = (usize::from(head.index) / 64, 1 << (head.index % 64));
        if message.seen[word] & bit != 0 {
            return Ok(None);
        }
        message.seen[word] |= bit;
        message.count += 1;
        if head.number <= self.complete {
            return Ok(None);
        }
        // keep the part, and join the message if the parts are enough
        message.parts.insert(head.index, part.to_vec());
        self.bytes += part.len();
        if message.parts.len() < usize::from(head.parts) {
            self.forget(most);
            return Ok(None);
        }
        let message = joined(&head, &message.parts);
        self.complete = head.number;
        self.forget(most);
        message.map(Some)
    }

    /// Counts what was lost of the messages that are too old for a part to come, now that one of
    /// `number` has.
    fn retire(&mut self, number: u64) {
        if number <= self.newest {
            return;
        }
        let old = |newest: u64| newest.saturating_sub(WINDOW - 1);
        // after a long silence, only the last messages count
        for number in old(self.newest).max(number.saturating_sub(8 * WINDOW)).max(1)..old(number) {
            let removed = self.messages.remove(&number);
            self.bytes -= removed.as_ref().map_or(0, Incomplete::bytes);
            let lost = removed.map_or(1.0, |message| {
                let sent = usize::from(message.head.parts) + usize::from(message.head.spare);
                1.0 - message.count as f32 / sent as f32
            });
            self.measured = AVERAGED.min(self.measured + 1);
            self.loss += (lost - self.loss) / f32::from(self.measured);
        }
        self.newest = number;
        // after a long silence, there are older ones
        while let Some(oldest) = self.messages.first_entry().filter(|entry| *entry.key() < old(number)) {
            self.bytes -= oldest.remove().bytes();
        }
    }

    /// Drops parts of messages that are not needed any more, and the oldest if they are too many.
    fn forget(&mut self, most: usize) {
        for (&number, message) in &mut self.messages {
            let are_too_many = self.bytes > most.saturating_mul(WAITING);
            if number <= self.complete || are_too_many {
                self.bytes -= message.bytes();
                message.parts.clear();
            }
        }
    }
}

/// The message of these parts, which are enough.
fn joined(head: &PartHead, parts: &BTreeMap<u16, Vec<u8>>) -> Result<Vec<u8>, MessageError> {
    let needed = usize::from(head.parts);
    let original = || parts.range(..head.parts).map(|(&index, part)| (usize::from(index), part));
    let spare = parts.range(head.parts..).map(|(&index, part)| (usize::from(index) - needed, part));
    let mut restored = BTreeMap::new();
    if original().count() < needed {
        restored = reed_solomon_simd::decode(needed, usize::from(head.spare), original(), spare)
            .map_err(|_| MessageError::Damaged)?;
    }
    let mut message = Vec::with_capacity(head.size() * needed);
    for index in 0..head.parts {
        let part = parts.get(&index).or_else(|| restored.get(&usize::from(index)));
        message.extend_from_slice(part.ok_or(MessageError::Damaged)?);
    }
    message.truncate(head.length as usize);
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(bytes: Vec<u8>, number: u64) -> Undivided {
        Undivided { bytes, connection: 1, number, is_whole: false }
    }

    fn arriving_as_one(parts: usize, loss: u8) -> usize {
        SpareParts::default().of(parts, loss, false)
    }

    #[test]
    fn any_parts_that_are_enough_make_the_message() {
        for length in [0_usize, 1, 85, 86, 87, 1_000, 5_001] {
            let message: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            let all = into_datagrams(sent(message.clone(), 1), 128, 60, &mut SpareParts::default());
            assert!(all.iter().all(|datagram| datagram.len() <= 128));
            let needed = length.div_ceil(86).max(1);
            assert_eq!(all.len(), needed + arriving_as_one(needed, 60));
            // the last parts, and the first ones
            for chosen in [&all[all.len() - needed..], &all[..needed]] {
                let mut assembly = Assembly::default();
                let mut made = chosen.iter().map(|part| assembly.add(part, 6_000).unwrap());
                assert_eq!(made.by_ref().take(needed - 1).flatten().count(), 0);
                assert_eq!(made.next().unwrap().as_ref(), Some(&message), "{length} bytes");
            }
        }
    }

    #[test]
    fn a_budget_of_datagrams_is_so_many() {
        for size in [128, 1_200, 1_201] {
            for budget in [size, 2 * size, 5 * size, 5 * size + size / 2] {
                let message = longest(budget, size);
                let all = into_datagrams(sent(vec![1; message], 1), size, 0, &mut SpareParts::default());
                let bytes: usize = all.iter().map(Vec::len).sum();
                // numbers in heads may be shorter than the most that they can have
                assert_eq!(all.len(), budget.div_ceil(size));
                assert!(bytes <= budget && message + heads(message, size) <= budget, "{bytes}");
            }
        }
        // as many as there are numbers for
        let most = into_datagrams(sent(vec![1; 65_535 * 86], 1), 128, 0, &mut SpareParts::default());
        assert_eq!(most.len(), 65_535);
    }

    #[test]
    fn spare_parts_follow_the_loss() {
        assert_eq!([0, 1, 51, 255].map(|loss| arriving_as_one(1, loss)), [0; 4]);
        assert_eq!([0, 13, 51, 102].map(|loss| arriving_as_one(14, loss)), [0, 2, 5, 10]);
        assert!((250..350).contains(&arriving_as_one(1_000, 51)) && arriving_as_one(2_000, 51) >= 500);
        // where single probabilities are too small for a number
        assert!((570..700).contains(&arriving_as_one(900, 100)));
        // a whole state is prepared for a loss that is not known
        let whole = |loss| SpareParts::default().of(14, loss, true);
        assert_eq!([0, 13, 51].map(whole), [5, 5, 9]);
    }

    #[test]
    fn a_datagram_of_a_hostile_server_costs_no_more_than_its_message() {
        let part = |number: u64, parts: u16, spare: u16, bytes: &[u8]| {
            let length = u32::from(parts) * bytes.len() as u32;
            let head = PartHead { connection: 1, number, length, parts, spare, index: parts };
            let mut body = written(Vec::new(), &head).unwrap();
            body.extend_from_slice(bytes);
            sealed_after(unsealed(PART, body.len()), &body)
        };
        let mut assembly = Assembly::default();
        // the code would take memory for 60,000 parts of this length
        let many = part(1, 1, 60_000, &[7; 60_000]);
        assert!(matches!(assembly.add(&many, 1 << 20), Err(MessageError::Damaged)));
        assert_eq!(assembly.add(&part(1, 1, 1, &[7; 1000]), 1 << 20).unwrap(), Some(vec![7; 1000]));
        // more parts than bytes, each of which would wait with a head of its own
        assert!(matches!(assembly.add(&part(2, 9_000, 0, &[7; 2]), 1 << 20), Err(MessageError::Damaged)));
        // the last numbers of all
        for number in [u64::MAX - 1, u64::MAX, 2] {
            assert_eq!(assembly.add(&part(number, 2, 2, &[7; 100]), 1 << 20).unwrap(), None);
        }
        assert!((1..3_000).all(|parts| arriving_as_one(parts, 255) <= parts));
    }

    #[test]
    fn parts_that_wait_take_bounded_memory() {
        let mut assembly = Assembly::default();
        for number in 1..200 {
            // the last part of each is missing
            let parts = into_datagrams(sent(vec![1; 5_000], number), 200, 0, &mut SpareParts::default());
            for part in &parts[1..] {
                assert_eq!(assembly.add(part, 5_000).unwrap(), None);
            }
            assert!(assembly.bytes <= 4 * 5_000 + 200);
            assert!(assembly.messages.len() <= WINDOW as usize);
        }
        assert!((assembly.loss - 1.0 / 32.0).abs() < 0.01, "{}", assembly.loss);
        let long = &into_datagrams(sent(vec![1; 5_000], 300), 200, 0, &mut SpareParts::default())[0];
        assert!(matches!(assembly.add(long, 4_999), Err(MessageError::TooLong { length: 5_000, .. })));
    }
}
