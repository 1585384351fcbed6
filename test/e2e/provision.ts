// Makes sure that the daemons and the versions of Node.js which the tests in this folder start are installed; run before them by
// `npm run test:e2e`.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNodes } from './nodes.js';

/** A program and the Debian package it is in. */
interface Needed {
  readonly program: string;
  readonly debian: string;
}

const NEEDED: readonly Needed[] = [
  { program: 'dockerd', debian: 'docker.io' },
  { program: 'prometheus', debian: 'prometheus' },
  { program: 'promtool', debian: 'prometheus' },
  { program: 'openssl', debian: 'openssl' },
  { program: 'systemd-analyze', debian: 'systemd' },
  { program: 'ldd', debian: 'libc-bin' },
  { program: 'tar', debian: 'tar' },
  { program: 'carbon-cache', debian: 'graphite-carbon' },
  { program: 'whisper-fetch', debian: 'python3-whisper' },
];

/** Where the daemons are; the last two are not on everybody's PATH. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The file of a program; undefined when it is not installed. */
export function findProgram(program: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

/** What is missing, and how to get it; undefined when nothing is. */
export function describeMissing(missing: readonly Needed[], isRoot: boolean): string | undefined {
  if (missing.length === 0)
    return isRoot ? undefined : 'a Docker engine can only be started by root: run npm run test:e2e as root';
  const programs = missing.map(({ program }) => program).join(', ');
  return `not installed: ${programs}; on Debian, as root: ${installCommands(missing)
    .map((command) => command.join(' '))
    .join(' && ')}`;
}

function installCommands(missing: readonly Needed[]): string[][] {
  const packages = [...new Set(missing.map(({ debian }) => debian))];
  return [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', ...packages],
  ];
}

const findMissing = (): Needed[] => NEEDED.filter(({ program }) => findProgram(program) === undefined);

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
  process.stderr.write(`the end-to-end tests cannot run: ${problem}\n`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) provision();
