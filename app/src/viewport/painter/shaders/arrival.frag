// How much light arrives: what keeps off the sky is looked for in the depths around, what keeps off the key light in the depths that
// it sees. The depth goes along, so that neighbours of other things can be told apart.
#ifdef GL_ES
precision highp sampler2DShadow;
#endif
uniform sampler2D normals;
uniform sampler2D depths;
uniform sampler2DShadow map;
uniform mat4 view_projection;
uniform mat4 to_light;
uniform vec3 eye;
uniform vec3 key;
uniform vec3 ahead;
uniform vec3 rightward;
uniform vec3 upward;
uniform vec2 depth_form;
uniform float far;
uniform float around;
uniform float spread;
uniform float texel;
uniform int samples;
uniform int taps;
in vec2 place;
out vec4 result;

// Golden angle.
const mat2 TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

float along(float depth) {
    return depth_form.y / (depth_form.x - (2.0 * depth - 1.0));
}

// Light of the sky that is kept off by what lies within `around`.
float occlusion(vec3 p, vec3 n, vec3 u, vec3 v, float noise) {
    vec4 at = view_projection * vec4(p + 0.02 * around * n, 1.0);
    vec4 along_u = view_projection * vec4(u, 0.0);
    vec4 along_v = view_projection * vec4(v, 0.0);
    vec4 along_n = view_projection * vec4(n, 0.0);
    float angle = 6.2831853 * noise;
    vec2 turn = vec2(cos(angle), sin(angle));
    float kept = 0.0;
    for (int i = 0; i < samples; i++) {
        float share = (float(i) + 0.5) / float(samples);
        float size = fract(float(i) * 0.618034 + noise);
        size = around * mix(0.08, 1.0, size * size);
        turn = TURN * turn;
        vec2 flat_part = sqrt(share) * turn;
        float up = sqrt(1.0 - share);
        vec4 there = at + size * (flat_part.x * along_u + flat_part.y * along_v + up * along_n);
        float behind = there.w - along(textureLod(depths, 0.5 + 0.5 * there.xy / there.w, 0.0).r);
        kept += step(0.02 * around, behind) * clamp(2.0 - behind / around, 0.0, 1.0);
    }
    return min(1.25 * kept / float(samples), 0.85);
}

// The part of the key light that arrives.
float visible(vec3 p, vec3 n, vec3 u, vec3 v, float noise) {
    float facing = dot(n, key);
    // Farther along the normal where light grazes: there a pixel of the map is long.
    vec3 at = (to_light * vec4(p + n * texel * (1.5 + 2.0 * (1.0 - abs(facing))) + key * 1.5 * texel, 1.0)).xyz;
    vec3 along_u = (to_light * vec4(spread * u, 0.0)).xyz;
    vec3 along_v = (to_light * vec4(spread * v, 0.0)).xyz;
    float angle = 6.2831853 * noise;
    vec2 turn = vec2(cos(angle), sin(angle));
    float seen = 0.0;
    for (int i = 0; i < taps; i++) {
        turn = TURN * turn;
        vec2 off = sqrt((float(i) + 0.5) / float(taps)) * turn;
        seen += textureLod(map, at + off.x * along_u + off.y * along_v, 0.0);
    }
    return seen / float(taps);
}

void main() {
    float depth = textureLod(depths, place, 0.0).r;
    if (depth >= 1.0) {
        result = vec4(0.0, 1.0, 1.0, 1.0);
        return;
    }
    float w = along(depth);
    vec2 ndc = 2.0 * place - 1.0;
    vec3 p = eye + w * (ahead + ndc.x * rightward + ndc.y * upward);
    vec3 n = normalize(2.0 * textureLod(normals, place, 0.0).xyz - 1.0);
    vec3 u = normalize(abs(n.y) < 0.9 ? vec3(n.z, 0.0, -n.x) : vec3(0.0, -n.z, n.y));
    vec3 v = cross(n, u);
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float share = clamp(w / far, 0.0, 1.0) * 255.0;
    // Where the key light shines on the back there is nothing of it to be kept off.
    float arrives = dot(n, key) > -0.3 ? visible(p, n, u, v, noise) : 0.0;
    result = vec4(occlusion(p, n, u, v, noise), arrives, floor(share) / 255.0, fract(share));
}
