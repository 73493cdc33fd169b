//! What is asked of the solver and what it answers.

/// Which stationary points are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The criterion as small as it gets nearby.
    Minimum,
    /// As large as it gets nearby.
    Maximum,
    /// Any.
    Stationary,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest error of the pose, m and rad.
    pub tolerance: f64,
    /// Largest |Nᵀ ∂H| / (1 + |∂H|), N being the null space of the task's Jacobian.
    pub stationarity: f64,
    /// Most iterations from one start.
    pub iterations: usize,
    /// Most starts: the given one or the middle of the ranges, then random ones.
    pub starts: usize,
    /// Without a given start, starts go on until the estimated chance that a better optimum was missed is at most this.
    pub chance: f64,
    /// Of the random starts.
    pub seed: u64,
    /// Keep within the joints' limits.
    pub limits: bool,
    /// What to look for.
    pub goal: Goal,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            stationarity: 1e-10,
            iterations: 150,
            starts: 2000,
            chance: 0.01,
            seed: 1,
            limits: true,
            goal: Goal::Minimum,
        }
    }
}

/// How a solution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The pose is reached, the criterion stationary, its kind the wanted one.
    Solved,
    /// The same, with joints at their limits and the criterion pushing them there.
    LimitActive,
    /// Stationary, but of another kind than asked for.
    WrongKind,
    /// The pose is reached where the task's Jacobian has lost rank, so that no multipliers certify the point.
    RankDeficient,
    /// The pose is reached, the criterion not stationary.
    NotStationary,
    /// No start led to the pose, and no bound excludes it.
    NotFound,
    /// A bound proves that no configuration within the limits has the pose.
    Unreachable,
}

impl Status {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::LimitActive => "limit-active",
            Self::WrongKind => "wrong-kind",
            Self::RankDeficient => "rank-deficient",
            Self::NotStationary => "not-stationary",
            Self::NotFound => "not-found",
            Self::Unreachable => "unreachable",
        }
    }

    /// True if the answer is what was asked for.
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::Solved | Self::LimitActive)
    }

    /// True if the pose is reached, whatever the criterion says there.
    #[must_use]
    pub fn is_reached(self) -> bool {
        !matches!(self, Self::NotFound | Self::Unreachable)
    }
}

/// Second-order kind of a stationary point, by the eigenvalues of the reduced Hessian Nᵀ W N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All positive, or no redundancy left.
    Minimum,
    /// All negative.
    Maximum,
    /// Of both signs.
    Saddle,
    /// One is zero: the second order does not decide.
    Degenerate,
}

impl Kind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::Saddle => "saddle",
            Self::Degenerate => "degenerate",
        }
    }

    /// The kind that eigenvalues between these two belong to; within ±`zero` they count as zero.
    pub(crate) fn of(smallest: f64, largest: f64, zero: f64) -> Self {
        if smallest > zero {
            Self::Minimum
        } else if largest < -zero {
            Self::Maximum
        } else if smallest < -zero && largest > zero {
            Self::Saddle
        } else {
            Self::Degenerate
        }
    }
}

/// The certificate of one solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// Error of the asked rows of the pose, Euclidean, m and rad.
    pub pose_error: f64,
    /// |Nᵀ ∂H| / (1 + |∂H|) over the joints that are not at a limit.
    pub stationarity: f64,
    /// H.
    pub criterion: f64,
    /// Second-order kind.
    pub kind: Kind,
    /// Smallest eigenvalue of the reduced Hessian; zero without redundancy.
    pub smallest_eigenvalue: f64,
    /// Largest eigenvalue of the reduced Hessian; zero without redundancy.
    pub largest_eigenvalue: f64,
    /// Dimension of the null space: the redundancy left.
    pub redundancy: usize,
    /// Iterations from the start that led here.
    pub iterations: usize,
    /// Starts that were tried.
    pub starts: usize,
    /// Estimated chance that a better optimum exists than the best of these starts; `None` if the first success was taken.
    pub chance: Option<f64>,
    /// Joint numbers held at a limit.
    pub active: usize,
    /// Smallest pivot of the task's Jacobian against the largest: zero in a singularity; 1 where the pose alone was solved for.
    pub regularity: f64,
}

impl Report {
    /// Of a pose alone: nothing is said of a criterion.
    pub(crate) fn of_pose(status: Status, pose_error: f64) -> Self {
        Self {
            status,
            pose_error,
            stationarity: 0.0,
            criterion: 0.0,
            kind: Kind::Degenerate,
            smallest_eigenvalue: 0.0,
            largest_eigenvalue: 0.0,
            redundancy: 0,
            iterations: 0,
            starts: 0,
            chance: None,
            active: 0,
            regularity: 1.0,
        }
    }
}

/// A configuration and its certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The robot's whole position; joints that do not move the link are where the start had them.
    pub q: Vec<f64>,
    /// The certificate.
    pub report: Report,
    /// Velocity indices of the joints at a limit.
    pub active: Vec<usize>,
}

/// Why a problem cannot be posed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IkError {
    /// A task without rows, or with weights that are no weights.
    #[error("the task has no row, or a number in it is out of range")]
    Task,
    /// There is no such link.
    #[error("there is no link {0}")]
    Link(usize),
    /// A tolerance that rounding does not let any configuration meet.
    #[error("a tolerance of {given:e} is below rounding: this arm can be placed to {least:.0e} m and rad at best")]
    Tolerance {
        /// The tolerance asked for.
        given: f64,
        /// The smallest that makes sense.
        least: f64,
    },
    /// Nothing to solve for.
    #[error("no joint moves link `{0}`")]
    Immobile(String),
    /// The target is not a finite pose, or beyond all distances.
    #[error("the target is not a finite pose with a rotation matrix, or farther than 1e100 m away")]
    Target,
    /// A position of another length.
    #[error("the start has {found} numbers, but {robot} needs {expected}")]
    StartLength {
        /// The robot's name.
        robot: String,
        /// Numbers given.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// A start with infinite numbers or a quaternion that is not unit.
    #[error("the start is not a position of the robot")]
    Start,
    /// The rows of the task depend on each other everywhere.
    #[error("the task's rows depend on each other in every configuration: manipulability is zero")]
    Dependent,
    /// A method that does not fit the problem.
    #[error("{0}")]
    Method(&'static str),
    /// Whoever was told how far it is stopped it.
    #[error("stopped before the end, as asked")]
    Stopped,
}

impl IkError {
    /// A stable word for the kind of error.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Task => "bad-task",
            Self::Link(_) => "unknown-link",
            Self::Tolerance { .. } => "bad-tolerance",
            Self::Immobile(_) => "immobile-link",
            Self::Target => "bad-target",
            Self::StartLength { .. } => "wrong-length",
            Self::Start => "bad-start",
            Self::Dependent => "dependent-rows",
            Self::Method(_) => "bad-method",
            Self::Stopped => "cancelled",
        }
    }
}
