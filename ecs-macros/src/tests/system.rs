//! Tests of `#[system]`.

use quote::quote;

use super::{clean, message, tokens};
use crate::names::source;
use crate::stages;

#[test]
fn systems_of_every_kind_expand() {
    for (arguments, function) in [
        ("Game", "fn s(a: &mut A, b: Option<&B>, _: Without<C>, d: Res<D>) {}"),
        (
            "Game",
            "pub(crate) fn s(q: Query<(Entity, (&A, &B)), Or<(With<C>, Not<With<D>>)>>) -> bool { true }",
        ),
        ("game::Game", "fn r#type(world: &mut game::Game, mut n: Local<u32>) {}"),
        ("", "fn s<'a, T: Component>(a: &'a T, e: Each<Mover<'_>>) where T: Copy {}"),
        ("W", "fn s<W: World, const N: usize>(world: &mut W) {}"),
        ("Game", "#[cfg(test)] fn nothing() {}"),
    ] {
        clean(stages::system(tokens(arguments), tokens(function)));
    }
}

#[test]
fn more_than_twelve_elements_are_nested() {
    let parameters = (0..30).map(|index| {
        let name = quote::format_ident!("p{index}");
        quote!(#name: Is<A>)
    });
    clean(stages::system(tokens("Game"), quote!(fn s(#(#parameters),*) {})));
}

#[test]
fn filters_outside_of_a_tuple_are_put_into_one() {
    let text = message(stages::system(tokens("Game"), tokens("fn s(q: Query<&A, With<B>, Without<C>>) {}")));
    assert!(
        text.contains("put the filters into a tuple, write `Query<&A, (With<B>, Without<C>)>`"),
        "{text}"
    );
}

#[test]
fn a_refused_system_keeps_its_function() {
    for (function, part) in [
        ("async fn s() {}", "is `async`"),
        ("const fn s() {}", "is `const`"),
        ("unsafe fn s() {}", "is `unsafe`"),
        (r#"extern "C" fn s() {}"#, "is `extern`"),
        ("fn s(&self) {}", "takes `self`"),
        ("fn s(a: impl Fn()) {}", "`impl Trait`"),
        ("fn s(q: Query<()>) {}", "query `q` is empty"),
        ("fn s(world: &Game) {}", "`&mut Game`"),
        ("fn s(a: &A) -> bool { true }", "returns `bool`"),
        ("fn s() -> ! { loop {} }", "never returns"),
        ("struct s;", "is for functions"),
    ] {
        let expansion = stages::system(tokens("Game"), tokens(function));
        assert!(source(&expansion).contains(" s"), "the item is there");
        let reported = message(expansion);
        assert!(reported.contains(part), "{reported}");
    }
}
