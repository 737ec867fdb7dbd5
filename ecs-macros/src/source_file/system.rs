//! The systems that the file of a macro declares: their signatures and what their bodies do.

use syn::FnArg;

use super::*;
use crate::built_in::BuiltIn;

/// The names of the type parameters that the system `name` needs, without that of its world, if the
/// file declares one function of this name and does not import another.
pub(crate) fn type_parameters_of(name: &proc_macro2::Ident) -> Vec<String> {
    let Some((source, _)) = file_of(name.span()) else { return Vec::new() };
    type_parameters_in(&source, &text(name))
}

fn type_parameters_in(source: &SourceText, name: &str) -> Vec<String> {
    parameters_in(source, name).iter().map(|parameter| text(&parameter.ident)).collect()
}

fn parameters_in(source: &SourceText, name: &str) -> Vec<syn::TypeParam> {
    let Some((at, end)) = source.only("fn", name) else { return Vec::new() };
    // the world in `#[system(W)]` is no argument
    let Some((_, options)) = above(&source.text, at).split_once("system") else { return Vec::new() };
    let world = options.strip_prefix('(').and_then(|rest| rest.split([',', ')']).next());
    let list = source.text[end..].split(['(', '{']).next().unwrap_or_default();
    let Ok(generics) = syn::parse_str::<syn::Generics>(list) else { return Vec::new() };
    let is_argument = |one: &&syn::TypeParam| world.is_none_or(|world| one.ident != world.trim());
    generics.type_params().filter(is_argument).cloned().collect()
}

/// The nouns for the bounds of the type parameters that the system `name` needs: `component` for
/// `T: Component`.
pub(crate) fn nouns_of_parameters(name: &proc_macro2::Ident) -> Vec<Option<&'static str>> {
    let Some((source, _)) = file_of(name.span()) else { return Vec::new() };
    let noun = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let of_trait = &bound.path.segments.last()?.ident;
            NOUNS.iter().find(|(derive, _)| of_trait == derive).map(|(_, noun)| *noun)
        }
        _ => None,
    };
    let parameters = parameters_in(&source, &text(name));
    parameters.iter().map(|parameter| parameter.bounds.iter().find_map(noun)).collect()
}

/// Whether the file shows that the system `name` has no input, if the file declares one function of
/// this name and does not import another: all its parameters are of the library, or borrows.
pub(crate) fn takes_no_input(name: &proc_macro2::Ident) -> bool {
    signature_of(name).is_some_and(|signature| takes_no_input_in(&signature))
}

fn takes_no_input_in(signature: &syn::Signature) -> bool {
    signature.inputs.iter().all(|parameter| match parameter {
        FnArg::Typed(parameter) => match ungroup(&parameter.ty) {
            Type::Reference(_) => true,
            ty => BuiltIn::named(ty).is_some_and(|(built_in, _)| built_in.name != "In"),
        },
        FnArg::Receiver(_) => false,
    })
}

/// Whether the file shows that the system `name` has an input.
pub(crate) fn takes_an_input(name: &proc_macro2::Ident) -> bool {
    let is_input = |parameter: &FnArg| match parameter {
        FnArg::Typed(parameter) => {
            BuiltIn::named(&parameter.ty).is_some_and(|(built_in, _)| built_in.name == "In")
        }
        FnArg::Receiver(_) => false,
    };
    file_of(name.span()).is_some_and(|(source, _)| source.has_inputs)
        && signature_of(name).is_some_and(|signature| signature.inputs.iter().any(is_input))
}

/// The signature of the system `name`, if the file declares one function of this name and does not
/// import another.
pub(crate) fn signature_of(name: &proc_macro2::Ident) -> Option<syn::Signature> {
    let (source, _) = file_of(name.span())?;
    signature_in(&source, &text(name))
}

fn signature_in(source: &SourceText, name: &str) -> Option<syn::Signature> {
    let (at, _) = source.only("fn", name).filter(|&(at, _)| above(&source.text, at).contains("#[system"))?;
    syn::parse_str(source.text[at..].split('{').next()?).ok()
}

/// Whether the file declares one function of this name, a system without `pub`.
pub(crate) fn is_private_system(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    source.only("fn", &text(name)).is_some_and(|(at, _)| {
        let above = above(&source.text, at);
        above.contains("#[system") && !words(above).any(|word| word == "pub")
    })
}

/// The type that the system `name` returns, if the file declares one function of this name.
pub(crate) fn output_of(name: &proc_macro2::Ident) -> Option<String> {
    let (source, _) = file_of(name.span())?;
    let (_, end) = source.only("fn", &text(name))?;
    let (_, output) = source.text[end..].split(['{', ';']).next()?.split_once("->")?;
    Some(output.split("where").next()?.trim().to_owned())
}

/// Whether the function `name` stops events on their way, if the file declares one function of this
/// name.
pub(crate) fn stops_events(name: &proc_macro2::Ident) -> bool {
    file_of(name.span()).is_some_and(|(source, _)| {
        let found = source.only("fn", &text(name));
        let text = found.and_then(|(at, _)| source.text[at..].split("#[").next());
        text.is_some_and(|text| text.contains("stop_propagation") && text.contains("Bubbling<"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_parameters_of_systems_are_found() {
        let of = |text: &str| type_parameters_in(&SourceText::new(text.to_owned()), "step");
        assert_eq!(of("#[system(Game)] fn step<T: Component, const N: usize>(all: Query<&T>) {}"), ["T"]);
        assert_eq!(of("#[system] pub fn step<A, B: 'static>() {}"), ["A", "B"]);
        assert_eq!(of("#[system(W)] fn step<W: World + Has<A>, S>() {}"), ["S"]);
        for unknown in [
            "#[system(W)] fn step<W: World>() {}",
            "#[system(Game)] fn step<'w>(all: Query<'w, &A>) {}",
            "#[system(Game)] fn step(all: Query<&A>) {}",
            "fn step<T>() {}",
            "use other::step; mod a { #[system] fn step<T>() {} }",
            "#[system] fn step<T>() {} mod a { fn step() {} }",
            "#[system] fn steps<T>() {}",
        ] {
            assert_eq!(of(unknown), [""; 0], "{unknown}");
        }
    }
}
