// SPDX-License-Identifier: MIT OR Apache-2.0
// Compresses files with libbrotli as lbaf compresses documents, for scripts/writing.sh:
//
//   brotli_files QUALITY FILE...
//
// Prints the bytes before and after.
#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static unsigned char *content(const char *path, size_t *n_bytes) {
    FILE *file = fopen(path, "rb");
    check(file && !fseek(file, 0, SEEK_END), path);
    *n_bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*n_bytes + 1);
    check(bytes && fread(bytes, 1, *n_bytes, file) == *n_bytes, path);
    fclose(file);
    return bytes;
}

// Compresses with the window and size hint of `compress.rs`. For a document of at most 1 MiB, both follow from its
// size; for a longer document, they are 4 MiB and 8 MiB.
static size_t compressed_bytes(const unsigned char *bytes, size_t n_bytes, uint32_t quality) {
    int is_long = n_bytes > 1 << 20;
    uint32_t window = 17;
    while (window < 22 && ((size_t)1 << window) < n_bytes + 16) window++;
    BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    check(encoder != NULL, "allocation");
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, quality);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, is_long ? 22 : window);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_SIZE_HINT, is_long ? 8 << 20 : (uint32_t)n_bytes);
    static unsigned char buffer[64 * 1024];
    size_t total = 0;
    do {
        unsigned char *out = buffer;
        size_t room = sizeof buffer;
        check(BrotliEncoderCompressStream(encoder, BROTLI_OPERATION_FINISH, &n_bytes, &bytes, &room, &out, NULL),
              "compression");
        total += sizeof buffer - room;
    } while (!BrotliEncoderIsFinished(encoder));
    BrotliEncoderDestroyInstance(encoder);
    return total;
}

int main(int n_arguments, char **arguments) {
    check(n_arguments > 2, "usage: brotli_files QUALITY FILE...");
    size_t before = 0, after = 0;
    for (int i = 2; i < n_arguments; i++) {
        size_t n_bytes;
        unsigned char *bytes = content(arguments[i], &n_bytes);
        after += compressed_bytes(bytes, n_bytes, (uint32_t)atoi(arguments[1]));
        before += n_bytes;
        free(bytes);
    }
    printf("%zu %zu\n", before, after);
}
