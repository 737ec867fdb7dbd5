//! Aspects: named sets of components with values, built from components and other aspects.
//!
//! An aspect is a struct, derived with `#[derive(Aspect)]`, whose fields are components and other
//! aspects. It is a bundle with default values. A [`MetaAspect`] is an enum whose variants are
//! aspects. [`Aspects`] has the methods of worlds for aspects, and [`aspect_graph`] draws how
//! aspects consist of each other.

// The derive describes the fields of an aspect in a constant, a `tree::Tree`: `check` uses the tree
// to find a component that an aspect has twice, `graph` draws it, and `meta` has enums.

pub(crate) mod check;
pub(crate) mod graph;
pub(crate) mod meta;
pub(crate) mod tree;
pub(crate) mod verbs;

pub use graph::{AspectEdge, AspectGraph, AspectNode, aspect_graph};
pub use meta::MetaAspect;
pub(crate) use tree::Part;
pub use verbs::Aspects;

use crate::base::hidden::TypeDocs;
use crate::component::Component;

/// A named set of components with values. Derived: `#[derive(Aspect)]`.
///
/// The fields are components and other aspects. The attribute of a field sets its default value:
/// `default = ..` is the value of the whole field, and `.path = ..` overrides one field within it,
/// at any depth. A field without an attribute has the default of its type. The expressions are
/// evaluated for each new value, so that one may count or draw random numbers.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::Aspect;
///
/// #[derive(Component, Default, PartialEq, Debug)] struct Health { now: u32, max: u32 }
/// #[derive(Component, Default, PartialEq, Debug)] struct Speed(u32);
/// #[derive(Component, PartialEq, Debug)]          struct Name(String);
///
/// #[derive(Aspect)]
/// struct Body {
///     #[aspect(default = Health { now: 5, max: 5 })]
///     health: Health,
///     speed: Speed,                                       // `Speed::default()`
/// }
///
/// #[derive(Aspect)]
/// struct Monster {
///     #[aspect(.health.max = 9, .speed = Speed(2))]       // overrides the defaults of `Body`
///     body: Body,
///     #[aspect(default = Name("rat".into()))]
///     name: Name,
/// }
///
/// world! { struct Game { components { Health, Speed, Name } } }
///
/// let mut game = Game::new();
/// let rat = game.spawn(Monster::fresh());
/// assert_eq!(game.get(rat), Some(&Health { now: 5, max: 9 }));
/// let wolf = game.spawn(Monster { name: Name("wolf".into()), ..Monster::fresh() });
/// let fast = game.spawn(Monster::fresh_with(|it| it.body.speed = Speed(7)));
/// assert_eq!((game.get(wolf), game.get(fast)), (Some(&Name("wolf".into())), Some(&Speed(7))));
///
/// let body = game.remove_aspect::<Body>(rat)?;            // removes all components, or fails and removes none
/// game.add_aspect(rat, Body { speed: Speed(1), ..body })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For each field, the outermost default counts: that of the call of
/// [`fresh_with`](Aspect::fresh_with) replaces that of the outer aspect, which replaces that of the
/// inner aspect. The replaced expressions are evaluated, too, before the others.
///
/// An aspect that has a component twice is a compile error, which names both fields. If an aspect
/// or a component has type parameters, that error may be found only when the aspect is used in a
/// world, as for any bundle that has a component twice.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an aspect",
    label = "not an aspect",
    note = "an aspect is a struct with `#[derive(Aspect)]`, whose fields are components and aspects"
)]
pub trait Aspect: AspectPart + Fresh {
    /// The name of the type, without its module path.
    const ASPECT_NAME: &'static str;
    /// The documentation of the type and its fields, with the feature `reflect`.
    #[doc(hidden)]
    const ASPECT_DOCS: TypeDocs = &[];

    /// Creates the aspect with its default values.
    fn fresh() -> Self {
        <Self as Fresh>::make()
    }

    /// Creates the aspect with its default values, and lets `change` override some of them.
    fn fresh_with(change: impl FnOnce(&mut Self)) -> Self {
        let mut fresh = Self::fresh();
        change(&mut fresh);
        fresh
    }
}

/// A type that a field of an aspect may have: a component or an aspect.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor an aspect",
    label = "neither a component nor an aspect",
    note = "add `#[derive(Component)]` or `#[derive(Aspect)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
#[doc(hidden)]
pub trait AspectPart: Sized {
    const PART: Part;
}

#[diagnostic::do_not_recommend]
impl<T: Component> AspectPart for T {
    const PART: Part = Part::Component(T::__IDENTITY);
}

/// A part of an aspect with a default value: an aspect, or a component that implements `Default`.
#[diagnostic::on_unimplemented(
    message = "this aspect has no default for `{Self}`, and `{Self}` does not implement `Default`",
    label = "no default value",
    note = "add `#[aspect(default = ..)]` to the field, or implement `Default` for the component"
)]
#[doc(hidden)]
pub trait Fresh: AspectPart {
    /// All items of this trait and of [`AspectPart`] in one constant. The derive names only this
    /// one, so that a type that implements neither gives one compile error, and not two.
    const DEFAULT_PART: DefaultPart<Self> = DefaultPart { part: Self::PART, make: Self::make };
    fn make() -> Self;
}

/// A part of an aspect, with the function that creates its default value.
#[doc(hidden)]
pub struct DefaultPart<T> {
    /// The component or aspect.
    pub part: Part,
    /// Creates the default value.
    pub make: fn() -> T,
}

#[diagnostic::do_not_recommend]
impl<T: Component + Default> Fresh for T {
    fn make() -> Self {
        T::default()
    }
}
