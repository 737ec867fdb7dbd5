//! The identity of a type in constants, in which types cannot be compared.

/// The identity of a component's or an aspect's type: the type's name and the position of its
/// derive.
///
/// Types cannot be compared in constants yet. All instances of a generic type have one identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The type's own name; empty if the identity is unknown, for an implementation by hand.
    pub name: &'static str,
    /// The path of the type's module.
    pub module: &'static str,
    /// The line of the type's derive.
    pub line: u32,
    /// The column of the type's derive.
    pub column: u32,
    /// Whether the type has type or const parameters.
    pub generic: bool,
}

impl Identity {
    /// The identity of a type that declares none.
    pub const UNKNOWN: Self = Self { name: "", module: "", line: 0, column: 0, generic: true };

    /// Whether both are the same type, or instances of the same generic type.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        !self.name.is_empty()
            && self.line == other.line
            && self.column == other.column
            && same(self.name, other.name)
            && same(self.module, other.module)
    }
}

/// Whether two texts are equal; for constants.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len()
}
