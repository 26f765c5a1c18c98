// European options: call and put prices, cumulative normal distribution by the polynomial of Abramowitz and
// Stegun 26.2.17.
float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float tail = 0.39894228f * exp(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float* price, global const float* strike, global const float* years,
                          global float2* out, const float rate, const float volatility) {
  const size_t i = get_global_id(0);
  const float s = price[i];
  const float x = strike[i];
  const float t = years[i];
  const float root = volatility * sqrt(t);
  const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
  const float d2 = d1 - root;
  const float discounted = x * exp(-rate * t);
  const float n1 = normal_cdf(d1);
  const float n2 = normal_cdf(d2);
  out[i] = (float2)(s * n1 - discounted * n2, discounted * (1.0f - n2) - s * (1.0f - n1));
}
