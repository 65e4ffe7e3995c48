/* Where the data files (policies, profiles, books) are. */
#ifndef VCLOCK_DATA_DIR_H
#define VCLOCK_DATA_DIR_H

#include <stddef.h>

/* The directory: the environment's ZEITNOT_DATA if set, else where the program was installed to, else the
   source tree it was built from, whichever exists. Returns `buffer`, or NULL if there is none or it does not
   fit; a ZEITNOT_DATA that does not exist is returned, so that messages name it. */
const char *data_dir(char *buffer, size_t size);

#endif
