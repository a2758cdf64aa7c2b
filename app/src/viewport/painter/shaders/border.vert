// A band of a width in pixels along an edge, on the side of the corner `within`. `corner.x` tells the end, `corner.y` the side.
uniform mat4 view_projection;
uniform vec3 eye;
// The size of a pixel, and the width of the band in them.
uniform vec2 pixel;
uniform float width;
uniform float pull;
in vec4 corner;
in vec3 from;
in vec3 to;
in vec3 within;
in vec4 color;
out float across;
out vec4 tone;

vec4 placed(vec3 position) {
    return view_projection * vec4(position + pull * (eye - position), 1.0);
}

vec2 on_screen(vec4 at) {
    return at.xy / max(at.w, 1e-6) / pixel;
}

void main() {
    vec4 start = placed(from);
    vec4 end = placed(to);
    vec2 along = on_screen(end) - on_screen(start);
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec2 inward = vec2(-along.y, along.x);
    if (dot(inward, on_screen(placed(within)) - on_screen(start)) < 0.0) {
        inward = -inward;
    }
    bool is_end = corner.x > 0.5;
    vec4 at = is_end ? end : start;
    // A little longer than the edge, so that bands of neighbours join; half a pixel beyond it, where the edge of the band fades.
    float side = mix(-0.5, width + 0.5, corner.y);
    at.xy += ((is_end ? 0.4 : -0.4) * along + side * inward) * pixel * at.w;
    across = side;
    tone = color;
    gl_Position = at;
}
