use super::*;

fn tone(low: f64, high: f64, log: bool) -> Tone {
    Tone { range: (low, high), map: ColorMap::Viridis, log }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn shares_and_values_are_inverse_and_beyond_the_limits_goes_on() {
    for tone in [tone(-2.0, 6.0, false), tone(1e-6, 1e2, true)] {
        for share in [-0.5, 0.0, 0.25, 1.0, 1.5] {
            assert!(near(tone.share(tone.value(share)), share), "{tone:?} at {share}");
        }
        assert!(tone.share(f64::NAN).is_nan());
    }
    assert!(near(tone(1e-4, 1.0, true).value(0.5), 1e-2), "equal ratios are equally far apart");
    assert_eq!(tone(1e-4, 1.0, true).share(0.0), f64::NEG_INFINITY, "zero lies below every limit");
    let flat = tone(2.0, 2.0, false);
    assert_eq!((flat.color(1.0), flat.color(3.0)), (flat.map.color(0.0), flat.map.color(1.0)));
}

#[test]
fn limits_follow_the_values_until_they_are_chosen() {
    let extent = Extent::of(Scale::From0, &[0.5, 2.0, f64::NAN]);
    let mut choice = LegendChoice::default();
    assert_eq!(choice.tone(Scale::From0, &extent).range, (0.0, 2.0));
    let now = choice.tone(Scale::From0, &extent);
    choice.set(End::High, 1.5, Scale::From0, &now);
    let wider = extent.with(Extent::of(Scale::From0, &[9.0]));
    assert_eq!(choice.tone(Scale::From0, &wider).range, (0.0, 1.5), "the chosen end stays, the other follows");
    assert!(!choice.is_automatic());
    choice.limits = [None; 2];
    assert_eq!(choice.tone(Scale::From0, &wider).range, (0.0, 9.0));
}

#[test]
fn a_map_with_a_middle_keeps_it_whichever_end_is_moved() {
    let extent = Extent::of(Scale::About1, &[0.9, 1.04]);
    let mut choice = LegendChoice::default();
    let auto = choice.tone(Scale::About1, &extent);
    assert!(near(auto.range.0, 0.9) && near(auto.range.1, 1.1));
    choice.set(End::Low, 0.98, Scale::About1, &auto);
    let (low, high) = choice.tone(Scale::About1, &extent).range;
    assert!(near(low, 0.98) && near(high, 1.02));
    // By ratios, 1 lies in the middle of 1/r and r.
    choice = LegendChoice { log: true, ..LegendChoice::default() };
    let by_ratio = choice.tone(Scale::About1, &extent);
    assert!(by_ratio.log && near(by_ratio.share(1.0), 0.5));
    choice.set(End::High, 2.0, Scale::About1, &by_ratio);
    let moved = choice.tone(Scale::About1, &extent);
    assert!(near(moved.range.0, 0.5) && near(moved.range.1, 2.0));
    // A map of one way has no middle to keep.
    choice = LegendChoice { map: Some(ColorMap::Viridis), ..LegendChoice::default() };
    let now = choice.tone(Scale::About1, &extent);
    choice.set(End::High, 1.05, Scale::About1, &now);
    assert!(near(choice.tone(Scale::About1, &extent).range.0, 0.9));
    // Back to the map with one, both ends reach as far as the farther one.
    choice.map = None;
    let (low, high) = choice.tone(Scale::About1, &extent).range;
    assert!(near(1.0 - low, high - 1.0) && near(high, 1.1), "{low} {high}");
}

#[test]
fn logarithms_are_of_what_is_positive() {
    let of = |values: &[f64]| Extent::of(Scale::From0, values);
    assert!(of(&[-1e-9, 2.0]).refuses_log().is_some_and(|why| why.contains("below zero")));
    assert!(of(&[0.0, 0.0]).refuses_log().is_some_and(|why| why.contains("above zero")));
    let residual = of(&[0.0, 3e-9, 2e-4]);
    assert_eq!(residual.refuses_log(), None);
    let choice = LegendChoice { log: true, ..LegendChoice::default() };
    assert_eq!(choice.tone(Scale::From0, &residual).range, (3e-9, 2e-4), "zeros count as below");
    assert!(!choice.tone(Scale::About0, &of(&[-1.0, 1.0])).log, "it is left out where it cannot be");
    let (low, high) = choice.tone(Scale::From0, &of(&[1e-300, 1.0])).range;
    assert!(near((high / low).log10(), f64::from(DECADES)));
    let (low, high) = choice.tone(Scale::From0, &of(&[5.0])).range;
    assert!(0.0 < low && low < high);
    // A limit below zero belongs to the other scale.
    let choice = LegendChoice { limits: [Some(-1.0), None], log: true, map: None };
    assert_eq!(choice.tone(Scale::From0, &residual).range.0, 3e-9);
}

#[test]
fn what_is_typed_stays_on_its_side() {
    let one_way = tone(0.0, 2.0, false);
    let refuses = |end, value, scale, tone: &Tone| LegendChoice::refuses(end, value, scale, tone).unwrap_or_default();
    assert!(refuses(End::Low, 2.0, Scale::From0, &one_way).contains("below the other"));
    assert!(refuses(End::High, -0.1, Scale::From0, &one_way).contains("above the other"));
    assert_eq!(refuses(End::High, 1e9, Scale::From0, &one_way), "");
    let about = Tone { map: ColorMap::Diverging, ..tone(0.9, 1.1, false) };
    assert!(refuses(End::High, 0.99, Scale::About1, &about).contains("above 1"));
    assert!(refuses(End::Low, 0.0, Scale::From0, &tone(1.0, 2.0, true)).contains("above zero"));
    assert_eq!(held_apart(End::High, 0.1, Scale::About1, &about), 0.52);
    assert_eq!(held_apart(End::Low, 3.0, Scale::From0, &one_way), 0.98);
}

#[test]
fn limits_that_the_values_left_behind_still_make_colours() {
    let choice = LegendChoice { limits: [Some(5.0), None], ..LegendChoice::default() };
    let tone = choice.tone(Scale::From0, &Extent::of(Scale::From0, &[1.0]));
    assert!(tone.range.0 == 5.0 && tone.range.1 > 5.0);
    let choice = LegendChoice { limits: [None, Some(-5.0)], ..LegendChoice::default() };
    let tone = choice.tone(Scale::From0, &Extent::of(Scale::From0, &[1.0]));
    assert!(tone.range.1 == -5.0 && tone.range.0 < -5.0);
}
