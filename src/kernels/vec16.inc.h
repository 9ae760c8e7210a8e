// SPDX-License-Identifier: MIT
// Sixteen floats and a dozen operations, inside the namespace of one instruction set. Included once
// per translation unit; uses no inline function of the standard library, because the linker could
// then hand code for a newer machine to the rest of the program.

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sgood::kernels::SGOOD_ISA {
namespace {

#if defined(__AVX512F__)

constexpr int kTileRows = 16;     // rows of a product kept in registers
constexpr int kTileWeights = 16;  // weight rows whose gradients are kept in registers

struct Vec {
  __m512 v;
};
inline Vec load(const float* p) { return {_mm512_loadu_ps(p)}; }
inline void store(float* p, Vec a) { _mm512_storeu_ps(p, a.v); }
inline Vec broadcast(float a) { return {_mm512_set1_ps(a)}; }
inline Vec operator+(Vec a, Vec b) { return {_mm512_add_ps(a.v, b.v)}; }
inline Vec operator-(Vec a, Vec b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline Vec operator*(Vec a, Vec b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline Vec fma(Vec a, Vec b, Vec c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
inline Vec max(Vec a, Vec b) { return {_mm512_max_ps(a.v, b.v)}; }
inline Vec min(Vec a, Vec b) { return {_mm512_min_ps(a.v, b.v)}; }
/// b where a > 0, else 0.
inline Vec where_positive(Vec a, Vec b) {
  return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.v, _mm512_setzero_ps(), _CMP_GT_OQ), b.v)};
}
/// a * 2^n, n the integer in the low bits of `n`.
inline Vec shift_exponent(Vec a, Vec n) {
  return {_mm512_castsi512_ps(
      _mm512_add_epi32(_mm512_castps_si512(a.v), _mm512_slli_epi32(_mm512_castps_si512(n.v), 23)))};
}

#elif defined(__AVX2__)

constexpr int kTileRows = 4;
constexpr int kTileWeights = 4;

struct Vec {
  __m256 lo, hi;
};
inline Vec load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
inline void store(float* p, Vec a) {
  _mm256_storeu_ps(p, a.lo);
  _mm256_storeu_ps(p + 8, a.hi);
}
inline Vec broadcast(float a) { return {_mm256_set1_ps(a), _mm256_set1_ps(a)}; }
inline Vec operator+(Vec a, Vec b) {
  return {_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)};
}
inline Vec operator-(Vec a, Vec b) {
  return {_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)};
}
inline Vec operator*(Vec a, Vec b) {
  return {_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)};
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return {_mm256_fmadd_ps(a.lo, b.lo, c.lo), _mm256_fmadd_ps(a.hi, b.hi, c.hi)};
}
inline Vec max(Vec a, Vec b) { return {_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)}; }
inline Vec min(Vec a, Vec b) { return {_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)}; }
inline Vec where_positive(Vec a, Vec b) {
  const __m256 zero = _mm256_setzero_ps();
  return {_mm256_and_ps(_mm256_cmp_ps(a.lo, zero, _CMP_GT_OQ), b.lo),
          _mm256_and_ps(_mm256_cmp_ps(a.hi, zero, _CMP_GT_OQ), b.hi)};
}
inline __m256 shift_exponent(__m256 a, __m256 n) {
  return _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(a), _mm256_slli_epi32(_mm256_castps_si256(n), 23)));
}
inline Vec shift_exponent(Vec a, Vec n) {
  return {shift_exponent(a.lo, n.lo), shift_exponent(a.hi, n.hi)};
}

#else  // any machine, by the compiler's own vectors; products and sums round separately

constexpr int kTileRows = 2;
constexpr int kTileWeights = 2;

typedef float Quad __attribute__((vector_size(16)));
typedef unsigned QuadBits __attribute__((vector_size(16)));

struct Vec {
  Quad q[4];
};
template <typename Operation>
inline Vec each(Operation operation) {
  return {{operation(0), operation(1), operation(2), operation(3)}};
}
inline Vec load(const float* p) {
  Vec a;
  __builtin_memcpy(&a, p, sizeof a);
  return a;
}
inline void store(float* p, Vec a) { __builtin_memcpy(p, &a, sizeof a); }
inline Vec broadcast(float a) {
  const Quad q = {a, a, a, a};
  return {{q, q, q, q}};
}
inline Vec operator+(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] + b.q[i]; });
}
inline Vec operator-(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] - b.q[i]; });
}
inline Vec operator*(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] * b.q[i]; });
}
inline Vec fma(Vec a, Vec b, Vec c) {
  return each([&](int i) { return a.q[i] * b.q[i] + c.q[i]; });
}
inline Vec max(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] > b.q[i] ? a.q[i] : b.q[i]; });
}
inline Vec min(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] < b.q[i] ? a.q[i] : b.q[i]; });
}
inline Vec where_positive(Vec a, Vec b) {
  return each([&](int i) { return a.q[i] > Quad{} ? b.q[i] : Quad{}; });
}
inline Vec shift_exponent(Vec a, Vec n) {
  return each([&](int i) { return Quad(QuadBits(a.q[i]) + (QuadBits(n.q[i]) << 23)); });
}

#endif

inline Vec zero() { return broadcast(0.0F); }

/// The sixteen values combined by one fixed tree, so that the result does not depend on the
/// machine.
template <typename Operation>
inline float reduce(Vec a, Operation operation) {
  float values[16];
  store(values, a);
  for (int half = 8; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) values[i] = operation(values[i], values[i + half]);
  return values[0];
}
inline float sum(Vec a) {
  return reduce(a, [](float x, float y) { return x + y; });
}

/// exp(x) within 2 units in the last place for -86 <= x <= 88; constant beyond. x = n ln 2 + r with
/// |r| <= ln(2) / 2, and e^r by its series.
inline Vec exp(Vec x) {
  x = max(min(x, broadcast(88.0F)), broadcast(-86.0F));
  const Vec magic = broadcast(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer
  const Vec shifted = fma(x, broadcast(1.44269504F), magic);
  const Vec n = shifted - magic;
  // ln 2 in two parts, the first short enough for n times it to be exact.
  Vec r = fma(n, broadcast(-0.693359375F), x);
  r = fma(n, broadcast(2.12194440e-4F), r);
  constexpr float kInverseFactorials[] = {1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24,
                                          1.0F / 6,    0.5F,       1.0F,       1.0F};
  Vec series = broadcast(kInverseFactorials[0]);
#pragma GCC unroll 7
  for (int i = 1; i < 8; ++i) series = fma(series, r, broadcast(kInverseFactorials[i]));
  return shift_exponent(series, shifted);
}

}  // namespace
}  // namespace sgood::kernels::SGOOD_ISA
