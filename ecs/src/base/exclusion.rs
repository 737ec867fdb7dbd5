//! Which components a component excludes, in a constant.

/// What a component that excludes others is found by in a world.
#[derive(Clone, Copy, Debug)]
pub enum ExclusionKey {
    /// Its number, if it has no type parameters.
    Number(u32),
    /// Its index.
    Index(usize),
}

/// What a component excludes.
#[derive(Clone, Copy, Debug)]
pub struct Exclusion {
    /// What the component itself is found by.
    pub own: Option<ExclusionKey>,
    /// The components that it excludes, of which the world may lack some.
    pub others: &'static [ExclusionKey],
}

impl Exclusion {
    /// Nothing.
    pub const NONE: Self = Self { own: None, others: &[] };
}
