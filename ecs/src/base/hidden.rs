//! [`Hidden`], the mark of types that reflection does not show, and [`Described`], the
//! documentation of types.

/// Types that cannot be read or changed by their name: `#[component(hidden)]`,
/// `#[resource(hidden)]` or `#[event(hidden)]`.
pub trait Hidden {}

/// The paths and texts of the documentation of a type: `""` for the type itself, `now` for a field,
/// `Dragon` for a variant, `Dragon.heads` for a field of a variant.
pub type TypeDocs = &'static [(&'static str, &'static str)];

/// Types whose derive has found documentation, with the feature `reflect`.
pub trait Described {
    /// The documentation.
    const DOCS: TypeDocs;
}
