//! Worlds as data: by columns with postcard, by rows with RON, as in ecs_bench_suite.

use hecs::serialize::{column, row};
use hecs::{Archetype, ColumnBatchBuilder, ColumnBatchType, EntityBuilder, EntityRef, World};
use serde::de::{MapAccess, SeqAccess};
use serde::ser::{SerializeMap, SerializeTuple};
use serde::{Deserialize, Serialize};

use super::{Position, Rotation, Transform, Velocity, bodies, checksum};
use crate::harness::Suite;
use crate::workload::saves;

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Known {
    Transform,
    Position,
    Rotation,
    Velocity,
}

/// Calls a macro for each component, after its own arguments.
macro_rules! each {
    ($then:ident $($args:tt)*) => {
        $then!($($args)* Transform);
        $then!($($args)* Position);
        $then!($($args)* Rotation);
        $then!($($args)* Velocity);
    };
}

/// The context of serialization: the components, and those of the archetype that is read.
#[derive(Default)]
struct Columns(Vec<Known>);

impl column::SerializeContext for Columns {
    fn component_count(&self, archetype: &Archetype) -> usize {
        let mut count = 0;
        macro_rules! add {
            ($name:ident) => {
                count += usize::from(archetype.has::<$name>());
            };
        }
        each!(add);
        count
    }

    fn serialize_component_ids<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        macro_rules! add {
            ($name:ident) => {
                column::try_serialize_id::<$name, _, _>(archetype, &Known::$name, &mut out)?;
            };
        }
        each!(add);
        out.end()
    }

    fn serialize_components<S: SerializeTuple>(
        &mut self,
        archetype: &Archetype,
        mut out: S,
    ) -> Result<S::Ok, S::Error> {
        macro_rules! add {
            ($name:ident) => {
                column::try_serialize::<$name, _>(archetype, &mut out)?;
            };
        }
        each!(add);
        out.end()
    }
}

impl column::DeserializeContext for Columns {
    fn deserialize_component_ids<'de, A: SeqAccess<'de>>(
        &mut self,
        mut seq: A,
    ) -> Result<ColumnBatchType, A::Error> {
        self.0.clear();
        let mut batch = ColumnBatchType::new();
        while let Some(known) = seq.next_element()? {
            match known {
                Known::Transform => batch.add::<Transform>(),
                Known::Position => batch.add::<Position>(),
                Known::Rotation => batch.add::<Rotation>(),
                Known::Velocity => batch.add::<Velocity>(),
            };
            self.0.push(known);
        }
        Ok(batch)
    }

    fn deserialize_components<'de, A: SeqAccess<'de>>(
        &mut self,
        count: u32,
        mut seq: A,
        batch: &mut ColumnBatchBuilder,
    ) -> Result<(), A::Error> {
        for known in &self.0 {
            match known {
                Known::Transform => column::deserialize_column::<Transform, _>(count, &mut seq, batch),
                Known::Position => column::deserialize_column::<Position, _>(count, &mut seq, batch),
                Known::Rotation => column::deserialize_column::<Rotation, _>(count, &mut seq, batch),
                Known::Velocity => column::deserialize_column::<Velocity, _>(count, &mut seq, batch),
            }?;
        }
        Ok(())
    }
}

struct Rows;

impl row::SerializeContext for Rows {
    fn serialize_entity<S: SerializeMap>(
        &mut self,
        entity: EntityRef<'_>,
        mut map: S,
    ) -> Result<S::Ok, S::Error> {
        macro_rules! add {
            ($name:ident) => {
                row::try_serialize::<$name, _, _>(&entity, &Known::$name, &mut map)?;
            };
        }
        each!(add);
        map.end()
    }
}

impl row::DeserializeContext for Rows {
    fn deserialize_entity<'de, M: MapAccess<'de>>(
        &mut self,
        mut map: M,
        entity: &mut EntityBuilder,
    ) -> Result<(), M::Error> {
        while let Some(known) = map.next_key()? {
            match known {
                Known::Transform => entity.add::<Transform>(map.next_value()?),
                Known::Position => entity.add::<Position>(map.next_value()?),
                Known::Rotation => entity.add::<Rotation>(map.next_value()?),
                Known::Velocity => entity.add::<Velocity>(map.next_value()?),
            };
        }
        Ok(())
    }
}

/// A world, the one that was loaded, and what was saved.
struct State {
    world: World,
    loaded: World,
    bytes: Vec<u8>,
}

impl State {
    fn new(count: u32) -> Self {
        let bytes = vec![0; 110 * count as usize + 1_000];
        Self { world: bodies(count), loaded: World::new(), bytes }
    }

    /// With what is to be loaded.
    fn saved(count: u32) -> Self {
        let mut state = Self::new(count);
        state.save();
        state
    }

    fn save(&mut self) {
        let output = postcard::ser_flavors::Slice::new(&mut self.bytes);
        let mut postcard = postcard::Serializer { output };
        column::serialize(&self.world, &mut Columns::default(), &mut postcard).expect("there is room");
    }

    fn load(&mut self) {
        let mut postcard = postcard::Deserializer::from_bytes(&self.bytes);
        self.loaded = column::deserialize(&mut Columns::default(), &mut postcard).expect("it was saved");
    }
}

fn save_text(world: &World, text: &mut String) {
    text.clear();
    let mut ron = ron::Serializer::new(text, None).expect("it can be written");
    row::serialize(world, &mut Rows, &mut ron).expect("it can be written");
}

fn load_text(text: &str) -> World {
    let mut ron = ron::Deserializer::from_str(text).expect("it was saved");
    row::deserialize(&mut Rows, &mut ron).expect("it was saved")
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&saves::SAVE, State::new, State::save, |state| {
        state.load();
        checksum(&mut state.loaded)
    });
    suite.case(&saves::LOAD, State::saved, State::load, |state| checksum(&mut state.loaded));
    suite.case(
        &saves::SAVE_TEXT,
        |count| (bodies(count), String::new()),
        |(world, text)| save_text(world, text),
        |(_, text)| checksum(&mut load_text(text)),
    );
    suite.case(
        &saves::LOAD_TEXT,
        |count| {
            let mut text = String::new();
            save_text(&bodies(count), &mut text);
            (World::new(), text)
        },
        |(world, text)| *world = load_text(text),
        |(world, _)| checksum(world),
    );
}
