//! The slots and the change ticks of a column in a file.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::base::mask::{Bits, Slots, range};
use crate::entity::allocator::Entities;
use crate::entity::saved::image::LATEST;
use crate::persist::memory;
use crate::storage::stamps::Stamps;

/// The words of a column's bits with the bits of live entities, up to the last one that is not
/// empty.
pub(super) fn present(masks: &[u64], alive: &[u64]) -> Vec<u64> {
    let mut words: Vec<u64> = masks.iter().zip(alive).map(|(mask, alive)| mask & alive).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}

/// The first slot from `slot` on that has a value.
pub(super) fn next_slot(masks: &[u64], slot: u32) -> Option<u32> {
    let first = slot as usize / 64;
    let word = masks.get(first)? & !range(0, slot as usize % 64);
    if word != 0 {
        return Some((first * 64) as u32 + word.trailing_zeros());
    }
    let skipped = masks[first + 1..].iter().position(|&bits| bits != 0)?;
    let word = first + 1 + skipped;
    Some((word * 64) as u32 + masks[word].trailing_zeros())
}

/// The change ticks of the values of these slots, run-length encoded. A column has no stamps if it
/// was loaded from a file without change ticks: its values count as added when the world began.
pub(super) fn stamp_runs(stamps: Option<&Stamps>, words: &[u64]) -> Vec<(u32, u64, u64)> {
    let mut runs: Vec<(u32, u64, u64)> = Vec::new();
    for (word, &bits) in words.iter().enumerate() {
        let of = stamps.and_then(|stamps| stamps.word(word));
        for bit in Bits(bits) {
            let (added, changed) = of.map_or((0, 0), |of| (of.added(bit), of.changed(bit)));
            let (added, changed) = (added.min(LATEST), changed.min(LATEST));
            match runs.last_mut() {
                Some((count, a, c)) if (*a, *c) == (added, changed) => *count += 1,
                _ => runs.push((1, added, changed)),
            }
        }
    }
    runs
}

/// Checks the change ticks of a file: `values` is the number of values that they are for, `tick`
/// that of the file.
pub(super) fn check_stamp_runs(runs: &[(u32, u64, u64)], values: usize, tick: u64) -> Result<(), String> {
    if runs.iter().any(|&(_, added, changed)| added > tick || changed > tick || added > changed) {
        return Err("a change tick is later than the tick of the file, or earlier than the tick at which its value was added".into());
    }
    let count: u64 = runs.iter().map(|&(count, ..)| u64::from(count)).sum();
    if count != 0 && count != values as u64 {
        return Err("the number of change ticks is not the number of values".into());
    }
    Ok(())
}

/// Restores the change ticks of values. A component that was not tracked when it was saved has no
/// ticks: its values count as added when the world began.
pub(super) fn restore_stamp_runs(
    runs: &[(u32, u64, u64)],
    masks: &[u64],
    stamps: &mut Option<Box<Stamps>>,
) -> Result<(), String> {
    memory::charge(Stamps::bytes_for(masks.iter().copied())).map_err(|error| error.to_string())?;
    let mut ticks = runs
        .iter()
        .flat_map(|&(count, added, changed)| core::iter::repeat_n((added, changed), count as usize));
    for slot in Slots::new(masks) {
        let (added, changed) = ticks.next().unwrap_or((0, 0));
        stamps.get_or_insert_default().recall(slot, added, changed);
    }
    Ok(())
}

/// Checks that every slot with a value has a live entity, and notes the component in the blocks of
/// the entities.
pub(super) fn note_entities(
    masks: &[u64],
    entities: &Entities,
    component: usize,
) -> Result<(), (u32, String)> {
    for (word, &bits) in masks.iter().enumerate() {
        let alive = entities.alive().get(word).copied().unwrap_or(0);
        if bits & !alive != 0 {
            let slot = (word * 64) as u32 + (bits & !alive).trailing_zeros();
            return Err((slot, "the slot has no live entity".into()));
        }
        if bits != 0 {
            entities.note((word * 64) as u32, component);
        }
    }
    Ok(())
}
