import assert from 'node:assert/strict';
import { LEVEL_NAMES } from '../log-levels.js';
import type { LoggingBackend } from '../logging-backend.js';
import type { OptionSchema } from '../options.js';
import type { PluginDefinition } from '../plugin.js';
import { inTime, type ContractCase } from './case.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** What every logging backend must do. */
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
  return [
    ...lifecycleCases(definition, createFixture),
    {
      title: `${label}: the specification is info until another is activated`,
      run: started(async (backend) => assert.equal(await backend.spec(), 'info')),
    },
    { title: `${label}: an activated specification is shown in its normal form`, run: started(renderCase) },
    { title: `${label}: a specification that is refused leaves the active one`, run: started(refusalCase) },
    {
      title: `${label}: loggers follow a new specification at once, also those made before`,
      run: started(followCase),
    },
    {
      title: `${label}: a logger is the same object for the same name, and a bad name is refused`,
      run: started(nameCase),
    },
    { title: `${label}: logging never throws, whatever is logged`, run: started(oddFieldsCase) },
  ];
}

async function renderCase(backend: LoggingBackend): Promise<void> {
  await inTime('activate', backend.activate('b,a=WARNING::gossip.=payload:NOTICE'));
  assert.equal(await backend.spec(), 'a=warn:b=warn:gossip.=payload:info');
  await inTime('activate', backend.activate(await backend.spec()));
  assert.equal(await backend.spec(), 'a=warn:b=warn:gossip.=payload:info');
  await inTime('activate', backend.activate(''));
  assert.equal(await backend.spec(), 'info');
}

async function refusalCase(backend: LoggingBackend): Promise<void> {
  await inTime('activate', backend.activate('a=debug:warn'));
  await assert.rejects(async () => backend.activate('a=error:b=nonsense'), {
    code: 'LOG_SPEC_INVALID',
    message: "invalid logging specification 'a=error:b=nonsense': bad segment 'b=nonsense'",
  });
  assert.equal(await backend.spec(), 'a=debug:warn');
  assert.ok(backend.logger('a').enabled('debug'));
}

async function followCase(backend: LoggingBackend): Promise<void> {
  const logger = backend.logger('gossip.state');
  assert.deepEqual([logger.enabled('debug'), logger.enabled('info')], [false, true]);
  await inTime('activate', backend.activate('gossip=debug:error'));
  assert.deepEqual([logger.enabled('debug'), backend.logger('grpc').enabled('warn')], [true, false]);
  await inTime('activate', backend.activate('fatal'));
  assert.deepEqual([logger.enabled('panic'), logger.enabled('fatal')], [false, true]);
}

async function nameCase(backend: LoggingBackend): Promise<void> {
  assert.equal(backend.logger('gossip.state'), backend.logger('gossip.state'));
  assert.equal(backend.logger('gossip.state').name, 'gossip.state');
  for (const name of ['', 'a b', '.a', 'a.', 'ü']) {
    assert.throws(() => backend.logger(name), {
      code: 'LOGGER_NAME_INVALID',
      message: `invalid logger name: ${name}`,
    });
  }
}

async function oddFieldsCase(backend: LoggingBackend): Promise<void> {
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
  // At a level that hides it from the console of whoever runs the suite, and then for real, once.
  await inTime('activate', backend.activate('fatal'));
  for (const level of LEVEL_NAMES.filter((name) => name !== 'fatal'))
    backend.logger('contract')[level]('hidden', fields);
  backend.logger('contract').fatal('a line of the contract suite\nwith a second one', fields);
}
