//! The format of values in the compact form: numbers of a fixed width, little-endian, without
//! separators.
//!
//! The format has no type information, so a thousand positions of three numbers are three thousand
//! numbers and nothing else. Lengths and variant indices have 32 bits. [`write`] has the
//! serializer, [`start`] that of small values, and [`read`] the deserializer.

pub(crate) mod finite;
pub(crate) mod plain;
pub(crate) mod read;
pub(crate) mod start;
pub(crate) mod write;

/// The maximal nesting of values, for writing and reading, so that a file cannot overflow the
/// stack.
pub(crate) const DEPTH: u32 = 200;

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::string::String;
    use alloc::vec::Vec;

    use serde::{Deserialize, Serialize};

    use super::read::{Reader, from_bytes};
    use super::write::to_vec;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Shape {
        Nothing,
        Number(u8),
        Pair(i16, char),
        Named { text: Option<String>, map: BTreeMap<u8, Vec<bool>> },
    }

    #[test]
    fn what_is_written_is_read() {
        let shapes = [
            Shape::Nothing,
            Shape::Number(7),
            Shape::Pair(-3, 'ß'),
            Shape::Named { text: Some("text".into()), map: [(1, alloc::vec![true, false])].into() },
            Shape::Named { text: None, map: BTreeMap::new() },
        ];
        let bytes = to_vec(&shapes).unwrap();
        assert_eq!(from_bytes::<[Shape; 5]>(&bytes).unwrap(), shapes);
        for end in 0..bytes.len() {
            assert!(from_bytes::<[Shape; 5]>(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn numbers_are_plain() {
        assert_eq!(
            to_vec(&(1u8, 2u16, -1i32, 1.0f32)).unwrap(),
            [1, 2, 0, 255, 255, 255, 255, 0, 0, 128, 63]
        );
    }

    #[test]
    fn a_length_beyond_the_input_is_refused_at_once() {
        let hostile = u32::MAX.to_le_bytes();
        assert!(from_bytes::<Vec<u64>>(&hostile).is_err());
        assert!(from_bytes::<Vec<()>>(&hostile).is_err());
        assert!(from_bytes::<String>(&hostile).is_err());
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        #[derive(Serialize, Deserialize, Debug)]
        struct Link(Option<alloc::boxed::Box<Link>>);
        let chain = |length| (0..length).fold(Link(None), |link, _| Link(Some(alloc::boxed::Box::new(link))));
        assert!(from_bytes::<Link>(&to_vec(&chain(20)).unwrap()).is_ok());
        assert!(to_vec(&chain(300)).is_err());
        assert!(from_bytes::<Link>(&[1; 100_000]).is_err());
    }

    #[test]
    fn what_is_left_over_is_refused() {
        assert!(from_bytes::<u8>(&[1, 2]).is_err());
        assert_eq!(Reader::new(&[1, 2]).value::<u8>().unwrap(), 1);
    }
}
