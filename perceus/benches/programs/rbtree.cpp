// As rbtree.kk, in place: std::map is a red-black tree.
#include <cstdint>
#include <cstdio>
#include <map>

int main() {
    std::map<int64_t, bool> tree;
    for (int64_t n = 4200000 - 1; n >= 0; n--) tree.insert(std::make_pair(n, n % 10 == 0));
    int64_t count = 0;
    for (const auto &node : tree) count += node.second;
    std::printf("%ld\n", static_cast<long>(count));
    return 0;
}
