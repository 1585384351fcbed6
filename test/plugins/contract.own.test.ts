import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { OptionValues } from '../../core/contract/index.js';
import {
  healthCheckerCases,
  loggingBackendCases,
  metricSourceCases,
  notifierCases,
  pullSinkCases,
  pushSinkCases,
  type ContractCase,
  type Fixture,
} from '../../core/testing/index.js';
import ccaas from '../../plugins/health/ccaas/index.js';
import certificates from '../../plugins/health/certificates/index.js';
import channelConfig from '../../plugins/health/channel-config/index.js';
import { LedgerFolders } from '../../core/fabric/ledger.js';
import consensus from '../../plugins/health/consensus/index.js';
import couchdb from '../../plugins/health/couchdb/index.js';
import disk from '../../plugins/health/disk/index.js';
import docker from '../../plugins/health/docker/index.js';
import grpc from '../../plugins/health/grpc/index.js';
import height from '../../plugins/health/height/index.js';
import http from '../../plugins/health/http/index.js';
import loadedChannels from '../../plugins/health/loaded-channels/index.js';
import nodeHealth from '../../plugins/health/node-health/index.js';
import participation from '../../plugins/health/participation/index.js';
import tcp from '../../plugins/health/tcp/index.js';
import console from '../../plugins/logging/console/index.js';
import graphite from '../../plugins/metrics/graphite/index.js';
import otlp from '../../plugins/metrics/otlp/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';
import execChecker from '../../plugins/health/exec/index.js';
import alertmanager from '../../plugins/notifier/alertmanager/index.js';
import execNotifier from '../../plugins/notifier/exec/index.js';
import execSource from '../../plugins/source/exec/index.js';
import httpSource from '../../plugins/source/http/index.js';
import webhook from '../../plugins/notifier/webhook/index.js';
import { makeCertificates, type CertificateSet } from '../helpers/certificate-set.js';
import { DISK_OPTIONS } from '../helpers/checker.js';
import { frame, grpcServer, respond } from '../helpers/grpc-server.js';
import { otlpOptions } from '../helpers/otlp-receiver.js';
import {
  couchDbOptions,
  httpOptions,
  tcpOptions,
  type CouchDbOptions,
  type HttpOptions,
  type TcpOptions,
} from '../helpers/network-checkers.js';
import { alertmanagerOptions, execOptions, webhookOptions } from '../helpers/notifier-options.js';
import { guardFolder } from '../helpers/guard.js';
import { freePort } from '../helpers/free-port.js';
import { statsdOptions, type StatsdOptions } from '../helpers/statsd-sink.js';
import { healthOptions, type HealthOptions } from '../helpers/node-plugins.js';
import prometheus from '../../plugins/metrics/prometheus/index.js';
import { networkBlock } from '../helpers/network-block.js';
import { peerLedgers } from '../helpers/stored-ledger.js';
import { parseBlock } from '../../translator/ledger/index.js';
import { PATIENCE } from '../helpers/patience.js';

type DockerOptions = OptionValues<typeof docker.options>;

async function engine(status: number, body: string): Promise<Fixture<DockerOptions>> {
  const { address, release } = await httpServer(status, body);
  return { options: { endpoint: `tcp://${address}`, ca: '', cert: '', key: '', timeout: PATIENCE }, release };
}

async function node(status: number, body: string): Promise<Fixture<HealthOptions>> {
  const { address, release } = await httpServer(status, body);
  return { options: healthOptions(address), release };
}

async function admin(
  status: number,
  body: string,
): Promise<Fixture<OptionValues<typeof participation.options>>> {
  const { address, release } = await httpServer(status, body);
  const { interval: _interval, timeout: _timeout, ...endpoint } = healthOptions(address);
  return { options: { ...endpoint, onboardingTimeout: 0 }, release };
}

/** The checker with the ledgers of the agent; the context of a test has none. */
const channelConfigOfDisk: typeof channelConfig = {
  ...channelConfig,
  create: (context) => channelConfig.create({ ...context, ledgers: new LedgerFolders() }),
};

/** The ledger folder of a peer with one channel, or none. */
function ledgers(hasFolder: boolean): Fixture<OptionValues<typeof channelConfig.options>> {
  const releases: (() => unknown)[] = [];
  const { directory, append } = peerLedgers({ teardown: (release) => void releases.push(release) });
  const block = parseBlock(networkBlock());
  append('ch1', { ...block, dataHash: createHash('sha256').update(block.data[0]!).digest() });
  const ledger = hasFolder ? directory : join(directory, 'missing');
  return {
    options: { ledger, tlsCert: '', kind: 'orderer', msp: '', listen: '', mspid: '', minimum: 0, allow: [] },
    release: async () => {
      for (const release of releases) await release();
    },
  };
}

async function couch(status: number, body: string): Promise<Fixture<CouchDbOptions>> {
  const { address, release } = await httpServer(status, body);
  return { options: couchDbOptions(address), release };
}

async function page(status: number): Promise<Fixture<HttpOptions>> {
  const { address, release } = await httpServer(status, '');
  return { options: httpOptions(`http://${address}/`), release };
}

async function listener(): Promise<Fixture<TcpOptions>> {
  const { address, release } = await httpServer(200, '');
  return { options: tcpOptions(address), release };
}

async function grpcService(status: number): Promise<Fixture<OptionValues<typeof grpc.options>>> {
  const stops: (() => unknown)[] = [];
  const { address } = await grpcServer(
    { teardown: (stop) => void stops.push(stop) },
    respond(frame(0x08, status)),
  );
  const { interval: _interval, ...options } = healthOptions(`${address.host}:${address.port}`);
  return {
    options: { ...options, service: '' },
    release: () => {
      for (const stop of stops) stop();
    },
  };
}

let made: CertificateSet | undefined;
/** A certificate of one set, which is created for the first test that needs it. */
function certificate(name: 'server' | 'expired'): Fixture<OptionValues<typeof certificates.options>> {
  made ??= makeCertificates();
  const file = (name === 'server' ? made.server : made.clients[name])?.cert ?? '';
  return { options: { paths: [file], blocks: [], keys: [], minimum: 0, signer: 'none' } };
}

async function httpServer(status: number, body: string): Promise<{ address: string; release: () => void }> {
  // restify, which a helper loads, makes writeHead return nothing.
  const server: Server = createServer((_request, response) => {
    response.writeHead(status);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    release: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts a daemon for the flushes of the sink. */
async function udpDaemon(): Promise<Fixture<StatsdOptions>> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    options: statsdOptions({ address: `127.0.0.1:${socket.address().port}` }),
    release: () => void socket.close(),
  };
}

async function tcpDaemon(): Promise<Fixture<StatsdOptions>> {
  const server = createTcpServer((connection) => connection.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    options: statsdOptions({ network: 'tcp', address: `127.0.0.1:${port}` }),
    release: () => void server.close(),
  };
}

/** A StatsD daemon that does not run. */
const noDaemon = async (network: 'udp' | 'tcp'): Promise<Fixture<StatsdOptions>> => ({
  options: statsdOptions({ network, address: `127.0.0.1:${await freePort()}` }),
});

function graphiteOf({
  options: { address },
  release,
}: Fixture<StatsdOptions>): Fixture<OptionValues<typeof graphite.options>> {
  return {
    options: {
      address,
      writeInterval: 20,
      prefix: '',
      tags: 'none',
      nodePrefix: 'escaped',
      maxQueuedBytes: 1e6,
    },
    ...(release && { release }),
  };
}

const COMMAND = { directory: '', environment: {} } as const;

const exporterOptions = (address: string): OptionValues<typeof httpSource.options> => ({
  url: `http://${address}/`,
  authorizationFile: '',
  ca: '',
  cert: '',
  key: '',
  serverName: '',
});

const checkerOptions = (program: string): OptionValues<typeof execChecker.options> => ({
  ...COMMAND,
  command: [program],
  interval: 60_000,
  timeout: PATIENCE,
  unknown: 'critical',
});

async function otlpReceiver(): Promise<Fixture<OptionValues<typeof otlp.options>>> {
  const { address, release } = await httpServer(200, '{}');
  return { options: otlpOptions({ endpoint: `http://${address}/v1/metrics` }), release };
}

/** A webhook for PagerDuty. */
function pagerDuty({
  address,
  release,
}: {
  address: string;
  release?: () => void;
}): Fixture<OptionValues<typeof webhook.options>> {
  const folder = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-'));
  guardFolder(folder);
  const routingKeyFile = join(folder, 'key');
  writeFileSync(routingKeyFile, 'R0UT1NG');
  return {
    options: webhookOptions({ url: `http://${address}/`, preset: 'pagerduty', routingKeyFile }),
    release: () => {
      rmSync(folder, { recursive: true });
      release?.();
    },
  };
}

const named = (network: string, all: readonly ContractCase[]): ContractCase[] =>
  all.map(({ title, run }) => ({ title: `${title} (${network})`, run }));

const cases: readonly ContractCase[] = [
  ...healthCheckerCases(docker, {
    healthy: () => engine(200, 'OK'),
    unhealthy: () => engine(500, '{"message":"engine is broken"}'),
  }),
  ...healthCheckerCases(nodeHealth, {
    healthy: () => node(200, '{"status":"OK"}'),
    unhealthy: () => node(503, '{"failed_checks":[{"component":"docker","reason":"down"}]}'),
  }),
  ...healthCheckerCases(channelConfigOfDisk, {
    healthy: () => ledgers(true),
    unhealthy: () => ledgers(false),
  }),
  ...healthCheckerCases(participation, {
    healthy: () => admin(200, '{"systemChannel":null,"channels":null}'),
    unhealthy: () => admin(405, '{"error":"channel participation API is disabled"}'),
  }),
  ...healthCheckerCases(couchdb, {
    healthy: () => couch(200, '{"status":"ok"}'),
    unhealthy: () => couch(404, '{"status":"maintenance_mode"}'),
  }),
  ...healthCheckerCases(http, { healthy: () => page(200), unhealthy: () => page(500) }),
  ...healthCheckerCases(tcp, {
    healthy: listener,
    unhealthy: async () => ({ options: tcpOptions(`127.0.0.1:${await freePort()}`) }),
  }),
  ...healthCheckerCases(disk, {
    healthy: () => ({ options: { ...DISK_OPTIONS, paths: ['.'] } }),
    unhealthy: () => ({ options: { ...DISK_OPTIONS, paths: ['.'], minimum: '100%' } }),
  }),
  ...healthCheckerCases(grpc, {
    healthy: () => grpcService(1),
    unhealthy: () => grpcService(2),
  }),
  ...healthCheckerCases(ccaas, {
    healthy: () => ({ options: { paths: [import.meta.dirname], timeout: PATIENCE } }),
    unhealthy: () => ({ options: { paths: [import.meta.filename], timeout: PATIENCE } }),
  }),
  ...healthCheckerCases(certificates, {
    healthy: () => certificate('server'),
    unhealthy: () => certificate('expired'),
  }),
  // Without sources, both fail.
  ...healthCheckerCases(consensus, {
    healthy: () => ({ options: { leaderTimeout: 0, viewChangeTimeout: 0 } }),
    unhealthy: () => ({ options: { leaderTimeout: 0, viewChangeTimeout: 0 } }),
  }).filter(({ title }) => !title.includes('of a healthy component')),
  ...healthCheckerCases(loadedChannels, {
    healthy: () => ({ options: { trackerInterval: 5_000 } }),
    unhealthy: () => ({ options: { trackerInterval: 5_000 } }),
  }).filter(({ title }) => !title.includes('of a healthy component')),
  ...healthCheckerCases(height, {
    healthy: () => ({ options: { maxLag: 10, timeout: 0 } }),
    unhealthy: () => ({ options: { maxLag: 10, timeout: 0 } }),
  }).filter(({ title }) => !title.includes('of a healthy component')),
  ...pullSinkCases(prometheus, () => ({ options: { path: '/metrics' } })),
  ...named('udp', pushSinkCases(statsd, { accepting: udpDaemon, unreachable: () => noDaemon('udp') })),
  ...named('tcp', pushSinkCases(statsd, { accepting: tcpDaemon, unreachable: () => noDaemon('tcp') })),
  ...pushSinkCases(graphite, {
    accepting: async () => graphiteOf(await tcpDaemon()),
    unreachable: async () => graphiteOf(await noDaemon('tcp')),
  }),
  ...pushSinkCases(otlp, {
    accepting: otlpReceiver,
    unreachable: async () => ({
      options: otlpOptions({ endpoint: `http://127.0.0.1:${await freePort()}/v1/metrics` }),
    }),
  }),
  ...healthCheckerCases(execChecker, {
    healthy: () => ({ options: checkerOptions('true') }),
    unhealthy: () => ({ options: checkerOptions('false') }),
  }),
  ...metricSourceCases(execSource, {
    readable: () => ({ options: { ...COMMAND, command: ['echo', 'a 1'] } }),
    unreadable: () => ({ options: { ...COMMAND, command: ['false'] } }),
  }),
  ...metricSourceCases(httpSource, {
    readable: async () => {
      const { address, release } = await httpServer(200, 'a 1\n');
      return { options: exporterOptions(address), release };
    },
    unreadable: async () => ({ options: exporterOptions(`127.0.0.1:${await freePort()}`) }),
  }),
  ...notifierCases(execNotifier, {
    accepting: () => ({ options: execOptions({ command: ['/bin/sh', '-c', 'cat > /dev/null'] }) }),
    unreachable: () => ({ options: execOptions({ command: ['false'] }) }),
  }),
  ...notifierCases(webhook, {
    accepting: async () => {
      const { address, release } = await httpServer(200, 'ok');
      return { options: webhookOptions({ url: `http://${address}/` }), release };
    },
    unreachable: async () => ({ options: webhookOptions({ url: `http://127.0.0.1:${await freePort()}/` }) }),
    refusing: async () => {
      const { address, release } = await httpServer(400, 'wrong');
      return { options: webhookOptions({ url: `http://${address}/` }), release };
    },
  }),
  ...named(
    'PagerDuty',
    notifierCases(webhook, {
      accepting: async () => pagerDuty(await httpServer(202, '')),
      unreachable: async () => pagerDuty({ address: `127.0.0.1:${await freePort()}` }),
      refusing: async () => pagerDuty(await httpServer(400, 'wrong')),
    }),
  ),
  ...notifierCases(alertmanager, {
    accepting: async () => {
      const { address, release } = await httpServer(200, '');
      return { options: alertmanagerOptions({ urls: [`http://${address}`] }), release };
    },
    unreachable: async () => ({
      options: alertmanagerOptions({ urls: [`http://127.0.0.1:${await freePort()}`] }),
    }),
    refusing: async () => {
      const { address, release } = await httpServer(400, '');
      return { options: alertmanagerOptions({ urls: [`http://${address}`] }), release };
    },
  }),
  ...loggingBackendCases(console, () => ({ options: { format: '', output: 'stderr' } })),
];

for (const { title, run } of cases) {
  // Serial: each call has a limit.
  test.serial(title, async (t) => {
    await run();
    t.pass();
  });
}
