// The system clock jumps while the program runs.

import test from 'ava';
import { temporaryFolder } from '../../helpers/folder.js';
import { healthOf, metricLine } from '../../helpers/agent-endpoints.js';
import { pluginSource, serveProject } from '../../helpers/plugin-program.js';
import { ReceivedLines, startUdpDaemon } from '../../helpers/statsd-daemon.js';
import { until } from '../../helpers/until.js';

/** Each SIGUSR2 sets the clock to the next of these offsets from the correct time, in milliseconds. */
const DAY = 86_400_000;
const SHIFTS = [DAY, -DAY, 0];
const SHIFTER = `const RealDate = Date;
const shifts = ${JSON.stringify(SHIFTS)};
let shift = 0;
globalThis.Date = class extends RealDate {
  constructor(...args) { args.length === 0 ? super(RealDate.now() + shift) : super(...args); }
  static now() { return RealDate.now() + shift; }
};
process.on('SIGUSR2', () => { shift = shifts.shift(); process.stderr.write('the clock is off by ' + shift + '\\n'); });
`;

/** Longest duration that the test can measure, in seconds. */
const MAX_DURATION = 3600;

test('a clock that jumps by days changes no deadline, interval, cache or duration', async (t) => {
  const received = new ReceivedLines();
  const daemon = await startUdpDaemon(t, received);
  const folder = temporaryFolder(t, { 'shift.mjs': SHIFTER });
  const options = { address: `127.0.0.1:${daemon.port}`, writeInterval: '50ms' };
  const { url, child, line, ended } = await serveProject(
    t,
    {
      files: {
        'hangs.js': pluginSource(
          'checker',
          'hangs',
          'return { check: (signal) => new Promise((_, reject) => { signal.onabort = () => reject(signal.reason); }) };',
        ),
      },
      settings: {
        health: { timeout: '300ms', cacheFor: '700ms' },
        plugins: [{ plugin: 'prometheus' }, { plugin: 'statsd', options }, { plugin: './hangs.js' }],
      },
    },
    { environment: { NODE_OPTIONS: `--import=${folder}/shift.mjs` } },
  );
  const started = await metricLine(url, 'fabric_ops_agent_process_start_time_seconds');
  const timeOf = async (): Promise<number> =>
    Date.parse(((await (await fetch(`${url}/healthz`)).json()) as { time: string }).time);

  for (const shift of SHIFTS) {
    const before = await timeOf();
    child.kill('SIGUSR2');
    await line(new RegExp(`the clock is off by ${shift}\\n`));
    await until(async () => (await timeOf()) !== before);
    const wrong = (await timeOf()) - Date.now() - shift;
    t.true(Math.abs(wrong) < DAY / 2, `the time in the response is off by ${wrong} ms`);
    t.deepEqual((await healthOf(url)).failed, { hangs: 'timed out after 300ms' });
    const count = received.lines.length;
    await until(() => received.lines.length > count + 100);
  }

  t.is(await metricLine(url, 'fabric_ops_agent_process_start_time_seconds'), started);
  const text = await (await fetch(`${url}/metrics`)).text();
  const sums = [...text.matchAll(/^(\S*_seconds_sum\S*) (\S+)$/gm)];
  t.true(sums.length > 2);
  for (const [, series, value] of sums)
    t.true(Number(value) >= 0 && Number(value) < MAX_DURATION, `${series} ${value}`);
  const timings = received.lines.filter((timing) => timing.endsWith('|ms'));
  t.true(timings.length > 0);
  t.deepEqual(
    timings.filter((timing) => !/:\d{1,6}\.\d+\|ms$/.test(timing)),
    [],
  );
  child.kill('SIGTERM');
  t.is((await ended).status, 0);
});
