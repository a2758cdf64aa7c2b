// The pixels just outside of a silhouette, or just inside of it, up to a width; the last of them fade.
uniform sampler2D mask;
uniform vec2 pixel;
uniform float width;
uniform vec3 tint;
uniform bool within;
in vec2 place;
out vec4 result;

// How much of a pixel is inside.
float inside(vec2 at) {
    float covered = textureLod(mask, at, 0.0).r;
    return within ? 1.0 - covered : covered;
}

void main() {
    float here = inside(place);
    if (here >= 1.0) {
        discard;
    }
    // The nearest pixels that are inside.
    int reach = int(ceil(width + 0.5));
    float near = 0.0;
    for (int y = -reach; y <= reach; y++) {
        for (int x = -reach; x <= reach; x++) {
            vec2 off = vec2(float(x), float(y));
            near = max(near, inside(place + off * pixel) * clamp(width + 1.0 - length(off), 0.0, 1.0));
        }
    }
    float alpha = near * (1.0 - here);
    if (alpha < 0.01) {
        discard;
    }
    result = vec4(tint, alpha);
}
