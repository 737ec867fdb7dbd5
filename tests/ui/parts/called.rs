//! Parts that are called like a macro.
parts_library::physics!();

fn main() {}
