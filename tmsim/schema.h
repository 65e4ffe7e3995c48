/* The text of schema.sql, embedded at build time. */
#ifndef TMSIM_SCHEMA_H
#define TMSIM_SCHEMA_H

extern const char schema_sql[];

#endif
