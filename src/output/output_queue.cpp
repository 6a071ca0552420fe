#include "output/output_queue.h"

#include <algorithm>

namespace protobeam {

OutputQueue::OutputQueue(std::unique_ptr<MessageSink> sink, std::size_t limit)
    : sink_(std::move(sink)), limit_(limit), thread_([this] { run(); }) {}

OutputQueue::~OutputQueue() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  something_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void OutputQueue::push(Publication publication) {
  const std::size_t bytes = publication.message.size();
  std::unique_lock lock(mutex_);
  const auto full = [&] { return any_message_waits() && bytes_ + bytes > limit_; };
  if (sink_->may_lose()) {
    while (full() && !problem_) drop_oldest();
  } else {
    room_.wait(lock, [&] { return problem_ || !full(); });
  }
  if (problem_) {
    if (told_) return;
    told_ = true;
    std::rethrow_exception(problem_);
  }
  bytes_ += bytes;
  most_bytes_ = std::max(most_bytes_, bytes_);
  waiting_.push_back({std::move(publication), bytes});
  something_.notify_one();
}

void OutputQueue::remove(std::shared_ptr<const Topic> topic) {
  if (!sink_->may_lose()) return;
  const std::lock_guard lock(mutex_);
  if (problem_) return;
  waiting_.push_back({std::nullopt, 0, std::move(topic)});
  something_.notify_one();
}

bool OutputQueue::any_message_waits() const {
  return std::ranges::any_of(waiting_, &Waiting::is_message);
}

void OutputQueue::drop_oldest() {
  auto oldest = std::ranges::find_if(waiting_, [](const Waiting& one) {
    return one.publication && !one.publication->topic->latched;
  });
  if (oldest == waiting_.end()) oldest = std::ranges::find_if(waiting_, &Waiting::is_message);
  bytes_ -= oldest->bytes;
  waiting_.erase(oldest);
  ++lost_;
}

void OutputQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    something_.wait(lock, [&] { return abandoned_ || finishing_ || !waiting_.empty(); });
    if (abandoned_ || waiting_.empty()) break;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::exception_ptr problem;
    try {
      if (next.publication)
        write(*next.publication);
      else
        end(*next.ended);
    } catch (...) {
      problem = std::current_exception();
    }
    lock.lock();
    // Only now: what is being written takes memory, too.
    bytes_ -= next.bytes;
    room_.notify_all();
    if (problem) {
      problem_ = problem;
      lost_ += next.is_message() +
               static_cast<std::uint64_t>(std::ranges::count_if(waiting_, &Waiting::is_message));
      waiting_.clear();
      bytes_ = 0;
      break;
    }
    if (next.is_message()) ++written_;
  }
}

void OutputQueue::write(const Publication& publication) {
  if (known_.insert(publication.topic->number).second) sink_->add(*publication.topic);
  sink_->write(publication);
}

void OutputQueue::end(const Topic& topic) {
  if (known_.erase(topic.number) > 0) sink_->remove(topic);
}

void OutputQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  something_.notify_all();
  if (thread_.joinable()) thread_.join();
  // A file that cannot be written any more is still closed, so that what is in it can be read.
  std::exception_ptr problem = told_ ? nullptr : problem_;
  told_ = true;
  try {
    sink_->finish();
  } catch (...) {
    if (!problem_) problem = std::current_exception();
  }
  if (problem) std::rethrow_exception(problem);
}

std::uint64_t OutputQueue::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

std::uint64_t OutputQueue::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_ + sink_->lost();
}

std::size_t OutputQueue::most_waiting() const {
  const std::lock_guard lock(mutex_);
  return most_bytes_;
}

}  // namespace protobeam
