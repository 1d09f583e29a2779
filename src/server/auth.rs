//! Who may ask: the own page in the browser of the one person who was told the token, and no other page that is open there.
//!
//! A browser lets any page send requests to this machine. What such a page cannot do is to name another host or origin than
//! its own, or to know the token, which stands in the fragment of the address and so in no request and no log.

use super::http::{HttpError, HttpMethod, HttpRequest};
use rand::Rng;
use std::sync::{Mutex, PoisonError};

/// What a request must know.
pub struct Auth {
    port: u16,
    token: String,
    /// What is changed for the token, once. Programs that are started show their words to everybody on the machine: the
    /// browser is started with this.
    one_time_key: Mutex<Option<String>>,
}

const WRONG_HOST: HttpError = HttpError { status: 403, reason: "another host is meant" };
const WRONG_ORIGIN: HttpError = HttpError { status: 403, reason: "another page asks" };
const WRONG_TOKEN: HttpError =
    HttpError { status: 403, reason: "the token is missing: open the address that the program has printed" };
const WRONG_CONTENT_TYPE: HttpError = HttpError { status: 415, reason: "only application/json" };

impl Auth {
    /// One with a token that nobody guesses.
    pub fn new(port: u16) -> Auth {
        let invitation = Mutex::new(Some(format!("once-{}", random_token())));
        Auth { port, token: random_token(), one_time_key: invitation }
    }

    /// The address of the page, for its one reader.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token)
    }

    /// The same for one visit.
    pub fn one_time_address(&self) -> String {
        let invitation = self.one_time_key.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://127.0.0.1:{}/#{}", self.port, invitation.as_deref().unwrap_or_default())
    }

    /// The token, for whoever brings the invitation; nobody else will get it.
    pub fn redeem_one_time_key(&self, request: &HttpRequest) -> Result<&str, HttpError> {
        let mut invitation = self.one_time_key.lock().unwrap_or_else(PoisonError::into_inner);
        let brought = request.token.as_deref().unwrap_or_default();
        match invitation.take_if(|invitation| constant_time_eq(invitation, brought)) {
            Some(_) => Ok(&self.token),
            None => Err(WRONG_TOKEN),
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request comes from the own page.
    pub fn check_origin(&self, request: &HttpRequest) -> Result<(), HttpError> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let host = request.host.as_ref().filter(|host| names.contains(host)).ok_or(WRONG_HOST)?;
        let is_own = |origin: &String| origin.strip_prefix("http://") == Some(host);
        let is_near = |site: &String| ["same-origin", "none"].contains(&site.as_str());
        if !request.origin.as_ref().is_none_or(is_own) || !request.fetch_site.as_ref().is_none_or(is_near) {
            return Err(WRONG_ORIGIN);
        }
        if request.method == HttpMethod::Get {
            return Ok(());
        }
        let kind = request.content_type.as_deref().unwrap_or_default();
        let is_json = kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json");
        if is_json { Ok(()) } else { Err(WRONG_CONTENT_TYPE) }
    }

    /// Whether a request knows the token.
    pub fn check_token(&self, request: &HttpRequest) -> Result<(), HttpError> {
        let brought = request.token.as_deref().unwrap_or_default();
        if constant_time_eq(brought, &self.token) { Ok(()) } else { Err(WRONG_TOKEN) }
    }
}

/// What nobody guesses.
fn random_token() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes.map(|byte| format!("{byte:02x}")).concat()
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn constant_time_eq(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differences == 0
}
