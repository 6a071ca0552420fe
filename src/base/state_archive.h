// The state of a run as bytes. One function for each class names its members, and serves both for
// saving and for restoring, so that the two cannot differ:
//
//   void visit_state(StateArchive& archive) { archive(bias_, last_time_); }
//
// Bytes are those of this machine and build; what frames them (sim/simulation_state.cpp) knows
// both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/math.h"

namespace protobeam {

/// What keeps a state from being saved or restored, for the user.
struct StateError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class StateArchive {
 public:
  StateArchive() = default;  ///< saves
  explicit StateArchive(std::span<const std::byte> bytes) : from_(bytes), restores_(true) {}

  bool restores() const { return restores_; }
  std::vector<std::byte> take() { return std::move(to_); }
  /// Whether all bytes were used.
  bool at_end() const { return from_.empty(); }

  /// Saves the values, or restores them in the same order. Throws StateError where bytes are
  /// missing.
  template <class... T>
  void operator()(T&... values) {
    (visit(values), ...);
  }

  /// As operator(), of sequences whose lengths the world decides. Throws StateError where the state
  /// has others.
  template <class... T>
  void fixed(T&... sequences) {
    (visit_fixed(sequences), ...);
  }
  /// Saves how long a sequence is, or gives it the saved one; its elements come next.
  template <class T>
  void length(T& sequence) {
    visit_length(sequence);
  }
  /// Whether what was restored can be so; `what` would be wrong otherwise. Throws StateError.
  void expect(bool possible, const char* what) const {
    if (restores_ && !possible) throw StateError(std::string("the state has ") + what);
  }

  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if (!restores_) {
      const auto* first = static_cast<const std::byte*>(data);
      to_.insert(to_.end(), first, first + size);
      return;
    }
    if (from_.size() < size) throw StateError("the state ends too early");
    std::memcpy(data, from_.data(), size);
    from_ = from_.subspan(size);
  }

 private:
  template <class T>
  void visit(T& value) {
    if constexpr (requires { value.visit_state(*this); }) {
      value.visit_state(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                    "name its members in a visit_state()");
      raw(&value, sizeof value);
    }
  }
  void visit(bool& value) {
    std::uint8_t byte = value ? 1 : 0;
    raw(&byte, sizeof byte);
    if (byte > 1) throw StateError("the state has a yes or no that is neither");
    value = byte == 1;
  }
  template <class Scalar, int R, int C, int O, int MR, int MC>
  void visit(Eigen::Matrix<Scalar, R, C, O, MR, MC>& value) {
    static_assert(R != Eigen::Dynamic && C != Eigen::Dynamic);
    raw(value.data(), sizeof(Scalar) * static_cast<std::size_t>(value.size()));
  }
  void visit(Quat& value) { visit(value.coeffs()); }
  void visit(Pose& value) {
    (*this)(value.R, value.p);
    expect(value.R.coeffs().allFinite() && value.p.allFinite(), "a pose that is not finite");
  }
  template <class A, class B>
  void visit(std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }
  template <class T>
  void visit(std::optional<T>& value) {
    bool there = value.has_value();
    visit(there);
    if (!there) return value.reset();
    if (!value) value.emplace();
    visit(*value);
  }
  template <class... T>
  void visit(std::variant<T...>& value) {
    std::uint64_t index = value.index();
    visit(index);
    if (index >= sizeof...(T)) throw StateError("the state names an unknown alternative");
    if (restores_) choose<0>(value, index);
    std::visit([this](auto& chosen) { visit(chosen); }, value);
  }
  template <std::size_t I, class... T>
  static void choose(std::variant<T...>& value, std::uint64_t index) {
    if (index == I) {
      value.template emplace<I>();
    } else if constexpr (I + 1 < sizeof...(T)) {
      choose<I + 1>(value, index);
    }
  }
  template <class T>
  void visit_length(T& value) {
    std::uint64_t size = value.size();
    visit(size);
    if (restores_) {
      // A byte for each at least: a wrong size is no reason for much memory.
      if (size > from_.size() && size != value.size()) throw StateError("the state ends too early");
      value.resize(size);
    }
  }
  template <class T>
  void visit_fixed(T& value) {
    std::uint64_t size = value.size();
    visit(size);
    if (size != value.size()) {
      throw StateError("the state has an array of " + std::to_string(size) +
                       " elements where this world has " + std::to_string(value.size()));
    }
    visit_elements(value);
  }
  void visit(std::string& value) {
    visit_length(value);
    raw(value.data(), value.size());
  }
  template <class T>
  void visit(std::vector<T>& value) {
    visit_length(value);
    visit_elements(value);
  }
  template <class T>
  void visit_elements(std::vector<T>& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(value.data(), value.size() * sizeof(T));
    } else {
      for (T& element : value) visit(element);
    }
  }
  template <class T, std::size_t N>
  void visit(std::array<T, N>& value) {
    for (T& element : value) visit(element);
  }
  template <class T>
  void visit(std::deque<T>& value) {
    visit_length(value);
    for (T& element : value) visit(element);
  }
  template <class K, class V>
  void visit(std::map<K, V>& value) {
    std::uint64_t size = value.size();
    visit(size);
    if (!restores_) {
      for (auto& [key, element] : value) {
        K copy = key;
        (*this)(copy, element);
      }
      return;
    }
    value.clear();
    for (std::uint64_t i = 0; i < size; ++i) {
      K key{};
      visit(key);
      visit(value[key]);
    }
  }

  std::vector<std::byte> to_;
  std::span<const std::byte> from_;
  bool restores_ = false;
};

/// Base, beside DeviceModel or DriveController, of a class whose objects remember something between
/// steps that decides what comes. Buffers that each sample fills anew are not state, nor is what
/// fields say.
class KeepsState {
 public:
  virtual ~KeepsState() = default;
  virtual void visit_state(StateArchive& archive) = 0;
};

/// The other base: of those that remember nothing. A class with neither cannot be saved.
struct Stateless {};

}  // namespace protobeam
