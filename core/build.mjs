// `npm run build`: builds in a copy of the sources beside `dist`, and then renames each file that has changed into `dist`. So a program or a
// test that runs from `dist` never reads half a file, and an unchanged file stays. If nothing has changed since the last build, it does
// nothing. This file is JavaScript because it runs before anything is compiled.

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';

const STEPS = [
  ['TypeScript', 'build:compile'],
  ['messages of Fabric', 'build:proto'],
  ['pages', 'build:pages'],
  ['configtxlator', 'build:configtxlator'],
  ['explanations of findings', 'build:findings'],
  ['commit and SBOM', 'build:finish'],
];
const SOURCES = ['config', 'core', 'plugins', 'proto', 'test', 'translator'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
const DIST = 'dist';
const STAMP = join(DIST, 'build.stamp');
/** The directory of a build, with its process id. The name is hidden, so that nobody who walks through the sources finds it. */
const STAGING = /^\.dist(\d+)$/;
/** What other commands write to `dist`. */
const OF_OTHERS = /^(?:build\.stamp$|docs\/|test\/groups\/)/;

/** The regular files in a directory, sorted. */
const filesIn = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** A hash of everything that the output depends on. */
function hashOfSources() {
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`);
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  hash.update(stdout ?? '');
  for (const file of [...FILES, ...SOURCES.filter((name) => existsSync(name)).flatMap(filesIn)])
    hash.update(`\n${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** A hash of the names, sizes and times of the files in `dist`. */
function hashOfOutput() {
  const hash = createHash('sha256');
  for (const file of filesIn(DIST).filter((each) => !OF_OTHERS.test(relative(DIST, each)))) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Removes the directories of builds that were killed. */
function removeAbandoned() {
  for (const name of readdirSync('.')) {
    const [, pid] = STAGING.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(name, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Runs the scripts of package.json in a copy of the sources, where the package finds itself by its name. Each `npm run` would take a third of
 * a second.
 */
function runSteps(staging) {
  mkdirSync(staging);
  for (const name of [...FILES, ...SOURCES])
    if (existsSync(name)) cpSync(name, join(staging, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(resolve('node_modules'), join(staging, 'node_modules'), 'dir');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const PATH = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
  console.log('building, which takes 20 to 60 seconds');
  for (const [index, [what, script]] of STEPS.entries()) {
    console.log(`build ${index + 1} of ${STEPS.length}: ${what}`);
    execFileSync('sh', ['-c', scripts[script]], {
      cwd: staging,
      env: { ...process.env, PATH },
      stdio: 'inherit',
    });
  }
}

const isSame = (a, b) =>
  existsSync(b) && statSync(a).mode === statSync(b).mode && readFileSync(a).equals(readFileSync(b));

/** Renames the files that differ from those in `dist`. */
function publish(staging) {
  for (const file of filesIn(staging)) {
    const target = join(DIST, relative(staging, file));
    if (isSame(file, target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(file, target);
  }
}

process.chdir(join(import.meta.dirname, '..'));
removeAbandoned();
const sources = hashOfSources();
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === `${sources} ${hashOfOutput()}\n`) {
  console.log('dist is up to date');
} else {
  const staging = `.dist${process.pid}`;
  try {
    runSteps(staging);
    publish(join(staging, DIST));
    const { findStale } = await import('../dist/core/finish.js');
    for (const file of findStale(DIST, '.')) rmSync(file, { force: true });
    writeFileSync(STAMP, `${sources} ${hashOfOutput()}\n`);
  } catch (error) {
    // The step has printed what is wrong.
    if (error.status === undefined) throw error;
    process.exitCode = 1;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
