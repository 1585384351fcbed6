// Every built-in plugin that sends HTTP requests, with servers that do not respond as they should.

import type { RequestListener } from 'node:http';
import test from 'ava';
import type { OptionSchema, OptionValues, PluginDefinition } from '../../core/contract/index.js';
import type { PluginKind } from '../../core/contract/plugin.js';
import type { PluginsByKind } from '../../core/contract/plugin.js';
import {
  createTestContext,
  networkClientCases,
  recordDelivery,
  type NetworkClientFixtures,
  type NetworkServer,
} from '../../core/testing/index.js';
import couchdb from '../../plugins/health/couchdb/index.js';
import docker from '../../plugins/health/docker/index.js';
import http from '../../plugins/health/http/index.js';
import nodeHealth from '../../plugins/health/node-health/index.js';
import participation from '../../plugins/health/participation/index.js';
import otlp from '../../plugins/metrics/otlp/index.js';
import alertmanager from '../../plugins/notifier/alertmanager/index.js';
import webhook from '../../plugins/notifier/webhook/index.js';
import httpSource from '../../plugins/source/http/index.js';
import node from '../../plugins/source/node/index.js';
import { makeCertificates } from '../helpers/certificate-set.js';
import { couchDbOptions, httpOptions } from '../helpers/network-checkers.js';
import { healthOptions, sourceOptions } from '../helpers/node-plugins.js';
import { alertmanagerOptions, webhookOptions } from '../helpers/notifier-options.js';
import { otlpOptions } from '../helpers/otlp-receiver.js';
import { batchOf, sample } from '../helpers/statsd-sink.js';

const { ca, foreignCa, server } = makeCertificates();
const certificates = { ...server, ca: ca.cert, otherCa: foreignCa.cert };
const TIMEOUT = 300_000;

const respond =
  (body: string, type = 'application/json'): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': type });
    response.end(body);
  };

/** The use of the server by a plugin under test. */
function client<Kind extends PluginKind, Schema extends OptionSchema>(
  definition: PluginDefinition<Kind, Schema>,
  optionsFor: (server: NetworkServer, address: string, url: string) => OptionValues<Schema>,
  use: (plugin: PluginsByKind[Kind], signal: AbortSignal) => unknown,
): NetworkClientFixtures['connect'] {
  return async (target) => {
    const address = `${target.address.host}:${target.address.port}`;
    const options = optionsFor(target, address, `http${target.tls ? 's' : ''}://${address}/`);
    const plugin: PluginsByKind[Kind] = definition.create(createTestContext(definition, options).context);
    await plugin.init?.();
    await plugin.start?.(new AbortController().signal);
    return {
      use: async (signal) => void (await use(plugin, signal)),
      stop: async () => plugin.stop?.(),
    };
  };
}

const event = {
  id: 'disk',
  state: 'failed',
  severity: 'critical',
  component: 'disk',
  reason: 'less than 5% left',
  since: 0,
  fields: {},
} as const;

const PLUGINS: Readonly<Record<string, Omit<NetworkClientFixtures, 'certificates'>>> = {
  'health/http': {
    respond: respond('OK'),
    connect: client(
      http,
      ({ ca: file }, _address, url) => httpOptions(url, { ca: file, timeout: TIMEOUT }),
      (plugin, signal) => plugin.check(signal),
    ),
  },
  'health/couchdb': {
    respond: respond('{"status":"ok"}'),
    connect: client(
      couchdb,
      ({ tls, ca: file }, address) => couchDbOptions(address, { tls, ca: file, timeout: TIMEOUT }),
      (plugin, signal) => plugin.check(signal),
    ),
  },
  'health/docker': {
    respond: respond('OK', 'text/plain'),
    connect: client(
      docker,
      ({ tls, ca: file }, address) => ({
        endpoint: `${tls ? 'https' : 'http'}://${address}`,
        ca: file,
        cert: '',
        key: '',
        timeout: TIMEOUT,
      }),
      (plugin, signal) => plugin.check(signal),
    ),
  },
  'health/node-health': {
    respond: respond('{"status":"OK"}'),
    connect: client(
      nodeHealth,
      ({ tls, ca: file }, address) =>
        healthOptions(address, { tls, ca: file, interval: TIMEOUT, timeout: TIMEOUT }),
      (plugin, signal) => {
        // It polls in the background, also after a check has ended.
        signal.addEventListener('abort', () => void plugin.stop?.());
        return plugin.check(signal);
      },
    ),
  },
  'health/participation': {
    respond: respond('{"channels":null,"systemChannel":null}'),
    connect: client(
      participation,
      ({ tls, ca: file }, address) => ({
        ...healthOptions(address, { tls, ca: file }),
        onboardingTimeout: TIMEOUT,
        node: '',
      }),
      (plugin, signal) => plugin.check(signal),
    ),
  },
  'source/node': {
    respond: respond('up 1\n', 'text/plain'),
    connect: client(
      node,
      ({ tls, ca: file }, address) => sourceOptions(address, { tls, ca: file }),
      (plugin, signal) => plugin.read(signal),
    ),
  },
  'source/http': {
    respond: respond('up 1\n', 'text/plain'),
    connect: client(
      httpSource,
      ({ ca: file }, _address, url) => ({
        url,
        authorizationFile: '',
        ca: file,
        cert: '',
        key: '',
        serverName: '',
      }),
      (plugin, signal) => plugin.read(signal),
    ),
  },
  'metrics/otlp': {
    respond: respond('{}'),
    connect: client(
      otlp,
      ({ ca: file }, _address, url) => otlpOptions({ endpoint: url, ca: file, timeout: TIMEOUT }),
      (plugin, signal) =>
        'push' in plugin && plugin.push.flush(batchOf({ gauges: [sample('x', 1)] }), signal),
    ),
  },
  'notifier/webhook': {
    respond: respond('{}'),
    connect: client(
      webhook,
      ({ ca: file }, _address, url) => webhookOptions({ url, ca: file, timeout: TIMEOUT }),
      (plugin, signal) =>
        plugin.notify({ cause: 'change', agent: 'host1', events: [event] }, signal, recordDelivery().report),
    ),
  },
  'notifier/alertmanager': {
    respond: respond('{}'),
    connect: client(
      alertmanager,
      ({ ca: file }, _address, url) => alertmanagerOptions({ urls: [url], ca: file, timeout: TIMEOUT }),
      (plugin, signal) =>
        plugin.notify({ cause: 'change', agent: 'host1', events: [event] }, signal, recordDelivery().report),
    ),
  },
};

for (const [name, fixtures] of Object.entries(PLUGINS))
  for (const { title, run } of networkClientCases(name, { ...fixtures, certificates }))
    test(title, async (t) => {
      await t.notThrowsAsync(run());
    });
