//! A component of numbers is saved by copying its bytes, any other component by serializing it.
//! Both ways give the same file: two worlds have the same names, values and layouts, but in one of
//! them the derive does not see that the fields are numbers, because their types have other names.

use ecs::prelude::*;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

/// A world whose components have fields of these types.
macro_rules! world_of {
    ($module:ident: $f32:ident $u8:ident $u16:ident $u32:ident $u64:ident $bool:ident) => {
        mod $module {
            use ecs::prelude::*;
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[allow(unused_imports, reason = "only one of the two worlds uses these names")]
            use super::named::*;

            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Point(pub [$f32; 3]);
            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Matrix {
                pub rows: [[$f32; 4]; 4],
            }
            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Mixed {
                pub a: $u64,
                pub b: $u32,
                pub c: $u16,
                pub d: $u8,
                pub e: $bool,
            }
            /// Between two fields there may be padding, or the compiler may change their order.
            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Padded(pub $u8, pub $u32);
            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Large(pub [$u64; 20]);
            /// Larger than the largest value that is written into a window.
            #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
            pub(super) struct Larger(pub [[$u64; 32]; 3], pub $u64);
            /// Two numbers are exchanged in the file, so that the compact form is not always the
            /// bytes in memory.
            #[derive(Component, PartialEq, Debug)]
            pub(super) struct Exchanged(pub $u32);

            fn exchanged(number: u32) -> u32 {
                match number {
                    13 => u32::MAX,
                    u32::MAX => 13,
                    _ => number,
                }
            }

            impl Serialize for Exchanged {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    exchanged(self.0).serialize(serializer)
                }
            }

            impl<'de> Deserialize<'de> for Exchanged {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    u32::deserialize(deserializer).map(|number| Self(exchanged(number)))
                }
            }

            world! {
                #[derive(Serialize, Deserialize)]
                pub(super) struct Numbers {
                    components { Point, Matrix, Mixed, Padded, Large, Larger, Exchanged }
                }
            }

            /// Spawns entities, each with some of the components: the bits of its number say which.
            #[allow(dead_code, reason = "the worlds of one of the modules are loaded")]
            pub(super) fn make(entities: &[(u8, u32)], despawned: &[usize]) -> Numbers {
                let mut world = Numbers::new();
                let mut ids = Vec::new();
                for &(held, number) in entities {
                    let id = world.spawn(Point([number as f32, -0.0, f32::NAN]));
                    let has = |bit: u8| held >> bit & 1 == 1;
                    if has(0) {
                        let _ = world.insert(id, Matrix { rows: [[number as f32; 4]; 4] });
                    }
                    if has(1) {
                        let (a, b) = (u64::from(number) << 20, number);
                        let _ = world.insert(id, Mixed { a, b, c: number as u16, d: held, e: has(2) });
                    }
                    if has(2) {
                        let _ = world.insert(id, Padded(held, number));
                    }
                    if has(3) {
                        let _ = world.insert(id, Large([number.into(); 20]));
                    }
                    if has(4) {
                        let _ = world.insert(id, Larger([[number.into(); 32]; 3], held.into()));
                    }
                    if has(5) {
                        let _ = world.insert(id, Exchanged(number % 20_000));
                    }
                    if has(6) {
                        let _ = world.remove::<Point>(id);
                    }
                    ids.push(id);
                }
                for at in despawned {
                    if let Some(&id) = ids.get(*at) {
                        let _ = world.despawn(id);
                    }
                }
                world
            }
        }
    };
}

world_of!(copied: f32 u8 u16 u32 u64 bool);

/// Other names for the types, which the derive does not know.
mod named {
    pub(super) type Float = f32;
    pub(super) type Byte = u8;
    pub(super) type Short = u16;
    pub(super) type Int = u32;
    pub(super) type Long = u64;
    pub(super) type Truth = bool;
}

world_of!(serialized: Float Byte Short Int Long Truth);

/// Saves the world with copied numbers, loads the file as the other world, and saves that.
fn compare(entities: &[(u8, u32)], despawned: &[usize]) -> Result<(), TestCaseError> {
    let world = copied::make(entities, despawned);
    let bytes = world.to_bytes().unwrap();
    let other = serialized::Numbers::load(&bytes).unwrap();
    prop_assert!(other.to_bytes().unwrap() == bytes, "the files differ");
    prop_assert_eq!(other.hash(), world.hash());
    let again = copied::Numbers::load(&bytes).unwrap();
    prop_assert!(again.to_bytes().unwrap() == bytes, "a loaded world differs");
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn copied_numbers_are_saved_as_serialized_ones(
        entities in prop::collection::vec((any::<u8>(), any::<u32>()), 0..300),
        despawned in prop::collection::vec(0..300_usize, 0..40),
    ) {
        compare(&entities, &despawned)?;
    }
}

#[test]
fn values_that_are_not_as_in_memory_are_serialized_in_the_chunk_where_they_are() {
    // chunks of 4-byte values have 4,084 of them
    for at in [0, 1, 4_083, 4_084, 4_090, 8_167, 8_168, 12_999] {
        let entities: Vec<_> =
            (0..13_000).map(|n| (0b0110_0000, if n == at { 13 } else { 100 + n % 1_000 })).collect();
        compare(&entities, &[]).unwrap();
        compare(&entities, &[at as usize + 1, 4_000, 4_096]).unwrap();
    }
}
