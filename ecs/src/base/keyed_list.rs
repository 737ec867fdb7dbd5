//! [`KeyedList`]: values in an order, each found by its key, which are one slice whenever they are
//! read.
//!
//! A short list is a `Vec`. In a long one, a removal from the middle leaves an empty slot, and the
//! list closes its empty slots when it is read next: so many removals in a row do not move the
//! values behind them each time. A search begins where the last one has ended; if searches visit
//! many values, the list makes a map of the positions of keys. A list without removals and without
//! many searches is a `Vec`, however long it is.
#![expect(unsafe_code, reason = "slots without a value, which are closed while the list is borrowed shared")]

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem::{self, MaybeUninit};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::mask::Slots;

/// A list up to this length is searched from its beginning, and the values behind a removed one
/// move.
const SHORT: usize = 64;

/// The number of times that a search visits all values before the positions of keys are stored in a
/// map.
const SCANS: usize = 8;

/// A value that is found by a key. No unsafe code relies on the keys.
pub(crate) trait Keyed {
    /// The key.
    fn key(&self) -> u64;
}

/// Values in an order, each found by its key.
///
/// # Cost
/// Adding a value at an end is constant. Searches and removals of `k` values in a row cost
/// `k log n` in all, and the next read moves the `n` values once.
pub(crate) struct KeyedList<T>(ListState<T>);

enum ListState<T> {
    Plain(Vec<T>),
    Long(Box<LongList<T>>),
}

/// A list with empty slots, or with a map of positions.
///
/// # Invariants
/// 1. `present` has a bit for each slot. While `closed` is null, `slots` has the values of the
///    slots whose bits are set, and `len` is their number. Bits of other slots, and bits behind the
///    last slot, are not set.
/// 2. If `closed` is not null, it is the address of a `Box`, which this list owns, with all values
///    in order, and `slots` has none. It becomes so while the list is borrowed shared, at most
///    once, and only if some slot from `start` on has no value.
/// 3. References to values in `slots` are given out only if all slots from `start` on have values.
/// 4. No slot before `start` has a value.
struct LongList<T> {
    slots: Vec<MaybeUninit<T>>,
    present: Vec<u64>,
    start: usize,
    len: usize,
    /// The slot at which the next search begins.
    cursor: usize,
    /// The number of values that searches have visited since the list became a long one.
    visited: usize,
    /// The slot of each key, less `origin`.
    positions: Option<BTreeMap<u64, isize>>,
    /// The number of slots that were added before the first one.
    origin: isize,
    closed: AtomicPtr<Vec<T>>,
}

impl<T> KeyedList<T> {
    /// A list without values.
    pub(crate) const fn new() -> Self {
        Self(ListState::Plain(Vec::new()))
    }

    /// The values, in their order.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match &self.0 {
            ListState::Plain(values) => values,
            ListState::Long(list) => list.as_slice(),
        }
    }

    /// The number of values.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match &self.0 {
            ListState::Plain(values) => values.len(),
            ListState::Long(list) => list.len,
        }
    }

    /// Whether the list is a `Vec` that is searched from its beginning.
    #[inline(always)]
    fn is_short(&self) -> bool {
        matches!(&self.0, ListState::Plain(values) if values.len() <= SHORT)
    }

    /// The values as a `Vec`, without empty slots and without a map.
    #[inline(always)]
    pub(crate) fn as_vec(&mut self) -> &mut Vec<T> {
        self.make_plain();
        match &mut self.0 {
            ListState::Plain(values) => values,
            ListState::Long(_) => unreachable!("the list is plain"),
        }
    }

    #[inline(always)]
    fn make_plain(&mut self) {
        #[cold]
        #[inline(never)]
        fn taken<T>(list: &mut LongList<T>) -> ListState<T> {
            ListState::Plain(list.take())
        }
        if let ListState::Long(list) = &mut self.0 {
            self.0 = taken(list);
        }
    }

    /// Removes and returns all values.
    pub(crate) fn take(&mut self) -> Vec<T> {
        mem::take(self.as_vec())
    }

    /// Makes a list whose empty slots were closed a plain one.
    fn reopen(&mut self) {
        if let ListState::Long(list) = &mut self.0
            && !list.closed.get_mut().is_null()
        {
            self.as_vec();
        }
    }

    /// The list as a long one, which is not closed.
    fn long(&mut self) -> &mut LongList<T> {
        self.reopen();
        if let ListState::Plain(values) = &mut self.0 {
            self.0 = ListState::Long(Box::new(LongList::of(mem::take(values))));
        }
        match &mut self.0 {
            ListState::Long(list) => list,
            ListState::Plain(_) => unreachable!("the list is long"),
        }
    }
}

impl<T: Keyed> KeyedList<T> {
    /// Adds a value at the end.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        match &mut self.0 {
            ListState::Plain(values) => values.push(value),
            ListState::Long(_) => self.push_long(value),
        }
    }

    #[cold]
    fn push_long(&mut self, value: T) {
        self.reopen();
        match &mut self.0 {
            ListState::Plain(values) => values.push(value),
            ListState::Long(list) => list.push(value),
        }
    }

    /// The value with this key, mutable. Its key must stay the same.
    #[inline]
    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        if self.is_short() {
            return self.as_vec().iter_mut().find(|value| value.key() == key);
        }
        let list = self.long();
        let at = list.find(key)?;
        // SAFETY: `find` returns a slot that has a value, by invariant 1. `self` is borrowed
        // mutably for as long as the reference.
        Some(unsafe { list.slots[at].assume_init_mut() })
    }

    /// Removes and returns the value with this key.
    #[inline]
    pub(crate) fn remove(&mut self, key: u64) -> Option<T> {
        if let ListState::Plain(values) = &mut self.0
            && values.last().is_some_and(|last| last.key() == key)
        {
            return values.pop();
        }
        if self.is_short() {
            let values = self.as_vec();
            let at = values.iter().position(|value| value.key() == key)?;
            return Some(values.remove(at));
        }
        self.remove_long(key)
    }

    #[cold]
    fn remove_long(&mut self, key: u64) -> Option<T> {
        let list = self.long();
        let at = list.find(key)?;
        let value = list.remove(at, key);
        self.close_if_sparse();
        Some(value)
    }

    /// Closes the empty slots of a list with few values. Each time, at least half as many values
    /// were removed as now move.
    fn close_if_sparse(&mut self) {
        if let ListState::Long(list) = &mut self.0
            && (list.len <= SHORT / 2 || list.slots.len() > 2 * list.len + SHORT)
        {
            self.as_vec();
        }
    }

    /// Moves the value with this key to an index, or to the end if the index is beyond it.
    ///
    /// Cost: linear, or that of a removal to index 0 and to the end.
    pub(crate) fn move_to(&mut self, key: u64, to: usize) {
        let to = to.min(self.len().saturating_sub(1));
        self.reopen();
        // to an end of a long list: removed and added again, so that many such moves do not move
        // all values
        if self.len() > SHORT && (to == 0 || to == self.len() - 1) {
            let list = self.long();
            let Some(at) = list.find(key) else { return };
            let value = list.remove(at, key);
            if to == 0 {
                list.push_front(value)
            } else {
                list.push(value)
            }
            return self.close_if_sparse();
        }
        // to an index, all values must be in one slice; those between the two indices move by one
        let values = self.as_vec();
        let Some(at) = values.iter().position(|value| value.key() == key) else { return };
        if at < to {
            values[at..=to].rotate_left(1);
        } else {
            values[to..=at].rotate_right(1);
        }
    }
}

impl<T> LongList<T> {
    fn of(values: Vec<T>) -> Self {
        let (len, mut values) = (values.len(), mem::ManuallyDrop::new(values));
        // SAFETY: the parts are those of a `Vec` that is not used any more, and `MaybeUninit<T>`
        // has the layout of `T`.
        let slots = unsafe { Vec::from_raw_parts(values.as_mut_ptr().cast(), len, values.capacity()) };
        let mut present = alloc::vec![u64::MAX; len.div_ceil(64)];
        if let Some(last) = present.last_mut() {
            *last >>= present_end(len);
        }
        let closed = AtomicPtr::new(ptr::null_mut());
        Self { slots, present, start: 0, len, cursor: 0, visited: 0, positions: None, origin: 0, closed }
    }

    /// Whether a slot has a value.
    fn has(&self, at: usize) -> bool {
        self.present.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// The slots that have values.
    fn full(&self) -> impl Iterator<Item = usize> {
        Slots::new(&self.present).map(|slot| slot as usize)
    }

    fn as_slice(&self) -> &[T] {
        let closed = self.closed.load(Ordering::Acquire);
        if !closed.is_null() {
            // SAFETY: by invariant 2 this is the address of the list's `Vec`, which is neither
            // changed nor dropped while the list is borrowed. `Acquire` makes its content visible,
            // which was written before the address was stored.
            return unsafe { &*closed };
        }
        let slots = &self.slots[self.start..];
        if slots.len() != self.len {
            return self.close();
        }
        // SAFETY: by invariants 1 and 4 all values are among these slots, which are as many, so
        // that each of them has a value.
        unsafe { slots.assume_init_ref() }
    }

    /// Moves all values to a `Vec`. Another thread may do the same at the same time.
    #[cold]
    fn close(&self) -> &[T] {
        let mut values = Vec::<T>::with_capacity(self.len);
        for at in self.full() {
            // SAFETY: by invariant 1 the slot has a value and `values` has room for it. No
            // reference to the value exists, by invariant 3, and the slot is not used any more if
            // this call is the first to store its result; otherwise the copy is not used.
            unsafe {
                self.slots[at].as_ptr().copy_to_nonoverlapping(values.as_mut_ptr().add(values.len()), 1);
                values.set_len(values.len() + 1);
            }
        }
        let values = Box::into_raw(Box::new(values));
        let first =
            self.closed.compare_exchange(ptr::null_mut(), values, Ordering::AcqRel, Ordering::Acquire);
        match first {
            // SAFETY: the address is that of the `Vec` that this list owns from now on, by
            // invariant 2.
            Ok(_) => unsafe { &*values },
            Err(other) => {
                // SAFETY: the address comes from `into_raw` above and is not stored. Without a
                // length, the `Vec` drops no value: they are those of `other`. By invariant 2 that
                // is the address of the list's `Vec`.
                unsafe {
                    (*values).set_len(0);
                    drop(Box::from_raw(values));
                    &*other
                }
            }
        }
    }

    /// Takes all values. The list is empty afterwards.
    fn take(&mut self) -> Vec<T> {
        let closed = mem::replace(self.closed.get_mut(), ptr::null_mut());
        self.positions = None;
        let len = mem::take(&mut self.len);
        if !closed.is_null() {
            self.present.clear();
            // SAFETY: by invariant 2 the list owns this `Box`, and the address was just forgotten.
            // The slots have no values.
            return *unsafe { Box::from_raw(closed) };
        }
        let mut slots = mem::take(&mut self.slots);
        let present = mem::take(&mut self.present);
        for (to, from) in Slots::new(&present).enumerate() {
            if from as usize != to {
                // the slot before has no value, or its value has moved
                slots[to] = mem::replace(&mut slots[from as usize], MaybeUninit::uninit());
            }
        }
        let mut slots = mem::ManuallyDrop::new(slots);
        // SAFETY: the parts are those of a `Vec` that is not used any more, of `MaybeUninit<T>`,
        // which has the layout of `T`. The first `len` slots now have the values.
        unsafe { Vec::from_raw_parts(slots.as_mut_ptr().cast(), len, slots.capacity()) }
    }
}

/// The number of bits behind the last slot in the last word.
const fn present_end(len: usize) -> usize {
    (64 - len % 64) % 64
}

impl<T: Keyed> LongList<T> {
    /// The key of a slot.
    fn key(&self, at: usize) -> Option<u64> {
        // SAFETY: by invariant 1 the slot has a value if its bit is set. The list is not closed,
        // since all callers borrow it mutably after `reopen`.
        self.has(at).then(|| unsafe { self.slots[at].assume_init_ref() }.key())
    }

    /// The slot of a key.
    fn find(&mut self, key: u64) -> Option<usize> {
        if self.positions.is_none() {
            let is_at = |at: &usize| self.key(*at) == Some(key);
            // the last value costs no search
            let last = self.slots.len().checked_sub(1).filter(is_at);
            if last.is_some() {
                return last;
            }
            // removals in a row follow the order of the list: look where the last search ended
            let near = self.cursor.max(self.start);
            let mut found = (near..self.slots.len().min(near + SHORT)).find(is_at);
            // then visit all values; after a few of these scans, make a map of the positions
            if found.is_none() && self.visited < SCANS * self.slots.len() {
                found = self.full().find(is_at);
                self.visited += self.slots.len();
            } else if found.is_none() {
                self.map_positions();
            }
            if self.positions.is_none() {
                self.cursor = found.unwrap_or(self.cursor);
                return found;
            }
        }
        // positions are relative to `origin`, so that values added at the front leave the map valid
        let at = *self.positions.as_ref()?.get(&key)? + self.origin;
        Some(at as usize).filter(|&at| self.has(at))
    }

    /// Makes the map of positions.
    fn map_positions(&mut self) {
        let keys = self.full().filter_map(|at| Some((self.key(at)?, at as isize - self.origin)));
        let mut keys: Vec<(u64, isize)> = keys.collect();
        keys.reverse(); // of equal keys the first is found, as by a search
        self.positions = Some(keys.into_iter().collect());
    }

    /// Adds a value behind the last slot.
    fn push(&mut self, value: T) {
        let at = self.slots.len();
        if let Some(positions) = &mut self.positions {
            positions.entry(value.key()).or_insert(at as isize - self.origin);
        }
        self.present.resize(at / 64 + 1, 0);
        self.slots.push(MaybeUninit::new(value));
        self.present[at / 64] |= 1 << (at % 64);
        self.len += 1;
    }

    /// Adds a value before the first one.
    fn push_front(&mut self, value: T) {
        // no room before the first slot: add as many slots as there are values, so that this is
        // rare
        if self.start == 0 {
            let words = self.len.div_ceil(64).max(1);
            self.present.splice(0..0, core::iter::repeat_n(0, words));
            self.slots.splice(0..0, core::iter::repeat_with(MaybeUninit::uninit).take(words * 64));
            self.start = words * 64;
            self.origin += self.start as isize;
            self.cursor = 0;
        }
        let at = self.start - 1;
        if let Some(positions) = &mut self.positions {
            positions.insert(value.key(), at as isize - self.origin);
        }
        self.slots[at] = MaybeUninit::new(value);
        self.present[at / 64] |= 1 << (at % 64);
        self.start = at;
        self.len += 1;
    }

    /// Removes and returns the value of a slot that has one. `key` is its key.
    fn remove(&mut self, at: usize, key: u64) -> T {
        assert!(self.has(at), "the slot has a value");
        if let Some(positions) = &mut self.positions {
            positions.remove(&key);
        }
        self.present[at / 64] &= !(1 << (at % 64));
        self.len -= 1;
        // SAFETY: the bit was set, so that by invariant 1 the slot had a value. The bit is clear
        // now, so that it is read once.
        let value = unsafe { self.slots[at].assume_init_read() };
        if self.len == 0 {
            self.slots.clear();
            self.present.clear();
            self.start = 0;
            return value;
        }
        if at == self.start {
            let mut word = at / 64;
            while self.present[word] == 0 {
                word += 1;
            }
            self.start = word * 64 + self.present[word].trailing_zeros() as usize;
        } else if at + 1 == self.slots.len() {
            while self.present.last() == Some(&0) {
                self.present.pop();
            }
            let bits = self.present.last().map_or(0, |bits| 64 - bits.leading_zeros() as usize);
            self.slots.truncate(self.present.len().saturating_sub(1) * 64 + bits);
        }
        value
    }
}

impl<T> Drop for LongList<T> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

impl<T: Clone> Clone for KeyedList<T> {
    fn clone(&self) -> Self {
        Self::from(self.as_slice().to_vec())
    }
}

default!([T] KeyedList<T>);

impl<T> From<Vec<T>> for KeyedList<T> {
    fn from(values: Vec<T>) -> Self {
        Self(ListState::Plain(values))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::rc::Rc;
    use alloc::string::String;

    use super::*;

    impl Keyed for (u64, Rc<()>) {
        fn key(&self) -> u64 {
            self.0
        }
    }

    impl Keyed for String {
        fn key(&self) -> u64 {
            self.parse().unwrap_or(0)
        }
    }

    #[test]
    fn a_list_takes_no_more_memory_than_a_vec() {
        assert_eq!(size_of::<KeyedList<u64>>(), size_of::<Vec<u64>>());
    }

    #[test]
    fn the_list_agrees_with_a_vec_and_drops_each_value_once() {
        for seed in 1..40_u32 {
            let alive = Rc::new(());
            let (mut list, mut plain, mut state, mut next) =
                (KeyedList::new(), Vec::<u64>::new(), seed, 0_u64);
            for round in 0..3000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let choice = state >> 16;
                let one = plain.get((state >> 4) as usize % plain.len().max(1)).copied().unwrap_or(u64::MAX);
                let grows = round % 1500 < 700;
                match choice % 8 {
                    0..=3 if grows => {
                        list.push((next, alive.clone()));
                        plain.push(next);
                        next += 1;
                    }
                    0..=4 => {
                        let at = plain.iter().position(|&key| key == one);
                        let expected = at.map(|at| plain.remove(at));
                        assert_eq!(list.remove(one).map(|(key, _)| key), expected);
                        if expected.is_some() && choice % 16 < 4 {
                            list.push((one, alive.clone())); // again, at the end
                            plain.push(one);
                        }
                    }
                    5 => {
                        let to = [0, usize::MAX, 7][choice as usize % 3];
                        list.move_to(one, to);
                        if let Some(at) = plain.iter().position(|&key| key == one) {
                            let key = plain.remove(at);
                            plain.insert(to.min(plain.len()), key);
                        }
                    }
                    6 => assert_eq!(
                        list.get_mut(one).map(|(key, _)| *key),
                        plain.contains(&one).then_some(one)
                    ),
                    _ if choice % 64 < 8 => {
                        let keys: Vec<u64> = list.as_slice().iter().map(|(key, _)| *key).collect();
                        assert_eq!(keys, plain);
                    }
                    _ => {}
                }
                assert_eq!((list.len(), Rc::strong_count(&alive)), (plain.len(), plain.len() + 1));
                if seed % 4 == 0 && round == 1700 {
                    list = list.clone();
                }
            }
            let keys: Vec<u64> = list.as_slice().iter().map(|(key, _)| *key).collect();
            assert_eq!(keys, plain);
            if seed % 2 == 0 {
                drop(list);
            } else {
                assert_eq!(list.take().len(), plain.len());
            }
            assert_eq!(Rc::strong_count(&alive), 1);
        }
    }

    #[test]
    fn values_that_move_to_an_end_again_and_again_take_bounded_memory() {
        for to in [0, usize::MAX] {
            let mut list = KeyedList::from((0..100).map(|key| alloc::format!("{key}")).collect::<Vec<_>>());
            for turn in 0..10_000 {
                list.move_to(turn % 100, to);
                if let ListState::Long(long) = &list.0 {
                    assert!(long.slots.len() <= 3 * SHORT + 2 * 100);
                }
            }
            assert_eq!(list.as_slice().len(), 100);
        }
    }

    #[test]
    fn threads_close_a_list_at_the_same_time() {
        for _ in 0..20 {
            let mut list = KeyedList::from((0..1000).map(|key| alloc::format!("{key}")).collect::<Vec<_>>());
            (0..1000).step_by(3).for_each(|key| assert!(list.remove(key).is_some()));
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| assert_eq!(list.as_slice().concat().len(), 1926));
                }
            });
            assert!(list.remove(500).is_some() && list.len() == 665);
        }
    }
}
