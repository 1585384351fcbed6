// The package as strangers get it: packed, installed into an empty project, run, imported and compiled against.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram } from '../helpers/program.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ROOMS = ['config', 'core', 'plugins', 'proto', 'translator'];
const { name, version, exports, devDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as {
  name: string;
  version: string;
  exports: Record<string, string>;
  devDependencies: Record<string, string>;
};
/** Of our modules, what no library needs: steps of the build, and what the program `configtxlator` is made of. */
const LEFT_OUT = /^proto\/(?:compile\.ts|schema\/)|^translator\/(?!index|update\/|http\/openapi).*\.ts$/;

const CONSUMER = `
import { createAgent, defineSettings, SettingsError, type Agent } from '${name}';
import { defineHealthChecker, defineMetricSink, type PluginDefinition } from '${name}/plugin';
import { healthCheckerCases, type ContractCase } from '${name}/testing';
import { computeUpdate, decode, encode, TranslateError } from '${name}/translator';

const disk: PluginDefinition<'health'> = defineHealthChecker({
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
`;
const TSCONFIG = {
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

test('the tarball holds the modules, the documents, the samples and the deployment kit, and nothing else', (t) => {
  const files = pack(temporaryFolder(t)).files.map(({ path }) => path);

  const own = ROOMS.flatMap((room) => filesUnder(room)).filter((file) => !LEFT_OUT.test(file));
  const modules = own
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => ['.js', '.d.ts'].map((extension) => `dist/${file.replace(/\.ts$/, extension)}`));
  t.deepEqual(
    files.toSorted(),
    [
      'package.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'dist/commit.txt',
      'dist/proto/schema.json',
      ...filesUnder('dist/configtxlator'),
      ...own.filter((file) => !file.endsWith('.ts')),
      ...modules,
    ].toSorted(),
  );
});

test('the package works in an empty project: programs, imports, types', async (t) => {
  t.timeout(300_000);
  const project = temporaryFolder(t, {
    'package.json': '{ "name": "stranger", "private": true, "type": "module" }',
    'tsconfig.json': JSON.stringify(TSCONFIG),
    'stranger.ts': CONSUMER,
  });
  const { filename } = pack(project);
  const types = `@types/node@${devDependencies['@types/node']}`;
  npm(
    project,
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    `./${filename}`,
    types,
  );
  const bin = (program: string): string => join(project, 'node_modules/.bin', program);

  t.regex(run(bin('fabric-ops-agent'), project, 'version'), new RegExp(version.replaceAll('.', '\\.')));
  t.regex(
    run(bin('configtxlator'), project, 'version'),
    new RegExp(` Version: ${version.replaceAll('.', '\\.')}`),
  );
  const agent = startProgram(t, ['start', '--set', 'operations.listenAddress=127.0.0.1:0'], {
    program: bin('fabric-ops-agent'),
    cwd: project,
  });
  const [, url] = await agent.line(/serving on (http:\S+)/);
  t.is((await fetch(`${url}/metrics`)).status, 200);
  const translator = startProgram(t, ['start', '--hostname=127.0.0.1', '--port=0'], {
    program: bin('configtxlator'),
    cwd: project,
  });
  const [, address] = await translator.line(/Serving HTTP requests on (\S+)/);
  const decoded = await fetch(`http://${address}/protolator/decode/common.Config`, { method: 'POST' });
  t.is(decoded.status, 200);

  const paths = Object.keys(exports).filter((path) => path !== './package.json');
  const specifiers = paths.map((path) => name + path.slice(1));
  const imported = run(process.execPath, project, '--input-type=module', '-e', LIST_EXPORTS, ...specifiers);
  t.deepEqual(imported.trim().split('\n'), specifiers);

  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], {
    encoding: 'utf8',
  });
  t.is(stdout, '');
  t.is(status, 0);
});

/** Packs what is built; the scripts would build it anew, and these tests with it. */
function pack(folder: string): { filename: string; files: readonly { path: string }[] } {
  const answer: unknown = JSON.parse(
    npm(ROOT, 'pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`),
  );
  // Newer versions of npm answer with an object by package name.
  const [packed] = Object.values(answer as object);
  return packed as ReturnType<typeof pack>;
}

function npm(cwd: string, ...args: readonly string[]): string {
  return run('npm', cwd, ...args);
}

function run(command: string, cwd: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
