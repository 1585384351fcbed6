// A real Prometheus and the parser of the sources read the same texts: what Prometheus accepts is accepted, with the same series.

import test from 'ava';
import { ExpositionParser } from '../../core/kit/exposition/parse.js';
import { engineOnPort } from '../helpers/engine.js';
import { samplesOfFamilies, type Samples } from '../helpers/source-samples.js';
import { check, eventually } from './daemon.js';
import { startPrometheus } from './prometheus.js';

const HISTOGRAM =
  '# TYPE h histogram\nh_bucket{a="b",le="+Inf"} 3\nh_bucket{a="b",le="10"} 2\nh_sum{a="b"} 12.5\nh_count{a="b"} 3\n';

/** Texts that exporters write, by the name of a job. */
const TEXTS: Readonly<Record<string, string>> = {
  value_after_labels: 'a{x="y"}6\n',
  blanks: 'a\t{\tb\t=\t"c"\t,\td\t=\t"e"\t}\t1\t\n',
  no_line_end: 'a 1',
  no_commas: 'a{b="c" d="e"} 1\n',
  unknown_escape: 'a{b="C:\\temp"} 1\n',
  end_of_openmetrics: 'a 1\n# EOF\n',
  counter_of_openmetrics: '# TYPE a counter\na_total 1\na_created 1\n# EOF\n',
  type_after_sample: 'a 1\n# TYPE a counter\n# HELP a b\n',
  several_places: 'a 1\nb 1\na{c="d"} 1\n',
  duplicate_series: 'a 1\na 2\n',
  duplicate_headings: '# HELP a b\n# HELP a c\n# TYPE a gauge\n# TYPE a gauge\na 1\n',
  infinity: 'a infinity\nb -INF\n',
  histogram: HISTOGRAM,
  histogram_without_sum: HISTOGRAM.replace(/h_sum.*\n/, ''),
  histogram_without_infinity_and_count: HISTOGRAM.replace(/h_bucket.*Inf.*\n/, '').replace(/h_count.*\n/, ''),
  histogram_with_descending_counts: HISTOGRAM.replace('"10"} 2', '"10"} 5'),
  histogram_with_another_count: HISTOGRAM.replace('h_count{a="b"} 3', 'h_count{a="b"} 4'),
  histogram_with_a_single_value: '# TYPE h histogram\nh 1\n',
  summary_without_count: '# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 1\n',
};

test.serial('texts that Prometheus accepts have the same series in a reading', async (t) => {
  const address = await engineOnPort(t, ({ url = '' }, response) => {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4');
    response.end(TEXTS[url.slice(1)]);
  });
  const names = Object.keys(TEXTS);
  const { query, get } = await startPrometheus(
    t,
    names.map((name) =>
      JSON.stringify({
        job_name: name,
        metrics_path: `/${name}`,
        static_configs: [{ targets: [address] }],
      }),
    ),
  );
  await eventually(async () =>
    check((await query('count(up == 1)')) === String(names.length), 'not all are scraped yet'),
  );
  for (const name of names) {
    const { families } = await new ExpositionParser().parse(
      Buffer.from(TEXTS[name] ?? ''),
      new AbortController().signal,
    );
    const { result } = (await get(
      `query?query=${encodeURIComponent(`{job="${name}",__name__!~"up|scrape_.*"}`)}`,
    )) as { result: { metric: Record<string, string>; value: [number, string] }[] };
    t.deepEqual(samplesOfFamilies(families), samplesOfResult(result), name);
  }
});

/** The series of Prometheus in the form of {@link samplesOfFamilies}, without the labels that it adds and empty labels. */
function samplesOfResult(
  result: readonly { metric: Record<string, string>; value: [number, string] }[],
): Samples {
  return samplesOfFamilies(
    result.map(({ metric: { __name__: name = '', job: _job, instance: _instance, ...labels }, value }) => ({
      name,
      help: '',
      type: 'untyped',
      parts: { namespace: '', subsystem: '', name },
      series: [{ labels, value: Number(value[1].replace('Inf', 'Infinity')) }],
    })),
  );
}
