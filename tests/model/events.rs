//! Random schedules of writers and readers, compared with a model that has a queue for each reader:
//! read, kept, lost and live events agree after every step, for every bound.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::{HasEvent, HasResource};
use ecs_tests::random::random_cases;
use ecs_tests::{Ledger, Token};
use proptest::prelude::*;

#[derive(Event, Clone)]
struct Note(u32, #[allow(dead_code)] Token);

/// The actions of the systems in the next run, by their places.
#[derive(Resource, Clone, Default)]
struct Script {
    awake: [bool; PLACES],
    sending: [usize; PLACES],
    next: u32,
    ledger: Ledger,
}

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Heard([Vec<u32>; PLACES]);

/// The numbers of places; the last one is that of a reader in `run`.
const PLACES: usize = 9;
const ONCE: usize = 8;
/// The places with readers, in the order of the declaration.
const READERS: [usize; 4] = [0, 2, 5, 6];

#[system]
fn read<const PLACE: usize>(mut notes: EventReader<Note>, script: Res<Script>, mut heard: ResMut<Heard>) {
    let len = notes.len();
    if script.awake[PLACE] {
        heard.0[PLACE].extend(notes.iter().map(|note| note.0));
        assert!(notes.is_empty() && notes.iter().next().is_none());
    }
    assert_eq!(notes.len(), if script.awake[PLACE] { 0 } else { len });
}

#[system]
fn write<const PLACE: usize>(mut notes: EventWriter<Note>, mut script: ResMut<Script>) {
    for _ in 0..script.sending[PLACE] {
        notes.send(Note(script.next, script.ledger.token()));
        script.next += 1;
    }
}

#[system]
fn awake<const PLACE: usize>(script: Res<Script>) -> bool {
    script.awake[PLACE]
}

/// The policy for events beyond the bound.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Full {
    Oldest,
    Newest,
    Panic,
}

trait Station:
    World + HasEvent<Note> + HasResource<Script> + HasResource<Heard> + Default + Clone + std::fmt::Debug
{
    const KEEP: usize;
    const FULL: Full;
    /// Whether a reader misses its waiting events when its system is skipped.
    const CLEAR: bool;
    fn morning(&mut self);
    fn evening(&mut self);
    fn once(&mut self);
}

macro_rules! station {
    ($name:ident, ($($options:tt)*), $keep:expr, $full:ident, $clear:expr) => {
        world! {
            #[derive(Clone)]
            struct $name {
                resources { Script, Heard }
                events { Note($($options)*) }
            }
            schedule morning { read::<0>; write::<1>; read::<2> if awake::<2>; write::<3>, write::<4>; read::<5> if awake::<5> }
            schedule evening { read::<6>, write::<7> }
        }
        impl Station for $name {
            const KEEP: usize = $keep;
            const FULL: Full = Full::$full;
            const CLEAR: bool = $clear;
            fn morning(&mut self) {
                $name::morning(self);
            }
            fn evening(&mut self) {
                $name::evening(self);
            }
            fn once(&mut self) {
                self.run::<read<ONCE>>();
            }
        }
    };
}

station!(Free, (), usize::MAX, Oldest, false);
station!(Oldest, (keep = 6), 6, Oldest, false);
station!(Newest, (keep = 6, full = newest), 6, Newest, false);
station!(Panics, (full = panic, keep = 6), 6, Panic, false);
station!(OldestWide, (external, keep = 300), 300, Oldest, false);
station!(Clears, (skip = clear), usize::MAX, Oldest, true);
station!(ClearsOldest, (keep = 6, skip = clear), 6, Oldest, true);
station!(All, (keep = all), usize::MAX, Oldest, false);
station!(NewestWide, (external, keep = 300, full = newest), 300, Newest, false);

/// One step.
#[derive(Clone, Debug)]
enum Step {
    Morning([bool; PLACES], [usize; PLACES]),
    Evening([bool; PLACES], [usize; PLACES]),
    Send(usize),
    Once,
    Drain,
    Clone,
    Restore,
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let script = move || {
        let count = prop_oneof![2 => Just(0), 3 => 0..5usize, 1 => 0..most];
        (any::<[bool; PLACES]>(), prop::array::uniform(count))
    };
    let step = prop_oneof![
        8 => script().prop_map(|(awake, sending)| Step::Morning(awake, sending)),
        5 => script().prop_map(|(awake, sending)| Step::Evening(awake, sending)),
        3 => (0..most).prop_map(Step::Send),
        2 => Just(Step::Once),
        1 => Just(Step::Drain),
        1 => Just(Step::Clone),
        1 => Just(Step::Restore),
    ];
    prop::collection::vec(step, 1..60)
}

/// The model: each reader has its own queue.
#[derive(Clone, Default)]
struct Plain {
    pending: [VecDeque<u32>; READERS.len()],
    heard: Heard,
    next: u32,
    sent: u64,
    lost: u64,
    /// The events that were refused, which the writer keeps until it runs again.
    refused: [usize; PLACES],
}

/// A run that ends with a panic because events do not fit.
struct Refused;

impl Plain {
    fn kept(&self) -> usize {
        self.pending.iter().map(VecDeque::len).max().unwrap_or(0)
    }

    fn alive(&self) -> usize {
        self.kept() + self.refused.iter().sum::<usize>()
    }

    fn send<W: Station>(&mut self, count: usize) -> Result<(), Refused> {
        let numbers = self.next..self.next + count as u32;
        self.next = numbers.end;
        let over = (self.kept() + count).saturating_sub(W::KEEP);
        if W::FULL == Full::Panic && over > 0 {
            return Err(Refused);
        }
        (self.sent, self.lost) = (self.sent + count as u64, self.lost + over as u64);
        let admitted = if W::FULL == Full::Newest { count - over } else { count };
        for pending in &mut self.pending {
            pending.extend(numbers.clone().take(admitted));
            let surplus = pending.len().saturating_sub(W::KEEP);
            pending.drain(..surplus);
        }
        Ok(())
    }

    fn write<W: Station>(&mut self, place: usize, sending: &[usize; PLACES]) -> Result<(), Refused> {
        self.refused[place] = 0;
        let sent = self.send::<W>(sending[place]);
        if sent.is_err() {
            self.refused[place] = sending[place];
        }
        sent
    }

    fn read(&mut self, place: usize, awake: &[bool; PLACES]) {
        let pending = &mut self.pending[READERS.iter().position(|&reader| reader == place).unwrap()];
        if awake[place] {
            self.heard.0[place].extend(pending.drain(..));
        }
    }

    /// A reader behind a condition.
    fn read_if<W: Station>(&mut self, place: usize, awake: &[bool; PLACES]) {
        self.read(place, awake);
        if W::CLEAR && !awake[place] {
            self.pending[READERS.iter().position(|&reader| reader == place).unwrap()].clear();
        }
    }

    fn morning<W: Station>(
        &mut self,
        awake: &[bool; PLACES],
        sending: &[usize; PLACES],
    ) -> Result<(), Refused> {
        self.read(0, awake);
        self.write::<W>(1, sending)?;
        self.read_if::<W>(2, awake);
        self.write::<W>(3, sending)?;
        self.write::<W>(4, sending)?;
        self.read_if::<W>(5, awake);
        Ok(())
    }

    fn evening<W: Station>(
        &mut self,
        awake: &[bool; PLACES],
        sending: &[usize; PLACES],
    ) -> Result<(), Refused> {
        self.read(6, awake);
        self.write::<W>(7, sending)
    }
}

/// The world and its model, and a copy of both.
struct Pair<W> {
    world: W,
    plain: Plain,
    copy: Option<(W, Plain)>,
    ledger: Ledger,
}

impl<W: Station> Pair<W> {
    fn new() -> Self {
        let world = W::default();
        let ledger = world.resource::<Script>().ledger.clone();
        Self { world, plain: Plain::default(), copy: None, ledger }
    }

    fn script(&mut self, awake: [bool; PLACES], sending: [usize; PLACES]) {
        let script = self.world.resource_mut::<Script>();
        (script.awake, script.sending) = (awake, sending);
    }

    fn apply(&mut self, step: &Step) {
        match step {
            Step::Morning(awake, sending) => {
                self.script(*awake, *sending);
                let ran = catch_unwind(AssertUnwindSafe(|| self.world.morning())).is_ok();
                assert_eq!(ran, self.plain.morning::<W>(awake, sending).is_ok());
            }
            Step::Evening(awake, sending) => {
                self.script(*awake, *sending);
                let ran = catch_unwind(AssertUnwindSafe(|| self.world.evening())).is_ok();
                assert_eq!(ran, self.plain.evening::<W>(awake, sending).is_ok());
            }
            Step::Send(count) => (0..*count).for_each(|_| self.send()),
            Step::Once => {
                self.script([true; PLACES], [0; PLACES]);
                self.world.once();
                let kept = self.plain.pending.iter().max_by_key(|pending| pending.len()).unwrap();
                self.plain.heard.0[ONCE].extend(kept);
            }
            Step::Drain => {
                let drained: Vec<u32> = self.world.drain::<Note>().map(|note| note.0).collect();
                let kept = self.plain.pending.iter().max_by_key(|pending| pending.len()).unwrap();
                assert_eq!(drained, Vec::from_iter(kept.iter().copied()));
                self.plain.pending.iter_mut().for_each(VecDeque::clear);
            }
            Step::Clone => {
                let plain = Plain { refused: [0; PLACES], ..self.plain.clone() };
                self.copy = Some((self.world.clone(), plain));
            }
            Step::Restore => {
                if let Some((world, plain)) = self.copy.take() {
                    (self.world, self.plain) = (world, plain);
                }
            }
        }
    }

    fn send(&mut self) {
        let script = self.world.resource_mut::<Script>();
        let note = Note(script.next, script.ledger.token());
        script.next += 1;
        let sent = catch_unwind(AssertUnwindSafe(|| self.world.send(note))).is_ok();
        assert_eq!(sent, self.plain.send::<W>(1).is_ok());
    }

    fn check(&self) {
        let Self { world, plain, copy, ledger } = self;
        assert_eq!(world.resource::<Heard>(), &plain.heard);
        let stats = &world.stats().events[0];
        assert_eq!((stats.kept, stats.sent, stats.lost), (plain.kept(), plain.sent, plain.lost));
        assert!(stats.kept <= W::KEEP);
        let names = ["read::<0>", "read::<2>", "read::<5>", "read::<6>"];
        for (at, reader) in stats.readers.iter().enumerate() {
            let schedule = if at < 3 { "morning" } else { "evening" };
            assert_eq!((reader.schedule, reader.system), (schedule, names[at]));
            assert_eq!(reader.unread, plain.pending[at].len());
        }
        assert_eq!(stats.slowest().map(|reader| reader.unread), Some(plain.kept()));
        let alive = plain.alive() + copy.as_ref().map_or(0, |(_, plain)| plain.alive());
        assert_eq!(ledger.alive(), alive, "what every reader has read is dropped, and nothing else");
    }
}

fn run<W: Station>(steps: &[Step]) {
    let mut pair = Pair::<W>::new();
    for step in steps {
        pair.apply(step);
        pair.check();
    }
    let ledger = pair.ledger.clone();
    drop(pair);
    ledger.assert_settled();
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn readers_read_the_same_events_as_from_their_own_queues(steps in steps(12)) {
        run::<Free>(&steps);
        run::<Oldest>(&steps);
        run::<Newest>(&steps);
        run::<Panics>(&steps);
        run::<Clears>(&steps);
        run::<ClearsOldest>(&steps);
        run::<All>(&steps);
    }
}

proptest! {
    #![proptest_config(random_cases(30))]

    #[test]
    fn crowds_of_events_agree_too(steps in steps(700)) {
        run::<Free>(&steps);
        run::<OldestWide>(&steps);
        run::<NewestWide>(&steps);
    }
}
