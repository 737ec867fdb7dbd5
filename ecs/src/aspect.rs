//! Aspects: named sets of components with values, built from components and other aspects.
//!
//! An aspect is a struct, derived with `#[derive(Aspect)]`, whose fields are components and other aspects. It is a bundle,
//! and it knows the values that it begins with. What is in it is a constant, a [`Tree`](tree::Tree): [`check`] looks for a
//! component that is in it twice, and [`graph`] draws it. [`meta`] has enums of which each variant is an aspect.

pub(crate) mod check;
pub(crate) mod graph;
pub(crate) mod meta;
pub(crate) mod tree;
pub(crate) mod verbs;

pub use graph::{AspectEdge, AspectGraph, AspectNode, aspect_graph};
pub use meta::MetaAspect;
pub use tree::Part;
pub use verbs::Aspects;

use crate::component::Component;

/// A named set of components with values. Derived: `#[derive(Aspect)]`.
///
/// The fields are components and other aspects. Each begins with what its attribute says, or with its own default:
/// `default = ..` is the value of the field, and `.path = ..` overrides one field of it, at any depth. The expressions are
/// evaluated anew for each value: one that rolls dice or counts is a factory.
///
/// ```
/// use ecs::prelude::*;
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
///     #[aspect(.health.max = 9, .speed = Speed(2))]       // overrides what `Body` says
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
/// let body = game.remove_aspect::<Body>(rat)?;            // all of it, or nothing and an error
/// game.add_aspect(rat, Body { speed: Speed(1), ..body })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Who says a value last is who is farthest out: the call before the outer aspect before the inner one, field by field.
/// What is overridden was made before, so that a factory that is overridden was called.
///
/// No component is in an aspect twice. Where that can be told from the aspects alone, the error names both places. Where
/// it cannot, since an aspect or a component has type parameters, every world refuses the aspect as a bundle that has a
/// component twice.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an aspect",
    label = "not an aspect",
    note = "an aspect is a struct with `#[derive(Aspect)]`, whose fields are components and aspects"
)]
pub trait Aspect: AspectPart + Fresh {
    /// The type's own name.
    const ASPECT_NAME: &'static str;

    /// The values that it begins with, made anew.
    fn fresh() -> Self {
        <Self as Fresh>::make()
    }

    /// The values that it begins with, and then `change`: overrides of a call, at any depth.
    fn fresh_with(change: impl FnOnce(&mut Self)) -> Self {
        let mut fresh = Self::fresh();
        change(&mut fresh);
        fresh
    }
}

/// What an aspect is made of: a component or an aspect.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor an aspect",
    label = "neither a component nor an aspect",
    note = "add `#[derive(Component)]` or `#[derive(Aspect)]` to `{Self}`; a type of another crate needs a one-field newtype"
)]
pub trait AspectPart: Sized {
    #[doc(hidden)]
    const PART: Part;
}

#[diagnostic::do_not_recommend]
impl<T: Component> AspectPart for T {
    const PART: Part = Part::Component(T::__IDENTITY);
}

/// A part of an aspect that can be made from nothing: an aspect, or a component with `Default`.
#[diagnostic::on_unimplemented(
    message = "this aspect does not say what `{Self}` begins with, and `{Self}` has no `Default`",
    label = "begins with nothing",
    note = "say it on the field, `#[aspect(default = ..)]`, or implement `Default` for the component"
)]
pub trait Fresh: AspectPart {
    /// All that there is to ask, in one: whoever asks for one thing here and another there gets two messages of one
    /// mistake.
    #[doc(hidden)]
    const MADE: Made<Self> = Made { part: Self::PART, make: Self::make };
    #[doc(hidden)]
    fn make() -> Self;
}

/// A part of an aspect, and how it is made.
pub struct Made<T> {
    /// What it is.
    pub part: Part,
    /// Makes one.
    pub make: fn() -> T,
}

#[diagnostic::do_not_recommend]
impl<T: Component + Default> Fresh for T {
    fn make() -> Self {
        T::default()
    }
}
