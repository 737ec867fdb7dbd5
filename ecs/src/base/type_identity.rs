//! Which type a component or an aspect is, for constants, in which types cannot be compared.

/// Which type a component or an aspect is, as far as a constant can tell: where its derive stands, and its name.
///
/// Types cannot be compared in constants yet. All instances of a generic type have one identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The type's own name; empty if nothing is known, of an implementation by hand.
    pub name: &'static str,
    /// The path of its module.
    pub module: &'static str,
    /// The line of its derive.
    pub line: u32,
    /// The column of its derive.
    pub column: u32,
    /// Whether it has type or const parameters.
    pub generic: bool,
}

impl Identity {
    /// Of a type that does not say.
    pub const UNKNOWN: Self = Self { name: "", module: "", line: 0, column: 0, generic: true };

    /// Whether both are one type, or instances of one generic type.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        !self.name.is_empty()
            && self.line == other.line
            && self.column == other.column
            && same(self.name, other.name)
            && same(self.module, other.module)
    }
}

/// Whether two texts are the same, in constants.
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
