//! Real saves with random changes: a loaded world runs like any world, in bounded memory and time.

use std::time::{Duration, Instant};

use ecs::__private::save::reseal;
use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::counting::most;
use super::fuzz::{Game, crowd, game, live};

const EXTREMES: [u64; 16] = [
    0,
    1,
    63,
    64,
    255,
    65_535,
    65_536,
    1 << 31,
    u32::MAX as u64,
    1 << 32,
    1 << 53,
    (1 << 62) - 1,
    1 << 62,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// A change of bytes.
#[derive(Clone, Debug)]
enum Change {
    Flip {
        at: u32,
        bit: u8,
    },
    Number {
        at: u32,
        width: u8,
        value: u64,
    },
    Cut {
        at: u32,
        len: u16,
    },
    /// Copies bytes of the file to another position.
    Splice {
        from: u32,
        len: u16,
        to: u32,
    },
    End {
        at: u32,
    },
}

fn extreme() -> impl Strategy<Value = u64> {
    prop_oneof![3 => proptest::sample::select(&EXTREMES[..]), 1 => any::<u64>(), 1 => 0..300_u64]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        2 => (any::<u32>(), 0..8_u8).prop_map(|(at, bit)| Change::Flip { at, bit }),
        4 => (any::<u32>(), 0..4_u8, extreme()).prop_map(|(at, width, value)| Change::Number { at, width, value }),
        1 => (any::<u32>(), 1..40_u16).prop_map(|(at, len)| Change::Cut { at, len }),
        1 => (any::<u32>(), 1..60_u16, any::<u32>()).prop_map(|(from, len, to)| Change::Splice { from, len, to }),
        1 => any::<u32>().prop_map(|at| Change::End { at }),
    ];
    proptest::collection::vec(change, 1..3)
}

/// Changes bytes after the head, since the fingerprint protects the head.
fn changed(file: &[u8], changes: &[Change]) -> Vec<u8> {
    let head = 28 + u64::from_le_bytes(*file[20..28].first_chunk().unwrap()) as usize;
    let mut bytes = file[head..file.len() - 8].to_vec();
    for change in changes {
        let len = bytes.len().max(1);
        match *change {
            Change::Flip { at, bit } => {
                bytes.get_mut(at as usize % len).into_iter().for_each(|byte| *byte ^= 1 << bit)
            }
            Change::Number { at, width, value } => {
                let at = at as usize % len;
                let value = &value.to_le_bytes()[..1 << width];
                let place = bytes.iter_mut().skip(at).zip(value);
                place.for_each(|(byte, value)| *byte = *value);
            }
            Change::Cut { at, len: cut } => {
                let at = at as usize % len;
                let end = (at + cut as usize).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            Change::Splice { from, len: count, to } => {
                let from = from as usize % len;
                let part = bytes[from.min(bytes.len())..(from + count as usize).min(bytes.len())].to_vec();
                let to = (to as usize % len).min(bytes.len());
                bytes.splice(to..to, part);
            }
            Change::End { at } => bytes.truncate(at as usize % len),
        }
    }
    let mut file = file[..head].to_vec();
    file.append(&mut bytes);
    file.extend([0; 8]);
    reseal(&mut file);
    file
}

/// All values in a JSON value, in a fixed order.
fn each(value: &mut Value, f: &mut impl FnMut(&mut Value)) {
    f(value);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| each(value, f)),
        Value::Object(map) => map.values_mut().for_each(|value| each(value, f)),
        _ => {}
    }
}

/// A change of a number, of an array, or of an entry of an object.
#[derive(Clone, Debug)]
enum Edit {
    Number { at: u32, value: u64 },
    Float { at: u32, value: f64 },
    Text { at: u32, value: &'static str },
    Repeat { at: u32, count: u8 },
    Drop { at: u32 },
    Null { at: u32 },
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let floats = [-0.0, 1e308, -1e308, 0.5, f64::MIN_POSITIVE, -1.0];
    let texts = ["", "0v1@7", "4294967295v65535@32767", "$NaN", "$inf", "root"];
    let edit = prop_oneof![
        6 => (any::<u32>(), extreme()).prop_map(|(at, value)| Edit::Number { at, value }),
        1 => (any::<u32>(), proptest::sample::select(floats.to_vec())).prop_map(|(at, value)| Edit::Float { at, value }),
        1 => (any::<u32>(), proptest::sample::select(texts.to_vec())).prop_map(|(at, value)| Edit::Text { at, value }),
        1 => (any::<u32>(), 1..70_u8).prop_map(|(at, count)| Edit::Repeat { at, count }),
        1 => any::<u32>().prop_map(|at| Edit::Drop { at }),
        1 => any::<u32>().prop_map(|at| Edit::Null { at }),
    ];
    proptest::collection::vec(edit, 1..3)
}

/// Changes the `at`-th value that `is` selects.
fn change_one(file: &mut Value, at: u32, is: fn(&Value) -> bool, change: impl Fn(&mut Value)) {
    let mut count = 0;
    each(file, &mut |value| count += usize::from(is(value)));
    let Some(mut left) = (at as usize).checked_rem(count) else { return };
    each(file, &mut |value| {
        if is(value) {
            if left == 0 {
                change(value);
            }
            left = left.wrapping_sub(1);
        }
    });
}

fn edited(file: &Value, edits: &[Edit]) -> Value {
    let mut file = file.clone();
    for edit in edits {
        match *edit {
            Edit::Number { at, value } => {
                change_one(&mut file, at, Value::is_number, |to| *to = json!(value))
            }
            Edit::Float { at, value } => change_one(&mut file, at, Value::is_number, |to| *to = json!(value)),
            Edit::Text { at, value } => change_one(&mut file, at, Value::is_string, |to| *to = json!(value)),
            Edit::Repeat { at, count } => change_one(&mut file, at, Value::is_array, |to| {
                if let Some(array) = to.as_array_mut()
                    && let Some(last) = array.last().cloned()
                {
                    array.extend(std::iter::repeat_n(last, count.into()));
                }
            }),
            Edit::Drop { at } => change_one(&mut file, at, Value::is_array, |to| {
                to.as_array_mut().and_then(Vec::pop);
            }),
            Edit::Null { at } => change_one(&mut file, at, |_| true, |to| *to = Value::Null),
        }
    }
    file
}

/// Loads a world, runs it, and measures memory and time.
fn bounded(length: usize, load: impl FnOnce() -> Option<Game>) {
    let start = Instant::now();
    let ((), taken) = most(|| load().into_iter().for_each(live));
    // the world, a clone, and a world from its save exist at the same time
    let limit = 3 * ((64 << 20) + 64 * length);
    assert!(taken < limit, "{taken} bytes of memory");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, ..random_cases(300) })]

    #[test]
    fn changed_bytes_are_refused_or_live(changes in changes()) {
        let file = changed(&game().to_bytes().unwrap(), &changes);
        bounded(file.len(), || Game::load(&file).ok());
    }

    #[test]
    fn changed_text_is_refused_or_lives(edits in edits()) {
        let file = edited(&serde_json::to_value(game()).unwrap(), &edits);
        let text = file.to_string();
        bounded(text.len(), || serde_json::from_str(&text).ok());
    }

    #[test]
    fn changed_bytes_are_merged_or_change_nothing(changes in changes()) {
        let file = changed(&game().to_bytes().unwrap(), &changes);
        let mut game = crowd();
        let before = game.to_bytes().unwrap();
        bounded(file.len(), || match game.merge(&file, DanglingIds::Keep) {
            Ok(_) => Some(game),
            Err(_) => {
                assert_eq!(game.to_bytes().unwrap(), before);
                None
            }
        });
    }
}

/// Queries after loading visit only values that exist.
#[test]
fn not_all_changes_are_refused() {
    let mut runner = TestRunner::deterministic();
    let (bytes, text) = (game().to_bytes().unwrap(), serde_json::to_value(game()).unwrap());
    let (mut of_bytes, mut of_text) = (0, 0);
    for _ in 0..300 {
        let changes = changes().new_tree(&mut runner).unwrap().current();
        of_bytes += u32::from(Game::load(&changed(&bytes, &changes)).is_ok());
        let edits = edits().new_tree(&mut runner).unwrap().current();
        of_text += u32::from(serde_json::from_value::<Game>(edited(&text, &edits)).is_ok());
    }
    assert!(of_bytes > 10 && of_text > 10, "{of_bytes} and {of_text} of 300");
}
