//! Routes requests: checks access (`auth`), serves the files of the page, and passes its posts to the sessions.

use super::auth::Auth;
use super::http::{HttpError, HttpMethod, HttpRequest, HttpResponse};
use chuhe_toolkit::board_page::BoardPage;
use chuhe_toolkit::board_page::client::Client;
use chuhe_toolkit::board_page::sessions::{self, ApiError, Sessions};
use serde::Serialize;
use std::sync::Arc;

const NOT_FOUND: HttpError = HttpError { status: 404, reason: "there is nothing of this name" };

/// The answer to a request.
pub enum Answer {
    Now(HttpResponse),
    /// The events of a page, as a stream.
    Stream(Arc<Client>, u64),
}

pub struct Router {
    pub guard: Auth,
    pub sessions: Sessions,
}

#[derive(Serialize)]
struct Key<'a> {
    token: &'a str,
}

impl Router {
    /// Answers any request.
    pub fn answer(&self, request: &HttpRequest) -> Answer {
        self.route(request).unwrap_or_else(|refusal| Answer::Now(HttpResponse::error(refusal)))
    }

    fn route(&self, request: &HttpRequest) -> Result<Answer, HttpError> {
        self.guard.check_origin(request)?;
        if request.method == HttpMethod::Get {
            return Ok(Answer::Now(self.file(&request.path)?));
        }
        if request.path == "/key" {
            let key = Key { token: self.guard.redeem_one_time_key(request)? };
            return Ok(Answer::Now(HttpResponse::json(200, serde_json::to_string(&key).unwrap_or_default())));
        }
        self.guard.check_token(request)?;
        match self.sessions.answer(&request.path, &request.body) {
            Ok(sessions::RouteAnswer::Json(json)) => Ok(Answer::Now(HttpResponse::json(200, json))),
            Ok(sessions::RouteAnswer::Stream(client, seen)) => Ok(Answer::Stream(client, seen)),
            Err(ApiError::NotFound) => Err(NOT_FOUND),
            Err(ApiError::BadRequest) => Err(HttpError::BAD_REQUEST),
        }
    }

    /// A file of the page. None of them holds a secret.
    fn file(&self, path: &str) -> Result<HttpResponse, HttpError> {
        let page = self.sessions.page();
        let (kind, text) = match path {
            "/" => ("text/html; charset=utf-8", self.sessions.html()),
            "/board.css" => ("text/css; charset=utf-8", page.style.clone()),
            "/board.js" => ("text/javascript; charset=utf-8", page.script.clone()),
            _ => return Err(NOT_FOUND),
        };
        let policy = (path == "/").then_some(BoardPage::POLICY);
        // Before the first page has shown its token, nothing that the browser has stored is ours.
        let clears_site = path == "/" && !self.sessions.was_opened();
        Ok(HttpResponse { status: 200, content_type: kind, policy, clears_site, body: text.into_bytes() })
    }
}
