//! The one table of limits: how large a robot, a request or a result may be, and why. `docs/cli.md` shows it.
//!
//! What is not here has no limit but memory: forward and inverse dynamics, energies, poses and their rates take as many joints as
//! a robot file may have links, in time and memory that grow with their number.

use crate::problem::Problem;
use jourdain::quantity;
use jourdain::simulate;

/// A bound of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The operation, with what has to be asked of it for the bound to hold.
    pub operation: &'static str,
    /// What is counted.
    pub what: &'static str,
    /// The most of it.
    pub most: usize,
    /// Why not more.
    pub why: &'static str,
}

/// `eval` where whole matrices are needed on the way to any quantity.
pub const EVAL_DENSE: Limit = Limit {
    operation: "eval --method closed, eval of coupled joints",
    what: "degrees of freedom",
    most: 1000,
    why: "matrices over all joints are formed for every link, or for the coupling",
};
/// Numbers of a quantity at a state.
pub const EVAL_NUMBERS: Limit = Limit {
    operation: "eval",
    what: "numbers of a quantity at one state",
    most: quantity::MOST_ELEMENTS,
    why: "they are half a gigabyte",
};
/// Columns of a table of results.
pub const EVAL_COLUMNS: Limit = Limit {
    operation: "eval --format csv or parquet",
    what: "columns",
    most: 1 << 16,
    why: "programs that read tables give up beyond",
};
/// `simulate` where whole matrices are needed at every step.
pub const SIMULATE_DENSE: Limit = Limit {
    operation: "simulate --method auto or implicit, simulate of coupled joints",
    what: "degrees of freedom",
    most: 1000,
    why: "a matrix over all joints is factored, for the linear model or at every step",
};
/// Numbers of a trajectory.
pub const SIMULATE_NUMBERS: Limit = Limit {
    operation: "simulate",
    what: "numbers in all samples",
    most: simulate::MOST_NUMBERS,
    why: "they are a gigabyte; --every keeps fewer samples",
};
/// Degrees of freedom of derived formulas.
pub const DERIVE_DOF: Limit = Limit {
    operation: "derive",
    what: "degrees of freedom",
    most: 500,
    why: "no compiler takes functions of a million lines in reasonable time",
};
/// Numbers of a derived quantity.
pub const DERIVE_NUMBERS: Limit =
    Limit { operation: "derive", what: "numbers of a quantity", most: 1 << 18, why: "for the same reason" };
/// Joints on the way to a target.
pub const IK_DOF: Limit = Limit {
    operation: "ik, ik-path",
    what: "degrees of freedom",
    most: 1000,
    why: "a matrix over all joints is factored at every iteration",
};
/// Targets of a request, or points of a path.
pub const IK_TARGETS: Limit = Limit {
    operation: "ik, ik-path",
    what: "targets",
    most: 1_000_000,
    why: "all results are kept until the last is there",
};

/// Starts of a search.
pub const IK_STARTS: Limit = Limit {
    operation: "ik, ik-path",
    what: "starts",
    most: 100_000,
    why: "long before, they only find again what others have found",
};
/// Iterations from a start.
pub const IK_ITERATIONS: Limit = Limit {
    operation: "ik, ik-path",
    what: "iterations from a start",
    most: 100_000,
    why: "what has not converged by then does not converge",
};
/// Bytes of a text in a file.
pub const READ_TEXT: Limit = Limit {
    operation: "any text beside the robot's: targets, motions, scenarios, factors",
    what: "bytes",
    most: 1 << 28,
    why: "it is held in memory; tables, lines and lists of states are not",
};
/// Bytes of a text that does not stand in a file.
pub const READ_STREAM: Limit = Limit {
    operation: "a text from standard input, a pipe or a device",
    what: "bytes",
    most: 1 << 26,
    why: "there may be no end to it",
};

/// All of them.
pub const ALL: [Limit; 13] = [
    EVAL_DENSE,
    EVAL_NUMBERS,
    EVAL_COLUMNS,
    SIMULATE_DENSE,
    SIMULATE_NUMBERS,
    DERIVE_DOF,
    DERIVE_NUMBERS,
    IK_DOF,
    IK_TARGETS,
    IK_STARTS,
    IK_ITERATIONS,
    READ_TEXT,
    READ_STREAM,
];

impl Limit {
    /// That something has no more than the limit.
    ///
    /// # Errors
    /// It has: the error names it, the limit and the reason.
    pub fn check(&self, subject: &str, count: usize) -> Result<(), Problem> {
        let Self { operation, what, most, why } = self;
        if count <= *most {
            return Ok(());
        }
        let message = format!("{subject} has {count} {what}; {operation}: at most {most}");
        Err(Problem::new("too-large", message).hint(format!("the reason: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn the_documentation_shows_every_limit_with_its_reason() {
        let page = include_str!("../../../docs/cli.md");
        for limit in ALL {
            let row = format!("| {} | {} {} | {} |", limit.operation, grouped(limit.most), limit.what, limit.why);
            assert!(page.contains(&row), "docs/cli.md lacks\n{row}");
        }
    }

    /// The number with its thousands apart.
    fn grouped(number: usize) -> String {
        let digits = number.to_string();
        if digits.len() <= 4 {
            return digits;
        }
        let start = digits.len() % 3;
        let groups = digits.as_bytes()[start..].chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
        let first = (start > 0).then(|| digits[..start].to_owned());
        first.into_iter().chain(groups).collect::<Vec<_>>().join(" ")
    }
}
