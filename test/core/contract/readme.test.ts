// The plugins in README.md are taken out of it, loaded as third parties' plugins are, and put through their suites.

import { readFileSync, symlinkSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { PluginDefinition } from '../../../core/contract/index.js';
import {
  healthCheckerCases,
  loggingBackendCases,
  pushSinkCases,
  type ContractCase,
} from '../../../core/contract/testing/index.js';
import { temporaryFolder } from '../../helpers/folder.js';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const README = readFileSync('core/contract/README.md', 'utf8');
const BLOCKS = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** Loads the module among the code blocks that defines a plugin. */
async function fromReadme<Definition>(t: ExecutionContext, name: string): Promise<Definition> {
  const code = BLOCKS.find((block) => block.includes(`name: '${name}'`)) ?? '';
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'node_modules/.keep': '',
    'plugin.js': code,
  });
  symlinkSync(REPOSITORY, `${folder}/node_modules/fabric-ops-agent`);
  const module = (await import(pathToFileURL(`${folder}/plugin.js`).href)) as { default: Definition };
  return module.default;
}

async function runAll(t: ExecutionContext, cases: readonly ContractCase[]): Promise<void> {
  for (const { title, run } of cases) await t.notThrowsAsync(run(), title);
}

test('the checker of the README keeps the contract', async (t) => {
  const disk = await fromReadme<PluginDefinition<'health'>>(t, 'disk');
  await runAll(
    t,
    healthCheckerCases(disk, {
      healthy: () => ({ options: { path: '/', free: 0 } }),
      unhealthy: () => ({ options: { path: '/', free: 101 } }),
    }),
  );
});

test('the sink of the README keeps the contract', async (t) => {
  const lines = await fromReadme<PluginDefinition<'metrics'>>(t, 'lines');
  await runAll(
    t,
    pushSinkCases(lines, () => ({ options: { interval: 1000 } })),
  );
});

test('the backend of the README keeps the contract', async (t) => {
  const plain = await fromReadme<PluginDefinition<'logging'>>(t, 'plain');
  await runAll(
    t,
    loggingBackendCases(plain, () => ({ options: {} })),
  );
});
