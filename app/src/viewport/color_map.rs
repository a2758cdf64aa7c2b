//! Colour maps: from a value to the display colour that the painter and the legend share.

use aplomb_sim::element::Scale;

/// A map from [0, 1] to colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Perceptually uniform, dark blue over green to yellow.
    #[default]
    Viridis,
    /// Perceptually uniform for normal and colour-blind sight alike, blue over grey to yellow.
    Cividis,
    /// Red over white to green: for values on both sides of zero, such as compression and tension.
    Signed,
    /// Green over white to purple: for factors on a stiffness, soft to stiff.
    Stiffness,
    /// Cyan over white to red: for values on both sides of the middle, such as a compression ratio about 1.
    Diverging,
}

/// What a value that is not a number is drawn in.
const MISSING: [u8; 3] = [128; 3];

/// Samples at equal steps of the map by Smith and van der Walt (2015), sRGB.
const VIRIDIS: [u32; 10] =
    [0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6d_cd_59, 0xb4_de_2c, 0xfd_e7_25];

/// Samples at equal steps of the map by Nuñez, Anderton and Renslow (2018), sRGB.
const CIVIDIS: [u32; 10] =
    [0x00_20_4d, 0x00_33_6f, 0x39_48_6b, 0x57_5c_6d, 0x70_71_73, 0x8a_87_79, 0xa6_9d_75, 0xc4_b5_6c, 0xe4_cf_5b, 0xff_ea_46];

/// Both arms equally light, so that equal deviations weigh the same to the eye.
const DIVERGING: [u32; 5] = [0x00_67_86, 0x45_b4_d0, 0xf5_f5_f5, 0xf0_8a_70, 0xb0_1e_2c];

/// Purple and green by Brewer (2003), whose arms are equally light: told apart by the colour-blind, and of no other field.
const STIFFNESS: [u32; 7] = [0x1b_78_37, 0x5a_ae_61, 0xa6_db_a0, 0xe6_e2_dc, 0xc2_a5_cf, 0x99_70_ab, 0x76_2a_83];

/// Both arms about equally light.
const SIGNED: [u32; 5] = [0xb0_1e_2c, 0xf0_8a_70, 0xf5_f5_f5, 0x6c_c0_7a, 0x14_6b_3a];

impl ColorMap {
    /// The map of a quantity: two colours that meet in the middle where it has one.
    pub fn of(scale: Scale) -> Self {
        match scale {
            Scale::From0 | Scale::From1 => Self::Viridis,
            Scale::About0 => Self::Signed,
            Scale::About1 => Self::Diverging,
        }
    }

    /// The sRGB colour at `t`; beyond [0, 1] that of the nearer end, and grey where `t` is not a number.
    pub fn color(self, t: f64) -> [u8; 3] {
        match self {
            Self::Viridis => sample(&VIRIDIS, t),
            Self::Cividis => sample(&CIVIDIS, t),
            Self::Signed => sample(&SIGNED, t),
            Self::Stiffness => sample(&STIFFNESS, t),
            Self::Diverging => sample(&DIVERGING, t),
        }
    }
}

fn sample(table: &[u32], t: f64) -> [u8; 3] {
    if t.is_nan() {
        return MISSING;
    }
    let place = t.clamp(0.0, 1.0) * (table.len() - 1) as f64;
    let left = (place as usize).min(table.len() - 2);
    let share = place - left as f64;
    [16, 8, 0].map(|shift| {
        let channel = |color: u32| f64::from(color >> shift & 0xff);
        (channel(table[left]) + share * (channel(table[left + 1]) - channel(table[left]))).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (ITU-R BT.709).
    fn luminance(color: [u8; 3]) -> f64 {
        let linear = color.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn sequential_maps_grow_lighter_all_the_way() {
        for map in [ColorMap::Viridis, ColorMap::Cividis] {
            let light: Vec<_> = (0..=40).map(|i| luminance(map.color(f64::from(i) / 40.0))).collect();
            assert!(light.windows(2).all(|pair| pair[0] < pair[1]), "{map:?}: {light:?}");
        }
    }

    #[test]
    fn the_diverging_map_is_lightest_at_the_middle_and_even_on_both_sides() {
        let light = |t: f64| luminance(ColorMap::Diverging.color(t));
        for i in 0..20 {
            let t = f64::from(i) / 40.0;
            assert!(light(t) < light(t + 0.025), "left arm at {t}");
            assert!(light(1.0 - t) < light(0.975 - t), "right arm at {t}");
            assert!((light(t) - light(1.0 - t)).abs() < 0.09, "{t}: {} and {}", light(t), light(1.0 - t));
        }
        let [red, green, blue] = ColorMap::Diverging.color(0.0);
        assert!(red < green && green < blue, "cyan is low");
    }

    #[test]
    fn ends_hold_and_no_number_is_grey() {
        for map in [ColorMap::Viridis, ColorMap::Cividis, ColorMap::Signed, ColorMap::Diverging] {
            assert_eq!(map.color(-3.0), map.color(0.0));
            assert_eq!(map.color(f64::INFINITY), map.color(1.0));
            assert_eq!(map.color(f64::NAN), MISSING);
        }
        assert_eq!(ColorMap::Viridis.color(1.0), [0xfd, 0xe7, 0x25]);
    }
}
