/* An event is a head byte (kind, and whether legal moves or the mask changed) and zigzag varints; most take 10 bytes. */
#include "vclock/trace.h"

#include <stdlib.h>

enum { EVENT_BYTES = 80 };     /* the most that one event can take: 8 varints of at most 10 bytes */
enum { HEAD_CHANGED = 0x80 };  /* legal and known follow */

static void put(struct trace *trace, int64_t value)
{
    uint64_t bits = ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
    for (; bits >= 0x80; bits >>= 7)
        trace->data[trace->size++] = (uint8_t)(bits | 0x80);
    trace->data[trace->size++] = (uint8_t)bits;
}

static bool make_room(struct trace *trace)
{
    if (trace->capacity - trace->size >= EVENT_BYTES)
        return true;
    const size_t capacity = trace->capacity * 2 + 4 * EVENT_BYTES;
    uint8_t *data = realloc(trace->data, capacity);
    if (!data)
        return false;
    trace->data = data;
    trace->capacity = capacity;
    return true;
}

bool trace_append(struct trace *trace, const struct tm_event *event)
{
    if (!make_room(trace))
        return false;
    const bool changed = event->legal != trace->last_legal || event->known != trace->last_known;
    trace->data[trace->size++] =
        (uint8_t)((unsigned)event->kind | (unsigned)event->bound << 3 | (changed ? HEAD_CHANGED : 0));
    if (changed) {
        put(trace, event->legal);
        put(trace, event->known);
    }
    put(trace, event->depth);
    put(trace, event->move);
    put(trace, event->score);
    put(trace, event->mate);
    put(trace, event->nodes - trace->last_nodes);
    put(trace, event->best_nodes - trace->last_best_nodes);
    trace->last_nodes = event->nodes;
    trace->last_best_nodes = event->best_nodes;
    trace->last_legal = event->legal;
    trace->last_known = event->known;
    return true;
}

void trace_clear(struct trace *trace)
{
    free(trace->data);
    *trace = (struct trace){ 0 };
}

static bool take(struct trace_reader *reader, int64_t *value)
{
    uint64_t bits = 0;
    for (int shift = 0; shift < 64 && reader->at < reader->size; shift += 7) {
        const uint8_t byte = reader->data[reader->at++];
        bits |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
            return true;
        }
    }
    return false;
}

bool trace_next(struct trace_reader *reader, struct tm_event *event)
{
    if (reader->at >= reader->size)
        return false;
    const size_t start = reader->at;
    struct tm_event next = reader->last;
    int64_t legal = next.legal, known = next.known, depth, move, score, mate, nodes, best_nodes;
    const uint8_t head = reader->data[reader->at++];
    next.kind = (enum tm_event_kind)(head & 7);
    next.bound = head >> 3 & 3;
    const bool whole = (!(head & HEAD_CHANGED) || (take(reader, &legal) && take(reader, &known))) &&
                       take(reader, &depth) && take(reader, &move) && take(reader, &score) && take(reader, &mate) &&
                       take(reader, &nodes) && take(reader, &best_nodes);
    if (!whole || next.kind > TM_END) {
        reader->at = start;
        return false;
    }
    next.legal = (int)legal;
    next.known = (uint32_t)known;
    next.depth = (int)depth;
    next.move = (uint32_t)move;
    next.score = (int)score;
    next.mate = (int)mate;
    next.nodes = (int64_t)((uint64_t)next.nodes + (uint64_t)nodes);
    next.best_nodes = (int64_t)((uint64_t)next.best_nodes + (uint64_t)best_nodes);
    reader->last = next;
    *event = next;
    return true;
}
