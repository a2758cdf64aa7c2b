//! What a filling lost of its surface, in words.

use super::fill::FillReport;
use crate::mesh::{MeshProblem, ProblemCode};

/// Thin parts that are a smaller share of the surface are not worth a word.
const TOLD: f64 = 0.005;

impl FillReport {
    /// Parts that were left out, and parts that the tets are too coarse for; none where all of the solid is there as it should be.
    pub fn losses(&self) -> Vec<MeshProblem> {
        let told = |code, count, message| MeshProblem { code, count, indices: Vec::new(), fixed: false, message };
        let mut losses = Vec::new();
        let (parts, tets) = (self.repairs.dropped_components, self.repairs.dropped_tets);
        if parts > 0 {
            let message = format!("{parts} small separate parts ({tets} tets) were left out of the filling; finer tets may keep them");
            losses.push(told(ProblemCode::DroppedPart, parts, message));
        }
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        if self.thin.lost > TOLD {
            let at = self.thin.at.map_or(String::new(), |[x, y, z]| format!(", most of all near ({x:.4}, {y:.4}, {z:.4}) m"));
            let message =
                format!("{} of the surface has no tets under it, too thin for their size{at}; finer tets help", percent(self.thin.lost));
            losses.push(told(ProblemCode::Thin, 1, message));
        }
        if self.thin.share > TOLD {
            let message = format!(
                "under {} of the surface the body is thinner than the tets and bends too stiffly; finer tets help",
                percent(self.thin.share)
            );
            losses.push(told(ProblemCode::Thin, 1, message));
        }
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::super::repair::Repairs;
    use super::super::thin::Thin;
    use super::*;

    #[test]
    fn each_loss_is_told_once() {
        assert!(FillReport::default().losses().is_empty());
        let repairs = Repairs { dropped_components: 2, dropped_tets: 30, ..Repairs::default() };
        let thin = Thin { share: 0.5, lost: 0.2, at: Some([1.0, 2.0, 3.0]) };
        let losses = FillReport { repairs, thin, ..FillReport::default() }.losses();
        let codes: Vec<ProblemCode> = losses.iter().map(|loss| loss.code).collect();
        assert_eq!(codes, [ProblemCode::DroppedPart, ProblemCode::Thin, ProblemCode::Thin]);
        assert!(losses[0].message.starts_with("2 small") && losses[1].message.starts_with("20.0 %"), "{losses:?}");
    }
}
