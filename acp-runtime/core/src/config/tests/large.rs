//! Long lists of values, for example of a provider with many models. The cost of a list must grow linearly with its
//! length.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::behaviour::{ready, request};
use super::*;
use crate::config::request::Requested;
use crate::config::state::ConfigState;
use crate::config::{Choice, ChoiceValue};

const COUNT: usize = 300_000;

/// If every operation on the list takes one step for each value, the test takes at most a second. If an operation
/// compares each value with each earlier value, the test takes many minutes.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
struct Models {
    #[config_option(default = Choice::new(["none"]))]
    model: Choice,
}

fn within_patience(work: impl FnOnce() + Send + 'static) {
    let (done, end) = mpsc::channel();
    let work = thread::spawn(move || {
        work();
        // After the time limit there is no receiver, and the error does not matter.
        let _ = done.send(());
    });
    match end.recv_timeout(PATIENCE) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("a list of {COUNT} values took over {PATIENCE:?}"),
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => work.join().expect("no step over the list panics"),
    }
}

fn last() -> String {
    (COUNT - 1).to_string()
}

#[test]
fn a_choice_takes_a_list_of_any_length_in_one_pass() {
    within_patience(|| {
        let twice = || (0..COUNT).chain(0..COUNT).map(|number| number.to_string());
        let mut choice = Choice::new(twice());
        assert_eq!((choice.values().len(), choice.id()), (COUNT, "0"));
        choice.offer(twice());
        assert_eq!((choice.values().len(), choice.values()[COUNT - 1].id()), (COUNT, &*last()));
    });
}

#[test]
fn a_long_list_is_set_reset_and_shown_in_one_pass_each_also_in_groups() {
    within_patience(|| {
        let grouped = |number: usize| ChoiceValue::new(number.to_string(), "A model").group(number.to_string());
        let config = Models { model: Choice::new((0..COUNT).map(grouped)) };
        let (state, client) = (ConfigState::new(config, None).unwrap(), Client::new(FULL));
        let last = last();
        let set = request("model", Requested::Id(last.as_str().into()));
        ready(state.set(
            &set,
            &client,
            None,
            |_| None,
            |state| {
                let shown = serde_json::to_value(state.options).unwrap();
                let groups = shown[0]["options"].as_array().unwrap();
                assert_eq!((groups.len(), &groups[COUNT - 1]["options"][0]["value"]), (COUNT, &json!(last)));
            },
        ))
        .unwrap();
        // The new list does not contain the selected value. The client gets one message about this.
        ready(state.update(|config| config.model.offer((0..COUNT - 1).map(grouped)), &client, None)).unwrap();
        assert_eq!(state.current().model.id(), "0");
        assert_eq!(client.take().len(), 1);
    });
}
