// A node for preflight: its files, with some changes, and the causes that are found.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import type { Cause } from '../../core/tools/preflight/cause.js';
import { preflight } from '../../core/tools/preflight/preflight.js';
import { makeNodeFiles } from './node-files.js';

/** The differences from a node of {@link makeNodeFiles}, which starts. In values and variables, DIR is its directory. */
export interface ChangedNode {
  readonly kind: 'peer' | 'orderer';
  /** The version that is to be started. @default 3.1.5 */
  readonly version?: string;
  /** Values of its file by their path. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Changes the files in the directory of the node. */
  readonly change?: (cwd: string) => void | Promise<void>;
}

/** The causes and warnings of a node. Their texts have DIR in place of its directory, and no line numbers before keys. */
export async function causesOf(t: ExecutionContext, node: ChangedNode): Promise<readonly Cause[]> {
  const { kind, version = '3.1.5', values = {}, variables = {}, change } = node;
  const file = kind === 'peer' ? 'core.yaml' : 'orderer.yaml';
  const cwd = await makeNodeFiles(t, kind, file, (text) => {
    const document = parseDocument(text);
    for (const [path, value] of Object.entries(values))
      document.setIn(path.split('.'), document.createNode(value));
    return document.toString();
  });
  writeFileSync(join(cwd, file), readFileSync(join(cwd, file), 'utf8').replaceAll('DIR', cwd));
  await change?.(cwd);
  const own =
    kind === 'peer' && values['ledger.snapshots.rootDir'] === undefined
      ? { CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') }
      : {};
  const given = Object.entries({ ...own, ...variables }).map(([name, text]) => [
    name,
    text.replaceAll('DIR', cwd),
  ]);
  const { causes } = await preflight({
    file,
    variables: Object.fromEntries(given) as Record<string, string>,
    cwd,
    version,
  });
  const shown = (text: string): string => text.replaceAll(cwd, 'DIR').replace(/(?<=\.yaml):\d+(?=: )/, '');
  return causes.map((each) => ({
    ...each,
    prints: shown(each.prints),
    means: shown(each.means),
    where: shown(each.where),
  }));
}
