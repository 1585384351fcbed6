import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { guardFolder } from './guard.js';

/** What ends everything that it started: a test, or a case of the laboratory. */
export type Owner = Pick<ExecutionContext, 'teardown'>;

/** Creates a directory with files, given by relative path. It is removed when the test ends. */
export function temporaryFolder(t: Owner, files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-'));
  guardFolder(directory);
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
