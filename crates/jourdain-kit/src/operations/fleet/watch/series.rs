//! Parameters robot by robot and day by day, and what is found in them.

use super::days::Days;
use super::{Finding, FindingKind};
use crate::operations::fleet::leaf::{OnError, Shard};
use crate::operations::fleet::recipe::Ready;
use crate::operations::fleet::tree::Tree;
use crate::problem::Problem;
use jourdain::identify::Factors;
use jourdain::identify::watch::{self, ChangeKind, Point};

/// The parameters of one robot over its days.
pub(super) struct Series {
    pub robot: String,
    pub days: Vec<String>,
    /// Per parameter, a point for each day.
    pub points: Vec<Vec<Point>>,
}

impl Series {
    /// The mean of a parameter, weighted by deviations.
    pub fn mean(&self, parameter: usize) -> f64 {
        let weight = |point: &Point| point.deviation.powi(-2);
        let points = &self.points[parameter];
        points.iter().map(|point| weight(point) * point.value).sum::<f64>() / points.iter().map(weight).sum::<f64>()
    }
}

/// All robots of a model.
pub(super) struct Fleet<'r> {
    ready: &'r Ready,
    /// The parameters that are watched.
    pub names: Vec<String>,
    pub series: Vec<Series>,
    /// Robots and days without an estimate, and why.
    pub without: Vec<String>,
    pub days: Days,
    /// The robot and the day whose logs come, and what they came to.
    current: Option<(String, String, Tree<Factors>)>,
}

impl<'r> Fleet<'r> {
    pub fn new(ready: &'r Ready, parameters: &[String]) -> Self {
        let watched = |name: &&String| parameters.is_empty() || parameters.contains(name);
        let names = ready.names().iter().filter(watched).cloned().collect();
        Self { ready, names, series: Vec::new(), without: Vec::new(), days: Days::default(), current: None }
    }

    /// Takes in a log; those of a robot and a day come one after the other.
    pub fn take(&mut self, shard: &Shard, factors: Option<Factors>) -> Result<(), Problem> {
        if self.current.as_ref().is_some_and(|(robot, day, _)| (robot, day) != (&shard.robot, &shard.day)) {
            self.close()?;
        }
        let ready = self.ready;
        let (.., tree) = self.current.get_or_insert_with(|| (shard.robot.clone(), shard.day.clone(), Tree::default()));
        tree.push(factors, &mut |parts| ready.merge(parts))
    }

    /// Estimates the day whose logs were all there.
    fn close(&mut self) -> Result<(), Problem> {
        let Some((robot, day, tree)) = self.current.take() else { return Ok(()) };
        let ready = self.ready;
        let Some(factors) = tree.finish(&mut |parts| ready.merge(parts))? else { return Ok(()) };
        let estimate = ready.estimate(&robot, &factors, OnError::Collect)?;
        let find = |name: &String| estimate.parameters.iter().find(|own| own.name == *name);
        let found: Option<Vec<(f64, f64)>> =
            self.names.iter().map(|name| find(name).map(|own| (own.value, own.deviation))).collect();
        let Some(found) = found else {
            let why =
                estimate.problem.map_or_else(|| "some joints were not measured".to_owned(), |fault| fault.message);
            self.without.push(format!("{robot}, {day}: {why}"));
            return Ok(());
        };
        if self.series.last().is_none_or(|own| own.robot != robot) {
            let points = vec![Vec::new(); self.names.len()];
            self.series.push(Series { robot, days: Vec::new(), points });
        }
        if let Some(own) = self.series.last_mut() {
            own.days.push(day);
            own.points.iter_mut().zip(found).for_each(|(points, (value, deviation))| {
                points.push(Point { t: 0.0, value, deviation });
            });
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<Self, Problem> {
        self.close()?;
        self.days = Days::new(self.series.iter().flat_map(|own| own.days.iter().cloned()).collect());
        for own in &mut self.series {
            for points in &mut own.points {
                points.iter_mut().zip(&own.days).for_each(|(point, day)| point.t = self.days.time(day));
            }
        }
        Ok(self)
    }

    pub fn robots(&self) -> Vec<String> {
        self.series.iter().map(|own| own.robot.clone()).collect()
    }

    /// What is found at this level, the surest first, and how many questions were asked.
    pub fn findings(&self, level: f64) -> (Vec<Finding>, u64) {
        let mut all = Vec::new();
        for (k, name) in self.names.iter().enumerate() {
            let means: Vec<f64> = self.series.iter().map(|own| own.mean(k)).collect();
            for (r, own) in self.series.iter().enumerate() {
                let finding = |kind, day, before: f64, after: f64, p_value| Finding {
                    robot: own.robot.clone(),
                    parameter: name.clone(),
                    kind,
                    day,
                    before,
                    after,
                    relative: (before != 0.0).then(|| after / before - 1.0),
                    p_value,
                };
                if let Some(change) = watch::change(&own.points[k]) {
                    let (kind, day) = match change.kind {
                        ChangeKind::Drift => (FindingKind::Drift, None),
                        ChangeKind::Jump => (FindingKind::Jump, own.days.get(change.at).cloned()),
                    };
                    all.push(finding(kind, day, change.before, change.after, change.p_value));
                }
                if let Some(outlier) = watch::outlier(&means, r) {
                    all.push(finding(FindingKind::Outlier, None, outlier.others, means[r], outlier.p_value));
                }
            }
        }
        let tests = all.len() as u64;
        let p_values: Vec<f64> = all.iter().map(|finding| finding.p_value).collect();
        let mut keep = watch::discoveries(&p_values, level).into_iter();
        all.retain(|_| keep.next().unwrap_or(false));
        all.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
        (all, tests)
    }
}
