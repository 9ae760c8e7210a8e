// SPDX-License-Identifier: MIT
#include "sgood/experiments/experiment_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "sgood/core/error.h"
#include "sgood/io/atomic_file.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/report/figures.h"
#include "sgood/report/result_page.h"
#include "sgood/report/table_text.h"

namespace sgood {
namespace {

std::string title_of(const Experiment& experiment, Metric metric) {
  switch (metric) {
    case Metric::kAuroc:
      return experiment.title + ", AUROC (%)";
    case Metric::kAupr:
      return experiment.title + ", AUPR (%)";
    case Metric::kFpr95:
      return experiment.title + ", FPR95 (%)";
    case Metric::kIdAccuracy:
      return experiment.title + ", accuracy (%)";
    case Metric::kEpochSeconds:
      return experiment.title + " (s)";
  }
  return experiment.title;
}

ResultCell cell_from(const std::vector<double>& values) {
  ResultCell cell;
  if (values.empty()) return cell;
  const Summary summary = summarize(values);
  cell.mean = summary.mean;
  cell.std = summary.std;
  cell.runs = static_cast<int>(values.size());
  return cell;
}

ResultCell cell_of(const std::string& suite, const Variant& variant, Metric metric,
                   const RunStore& store, std::int32_t seeds) {
  std::vector<double> values;
  for (std::int32_t s = 0; s < seeds; ++s) {
    const auto seed = static_cast<std::uint64_t>(s);
    const RunRecord* run = store.find({suite, variant.method, variant.options, seed, seed});
    if (run == nullptr) continue;
    if (const auto value = metric_of(*run, metric)) values.push_back(*value);
  }
  return cell_from(values);
}

bool any_measured(const std::vector<ResultCell>& row) {
  return std::any_of(row.begin(), row.end(),
                     [](const ResultCell& c) { return c.mean.has_value(); });
}

ResultTable table_of(const Experiment& experiment, std::size_t m, const RunStore& store,
                     std::int32_t seeds) {
  const Metric metric = experiment.metrics[m];
  ResultTable table;
  table.name = experiment.metrics.size() == 1
                   ? experiment.name
                   : fmt::format("{}-{}", experiment.name, metric_name(metric));
  table.title = title_of(experiment, metric);
  table.caption = experiment.caption;
  table.corner = "method";
  table.columns = experiment.suites;
  table.decimals = metric == Metric::kEpochSeconds ? 3 : 1;
  table.higher_is_better = metric != Metric::kFpr95 && metric != Metric::kEpochSeconds;
  const auto add_row = [&](const Variant& variant) {
    std::vector<ResultCell> row;
    for (std::size_t s = 0; s < experiment.suites.size(); ++s) {
      row.push_back(cell_of(experiment.suites[s], variant, metric, store, seeds));
      if (m < variant.paper.size() && !std::isnan(variant.paper[m][s]))
        row.back().paper = variant.paper[m][s];
    }
    table.rows.push_back(variant.label);
    table.cells.push_back(std::move(row));
  };
  // A method that does not exist yet has no row.
  for (const Variant& variant : experiment.variants)
    if (method_exists(variant.method)) add_row(variant);
  table.ranked_rows = static_cast<int>(table.rows.size());
  const bool ood = metric == Metric::kAuroc || metric == Metric::kAupr || metric == Metric::kFpr95;
  if (!ood || experiment.name == "audit") return table;
  for (const Variant& variant : untrained_variants()) {
    if (!method_exists(variant.method)) continue;
    add_row(variant);
    if (any_measured(table.cells.back())) continue;
    table.rows.pop_back();
    table.cells.pop_back();
  }
  return table;
}

}  // namespace

std::vector<ResultTable> result_tables(const Experiment& experiment, const RunStore& store,
                                       std::int32_t seeds) {
  std::vector<ResultTable> tables;
  for (std::size_t m = 0; m < experiment.metrics.size(); ++m)
    tables.push_back(table_of(experiment, m, store, seeds));
  return tables;
}

std::string experiment_text(const Experiment& experiment, const RunStore& store,
                            std::int32_t seeds) {
  std::string text;
  for (const ResultTable& table : result_tables(experiment, store, seeds))
    text += to_markdown(table) + "\n";
  return text;
}

namespace {

/// Gain in AUROC over the first variant, run by run on the same split.
ResultCell gain_of(const std::string& suite, const Variant& variant, const Variant& base,
                   const RunStore& store, std::int32_t seeds) {
  std::vector<double> gains;
  for (std::int32_t s = 0; s < seeds; ++s) {
    const auto seed = static_cast<std::uint64_t>(s);
    const RunRecord* run = store.find({suite, variant.method, variant.options, seed, seed});
    const RunRecord* reference = store.find({suite, base.method, base.options, seed, seed});
    if (run != nullptr && reference != nullptr)
      gains.push_back(100 * (run->ood.auroc - reference->ood.auroc));
  }
  return cell_from(gains);
}

ResultHeatMaps heat_maps_of(const Experiment& experiment, const RunStore& store,
                            std::int32_t seeds) {
  ResultHeatMaps maps;
  maps.name = experiment.name;
  maps.title =
      fmt::format("{}: gain in AUROC over {}", experiment.title, experiment.variants[0].label);
  maps.caption = experiment.caption;
  maps.row_label = "first view";
  maps.column_label = "second view";
  maps.options = maps.panels = experiment.pair_options;
  maps.panels = experiment.suites;
  const std::size_t n = experiment.pair_options.size();
  for (const std::string& suite : experiment.suites) {
    auto& panel = maps.cells.emplace_back(n, std::vector<ResultCell>(n));
    for (std::size_t i = 0; i < n * n; ++i)
      panel[i / n][i % n] =
          gain_of(suite, experiment.variants[1 + i], experiment.variants[0], store, seeds);
  }
  return maps;
}

ResultDistributions distributions_of(const Experiment& experiment, const RunStore& store) {
  ResultDistributions result;
  result.name = experiment.name;
  result.title = fmt::format("{}, {}", experiment.title, experiment.suites[0]);
  result.caption = experiment.caption;
  for (const Variant& variant : experiment.variants)
    if (const RunRecord* run =
            store.find({experiment.suites[0], variant.method, variant.options, 0, 0}))
      result.panels.push_back({variant.label, run->id_scores.quantiles, run->ood_scores.quantiles,
                               run->id_scores.mean, run->ood_scores.mean});
  return result;
}

class ReportWriter {
 public:
  ReportWriter(std::filesystem::path folder, const RunStore& store, std::int32_t seeds)
      : folder_(std::move(folder)), store_(store), seeds_(seeds) {
    std::filesystem::create_directories(folder_);
  }

  void add(const Experiment& experiment) {
    std::vector<ResultTable> tables = result_tables(experiment, store_, seeds_);
    std::erase_if(tables, [](const ResultTable& table) {
      return std::none_of(table.cells.begin(), table.cells.end(), any_measured);
    });
    if (tables.empty()) return;
    ResultSection section;
    section.id = experiment.name;
    section.title = experiment.title;
    section.paragraphs = {experiment.caption};
    for (ResultTable& table : tables) {
      table.caption.clear();
      write(section, table.name + ".md", to_markdown(table));
      write(section, table.name + ".csv", to_csv(table));
      write(section, table.name + ".tex", to_latex(table));
    }
    draw(experiment, tables[0], section);
    section.tables = std::move(tables);
    page_.sections.push_back(std::move(section));
  }

  void finish() {
    page_.title = "Experiments";
    page_.paragraphs = {fmt::format(
        "{} runs, at most {} seeds of each; seed s trains on split s. Values are mean and standard "
        "deviation over seeds; the paper's number and the difference stand beside them. Rows below "
        "the line have learned nothing: where they are as good, sizes or counts explain the "
        "number.",
        store_.size(), seeds_)};
    write_file_atomically(folder_ / "index.html", result_page(page_));
  }

 private:
  void write(ResultSection& section, const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
    section.files.push_back(name);
  }

  void draw(const Experiment& experiment, const ResultTable& table, ResultSection& section) {
    if (experiment.figure == Figure::kNone) return;
    for (const char* extension : {".svg", ".png"}) {
      const std::filesystem::path path = folder_ / (experiment.name + extension);
      if (experiment.figure == Figure::kLines) {
        ResultTable points = table;  // without the rows that have learned nothing
        points.rows.resize(experiment.x.size());
        points.cells.resize(experiment.x.size());
        const bool log_x = experiment.name == "batch-size";
        write_lines(path, {points, experiment.x_label, "AUROC (%)", experiment.x, log_x});
      } else if (experiment.figure == Figure::kHeatMaps) {
        const ResultHeatMaps maps = heat_maps_of(experiment, store_, seeds_);
        write_heat_maps(path, maps);
        write_file_atomically(folder_ / (experiment.name + "-gain.csv"), to_csv(maps));
      } else {
        const ResultDistributions distributions = distributions_of(experiment, store_);
        write_distributions(path, distributions);
        write_file_atomically(folder_ / (experiment.name + "-quantiles.csv"),
                              to_csv(distributions));
      }
      section.files.push_back(path.filename().string());
    }
    std::ifstream in(folder_ / (experiment.name + ".svg"));
    section.svg.assign(std::istreambuf_iterator<char>(in), {});
  }

  std::filesystem::path folder_;
  const RunStore& store_;
  std::int32_t seeds_;
  ResultPage page_;
};

}  // namespace

void write_report(const std::filesystem::path& folder, const RunStore& store, std::int32_t seeds) {
  ReportWriter writer(folder, store, seeds);
  for (const Experiment& experiment : experiments())
    if (experiment.measure == nullptr) writer.add(experiment);
  writer.finish();
}

}  // namespace sgood
