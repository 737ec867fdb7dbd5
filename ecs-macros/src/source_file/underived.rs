//! [`Underived`]: a type whose declaration has no derive of this library.

use super::*;
use crate::words::has_word;

/// A type without a derive.
#[derive(Debug, PartialEq)]
pub(crate) struct Underived {
    /// The item, without its attributes.
    pub(crate) item: String,
    /// Whether it has a misspelt derive or an attribute in its place, which the compiler reports.
    pub(crate) is_reported: bool,
}

/// The derives of the standard library and of serde, and `Reflect`, which make nothing else of a
/// type.
pub(super) const STANDARD: &str =
    "Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash Serialize Deserialize Reflect";

/// With `is_listed`, it may have the derives of what a world lists.
pub(super) fn underived_in(source: &str, name: &str, of_trait: &str, is_listed: bool) -> Option<Underived> {
    let file = syn::parse_file(source).ok()?;
    let lists = lists(&file);
    let items = || lists.iter().flat_map(|list| list.items.iter().copied());
    let may_be_implemented = items().any(|item| match item {
        Item::Impl(found) => {
            let last = found.trait_.as_ref().and_then(|(path, _)| path.segments.last());
            last.is_some_and(|last| text(&last.ident).contains(of_trait) || last.ident == "ComponentOf")
        }
        Item::Macro(call) => {
            let is_own = ["world", "parts"].iter().any(|own| is_last(&call.mac.path, own));
            !is_own && words_in(call.mac.tokens.clone()).iter().any(|word| word == name)
        }
        _ => false,
    });
    let declared: Vec<(Vec<Attribute>, TokenStream)> = items()
        .filter_map(|item| match item.clone() {
            Item::Struct(mut item) if item.ident == name => {
                Some((std::mem::take(&mut item.attrs), item.into_token_stream()))
            }
            Item::Enum(mut item) if item.ident == name => {
                Some((std::mem::take(&mut item.attrs), item.into_token_stream()))
            }
            _ => None,
        })
        .collect();
    let [(attributes, item)] = <[_; 1]>::try_from(declared).ok()?;
    let (derives, others): (Vec<Attribute>, Vec<Attribute>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("derive"));
    let derived: Vec<String> = derives
        .iter()
        .flat_map(|derive| {
            words_in(derive.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default())
        })
        .collect();
    let is_misspelt = |word: &String| {
        word != of_trait
            && !crate::foreign::is_derive(word)
            && crate::names::nearest(word, &[of_trait]).is_some()
    };
    // `#[component]` in place of the derive, which the compiler reports
    let (in_place, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|attribute| attribute.path().is_ident(&of_trait.to_lowercase()));
    let is_reported = derived.iter().any(is_misspelt) || !in_place.is_empty();
    let is_of_a_list = |word: &String| is_listed && LISTED.contains(&word.to_lowercase().as_str());
    let are_known =
        derived.iter().all(|word| has_word(STANDARD, word) || is_misspelt(word) || is_of_a_list(word));
    (!may_be_implemented && are_known && are_inert(&others))
        .then(|| Underived { item: item.to_string(), is_reported })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_types_without_a_derive_are_found() {
        let of = |source: &str| {
            underived_in(source, "Position", "Component", false).map(|found| found.is_reported)
        };
        assert_eq!(of("#[derive(Clone)] struct Position(f32);"), Some(false));
        assert_eq!(of("mod a { /// A place.\n pub enum Position { A } }"), Some(false));
        assert_eq!(of("#[derive(Componet)] struct Position(f32);"), Some(true));
        for derived in [
            "#[derive(Own)] struct Position(f32);",
            "#[own] struct Position(f32);",
            "struct Position(f32); impl own::Component for Position {}",
            "struct Position(f32); derive_all!(Position);",
            "struct Position(f32); mod a { struct Position; }",
            "use a::Position;",
        ] {
            assert_eq!(of(derived), None, "{derived}");
        }
    }
}
