// `form` is the radius in pixels, and the width of a ring; of a disc, which has no hole, that of the dark ring about it, negative.
in vec2 local;
in vec2 form;
in vec4 tone;
out vec4 result;
void main() {
    float radius = form.x * length(local);
    float soft = max(form.x * fwidth(length(local)), 1e-4);
    float outer = clamp((form.x - radius) / soft, 0.0, 1.0);
    float inner = form.y > 0.0 ? clamp((radius - form.x + form.y) / soft, 0.0, 1.0) : 1.0;
    // A dark ring sets a disc off from what it lies on.
    float ring = form.y < 0.0 ? clamp((radius - form.x - form.y) / soft + 0.5, 0.0, 1.0) : 0.0;
    result = vec4(mix(tone.rgb, vec3(0.07, 0.08, 0.10), ring), tone.a * outer * inner);
}
