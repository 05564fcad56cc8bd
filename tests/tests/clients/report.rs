//! The output of a driver: `checks N`, then one line for each check.

/// The lines of a driver, sorted by their kind.
#[derive(Default)]
pub(crate) struct Report {
    announced: Option<usize>,
    passed: usize,
    failed: Vec<String>,
    strange: Vec<String>,
}

impl Report {
    pub(crate) fn read(output: &str) -> Self {
        let mut report = Self::default();
        for line in output.lines() {
            if let Some(failure) = line.strip_prefix("not ok ") {
                report.failed.push(failure.to_owned());
            } else if line.starts_with("ok ") {
                report.passed += 1;
            } else if let Some(count) = line.strip_prefix("checks ").and_then(|count| count.parse().ok()) {
                report.announced = Some(count);
            } else {
                report.strange.push(line.to_owned());
            }
        }
        report
    }

    /// The number of checks, if the driver ran as many as it announced and all passed.
    pub(crate) fn passed(&self) -> Result<usize, String> {
        let Self { announced, passed, failed, strange } = self;
        if !failed.is_empty() {
            return Err(format!("{} of its checks failed:\n  {}", failed.len(), failed.join("\n  ")));
        }
        if !strange.is_empty() {
            return Err(format!("it printed lines that are no check:\n  {}", strange.join("\n  ")));
        }
        match announced {
            None | Some(0) => Err("it announced no checks".to_owned()),
            Some(announced) if announced != passed => Err(format!("{passed} of {announced} checks ran")),
            Some(_) => Ok(*passed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn all_announced_checks_have_to_pass() {
        assert_eq!(Report::read("checks 2\nok a\nok b\n").passed(), Ok(2));
        let failed = Report::read("checks 2\nok a\nnot ok b: because\n").passed().unwrap_err();
        assert!(failed.contains("b: because"), "{failed}");
    }

    #[test]
    fn a_driver_that_stops_early_fails() {
        assert!(Report::read("checks 3\nok a\nok b\n").passed().is_err());
        assert!(Report::read("checks 0\n").passed().is_err());
        assert!(Report::read("").passed().is_err());
        assert!(Report::read("ok a\n").passed().is_err());
    }

    #[test]
    fn a_stray_line_fails() {
        assert!(Report::read("checks 1\nok a\nTraceback\n").passed().is_err());
    }
}
