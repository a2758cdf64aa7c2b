// Matte surfaces under a hemisphere and a key light. The alpha of the tone says how much is lit: 1 for clay, 0 for a
// field that is to be read off against a legend and keeps only a hint of shading.
uniform vec3 eye;
uniform vec3 key;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 key_light;
uniform vec3 rim_light;
uniform float opacity;

vec4 shaded(vec3 n, vec3 point, vec4 tone) {
    vec3 to_eye = normalize(eye - point);
    float facing = clamp(dot(n, to_eye), 0.0, 1.0);
    // Light that wraps around the edge between light and shade is what makes clay look soft.
    float wrapped = clamp((dot(n, key) + 0.35) / 1.35, 0.0, 1.0);
    vec3 light = mix(ground, sky, 0.5 + 0.5 * n.y) + key_light * wrapped * wrapped;
    float sheen = pow(clamp(dot(n, normalize(key + to_eye)), 0.0, 1.0), 24.0) * 0.045;
    float grazing = 1.0 - facing;
    vec3 rim = rim_light * grazing * grazing * grazing * (0.55 + 0.45 * n.y);
    vec3 lit = pow(tone.rgb, vec3(2.2)) * light + sheen + rim;
    lit = pow(lit / (1.0 + 0.18 * lit), vec3(1.0 / 2.2));
    vec3 plain = tone.rgb * (0.80 + 0.20 * (0.5 * facing + 0.5 * wrapped)) + 0.06 * grazing * grazing;
    // What one sees through keeps its outline: it is denser where it turns away.
    float cover = mix(opacity, 1.0, 0.7 * grazing * grazing * grazing);
    return vec4(mix(plain, lit, tone.a), opacity < 1.0 ? cover : 1.0);
}
