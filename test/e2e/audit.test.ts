// Known vulnerabilities of the packages that users get. Only `npm run release:check` runs this file: it needs a registry with audits.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { ROOT } from './npm.js';

test('npm audit, if the registry gives a result, has no high or critical finding in a dependency', (t) => {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
  if (!stdout.includes('"vulnerabilities"')) {
    t.log(`WARNING: NOT AUDITED, the registry gave no result: ${stdout}\n${stderr}`);
    t.pass();
    return;
  }
  t.is(status, 0, stdout);
});
