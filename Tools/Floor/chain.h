// The hashes of the log in C: what any program that keeps this log computes. SPEC.md, "The log".
#ifndef LARDER_FLOOR_CHAIN_H
#define LARDER_FLOOR_CHAIN_H
#include <stddef.h>
#include <stdint.h>

struct chain {
  uint64_t size;
  int node_count;
  uint8_t nodes[64][32]; // roots of the full subtrees, leftmost first
  uint8_t seed[32];      // of the block being filled
  uint64_t group;        // the group of four `salts` is of, from 1; 0 for none
  uint8_t salts[64];
};

// The seed LarderBench draws for a block, so that both sides have the same roots.
void chain_seed(uint64_t block, uint8_t seed[32]);
// Adds the leaf of an event at the chain's end, and gives it; `seed` is that of its block.
void chain_append(struct chain *chain, const uint8_t *header, size_t header_count,
                  const uint8_t *payload, size_t payload_count, uint8_t leaf[32]);
// The root of a tree of leaves by itself.
void chain_tree(const uint8_t (*leaves)[32], int count, uint8_t root[32]);
void chain_root(const struct chain *chain, uint8_t root[32]);
#endif
