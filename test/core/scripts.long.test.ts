// The requests of published scripts, probes and consoles, sent with the same tools.

import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../helpers/agent.js';
import { makeCertificates } from '../helpers/certificate-set.js';
import { temporaryFolder } from '../helpers/folder.js';
import { QUIET } from '../helpers/quiet-backend.js';
import { exchangeRaw, parseResponses } from '../helpers/raw-http.js';
import { startProgram } from '../helpers/program.js';
import { bash } from '../helpers/shell.js';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../helpers/statsd-daemon.js';
import { until } from '../helpers/until.js';

const run = (t: ExecutionContext, script: string): Promise<string> => bash(temporaryFolder(t), script);
const { ca, server, clients } = makeCertificates();
const TLS = {
  'operations.tls.enabled': true,
  'operations.tls.cert.file': server.cert,
  'operations.tls.key.file': server.key,
  'operations.tls.clientRootCAs.files': [ca.cert],
};

test('test-network-nano-bash: curl and jq read the status of /healthz', async (t) => {
  const { port } = await startAgent(t);
  t.is(await run(t, `curl --silent "http://127.0.0.1:${port}/healthz" | jq --raw-output '.status'`), 'OK\n');
});

test('scenario tests of fabric-gateway: curl waits for status 200 of /healthz', async (t) => {
  const { port, agent } = await startAgent(t);
  let isDown = true;
  agent.health.register('couchdb', async () => {
    if (isDown) throw new Error('connection refused');
  });
  const script = `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${port}/healthz`;
  t.is(await run(t, script), '503');
  isDown = false;
  t.is(await run(t, script), '200');
});

test('integration tests of Fabric: jq reads the component of a failed check', async (t) => {
  const { port, agent } = await startAgent(t);
  agent.health.register('couchdb', () => Promise.reject(new Error('connection refused')));
  const script = `curl -s http://127.0.0.1:${port}/healthz | jq -r '.status, .failed_checks[0].component'`;
  t.is(await run(t, script), 'Service Unavailable\ncouchdb\n');
});

test('handbooks: curl reads and changes the log specification', async (t) => {
  const { port } = await startAgent(t, { 'logging.spec': 'info', plugins: QUIET });
  const url = `http://127.0.0.1:${port}/logspec`;
  const printed = await run(
    t,
    `curl ${url} 2>/dev/null
curl -s -w '%{http_code}\\n' -XPUT -d '{"spec":"gossip=debug:info"}' ${url}
curl -s ${url}
curl -s -w '%{http_code}\\n' -X PUT -H 'Content-Type: application/json' -d '{"spec": "debug"}' ${url}
curl -s ${url}
curl -s -w '%{http_code}\\n' -X PUT -d '{"spec":"loud"}' ${url}`,
  );
  t.is(
    printed,
    [
      '{"spec":"info"}',
      '204',
      '{"spec":"gossip=debug:info"}',
      '204',
      '{"spec":"debug"}',
      `{"error":"invalid logging specification 'loud': bad segment 'loud'"}`,
      '400',
      '',
    ].join('\n'),
  );
});

/** Requests of programs that are not installed here. */
const REQUESTS: Readonly<Record<string, readonly [string, readonly string[], RegExp]>> = {
  'wget for the log specification': [
    '/logspec',
    ['User-Agent: Wget/1.21.3', 'Accept: */*', 'Accept-Encoding: identity', 'Connection: Keep-Alive'],
    /^\{"spec":"fatal"\}\n$/,
  ],
  'a probe of Kubernetes': [
    '/healthz',
    ['User-Agent: kube-probe/1.29', 'Accept: */*', 'Connection: close'],
    /^\{"status":"OK","time":"[^"]+"\}$/,
  ],
  'a scrape of Prometheus': [
    '/metrics',
    [
      'User-Agent: Prometheus/2.42.0',
      'Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'X-Prometheus-Scrape-Timeout-Seconds: 1',
    ],
    /^# TYPE \w+ histogram\n(?:# .*\n)*\w+_bucket\{/m,
  ],
};

for (const [what, [path, headers, expected]] of Object.entries(REQUESTS)) {
  test(`the request of ${what} receives 200`, async (t) => {
    const { port, url } = await startAgent(t, {
      'metrics.provider': 'prometheus',
      'operations.hosts': ['peer0.org1.example.com'],
    });
    // Gives a histogram its first value.
    await fetch(`${url}/healthz`);
    const lines = [`GET ${path} HTTP/1.1`, 'Host: peer0.org1.example.com:9443', ...headers, '', ''];
    const { bytes } = await exchangeRaw(port, (socket) => {
      socket.write(lines.join('\r\n'));
      // Closes a connection that is kept open.
      socket.once('data', () => setTimeout(() => socket.end(), 100));
    });
    const [response] = parseResponses(bytes);
    t.is(response?.status, 200);
    t.regex(response?.body ?? '', expected);
  });
}

for (const network of ['udp', 'tcp'] as const) {
  test(`integration tests of Fabric: a StatsD daemon receives lines with the prefix of a peer over ${network}`, async (t) => {
    const received = new ReceivedLines();
    const { port } = await { udp: startUdpDaemon, tcp: startTcpDaemon }[network](t, received);
    startProgram(t, ['start'], {
      environment: {
        CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:0',
        CORE_METRICS_PROVIDER: 'statsd',
        CORE_METRICS_STATSD_NETWORK: network,
        CORE_METRICS_STATSD_ADDRESS: `127.0.0.1:${port}`,
        CORE_METRICS_STATSD_PREFIX: 'org1_peer0',
        CORE_METRICS_STATSD_WRITEINTERVAL: '100ms',
      },
    });
    await until(() => received.total('org1_peer0.fabric_ops_agent.logging.entries_written.info') > 0);
    t.true(received.lines.every((line) => line.startsWith('org1_peer0.')));
  });
}

/** Sends a request with `node:https`, as the operations console does. */
function sendTlsRequest(port: number, path: string, options: RequestOptions, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, ...options }, (response) => {
      void text(response).then((content) => resolve(`${response.statusCode} ${content}`), reject);
    });
    call.on('error', reject).end(body);
  });
}

test('operations console and integration tests of Fabric: with TLS a client certificate is sent for all but /healthz', async (t) => {
  const { port } = await startAgent(t, {
    ...TLS,
    'metrics.provider': 'prometheus',
    'logging.spec': 'info',
    plugins: QUIET,
  });
  const [cert, key] = [clients.trusted?.cert ?? '', clients.trusted?.key ?? ''].map((file) =>
    readFileSync(file),
  );
  const open = { ca: readFileSync(ca.cert) };
  const shown = { ...open, cert, key };
  const put = { ...shown, method: 'PUT', headers: { 'Content-Type': 'application/json' } };
  t.regex(await sendTlsRequest(port, '/healthz', open), /^200 \{"status":"OK"/);
  for (const path of ['/logspec', '/metrics']) t.regex(await sendTlsRequest(port, path, open), /^401 /);
  t.is(await sendTlsRequest(port, '/logspec', shown), '200 {"spec":"info"}\n');
  t.is(await sendTlsRequest(port, '/logspec', put, JSON.stringify({ spec: 'debug' })), '204 ');
  t.is(await sendTlsRequest(port, '/logspec', shown), '200 {"spec":"debug"}\n');
  t.is(await sendTlsRequest(port, '/logspec', put, JSON.stringify({ spec: 'info' })), '204 ');
  t.regex(await sendTlsRequest(port, '/metrics', shown), /^200 # HELP /);
});
