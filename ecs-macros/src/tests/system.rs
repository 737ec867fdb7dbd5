//! Tests of `#[system]`.

use quote::quote;

use super::{clean, message};
use crate::names::source;
use crate::stages;

#[test]
fn systems_of_every_kind_expand() {
    for (arguments, function) in [
        (
            quote!(Game),
            quote!(
                fn s(a: &mut A, b: Option<&B>, _: Without<C>, d: Res<D>) {}
            ),
        ),
        (
            quote!(Game),
            quote!(
                pub(crate) fn s(q: Query<(Entity, (&A, &B)), Or<(With<C>, Not<With<D>>)>>) -> bool {
                    true
                }
            ),
        ),
        (
            quote!(game::Game),
            quote!(
                fn r#type(world: &mut game::Game, mut n: Local<u32>) {}
            ),
        ),
        (
            quote!(),
            quote!(
                fn s<'a, T: Component>(a: &'a T, e: Each<Mover<'_>>)
                where
                    T: Copy,
                {
                }
            ),
        ),
        (
            quote!(W),
            quote!(
                fn s<W: World, const N: usize>(world: &mut W) {}
            ),
        ),
        (
            quote!(Game),
            quote!(
                #[cfg(test)]
                fn nothing() {}
            ),
        ),
    ] {
        clean(stages::system(arguments, function));
    }
}

#[test]
fn more_than_twelve_elements_are_nested() {
    let parameters = (0..30).map(|index| {
        let name = quote::format_ident!("p{index}");
        quote!(#name: Is<A>)
    });
    clean(stages::system(quote!(Game), quote!(fn s(#(#parameters),*) {})));
}

#[test]
fn filters_outside_of_a_tuple_are_put_into_one() {
    let text = message(stages::system(
        quote!(Game),
        quote!(
            fn s(q: Query<&A, With<B>, Without<C>>) {}
        ),
    ));
    assert!(
        text.contains("put the filters into a tuple, write `Query<&A, (With<B>, Without<C>)>`"),
        "{text}"
    );
}

#[test]
fn a_refused_system_keeps_its_function() {
    for (function, part) in [
        (
            quote!(
                async fn s() {}
            ),
            "is `async`",
        ),
        (
            quote!(
                const fn s() {}
            ),
            "is `const`",
        ),
        (
            quote!(
                unsafe fn s() {}
            ),
            "is `unsafe`",
        ),
        (
            quote!(
                extern "C" fn s() {}
            ),
            "is `extern`",
        ),
        (
            quote!(
                fn s(&self) {}
            ),
            "takes `self`",
        ),
        (
            quote!(
                fn s(a: impl Fn()) {}
            ),
            "`impl Trait`",
        ),
        (
            quote!(
                fn s(q: Query<()>) {}
            ),
            "query `q` is empty",
        ),
        (
            quote!(
                fn s(world: &Game) {}
            ),
            "`&mut Game`",
        ),
        (
            quote!(
                fn s(a: &A) -> bool {
                    true
                }
            ),
            "returns `bool`",
        ),
        (
            quote!(
                fn s() -> ! {
                    loop {}
                }
            ),
            "never returns",
        ),
        (
            quote!(
                struct s;
            ),
            "is for functions",
        ),
    ] {
        let expansion = stages::system(quote!(Game), function);
        assert!(source(&expansion).contains(" s"), "the item is there");
        let reported = message(expansion);
        assert!(reported.contains(part), "{reported}");
    }
}
