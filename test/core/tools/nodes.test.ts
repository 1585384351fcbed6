// The command `nodes`: the processes of a directory like /proc, and the containers of a program in the place of Docker.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSettings } from '../../../config/index.js';
import { ownCommand } from '../../../core/common/files/build-info.js';
import { nodesCommand } from '../../../core/tools/nodes/command.js';
import { temporaryFolder } from '../../helpers/folder.js';

interface FakeProcess {
  readonly args: readonly string[];
  readonly environment?: string;
  readonly namespace?: string;
}

/** A host with processes, whose containers are in the output of a program `docker`. */
class Host {
  readonly directory: string;
  #count = 10;

  constructor(t: ExecutionContext) {
    this.directory = temporaryFolder(t);
    this.#write('proc/self/ns/mnt', undefined, 'mnt:[1]');
    mkdirSync(join(this.directory, 'bin'));
  }

  file(name: string, content = ''): string {
    return this.#write(name, content);
  }

  process({ args, environment = '', namespace = 'mnt:[1]' }: FakeProcess): void {
    this.#count += 1;
    const at = `proc/${this.#count}`;
    this.#write(`${at}/cmdline`, args.map((each) => `${each}\0`).join(''));
    this.#write(`${at}/environ`, environment);
    this.#write(`${at}/ns/mnt`, undefined, namespace);
    this.#write(`${at}/cwd`, undefined, this.directory);
  }

  /** @param containers the output of `docker inspect` */
  docker(containers: readonly object[]): void {
    const answer = this.file('inspect.json', JSON.stringify(containers));
    this.#script(
      `case $1 in ps) echo ${containers.map((_each, index) => `id${index}`).join(' ')};; inspect) cat ${answer};; cp) echo "copied $3" >"$4";; esac`,
    );
  }

  brokenDocker(text: string): void {
    this.#script(`echo "${text}" >&2; exit 1`);
  }

  async run(...args: readonly string[]) {
    let [out, error] = ['', ''];
    const status = await nodesCommand(join(this.directory, 'proc')).run(args, {
      environment: {
        PATH:
          join(this.directory, 'bin') +
          (existsSync(join(this.directory, 'bin/docker')) ? ':/usr/bin:/bin' : ''),
      },
      cwd: this.directory,
      nodeVersion: process.version,
      terminal: undefined,
      out: (text) => ((out += text), true),
      error: (text) => (error += text),
      onStop: () => undefined,
      onReload: () => undefined,
      onUncaught: () => undefined,
    });
    return { status, out, error: error.replaceAll(this.directory, 'DIR') };
  }

  #script(body: string): void {
    const file = this.file('bin/docker', `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
  }

  #write(name: string, content?: string, target?: string): string {
    const path = join(this.directory, name);
    mkdirSync(join(path, '..'), { recursive: true });
    if (target !== undefined) symlinkSync(target, path);
    else writeFileSync(path, content ?? '');
    return path;
  }
}

const container = (
  name: string,
  args: readonly string[],
  folder: string,
  env: readonly string[],
  port: number,
) => ({
  Name: `/${name}`,
  Path: args[0],
  Args: args.slice(1),
  HostConfig: { NetworkMode: 'fabric_test' },
  Mounts: folder === '' ? [] : [{ Source: folder, Destination: '/etc/hyperledger/peercfg' }],
  Config: { Hostname: name, Env: env, WorkingDir: '/root' },
  NetworkSettings: {
    Ports: { [`${port}/tcp`]: [{ HostIp: '0.0.0.0', HostPort: String(port) }] },
    Networks: { fabric_test: {} },
  },
});

const PEER = 'peer: {}\noperations: {listenAddress: ""}\nmetrics: {provider: prometheus}\n';
const PEER_VARIABLES = [
  'FABRIC_CFG_PATH=/etc/hyperledger/peercfg',
  'CORE_PEER_ID=peer0.org1.example.com',
  'CORE_OPERATIONS_LISTENADDRESS=peer0.org1.example.com:9444',
];

test('the processes and the containers of nodes are listed, with the commands that monitor them', async (t) => {
  const host = new Host(t);
  host.process({ args: ['/usr/local/bin/peer', 'node', 'start'] });
  host.process({ args: ['orderer'] });
  host.process({ args: ['peer', 'channel', 'list'] });
  host.process({ args: ['orderer'], namespace: 'mnt:[2]' });
  host.docker([
    container('orderer.example.com', ['orderer'], '', [], 9443),
    container('cli', ['/bin/bash'], '', [], 1),
    container('../outside', ['orderer'], '', [], 1),
  ]);
  t.deepEqual(await host.run(), {
    status: 0,
    out: [
      'NODE                 KIND     RUNS IN',
      'peer1                peer     process 11',
      'orderer1             orderer  process 12',
      'orderer.example.com  orderer  container orderer.example.com',
      '',
      `To monitor them: ${ownCommand()} nodes --write fabric-nodes && ${ownCommand()} start --config fabric-nodes/agent.yaml`,
      '',
    ].join('\n'),
    error: '',
  });
});

test('the written configuration has the variables of each node, and files of containers that this host does not have', async (t) => {
  const host = new Host(t);
  const peercfg = join(host.file('peercfg/core.yaml', PEER), '..');
  host.file(
    'own/orderer.yaml',
    'General: {}\nOperations: {ListenAddress: ""}\nMetrics: {Provider: prometheus}\n',
  );
  host.process({
    args: ['orderer', 'start'],
    environment: 'FABRIC_CFG_PATH=own\0ORDERER_OPERATIONS_LISTENADDRESS=127.0.0.1:8443\0',
  });
  host.docker([
    container('peer0.org1.example.com', ['peer', 'node', 'start'], peercfg, PEER_VARIABLES, 9444),
    container('orderer.example.com', ['sh', '-c', 'exec orderer'], '', ['A=1'], 9443),
  ]);
  const { status, out, error } = await host.run('--write', 'nodes');
  t.deepEqual([status, error], [0, '']);
  t.true(
    out.endsWith(
      `\nnodes/agent.yaml has 3 of 3 nodes. To monitor them: ${ownCommand()} start --config nodes/agent.yaml\n`,
    ),
    out,
  );
  const inDirectory = (name: string): string => join(host.directory, 'nodes', name);
  t.is(
    readFileSync(inDirectory('orderer.example.com.yaml'), 'utf8'),
    'copied orderer.example.com:/etc/hyperledger/fabric/orderer.yaml\n',
  );
  for (const name of ['orderer1.env', 'peer0.org1.example.com.json', 'orderer.example.com.json'])
    t.is(statSync(inDirectory(name)).mode & 0o777, 0o600);
  writeFileSync(
    inDirectory('orderer.example.com.yaml'),
    'General: {}\nOperations: {ListenAddress: ":9443"}\nMetrics: {Provider: prometheus}\n',
  );
  const { nodes } = loadSettings({
    files: ['nodes/agent.yaml'],
    flags: [],
    environment: {},
    cwd: host.directory,
  });
  t.deepEqual(
    nodes.map(({ name, address }) => [name, address.value]),
    [
      ['orderer', { host: '127.0.0.1', port: 8443 }],
      ['orderer.example.com', { host: '127.0.0.1', port: 9443 }],
      ['peer0.org1.example.com', { host: '127.0.0.1', port: 9444 }],
    ],
  );
});

test('a node without a file is not in the written configuration, and the reason is a warning', async (t) => {
  const host = new Host(t);
  host.process({ args: ['peer', 'node', 'start'], environment: 'FABRIC_CFG_PATH=/no/such/folder\0' });
  const { status, error } = await host.run('--write', 'nodes');
  t.is(status, 3);
  t.is(
    error,
    'fabric-ops-agent: warning: containers were not listed: there is no program docker or podman\nfabric-ops-agent: warning: peer1 (process 11) is not in agent.yaml: /no/such/folder/core.yaml: no such file\n',
  );
});

for (const [what, prepare, out, error] of [
  [
    'no node, and no Docker',
    () => undefined,
    'no peer and no orderer was found\n',
    'containers were not listed: there is no program docker or podman',
  ],
  [
    'nodes in containers, and a Docker that this user may not use',
    (host: Host) => {
      host.process({ args: ['orderer'], namespace: 'mnt:[2]' });
      host.brokenDocker('permission denied');
    },
    'no peer and no orderer was found\n',
    '1 more of these processes is in containers or of another user: 11 (orderer): docker ps: permission denied',
  ],
  [
    'nodes in containers that Docker does not have',
    (host: Host) => {
      for (const namespace of ['mnt:[2]', 'mnt:[3]']) host.process({ args: ['orderer'], namespace });
      host.docker([]);
    },
    'no peer and no orderer was found\n',
    '2 more of these processes are in containers or of another user: 11 (orderer), 12 (orderer); run this command as root',
  ],
] as const)
  test(`what was not found is named: ${what}`, async (t) => {
    const host = new Host(t);
    prepare(host);
    t.deepEqual(await host.run(), { status: 3, out, error: `fabric-ops-agent: warning: ${error}\n` });
  });
