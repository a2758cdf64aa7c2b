// A disc of ground with fine and coarse lines, fading with distance, and the soft shadow of what stands on it.
uniform sampler2D mask;
uniform vec3 fill;
uniform vec3 line;
uniform vec3 eye;
uniform vec3 plane_normal;
uniform vec2 phase;
uniform float spacing;
uniform float extent;
uniform float mask_extent;
uniform float solidity;
uniform float shade;
in vec2 offset;
in vec3 point;
out vec4 result;

// Coverage of lines at whole numbers, one pixel wide; fades out before the lines run into each other.
float lines(vec2 at, vec2 change) {
    vec2 away = abs(fract(at - 0.5) - 0.5) / change;
    vec2 covered = clamp(1.2 - away, 0.0, 1.0) * (1.0 - smoothstep(0.12, 0.45, change));
    return max(covered.x, covered.y);
}

void main() {
    vec2 at = (offset + phase) / spacing;
    vec2 change = max(fwidth(at), vec2(1e-6));
    float far = length(offset) / extent;
    float fade = exp(-7.0 * far * far) * (1.0 - smoothstep(0.8, 1.0, far));
    vec3 to_eye = normalize(eye - point);
    float grazing = smoothstep(0.0, 0.12, abs(dot(to_eye, plane_normal)));
    float grid = max(0.30 * lines(at, change), 0.62 * lines(0.1 * at, 0.1 * change)) * grazing;
    vec2 inside = 0.5 + 0.5 * offset / mask_extent;
    float on_mask = step(max(abs(inside.x - 0.5), abs(inside.y - 0.5)), 0.5);
    float shadow = shade * on_mask * texture(mask, inside).r;
    vec3 color = mix(fill, line, grid) * (1.0 - shadow);
    float cover = max(max(solidity, grid) * fade, shadow);
    // Noise of a level keeps the fading ground from banding, also where colours are rounded before they are mixed.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    result = vec4(color + noise / (127.5 * max(cover, 0.1)), cover);
}
