/* A program that speaks to the simulator without libController, and says nonsense. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* argv: one message after the other in hexadecimal; "close" closes the socket, "wait" waits for
   ever, "read" reads an answer, "truncate" tries to cut the shared memory. */
int main(int argc, char** argv) {
  const int fd = atoi(getenv("PROTOBEAM_LINK_FD"));
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "close")) {
      close(fd);
    } else if (!strcmp(argv[i], "wait")) {
      for (;;) pause();
    } else if (!strcmp(argv[i], "read")) {
      static char answer[1 << 17];
      if (recv(fd, answer, sizeof answer, 0) < 0) return 9;
    } else if (!strcmp(argv[i], "truncate")) {
      const int memory = atoi(getenv("PROTOBEAM_LINK_MEMORY_FD"));
      printf("%d\n", ftruncate(memory, 0));
      printf("%d\n", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) == MAP_FAILED);
    } else {
      static unsigned char bytes[4096];
      size_t size = 0;
      for (const char* at = argv[i]; *at && size < sizeof bytes; at += 2) {
        unsigned value;
        if (sscanf(at, "%2x", &value) != 1) return 8;
        bytes[size++] = (unsigned char)value;
      }
      if (send(fd, bytes, size, MSG_NOSIGNAL) < 0) return 7;
    }
  }
  return 0;
}
