#ifndef WEBOTS_UTILS_STRING_H
#define WEBOTS_UTILS_STRING_H

#ifdef __cplusplus
extern "C" {
#endif

/* As strsep() of the C library, but a delimiter after a backslash does not count: cuts off and
   returns what stands before the first one, and moves *text behind it, to NULL at the end. */
char* wbu_string_strsep(char** text, const char* delimiters);
/* A copy, which the caller frees, with `after` for each `before`. NULL without a text or `before`.
 */
char* wbu_string_replace(char* text, const char* before, const char* after);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_UTILS_STRING_H */
