//! Who may reach the endpoint: checks of `Host` and `Origin`, before anything else is read.
//!
//! A web page of any name can send requests to a server on the user's machine. The check of the name keeps out a page whose name
//! leads to this machine, and the check of the origin keeps out all others.

use std::io;

use axum::http::{HeaderMap, StatusCode, Uri, header, request::Parts, uri::Authority};

use crate::{HttpOptions, refusal::Refusal};

const OWN: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

pub(crate) fn check(parts: &Parts, options: &HttpOptions) -> Result<(), Refusal> {
    let authority = authority(parts)?;
    let host = without_port(&authority);
    if !OWN.iter().copied().chain(options.hosts.iter().map(String::as_str)).any(|own| own.eq_ignore_ascii_case(host)) {
        let text = format!("this server does not answer as `{host}`; its operator names it by `HttpOptions::host`");
        return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, text));
    }
    for origin in parts.headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let is_own = origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(&authority));
        if !is_own && !options.origins.iter().any(|listed| listed.eq_ignore_ascii_case(origin)) {
            let text = format!(
                "pages of `{origin}` may not use this server; its operator lists them by `HttpOptions::origin`"
            );
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
    }
    Ok(())
}

/// Refuses names that no request can have: the server would answer nobody.
pub(crate) fn check_names(options: &HttpOptions) -> io::Result<()> {
    let wrong = |text| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    for host in &options.hosts {
        let is_name = host.parse().is_ok_and(|authority: Authority| authority.host() == host);
        if !is_name {
            return wrong(format!(
                "the host `{host}` is no name of a server: give a name or an IP address, without a scheme, a port and a path, as in \
                 `agent.example.com`"
            ));
        }
    }
    for origin in &options.origins {
        let is_origin = origin.split_once("://").is_some_and(|(_, from)| from.parse::<Authority>().is_ok());
        if !is_origin && origin != "null" {
            return wrong(format!(
                "the origin `{origin}` is none of a page: give a scheme and a host, without a path, as in `https://editor.example.com`"
            ));
        }
    }
    Ok(())
}

/// Where the request was sent. With HTTP/2, this is a part of the address.
fn authority(parts: &Parts) -> Result<String, Refusal> {
    let named = |uri: &Uri| uri.authority().map(|authority| authority.as_str().to_owned());
    let header = one(&parts.headers)?;
    match (named(&parts.uri), header) {
        (Some(uri), Some(header)) if !uri.eq_ignore_ascii_case(&header) => {
            Err(Refusal::bad_request("the header `Host` is not the host of the address"))
        }
        (Some(one), _) | (None, Some(one)) => Ok(one),
        (None, None) => Err(Refusal::bad_request("the header `Host` is missing")),
    }
}

fn one(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut all = headers.get_all(header::HOST).iter();
    let (first, second) = (all.next(), all.next());
    match (first.map(|host| host.to_str()), second) {
        (None, _) => Ok(None),
        (Some(Ok(host)), None) => Ok(Some(host.to_owned())),
        _ => Err(Refusal::bad_request("there must be one header `Host`, in ASCII")),
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn checked(uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let options = HttpOptions::new().host("agent.example.com").host("fd00::1").origin("https://editor.example.com");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        check(&parts, &options).map_or_else(|refusal| refusal.status.as_u16(), |()| 200)
    }

    #[test]
    fn a_name_that_is_not_listed_is_misdirected() {
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:4000",
            "[::1]:4000",
            "[::1]",
            "agent.example.com:8443",
            "[fd00::1]:80",
        ] {
            assert_eq!(checked("/acp", &[("host", host)]), 200, "{host}");
            assert_eq!(checked(&format!("http://{host}/acp"), &[]), 200, "HTTP/2: {host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "agent.example.com.evil.example:80",
            "127.0.0.1.evil.example",
            "",
            "a:b",
        ] {
            assert_eq!(checked("/acp", &[("host", host)]), 421, "{host}");
        }
        assert_eq!(checked("/acp", &[]), 400);
        assert_eq!(checked("/acp", &[("host", "localhost"), ("host", "evil.example")]), 400);
        assert_eq!(checked("http://localhost/acp", &[("host", "evil.example")]), 400);
    }

    #[test]
    fn names_that_no_request_can_have_are_refused() {
        for host in ["agent.example.com", "10.0.0.7", "fd00::1", "[fd00::1]"] {
            check_names(&HttpOptions::new().host(host)).unwrap();
        }
        for host in ["https://agent.example.com", "agent.example.com:443", "agent.example.com/acp", "", "a b", "me@a"] {
            let error = check_names(&HttpOptions::new().host(host)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("the host `{host}` is no name")), "{host}: {error}");
        }
        for origin in ["https://editor.example.com", "http://[::1]:4000", "null"] {
            check_names(&HttpOptions::new().origin(origin)).unwrap();
        }
        for origin in ["editor.example.com", "https://editor.example.com/", "https://", "*"] {
            let error = check_names(&HttpOptions::new().origin(origin)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("the origin `{origin}` is none")), "{origin}: {error}");
        }
    }

    #[test]
    fn a_page_that_is_not_listed_is_forbidden() {
        let from = |origin: &str| checked("/acp", &[("host", "localhost:4000"), ("origin", origin)]);
        assert_eq!(from("http://localhost:4000"), 200, "the server's own page");
        assert_eq!(from("https://editor.example.com"), 200);
        for origin in
            ["http://localhost:4001", "https://evil.example", "null", "https://editor.example.com.evil.example", ""]
        {
            assert_eq!(from(origin), 403, "{origin}");
        }
        let both =
            [("host", "localhost"), ("origin", "https://editor.example.com"), ("origin", "https://evil.example")];
        assert_eq!(checked("/acp", &both), 403);
    }
}
