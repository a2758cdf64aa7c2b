uniform mat4 view_projection;
in vec3 position;
in vec3 normal;
in vec4 color;
out vec3 point;
out vec3 direction;
out vec4 tone;
void main() {
    point = position;
    direction = normal;
    tone = color;
    gl_Position = view_projection * vec4(position, 1.0);
}
