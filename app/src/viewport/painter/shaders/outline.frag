// The pixels around a silhouette.
uniform sampler2D mask;
// How far around, as a share of the picture.
uniform vec2 reach;
uniform vec3 tint;
in vec2 place;
out vec4 result;

float inside(vec2 at) {
    return step(0.02, texture(mask, at).r);
}

void main() {
    float near = 0.0;
    for (int i = 0; i < 8; i++) {
        float angle = 0.7853982 * float(i);
        vec2 way = vec2(cos(angle), sin(angle)) * reach;
        // Half way as well, so that thin parts are not stepped over; full inside, fading outwards.
        near = max(near, max(0.55 * inside(place + way), inside(place + 0.55 * way)));
    }
    float alpha = near * (1.0 - inside(place));
    if (alpha < 0.01) {
        discard;
    }
    result = vec4(tint, alpha);
}
