// Of a crisp edge that fades within a pixel.
uniform float width;
in float across;
in vec4 tone;
out vec4 result;
void main() {
    float cover = clamp(across + 0.5, 0.0, 1.0) * clamp(width + 0.5 - across, 0.0, 1.0);
    result = vec4(tone.rgb, tone.a * cover);
}
