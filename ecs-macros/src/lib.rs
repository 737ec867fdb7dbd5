//! The derives, `world!` and `#[system]` of the `ecs` crate, which re-exports them.

mod cfg;
mod check;
mod diagnostic;
mod expand;
mod lifetimes;
mod model;
mod names;
mod parse;
mod span;
mod stages;

use proc_macro::TokenStream;

#[proc_macro_derive(Component, attributes(component))]
pub fn component(item: TokenStream) -> TokenStream {
    stages::component(item.into()).into()
}

#[proc_macro_derive(Resource, attributes(resource))]
pub fn resource(item: TokenStream) -> TokenStream {
    stages::resource(item.into()).into()
}

#[proc_macro_derive(Event, attributes(event))]
pub fn event(item: TokenStream) -> TokenStream {
    stages::event(item.into()).into()
}

#[proc_macro_derive(Bundle, attributes(bundle))]
pub fn bundle(item: TokenStream) -> TokenStream {
    stages::bundle(item.into()).into()
}

#[proc_macro_derive(Query, attributes(query))]
pub fn query(item: TokenStream) -> TokenStream {
    stages::query(item.into()).into()
}

#[proc_macro_attribute]
pub fn system(arguments: TokenStream, item: TokenStream) -> TokenStream {
    stages::system(arguments.into(), item.into()).into()
}

#[proc_macro]
pub fn world(tokens: TokenStream) -> TokenStream {
    stages::world(tokens.into()).into()
}
