// Lines as round bars with round ends, points as balls: a rectangle on the screen around each, of a radius in metres, but of no less
// than some pixels. `corner.x` tells the end, `corner.y` the side.
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 pixel;
uniform float radius;
uniform float least;
uniform float wider;
// In place of the colours, by its alpha.
uniform vec4 tint;
in vec4 corner;
in vec3 from;
in vec3 to;
in vec4 tone_from;
in vec4 tone_to;
out vec3 point;
out vec4 tone;
// Place along and across in units of the radius, and the length in them.
out vec3 local;
out vec3 along_world;
out vec3 across_world;

// The radius in pixels around a place.
float pixels(vec3 place, vec4 at, vec3 side) {
    vec4 beside = view_projection * vec4(place + radius * side, 1.0);
    float projected = length((beside.xy / max(beside.w, 1e-6) - at.xy / max(at.w, 1e-6)) / pixel);
    return max(projected, least) + wider;
}

void main() {
    vec3 to_eye = normalize(eye - 0.5 * (from + to));
    vec3 axis = to - from;
    vec3 side = cross(axis, to_eye);
    if (length(side) < 1e-6 * (length(axis) + 1e-12)) {
        side = cross(vec3(0.0, 1.0, 0.0), to_eye);
    }
    if (length(side) < 1e-6) {
        side = vec3(1.0, 0.0, 0.0);
    }
    side = normalize(side);
    vec4 start = view_projection * vec4(from, 1.0);
    vec4 end = view_projection * vec4(to, 1.0);
    vec2 way = (end.xy / max(end.w, 1e-6) - start.xy / max(start.w, 1e-6)) / pixel;
    float apart = length(way);
    vec2 along = apart > 1e-3 ? way / apart : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    bool is_end = corner.x > 0.5;
    vec4 at = is_end ? end : start;
    float r = pixels(is_end ? to : from, at, side);
    float outward = is_end ? 1.0 : -1.0;
    at.xy += (outward * along + corner.y * across) * r * pixel * at.w;
    point = is_end ? to : from;
    tone = mix(is_end ? tone_to : tone_from, vec4(tint.rgb, 0.0), tint.a);
    local = vec3(is_end ? apart / r + 1.0 : -1.0, corner.y, apart / r);
    across_world = cross(to_eye, normalize(length(axis) > 0.0 ? axis : cross(side, to_eye)));
    across_world = length(across_world) > 1e-6 ? normalize(across_world) : side;
    along_world = normalize(cross(across_world, to_eye));
    gl_Position = at;
}
