// Known vulnerabilities of the packages that users get. Only `npm run release:check` runs this file: it needs a registry with audits.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { findingsOf, readBundled, readLock, type Audit } from '../build/bundled.js';
import { ROOT } from './npm.js';

test('npm audit, if the registry gives a result, has no high or critical finding in a dependency or a bundled package', (t) => {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  });
  let findings: string[];
  try {
    findings = findingsOf(JSON.parse(stdout) as Audit, readLock(), readBundled());
  } catch (error) {
    t.log(`WARNING: NOT AUDITED, the registry gave no result: ${String(error)}\n${stderr}`);
    t.pass();
    return;
  }
  t.deepEqual(findings, []);
});
