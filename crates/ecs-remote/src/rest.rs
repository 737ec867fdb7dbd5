//! The subset of the REST interface of flecs that the flecs explorer asks for.

use crate::dispatch::{Door, Request, Response};

/// Answers a request.
pub(crate) fn answer(_door: &mut Door<'_>, request: &Request) -> Response {
    let path = request.target.split('?').next().unwrap_or("");
    Response::error(404, &format!("there is nothing at `{path}`"))
}
