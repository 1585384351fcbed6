// The contract suite of metric sources.

import assert from 'node:assert/strict';
import type { MetricSource, SourceReading } from '../contract/metric-source.js';
import type { OptionSchema } from '../contract/plugin.js';
import type { PluginDefinition } from '../contract/plugin.js';
import { readingProblem } from '../contract/reading-problem.js';
import { checkReason, failureOf, inTime, untilFault, type ContractCase } from './case.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** The fixtures for the suite of a source. */
export interface MetricSourceFixtures<Schema extends OptionSchema> {
  /** With a process that can be read. */
  readonly readable: CreateFixture<Schema>;
  /** With a process that cannot be read; the source itself starts. */
  readonly unreadable: CreateFixture<Schema>;
}

/** The contract suite of metric sources. */
export function metricSourceCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'source', Schema>,
  { readable, unreadable }: NoInfer<MetricSourceFixtures<Schema>>,
): ContractCase[] {
  const label = `source plugin ${definition.name}`;
  const started =
    (fixture: CreateFixture<Schema>, work: (source: MetricSource) => Promise<void>) => (): Promise<void> =>
      withPlugin(definition, fixture, async (source) => {
        await startPlugin(source);
        await work(source);
      });
  return untilFault([
    ...lifecycleCases(definition, readable, (source, signal) => source.read(signal)),
    { title: `${label}: repeated readings are valid`, run: started(readable, validCase) },
    { title: `${label}: concurrent readings are valid`, run: started(readable, concurrentCase) },
    {
      title: `${label}: a reading does not change after the next one`,
      run: started(readable, unchangedCase),
    },
    {
      title: `${label}: a reading that is not possible fails with a one-line reason`,
      run: started(unreadable, reasonCase),
    },
    { title: `${label}: a reading ends when its signal is aborted`, run: started(unreadable, abortCase) },
  ]);
}

function read(source: MetricSource): Promise<SourceReading> {
  return inTime('read', source.read(new AbortController().signal));
}

async function validCase(source: MetricSource): Promise<void> {
  for (let count = 0; count < 3; count += 1)
    assert.equal(await readingProblem(await read(source)), undefined);
}

async function concurrentCase(source: MetricSource): Promise<void> {
  const readings = await Promise.all([read(source), read(source), read(source)]);
  for (const reading of readings) assert.equal(await readingProblem(reading), undefined);
}

async function unchangedCase(source: MetricSource): Promise<void> {
  const reading = await read(source);
  const before = JSON.stringify(reading);
  await read(source);
  assert.equal(JSON.stringify(reading), before, 'a returned reading must not be changed');
}

async function reasonCase(source: MetricSource): Promise<void> {
  const failure = await failureOf(() => read(source));
  assert.notEqual(failure, undefined, 'the reading must reject');
  checkReason(failure);
}

async function abortCase(source: MetricSource): Promise<void> {
  const abort = new AbortController();
  const ended = (async () => source.read(abort.signal))().catch(() => undefined);
  abort.abort(new Error('the suite aborts the reading'));
  await inTime('the aborted reading', ended);
}
