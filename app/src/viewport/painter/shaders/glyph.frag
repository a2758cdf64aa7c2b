// `thickness` is the part of the radius that is drawn: 1 fills the disc, less makes a ring.
in vec2 local;
in float thickness;
in vec4 tone;
out vec4 result;
void main() {
    float radius = length(local);
    float soft = max(fwidth(radius), 1e-4);
    float outer = 1.0 - smoothstep(1.0 - 1.5 * soft, 1.0, radius);
    float inner = thickness >= 1.0 ? 1.0 : smoothstep(1.0 - thickness - 1.5 * soft, 1.0 - thickness, radius);
    // A darker border sets a disc off from what it lies on.
    float border = thickness >= 1.0 ? smoothstep(0.62, 0.72, radius) : 0.0;
    result = vec4(mix(tone.rgb, tone.rgb * 0.45, border), tone.a * outer * inner);
}
