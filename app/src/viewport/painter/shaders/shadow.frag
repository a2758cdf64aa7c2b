// The nearer to the plane, the darker; blended by the maximum, so that layers do not add up.
uniform float reach;
in float height;
out vec4 result;
void main() {
    if (height < -0.5 * reach) discard;
    result = vec4(exp(-max(height, 0.0) / reach));
}
