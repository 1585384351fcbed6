// Each flag of each command is run: a new flag fails here until a case names it.

import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { startProgram, urlOf } from '../../helpers/program.js';
import { startStandInNode } from '../../helpers/stand-in-node.js';

/** Where the commands run: two nodes whose variables give them another name, a program, an agent, and one with TLS. */
interface Place {
  readonly cwd: string;
  readonly url: string;
  readonly tls: { readonly url: string; readonly ca: string; readonly cert: string; readonly key: string };
}

async function makePlace(t: ExecutionContext): Promise<Place> {
  const [first, second] = [await startStandInNode(t), await startStandInNode(t)];
  const core = (url: string): string =>
    `peer: { id: peer0, mspConfigPath: msp }\noperations: { listenAddress: '${new URL(url).host}' }\nmetrics: { provider: prometheus }\n`;
  const signing = makeCertificate({ commonName: 'peer', validity: ['20260101000000Z', '20360101000000Z'] });
  const cwd = temporaryFolder(t, {
    'first/core.yaml': core(first.url),
    'second/core.yaml': core(second.url),
    'first.env': 'CORE_PEER_ID=first-of-variables\nCORE_PEER_LOCALMSPID=Org1MSP\n',
    'second.env': 'CORE_PEER_ID=second-of-variables\n',
    'agent.yaml': 'operations: { listenAddress: 127.0.0.1:0 }\nhealth: { interval: 77s }\n',
    'first/msp/signcerts/cert.pem': signing.pem.toString(),
    'first/msp/cacerts/ca.pem': signing.pem.toString(),
    'second/msp/signcerts/none': '',
    'bin/peer':
      '#!/bin/sh\n[ "$1" = version ] && printf "peer:\\n Version: 3.1.5\\n" && exit\necho "panic: of $CORE_PEER_ID"\nexit 2\n',
  });
  chmodSync(join(cwd, 'bin/peer'), 0o755);
  const ca = new TestCa(cwd, 'ca');
  const server = ca.issue('server', 'serverAuth');
  const client = ca.issue('client', 'clientAuth');
  const secured = await startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    'operations.tls.clientAuthRequired': true,
  });
  const { url } = await startAgent(t);
  return {
    cwd,
    url,
    tls: { url: secured.url, ca: ca.cert, cert: client.cert, key: client.key },
  };
}

/** The flags that load settings, beside two nodes with variables of their own. */
const NODES =
  '--node first --node-env first.env --node second --node-env second.env --config agent.yaml --set operations.listenAddress=127.0.0.1:0'.split(
    ' ',
  );
const BOTH = [/first-of-variables/, /second-of-variables/];
const PATIENT = ['--timeout', '5m'];

/** A run of a command: its arguments, the exit status, and what standard output has. */
type Case = readonly [args: (place: Place) => readonly string[], status: number, output?: readonly RegExp[]];

/** The cases of each command. `start` and `status --watch` run until they are stopped. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  start: [[() => NODES, 0]],
  config: [
    [
      () => ['print', ...NODES],
      0,
      [...BOTH, /interval: "77s" +# agent\.yaml/, /# flag --set operations\.listenAddress/],
    ],
    [() => ['check', ...NODES, '-c', 'agent.yaml'], 0],
  ],
  plugins: [[() => NODES, 0, [/first-of-variables/]]],
  check: [
    [() => [...NODES, ...PATIENT, '--all'], 1, BOTH],
    [() => [...NODES, ...PATIENT, '--json'], 1, BOTH],
    [() => [...NODES, ...PATIENT, '--format', 'nagios'], 2, [/^FABRIC CRITICAL/]],
  ],
  healthcheck: [
    [({ url }) => [...NODES, ...PATIENT, '--set', `operations.listenAddress=${new URL(url).host}`], 0],
    [({ url }) => [...PATIENT, '--url', url], 0],
    [({ tls }) => [...PATIENT, '--url', tls.url, '--ca', tls.ca, '--cert', tls.cert, '--key', tls.key], 0],
    [
      ({ tls }) => [...PATIENT, '--url', tls.url, '--cacert', tls.ca, '--cert', tls.cert, '--key', tls.key],
      0,
    ],
  ],
  silence: [
    [
      ({ url }) => [
        ...PATIENT,
        '--config',
        'agent.yaml',
        '--set',
        `operations.listenAddress=${new URL(url).host}`,
        '--for',
        '48h',
        '--why',
        'work',
        '--yes',
      ],
      0,
      [/^silence \w+ of all nodes and channels until /],
    ],
    [
      ({ url }) => [...PATIENT, '--url', url, '--node', 'x', '--channel', 'y', '--for', '1h', '--why', 'z'],
      1,
    ],
    [
      ({ tls }) => [
        'list',
        ...PATIENT,
        '--url',
        tls.url,
        '--ca',
        tls.ca,
        '--cert',
        tls.cert,
        '--key',
        tls.key,
      ],
      0,
    ],
    [
      ({ tls }) => [
        'list',
        ...PATIENT,
        '--url',
        tls.url,
        '--cacert',
        tls.ca,
        '--cert',
        tls.cert,
        '--key',
        tls.key,
      ],
      0,
    ],
  ],
  status: [
    [
      ({ url }) => [...NODES, ...PATIENT, '--set', `operations.listenAddress=${new URL(url).host}`],
      0,
      [/healthy/],
    ],
    [({ url }) => [...PATIENT, '--url', url, '--all'], 0, [/healthy/]],
    [({ url }) => [...PATIENT, '--url', url, '--json'], 0, [/^\{.*\}\n$/]],
    [
      ({ tls }) => [...PATIENT, '--url', tls.url, '--ca', tls.ca, '--cert', tls.cert, '--key', tls.key],
      0,
      [/healthy/],
    ],
    [
      ({ tls }) => [...PATIENT, '--url', tls.url, '--cacert', tls.ca, '--cert', tls.cert, '--key', tls.key],
      0,
    ],
    [({ url }) => ['--url', url, '--watch', '100ms'], 0],
  ],
  bundle: [
    [({ url }) => [...NODES, ...PATIENT, '--url', url, '--output', 'bundle'], 3, [/^bundle: \d+ files/]],
    [
      ({ tls }) => [
        ...PATIENT,
        '--url',
        tls.url,
        '--ca',
        tls.ca,
        '--cert',
        tls.cert,
        '--key',
        tls.key,
        '-o',
        'two',
      ],
      3,
      [/^two: /],
    ],
    [
      ({ tls }) => [
        ...PATIENT,
        '--url',
        tls.url,
        '--cacert',
        tls.ca,
        '--cert',
        tls.cert,
        '--key',
        tls.key,
        '-o',
        'three',
      ],
      3,
    ],
  ],
  preflight: [
    [
      () => ['--node', 'first', '--node-env', 'first.env', '--to', '3.1', '--json', '--program', 'bin/peer'],
      1,
      [/"version":"3\.1"/, /panic: of first-of-variables/],
    ],
    [() => ['--config', 'agent.yaml', '--set', 'node.config=first', '--program', 'none'], 1, [/^peer first/]],
  ],
  snapshot: [],
  rescue: [
    [() => [...NODES.slice(0, 4), ...NODES.slice(8)], 0, [/nothing has expired/]],
    [() => NODES.slice(0, 4), 0, [/nothing has expired/]],
    [
      () => [...NODES.slice(0, 4), '--now', '2050-01-01T00:00:00Z', '--keys', 'new', '--json'],
      3,
      [/"keys": "new"/, /first-of-variables|Org1MSP/],
    ],
  ],
  demo: [],
  // Without Docker in PATH there may be other nodes.
  nodes: [[() => ['--write', 'fabric-nodes'], 3]],
  version: [],
};

for (const [command, cases] of Object.entries(CASES))
  for (const [index, [argsOf, status, output = []]] of cases.entries())
    test(`each flag is run: ${command}, case ${index + 1}`, async (t) => {
      const place = await makePlace(t);
      const args = [command, ...argsOf(place)];
      if (command === 'start' || args.includes('--watch')) {
        await runUntilStopped(t, args, place);
        return;
      }
      const outcome = await runAgentCommand(args, { cwd: place.cwd, environment: { PATH: place.cwd } });
      t.is(outcome.status, status, `${outcome.stdout}${outcome.stderr}`);
      t.notRegex(outcome.stderr, /error:/);
      for (const pattern of output) t.regex(outcome.stdout, pattern);
    });

async function runUntilStopped(t: ExecutionContext, args: readonly string[], { cwd }: Place): Promise<void> {
  const running = startProgram(t, args, { cwd });
  if (args[0] === 'start') {
    const response = await fetch(`${await urlOf(running)}/status`);
    const document = await response.text();
    for (const pattern of BOTH) t.regex(document, pattern);
  } else await once(running.child.stdout!, 'data');
  running.child.kill('SIGINT');
  t.is((await running.ended).status, 0);
}

/** The flags of a command, from the message for an unknown one. */
async function flagsOf(command: string): Promise<string[]> {
  const { stderr } = await runAgentCommand([command, '--there-is-no-such-flag']);
  const [, list = ''] = /expected one of (.*)\n$/.exec(stderr) ?? [];
  return list.split(', ').filter((flag) => flag.startsWith('--') && flag !== '--help');
}

test('each flag of each command of fabric-ops-agent is in a case', async (t) => {
  const { stdout } = await runAgentCommand(['help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name = '']) => name);
  t.deepEqual(commands.filter((name) => name !== 'help').toSorted(), Object.keys(CASES).toSorted());
  const place: Place = { cwd: '', url: 'http://x', tls: { url: 'http://x', ca: '', cert: '', key: '' } };
  for (const [command, cases] of Object.entries(CASES)) {
    const flags = await flagsOf(command);
    const used = new Set(cases.flatMap(([argsOf]) => argsOf(place)));
    t.deepEqual(
      flags.filter((flag) => !used.has(flag)),
      [],
      command,
    );
  }
  t.true((await flagsOf('start')).includes('--node-env'));
});

for (const command of Object.keys(CASES).filter(
  (name) => (CASES[name]?.length ?? 0) > 0 && !['healthcheck', 'status', 'silence', 'nodes'].includes(name),
))
  test(`${command} --node-env without its --node is a usage error`, async (t) => {
    const args = [command, '--node-env', 'x.env', '--node', 'y'];
    t.deepEqual(await runAgentCommand(args, { cwd: temporaryFolder(t) }), {
      status: 2,
      stdout: '',
      stderr: 'fabric-ops-agent: error: --node-env x.env: must follow the --node of its node\n',
    });
  });

const OF_CLIENTS = ['--ca', '--cacert', '--cert', '--key', '--timeout'];
/** The flags of each command that take one value. */
const SETTABLE_ONCE: Readonly<Record<string, readonly string[]>> = {
  check: ['--format', '--timeout'],
  healthcheck: ['--url', ...OF_CLIENTS],
  status: OF_CLIENTS,
  silence: ['--url', ...OF_CLIENTS, '--channel', '--for', '--node', '--why'],
  bundle: ['--url', ...OF_CLIENTS, '--output'],
  preflight: ['--program', '--to'],
  rescue: ['--keys', '--now'],
  nodes: ['--write'],
};
/** The flags that may be repeated: they have several values or none. */
const REPEATABLE = ['--node', '--node-env', '--config', '--set', '--all', '--json', '--watch', '--yes'];

for (const [command, flags] of Object.entries(SETTABLE_ONCE))
  for (const flag of flags)
    test(`${command} refuses a repeated ${flag}`, async (t) => {
      t.deepEqual(await runAgentCommand([command, flag, 'a', `${flag}=b`]), {
        status: 2,
        stdout: '',
        stderr: `fabric-ops-agent: error: ${flag} takes one value, and is given more than once\n`,
      });
    });

test('each flag of each command of fabric-ops-agent may be repeated or is refused then', async (t) => {
  for (const command of Object.keys(CASES)) {
    const takesOne = SETTABLE_ONCE[command] ?? [];
    const repeatable = new Set([...REPEATABLE, ...(command === 'status' ? ['--url'] : [])]);
    const flags = (await flagsOf(command)).filter((flag) => takesOne.includes(flag) || !repeatable.has(flag));
    t.deepEqual(flags.toSorted(), takesOne.toSorted(), command);
  }
});

test('bundle writes the files of the case', async (t) => {
  const { cwd, url } = await makePlace(t);
  await runAgentCommand(['bundle', ...PATIENT, '--url', url, '-o', 'bundle'], { cwd });
  t.true(readdirSync(join(cwd, 'bundle')).includes('manifest.json'));
});
