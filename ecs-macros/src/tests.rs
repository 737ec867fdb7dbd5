//! Tests of the tokens of expansions: they parse as items, one mistake gives one message, and no
//! `unsafe` has the user's span. The tests of the library cover the behaviour of the items.

mod data;
mod docs;
mod fuzz;
mod reflect;
mod system;
mod world;

use proc_macro2::TokenStream;

use crate::names::source;

/// The messages in an expansion. Asserts that it parses as items.
fn messages(expansion: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expansion).expect("is a list of items");
    let errors = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(call) if source(&call.mac.path) == "::core::compile_error" => Some(call.mac.tokens),
        _ => None,
    });
    errors.map(|tokens| syn::parse2::<syn::LitStr>(tokens).expect("is a message").value()).collect()
}

/// The message of an expansion. Asserts that there is only one.
fn message(expansion: TokenStream) -> String {
    let mut messages = messages(expansion);
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.remove(0)
}

/// The tokens of a program in which a test has its input.
fn tokens(text: &str) -> TokenStream {
    text.parse().expect("lexes")
}

/// Asserts for each item that its expansion has one message, with this part.
fn each_is_reported_once(expand: fn(TokenStream) -> TokenStream, cases: &[(&str, &str)]) {
    for (item, part) in cases {
        let reported = messages(expand(tokens(item)));
        assert!(reported.len() == 1 && reported[0].contains(part), "{item}: {reported:?}");
    }
}

fn clean(expansion: TokenStream) -> String {
    assert_eq!(messages(expansion.clone()), Vec::<String>::new());
    source(&expansion)
}
