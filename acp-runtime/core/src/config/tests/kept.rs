//! Options that a store keeps, and that come back in a later process: another version of the agent, perhaps.

use super::properties::Random;
use super::rich::{Effort, Rich, Size, rich};
use super::*;
use crate::config::Choice;
use crate::store::KeptOption as Kept;

fn as_json(kept: &str) -> std::collections::BTreeMap<crate::values::SessionConfigId, Kept> {
    serde_json::from_str(kept).unwrap()
}

fn dropped(config: &mut impl ConfigOptions, kept: &str) -> Vec<String> {
    config.restore_options(&as_json(kept)).unwrap().iter().map(|id| id.as_str().to_owned()).collect()
}

#[test]
fn what_is_kept_comes_back_whatever_it_was() {
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        let mut config = rich();
        for _ in 0..random.below(8) {
            match random.below(6) {
                0 => config.size = [Size::Small, Size::Middle, Size::Large][random.below(3)],
                1 => config.brave = !config.brave,
                2 => config.effort = [Effort::Low, Effort::Medium, Effort::High][random.below(3)],
                3 => config.common.loud = !config.common.loud,
                4 => config.style = ["plain", "ornate"][random.below(2)].to_owned(),
                _ => config.provider.select(["a", "b"][random.below(2)]),
            }
            crate::config::resolve::resolve(None, &mut config).unwrap();
        }
        let kept = config.kept_options();
        let json = serde_json::to_string(&kept).unwrap();
        let mut back = rich();
        assert_eq!(dropped(&mut back, &json), Vec::<String>::new(), "seed {seed}: {json}");
        assert_eq!(back, config, "seed {seed}: {json}");
    }
}

#[test]
fn each_option_is_kept_by_its_id() {
    let json = serde_json::to_value(rich().kept_options()).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "size": "small", "effort": "medium", "budget": "2k", "mode": "ask", "loud": true, "brave": false,
            "reckless": false, "style": "plain", "provider": "a",
        })
    );
}

#[test]
fn what_is_no_longer_offered_is_dropped_and_its_dependents_follow() {
    let mut config = rich();
    // Effort `high` needs another size than `small`, and budget `3k` needs effort `high`.
    let kept = r#"{"size":"gigantic","effort":"high","budget":"3k","brave":true,"provider":"z"}"#;
    assert_eq!(dropped(&mut config, kept), ["budget", "effort", "provider", "size"]);
    let expected = Rich { brave: true, ..rich() };
    assert_eq!(config, expected);
}

#[test]
fn an_option_that_starts_illegally_is_reset_before_its_dependents_come_back() {
    let mut config = rich();
    // Size `large` and not brave: effort `low` is not offered, and is reset to the default, which offers budget `2k`.
    config.effort = Effort::Low;
    assert_eq!(dropped(&mut config, r#"{"size":"large","budget":"2k"}"#), Vec::<String>::new());
    assert_eq!((config.size, config.effort, config.budget.as_str()), (Size::Large, Effort::Medium, "2k"));
}

#[test]
fn values_of_another_version_are_dropped() {
    let mut config = rich();
    let kept = r#"{"brave":"on","style":true,"size":{"of":"later"},"gone":"x","provider":"b"}"#;
    assert_eq!(dropped(&mut config, kept), ["brave", "gone", "size", "style"]);
    let mut expected = rich();
    expected.provider.select("b");
    assert_eq!(config, expected);
}

#[test]
fn a_value_waits_for_a_list_that_is_not_known_yet() {
    let mut config = rich();
    config.provider.offer(Vec::<String>::new());
    assert_eq!(dropped(&mut config, r#"{"provider":"late"}"#), Vec::<String>::new());
    config.provider.offer(["early", "late"]);
    crate::config::resolve::resolve(None, &mut config).unwrap();
    assert_eq!(config.provider.id(), "late");
    assert_eq!(Choice::new(["early", "late"]).selecting("late").name(), config.provider.name());
}

#[test]
fn after_an_error_the_options_are_as_they_were() {
    #[derive(ConfigOptions, Clone, PartialEq, Debug)]
    #[config_option(crate = crate)]
    struct Broken {
        #[config_option(default = false)]
        on: bool,
        #[config_option(depends_on(on), values = wrong, reset = nowhere, default = "a")]
        broken: String,
    }

    fn wrong(on: bool) -> Vec<&'static str> {
        if on { vec!["b"] } else { vec!["a"] }
    }

    fn nowhere(_: bool, _: &str) -> &'static str {
        "nowhere"
    }

    let mut config = Broken::initial().unwrap();
    assert!(config.restore_options(&as_json(r#"{"on":true}"#)).is_err());
    assert_eq!(config, Broken::initial().unwrap());
}
