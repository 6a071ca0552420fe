#ifndef WEBOTS_UTILS_SYSTEM_H
#define WEBOTS_UTILS_SYSTEM_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

const char* wbu_system_getenv(const char* variable); /* NULL when it is not set */
const char* wbu_system_short_path(const char* path); /* the path itself; of use on Windows */
const char* wbu_system_tmpdir(void);                 /* $TMPDIR, else /tmp */
/* $WEBOTS_INSTANCE_PATH, NULL when it is not set; asked again when `refresh` is true. */
const char* wbu_system_webots_instance_path(bool refresh);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_UTILS_SYSTEM_H */
