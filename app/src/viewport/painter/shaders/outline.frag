// The pixels around a silhouette, up to a width; the last of them fade.
uniform sampler2D mask;
uniform vec2 pixel;
uniform float width;
uniform vec3 tint;
in vec2 place;
out vec4 result;

float inside(vec2 at) {
    return step(0.02, textureLod(mask, at, 0.0).r);
}

void main() {
    if (inside(place) > 0.5) {
        discard;
    }
    // The nearest pixel that is inside.
    int reach = int(ceil(width + 0.5));
    float nearest = 1e6;
    for (int y = -reach; y <= reach; y++) {
        for (int x = -reach; x <= reach; x++) {
            vec2 off = vec2(float(x), float(y));
            nearest = min(nearest, mix(1e6, length(off), inside(place + off * pixel)));
        }
    }
    float alpha = clamp(width + 1.0 - nearest, 0.0, 1.0);
    if (alpha < 0.01) {
        discard;
    }
    result = vec4(tint, alpha);
}
