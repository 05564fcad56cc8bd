//! The folders of `acp-client`.

use super::reader::House;

const CLIENT: House = House { root: "acp-client/src", sources: 80, rooms: &[], names: &[], anywhere: &[] };

#[test]
fn no_files_of_a_folder_lead_to_each_other() {
    CLIENT.nothing_leads_round_in_a_circle();
}
