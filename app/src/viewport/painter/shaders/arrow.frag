// Soft at both sides of a line.
uniform vec4 tint;
in float across;
out vec4 result;
void main() {
    float soft = max(fwidth(across), 1e-4);
    result = vec4(tint.rgb, tint.a * clamp((1.0 - abs(across)) / soft + 0.5, 0.0, 1.0));
}
