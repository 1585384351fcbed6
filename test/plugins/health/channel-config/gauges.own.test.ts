import test from 'ava';
import type { KnownConfig, KnownCertificate } from '../../../../plugins/health/channel-config/config.js';
import { createGauges } from '../../../../plugins/health/channel-config/gauges.js';
import { MetricStore } from '../../../../core/metrics/store.js';
import { stopClock } from '../../../helpers/clock.js';
import { valuesOf } from '../../../helpers/snapshot.js';
import { turnsOf } from '../../../helpers/turns.js';

const FAMILY = 'x509_channel_cert_not_after';
const MAX_SERIES = 1000;

const configWith = (subjects: readonly string[]): KnownConfig => ({
  certificates: subjects.map((subject): KnownCertificate => ({
    organisation: 'Org1MSP',
    consenter: '',
    use: 'ca',
    subject,
    serial: '01',
    notAfter: 2_000_000_000_000,
    fingerprint: subject,
  })),
  invalid: [],
  isInMaintenance: false,
  tlsCas: undefined,
  leaderHeartbeatTimeout: undefined,
  type: 'etcdraft',
  consenters: [],
  organisations: ['Org1MSP'],
  capabilities: { channel: [], orderer: [], application: [] },
  findings: [],
});

const shown = (config: KnownConfig) =>
  new Map([['ch1', { config, block: 7n, isConsenter: undefined, isVerifiable: undefined }]]);

test.serial('the series of 800 certificates are shown and ended in many turns', async (t) => {
  const store = new MetricStore(MAX_SERIES);
  const gauges = createGauges(store, 'channel-config');
  const config = configWith(Array.from({ length: 800 }, (_, index) => `CN=${index}`));
  t.true((await turnsOf(t, () => gauges.show(shown(config)))) > 20);
  t.is((await valuesOf(store, FAMILY)).length, 800);
  t.true((await turnsOf(t, () => gauges.show(new Map()))) > 20);
  t.is((await valuesOf(store, FAMILY)).length, 0);
});

test.serial('a certificate that the next config has too keeps its series meanwhile', async (t) => {
  const store = new MetricStore(MAX_SERIES);
  const gauges = createGauges(store, 'channel-config');
  const subjectsNow = async (): Promise<string[]> =>
    (await valuesOf(store, FAMILY)).map(({ labels }) => String(labels['subject'])).toSorted();
  await gauges.show(shown(configWith(['CN=a', 'CN=b'])));
  const next = gauges.show(shown(configWith(['CN=b', 'CN=c'])));
  t.true((await subjectsNow()).includes('CN=b'));
  await next;
  t.deepEqual(await subjectsNow(), ['CN=b', 'CN=c']);
});

test.serial(
  'the days left are whole days until the first certificate with the same use expires',
  async (t) => {
    const DAY = 86_400_000;
    const now = stopClock(t).now;
    const store = new MetricStore(MAX_SERIES);
    const gauges = createGauges(store, 'channel-config');
    const config = configWith(['CN=a', 'CN=b', 'CN=c']);
    const certificates = [3 * DAY - 1, 2 * DAY - 1, 2 * DAY].map((left, index) => ({
      ...config.certificates[index]!,
      notAfter: now + left,
    }));
    await gauges.show(shown({ ...config, certificates }));
    const daysLeft = async (): Promise<unknown[]> =>
      (await valuesOf(store, 'x509_channel_cert_days_left')).map(({ labels, value }) => [
        labels['use'],
        value,
      ]);
    t.deepEqual(await daysLeft(), [['ca', 1]]);

    const [first] = certificates;
    const expired = { ...first!, use: 'admin', notAfter: now - 1 } as const;
    await gauges.show(shown({ ...config, certificates: [expired] }));
    t.deepEqual(await daysLeft(), [['admin', -1]]);
  },
);

test('whether a channel is in maintenance and the orderer a consenter is shown until the channel is removed', async (t) => {
  const store = new MetricStore(MAX_SERIES);
  const gauges = createGauges(store, 'channel-config');
  const config = configWith([]);
  const values = async (): Promise<unknown[]> =>
    Promise.all(
      ['maintenance', 'consenter'].map(async (name) =>
        (await valuesOf(store, `fabric_ops_agent_channel_config_${name}`)).map(({ value }) => value),
      ),
    );
  for (const [isInMaintenance, isConsenter, expected] of [
    [true, true, [[1], [1]]],
    [false, false, [[0], [0]]],
    [false, undefined, [[0], []]],
    [true, true, [[1], [1]]],
  ] as const) {
    const each = { config: { ...config, isInMaintenance }, block: 7n, isConsenter, isVerifiable: undefined };
    await gauges.show(new Map([['ch1', each]]));
    t.deepEqual(await values(), expected);
  }
  await gauges.show(new Map());
  t.deepEqual(await values(), [[], []]);
});
