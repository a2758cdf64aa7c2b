// Soft at both sides.
uniform vec4 tint;
in float across;
out vec4 result;
void main() {
    float soft = max(fwidth(across), 1e-4);
    result = vec4(tint.rgb, tint.a * (1.0 - smoothstep(1.0 - soft, 1.0, abs(across))));
}
