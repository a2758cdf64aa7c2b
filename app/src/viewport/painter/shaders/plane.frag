// A disc of ground with fine and coarse lines, fading with distance, and the soft shadows of what stands on it.
uniform sampler2D mask;
uniform vec3 fill;
uniform vec3 line;
uniform vec3 eye;
uniform vec3 plane_normal;
uniform vec2 phase;
uniform float spacing;
uniform float fade_radius;
// Whether there is ground, as opposed to lines alone; and how much of what is behind it is covered.
uniform float solidity;
uniform float opacity;
// Middle and inverse of the half sides of what the mask shows of the key shadow, and of the contact shadow.
uniform vec4 key_place;
uniform vec4 contact_place;
// How dark both are.
uniform vec2 shade;
in vec2 offset;
in vec3 point;
out vec4 result;

// Coverage of lines at whole numbers, one pixel wide; fades out before the lines run into each other.
float lines(vec2 at, vec2 change) {
    vec2 away = abs(fract(at - 0.5) - 0.5) / change;
    vec2 covered = clamp(1.0 - away, 0.0, 1.0) * (1.0 - smoothstep(0.12, 0.45, change));
    return max(covered.x, covered.y);
}

// Where the mask shows this place, and whether it does.
vec3 on_mask(vec4 of) {
    vec2 at = (offset - of.xy) * of.zw;
    return vec3(0.5 + 0.5 * at, step(max(abs(at.x), abs(at.y)), 1.0));
}

void main() {
    vec2 at = (offset + phase) / spacing;
    vec2 change = max(fwidth(at), vec2(1e-6));
    float far = length(offset) / fade_radius;
    float fade = exp(-5.0 * far * far);
    vec3 to_eye = normalize(eye - point);
    float grazing = smoothstep(0.0, 0.12, abs(dot(to_eye, plane_normal)));
    float grid = max(0.30 * lines(at, change), 0.62 * lines(0.1 * at, 0.1 * change)) * grazing;
    vec3 under_key = on_mask(key_place);
    vec3 touching = on_mask(contact_place);
    float unkeyed = shade.x * under_key.z * textureLod(mask, under_key.xy, 0.0).r;
    float contact = shade.y * touching.z * dot(textureLod(mask, touching.xy, 0.0).gb, vec2(0.5));
    float light = (1.0 - unkeyed) * (1.0 - contact);
    // What is seen through the plane, such as a mere grid, lies in its shadow too.
    float cover = opacity * fade * mix(grid, 1.0, solidity);
    float covered = 1.0 - light * (1.0 - cover);
    vec3 color = mix(line, mix(fill, line, grid), solidity) * light * cover / max(covered, 1e-4);
    // Noise of a level keeps the fading ground from banding, also where colours are rounded before they are mixed.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    result = vec4(color + noise / (127.5 * max(covered, 0.1)), covered);
}
