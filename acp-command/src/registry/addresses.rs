//! Whether the addresses and packages of an entry exist.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::Value;

use super::{
    archives::{of_npm, of_pypi},
    problems::{Problem, Problems},
};
use crate::exit::Failure;

/// The time limit of one request, and how often one is made if the server does not answer.
const LIMIT: Duration = Duration::from_secs(15);
const TIMES: u32 = 3;

/// Adds the addresses that do not exist.
pub(super) async fn check(entry: &Value, name: &str, all: &mut Vec<Problem>) -> Result<(), Failure> {
    // If the program has chosen a cryptography before, that one stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().user_agent(concat!("acp/", env!("CARGO_PKG_VERSION"))).timeout(LIMIT).build();
    let client = client.map_err(|error| Failure::not_run(format!("no request can be made: {error}")))?;
    let mut problems = Problems::of(format!("{name}/agent.json"));
    for (place, address) in addresses(entry) {
        if let Err(why) = exists(&client, &address).await {
            problems.error(format!("`{place}` does not exist: {address}: {why}"));
        }
    }
    all.extend(problems.all);
    Ok(())
}

/// What an entry names, each with its place.
fn addresses(entry: &Value) -> Vec<(String, String)> {
    let distribution = &entry["distribution"];
    let mut addresses = Vec::new();
    for (platform, target) in distribution["binary"].as_object().into_iter().flatten() {
        if let Some(archive) = target["archive"].as_str() {
            addresses.push((format!("distribution.binary.{platform}.archive"), archive.to_owned()));
        }
    }
    if let Some(package) = distribution["npx"]["package"].as_str() {
        let (name, _) = of_npm(package);
        addresses.push(("distribution.npx.package".to_owned(), format!("https://registry.npmjs.org/{name}")));
    }
    if let Some(package) = distribution["uvx"]["package"].as_str() {
        let (name, _) = of_pypi(package);
        addresses.push(("distribution.uvx.package".to_owned(), format!("https://pypi.org/pypi/{name}/json")));
    }
    addresses
}

async fn exists(client: &Client, address: &str) -> Result<(), String> {
    let mut method = Method::HEAD;
    let mut why = String::new();
    for _ in 0..TIMES {
        match client.request(method.clone(), address).send().await.map(|response| response.status()) {
            Ok(status) if status.is_success() => return Ok(()),
            // Some servers do not answer HEAD.
            Ok(StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED) if method == Method::HEAD => {
                method = Method::GET
            }
            Ok(status) if status.is_client_error() => return Err(status.to_string()),
            Ok(status) => why = status.to_string(),
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}
