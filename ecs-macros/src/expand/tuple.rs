//! Nests tuples, so that lists of any length fit the library's impls for tuples.

use proc_macro2::TokenStream;
use quote::quote;

/// The longest tuple that implements the library's traits.
pub(crate) const LONGEST: usize = 12;

/// A tuple of `items`, which are types, patterns or expressions. With more than twelve items, a
/// tuple of tuples in the same order.
pub(crate) fn nest(items: &[TokenStream]) -> TokenStream {
    if items.len() <= LONGEST {
        return quote!((#(#items,)*));
    }
    let size = items.len().div_ceil(LONGEST).next_power_of_two().max(LONGEST);
    let groups: Vec<TokenStream> = items.chunks(size).map(nest).collect();
    nest(&groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tuple_is_longer_than_twelve() {
        for length in [0, 1, 12, 13, 144, 145, 1000] {
            let items: Vec<TokenStream> = (0..length).map(|_| quote!(x)).collect();
            let ty: syn::Type = syn::parse2(nest(&items)).expect("is a tuple");
            assert_eq!(leaves(&ty), length);
        }
    }

    fn leaves(ty: &syn::Type) -> usize {
        let syn::Type::Tuple(tuple) = ty else { return 1 };
        assert!(tuple.elems.len() <= LONGEST);
        tuple.elems.iter().map(leaves).sum()
    }
}
