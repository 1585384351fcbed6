// The contract suite of logging backends.

import assert from 'node:assert/strict';
import { LEVEL_NAMES } from '../contract/log-spec.js';
import type { LoggingBackend } from '../contract/index.js';
import type { OptionSchema } from '../contract/plugin.js';
import type { PluginDefinition } from '../contract/plugin.js';
import { inTime, untilFault, type ContractCase } from './case.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** The contract suite of logging backends. */
export function loggingBackendCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'logging', Schema>,
  createFixture: NoInfer<CreateFixture<Schema>>,
): ContractCase[] {
  const label = `logging plugin ${definition.name}`;
  const started = (work: (backend: LoggingBackend) => Promise<void>) => (): Promise<void> =>
    withPlugin(definition, createFixture, async (backend) => {
      await startPlugin(backend);
      await work(backend);
    });
  return untilFault([
    ...lifecycleCases(definition, createFixture, (backend) => backend.activate('a=debug:info')),
    {
      title: `${label}: the initial specification is info`,
      run: started(async (backend) => assert.equal(await backend.spec(), 'info')),
    },
    {
      title: `${label}: spec returns the active specification in its normal form`,
      run: started(normalFormCase),
    },
    {
      title: `${label}: an invalid specification does not change the active one`,
      run: started(invalidSpecCase),
    },
    {
      title: `${label}: a new specification applies at once to existing loggers`,
      run: started(existingLoggersCase),
    },
    {
      title: `${label}: logger returns the same object for the same name and throws for an invalid name`,
      run: started(loggerNameCase),
    },
    { title: `${label}: logging never throws, whatever the fields are`, run: started(unusualFieldsCase) },
  ]);
}

async function normalFormCase(backend: LoggingBackend): Promise<void> {
  await inTime('activate', backend.activate('b,a=WARNING::gossip.=payload:NOTICE'));
  assert.equal(await backend.spec(), 'a=warn:b=warn:gossip.=payload:info');
  await inTime('activate', backend.activate(await backend.spec()));
  assert.equal(await backend.spec(), 'a=warn:b=warn:gossip.=payload:info');
  await inTime('activate', backend.activate(''));
  assert.equal(await backend.spec(), 'info');
}

async function invalidSpecCase(backend: LoggingBackend): Promise<void> {
  await inTime('activate', backend.activate('a=debug:warn'));
  await assert.rejects(async () => backend.activate('a=error:b=nonsense'), {
    code: 'LOG_SPEC_INVALID',
    message: "invalid logging specification 'a=error:b=nonsense': bad segment 'b=nonsense'",
  });
  assert.equal(await backend.spec(), 'a=debug:warn');
  assert.ok(backend.logger('a').enabled('debug'));
}

async function existingLoggersCase(backend: LoggingBackend): Promise<void> {
  const logger = backend.logger('gossip.state');
  assert.deepEqual([logger.enabled('debug'), logger.enabled('info')], [false, true]);
  await inTime('activate', backend.activate('gossip=debug:error'));
  assert.deepEqual([logger.enabled('debug'), backend.logger('grpc').enabled('warn')], [true, false]);
  await inTime('activate', backend.activate('fatal'));
  assert.deepEqual([logger.enabled('panic'), logger.enabled('fatal')], [false, true]);
}

async function loggerNameCase(backend: LoggingBackend): Promise<void> {
  assert.equal(backend.logger('gossip.state'), backend.logger('gossip.state'));
  assert.equal(backend.logger('gossip.state').name, 'gossip.state');
  for (const name of ['', 'a b', '.a', 'a.', 'ü']) {
    assert.throws(() => backend.logger(name), {
      code: 'LOGGER_NAME_INVALID',
      message: `invalid logger name: ${name}`,
    });
  }
}

async function unusualFieldsCase(backend: LoggingBackend): Promise<void> {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const fields = {
    circular,
    big: 1n,
    error: new Error('an error'),
    nothing: undefined,
    level: 'own',
    msg: 'own',
    ts: 0,
    list: [1, 'a b'],
  };
  // Uses a level that hides the entries from the console of the test run, then writes one entry.
  await inTime('activate', backend.activate('fatal'));
  for (const level of LEVEL_NAMES.filter((name) => name !== 'fatal'))
    backend.logger('contract')[level]('hidden', fields);
  backend.logger('contract').fatal('an entry of the contract suite\nwith a second line', fields);
}
