// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sgood {

/// Base of every error that the library throws on purpose; `what()` is written for the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller passed something illegal; the text names the argument, its value and what is legal.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A file could not be understood; the text starts with `FILE:LINE:`.
class ParseError : public Error {
 public:
  /// `line` is 1-based; 0 when the whole file is meant.
  ParseError(std::string_view file, std::int64_t line, std::string_view message)
      : Error(line > 0 ? fmt::format("{}:{}: {}", file, line, message)
                       : fmt::format("{}: {}", file, message)) {}
};

/// A file could not be opened, read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A file or folder could not be written: the disk is full, or it is not allowed.
class WriteError : public IoError {
 public:
  using IoError::IoError;
};

/// A detector was asked for scores before `fit` or `load`.
class NotFitted : public Error {
 public:
  using Error::Error;
};

/// An optional part (RDKit, LibTorch, a data set) is not there; the text says how to get it.
class Unavailable : public Error {
 public:
  using Error::Error;
};

/// The work was stopped on request (`RunControl::stop`); what was finished has been kept.
class Cancelled : public Error {
 public:
  using Error::Error;
};

/// A broken promise inside the library: our bug, never the caller's.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace sgood

/// Throws InvalidArgument with a formatted text unless `condition` holds.
#define SGOOD_CHECK(condition, ...)                               \
  do {                                                            \
    if (!(condition)) [[unlikely]]                                \
      throw ::sgood::InvalidArgument(::fmt::format(__VA_ARGS__)); \
  } while (false)

/// Throws InternalError unless `condition` holds.
#define SGOOD_ASSERT(condition)                                                         \
  do {                                                                                  \
    if (!(condition)) [[unlikely]]                                                      \
      throw ::sgood::InternalError(                                                     \
          ::fmt::format("internal error: {} ({}:{})", #condition, __FILE__, __LINE__)); \
  } while (false)
