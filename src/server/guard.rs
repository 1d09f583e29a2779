//! Who may ask: the own page in the browser of the one person who was told the token, and no other page that is open there.
//!
//! A browser lets any page send requests to this machine. What such a page cannot do is to name another host or origin than
//! its own, or to know the token, which stands in the fragment of the address and so in no request and no log.

use super::http::{Method, Refusal, Request};
use rand::Rng;
use std::sync::{Mutex, PoisonError};

/// What a request must know.
pub struct Guard {
    port: u16,
    token: String,
    /// What is changed for the token, once. Programs that are started show their words to everybody on the machine: the
    /// browser is started with this.
    invitation: Mutex<Option<String>>,
}

const HOST: Refusal = Refusal { status: 403, reason: "another host is meant" };
const ORIGIN: Refusal = Refusal { status: 403, reason: "another page asks" };
const TOKEN: Refusal =
    Refusal { status: 403, reason: "the token is missing: open the address that the program has printed" };
const TYPE: Refusal = Refusal { status: 415, reason: "only application/json" };

impl Guard {
    /// One with a token that nobody guesses.
    pub fn new(port: u16) -> Guard {
        let invitation = Mutex::new(Some(format!("once-{}", secret())));
        Guard { port, token: secret(), invitation }
    }

    /// The address of the page, for its one reader.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token)
    }

    /// The same for one visit.
    pub fn invitation(&self) -> String {
        let invitation = self.invitation.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://127.0.0.1:{}/#{}", self.port, invitation.as_deref().unwrap_or_default())
    }

    /// The token, for whoever brings the invitation; nobody else will get it.
    pub fn redeem(&self, request: &Request) -> Result<&str, Refusal> {
        let mut invitation = self.invitation.lock().unwrap_or_else(PoisonError::into_inner);
        let brought = request.token.as_deref().unwrap_or_default();
        match invitation.take_if(|invitation| is_equal(invitation, brought)) {
            Some(_) => Ok(&self.token),
            None => Err(TOKEN),
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request comes from the own page.
    pub fn check_origin(&self, request: &Request) -> Result<(), Refusal> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let host = request.host.as_ref().filter(|host| names.contains(host)).ok_or(HOST)?;
        let is_own = |origin: &String| origin.strip_prefix("http://") == Some(host);
        let is_near = |site: &String| ["same-origin", "none"].contains(&site.as_str());
        if !request.origin.as_ref().is_none_or(is_own) || !request.fetch_site.as_ref().is_none_or(is_near) {
            return Err(ORIGIN);
        }
        if request.method == Method::Get {
            return Ok(());
        }
        let kind = request.content_type.as_deref().unwrap_or_default();
        let is_json =
            kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json");
        if is_json { Ok(()) } else { Err(TYPE) }
    }

    /// Whether a request knows the token.
    pub fn check_token(&self, request: &Request) -> Result<(), Refusal> {
        let brought = request.token.as_deref().unwrap_or_default();
        if is_equal(brought, &self.token) { Ok(()) } else { Err(TOKEN) }
    }
}

/// What nobody guesses.
fn secret() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes.map(|byte| format!("{byte:02x}")).concat()
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differences == 0
}
