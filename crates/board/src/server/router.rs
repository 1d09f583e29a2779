//! Routes requests: checks access (`auth`), serves the files of the page, and passes its posts to the sessions.

use super::auth::Auth;
use super::http::{HttpError, HttpMethod, HttpRequest, HttpResponse};
use super::qr_code;
use crate::BoardPage;
use crate::requests::Reply;
use crate::sessions::{ApiError, Sessions};
use chuhe_app::access::Access;
use chuhe_app::client::Client;
use chuhe_app::files::FileDownload;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;

const NOT_FOUND: HttpError = HttpError { status: 404, reason: "there is nothing of this name" };

/// The maximum size of a body without a token.
const MAX_STRANGER_BODY_SIZE: usize = 1024;

/// The answer to a request.
pub enum Answer {
    Now(HttpResponse),
    /// A file, which is written while it is sent.
    File(FileDownload),
    /// The events of a page, as a stream.
    Stream(Arc<Client>, u64),
}

pub struct Router {
    pub guard: Auth,
    pub sessions: Sessions,
}

#[derive(Serialize)]
struct TokenReply {
    token: String,
}

/// How the next device is paired.
#[derive(Serialize)]
struct Invitation {
    address: String,
    /// The address as a picture.
    qr: String,
    /// The addresses of the paired devices, and of those that have to wait because of wrong codes.
    devices: Vec<IpAddr>,
    slowed: Vec<IpAddr>,
}

/// Asks for an invitation: of a device, of the other player of a game, or of who watches it.
#[derive(Deserialize, Default)]
struct InvitationRequest {
    access: Option<Access>,
}

/// Sends a paired device away.
#[derive(Deserialize)]
struct DismissRequest {
    device: IpAddr,
}

impl Router {
    /// Answers any request.
    pub fn answer(&self, request: &HttpRequest, peer: IpAddr) -> Answer {
        self.route(request, peer).unwrap_or_else(|refusal| Answer::Now(HttpResponse::error(refusal)))
    }

    /// Whether a request is answered, by its head alone, and how long its body may be.
    pub fn admit(&self, request: &HttpRequest, peer: IpAddr) -> Result<usize, HttpError> {
        self.guard.check_origin(request, peer)?;
        let needs_token = request.method == HttpMethod::Post && request.path != "/token";
        if needs_token {
            self.guard.check_token(request, peer).map(Access::max_body_size)
        } else {
            Ok(MAX_STRANGER_BODY_SIZE)
        }
    }

    fn route(&self, request: &HttpRequest, peer: IpAddr) -> Result<Answer, HttpError> {
        self.admit(request, peer)?;
        if request.method == HttpMethod::Get {
            return Ok(Answer::Now(self.file(request, peer)?));
        }
        if request.path == "/token" {
            let reply = TokenReply { token: self.guard.redeem_one_time_key(request, peer)? };
            return Ok(Answer::Now(json(&reply)));
        }
        if request.path == "/dismiss" {
            let device: DismissRequest = serde_json::from_slice(&request.body).map_err(|_| HttpError::BAD_REQUEST)?;
            self.guard.lan().filter(|_| peer.is_loopback()).ok_or(NOT_FOUND)?.dismiss(device.device);
        }
        if ["/invitation", "/dismiss"].contains(&request.path.as_str()) {
            let wanted: InvitationRequest = serde_json::from_slice(&request.body).unwrap_or_default();
            let access = wanted.access.unwrap_or(Access::Device);
            return Ok(Answer::Now(json(&self.invitation(peer, access).ok_or(NOT_FOUND)?)));
        }
        let access = self.guard.check_token(request, peer)?;
        match self.sessions.answer(access, &request.path, &request.body) {
            Ok(Reply::Json(json)) => Ok(Answer::Now(HttpResponse::json(json))),
            Ok(Reply::File(file)) => Ok(Answer::File(file)),
            Ok(Reply::Stream(client, seen)) => Ok(Answer::Stream(client, seen)),
            Err(ApiError::NotFound) => Err(NOT_FOUND),
            Err(ApiError::BadRequest) => Err(HttpError::BAD_REQUEST),
        }
    }

    /// The invitation of a device, for the page on this machine.
    fn invitation(&self, peer: IpAddr, access: Access) -> Option<Invitation> {
        let lan = self.guard.lan().filter(|_| peer.is_loopback())?;
        let address = lan.invitation(self.guard.port(), access)?;
        let (devices, slowed) = (lan.paired_devices(), lan.slowed_addresses());
        Some(Invitation { qr: qr_code::svg(&address)?, address, devices, slowed })
    }

    /// The page; on this machine it says that the board is shared.
    fn html(&self, request: &HttpRequest, peer: IpAddr) -> String {
        let named = request.query.split('&').find_map(|field| field.strip_prefix("language=")?.parse().ok());
        let html = self.sessions.html(named, request.accept_language.as_deref());
        let is_shared = peer.is_loopback() && self.guard.lan().is_some();
        if is_shared { html.replacen("<html ", "<html data-lan ", 1) } else { html }
    }

    /// A file of the page. None of them holds a secret.
    fn file(&self, request: &HttpRequest, peer: IpAddr) -> Result<HttpResponse, HttpError> {
        let (page, path) = (self.sessions.page(), request.path.as_str());
        let module = |path: &str| Some(page.module(path.strip_prefix('/')?)?.to_string());
        let (kind, text) = match path {
            "/" => ("text/html; charset=utf-8", self.html(request, peer)),
            "/board.css" => ("text/css; charset=utf-8", page.style.clone()),
            path => ("text/javascript; charset=utf-8", module(path).ok_or(NOT_FOUND)?),
        };
        let policy = (path == "/").then_some(BoardPage::POLICY);
        // Before the first page has shown its token, nothing that the browser has stored is ours.
        let clears_site = path == "/" && !self.sessions.was_opened();
        Ok(HttpResponse { policy, clears_site, ..HttpResponse::new(200, kind, text) })
    }
}

fn json(value: &impl Serialize) -> HttpResponse {
    HttpResponse::json(serde_json::to_string(value).unwrap_or_default())
}
