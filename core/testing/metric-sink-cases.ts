// The contract suite of metric sinks.

import assert from 'node:assert/strict';
import type { MetricBatch, PullSink, PushSink, SinkReply } from '../contract/metric-sink.js';
import type { OptionSchema } from '../contract/plugin.js';
import type { PluginDefinition } from '../contract/plugin.js';
import { EVENT } from './event.js';
import { checkReason, failureOf, inTime, untilFault, type ContractCase } from './case.js';
import {
  lifecycleCases,
  startPlugin,
  withPlugin,
  type CreateFixture,
  type Undetectable,
} from './common-cases.js';

const EMPTY: MetricBatch = {
  counters: [],
  histograms: [],
  gauges: [],
  timings: [],
  droppedTimings: 0,
  checks: [],
};

/** Timeout of a flush that delivers nothing, in milliseconds, as in the agent. */
const FLUSH_TIMEOUT = 10_000;

const HOSTILE = ['', 'a:1|c\nforged:2|c', 'a|b', '#tag@0.1', '\0', 'ü😀', '__proto__', 'x'.repeat(10_000)];

/** A batch with values of every kind, ordinary and hostile. */
const FULL: MetricBatch = {
  counters: [
    sample('counts', { channel: 'ch1' }, 3),
    ...HOSTILE.map((text) => sample('hostile', { label: text }, 1)),
  ],
  gauges: [sample('level', {}, -1.5), sample('huge', {}, 1e300), sample('infinite', {}, Infinity)],
  histograms: [
    {
      namespace: '',
      subsystem: '',
      name: 'relayed',
      labels: { channel: 'ch1' },
      bounds: [0.1, 1, Infinity],
      counts: [2, 0, 1],
      sum: 3.25,
      count: 3,
    },
  ],
  timings: [sample('duration', { channel: 'ch1' }, 0.25), sample('duration', { channel: 'ch1' }, 0)],
  droppedTimings: 1,
  checks: [EVENT],
};

/** The contract suite of sinks that serve a route. */
export function pullSinkCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'sink', Schema>,
  createFixture: NoInfer<CreateFixture<Schema>>,
): ContractCase[] {
  const label = `sink plugin ${definition.name}`;
  const started = (work: (sink: PullSink) => Promise<void>) => (): Promise<void> =>
    withPlugin(definition, createFixture, async (sink) => {
      assert.ok('route' in sink && !('push' in sink), 'the sink must have a route and no push');
      await startPlugin(sink);
      await work(sink);
    });
  return untilFault([
    ...lifecycleCases(definition, createFixture, (sink) =>
      'route' in sink ? sink.route.handle({ headers: new Map() }) : undefined,
    ),
    { title: `${label}: a scrape returns a body and a content type`, run: started(scrapeCase) },
    { title: `${label}: concurrent scrapes return the same body`, run: started(parallelCase) },
  ]);
}

/** The fixtures for the suite of a push sink. */
export interface PushSinkFixtures<Schema extends OptionSchema> {
  /** With a receiver that accepts everything. */
  readonly accepting: CreateFixture<Schema>;
  /** With a receiver that cannot be reached; the sink itself starts. */
  readonly unreachable: CreateFixture<Schema> | Undetectable;
}

/** The contract suite of sinks that push batches. */
export function pushSinkCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'sink', Schema>,
  { accepting, unreachable }: NoInfer<PushSinkFixtures<Schema>>,
): ContractCase[] {
  const label = `sink plugin ${definition.name}`;
  const started =
    (fixture: CreateFixture<Schema>, work: (sink: PushSink) => Promise<void>) => (): Promise<void> =>
      withPlugin(definition, fixture, async (sink) => {
        assert.ok('push' in sink && !('route' in sink), 'the sink must have a push and no route');
        await startPlugin(sink);
        await work(sink);
      });
  return untilFault([
    ...lifecycleCases(definition, accepting, (sink, signal) =>
      'push' in sink ? sink.push.flush(FULL, signal) : undefined,
    ),
    {
      title: `${label}: an empty batch and a hostile batch are accepted`,
      run: started(accepting, batchCase),
    },
    {
      title: `${label}: a flush ends when its signal is aborted`,
      run: started(unreachable === 'undetectable' ? accepting : unreachable, abortCase),
    },
    ...(unreachable === 'undetectable'
      ? []
      : [
          {
            title: `${label}: a flush that delivers nothing rejects, or rejected reports why`,
            run: started(unreachable, rejectedCase),
          },
        ]),
  ]);
}

async function scrapeCase({ route }: PullSink): Promise<void> {
  assert.match(route.path, /^\/\S+$/, 'the path must begin with / and contain no whitespace');
  const reply: SinkReply = await inTime('the scrape', route.handle({ headers: new Map() }));
  assert.ok(
    Object.keys(reply.headers).some((name) => name.toLowerCase() === 'content-type'),
    'the reply must have a Content-Type header',
  );
  assert.ok(reply.body.length > 0, 'the body must not be empty');
}

async function parallelCase({ route }: PullSink): Promise<void> {
  const replies = await inTime(
    'the scrapes',
    Promise.all([1, 2, 3].map(() => route.handle({ headers: new Map() }))),
  );
  assert.equal(new Set(replies.map(({ body }) => body.toString())).size, 1, 'all bodies must be equal');
}

async function batchCase({ push }: PushSink): Promise<void> {
  assert.ok(push.interval > 0, 'the interval must be positive');
  await inTime('the flush of an empty batch', push.flush(EMPTY, new AbortController().signal));
  await inTime('the flush of a hostile batch', push.flush(FULL, new AbortController().signal));
}

/** A flush that resolves accepts its batch: values that it did not send would be lost. */
async function rejectedCase({ push }: PushSink): Promise<void> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error('the suite aborts the flush')), FLUSH_TIMEOUT);
  const failure = await failureOf(() => inTime('the flush', push.flush(FULL, abort.signal))).finally(() =>
    clearTimeout(timer),
  );
  if (failure !== undefined) return checkReason(failure);
  const reason = push.rejected?.();
  assert.ok(
    typeof reason === 'string' && reason !== '',
    'the batch is lost: the flush must reject, or rejected must return the reason',
  );
  checkReason(new Error(reason));
}

async function abortCase({ push }: PushSink): Promise<void> {
  const abort = new AbortController();
  const flush = push.flush(FULL, abort.signal).catch(() => undefined);
  abort.abort(new Error('the suite aborts the flush'));
  await inTime('the aborted flush', flush);
}

function sample(
  name: string,
  labels: Readonly<Record<string, string>>,
  value: number,
): MetricBatch['counters'][number] {
  return { namespace: 'contract', subsystem: 'suite', name, labels, value };
}
