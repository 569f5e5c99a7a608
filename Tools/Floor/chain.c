// Salts, leaves and the tree of a chain.
#include "chain.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

void chain_seed(uint64_t block, uint8_t seed[32]) {
  char text[32];
  int count = snprintf(text, sizeof text, "seed %llu", (unsigned long long)block);
  crypto_generichash_blake2b(seed, 32, (const uint8_t *)text, (unsigned long long)count, NULL, 0);
}

static void hash(uint8_t output[32], const uint8_t *input, size_t count) {
  crypto_generichash_blake2b(output, 32, input, count, NULL, 0);
}

static void node(uint8_t output[32], const uint8_t left[32], const uint8_t right[32]) {
  uint8_t input[65];
  input[0] = 1;
  memcpy(input + 1, left, 32);
  memcpy(input + 33, right, 32);
  hash(output, input, sizeof input);
}

static const uint8_t *salt(struct chain *chain) {
  uint64_t group = chain->size / 4;
  if (chain->group != group + 1) {
    uint8_t message[8] = {[7] = (uint8_t)(group % 128)};
    crypto_generichash_blake2b(chain->salts, 64, message, sizeof message, chain->seed, 32);
    chain->group = group + 1;
  }
  return chain->salts + 16 * (chain->size % 4);
}

void chain_append(struct chain *chain, const uint8_t *header, size_t header_count,
                  const uint8_t *payload, size_t payload_count, uint8_t leaf[32]) {
  static uint8_t input[17 * 1024];
  uint8_t root[32];
  memcpy(input, salt(chain), 16);
  memcpy(input + 16, payload, payload_count);
  hash(root, input, 16 + payload_count);
  input[0] = 0;
  memcpy(input + 1, header, header_count);
  memcpy(input + 1 + header_count, root, 32);
  hash(root, input, 33 + header_count);
  memcpy(leaf, root, 32);
  for (uint64_t index = chain->size; index & 1; index >>= 1)
    node(root, chain->nodes[--chain->node_count], root);
  memcpy(chain->nodes[chain->node_count++], root, 32);
  chain->size++;
}

void chain_root(const struct chain *chain, uint8_t root[32]) {
  if (chain->node_count == 0) {
    hash(root, NULL, 0);
    return;
  }
  memcpy(root, chain->nodes[chain->node_count - 1], 32);
  for (int i = chain->node_count - 2; i >= 0; i--) node(root, chain->nodes[i], root);
}

void chain_tree(const uint8_t (*leaves)[32], int count, uint8_t root[32]) {
  struct chain tree = {0};
  for (int i = 0; i < count; i++) {
    uint8_t hash[32];
    memcpy(hash, leaves[i], 32);
    for (uint64_t index = tree.size; index & 1; index >>= 1)
      node(hash, tree.nodes[--tree.node_count], hash);
    memcpy(tree.nodes[tree.node_count++], hash, 32);
    tree.size++;
  }
  chain_root(&tree, root);
}
