//! A system: its function, its world, its parameters, and the generics of the generated items.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, FnArg, GenericParam, Lifetime, ReturnType, Signature, Type, TypeParam, TypeParamBound,
    TypeReference, TypeTuple, Visibility, WherePredicate, parse_quote,
};

use super::parameter::{Kind, Parameter, Shape, meant_input, named, type_arguments};
use crate::lifetimes;
use crate::names::{source, spelled, text, ungroup};
use crate::parse::include::given::names_one_of;
use crate::parse::system::{Arguments, System as Parsed};
use crate::source_file;

/// The world that a system runs in.
pub(crate) enum World {
    /// A type.
    Concrete(Box<Type>),
    /// A type parameter of the function.
    Parameter(Ident),
    /// Any world that has the data of the parameters.
    Any,
}

/// A type or function in an expansion. Most variants avoid a `TokenStream`, since nesting one in
/// another costs a round trip to the compiler.
pub(crate) enum Written<'a> {
    Type(&'a Type),
    Name(Ident),
    Tokens(TokenStream),
}

impl ToTokens for Written<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Type(ty) => ty.to_tokens(tokens),
            Self::Name(name) => name.to_tokens(tokens),
            Self::Tokens(written) => written.to_tokens(tokens),
        }
    }
}

/// A system.
pub(crate) struct System {
    arguments: Arguments,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) item: TokenStream,
    pub(crate) world: World,
    /// The parameters of the system: those of the function, with the elements of a tuple as
    /// parameters of their own.
    pub(crate) parameters: Vec<Parameter>,
    /// The parameters of the function.
    pub(crate) shapes: Vec<Shape>,
    /// Whether it is a function of an `impl` or a `trait`, where no type can be declared.
    pub(crate) is_method: bool,
    /// Whether a mistake in its body was reported.
    pub(crate) broken_body: bool,
}

impl System {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed { mut arguments, attributes, visibility, signature, item } = parsed;
        let world = World::of(arguments.world.take(), &signature);
        let spelled = world.spelled();
        let lifetimes: Vec<Lifetime> =
            signature.generics.lifetimes().map(|one| one.lifetime.clone()).collect();
        let mut parameters = Vec::new();
        let shapes = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(node) => {
                Some(Parameter::all(node.clone(), None, spelled.as_deref(), &lifetimes, &mut parameters))
            }
            FnArg::Receiver(_) => None,
        });
        let shapes = shapes.collect();
        let is_method = signature.receiver().is_some()
            || source_file::is_method(&text(&signature.ident), signature.ident.span());
        let broken_body = false;
        let mut system = Self {
            arguments,
            attributes,
            visibility,
            signature,
            item,
            world,
            parameters,
            shapes,
            is_method,
            broken_body,
        };
        // `par` and `background` exclude exclusive access to the world
        if system.is_concrete() && system.par.is_none() && system.background.is_none() {
            system.find_target();
        }
        system
    }

    /// Marks a `&mut T` that is the only element as a target: `T` may be an alias of the world,
    /// which the trait `MutTarget` decides.
    fn find_target(&mut self) {
        let mut rows = self.parameters.iter_mut().filter(|parameter| parameter.is_row());
        if let (Some(only), None) = (rows.next(), rows.next())
            && let Type::Reference(TypeReference { mutability: Some(_), elem, .. }) = ungroup(&only.ty)
        {
            only.kind = Kind::Target(elem.clone());
        }
    }

    /// `T` of a `&mut T` that is the only element.
    pub(crate) fn target(&self) -> Option<&Type> {
        self.parameters.iter().find_map(|parameter| match &parameter.kind {
            Kind::Target(target) => Some(target.as_ref()),
            _ => None,
        })
    }

    /// Whether a parameter of the function is a tuple.
    pub(crate) fn has_tuple(&self) -> bool {
        self.shapes.iter().any(|shape| matches!(shape, Shape::Tuple(_)))
    }

    /// The arguments of a call of the function, made of a value for each parameter of the system.
    pub(crate) fn call_arguments(&self, values: impl Iterator<Item = TokenStream>) -> Vec<TokenStream> {
        let mut values = values;
        self.shapes.iter().map(|shape| shape.argument(&mut values)).collect()
    }

    /// The function's name, which is also the struct's.
    pub(crate) fn ident(&self) -> &Ident {
        &self.signature.ident
    }

    /// The name for messages and for `NAME`.
    pub(crate) fn name(&self) -> String {
        text(self.ident())
    }

    /// The types of its inputs: `T` of each parameter `In<T>`.
    pub(crate) fn inputs(&self) -> Vec<&Type> {
        let inputs = self.parameters.iter().filter_map(|parameter| match &parameter.kind {
            Kind::Input(input) => Some(input.as_ref()),
            _ => None,
        });
        inputs.collect()
    }

    /// The types of its first parameters that were reported because they are numbers or texts: most
    /// likely they are meant to be inputs.
    pub(crate) fn meant_inputs(&self) -> Vec<Type> {
        let meant = |one: &Parameter| meant_input(&one.node.ty).filter(|_| one.broken);
        self.parameters.iter().map_while(meant).collect()
    }

    /// Whether it runs once for every matching entity.
    pub(crate) fn is_per_entity(&self) -> bool {
        self.parameters.iter().any(Parameter::is_row)
    }

    /// Whether it takes the whole world.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.kind, Kind::World))
    }

    /// Whether it has one world and no type parameters, so that its constants are checked at its
    /// definition.
    pub(crate) fn is_concrete(&self) -> bool {
        matches!(self.world, World::Concrete(_)) && self.type_parameters().next().is_none()
    }

    /// The world as a type.
    pub(crate) fn world(&self) -> Written<'_> {
        match &self.world {
            World::Concrete(ty) => Written::Type(ty),
            World::Parameter(name) => Written::Name(name.clone()),
            World::Any => Written::Name(Ident::new("__W", Span::call_site())),
        }
    }

    /// The return type of the function.
    pub(crate) fn output(&self) -> Type {
        match &self.signature.output {
            ReturnType::Default => Type::Tuple(TypeTuple {
                attrs: Vec::new(),
                paren_token: Default::default(),
                elems: Punctuated::new(),
            }),
            ReturnType::Type(_, ty) => (**ty).clone(),
        }
    }

    /// The right type for an output `Result` of the standard library with fewer than two types. An
    /// alias that the file declares or imports is right.
    pub(crate) fn complete_result(&self) -> Option<String> {
        let output = self.output();
        let Type::Path(path) = ungroup(&output) else { return None };
        let only = path.path.segments.first().filter(|_| path.path.segments.len() == 1)?;
        let arguments = type_arguments(only);
        let is_short = only.ident == "Result" && arguments.len() < 2;
        if !is_short || source_file::may_declare("Result", only.ident.span()) {
            return None;
        }
        let value = arguments.first().map_or_else(|| "()".to_owned(), source);
        Some(format!("Result<{value}, Box<dyn std::error::Error + Send + Sync>>"))
    }

    /// The output of the system when a parameter skips it; `None` if the return type has no such
    /// value, as far as its tokens show.
    pub(crate) fn skipped_output(&self) -> Option<TokenStream> {
        let ty = self.output();
        let is_unit = |ty: &Type| matches!(ungroup(ty), Type::Tuple(tuple) if tuple.elems.is_empty());
        if is_unit(&ty) {
            return Some(quote!(()));
        }
        let (name, arguments) = named(&ty)?;
        match (name.as_str(), arguments.as_slice()) {
            ("bool", []) => Some(quote!(false)),
            ("Result", [ok, ..]) if is_unit(ok) => Some(quote!(::core::result::Result::Ok(()))),
            ("Option", [_]) => Some(quote!(::core::option::Option::None)),
            _ => None,
        }
    }

    /// The type and const parameters of the function without the world.
    pub(crate) fn type_parameters(&self) -> impl Iterator<Item = &GenericParam> {
        self.signature.generics.params.iter().filter(|parameter| match parameter {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(ty) => !matches!(&self.world, World::Parameter(world) if *world == ty.ident),
            GenericParam::Const(_) => true,
        })
    }

    /// The type parameters without any bound, except for the world: they may be borrows.
    pub(crate) fn unbounded(&self) -> Vec<&TypeParam> {
        let clause = self.signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let bounded: Vec<String> = clause
            .filter_map(|predicate| match predicate {
                WherePredicate::Type(bound) if !bound.bounds.iter().all(is_bundle) => {
                    Some(source(&bound.bounded_ty))
                }
                _ => None,
            })
            .collect();
        let parameters = self.type_parameters().filter_map(|parameter| match parameter {
            GenericParam::Type(ty) => Some(ty),
            _ => None,
        });
        parameters
            .filter(|ty| {
                let is_open = |bound| is_relaxing(bound) || trait_without_bounds(bound).is_some();
                ty.bounds.iter().all(is_open) && !bounded.contains(&text(&ty.ident))
            })
            .collect()
    }

    /// The names of [`System::type_parameters`].
    pub(crate) fn arguments(&self) -> Vec<&Ident> {
        self.type_parameters().filter_map(parameter_name).collect()
    }

    /// The struct, with its arguments.
    pub(crate) fn ty(&self) -> Written<'_> {
        with_arguments(self.ident(), &self.arguments(), false)
    }

    /// The function, with all its type arguments.
    pub(crate) fn function(&self) -> Written<'_> {
        let arguments: Vec<&Ident> =
            self.signature.generics.params.iter().filter_map(parameter_name).collect();
        with_arguments(self.ident(), &arguments, true)
    }

    /// The struct's parameters, without bounds, since the struct has no values of them.
    pub(crate) fn struct_parameters(&self) -> Vec<GenericParam> {
        self.type_parameters().cloned().map(without_bounds).collect()
    }

    /// The parameters of the impl.
    pub(crate) fn impl_parameters(&self) -> Vec<GenericParam> {
        let ecs = &self.ecs;
        let own =
            self.signature.generics.params.iter().filter(|one| !matches!(one, GenericParam::Lifetime(_)));
        let mut parameters: Vec<GenericParam> = own.cloned().collect();
        parameters.iter_mut().for_each(lifetimes::static_parameter);
        if matches!(self.world, World::Any) {
            parameters.push(parse_quote!(__W: #ecs::World));
        }
        parameters
    }

    /// The parameters and the predicates of an impl that does not depend on the world: those that
    /// do not name it.
    pub(crate) fn parameters_without_world(&self) -> (Vec<GenericParam>, Vec<WherePredicate>) {
        let names_world = |tokens: TokenStream| match &self.world {
            World::Parameter(world) => names_one_of(tokens, &|name| text(world) == name),
            World::Concrete(_) | World::Any => false,
        };
        let mut parameters: Vec<GenericParam> = self.type_parameters().cloned().collect();
        for parameter in &mut parameters {
            if let GenericParam::Type(ty) = parameter {
                let bounds = std::mem::take(&mut ty.bounds).into_iter();
                ty.bounds = bounds.filter(|bound| !names_world(bound.to_token_stream())).collect();
            }
            lifetimes::static_parameter(parameter);
        }
        let own = self.signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let types =
            own.filter(|one| matches!(one, WherePredicate::Type(_)) && !names_world(one.to_token_stream()));
        (parameters, types.map(lifetimes::static_predicate).collect())
    }

    /// Whether the types of its inputs depend on the world.
    pub(crate) fn has_inputs_of_world(&self) -> bool {
        match &self.world {
            World::Parameter(world) => {
                let inputs = self.inputs();
                names_one_of(quote!(#(#inputs)*), &|name| text(world) == name)
            }
            World::Concrete(_) | World::Any => false,
        }
    }

    /// The predicates of the function's where clause, for an impl.
    pub(crate) fn predicates(&self) -> Vec<WherePredicate> {
        let ecs = &self.ecs;
        let own = self.signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let types = own.filter(|predicate| matches!(predicate, WherePredicate::Type(_)));
        let mut predicates: Vec<WherePredicate> = types.map(lifetimes::static_predicate).collect();
        if let World::Parameter(world) = &self.world {
            predicates.push(parse_quote!(#world: #ecs::World));
        }
        if self.background.is_some() && !matches!(self.world, World::Concrete(_)) {
            let world = self.world();
            predicates.push(parse_quote!(#world: #ecs::__private::BackgroundWorld));
        }
        predicates
    }
}

impl std::ops::Deref for System {
    type Target = Arguments;
    fn deref(&self) -> &Arguments {
        &self.arguments
    }
}

impl World {
    pub(crate) fn of(named: Option<Type>, signature: &Signature) -> Self {
        let Some(ty) = named else { return Self::Any };
        let parameter =
            signature.generics.type_params().find(|parameter| source(&parameter.ident) == source(&ty));
        match parameter {
            Some(parameter) => Self::Parameter(with_span_of(&parameter.ident, &ty)),
            None => Self::Concrete(Box::new(ty)),
        }
    }

    /// The source text of the world, if the attribute names one.
    pub(crate) fn spelled(&self) -> Option<String> {
        match self {
            Self::Concrete(ty) => Some(spelled(ty)),
            Self::Parameter(name) => Some(name.to_string()),
            Self::Any => None,
        }
    }
}

fn with_span_of(name: &Ident, ty: &Type) -> Ident {
    let span = ty.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let mut name = name.clone();
    name.set_span(span);
    name
}

fn with_arguments<'a>(name: &Ident, arguments: &[&Ident], turbofish: bool) -> Written<'a> {
    if arguments.is_empty() {
        return Written::Name(name.clone());
    }
    let turbofish = turbofish.then(|| quote!(::));
    Written::Tokens(quote!(#name #turbofish <#(#arguments),*>))
}

fn parameter_name(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(ty) => Some(&ty.ident),
        GenericParam::Const(constant) => Some(&constant.ident),
    }
}

/// Whether the bound is `Bundle<..>`, which a borrow may have.
fn is_bundle(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound)
        if bound.path.segments.last().is_some_and(|last| last.ident == "Bundle"))
}

/// Whether the bound is `?Sized`.
fn is_relaxing(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.maybe.is_some())
}

/// The parameter for the struct: without bounds except `?Sized`.
fn without_bounds(mut parameter: GenericParam) -> GenericParam {
    if let GenericParam::Type(ty) = &mut parameter {
        ty.bounds = std::mem::take(&mut ty.bounds).into_iter().filter(is_relaxing).collect();
        ty.colon_token = (!ty.bounds.is_empty()).then(Default::default);
    }
    parameter
}

/// The trait of a bound that its file declares without bounds of its own.
pub(crate) fn trait_without_bounds(bound: &TypeParamBound) -> Option<&Ident> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    bound.path.get_ident().filter(|name| source_file::is_trait_without_bounds(name))
}
