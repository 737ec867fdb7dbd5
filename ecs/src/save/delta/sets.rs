//! Algebra of sets of slots: one bit for each slot, or only the words that have a bit.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The words of a set that have a bit, with their places, ascending.
pub(super) type SparseSlots = Vec<(u32, u64)>;

/// Adds the slots of another set.
pub(super) fn unite(to: &mut SparseSlots, other: &SparseSlots) {
    to.extend(other);
    to.sort_unstable();
    to.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 |= if same { next.1 } else { 0 };
        same
    });
}

/// Adds a slot that is not below those of the set.
pub(super) fn push(to: &mut SparseSlots, slot: u32) {
    match to.last_mut() {
        Some((at, bits)) if *at == slot / 64 => *bits |= 1 << (slot % 64),
        _ => to.push((slot / 64, 1 << (slot % 64))),
    }
}

/// Adds slots to a set.
pub(super) fn add(to: &mut Vec<u64>, slots: &SparseSlots) {
    if let Some(&(last, _)) = slots.last() {
        to.resize(to.len().max(last as usize + 1), 0);
    }
    slots.iter().for_each(|&(at, bits)| to[at as usize] |= bits);
}

/// The words of a set that have a bit.
pub(super) fn sparse(words: &[u64]) -> SparseSlots {
    (0..).zip(words.iter().copied()).filter(|&(_, bits)| bits != 0).collect()
}

/// Keeps the slots that are in `other`, too, which may have fewer words.
pub(super) fn intersect(set: &mut Vec<u64>, other: &[u64]) {
    set.truncate(other.len());
    retain(set, other);
}

/// Combines two sets of slots of equal length, word by word. The result has no words if it has no
/// slots: mostly so, and then nothing is allocated.
pub(super) fn combined(one: &[u64], two: &[u64], f: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    let words = || one.iter().zip(two).map(|(&one, &two)| f(one, two));
    if words().fold(0, |any, word| any | word) == 0 { Vec::new() } else { words().collect() }
}

/// The slots of both sets, of which one may have no words.
pub(super) fn combined_of<'s>(added: &'s [u64], changed: &'s [u64]) -> Cow<'s, [u64]> {
    match (added.is_empty(), changed.is_empty()) {
        (true, _) => Cow::Borrowed(changed),
        (_, true) => Cow::Borrowed(added),
        _ => Cow::Owned(combined(added, changed, |added, changed| added | changed)),
    }
}

/// Keeps the slots of `set` that are in `other`, too.
pub(super) fn retain(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set &= other);
}
