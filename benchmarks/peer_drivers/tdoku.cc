// PROGRAM FILE: counts up to 2 of each line, on one core: "none unique several seconds".
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>
#include "tdoku.h"
static double cpu() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int, char **argv) {
    std::ifstream file(argv[1]);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) { for (auto &c : line) if (c == '0') c = '.'; lines.push_back(line); }
    size_t counts[3] = {0, 0, 0}, guesses;
    char solution[82];
    double begun = cpu();
    for (auto &line : lines) counts[SolveSudoku(line.c_str(), 2, 0, solution, &guesses)]++;
    std::printf("%zu %zu %zu %.6f\n", counts[0], counts[1], counts[2], cpu() - begun);
}
