//! [`Hidden`]: the mark of types that reflection does not show.

/// Types that cannot be read or changed by their name: `#[component(hidden)]`, `#[resource(hidden)]` or `#[event(hidden)]`.
pub trait Hidden {}
