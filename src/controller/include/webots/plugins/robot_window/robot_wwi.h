/* Texts to and from the page of the robot's window, plugins/robot_windows/NAME/NAME.html, as far as
   somebody may look at it (`run --web`): otherwise what is sent is dropped, with one message on
   stderr, and nothing is received. What is sent arrives with the next step. What the page sends is
   received from the end of the step on that was under way. */
#ifndef WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H
#define WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H

#include <string.h> /* programs rely on it to come from here */

#ifdef __cplusplus
extern "C" {
#endif

void wb_robot_wwi_send(const char* data, int size);
void wb_robot_wwi_send_text(const char* text);
/* The next text, valid until the next call of either function; NULL when there is none. */
const char* wb_robot_wwi_receive(int* size); /* bytes, without the 0 at its end */
const char* wb_robot_wwi_receive_text(void);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WWI_H */
