import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import test from 'ava';
import type { OptionValues } from '../../core/contract/index.js';
import {
  healthCheckerCases,
  loggingBackendCases,
  pullSinkCases,
  pushSinkCases,
  type ContractCase,
  type Fixture,
} from '../../core/contract/testing/index.js';
import docker from '../../plugins/health/docker/index.js';
import nodeHealth from '../../plugins/health/node-health/index.js';
import console from '../../plugins/logging/console/index.js';
import graphite from '../../plugins/metrics/graphite/index.js';
import otlp from '../../plugins/metrics/otlp/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';
import { otlpOptions } from '../helpers/otlp-receiver.js';
import { statsdOptions, type StatsdOptions } from '../helpers/statsd-sink.js';
import { healthOptions, type HealthOptions } from '../helpers/node-plugins.js';
import prometheus from '../../plugins/metrics/prometheus/index.js';

type DockerOptions = OptionValues<typeof docker.options>;

async function engine(status: number, body: string): Promise<Fixture<DockerOptions>> {
  const { address, release } = await httpServer(status, body);
  return { options: { endpoint: `tcp://${address}`, ca: '', cert: '', key: '', timeout: 30_000 }, release };
}

async function node(status: number, body: string): Promise<Fixture<HealthOptions>> {
  const { address, release } = await httpServer(status, body);
  return { options: healthOptions(address), release };
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

async function graphiteReceiver(): Promise<Fixture<OptionValues<typeof graphite.options>>> {
  const { options, release } = await tcpDaemon();
  return {
    options: { address: options.address, writeInterval: 20, prefix: '', tags: 'none', maxQueuedBytes: 1e6 },
    ...(release && { release }),
  };
}

async function otlpReceiver(): Promise<Fixture<OptionValues<typeof otlp.options>>> {
  const { address, release } = await httpServer(200, '{}');
  return { options: otlpOptions({ endpoint: `http://${address}/v1/metrics` }), release };
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
  ...pullSinkCases(prometheus, () => ({ options: { path: '/metrics' } })),
  ...named('udp', pushSinkCases(statsd, udpDaemon)),
  ...named('tcp', pushSinkCases(statsd, tcpDaemon)),
  ...pushSinkCases(graphite, graphiteReceiver),
  ...pushSinkCases(otlp, otlpReceiver),
  ...loggingBackendCases(console, () => ({ options: { format: '', output: 'stderr' } })),
];

for (const { title, run } of cases) {
  test(title, async (t) => {
    await run();
    t.pass();
  });
}
