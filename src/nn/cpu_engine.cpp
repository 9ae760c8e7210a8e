// SPDX-License-Identifier: MIT
#include "sgood/nn/cpu_engine.h"

#include "sgood/nn/reference_engine.h"
#include "src/nn/cpu_engine_step.h"

namespace sgood {
namespace cpu {
namespace {

class CpuEngine : public Engine {
 public:
  CpuEngine(const NetworkShape& shape, const KernelTable<float>& kernels, Folding folding)
      : runner_(shape, kernels, folding) {}

  StepLoss loss_and_gradient(const TrainingStep& step, std::span<const float> parameters,
                             std::span<float> gradient) override {
    return runner_.loss_and_gradient(step, parameters, gradient);
  }
  void batch_statistics(const PackedBatch& batch, std::span<const float> parameters,
                        std::span<double> statistics) override {
    runner_.batch_statistics(batch, parameters, statistics);
  }
  std::unique_ptr<FrozenNetwork> freeze(std::span<const float> parameters,
                                        std::span<const double> statistics) const override {
    return freeze_network(runner_.model(), parameters, statistics);
  }

 private:
  StepRunner<float> runner_;
};

}  // namespace

std::unique_ptr<Engine> make_engine_with(const NetworkShape& shape,
                                         const KernelTable<float>& kernels, Folding folding) {
  return std::make_unique<CpuEngine>(shape, kernels, folding);
}

}  // namespace cpu

std::unique_ptr<Engine> make_cpu_engine(const NetworkShape& shape) {
  const kernels::KernelTable<float>& fast = kernels::vector_kernels();
  const bool fits = shape.width % fast.lanes == 0;
  return cpu::make_engine_with(shape, fits ? fast : kernels::plain_kernels<float>(),
                               cpu::Folding::kEqualNodes);
}

std::unique_ptr<Engine> make_reference_engine(const NetworkShape& shape) {
  return cpu::make_engine_with(shape, kernels::plain_kernels<float>(), cpu::Folding::kNone);
}

StepLoss reference_loss_and_gradient(const NetworkShape& shape, const TrainingStep& step,
                                     std::span<const double> parameters,
                                     std::span<double> gradient) {
  return cpu::StepRunner<double>(shape, kernels::plain_kernels<double>(), cpu::Folding::kNone)
      .loss_and_gradient(step, parameters, gradient);
}

}  // namespace sgood
