import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings, SettingsError } from '../../../../core/index.js';
import { startAgent } from '../../../helpers/agent.js';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../../../helpers/statsd-daemon.js';
import { until } from '../../../helpers/until.js';

/** The problems that the agent reports for options of the sink. */
async function problemsOf(t: ExecutionContext, options: object): Promise<readonly string[]> {
  const plugins = [{ plugin: 'statsd', options }];
  const error = await t.throwsAsync(
    async () => createAgent(defineSettings({ 'logging.spec': 'fatal', plugins }, process.cwd())),
    { instanceOf: SettingsError },
  );
  return error?.problems ?? [];
}

const address = '127.0.0.1:8125';
const PLUGIN = 'settings: plugins[0]: plugin statsd';
const ADDRESS_RULE = 'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443';

const PROBLEMS: readonly (readonly [object, string])[] = [
  [{}, 'options.address: is required: host:port of the daemon'],
  [{ address: '' }, `options.address: ${ADDRESS_RULE}: value was ""`],
  [{ address: 'daemon' }, `options.address: ${ADDRESS_RULE}: value was "daemon"`],
  [{ address: 'daemon:0' }, 'options.address: the port must not be 0: value was "daemon:0"'],
  [{ address, maxDatagram: 65_508 }, 'options.maxDatagram: must not be more than 65507: value was 65508'],
  [{ address, network: 'unix' }, 'options.network: must be one of udp, tcp: value was "unix"'],
  [
    { address, writeInterval: '1fortnight' },
    'options.writeInterval: must be a duration such as 10s, 1m30s or 500ms: value was "1fortnight"',
  ],
  [{ address, writeInterval: '0s' }, 'options.writeInterval: must be at least 10ms: value was 0ms'],
  [{ address, writeInterval: '9ms' }, 'options.writeInterval: must be at least 10ms: value was 9ms'],
  [{ address, writeInterval: '9999us' }, 'options.writeInterval: must be at least 10ms: value was 9.999ms'],
  [{ address, writeInterval: '-1s' }, 'options.writeInterval: must not be negative: value was "-1s"'],
  [
    { address, prefix: 'a b' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was ' +
      JSON.stringify('a b'),
  ],
  [
    { address, prefix: 'a:1' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was ' +
      JSON.stringify('a:1'),
  ],
  [
    { address, prefix: 'a|c' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was ' +
      JSON.stringify('a|c'),
  ],
  [
    { address, prefix: 'a\nb' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was ' +
      JSON.stringify('a\nb'),
  ],
  [
    { address, prefix: 'a\0' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was ' +
      JSON.stringify('a\0'),
  ],
  [
    { address, prefix: 'a\x85' },
    'options.prefix: must be a string without whitespace, control characters, colons or vertical bars: value was "a\\u0085"',
  ],
  [{ address, maxDatagram: 1.5 }, 'options.maxDatagram: must be a whole number of 1 or more: value was 1.5'],
  [{ address, maxDatagram: 0 }, 'options.maxDatagram: must be a whole number of 1 or more: value was 0'],
  [
    { address, maxQueuedBytes: -1 },
    'options.maxQueuedBytes: must be a whole number of 1 or more: value was -1',
  ],
  [
    { address, maxQueuedBytes: 2 ** 60 },
    'options.maxQueuedBytes: must be a whole number of 1 or more: value was 1152921504606847000',
  ],
  [{ address, maxTimings: 0.5 }, 'options.maxTimings: must be a whole number of 1 or more: value was 0.5'],
  [
    { address, timingUnit: 'minutes' },
    'options.timingUnit: must be one of milliseconds, seconds: value was "minutes"',
  ],
  [
    { address, tags: 'datadog' },
    'options.tags: must be one of none, dogstatsd, influx, graphite: value was "datadog"',
  ],
  [{ address, prefxi: 'a' }, 'options.prefxi: unknown option; did you mean prefix?'],
];
for (const [options, problem] of PROBLEMS) {
  test(`${JSON.stringify(options)} are invalid options`, async (t) => {
    const [found = '', ...others] = await problemsOf(t, options);
    t.is(found, `${PLUGIN}: ${problem}`);
    t.deepEqual(others, []);
  });
}

for (const network of ['udp', 'tcp']) {
  test(`the provider statsd pushes over ${network} to its address, with its prefix`, async (t) => {
    const received = new ReceivedLines();
    const daemon = await (network === 'udp' ? startUdpDaemon : startTcpDaemon)(t, received);
    const { agent } = await startAgent(t, {
      'metrics.provider': 'statsd',
      'metrics.statsd.network': network,
      'metrics.statsd.address': `127.0.0.1:${daemon.port}`,
      'metrics.statsd.writeInterval': '10ms',
      'metrics.statsd.prefix': 'peer-0',
    });
    agent.metrics.counter({ namespace: 'a', subsystem: 'b', name: 'c', help: 'C.' }).inc(3);
    await until(() => received.total('peer-0.fabric_ops_agent.a_b.c') === 3);
    t.true(received.lines.length > 0);
    t.deepEqual(
      received.lines.filter((line) => !/^peer-0\.[^:|\s]+:-?\d+\.\d{6}\|(c|g|ms)$/.test(line)),
      [],
    );
  });
}
