//! The list of the methods of `Deserializer`, for the macros of deserializers that wrap another deserializer.

/// Calls a macro with the methods of `Deserializer`, except `deserialize_struct` and `deserialize_ignored_any`, which the wrappers
/// implement themselves.
macro_rules! each_method {
    ($callback:ident) => {
        $callback! {
            deserialize_any();
            deserialize_bool();
            deserialize_i8();
            deserialize_i16();
            deserialize_i32();
            deserialize_i64();
            deserialize_i128();
            deserialize_u8();
            deserialize_u16();
            deserialize_u32();
            deserialize_u64();
            deserialize_u128();
            deserialize_f32();
            deserialize_f64();
            deserialize_char();
            deserialize_str();
            deserialize_string();
            deserialize_bytes();
            deserialize_byte_buf();
            deserialize_option();
            deserialize_unit();
            deserialize_seq();
            deserialize_map();
            deserialize_identifier();
            deserialize_unit_struct(name: &'static str);
            deserialize_newtype_struct(name: &'static str);
            deserialize_tuple(len: usize);
            deserialize_tuple_struct(name: &'static str, len: usize);
            deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        }
    };
}
pub(super) use each_method;
