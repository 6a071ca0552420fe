// The numbers of a value, which its copies have in common until one of them is changed: the same
// coordinates stand in a PROTO's text, in the parameter of each instance and in the fields of each
// node that is made, in every world of a process.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "base/shared_vector.h"

namespace protobeam::wbt {

/// Reads as a std::vector; what changes it says so.
template <typename T>
class Elements {
 public:
  Elements() = default;
  explicit(false) Elements(std::initializer_list<T> values) : Elements(std::vector<T>(values)) {}
  explicit(false) Elements(std::vector<T> values) {
    if (!values.empty()) values_ = std::make_shared<std::vector<T>>(std::move(values));
  }

  explicit(false) operator const std::vector<T>&() const { return all(); }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T* data() const { return all().data(); }
  const T& operator[](std::size_t index) const { return all()[index]; }
  const T& at(std::size_t index) const { return all().at(index); }
  const T& front() const { return all().front(); }
  const T& back() const { return all().back(); }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

  /// Number by number.
  friend bool operator==(const Elements& a, const Elements& b) {
    return a.all() == b.all();
  }

  /// Of this value alone, to be changed.
  std::vector<T>& edit() {
    if (!values_ || common_ || values_.use_count() > 1) {
      values_ = std::make_shared<std::vector<T>>(all());
      common_ = false;
    }
    return const_cast<std::vector<T>&>(*values_);  // made above or by a constructor, not const
  }
  void push_back(T value) { edit().push_back(value); }

  /// Many numbers: memory in common with all values of the process that have the same ones and were
  /// shared, too.
  void share() {
    constexpr std::size_t kMany = 64;
    if (common_ || size() < kMany) return;
    values_ = SharedVector<T>::in_common(std::move(edit()));
    common_ = true;
  }

 private:
  const std::vector<T>& all() const {
    static const std::vector<T> none;
    return values_ ? *values_ : none;
  }

  std::shared_ptr<const std::vector<T>> values_;
  bool common_ = false;  ///< others may read it at any time, on any thread
};

}  // namespace protobeam::wbt
