import test from 'ava';
import type { KnownConfig, KnownCertificate } from '../../../../plugins/health/channel-config/config.js';
import { createGauges } from '../../../../plugins/health/channel-config/gauges.js';
import { MetricStore } from '../../../../core/metrics/store.js';
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
