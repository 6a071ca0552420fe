// What the program write_samples can do; each function takes its own name as argv[0].
#pragma once

namespace protobeam {

int write_bag(int argc, char** argv);
int write_clouds(int argc, char** argv);
int write_live(int argc, char** argv);
int write_mcap(int argc, char** argv);
int write_packets(int argc, char** argv);
int write_tables(int argc, char** argv);

}  // namespace protobeam
