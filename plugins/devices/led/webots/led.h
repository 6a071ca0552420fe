#ifndef WEBOTS_LED_H
#define WEBOTS_LED_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 0: off. Else, by the fields of the LED: with `gradual` FALSE the number of one of its colours,
   from 1; with `gradual` TRUE the strength of its colour, 1 to 255, or, without a colour, 0xRRGGBB.
 */
void wb_led_set(WbDeviceTag tag, int value);
int wb_led_get(WbDeviceTag tag); /* the value that was set last */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_LED_H */
