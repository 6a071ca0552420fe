#ifndef WEBOTS_UTILS_MOTION_HPP
#define WEBOTS_UTILS_MOTION_HPP

#include <webots/utils/motion.h>

#include <string>

namespace webots {

/// A motion from a file, as webots/utils/motion.h describes it.
class Motion {
 public:
  explicit Motion(const std::string& fileName) : motion_(wbu_motion_new(fileName.c_str())) {}
  virtual ~Motion() { wbu_motion_delete(motion_); }
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;

  /// False when the file cannot be read: nothing else may be called then.
  bool isValid() const { return motion_ != nullptr; }

  virtual void play() { wbu_motion_play(motion_); }
  virtual void stop() { wbu_motion_stop(motion_); }
  virtual void setLoop(bool loop) { wbu_motion_set_loop(motion_, loop); }
  virtual void setReverse(bool reverse) { wbu_motion_set_reverse(motion_, reverse); }

  bool isOver() const { return wbu_motion_is_over(motion_); }
  int getDuration() const { return wbu_motion_get_duration(motion_); }
  int getTime() const { return wbu_motion_get_time(motion_); }
  virtual void setTime(int time) { wbu_motion_set_time(motion_, time); }

 protected:
  WbMotionRef getMotionRef() const { return motion_; }

 private:
  WbMotionRef motion_;
};

}  // namespace webots

#endif  // WEBOTS_UTILS_MOTION_HPP
