//! Authorizes requests: only the board page of the user who knows the token, and no other page in the browser. A shared
//! board also accepts the devices that were paired (`lan`).
//!
//! A browser lets any page send requests to this machine, but such a page can neither forge its host or origin nor know
//! the token, which is in the fragment of the address and so in no request and no log.

use super::http::{HttpError, HttpMethod, HttpRequest};
use super::lan::{Lan, constant_time_eq, random_token};
use chuhe_app::access::Access;
use chuhe_support::lock::Lock;
use std::net::IpAddr;
use std::sync::Mutex;

/// The secrets that a request is checked against.
pub struct Auth {
    port: u16,
    token: String,
    /// Exchanged for the token, once. Arguments of a process are visible to all users of the machine, so the browser is
    /// started with this key instead of the token.
    one_time_key: Mutex<Option<String>>,
    /// The local network, if the board is shared there.
    lan: Option<Lan>,
}

/// The port that addresses need not name.
const HTTP_PORT: u16 = 80;

const WRONG_HOST: HttpError = HttpError { status: 403, reason: "another host is meant" };
const WRONG_ORIGIN: HttpError = HttpError { status: 403, reason: "another page asks" };
const SERVICE_WORKER: HttpError = HttpError { status: 403, reason: "there is no service worker here" };
const WRONG_TOKEN: HttpError =
    HttpError { status: 403, reason: "the token is missing: open the address that the program has printed" };
const WRONG_CONTENT_TYPE: HttpError = HttpError { status: 415, reason: "only application/json" };

impl Auth {
    /// Creates a random token.
    pub fn new(port: u16) -> Auth {
        let invitation = Mutex::new(Some(format!("once-{}", random_token())));
        Auth { port, token: random_token(), one_time_key: invitation, lan: None }
    }

    /// The same for a board that is shared on the local network.
    pub fn with_lan(self, lan: Lan) -> Auth {
        Auth { lan: Some(lan), ..self }
    }

    /// The local network, if the board is shared there.
    pub fn lan(&self) -> Option<&Lan> {
        self.lan.as_ref()
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token)
    }

    /// The same for one visit.
    pub fn one_time_address(&self) -> String {
        let invitation = self.one_time_key.locked();
        format!("http://127.0.0.1:{}/#{}", self.port, invitation.as_deref().unwrap_or_default())
    }

    /// Returns a token in exchange for a one-time key: the token of this machine, or that of a device that is paired.
    /// Works once.
    pub fn redeem_one_time_key(&self, request: &HttpRequest, peer: IpAddr) -> Result<String, HttpError> {
        let brought = request.token.as_deref().unwrap_or_default();
        if !peer.is_loopback() {
            return self.lan.as_ref().ok_or(WRONG_TOKEN)?.pair(brought, peer);
        }
        let mut invitation = self.one_time_key.locked();
        match invitation.take_if(|invitation| constant_time_eq(invitation, brought)) {
            Some(_) => Ok(self.token.clone()),
            None => Err(WRONG_TOKEN),
        }
    }

    /// Whether the one-time key has been exchanged.
    pub fn is_redeemed(&self) -> bool {
        self.one_time_key.locked().is_none()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// The hosts that a request from this address may name.
    fn host_names(&self, peer: IpAddr) -> Vec<String> {
        let names: Vec<String> = if peer.is_loopback() {
            ["127.0.0.1", "localhost"].map(String::from).to_vec()
        } else {
            self.lan.iter().flat_map(Lan::addresses).map(ToString::to_string).collect()
        };
        let with_port: Vec<String> = names.iter().map(|name| format!("{name}:{}", self.port)).collect();
        // A browser leaves out the usual port.
        if self.port == HTTP_PORT { [names, with_port].concat() } else { with_port }
    }

    /// Checks that a request comes from the board page.
    pub fn check_origin(&self, request: &HttpRequest, peer: IpAddr) -> Result<(), HttpError> {
        let names = self.host_names(peer);
        let host = request.host.as_ref().filter(|host| names.contains(host)).ok_or(WRONG_HOST)?;
        let is_own = |origin: &String| origin.strip_prefix("http://") == Some(host);
        let is_near = |site: &String| ["same-origin", "none"].contains(&site.as_str());
        let is_worker = request.fetch_dest.as_deref() == Some("serviceworker");
        if is_worker || request.service_worker.is_some() {
            return Err(SERVICE_WORKER);
        }
        // Anything may lead to the page, which holds no secret: a link, and the file that the browser is started with.
        let leads_to_page = request.method == HttpMethod::Get
            && request.path == "/"
            && request.fetch_mode.as_deref() == Some("navigate")
            && request.fetch_dest.as_deref() == Some("document");
        let is_near = leads_to_page || request.fetch_site.as_ref().is_none_or(is_near);
        if !request.origin.as_ref().is_none_or(is_own) || !is_near {
            return Err(WRONG_ORIGIN);
        }
        if request.method == HttpMethod::Get {
            return Ok(());
        }
        let kind = request.content_type.as_deref().unwrap_or_default();
        let is_json = kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json");
        if is_json { Ok(()) } else { Err(WRONG_CONTENT_TYPE) }
    }

    /// What the token of a request opens. The token of this machine is good for nobody else.
    pub fn check_token(&self, request: &HttpRequest, peer: IpAddr) -> Result<Access, HttpError> {
        let brought = request.token.as_deref().unwrap_or_default();
        let access = if peer.is_loopback() {
            constant_time_eq(brought, &self.token).then_some(Access::Owner)
        } else {
            self.lan.as_ref().and_then(|lan| lan.access_of(brought, peer))
        };
        access.ok_or(WRONG_TOKEN)
    }
}
