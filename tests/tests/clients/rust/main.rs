//! Drives the example agents through version 2 of the Rust SDK: `drive-v2 ECHO CODER CONFORMANCE ASSISTANT SCRATCH`.
//!
//! The checks are those of `drive-v2.mjs`, the driver on the TypeScript SDK, and the output is the same. The tape of each agent
//! process is a file `CHECK.NUMBER.sound.jsonl` in the folder `tapes` of SCRATCH, or `CHECK.NUMBER.wrong.jsonl` where the check
//! breaks a rule on purpose. An agent without a name is not driven.

#![deny(dead_code, reason = "a check that nobody runs")]

mod agent;
mod coder;
mod conformance;
mod first;
mod person;
mod process;
mod sessions;
mod small;
mod updates;

use std::{env, fs, path::Path, pin::Pin, sync::PoisonError, time::Duration};

use crate::agent::Start;

/// The longest that one check may take.
const LIMIT: Duration = Duration::from_secs(20);

type Check = fn(Start) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// The functions of a module, each with its name.
macro_rules! checks {
    ($module:ident: $($check:ident)*) => {
        vec![$((stringify!($check), (|start| Box::pin($module::$check(start))) as Check)),*]
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [echo, coder, conformance, assistant, scratch] = &arguments[..] else {
        eprintln!("usage: drive-v2 ECHO CODER CONFORMANCE ASSISTANT SCRATCH");
        std::process::exit(2);
    };
    let scratch = Path::new(scratch);
    let tapes = scratch.join("tapes");
    fs::create_dir(&tapes)?;
    let of_coder = checks![coder:
        initialize_answers_in_version_2 a_turn_begins_with_its_message_and_ends_with_idle the_sdk_holds_a_session
        an_edit_that_is_allowed_is_written an_edit_that_is_rejected_fails_and_writes_nothing
        a_turn_that_waits_for_permission_is_cancelled_with_its_question a_running_turn_is_cancelled_at_once
        prompts_for_a_busy_session_wait_and_are_cancelled_with_it a_prompt_that_waits_can_be_withdrawn_alone
        prompts_that_wait_are_worked_on_in_their_order a_cancel_right_behind_the_prompt_is_not_lost
        two_sessions_run_at_once options_have_ids_and_typed_values
        what_an_option_does_not_offer_is_refused_and_changes_nothing the_agent_can_change_an_option_during_a_turn
        an_agent_ends_in_the_middle_of_a_turn
    ];
    let of_sessions = checks![sessions:
        a_replay_says_the_same_messages_again a_resume_without_a_replay_says_the_state_alone stored_sessions_are_listed
        closing_a_session_cancels_its_turn a_deleted_session_is_no_longer_listed what_is_unknown_is_an_error
        a_session_of_version_1_is_said_again_in_version_2_and_back
    ];
    let of_conformance = checks![conformance:
        a_user_logs_in_and_out a_login_that_was_not_offered_is_refused
        a_login_in_a_terminal_is_offered_to_clients_that_have_one a_form_is_accepted_or_declined
        a_turn_that_waits_for_a_form_is_cancelled_with_it a_page_is_opened_and_done
        a_client_without_forms_and_pages_is_not_asked a_client_of_version_2_has_no_files_and_no_terminals
        permission_has_all_options a_turn_ends_with_each_reason a_turn_that_fails_says_so_and_the_session_goes_on
        each_update_has_its_name_of_version_2 sessions_of_memory_are_listed_resumed_and_deleted
    ];
    let of_echo = checks![small:
        echo_repeats_with_its_options echo_answers_the_methods_that_every_agent_has
        echo_speaks_its_highest_version_to_a_newer_client
    ];
    let of_assistant = checks![small:
        assistant_lists_and_replays_what_it_keeps_itself assistant_changes_its_own_option
    ];
    let agents = [
        (coder, [of_coder, of_sessions].concat()),
        (conformance, of_conformance),
        (echo, of_echo),
        (assistant, of_assistant),
    ];
    let agents = agents.into_iter().filter(|(program, _)| !program.is_empty()).collect::<Vec<_>>();
    println!("checks {}", agents.iter().map(|(_, checks)| checks.len()).sum::<usize>());
    for (program, checks) in agents {
        for (name, check) in checks {
            let folder = scratch.join(format!("check-{name}"));
            fs::create_dir(&folder)?;
            let (stores, started) = (program == coder, Default::default());
            let start = Start { program: program.into(), stores, folder, started };
            match run(check, start, &tapes, name).await {
                Ok(()) => println!("ok {name}"),
                Err(why) => println!("not ok {name}: {}", why.split_whitespace().collect::<Vec<_>>().join(" ")),
            }
        }
    }
    Ok(())
}

/// Runs one check. Its processes are gone afterwards, and their tapes are files.
async fn run(check: Check, start: Start, tapes: &Path, name: &str) -> Result<(), String> {
    let started = start.started.clone();
    let ended = tokio::time::timeout(LIMIT, tokio::spawn(check(start))).await;
    for (number, process) in started.lock().unwrap_or_else(PoisonError::into_inner).iter().enumerate() {
        process.save(tapes, &format!("{name}.{number}")).map_err(|error| error.to_string())?;
    }
    match ended {
        Err(_) => Err(format!("took longer than {LIMIT:?}")),
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            let panic = error.into_panic();
            let words = panic.downcast_ref::<String>().cloned();
            Err(words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned())).unwrap_or_default())
        }
    }
}
