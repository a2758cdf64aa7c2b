// Matte surfaces under a hemisphere and a key light. The alpha of the tone says how much is lit: 1 for clay, 0 for a
// field that is to be read off against a legend and keeps only a hint of shading; 2 for water, which is lit and shines.
uniform vec3 eye;
uniform vec3 key;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 key_light;
uniform vec3 rim_light;
// How much darker a field is where it turns away.
uniform float field_rim;
uniform float opacity;
// Of light of the sky what is kept off, of the key light what arrives, and the depth that both are of; at another size.
uniform sampler2D arrival;
uniform vec2 arrival_scale;
// The farthest depth, how far depths of one thing lie apart [m], and whether there is anything to read.
uniform vec3 arrival_depth;

// Light of the sky that is kept off, and key light that arrives, here.
vec2 arrives() {
    if (arrival_depth.z < 0.5) {
        return vec2(0.0, 1.0);
    }
    vec2 at = gl_FragCoord.xy * arrival_scale - 0.5;
    ivec2 first = ivec2(floor(at));
    vec2 share = at - vec2(first);
    ivec2 last = textureSize(arrival, 0) - 1;
    float depth = 1.0 / gl_FragCoord.w;
    vec2 sum = vec2(0.0);
    float weights = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec4 texel = texelFetch(arrival, clamp(first + corner, ivec2(0), last), 0);
        vec2 near = mix(1.0 - share, share, vec2(corner));
        float off = abs((texel.z + texel.w / 255.0) * arrival_depth.x - depth) / arrival_depth.y;
        float weight = (near.x * near.y + 1e-3) * clamp(2.0 - off, 0.0, 1.0);
        sum += weight * texel.xy;
        weights += weight;
    }
    // What none of the neighbours is of, such as the edge of a thin thing, has all of it.
    return weights > 1e-4 ? sum / weights : vec2(0.0, 1.0);
}

vec4 shaded(vec3 n, vec3 point, vec4 tone) {
    vec3 to_eye = normalize(eye - point);
    float facing = clamp(dot(n, to_eye), 0.0, 1.0);
    float grazing = 1.0 - facing;
    vec2 arrived = arrives();
    float open = 1.0 - arrived.x;
    // Light that wraps around the edge between light and shade is what makes clay look soft.
    float wrapped = clamp((dot(n, key) + 0.30) / 1.30, 0.0, 1.0);
    // A shadow keeps some of the key light, as light from elsewhere.
    float keyed = mix(0.18, 1.0, arrived.y);
    vec3 light = mix(ground, sky * open, 0.5 + 0.5 * n.y) + key_light * wrapped * wrapped * keyed;
    float sheen = 0.03 * arrived.y * pow(clamp(dot(n, normalize(key + to_eye)), 0.0, 1.0), 24.0);
    vec3 rim = rim_light * grazing * grazing * grazing;
    vec3 lit = pow(tone.rgb, vec3(2.2)) * light + sheen + rim;
    // What water throws back of its surroundings grows where it turns away (Schlick 1994), about the sun there is a glint.
    float shine = clamp(tone.a - 1.0, 0.0, 1.0);
    vec3 mirrored = reflect(-to_eye, n);
    float fresnel = 0.02 + 0.98 * pow(grazing, 5.0);
    float glint = pow(clamp(dot(mirrored, key), 0.0, 1.0), 90.0);
    vec3 around = mix(ground, sky * open, smoothstep(-0.3, 0.6, mirrored.y));
    lit = mix(lit, mix(lit, 1.4 * around, 0.75 * fresnel) + key_light * 0.35 * glint * arrived.y, shine);
    lit = pow(lit / (1.0 + 0.18 * lit), vec3(1.0 / 2.2));
    // No shadow falls on a field: its edge would be read as one of the values.
    float form = 0.5 * facing + 0.5 * wrapped;
    vec3 plain = tone.rgb * (0.74 + 0.26 * form) * (1.0 - 0.34 * arrived.x) * (1.0 - field_rim * pow(grazing, 2.5));
    // What one sees through keeps its outline: it is denser where it turns away.
    float cover = mix(opacity, 1.0, 0.7 * grazing * grazing * grazing);
    return vec4(mix(plain, lit, min(tone.a, 1.0)), opacity < 1.0 ? cover : 1.0);
}
