// Discs and rings that face the eye, with a size in pixels.
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 pixel;
uniform float pull;
in vec3 position;
in vec4 corner;
in vec4 color;
out vec2 local;
out vec2 form;
out vec4 tone;
void main() {
    local = corner.xy;
    form = corner.zw;
    tone = color;
    vec3 to_eye = eye - position;
    vec4 at = view_projection * vec4(position + pull * to_eye, 1.0);
    at.xy += corner.xy * corner.z * pixel * at.w;
    gl_Position = at;
}
