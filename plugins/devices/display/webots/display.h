#ifndef WEBOTS_DISPLAY_H
#define WEBOTS_DISPLAY_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image in the clipboard of a display. */
typedef struct WbImageStructPrivate* WbImageRef;

int wb_display_get_width(WbDeviceTag tag); /* pixels */
int wb_display_get_height(WbDeviceTag tag);

/* How the next pixels are drawn. */
void wb_display_set_color(WbDeviceTag tag, int color);        /* 0xRRGGBB */
void wb_display_set_alpha(WbDeviceTag tag, double alpha);     /* 0..1 */
void wb_display_set_opacity(WbDeviceTag tag, double opacity); /* 0..1 */
/* Text has the size in pixels; there is one font. */
void wb_display_set_font(WbDeviceTag tag, const char* font, int size, bool anti_aliasing);

/* Lies under what is drawn. */
void wb_display_attach_camera(WbDeviceTag tag, WbDeviceTag camera_tag);
void wb_display_detach_camera(WbDeviceTag tag);

/* Pixels; (0, 0) is the upper left one. */
void wb_display_draw_pixel(WbDeviceTag tag, int x, int y);
void wb_display_draw_line(WbDeviceTag tag, int x1, int y1, int x2, int y2);
void wb_display_draw_rectangle(WbDeviceTag tag, int x, int y, int width, int height);
void wb_display_draw_oval(WbDeviceTag tag, int cx, int cy, int a, int b);
void wb_display_draw_polygon(WbDeviceTag tag, const int* x, const int* y, int size);
void wb_display_draw_text(WbDeviceTag tag, const char* text, int x, int y);
void wb_display_fill_rectangle(WbDeviceTag tag, int x, int y, int width, int height);
void wb_display_fill_oval(WbDeviceTag tag, int cx, int cy, int a, int b);
void wb_display_fill_polygon(WbDeviceTag tag, const int* x, const int* y, int size);

#define WB_IMAGE_RGB 3
#define WB_IMAGE_RGBA 4
#define WB_IMAGE_ARGB 5
#define WB_IMAGE_BGRA 6
#define WB_IMAGE_ABGR 7

/* NULL after a message. Each image is deleted by whoever has made it. */
WbImageRef wb_display_image_new(WbDeviceTag tag, int width, int height, const void* data,
                                int format);
WbImageRef wb_display_image_copy(WbDeviceTag tag, int x, int y, int width, int height);
WbImageRef wb_display_image_load(WbDeviceTag tag, const char* filename); /* PNG or JPEG */
void wb_display_image_delete(WbDeviceTag tag, WbImageRef ir);
void wb_display_image_paste(WbDeviceTag tag, WbImageRef ir, int x, int y, bool blend);
void wb_display_image_save(WbDeviceTag tag, WbImageRef ir,
                           const char* filename); /* .png; NULL: the picture */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_DISPLAY_H */
