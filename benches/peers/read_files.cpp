// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads data files with libbrotli and simdjson's on-demand parser, for comparison with `lbaf info`: decompresses each
// file, reads every field of tasks and communications that the model of `lbaf` needs, and sums them.
//
//   g++ -O3 -march=native -std=c++17 read_files.cpp -lsimdjson -lbrotlidec -o read_files
//   read_files THREADS FILE...
#include <brotli/decode.h>
#include <simdjson.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace simdjson;

struct Sums {
    double load = 0, bytes = 0, footprint = 0;
    uint64_t tasks = 0, communications = 0, ids = 0, json_bytes = 0;

    void add(const Sums &other) {
        load += other.load;
        bytes += other.bytes;
        footprint += other.footprint;
        tasks += other.tasks;
        communications += other.communications;
        ids += other.ids;
        json_bytes += other.json_bytes;
    }
};

static std::string contents(const char *path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Decompresses into `document`, whose capacity is reused.
static bool decompress(const std::string &raw, std::string &document) {
    BrotliDecoderState *state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
    size_t available_in = raw.size(), used = 0;
    const uint8_t *next_in = reinterpret_cast<const uint8_t *>(raw.data());
    document.resize(document.capacity() < (1 << 20) ? (1 << 20) : document.capacity());
    BrotliDecoderResult result;
    for (;;) {
        size_t available_out = document.size() - used;
        uint8_t *next_out = reinterpret_cast<uint8_t *>(document.data()) + used;
        result = BrotliDecoderDecompressStream(state, &available_in, &next_in, &available_out, &next_out, nullptr);
        used = document.size() - available_out;
        if (result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) break;
        document.resize(2 * document.size());
    }
    BrotliDecoderDestroyInstance(state);
    document.resize(used);
    return result == BROTLI_DECODER_RESULT_SUCCESS;
}

static void read_entity(ondemand::object entity, Sums &sums) {
    for (auto field : entity) {
        std::string_view key = field.unescaped_key();
        if (key == "id" || key == "seq_id" || key == "home" || key == "collection_id") {
            uint64_t number;
            if (!field.value().get(number)) sums.ids += number;
        } else if (key == "migratable") {
            sums.ids += field.value().get_bool() ? 1 : 0;
        } else if (key == "type") {
            sums.ids += std::string_view(field.value().get_string()).size();
        }
    }
}

static void read_task(ondemand::object task, Sums &sums) {
    sums.tasks += 1;
    for (auto field : task) {
        std::string_view key = field.unescaped_key();
        if (key == "time") {
            sums.load += double(field.value());
        } else if (key == "node") {
            sums.ids += uint64_t(field.value());
        } else if (key == "entity") {
            read_entity(field.value().get_object(), sums);
        } else if (key == "user_defined") {
            for (auto quantity : field.value().get_object()) {
                double number;
                if (!quantity.value().get(number)) sums.footprint += number;
            }
        }
    }
}

static void read_communication(ondemand::object communication, Sums &sums) {
    sums.communications += 1;
    for (auto field : communication) {
        std::string_view key = field.unescaped_key();
        if (key == "bytes" || key == "messages") {
            sums.bytes += double(field.value());
        } else if (key == "from" || key == "to") {
            read_entity(field.value().get_object(), sums);
        } else if (key == "type") {
            sums.ids += std::string_view(field.value().get_string()).size();
        }
    }
}

static Sums read(const char *path, ondemand::parser &parser, std::string &document) {
    Sums sums;
    std::string raw = contents(path);
    if (!decompress(raw, document)) document = raw;
    sums.json_bytes = document.size();
    document.reserve(document.size() + SIMDJSON_PADDING);
    auto json = parser.iterate(document.data(), document.size(), document.capacity());
    for (auto phase : json["phases"].get_array()) {
        for (auto field : phase.get_object()) {
            std::string_view key = field.unescaped_key();
            if (key == "tasks") {
                for (auto task : field.value().get_array()) read_task(task.get_object(), sums);
            } else if (key == "communications") {
                for (auto entry : field.value().get_array()) read_communication(entry.get_object(), sums);
            }
        }
    }
    return sums;
}

int main(int n_arguments, char **arguments) {
    if (n_arguments < 3) {
        std::cerr << "usage: read_files THREADS FILE...\n";
        return 2;
    }
    std::atomic<int> next{2};
    std::mutex lock;
    Sums all;
    auto work = [&] {
        ondemand::parser parser;
        std::string document;
        Sums sums;
        for (int at = next++; at < n_arguments; at = next++) sums.add(read(arguments[at], parser, document));
        std::lock_guard<std::mutex> guard(lock);
        all.add(sums);
    };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < std::stoi(arguments[1]); ++thread) threads.emplace_back(work);
    for (auto &thread : threads) thread.join();
    std::cout << all.json_bytes << " bytes, " << all.tasks << " tasks, " << all.load << " s, " << all.communications
              << " communications, " << all.bytes << " bytes, " << all.footprint << ' ' << all.ids << '\n';
}
