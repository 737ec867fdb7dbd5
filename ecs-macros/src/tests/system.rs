//! Tests of `#[system]`.

use super::{message, tokens};
use crate::names::source;
use crate::stages;

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
