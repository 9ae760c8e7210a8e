// SPDX-License-Identifier: MIT
#include "src/torch/row_norms.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/torch/gather_sum.h"
#include "src/torch/vector_clones.h"

namespace sgood {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double kSmallestSpread = 1e-8;
/// Independent partial results of a row, for the compiler to keep in one vector.
constexpr std::int64_t kLanes = 16;

template <typename Real>
SGOOD_VECTOR_CLONES Real largest_of(const Real* x, std::int64_t width) {
  Real part[kLanes] = {};
  std::int64_t c = 0;
  for (; c + kLanes <= width; c += kLanes)
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const Real size = std::abs(x[c + i]);
      part[i] = size > part[i] ? size : part[i];
    }
  for (; c < width; ++c) part[0] = std::max(part[0], std::abs(x[c]));
  return *std::max_element(part, part + kLanes);
}

template <typename Real>
SGOOD_VECTOR_CLONES Real product_of(const Real* x, const Real* y, std::int64_t width) {
  Real part[kLanes] = {};
  std::int64_t c = 0;
  for (; c + kLanes <= width; c += kLanes)
    for (std::int64_t i = 0; i < kLanes; ++i) part[i] += x[c + i] * y[c + i];
  for (; c < width; ++c) part[0] += x[c] * y[c];
  Real sum = 0;
  for (const Real p : part) sum += p;
  return sum;
}

/// Sizes of numbers whose squares a float can add up.
constexpr double kSmallestSafe = 1e-15, kLargestSafe = 1e15;

/// Keeps what each row was divided by.
template <typename Real>
SGOOD_VECTOR_CLONES void unit_forward(const Real* x, std::int64_t rows, std::int64_t width, Real* y,
                                      Real* divisor) {
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width, ++divisor) {
    const Real largest = largest_of(x, width);
    const bool safe = largest >= Real(kSmallestSafe) && largest <= Real(kLargestSafe);
    const Real scale = safe || largest == 0 ? 1 : largest;
    if (scale != 1)
      for (std::int64_t c = 0; c < width; ++c) y[c] = x[c] / scale;
    const Real* const scaled = scale != 1 ? y : x;
    const Real length = largest == 0 ? 1 : std::sqrt(product_of(scaled, scaled, width));
    for (std::int64_t c = 0; c < width; ++c) y[c] = scaled[c] * (1 / length);
    *divisor = scale * length;
  }
}

/// dx = (dy - y (y . dy)) / |x|
template <typename Real>
SGOOD_VECTOR_CLONES void unit_backward(const Real* y, const Real* divisor, const Real* dy,
                                       std::int64_t rows, std::int64_t width, Real* dx) {
  for (std::int64_t r = 0; r < rows; ++r, y += width, dy += width, dx += width, ++divisor) {
    const Real along = product_of(y, dy, width), inverse = 1 / *divisor;
    for (std::int64_t c = 0; c < width; ++c) dx[c] = (dy[c] - y[c] * along) * inverse;
  }
}

class UnitRows : public torch::autograd::Function<UnitRows> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given) {
    const at::Tensor x = given.contiguous();
    at::Tensor y = at::empty_like(x);
    const std::int64_t width = x.size(-1), rows = width == 0 ? 0 : x.numel() / width;
    at::Tensor divisor = at::empty({rows}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "unit_rows", [&] {
      unit_forward(x.data_ptr<scalar_t>(), rows, width, y.data_ptr<scalar_t>(),
                   divisor.data_ptr<scalar_t>());
    });
    context->save_for_backward({y, divisor});
    return y;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &y = saved[0], &divisor = saved[1], dy = gradients[0].contiguous();
    at::Tensor dx = at::empty_like(y);
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "unit_rows", [&] {
      unit_backward(y.data_ptr<scalar_t>(), divisor.data_ptr<scalar_t>(), dy.data_ptr<scalar_t>(),
                    divisor.size(0), y.size(-1), dx.data_ptr<scalar_t>());
    });
    return {dx};
  }
};

/// x, y [rows, width]; the others [width]. Keeps the mean and scale = 1 / sqrt(spread + 1e-8).
template <typename Real>
SGOOD_VECTOR_CLONES void graph_norm_forward(std::int64_t rows, std::int64_t width,
                                            const Real* __restrict__ x,
                                            const Real* __restrict__ share,
                                            const Real* __restrict__ weight,
                                            Real* __restrict__ mean, Real* __restrict__ scale,
                                            Real* __restrict__ y) {
  const Real each = 1 / static_cast<Real>(rows);
  std::fill_n(mean, width, Real(0));
  std::fill_n(scale, width, Real(0));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c) mean[c] += x[r * width + c];
  for (std::int64_t c = 0; c < width; ++c) mean[c] *= each;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const Real centred = x[r * width + c] - share[c] * mean[c];
      scale[c] += centred * centred;
    }
  for (std::int64_t c = 0; c < width; ++c)
    scale[c] = 1 / std::sqrt(scale[c] * each + static_cast<Real>(kSmallestSpread));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const Real value = (x[r * width + c] - share[c] * mean[c]) * scale[c] * weight[c];
      y[r * width + c] = value > 0 ? value : 0;
    }
}

/// With c = x - share mean, G = weight dy where y > 0: dc = scale G - scale^3 c mean(G c), and
/// dx = dc - share mean(dc). Adds to dshare and dweight; `along` and `sum` are workspace [width].
template <typename Real>
SGOOD_VECTOR_CLONES void graph_norm_backward(
    std::int64_t rows, std::int64_t width, const Real* __restrict__ x,
    const Real* __restrict__ share, const Real* __restrict__ weight, const Real* __restrict__ mean,
    const Real* __restrict__ scale, const Real* __restrict__ y, const Real* __restrict__ dy,
    Real* __restrict__ along, Real* __restrict__ sum, Real* __restrict__ dx,
    Real* __restrict__ dshare, Real* __restrict__ dweight) {
  const Real each = 1 / static_cast<Real>(rows);
  std::fill_n(along, width, Real(0));
  std::fill_n(sum, width, Real(0));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const Real passed = y[r * width + c] > 0 ? dy[r * width + c] : 0;
      along[c] += passed * (x[r * width + c] - share[c] * mean[c]);
      sum[c] += passed;
    }
  for (std::int64_t c = 0; c < width; ++c) {
    dweight[c] += along[c] * scale[c];
    const Real up = scale[c] * weight[c];
    along[c] *= up * scale[c] * scale[c] * each;  // now the factor of c in dc
    // The mean of c is (1 - share) mean.
    sum[c] = up * sum[c] * each - along[c] * (1 - share[c]) * mean[c];  // now the mean of dc
    dshare[c] -= sum[c] * mean[c] * static_cast<Real>(rows);
  }
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const Real passed = y[r * width + c] > 0 ? dy[r * width + c] : 0;
      const Real centred = x[r * width + c] - share[c] * mean[c];
      dx[r * width + c] = passed * scale[c] * weight[c] - centred * along[c] - share[c] * sum[c];
    }
}

/// Calls work(graph, first, count) for the nodes of each graph that has any; `graph` ascending.
template <typename Work>
void for_graphs(const at::Tensor& graph, Work work) {
  const std::int64_t* index = graph.data_ptr<std::int64_t>();
  const std::int64_t nodes = graph.size(0);
  for (std::int64_t first = 0, last; first < nodes; first = last) {
    last = first + 1;
    while (last < nodes && index[last] == index[first]) ++last;
    work(index[first], first, last - first);
  }
}

class GraphNormRelu : public torch::autograd::Function<GraphNormRelu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given,
                            const at::Tensor& share, const at::Tensor& weight,
                            const at::Tensor& graph, std::int64_t num_graphs) {
    const at::Tensor x = given.contiguous();
    at::Tensor y = at::empty_like(x);
    at::Tensor mean = at::empty({num_graphs, x.size(1)}, x.options());
    at::Tensor scale = at::empty_like(mean);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_norm_relu", [&] {
      for_graphs(graph, [&](std::int64_t g, std::int64_t first, std::int64_t count) {
        const std::int64_t group = group_of(g, num_graphs, share);
        graph_norm_forward<scalar_t>(count, x.size(1), row<scalar_t>(x, first),
                                     row<scalar_t>(share, group), row<scalar_t>(weight, group),
                                     row<scalar_t>(mean, g), row<scalar_t>(scale, g),
                                     row<scalar_t>(y, first));
      });
    });
    context->save_for_backward({x, share, weight, graph, mean, scale, y});
    return y;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &share = saved[1], &weight = saved[2], &graph = saved[3],
                     &mean = saved[4], &scale = saved[5], &y = saved[6];
    const at::Tensor dy = gradients[0].contiguous();
    at::Tensor dx = at::empty_like(x), dshare = at::zeros_like(share),
               dweight = at::zeros_like(weight);
    const at::Tensor work = at::empty({2, x.size(1)}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_norm_relu", [&] {
      for_graphs(graph, [&](std::int64_t g, std::int64_t first, std::int64_t count) {
        const std::int64_t group = group_of(g, mean.size(0), share);
        graph_norm_backward<scalar_t>(
            count, x.size(1), row<scalar_t>(x, first), row<scalar_t>(share, group),
            row<scalar_t>(weight, group), row<scalar_t>(mean, g), row<scalar_t>(scale, g),
            row<scalar_t>(y, first), row<scalar_t>(dy, first), row<scalar_t>(work, 0),
            row<scalar_t>(work, 1), row<scalar_t>(dx, first), row<scalar_t>(dshare, group),
            row<scalar_t>(dweight, group));
      });
    });
    return {dx, dshare, dweight, {}, {}};
  }

 private:
  template <typename Real>
  static Real* row(const at::Tensor& matrix, std::int64_t r) {
    return matrix.data_ptr<Real>() + r * matrix.size(1);
  }

  static std::int64_t group_of(std::int64_t graph, std::int64_t num_graphs,
                               const at::Tensor& share) {
    return graph * share.size(0) / num_graphs;
  }
};

}  // namespace

namespace plain {

at::Tensor unit_rows(const at::Tensor& x) {
  const at::Tensor largest = x.detach().abs().amax(-1, true);
  const at::Tensor scaled = x / (largest + largest.eq(0));
  const at::Tensor square = scaled.square().sum(-1, true);
  return scaled / (square + square.detach().eq(0)).sqrt();
}

at::Tensor graph_norm_relu(const GraphTensors& graphs, const at::Tensor& x, const at::Tensor& share,
                           const at::Tensor& weight) {
  const auto spread = [&](const at::Tensor& rows) { return gather_rows(rows, graphs.graph); };
  const auto mean = [&](const at::Tensor& values) {
    return mean_rows(values, graphs.graph, graphs.num_graphs);
  };
  const auto by_graph = [&](const at::Tensor& rows) {
    return rows.repeat_interleave(graphs.num_graphs / rows.size(0), 0);
  };
  const at::Tensor centred = x - spread(by_graph(share) * mean(x));
  const at::Tensor scale = (mean(centred.square()) + kSmallestSpread).rsqrt();
  return (centred * spread(scale * by_graph(weight))).relu();
}

}  // namespace plain

at::Tensor unit_rows(const at::Tensor& x) {
  return x.is_cpu() ? UnitRows::apply(x) : plain::unit_rows(x);
}

at::Tensor graph_norm_relu(const GraphTensors& graphs, const at::Tensor& x, const at::Tensor& share,
                           const at::Tensor& weight) {
  if (!x.is_cpu()) return plain::graph_norm_relu(graphs, x, share, weight);
  return GraphNormRelu::apply(x, share, weight, graphs.graph, graphs.num_graphs);
}

}  // namespace sgood
