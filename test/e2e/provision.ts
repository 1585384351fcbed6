// Installs the daemons and the versions of Node.js that the tests in this directory need; `npm run test:e2e` runs it before the tests.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNodes } from './nodes.js';

/** A program, or the absolute path of another file, and its Debian package. */
interface Requirement {
  readonly program: string;
  readonly debian: string;
  /** Whether the package is in the backports of Debian 12. @default false */
  readonly isBackport?: boolean;
}

/** The Python classes of the messages of OpenTelemetry. */
const OPENTELEMETRY =
  '/usr/lib/python3/dist-packages/opentelemetry/proto/collector/metrics/v1/metrics_service_pb2.py';

const REQUIREMENTS: readonly Requirement[] = [
  { program: 'dockerd', debian: 'docker.io' },
  { program: 'docker-compose', debian: 'docker-compose' },
  { program: 'prometheus', debian: 'prometheus' },
  { program: 'promtool', debian: 'prometheus' },
  { program: 'amtool', debian: 'prometheus-alertmanager' },
  { program: 'openssl', debian: 'openssl' },
  { program: 'chromium', debian: 'chromium' },
  { program: 'systemd-analyze', debian: 'systemd' },
  { program: 'ldd', debian: 'libc-bin' },
  { program: 'tar', debian: 'tar' },
  { program: 'carbon-cache', debian: 'graphite-carbon' },
  { program: 'whisper-fetch', debian: 'python3-whisper' },
  { program: 'victoria-metrics', debian: 'victoria-metrics' },
  { program: '/usr/lib/nagios/plugins/check_procs', debian: 'monitoring-plugins-basic' },
  { program: '/usr/bin/python3', debian: 'python3' },
  { program: 'softhsm2-util', debian: 'softhsm2' },
  { program: 'pkcs11-tool', debian: 'opensc' },
  { program: OPENTELEMETRY, debian: 'python3-opentelemetry-proto', isBackport: true },
];

/** Where to find daemons; PATH of a normal user does not contain the last two. */
const DIRECTORIES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** Returns the path of a program; undefined if it is not installed. */
export function findProgram(program: string): string | undefined {
  if (isAbsolute(program)) return existsSync(program) ? program : undefined;
  return DIRECTORIES.map((directory) => join(directory, program)).find((file) => existsSync(file));
}

/** Describes what is missing and how to install it; undefined if nothing is missing. */
export function describeMissing(missing: readonly Requirement[], isRoot: boolean): string | undefined {
  if (missing.length === 0)
    return isRoot ? undefined : 'only root can start a Docker engine: run npm run test:e2e as root';
  const programs = missing.map(({ program }) => program).join(', ');
  return `not installed: ${programs}; on Debian, as root: ${installCommands(missing)
    .map((command) => command.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' '))
    .join(' && ')}`;
}

const ADD_BACKPORTS = [
  'sh',
  '-c',
  '. /etc/os-release && echo "deb http://deb.debian.org/debian $VERSION_CODENAME-backports main" > /etc/apt/sources.list.d/backports.list',
];

function installCommands(missing: readonly Requirement[]): string[][] {
  const packages = [...new Set(missing.map(({ debian }) => debian))];
  return [
    ...(missing.some(({ isBackport }) => isBackport) ? [ADD_BACKPORTS] : []),
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

const findMissing = (): Requirement[] =>
  REQUIREMENTS.filter(({ program }) => findProgram(program) === undefined);

function provision(): void {
  const isRoot = process.getuid?.() === 0;
  const missing = findMissing();
  if (missing.length > 0 && isRoot && findProgram('apt-get') !== undefined) {
    for (const [command = '', ...args] of installCommands(missing)) {
      execFileSync(command, args, {
        stdio: 'inherit',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
  }
  installNodes();
  const problem = describeMissing(findMissing(), isRoot);
  if (problem === undefined) return;
  process.stderr.write(`cannot run the end-to-end tests: ${problem}\n`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) provision();
