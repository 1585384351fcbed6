// What the otlp sink sends for real nodes, decoded by the classes of the OpenTelemetry project.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { startOtlpReceiver, status, type OtlpReceiver } from '../helpers/otlp-receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside, stopAgent } from './fabric/agent.js';
import { metricsOf } from './fabric/endpoint.js';
import { seriesOf } from './fabric/exposition.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { ROOT } from './npm.js';

/** A decoded data point. */
interface Point {
  readonly attributes: Readonly<Record<string, string>>;
  /** In nanoseconds since the epoch. */
  readonly start: number;
  readonly time: number;
  readonly value: number;
  readonly count: number;
  readonly sum: number;
  readonly counts: readonly number[];
  readonly bounds: readonly number[];
}

/** A decoded metric. */
interface Metric {
  readonly resource: Readonly<Record<string, string>>;
  readonly name: string;
  readonly description: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly temporality: number;
  readonly isMonotonic: boolean;
  readonly points: readonly Point[];
}

/** The metrics of each request. */
function decode({ bodies }: OtlpReceiver): Metric[][] {
  const input = bodies().map((body) => JSON.stringify(body));
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync('/usr/bin/python3', [join(ROOT, 'test/e2e/decode-otlp.py')], {
    input: input.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Metric[][];
}

const serviceOf = ({ resource }: Metric): string => String(resource['service.name']);

/** The series of a service in the notation of `/metrics`, of the last request that has each. */
function seriesIn(requests: readonly Metric[][], service: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const metric of requests.flat()) {
    if (serviceOf(metric) !== service) continue;
    for (const point of metric.points) {
      const add = (suffix: string, value: number, extra: Record<string, string> = {}): void => {
        const labels = Object.entries({ ...point.attributes, ...extra }).map(
          ([key, text]) => `${key}="${text}"`,
        );
        series.set(
          `${metric.name}${suffix}${labels.length === 0 ? '' : `{${labels.toSorted().join()}}`}`,
          value,
        );
      };
      if (metric.kind !== 'histogram') add('', point.value);
      else {
        add('_count', point.count);
        add('_sum', point.sum);
        let upTo = 0;
        for (const [index, count] of point.counts.entries()) {
          upTo += count;
          const bound = point.bounds[index];
          add('_bucket', upTo, { le: bound === undefined ? '+Inf' : String(bound) });
        }
      }
    }
  }
  return series;
}

/** The series of a node that are not pushed, apart from those of its process and summaries, which the sink does not push. */
const missingIn = (pushed: ReadonlyMap<string, number>, own: ReadonlyMap<string, number>): string[] =>
  [...own.keys()].filter(
    (name) => !pushed.has(name) && !/^(?:promhttp_|process_|go_gc_duration_seconds)/.test(name),
  );

const proposalsOf = async (node: FabricNode): Promise<number | undefined> =>
  seriesOf(await metricsOf(node.operations)).get('endorser_proposals_received');

test.serial(
  'a peer, an orderer and the agent are decoded as resources of their own, with all series of /metrics',
  async (t) => {
    const network = await startNetwork(t);
    const [peer, orderer] = [network.peers[0], network.orderers[0]];
    const receiver = await startOtlpReceiver(t);
    const agent = await startBeside(t, [peer, orderer], {
      plugins: [
        { plugin: 'otlp', options: { writeInterval: '1s', resource: { 'service.namespace': 'org1' } } },
      ],
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint.replace('/v1/metrics', ''),
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20secret',
      },
    });
    const height = await addBlock(network);
    sendProposals(network, 2);
    await eventually(async () => {
      const found = seriesIn(decode(receiver), 'fabric-peer');
      const number = found.get(`ledger_blockchain_height{channel="${CHANNEL}"}`);
      check(number === height, `the height is ${number}`);
      check(found.get('endorser_proposals_received') === (await proposalsOf(peer)), 'proposals are missing');
    });
    // Nodes add series at any time: compare those that exist before the last push.
    const nodes = await Promise.all(
      (
        [
          ['fabric-peer', peer],
          ['fabric-orderer', orderer],
        ] as const
      ).map(async ([service, node]) => [service, seriesOf(await metricsOf(node.operations))] as const),
    );
    await eventually(async () => {
      const requests = decode(receiver);
      for (const [service, own] of nodes) {
        const missing = missingIn(seriesIn(requests, service), own);
        check(missing.length === 0, `${service}: ${missing.join()}`);
      }
    });
    t.is(await stopAgent(agent), 0);

    t.is(receiver.requests[0]?.url, '/v1/metrics');
    t.is(receiver.requests[0]?.headers.authorization, 'Bearer secret');
    t.is(receiver.requests[0]?.headers['content-encoding'], 'gzip');
    const requests = decode(receiver);
    const metrics = requests.flat();
    t.deepEqual(new Set(metrics.map(({ resource }) => JSON.stringify(Object.values(resource)))).size, 3);
    for (const [service, own] of nodes) {
      const pushed = seriesIn(requests, service);
      const counts = [...own].filter(([name]) =>
        /^(?:endorser|chaincode_shim|blockcutter)_.*(?:_count|received)\b/.test(name),
      );
      for (const [name, value] of counts) t.is(pushed.get(name), value, name);
      const start = own.get('process_start_time_seconds') ?? NaN;
      for (const metric of metrics) {
        if (serviceOf(metric) !== service || metric.kind === 'gauge') continue;
        t.is(metric.temporality, 2);
        t.not(metric.description, '');
        for (const point of metric.points) t.true(Math.abs(point.start / 1e9 - start) < 0.01);
      }
    }
    t.true(
      seriesIn(requests, 'fabric-ops-agent').has(
        'fabric_ops_agent_otlp_flushes_total{result="succeeded",sink="otlp"}',
      ),
    );
    t.notRegex(agent.program.stderr(), /secret|pushing metrics failed/);
  },
);

test.serial('after responses of the retry table the totals of the agent are complete', async (t) => {
  const network = await startNetwork(t);
  const statuses = [503, 429, 502, 500, 504, 400, 200];
  const receiver = await startOtlpReceiver(t, (response, index) =>
    status(statuses[index] ?? 200, '{}', { 'Retry-After': '0' })(response, index),
  );
  const agent = await startBeside(t, [network.peers[0]], {
    plugins: [{ plugin: 'otlp', options: { writeInterval: '1s', endpoint: receiver.endpoint } }],
  });
  await agent.program.line(
    /pushing metrics failed, the values are kept for the next push: POST \S+: HTTP status 500/,
  );
  await agent.program.line(/pushing metrics works again/);
  sendProposals(network, 3);
  const own = await proposalsOf(network.peers[0]);
  await eventually(async () => {
    const pushed = seriesIn(decode(receiver), 'fabric-peer').get('endorser_proposals_received');
    check(pushed === own, `${pushed} of ${own} proposals`);
  });
  t.is(await stopAgent(agent), 0);
});
