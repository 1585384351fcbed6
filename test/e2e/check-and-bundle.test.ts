// `check` and `bundle` beside real nodes: healthy, with a peer that was killed, with a dead agent; and that no file of a bundle has a secret.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { runProgram, startProgram, urlOf, type Outcome } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { CHANNEL } from './fabric/network-files.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';

const PASSWORD = 'c0uch/Passw-rd';
const HOOK = 'T0A1B2C3D/B4E5F6G7H/secretsecretsecret';
const TOKEN = 'bearer-token-123456';

/** The files of an agent beside the nodes, with secrets in all of them. */
interface Fixture {
  readonly settings: string;
  readonly server: readonly string[];
}

/** A CouchDB that is always up. */
async function startCouchDb(t: ExecutionContext): Promise<number> {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function writeFixture(t: ExecutionContext, nodes: readonly FabricNode[]): Promise<Fixture> {
  const directory = temporaryFolder(t, {
    hook: `https://hooks.example.invalid/services/${HOOK}\n`,
    token: `Bearer ${TOKEN}\n`,
  });
  const ca = new TestCa(directory, 'agent-ca');
  const [own, operator] = [ca.issue('agent', 'serverAuth'), ca.issue('operator', 'clientAuth')];
  const couchdb = { address: `127.0.0.1:${await startCouchDb(t)}`, username: 'admin', password: PASSWORD };
  const settings = {
    operations: {
      listenAddress: '127.0.0.1:0',
      tls: {
        enabled: true,
        cert: { file: own.cert },
        key: { file: own.key },
        clientRootCAs: { files: [ca.cert] },
      },
    },
    metrics: { provider: 'prometheus' },
    // Disks of the machine may be nearly full.
    nodes: nodes.map(({ file, directory: home }) => ({
      config: file,
      log: join(home, 'log'),
      checks: { disk: false },
    })),
    plugins: [
      { plugin: 'couchdb', options: couchdb },
      {
        plugin: 'webhook',
        options: { urlFile: join(directory, 'hook'), authorizationFile: join(directory, 'token') },
      },
    ],
  };
  const folder = temporaryFolder(t, { 'agent.yaml': JSON.stringify(settings) });
  return {
    settings: join(folder, 'agent.yaml'),
    server: ['--ca', ca.cert, '--cert', operator.cert, '--key', operator.key],
  };
}

/** The files below a directory. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The ends of the lines of all private keys below a directory. */
function keyParts(directory: string): string[] {
  const texts = filesIn(directory)
    .map((file) => readFileSync(file, 'latin1'))
    .filter((text) => text.includes('PRIVATE KEY-----'));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line))
      .map((line) => line.slice(-24)),
  );
}

test('check and bundle beside a healthy network, a killed peer and a dead agent', async (t) => {
  const network = await startNetwork(t, { operationsTls: true });
  const [peer, orderer] = [network.peers[0], network.orderers[0]];
  const { settings, server } = await writeFixture(t, [peer, orderer]);
  const run = (...args: readonly string[]): Promise<Outcome> =>
    runProgram(t, [args[0]!, '--config', settings, ...args.slice(1)]);

  // A new orderer first knows no active node.
  const healthy = await eventually(async () => {
    const outcome = await run('check');
    const row = `^${CHANNEL} +orderer +1 +etcdraft, leader, 1 of 1 nodes active$`;
    check(new RegExp(row, 'm').test(outcome.stdout), outcome.stdout + outcome.stderr);
    return outcome;
  });
  t.is(healthy.status, 0, healthy.stdout + healthy.stderr);
  t.regex(healthy.stdout, /: healthy \(version \S+\)\n/);
  t.regex(healthy.stdout, /^peer1 +peer +up +v3\.1\.5 /m);
  t.regex(healthy.stdout, /^orderer +orderer +up +v3\.1\.5 /m);
  const nagios = await run('check', '--format', 'nagios');
  t.is(nagios.status, 0);
  t.regex(
    nagios.stdout,
    /^FABRIC OK - nodes up: 2, checks: \d+ \| .* nodes_up=2;;2:;0;2 .*'height channel1'=1c;;;0\n$/,
  );

  const agent = startProgram(t, ['start', '--config', settings]);
  const url = await urlOf(agent);
  const folder = temporaryFolder(t);
  const bundle = (name: string): Promise<Outcome> =>
    run('bundle', '--url', url, ...server, '-o', join(folder, name));
  const complete = await bundle('complete');
  t.is(complete.status, 0, complete.stdout + complete.stderr);
  t.regex(
    readFileSync(join(folder, 'complete/status.txt'), 'utf8'),
    new RegExp(`^${url}/ at .*: healthy `, 'm'),
  );

  // What a node could log.
  const keys = [peer.identity.tls.key, orderer.identity.tls.key].map((file) => readFileSync(file, 'utf8'));
  const leak = `${keys.join('')} ${JSON.stringify(keys)} http://admin:${PASSWORD}@couch:5984 ${HOOK} ${TOKEN}\n`;
  appendFileSync(join(peer.directory, 'log'), `${keys[0]!.slice(60)}${leak}the end\n`);
  await peer.stop('SIGKILL');
  const down = await run('check');
  t.is(down.status, 1);
  t.regex(down.stdout, /^PROBLEMS\npeer1 is down: GET https:\S+\/metrics: connection refused\n/m);
  // Before the peer starts: what needs its operations endpoint is switched off.
  const preStart = ({ file }: FabricNode, checks: string): Promise<Outcome> => {
    const off = ['health=false', 'metrics=false', 'logging=false', `checks=${checks}`];
    return runProgram(t, ['check', '--node', file, ...off.flatMap((each) => ['--set', `node.${each}`])]);
  };
  const peerStart = await preStart(peer, 'disk=false');
  t.is(peerStart.status, 0, peerStart.stdout + peerStart.stderr);
  const critical = await run('check', '--format=nagios');
  t.is(critical.status, 2);
  t.regex(critical.stdout, /^FABRIC CRITICAL - peer1 is down: .* nodes_up=1;;2:;0;2/);
  await eventually(async () => {
    const { status } = await runProgram(t, ['status', '--url', url, ...server]);
    check(status === 1, 'the agent has not noticed it');
  });
  t.is((await bundle('peer-down')).status, 3);
  t.true(readFileSync(join(folder, 'peer-down/nodes/peer1/log.txt'), 'utf8').endsWith('\nthe end\n'));

  agent.child.kill('SIGKILL');
  await agent.ended;
  const dead = await bundle('agent-dead');
  t.is(dead.status, 3);
  t.regex(dead.stdout, /\nmissing: agent: https:\S+: connection refused/);
  t.true(existsSync(join(folder, 'agent-dead/nodes/orderer/metrics.txt')));
  // The peer does not run, but its ledger folder exists.
  for (const [made, node] of [
    ['complete', 'orderer'],
    ['agent-dead', 'peer1'],
  ])
    t.regex(
      readFileSync(join(folder, `${made}/nodes/${node}/channels.json`), 'utf8'),
      new RegExp(`"name": "${CHANNEL}",\\s+"height": 1,\\s+"config": \\{\\s+"block": 0,`),
    );
  const manifest = JSON.parse(readFileSync(join(folder, 'agent-dead/manifest.json'), 'utf8')) as {
    readonly missing: readonly { readonly name: string }[];
  };
  t.deepEqual(manifest.missing.map(({ name }) => name).sort(), [
    'agent',
    'nodes/peer1/metrics.txt',
    'nodes/peer1/version.json',
  ]);

  await orderer.stop('SIGKILL');
  const ordererStart = await preStart(orderer, 'disk=false,participation=false');
  t.is(ordererStart.status, 0, ordererStart.stdout + ordererStart.stderr);
  const unlinked = await preStart(peer, 'disk=false');
  t.is(unlinked.status, 1);
  t.regex(unlinked.stdout, /^PROBLEMS\npeer1\/orderer-link\/channel1: /m);

  const secrets = [
    ...keyParts(network.directory),
    PASSWORD,
    encodeURIComponent(PASSWORD),
    HOOK,
    ...HOOK.split('/'),
    TOKEN,
  ];
  t.true(secrets.length > 20);
  const files = filesIn(folder);
  t.true(files.length > 25);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const secret of [...secrets, 'PRIVATE KEY']) t.false(text.includes(secret), `${file}: ${secret}`);
  }
});
