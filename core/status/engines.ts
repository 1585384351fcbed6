// Docker engines whose API older peers do not support.

import type { CheckStatus, EngineStatus, NodeStatus } from './document.js';

/** The first Docker Engine with an API that older peers do not support. */
const NEW_API = 29;
/** The first releases of Fabric 2 and Fabric 3 that support it. */
const FIRST_2 = [2, 5, 15] as const;
const FIRST_3 = [3, 1, 4] as const;

/** A warning for each engine and each peer that cannot build chaincode with it. A peer with an unknown version has none. */
export function engineWarnings(
  engines: readonly EngineStatus[],
  nodes: readonly Pick<NodeStatus, 'name' | 'kind' | 'version'>[],
): CheckStatus[] {
  return engines
    .filter(({ version }) => Number.parseInt(version, 10) >= NEW_API)
    .flatMap(({ component, version: engine }) =>
      nodes
        .filter(({ kind, version }) => kind === 'peer' && isTooOld(version))
        .map(({ name, version = '' }) => ({
          component,
          reason: `${name} has Fabric ${version}, which cannot build chaincode with Docker Engine ${engine}; it needs 2.5.15, 3.1.4 or newer`,
        })),
    );
}

function isTooOld(version = ''): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const first = (parts[0] ?? 0) < 3 ? FIRST_2 : FIRST_3;
  const different = first.findIndex((part, index) => part !== parts[index]);
  return different !== -1 && (parts[different] ?? 0) < (first[different] ?? 0);
}
