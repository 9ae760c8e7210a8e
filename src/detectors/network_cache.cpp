// SPDX-License-Identifier: MIT
#include "sgood/detectors/network_cache.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {

NetworkCache::Place NetworkCache::find(std::uint64_t key) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return entry.key == key; });
}

void NetworkCache::drop_oldest() {
  for (auto entry = entries_.end(); entries_.size() > capacity_ && entry != entries_.begin();) {
    --entry;
    if (entry->network) entry = entries_.erase(entry);
  }
}

NetworkCache::Network NetworkCache::get(std::uint64_t key, const std::stop_token& stop,
                                        const std::function<Network()>& train) {
  std::unique_lock lock(mutex_);
  const auto in_training = [&] {
    const Place entry = find(key);
    return entry != entries_.end() && !entry->network;
  };
  if (!changed_.wait(lock, stop, [&] { return !in_training(); })) throw Cancelled("stopped");
  if (const Place found = find(key); found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return found->network;
  }

  entries_.push_front({key, nullptr});
  const Place entry = entries_.begin();
  lock.unlock();
  try {
    Network network = train();
    SGOOD_ASSERT(network != nullptr);
    lock.lock();
    entry->network = network;
    drop_oldest();
    changed_.notify_all();
    return network;
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    entries_.erase(entry);
    changed_.notify_all();
    throw;
  }
}

}  // namespace sgood
