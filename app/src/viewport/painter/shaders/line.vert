// Lines of a width in pixels: each end of a segment stands twice, once at either side.
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 pixel;
uniform float pull;
in vec3 position;
in vec3 other;
in vec4 side;
out float across;
void main() {
    vec4 at = view_projection * vec4(position + pull * (eye - position), 1.0);
    vec4 to = view_projection * vec4(other + pull * (eye - other), 1.0);
    vec2 along = (to.xy / max(to.w, 1e-6) - at.xy / max(at.w, 1e-6)) / pixel;
    vec2 normal = vec2(-along.y, along.x) / max(length(along), 1e-6);
    at.xy += side.x * normal * pixel * at.w;
    across = side.y;
    gl_Position = at;
}
