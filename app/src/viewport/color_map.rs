//! Colour maps: from a value to the display colour that the painter and the legend share.

use aplomb_sim::element::Scale;

/// A map from [0, 1] to colours: an entry of [`MAPS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Perceptually uniform, dark blue over green to yellow.
    #[default]
    Viridis,
    /// Perceptually uniform for normal and colour-blind sight alike, blue over grey to yellow.
    Cividis,
    /// Perceptually uniform, black over red to pale yellow.
    Inferno,
    /// Perceptually uniform, black over violet to pale pink.
    Magma,
    /// Perceptually uniform, blue over magenta to yellow: nothing of it is dark.
    Plasma,
    /// Black to white.
    Grey,
    /// Green over white to purple: for factors on a stiffness, soft to stiff.
    Stiffness,
    /// Cyan over white to red: for values on both sides of the middle, such as a compression ratio about 1.
    Diverging,
    /// Red over white to green: for values on both sides of zero, such as compression and tension.
    Signed,
    /// Blue over white to orange: both sides told apart by colour-blind sight too.
    BlueOrange,
}

/// A colour map, as it is offered.
#[derive(Debug)]
pub struct MapEntry {
    /// Which it is.
    pub map: ColorMap,
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Whether two colours meet in its middle.
    pub diverging: bool,
    /// Samples at equal steps, sRGB.
    table: &'static [u32],
}

/// Every colour map.
pub static MAPS: &[MapEntry] = &[
    one_way(ColorMap::Viridis, "Viridis", "Dark blue over green to yellow, even to the eye", &VIRIDIS),
    one_way(ColorMap::Cividis, "Cividis", "Blue to yellow, the same for colour-blind sight", &CIVIDIS),
    one_way(ColorMap::Inferno, "Inferno", "Black over red to pale yellow, even to the eye", &INFERNO),
    one_way(ColorMap::Magma, "Magma", "Black over violet to pale pink, even to the eye", &MAGMA),
    one_way(ColorMap::Plasma, "Plasma", "Blue over magenta to yellow, nowhere dark", &PLASMA),
    one_way(ColorMap::Grey, "Grey", "Black to white, for print", &GREY),
    two_ways(ColorMap::Diverging, "Cyan–red", "Both sides of a middle that is white", &DIVERGING),
    two_ways(ColorMap::Signed, "Red–green", "Both sides of a middle that is white", &SIGNED),
    two_ways(ColorMap::Stiffness, "Green–purple", "Both sides of a middle that is white, as of painted stiffness", &STIFFNESS),
    two_ways(ColorMap::BlueOrange, "Blue–orange", "Both sides of a middle that is white, for colour-blind sight too", &BLUE_ORANGE),
];

const fn one_way(map: ColorMap, name: &'static str, doc: &'static str, table: &'static [u32]) -> MapEntry {
    MapEntry { map, name, doc, diverging: false, table }
}

const fn two_ways(map: ColorMap, name: &'static str, doc: &'static str, table: &'static [u32]) -> MapEntry {
    MapEntry { map, name, doc, diverging: true, table }
}

/// What a value that is not a number is drawn in.
const MISSING: [u8; 3] = [128; 3];

/// Samples at equal steps of the map by Smith and van der Walt (2015), sRGB.
const VIRIDIS: [u32; 10] =
    [0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6d_cd_59, 0xb4_de_2c, 0xfd_e7_25];

/// Samples at equal steps of the map by Nuñez, Anderton and Renslow (2018), sRGB.
const CIVIDIS: [u32; 10] =
    [0x00_20_4d, 0x00_33_6f, 0x39_48_6b, 0x57_5c_6d, 0x70_71_73, 0x8a_87_79, 0xa6_9d_75, 0xc4_b5_6c, 0xe4_cf_5b, 0xff_ea_46];

/// Samples at equal steps of the maps by Smith and van der Walt (2015), sRGB.
const INFERNO: [u32; 10] =
    [0x00_00_04, 0x1b_0c_42, 0x4b_0c_6b, 0x78_1c_6d, 0xa5_2c_60, 0xcf_44_46, 0xed_69_25, 0xfb_9a_06, 0xf7_d0_3c, 0xfc_ff_a4];
const MAGMA: [u32; 10] =
    [0x00_00_04, 0x18_0f_3e, 0x45_10_77, 0x72_1f_81, 0x9f_2f_7f, 0xcd_40_71, 0xf1_60_5d, 0xfd_95_67, 0xfe_c9_8d, 0xfc_fd_bf];
const PLASMA: [u32; 10] =
    [0x0d_08_87, 0x47_03_9f, 0x73_01_a8, 0x9c_17_9e, 0xbd_37_86, 0xd8_57_6b, 0xed_79_53, 0xfa_9e_3b, 0xfd_c9_26, 0xf0_f9_21];

const GREY: [u32; 2] = [0x14_14_14, 0xf0_f0_f0];

/// Both arms equally light, so that equal deviations weigh the same to the eye.
const DIVERGING: [u32; 5] = [0x00_67_86, 0x45_b4_d0, 0xf5_f5_f5, 0xf0_8a_70, 0xb0_1e_2c];

/// Purple and green by Brewer (2003), whose arms are equally light: told apart by the colour-blind, and of no other field.
const STIFFNESS: [u32; 7] = [0x1b_78_37, 0x5a_ae_61, 0xa6_db_a0, 0xe6_e2_dc, 0xc2_a5_cf, 0x99_70_ab, 0x76_2a_83];

/// Both arms about equally light.
const SIGNED: [u32; 5] = [0xb0_1e_2c, 0xf0_8a_70, 0xf5_f5_f5, 0x6c_c0_7a, 0x14_6b_3a];

/// Both arms about equally light.
const BLUE_ORANGE: [u32; 5] = [0x1f_56_a8, 0x84_b0_e0, 0xf5_f5_f5, 0xf0_a2_4e, 0x9c_50_06];

impl ColorMap {
    /// The map of a quantity: two colours that meet in the middle where it has one.
    pub fn of(scale: Scale) -> Self {
        match scale {
            Scale::From0 | Scale::From1 => Self::Viridis,
            Scale::About0 => Self::Signed,
            Scale::About1 => Self::Diverging,
        }
    }

    /// What there is to say of it.
    pub fn entry(self) -> &'static MapEntry {
        MAPS.iter().find(|entry| entry.map == self).unwrap_or(&MAPS[0])
    }

    /// Whether two colours meet in its middle.
    pub fn is_diverging(self) -> bool {
        self.entry().diverging
    }

    /// The sRGB colour at `t`; beyond [0, 1] that of the nearer end, and grey where `t` is not a number.
    pub fn color(self, t: f64) -> [u8; 3] {
        sample(self.entry().table, t)
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
    fn maps_of_one_way_grow_lighter_all_the_way() {
        for entry in MAPS.iter().filter(|entry| !entry.diverging) {
            let light: Vec<_> = (0..=40).map(|i| luminance(entry.map.color(f64::from(i) / 40.0))).collect();
            assert!(light.windows(2).all(|pair| pair[0] < pair[1]), "{}: {light:?}", entry.name);
        }
    }

    #[test]
    fn maps_of_two_ways_are_lightest_at_the_middle_and_even_on_both_sides() {
        for entry in MAPS.iter().filter(|entry| entry.diverging) {
            let light = |t: f64| luminance(entry.map.color(t));
            for i in 0..20 {
                let t = f64::from(i) / 40.0;
                assert!(light(t) < light(t + 0.025), "{}: left arm at {t}", entry.name);
                assert!(light(1.0 - t) < light(0.975 - t), "{}: right arm at {t}", entry.name);
                let apart = (light(t) - light(1.0 - t)).abs();
                assert!(apart < 0.19, "{} at {t}: {} and {}", entry.name, light(t), light(1.0 - t));
            }
        }
        let [red, green, blue] = ColorMap::Diverging.color(0.0);
        assert!(red < green && green < blue, "cyan is low");
    }

    #[test]
    fn every_map_is_an_entry_of_its_own_and_the_first_is_the_default() {
        for (i, entry) in MAPS.iter().enumerate() {
            assert!(std::ptr::eq(entry.map.entry(), entry), "{}", entry.name);
            assert!(MAPS[i + 1..].iter().all(|other| other.name != entry.name && other.table != entry.table), "{}", entry.name);
        }
        assert_eq!(MAPS[0].map, ColorMap::default());
    }

    #[test]
    fn ends_hold_and_no_number_is_grey() {
        for map in MAPS.iter().map(|entry| entry.map) {
            assert_eq!(map.color(-3.0), map.color(0.0));
            assert_eq!(map.color(f64::INFINITY), map.color(1.0));
            assert_eq!(map.color(f64::NAN), MISSING);
        }
        assert_eq!(ColorMap::Viridis.color(1.0), [0xfd, 0xe7, 0x25]);
    }
}
