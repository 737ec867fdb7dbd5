//! The compact form of a file: its sections, and the functions that write and read them.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `ecsworld` |
//! | 4 | the version of the format |
//! | 8 | the fingerprint of the schema: a hash of all names and layouts |
//! | block | names and layouts of components, resources and events; each block is preceded by its length, 8 bytes |
//! | block | the allocator |
//! | for each component | a block (which slots, stamps, removed values), then chunks of values, each preceded by its length, 4 bytes; an empty chunk is the last |
//! | a block for each resource, for each event | the value, the queue |
//! | block | the state of systems |
//! | 8 | the checksum of all bytes before it |
//!
//! All numbers are little-endian.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::any_world::AnyWorld;
use super::column::{ThreadScratch, ValueChunks};
use super::draft::{AnyLoadOptions, ComponentImage, Draft};
use super::entry::ValueKind;
use super::layout::fingerprint;
use super::sections::Sections;
use super::sum::{Checksum, hash_of};
use super::{LoadError, SaveError, VERSION};
use crate::entity::saved::image::{Image, LATEST};
use crate::persist::compact::read::{MapId, Reader, from_bytes};
use crate::persist::compact::write::{to_vec, write_to};
use crate::persist::erased::FormError;
use crate::persist::memory;
use crate::persist::state::{LoadContext, SavedState};
use crate::schedule::saved::SavedPlace;
use crate::storage::rule_state::Order;

const MAGIC: &[u8; 8] = b"ecsworld";

/// The first block of a file: the world's name, and the names and layouts of its components,
/// resources and events.
#[derive(Serialize, Deserialize)]
struct FileHead {
    world: String,
    components: Vec<(String, String)>,
    resources: Vec<(String, String)>,
    events: Vec<(String, String)>,
}

/// The block before the values of a column.
#[derive(Serialize, Deserialize)]
struct ColumnHead {
    words: Vec<u64>,
    stamps: Vec<(u32, u64, u64)>,
    log: Option<ByteString>,
    order: Order,
}

/// The saved state of one system.
#[derive(Serialize, Deserialize)]
struct PlaceHead {
    key: String,
    last_run: u64,
    off: bool,
    state: Vec<ByteString>,
}

/// Bytes that serde writes as one byte string, not as a sequence of numbers.
struct ByteString(Vec<u8>);

impl Serialize for ByteString {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for ByteString {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = ByteString;
            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<ByteString, E> {
                Ok(ByteString(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

/// A writer that computes the checksum of all bytes that are written.
struct ChecksumWriter<T> {
    to: T,
    sum: Checksum,
}

impl<T: Write> ChecksumWriter<T> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.to.write_all(bytes)
    }

    fn block(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes(&(bytes.len() as u64).to_le_bytes())?;
        self.bytes(bytes)
    }
}

/// Writes a world in the compact form, and returns the checksum.
pub(super) fn save(sections: &Sections, world: &dyn AnyWorld, to: &mut dyn Write) -> Result<u64, SaveError> {
    let fail = |place: String, fault: FormError| SaveError::value(place, sections.world, fault);
    let own = |fault| SaveError::value("its own data", sections.world, fault);
    let start = start(sections)?;
    let mut out = ChecksumWriter { to, sum: start.sum.clone() };
    out.to.write_all(&start.bytes)?;
    let mut block = Vec::with_capacity(1024);
    write_to(&mut block, &world.entities().image()).map_err(own)?;
    out.block(&block)?;
    let mut scratch = ThreadScratch::take();
    for entry in sections.components.iter().filter(|entry| entry.is_saved()) {
        let place = || format!("component `{}`", entry.name);
        let words = entry.present(world);
        let log = entry.log(world, &sections.paths).map(|log| to_vec(&*log).map(ByteString)).transpose();
        let log = log.and_then(|log| {
            let read = log.as_ref().map(|ByteString(log)| entry.read_log_bytes(log));
            read.transpose().map(|_| log)
        });
        let log = log.map_err(|fault| fail(format!("removed values of {}", place()), fault))?;
        let of_column =
            ColumnHead { stamps: entry.stamps(world, &words), log, order: entry.order(world), words };
        write_to(&mut block, &of_column).map_err(own)?;
        out.block(&block)?;
        let mut failed = None;
        let written = entry.write(world, &of_column.words, &mut scratch.0, &mut |bytes| {
            out.bytes(bytes).map_err(|error| {
                let kind = error.kind();
                failed = Some(error);
                kind.into()
            })
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        written.map_err(|(of, reason)| SaveError::value(place() + &of, sections.world, reason))?;
    }
    for kind in ValueKind::ALL {
        for (name, of) in sections.values(kind).saved() {
            let written = (of.write)(world, &sections.paths);
            let place = || format!("{} `{name}`", kind.noun());
            out.block(&written.map_err(|fault| fail(place(), fault))?)?;
        }
    }
    write_to(&mut block, &places(world, sections)?).map_err(own)?;
    out.block(&block)?;
    let sum = out.sum.finish();
    out.to.write_all(&sum.to_le_bytes())?;
    out.to.flush()?;
    Ok(sum)
}

/// The bytes before the block of the allocator, which are the same in all saves of a world type.
pub(super) struct FileStart {
    bytes: Vec<u8>,
    /// The checksum of the bytes.
    sum: Checksum,
    schema: u64,
}

/// Returns the start of a world's files. It is made once for each type of a world, because the
/// layouts in it take as long as the rest of a save of one entity.
fn start(sections: &Sections) -> Result<&FileStart, SaveError> {
    if let Some(start) = sections.start.get() {
        return Ok(start);
    }
    let head = head(sections)?;
    let own = |fault| SaveError::value("its own data", sections.world, fault);
    let schema = schema(&head);
    let mut out = ChecksumWriter { to: Vec::new(), sum: Checksum::new() };
    out.bytes(MAGIC)?;
    out.bytes(&VERSION.to_le_bytes())?;
    out.bytes(&schema.to_le_bytes())?;
    out.block(&to_vec(&head).map_err(own)?)?;
    Ok(sections.start.get_or_init(|| FileStart { bytes: out.to, sum: out.sum, schema }))
}

/// Makes the first block. A type whose `Deserialize` calls `deserialize_any` is refused here,
/// before anything is written.
fn head(sections: &Sections) -> Result<FileHead, SaveError> {
    let of = |kind: &str, name: &str, layout: Option<super::layout::Layout>| match layout {
        Some(layout) if layout.asks => Err(SaveError::value(
            format!("{kind} `{name}`"),
            sections.world,
            "its `Deserialize` calls `deserialize_any` (`flatten`, `untagged`, or an internal tag), which only the \
                 human-readable form supports",
        )),
        layout => Ok((String::from(name), layout.map_or_else(String::new, |layout| layout.text))),
    };
    let components = sections.component_names.iter().enumerate().map(|(index, name)| {
        let entry = sections.components.iter().find(|entry| entry.index == index);
        of("component", name, entry.and_then(|entry| entry.layout()))
    });
    let values = |kind: ValueKind| {
        let saved = sections.values(kind).saved();
        saved.map(move |(name, functions)| of(kind.noun(), name, Some((functions.layout)())))
    };
    Ok(FileHead {
        world: sections.world.into(),
        components: components.collect::<Result<_, _>>()?,
        resources: values(ValueKind::Resource).collect::<Result<_, _>>()?,
        events: values(ValueKind::Event).collect::<Result<_, _>>()?,
    })
}

fn schema(head: &FileHead) -> u64 {
    let listed = [&head.components, &head.resources, &head.events].into_iter().flatten();
    let texts = listed.flat_map(|(name, layout)| [name.as_str(), layout.as_str()]);
    fingerprint([head.world.as_str()].into_iter().chain(texts))
}

/// Returns the fingerprint of a world's schema.
pub(super) fn schema_of(sections: &Sections) -> Result<u64, SaveError> {
    start(sections).map(|start| start.schema)
}

fn places(world: &dyn AnyWorld, sections: &Sections) -> Result<Vec<PlaceHead>, SaveError> {
    let places = world.places().into_iter().map(|SavedPlace { place, state, last_run, off }| {
        let key = String::from(sections.paths.of(place).unwrap_or(""));
        let mut parts = Vec::new();
        state.saved_states(&mut |part| {
            let bytes = to_vec(&*part.save_kept());
            parts.push((part.what(), bytes.and_then(|bytes| part.check(&bytes).map(|()| bytes))));
        });
        let parts = parts.into_iter().map(|(what, bytes)| {
            let place = || format!("`Local<{what}>` of system `{key}`");
            bytes.map(ByteString).map_err(|fault| SaveError::value(place(), sections.world, fault))
        });
        let parts = parts.collect::<Result<_, _>>()?;
        Ok(PlaceHead { last_run: last_run.min(LATEST), off, state: parts, key: key.clone() })
    });
    places.collect()
}

/// A reader of the blocks of a file. Its errors name the block.
pub(super) struct FileReader<'f> {
    rest: &'f [u8],
    world: &'static str,
}

impl<'f> FileReader<'f> {
    fn cut(&mut self, length: usize, place: &str) -> Result<&'f [u8], LoadError> {
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or_else(|| {
            let reason = format!("expected {length} bytes, but only {} remain", self.rest.len());
            LoadError::invalid(place, reason, self.world)
        })?;
        self.rest = rest;
        Ok(bytes)
    }

    fn block(&mut self, place: &str) -> Result<&'f [u8], LoadError> {
        let length = self.cut(8, place)?.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        self.cut(usize::try_from(length).unwrap_or(usize::MAX), place)
    }

    fn value<T: serde::de::DeserializeOwned>(&mut self, place: &str) -> Result<T, LoadError> {
        let world = self.world;
        from_bytes(self.block(place)?).map_err(|fault| LoadError::invalid(place, fault, world))
    }
}

/// Recomputes the checksum of a file in the compact form, for tests that change its bytes.
pub fn reseal(bytes: &mut [u8]) {
    if let Some((bytes, sum)) = bytes.split_last_chunk_mut() {
        *sum = hash_of([&*bytes]).to_le_bytes();
    }
}

/// The error for bytes without the signature.
fn not_a_save(bytes: &[u8]) -> LoadError {
    match bytes.trim_ascii_start().first() {
        Some(b'{' | b'(') => LoadError::ReadableForm,
        _ => LoadError::NotASave,
    }
}

/// Checks signature, version, checksum, fingerprint and world name of a file. Returns the first
/// block and a reader of the others.
fn open<'f>(sections: &Sections, bytes: &'f [u8]) -> Result<(FileHead, FileReader<'f>), LoadError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| not_a_save(bytes))?;
    let Some((rest, saved)) = rest.split_last_chunk() else { return Err(LoadError::Damaged) };
    let Some((version, rest)) = rest.split_first_chunk() else { return Err(LoadError::Damaged) };
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(LoadError::Version { found, known: VERSION });
    }
    if hash_of([&bytes[..bytes.len() - 8]]) != u64::from_le_bytes(*saved) {
        return Err(LoadError::Damaged);
    }
    let Some((fingerprint, rest)) = rest.split_first_chunk() else { return Err(LoadError::Damaged) };
    let mut input = FileReader { rest, world: sections.world };
    let head: FileHead = input.value("head")?;
    if head.world != sections.world && !sections.world_aliases.contains(&&*head.world) {
        return Err(LoadError::OtherWorld { found: head.world, world: sections.world });
    }
    if schema(&head) != u64::from_le_bytes(*fingerprint) {
        return Err(LoadError::invalid(
            "head",
            "the fingerprint does not match the names and layouts that follow it",
            sections.world,
        ));
    }
    Ok((head, input))
}

/// Reads the blocks before the values: names, layouts and the allocator. Returns the positions of
/// the components that have values.
fn begin<'f>(
    bytes: &'f [u8],
    draft: &mut Draft<'_>,
) -> Result<(FileHead, Vec<usize>, FileReader<'f>), LoadError> {
    let (head, mut input) = open(&draft.sections, bytes)?;
    for (name, layout) in &head.components {
        let (name, layout) = (name.clone(), layout.clone());
        draft.listed(
            ComponentImage { name, layout, stamps: Vec::new(), finite: false, order: Vec::new() },
            true,
        )?;
    }
    let image: Image = input.value("allocator")?;
    draft.allocator(&image)?;
    let saved = (0..head.components.len()).filter(|&at| !head.components[at].1.is_empty()).collect();
    Ok((head, saved, input))
}

/// Reads the entities of a file into a draft, with new ids from `map`. Before the first value is
/// read, `meet` gets, for each component of the world, the slots of the file that have it.
pub(super) fn read_entities(
    bytes: &[u8],
    draft: &mut Draft<'_>,
    map: MapId<'_>,
    meet: impl FnOnce(&Draft<'_>, &[(usize, Vec<u64>)]) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let (head, saved, mut input) = begin(bytes, draft)?;
    let mut ahead = FileReader { ..input };
    let mut words = Vec::new();
    for &listed in &saved {
        let of_column = column_head(&mut ahead, draft, &head.components[listed].0)?;
        words.extend(draft.table[listed].map(|(at, _)| (at, of_column.words)));
        ahead.rest = skip_chunks(ahead.rest).map_err(|fault| draft.invalid("chunks", fault))?;
    }
    meet(draft, &words)?;
    for &listed in &saved {
        column(&mut input, draft, listed, &head.components[listed].0, Some(map))?;
    }
    Ok(())
}

/// Reads a file into a draft, except for the state of systems, which is the rest of the returned
/// reader.
fn read<'f>(bytes: &'f [u8], draft: &mut Draft<'_>) -> Result<FileReader<'f>, LoadError> {
    let (head, saved, mut input) = begin(bytes, draft)?;
    for &listed in &saved {
        column(&mut input, draft, listed, &head.components[listed].0, None)?;
    }
    for (kind, listed) in ValueKind::ALL.into_iter().zip([&head.resources, &head.events]) {
        for (name, saved) in listed {
            let place = format!("{} `{name}`", kind.noun());
            let bytes = input.block(&place)?;
            let Some((at, known, of)) = draft.value(kind, name)? else { continue };
            let layout = (of.layout)();
            if !layout.is(saved) && !saved.is_empty() {
                return Err(draft.sections.other_layout(kind.noun(), known, saved, layout));
            }
            let value = (of.value.read_bytes)(bytes).map_err(|fault| draft.invalid(&place, fault))?;
            draft.set_value(kind, at, value);
        }
    }
    Ok(input)
}

/// Reads the block before the values of a column, and checks that every slot in it has a live
/// entity.
fn column_head(input: &mut FileReader<'_>, draft: &Draft<'_>, name: &str) -> Result<ColumnHead, LoadError> {
    let place = format!("component `{name}`");
    let head: ColumnHead = input.value(&place)?;
    let alive = draft.entities.as_ref().map_or(&[][..], |entities| entities.alive());
    let dead_slot = head.words.iter().enumerate().find_map(|(word, bits)| {
        let dead = bits & !alive.get(word).copied().unwrap_or(0);
        (dead != 0).then(|| word * 64 + dead.trailing_zeros() as usize)
    });
    match dead_slot {
        Some(slot) => {
            Err(draft.invalid(format_args!("{place} of slot {slot}"), "the slot has no live entity"))
        }
        None => Ok(head),
    }
}

fn skip_chunks(mut rest: &[u8]) -> Result<&[u8], crate::persist::erased::FormError> {
    loop {
        let (length, after) = rest.split_first_chunk().ok_or_else(crate::persist::erased::FormError::end)?;
        let length = u32::from_le_bytes(*length) as usize;
        rest = after.split_at_checked(length).ok_or_else(crate::persist::erased::FormError::end)?.1;
        if length == 0 {
            return Ok(rest);
        }
    }
}

/// Reads the column of a component, and its removed values, into the draft.
fn column(
    input: &mut FileReader<'_>,
    draft: &mut Draft<'_>,
    listed: usize,
    name: &str,
    map: Option<MapId<'_>>,
) -> Result<(), LoadError> {
    let head = column_head(input, draft, name)?;
    let fail = |fault| draft.invalid(format_args!("component `{name}`"), fault);
    if let (Some(refused), true) = (&draft.refused[listed], head.words.iter().any(|&word| word != 0)) {
        return Err(refused.clone());
    }
    let found = draft.table[listed].filter(|(at, _)| draft.sections.components[*at].is_saved());
    let Some((at, old)) = found else {
        input.rest = skip_chunks(input.rest).map_err(fail)?;
        return Ok(());
    };
    let entry = &draft.sections.components[at];
    let mut chunks = ValueChunks::new(input.rest);
    let mut column = entry.column();
    entry.read(old, &mut *column, &head.words, &mut chunks, map).map_err(|(slot, fault)| {
        let id = draft.entities.as_ref().and_then(|entities| entities.living_at(slot as usize));
        let id = id.map_or_else(String::new, |id| format!(" of entity {id}"));
        draft.invalid(format_args!("component `{name}`{id}"), fault)
    })?;
    input.rest = chunks.end().map_err(fail)?;
    if let (Some(ByteString(log)), None) = (&head.log, old) {
        let read = entry
            .read_log_bytes(log)
            .map_err(|fault| draft.invalid(format_args!("removed values of component `{name}`"), fault))?;
        draft.logs[at] = Some(read);
    }
    draft.columns[at] = Some(column);
    draft.stamps[listed] = head.stamps;
    draft.orders[listed] = head.order;
    Ok(())
}

/// Loads a world from the compact form.
pub(super) fn load(
    sections: Arc<Sections>,
    bytes: &[u8],
    options: &mut AnyLoadOptions,
) -> Result<Box<dyn AnyWorld>, LoadError> {
    memory::limited(options.memory, bytes.len(), || load_whole(sections, bytes, options))
}

fn load_whole(
    sections: Arc<Sections>,
    bytes: &[u8],
    options: &mut AnyLoadOptions,
) -> Result<Box<dyn AnyWorld>, LoadError> {
    let mut draft = Draft::new(sections, options);
    let mut input = read(bytes, &mut draft)?;
    let places: Vec<PlaceHead> = input.value("systems")?;
    if !input.rest.is_empty() {
        return Err(
            draft.invalid("end", format_args!("{} bytes remain after the end of the file", input.rest.len()))
        );
    }
    let mut world = draft.world()?;
    let (mut loaded, drop_unknown) = (Vec::new(), draft.drop_unknown());
    for PlaceHead { key, last_run, off, state } in places {
        draft.place(&mut *world, &key, (last_run, off), &mut loaded, &mut |parts, context| {
            parts_of(parts, context, &state, drop_unknown)
        })?;
    }
    draft.finish(&mut *world, &loaded)?;
    Ok(world)
}

fn parts_of(
    parts: Vec<&mut dyn SavedState>,
    context: &LoadContext<'_>,
    state: &[ByteString],
    drop_unknown: bool,
) -> Result<bool, String> {
    if parts.len() != state.len() {
        return if drop_unknown {
            Ok(false)
        } else {
            Err("its parameters have changed since the world was saved; `LoadOptions::drop_unknown` ignores its state".into())
        };
    }
    for (part, ByteString(bytes)) in parts.into_iter().zip(state) {
        let mut reader = Reader::new(bytes);
        let done = part.read_kept(&mut reader, context);
        done.map_err(|error| format!("{}: {error}", part.what()))?;
        reader.end().map_err(|fault| format!("{}: {fault}", part.what()))?;
    }
    Ok(true)
}
