uniform vec3 tint;
out vec4 result;
void main() {
    result = vec4(tint, 1.0);
}
