// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>

namespace sgood {

class FittedNetwork;

/// Trained networks that the detectors of one process share: several scores of one classifier train
/// it once. Safe to use from several threads.
class NetworkCache {
 public:
  using Network = std::shared_ptr<const FittedNetwork>;

  /// Keeps the `capacity` networks that were used last.
  explicit NetworkCache(std::size_t capacity = 64) : capacity_(capacity) {}

  /// The network of `key`, from `train` when it is not there. While one thread trains it, others
  /// that ask for it sleep; when that training throws, its own caller gets the exception and one of
  /// the others trains. Throws Cancelled when `stop` is requested while it waits.
  Network get(std::uint64_t key, const std::stop_token& stop,
              const std::function<Network()>& train);

 private:
  struct Entry {
    std::uint64_t key = 0;
    Network network;  // null while it is trained
  };
  using Place = std::list<Entry>::iterator;

  Place find(std::uint64_t key);
  void drop_oldest();

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Entry> entries_;  // the one used last comes first
  std::size_t capacity_;
};

}  // namespace sgood
