//! Reads search options for several examples.

use std::time::Duration;

use kingdomino_rules::Rules;
use kingdomino_search::{Limit, TreeOptions, Weights};

/// A search and its limit from `KEY=VALUE,…`, like `playouts=500,lines=0.8`. `None` for an unknown option.
pub(crate) fn search_options(text: &str, rules: &Rules) -> Option<(TreeOptions, Limit)> {
    let (mut options, mut limit) = (TreeOptions::of(rules), Limit::default());
    for option in text.split(',').filter(|option| !option.is_empty()) {
        let (key, value) = option.split_once('=')?;
        match key {
            "playouts" => limit.playouts = Some(value.parse().ok()?),
            "time" => limit.time = Some(Duration::from_secs_f64(value.parse().ok()?)),
            "c" => options.exploration = value.parse().ok()?,
            "root" => options.root_exploration = value.parse().ok()?,
            "root_width" => options.root_width = value.parse().ok()?,
            "widening" => options.widening = value.parse().ok()?,
            "lines" => options.lines = value.parse().ok()?,
            "first_endings" => options.first_endings = value.parse().ok()?,
            "endings" => options.endings = value.parse().ok()?,
            "floor" => options.floor = value.parse().ok()?,
            "margin" => options.utility.margin = value.parse().ok()?,
            "network" => options.network_weight = value.parse().ok()?,
            "late" => options.late_margin = value.parse().ok()?,
            "half" => options.utility.half = value.parse().ok()?,
            // Weights, separated by slashes.
            "weights" => {
                let weights =
                    value.split('/').map(|weight| weight.parse().ok()).collect::<Option<Vec<i32>>>()?;
                options.weights = Weights::from_array(weights.try_into().ok()?);
            }
            _ => return None,
        }
    }
    Some((options, limit))
}
