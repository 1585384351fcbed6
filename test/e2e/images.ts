// Builds images without a registry: the base image contains the Node.js of this machine.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { findProgram } from './provision.js';

/** Programs that the Dockerfile and npm call. */
const PROGRAMS = ['env', 'sh', 'rm', 'chmod', 'ln', 'find'];
/** Libraries that are loaded with dlopen, so ldd does not list them. */
const RESOLVERS = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];
const CA_FILE = '/etc/ssl/certs/ca-certificates.crt';

const BASE = `FROM scratch
COPY root /
ENV PATH=/usr/local/bin:/usr/bin HOME=/tmp npm_config_cache=/tmp/npm NODE_EXTRA_CA_CERTS=${CA_FILE}
`;

/** Builds an image with the Node.js and the npm of this machine. */
export async function buildNodeImage(docker: Docker, directory: string, tag: string): Promise<void> {
  const root = join(directory, 'root');
  const add = (file: string, as = file): void =>
    cpSync(file, join(root, as), { recursive: true, dereference: true });
  const programs = PROGRAMS.map((name) => [findProgram(name) ?? name, name] as const);
  const node = [process.execPath, 'node'] as const;
  for (const [file, name] of [node, ...programs]) {
    add(file, `/usr/bin/${name}`);
    for (const library of librariesOf(file)) add(library);
  }
  const libraries = dirname(
    librariesOf(process.execPath).find((file) => basename(file) === 'libc.so.6') ?? '',
  );
  for (const name of RESOLVERS) add(join(libraries, name));
  add(CA_FILE);
  add(dirname(dirname(realpathSync(findProgram('npm') ?? ''))), '/usr/lib/node_modules/npm');
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  symlinkSync('usr/bin', join(root, 'bin'));
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  execFileSync('chmod', ['1777', join(root, 'tmp')]);
  writeFileSync(join(directory, 'Dockerfile'), BASE);
  await buildImage(docker, pack(directory), { t: tag });
}

/** Builds an image from a build context. Rejects with the error and the log of the engine. */
export async function buildImage(
  docker: Docker,
  context: Readable,
  options: Docker.ImageBuildOptions,
): Promise<void> {
  const progress = await docker.buildImage(context, options);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(progress, (error, steps: readonly { stream?: string; error?: string }[]) => {
      const failed = error ?? steps.find((step) => step.error !== undefined)?.error;
      const log = (steps ?? []).map(({ stream = '' }) => stream).join('');
      if (failed) reject(new Error(`${String(failed)}\n${log.slice(-4000)}`));
      else resolve();
    });
  });
}

/** Packs a directory as a build context. @param ignored its `.dockerignore` file */
export function pack(directory: string, ignored?: string): Readable {
  const args = ignored === undefined ? [] : [`--exclude-from=${ignored}`];
  return spawn('tar', ['-c', '-C', directory, ...args, '.'], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout;
}

function librariesOf(file: string): string[] {
  return execFileSync('ldd', [file], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [];
}
