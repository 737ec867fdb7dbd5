//! The components that a component excludes, as a constant.

/// The key by which a world finds a component that excludes others or is excluded.
#[derive(Clone, Copy, Debug)]
pub enum ExclusionKey {
    /// The component's number, if it has no type parameters.
    Number(u32),
    /// The component's index in the world.
    Index(usize),
}

/// The components that one component excludes.
#[derive(Clone, Copy, Debug)]
pub struct Exclusion {
    /// The key of the component itself; `None` if it excludes none.
    pub own: Option<ExclusionKey>,
    /// The keys of the excluded components. The world may lack some of them.
    pub others: &'static [ExclusionKey],
}

impl Exclusion {
    /// The exclusion of a component that excludes none.
    pub const NONE: Self = Self { own: None, others: &[] };
}
