/* Feeds every file of the directories on the command line to the fuzz target, in the manner of libFuzzer's -runs=0. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed(const char *path)
{
    static uint8_t buffer[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    const size_t size = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees the first byte read beyond the input */
    if (!exact)
        return 0;
    memcpy(exact, buffer, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

int main(int argc, char **argv)
{
    int inputs = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        for (struct dirent *entry; directory && (entry = readdir(directory));) {
            char path[4096];
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            inputs += feed(path);
        }
        if (directory)
            closedir(directory);
    }
    printf("%d inputs\n", inputs);
    return inputs == 0;
}
