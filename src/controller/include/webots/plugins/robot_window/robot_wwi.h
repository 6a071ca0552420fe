/* Messages to and from the page of a robot window. There are no robot windows: what is sent is
   dropped, with one message on stderr, and nothing is received. */
#ifndef WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H
#define WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H

#include <string.h> /* programs rely on it to come from here */

#ifdef __cplusplus
extern "C" {
#endif

void wb_robot_wwi_send(const char* data, int size);
void wb_robot_wwi_send_text(const char* text);
const char* wb_robot_wwi_receive(int* size); /* NULL, and 0 bytes */
const char* wb_robot_wwi_receive_text(void); /* NULL */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H */
