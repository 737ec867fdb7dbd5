//! The parameters of a system, classified by their tokens.
//!
//! A type is known by the last name of its path. A type with another name, such as an alias, is
//! classified as `Kind::Other`: the expansion uses its impl of `SystemParam`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, Lifetime, Pat, PatType, PathArguments, PathSegment, Type, TypeTuple, parse_quote,
};

use crate::built_in::{self, Argument, BuiltIn, Flag, Role};
use crate::lifetimes;
use crate::names::{closed, source, spelled, text, ungroup};
use crate::source_file;
use crate::words::is_primitive;

/// A parameter.
pub(crate) struct Parameter {
    /// The name, for messages.
    pub(crate) name: String,
    /// The node, for spans.
    pub(crate) node: PatType,
    /// The type in generated bodies: the user's tokens, with the function's lifetimes inferred.
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    /// Whether a mistake in its type was reported.
    pub(crate) broken: bool,
}

/// The classification of a parameter.
pub(crate) enum Kind {
    /// A query element: makes the system per-entity.
    Element(Element),
    /// `&mut T` as the only reference: a component of every entity, or the world behind an alias.
    /// Its type decides.
    Target(Box<Type>),
    /// A filter of a per-entity system.
    Filter,
    /// `Query<D, F>`, written out, or a parameter that is made of a query.
    Query { data: Tree, filter: Tree, form: Form },
    /// `&mut W`.
    World,
    /// `&W`, which is not allowed.
    SharedWorld,
    /// `In<T>`: an input of type `T`, which the schedule or the caller gives.
    Input(Box<Type>),
    /// Anything else.
    Other,
}

/// The parameter that is made of a query.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// `Query<D, F>`.
    Query,
    /// `Single<D, F>`.
    Single,
    /// `Option<Single<D, F>>`.
    OptionalSingle,
    /// `Populated<D, F>`.
    Populated,
}

impl Form {
    fn of(built_in: &str) -> Self {
        match built_in {
            "Single" => Self::Single,
            "Populated" => Self::Populated,
            _ => Self::Query,
        }
    }

    /// The function of the library that makes the parameter; it returns an `Option`, which is
    /// `None` if the system is skipped.
    pub(crate) fn constructor(self) -> Option<&'static str> {
        match self {
            Self::Query => None,
            Self::Single => Some("single"),
            Self::OptionalSingle => Some("optional_single"),
            Self::Populated => Some("populated"),
        }
    }
}

/// The shape of a function's parameter.
pub(crate) enum Shape {
    /// A parameter of the system.
    One,
    /// A tuple, whose elements are parameters of the system.
    Tuple(Vec<Shape>),
}

impl Shape {
    /// The argument of the call, made of the next values.
    pub(crate) fn argument(&self, values: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
        match self {
            Self::One => values.next().unwrap_or_default(),
            Self::Tuple(elements) => {
                let elements = elements.iter().map(|element| element.argument(values));
                quote!((#(#elements,)*))
            }
        }
    }
}

/// A query element as a parameter.
pub(crate) enum Element {
    /// The parameter's type is the element.
    Plain,
    /// `Each<Q>`: `Q` is the element.
    Each(Box<Type>),
}

/// A query's data or filter as a tree of tuples.
pub(crate) enum Tree {
    Leaf(Box<Type>),
    Tuple(Vec<Tree>),
}

impl Tree {
    pub(crate) fn of(ty: &Type) -> Self {
        match ungroup(ty) {
            Type::Tuple(tuple) => Self::Tuple(tuple.elems.iter().map(Self::of).collect()),
            _ => Self::Leaf(Box::new(ty.clone())),
        }
    }

    /// The types at the leaves.
    pub(crate) fn leaves(&self) -> Vec<&Type> {
        match self {
            Self::Leaf(ty) => vec![ty],
            Self::Tuple(elements) => elements.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// The type of the whole tree.
    pub(crate) fn ty(&self) -> TokenStream {
        match self {
            Self::Leaf(ty) => ty.to_token_stream(),
            Self::Tuple(elements) => {
                let elements = elements.iter().map(Self::ty);
                quote!((#(#elements,)*))
            }
        }
    }

    /// The number of elements of its longest tuple.
    pub(crate) fn longest(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Tuple(elements) => {
                elements.iter().map(Self::longest).chain([elements.len()]).max().unwrap_or_default()
            }
        }
    }

    /// Whether it contains an empty tuple.
    pub(crate) fn has_empty_tuple(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Tuple(elements) => elements.is_empty() || elements.iter().any(Self::has_empty_tuple),
        }
    }
}

impl Parameter {
    /// The parameters of the system that a parameter of the function stands for: itself, or the
    /// elements of a tuple.
    pub(crate) fn all(
        node: PatType,
        named: Option<String>,
        world: Option<&str>,
        lifetimes: &[Lifetime],
        found: &mut Vec<Self>,
    ) -> Shape {
        let Some(tuple) = tuple(&node.ty) else {
            let mut parameter = Self::new(&node, world, lifetimes);
            parameter.name = named.unwrap_or(parameter.name);
            found.push(parameter);
            return Shape::One;
        };
        let count = tuple.elems.len();
        let elements = tuple.elems.into_iter().enumerate().map(|(index, ty)| {
            let (pattern, named) = match element_pattern(&node.pat, index, count) {
                Some(pattern) => (pattern, None),
                None => {
                    let whole = named.clone().unwrap_or_else(|| name(&node.pat));
                    let named = if whole == "_" { whole } else { format!("{whole}.{index}") };
                    (parse_quote!(_), Some(named))
                }
            };
            let attrs = if index == 0 { node.attrs.clone() } else { Vec::new() };
            let node =
                PatType { attrs, pat: Box::new(pattern), colon_token: node.colon_token, ty: Box::new(ty) };
            Self::all(node, named, world, lifetimes, found)
        });
        Shape::Tuple(elements.collect())
    }

    /// Classifies a parameter. `world` is the world's name in the attribute, `lifetimes` are those
    /// of the function.
    pub(crate) fn new(node: &PatType, world: Option<&str>, lifetimes: &[Lifetime]) -> Self {
        let ty = closed(lifetimes::inferred(&node.ty, lifetimes));
        let kind = Kind::of(&ty, world);
        Self { name: name(&node.pat), node: node.clone(), ty, kind, broken: false }
    }

    /// Whether it borrows the trait `World`, unless the system's world has that name.
    pub(crate) fn is_trait_of_worlds(&self) -> bool {
        let Type::Reference(reference) = ungroup(&self.ty) else { return false };
        let whole = matches!(self.kind, Kind::World | Kind::SharedWorld);
        !whole
            && ["World", "ecs::World", "ecs::prelude::World"].contains(&source(&reference.elem).as_str())
            && !source_file::is_of_the_user(&reference.elem)
    }

    /// Whether it may skip the system, by its tokens.
    pub(crate) fn skips(&self) -> bool {
        matches!(&self.kind, Kind::Query { form, .. } if form.constructor().is_some())
    }

    /// Whether it makes the system per-entity.
    pub(crate) fn is_row(&self) -> bool {
        matches!(self.kind, Kind::Element(_) | Kind::Target(_) | Kind::Filter)
    }
}

impl Kind {
    fn of(ty: &Type, world: Option<&str>) -> Self {
        match ungroup(ty) {
            Type::Reference(reference) if world == Some(spelled(&reference.elem).as_str()) => {
                if reference.mutability.is_some() { Self::World } else { Self::SharedWorld }
            }
            Type::Reference(_) => Self::Element(Element::Plain),
            Type::Path(_) => Self::of_path(ty),
            _ => Self::Other,
        }
    }

    fn of_path(ty: &Type) -> Self {
        if let Some((built_in, arguments)) = BuiltIn::named(ty) {
            return match (built_in.role, built_in.argument, arguments.as_slice()) {
                (Role::Element, ..) => Self::Element(Element::Plain),
                (Role::Each, _, [query]) => Self::Element(Element::Each(Box::new((*query).clone()))),
                (Role::Filter, ..) => Self::Filter,
                (_, Argument::Query, [data]) => Self::Query {
                    data: Tree::of(data),
                    filter: Tree::Tuple(Vec::new()),
                    form: Form::of(built_in.name),
                },
                (_, Argument::Query, [data, filter]) => Self::Query {
                    data: Tree::of(data),
                    filter: Tree::of(filter),
                    form: Form::of(built_in.name),
                },
                (Role::Parameter, Argument::Value, [input]) if built_in.name == "In" => {
                    Self::Input(Box::new(lifetimes::all_static(input)))
                }
                _ => Self::Other,
            };
        }
        if let Some(inner) = option(ty) {
            return match Self::of(inner, None) {
                _ if is_borrow(inner) => Self::Element(Element::Plain),
                Self::Query { data, filter, form: Form::Single } => {
                    Self::Query { data, filter, form: Form::OptionalSingle }
                }
                _ => Self::Other,
            };
        }
        match named(ty) {
            // also with too many arguments, which `check` reports
            Some((name, arguments)) if built_in::is_filter(&name) && !arguments.is_empty() => Self::Filter,
            _ => Self::Other,
        }
    }
}

/// Whether an `Option` of it is a query element.
fn is_borrow(ty: &Type) -> bool {
    matches!(ungroup(ty), Type::Reference(_))
        || tuple(ty).is_some()
        || BuiltIn::named(ty).is_some_and(|(built_in, _)| built_in.is(Flag::Optional))
}

/// The type arguments of a path's segment.
pub(crate) fn type_arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// The last name and the type arguments of a path.
pub(crate) fn named(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let last = path.path.segments.last()?;
    Some((text(&last.ident), type_arguments(last)))
}

/// The type in an `Option`.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    let (_, arguments) = named(ty).filter(|(name, arguments)| name == "Option" && arguments.len() == 1)?;
    arguments.first().copied()
}

/// The type of the input that a parameter is meant to be: a number or a text. A borrowed one may be
/// a component of the user with such a name.
pub(crate) fn meant_input(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let name = path.path.get_ident()?.to_string();
    (name == "String" || is_primitive(&name)).then(|| ty.clone())
}

/// The tuple that a type is, unless it is empty.
fn tuple(ty: &Type) -> Option<TypeTuple> {
    match ungroup(ty) {
        Type::Tuple(tuple) if !tuple.elems.is_empty() => Some(tuple.clone()),
        _ => None,
    }
}

/// The pattern of an element of a tuple, if the tuple's pattern names its elements.
fn element_pattern(pattern: &Pat, index: usize, count: usize) -> Option<Pat> {
    let pattern = match pattern {
        Pat::Paren(paren) => &paren.pat,
        other => other,
    };
    let Pat::Tuple(tuple) = pattern else { return None };
    let patterns = &tuple.elems;
    let Some(rest) = patterns.iter().position(|pattern| matches!(pattern, Pat::Rest(_))) else {
        return patterns.get(index).cloned();
    };
    let behind = patterns.len() - rest - 1;
    let at = if index < rest {
        Some(index)
    } else {
        (index + behind).checked_sub(count).map(|behind| rest + 1 + behind)
    };
    Some(at.and_then(|at| patterns.get(at)).cloned().unwrap_or_else(|| parse_quote!(_)))
}

/// A parameter's name, or else its pattern.
fn name(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(name) => text(&name.ident),
        // `In(limit): In<u32>`
        Pat::TupleStruct(pattern) if pattern.elems.len() == 1 => {
            pattern.elems.first().map(name).unwrap_or_default()
        }
        other => source(&other.to_token_stream()),
    }
}
