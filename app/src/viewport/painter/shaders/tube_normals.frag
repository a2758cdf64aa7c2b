// Normals of round bars, for what is found out about light afterwards.
uniform vec3 eye;
out vec4 result;
void main() {
    result = vec4(0.5 + 0.5 * bar_normal(eye), 1.0);
}
