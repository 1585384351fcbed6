// The package as users get it: packed, installed into an empty project, run, imported and compiled against. `npm run release:check`
// runs this file alone.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { runProgram, startProgram, urlOf } from '../helpers/program.js';
import { findNodes, installNodes, type NodeVersion } from './nodes.js';
import { install, NODE_TYPES, PACKAGE, packRelease, ROOT, run, TSC } from './npm.js';

const DIRECTORIES = ['config', 'core', 'plugins', 'proto', 'translator'];
const { name, version, exports } = PACKAGE;
const AGENT = 'node_modules/.bin/fabric-ops-agent';
const TRANSLATOR = 'node_modules/.bin/configtxlator';
const NODES = findNodes();
const MAJORS = NODES.map(({ major }) => major).join(', ');
/** Modules that are not packed: build steps, and modules that only exist bundled in the program `configtxlator`. */
const NOT_PACKED =
  /^proto\/(?:compile\.ts|generate\.ts|schema\/)|^core\/(?:build\.mjs|finish\.ts)$|^core\/common\/build\/|^translator\/(?:main|launch|bundle|precompile|built-files)\.ts$|^translator\/precompile-sample\.json$|^translator\/cli\/.*\.ts$|^(?:translator|core|core\/common)\/page\/(?!README)/;

const CONSUMER = `
import { createAgent, defineSettings, SettingsError, type Agent } from '${name}';
import { defineHealthChecker, defineMetricSink, type PluginDefinition } from '${name}/plugin';
import { healthCheckerCases, type ContractCase } from '${name}/testing';
import {
  computeUpdate, decode, encode, mergeEnvelopes, readConfigFile, readMspFolder, readSigningIdentity, readUpdateFile, signEnvelope,
  summariseChannel, TranslateError, verifyUpdate,
} from '${name}/translator';
import { setupChannelMsps } from '${name}/translator/msp';
import type { Verification } from '${name}/translator/channel';
import type { ChannelSummary } from '${name}/translator/describe';

const disk: PluginDefinition<'checker'> = defineHealthChecker({
  name: 'disk',
  options: { path: { format: String, default: '/', doc: 'mount point' } },
  async check({ options, signal }) {
    const path: string = options.path;
    if (signal.aborted || path === '') throw new Error('no path');
  },
});
export const cases: readonly ContractCase[] = healthCheckerCases(disk, {} as never);
export const sink = defineMetricSink;
export const agent: Promise<Agent> = createAgent(defineSettings({ 'health.timeout': '5s' }, '/'));
export const errors = [SettingsError, TranslateError];
const text = decode('common.Config', new Uint8Array());
export const bytes = computeUpdate(encode('common.Config', text), new Uint8Array(), 'channel');
export const summary: Promise<ChannelSummary> = summariseChannel(readConfigFile(bytes, encode));
export const verification: Verification = verifyUpdate(readUpdateFile(bytes).update, readConfigFile(bytes).config);
export const functions = [mergeEnvelopes, readMspFolder, readSigningIdentity, setupChannelMsps, signEnvelope];
`;
const TSCONFIG = {
  files: ['consumer.ts'],
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  },
};
const LIST_EXPORTS = `
for (const path of process.argv.slice(1)) {
  const module = await import(path);
  if (Object.keys(module).length === 0) throw new Error(path + ' exports nothing');
  console.log(path);
}`;

test.serial(
  'the tarball contains the modules, documents, samples and deployment files, and nothing else',
  (t) => {
    const files = packRelease(temporaryFolder(t)).files.map(({ path }) => path);

    const own = DIRECTORIES.flatMap((directory) => filesUnder(directory)).filter(
      (file) => !NOT_PACKED.test(file),
    );
    const modules = own
      // The compiler does not emit declaration files for declaration files.
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .flatMap((file) => ['.js', '.d.ts'].map((extension) => `dist/${file.replace(/\.ts$/, extension)}`));
    t.deepEqual(
      files.toSorted(),
      [
        'package.json',
        'README.md',
        'CHANGELOG.md',
        'SECURITY.md',
        'LICENSE',
        'dist/commit.txt',
        'dist/findings.json',
        'dist/findings.md',
        'dist/sbom.cdx.json',
        ...filesUnder('dist/page'),
        'dist/proto/schema.json',
        'dist/proto/schema.mjs',
        ...filesUnder('dist/configtxlator').filter((file) => !file.endsWith('.compiled')),
        ...own.filter((file) => !file.endsWith('.ts')),
        ...modules,
      ].toSorted(),
    );
  },
);

test.serial(
  `the package works in an empty project: its types, and its programs and exports on Node ${MAJORS}`,
  async (t) => {
    t.timeout(170_000);
    installNodes();
    const project = temporaryFolder(t, {
      'package.json': '{ "name": "consumer", "private": true, "type": "module" }',
      'tsconfig.json': JSON.stringify(TSCONFIG),
      'consumer.ts': CONSUMER,
    });
    install(project, `./${packRelease(project).filename}`, NODE_TYPES);

    installedTree(t, project);
    compiles(t, project);
    t.regex(run(join(project, AGENT), project, 'version'), new RegExp(version.replaceAll('.', '\\.')));
    if (NODES.length === 1)
      t.log(`npm has other versions of Node.js for Linux on x64 only; tested on Node ${MAJORS}`);
    for (const node of NODES) {
      t.log(`on Node ${run(node.file, project, '-p', 'process.version').trim()}`);
      exportsAreThere(t, project, node);
      await agentWorks(t, project, node);
      await translatorWorks(t, project, node);
    }
  },
);

/** The dependencies of the package in their versions, and its list of all packages. */
function installedTree(t: ExecutionContext, project: string): void {
  const { dependencies } = JSON.parse(run('npm', project, 'ls', '--all', '--json')) as {
    dependencies: Record<string, { dependencies: Record<string, { version: string }> }>;
  };
  const installed = Object.entries(dependencies[name]?.dependencies ?? {});
  t.deepEqual(
    Object.fromEntries(installed.map(([each, found]) => [each, found.version])),
    PACKAGE.dependencies,
  );
  const file = join(project, 'node_modules', name, 'dist/sbom.cdx.json');
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    components: readonly { name: string }[];
  };
  const names = new Set(components.map((component) => component.name));
  for (const each of [...Object.keys(PACKAGE.dependencies), 'find-my-way']) t.true(names.has(each), each);
  t.false(names.has('typescript'));
}

function compiles(t: ExecutionContext, project: string): void {
  const { status, stdout } = spawnSync(TSC, ['-p', join(project, 'tsconfig.json')], { encoding: 'utf8' });
  t.is(stdout, '');
  t.is(status, 0);
}

function exportsAreThere(t: ExecutionContext, project: string, node: NodeVersion): void {
  const paths = Object.keys(exports).filter((path) => path !== './package.json');
  const specifiers = paths.map((path) => name + path.slice(1));
  const imported = run(node.file, project, '--input-type=module', '-e', LIST_EXPORTS, ...specifiers);
  t.deepEqual(imported.trim().split('\n'), specifiers);
}

async function agentWorks(t: ExecutionContext, project: string, node: NodeVersion): Promise<void> {
  const options = { program: join(project, AGENT), cwd: project, node: node.file };
  const values = ['operations.listenAddress=127.0.0.1:0', `vm.endpoint=unix://${project}/no.sock`];
  const agent = startProgram(t, ['start', ...values.flatMap((value) => ['--set', value])], options);
  const url = await urlOf(agent);
  t.is((await fetch(`${url}/healthz`)).status, 503);
  t.is((await fetch(`${url}/metrics`)).status, 200);
  const change = await fetch(`${url}/logspec`, { method: 'PUT', body: '{"spec":"warn"}' });
  t.is(change.status, 204);
  agent.child.kill('SIGTERM');
  const { status, stderr } = await agent.ended;
  t.is(status, 0);
  t.notRegex(stderr, /ExperimentalWarning|DeprecationWarning/);
}

async function translatorWorks(t: ExecutionContext, project: string, node: NodeVersion): Promise<void> {
  const options = { program: join(project, TRANSLATOR), cwd: project, node: node.file };
  const printed = await runProgram(t, ['version'], options);
  t.regex(printed.stdout, new RegExp(` Version: ${version.replaceAll('.', '\\.')}`));
  const translator = startProgram(t, ['start', '--hostname=127.0.0.1', '--port=0'], options);
  const [, address] = await translator.line(/Serving HTTP requests on (\S+)/);
  const decoded = await fetch(`http://${address}/protolator/decode/common.Config`, { method: 'POST' });
  t.is(decoded.status, 200);
  translator.child.kill('SIGTERM');
  const { status, stderr } = await translator.ended;
  t.is(status, 0);
  t.notRegex(stderr, /ExperimentalWarning|DeprecationWarning/);
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
