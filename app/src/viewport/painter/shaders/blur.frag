// One direction of a Gaussian.
uniform sampler2D mask;
uniform vec2 stride;
in vec2 place;
out vec4 result;
void main() {
    float sum = 0.0;
    float weight = 0.0;
    for (int i = -6; i <= 6; i++) {
        float w = exp(-float(i * i) / 14.0);
        sum += w * texture(mask, place + float(i) * stride).r;
        weight += w;
    }
    result = vec4(sum / weight);
}
