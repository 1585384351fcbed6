// The hook that gives the plugin API of the agent to plugins without this package.

import test from 'ava';
import { resolve } from '../../../core/host/agent-api.js';

/** What the hook returns when the import fails with this code. */
const resolveFailed = (specifier: string, code: string | undefined) =>
  resolve(specifier, {}, () => Promise.reject(Object.assign(new Error(`failed with ${code}`), { code })));

for (const [specifier, end] of [
  ['fabric-ops-agent/plugin', '/core/contract/index.js'],
  ['fabric-ops-agent/kit', '/core/kit/index.js'],
  ['fabric-ops-agent/kit/metrics', '/core/kit/metrics.js'],
  ['fabric-ops-agent/kit/notifier', '/core/kit/notifier.js'],
] as const)
  for (const code of ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])
    test(`${specifier} that is not found with ${code} is a file of the agent`, async (t) => {
      const { url, format, shortCircuit } = await resolveFailed(specifier, code);
      t.true(url.startsWith('file://') && url.endsWith(end), url);
      t.deepEqual([format, shortCircuit], ['module', true]);
    });

for (const [specifier, code] of [
  ['fabric-ops-agent/plugin', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
  ['fabric-ops-agent/plugin', undefined],
  ['fabric-ops-agent/testing', 'ERR_MODULE_NOT_FOUND'],
  ['other', 'MODULE_NOT_FOUND'],
] as const)
  test(`the error ${code} for ${specifier} is reported`, async (t) => {
    await t.throwsAsync(resolveFailed(specifier, code), { message: `failed with ${code}` });
  });

test('a module that is found stays as it is', async (t) => {
  const found = { url: 'file:///own/plugin.js' };
  t.is(await resolve('fabric-ops-agent/plugin', {}, async () => found), found);
});
