// Lines and heads of a size in pixels.
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 pixel;
uniform float pull;
// By how much all is wider [pixels].
uniform float wider;
in vec3 position;
in vec3 other;
// To the left, back along the line, the share of the half width, and 0 at the beginning, 1 at the end, 2 in the head.
in vec4 offset;
out float across;

vec2 on_screen(vec4 at) {
    return at.xy / max(at.w, 1e-6) / pixel;
}

void main() {
    vec4 at = view_projection * vec4(position + pull * (eye - position), 1.0);
    vec4 to = view_projection * vec4(other + pull * (eye - other), 1.0);
    vec2 along = on_screen(to) - on_screen(at);
    float apart = length(along);
    along = apart > 1e-6 ? along / apart : vec2(1.0, 0.0);
    // From the beginning to the end.
    vec2 ahead = offset.w < 0.5 ? along : -along;
    vec2 left = vec2(-ahead.y, ahead.x);
    // A head is never longer than most of its line.
    float fit = offset.y > 0.0 ? min(1.0, 0.7 * apart / offset.y) : 1.0;
    float side = (offset.w > 1.5 ? fit : 1.0) * offset.x + wider * sign(offset.x);
    float back = fit * offset.y + (offset.w > 1.5 ? wider * (offset.x == 0.0 ? -1.5 : 1.0) : 0.0);
    at.xy += (side * left - back * ahead) * pixel * at.w;
    across = offset.z;
    gl_Position = at;
}
