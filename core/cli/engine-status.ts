// The Docker engines that a service checks, from its metrics, and the peers that are too old for them.

import { seriesIn } from './series.js';
import type { NodeStatus } from './status-documents.js';

/** A Docker engine that a checker has found. */
export interface EngineStatus {
  readonly component: string;
  readonly version: string;
}

/** The first engine whose API older peers do not know. */
const NEW_API = 29;
/** The first Fabric 2 and the first Fabric 3 that know it. */
const FIRST_2 = [2, 5, 15] as const;
const FIRST_3 = [3, 1, 4] as const;

/** The engines in the body of `/metrics`. */
export function enginesIn(metrics = ''): EngineStatus[] {
  return seriesIn(metrics, 'fabric_ops_agent_docker_engine_info').map(({ labels }) => ({
    component: labels.get('component') ?? '',
    version: labels.get('version') ?? '',
  }));
}

/** One line for each engine and each peer that cannot build chaincode with it. A peer without a version is not judged. */
export function engineWarnings(engines: readonly EngineStatus[], nodes: readonly NodeStatus[]): string[] {
  return engines
    .filter(({ version }) => Number.parseInt(version, 10) >= NEW_API)
    .flatMap(({ component, version: engine }) =>
      nodes
        .filter(({ kind, version }) => kind === 'peer' && isTooOld(version))
        .map(
          ({ name, version = '' }) =>
            `${component}: ${name} has Fabric ${version}, which cannot build chaincode with Docker Engine ${engine}; it needs 2.5.15, 3.1.4 or newer`,
        ),
    );
}

function isTooOld(version = ''): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const first = (parts[0] ?? 0) < 3 ? FIRST_2 : FIRST_3;
  const different = first.findIndex((part, index) => part !== parts[index]);
  return different !== -1 && (parts[different] ?? 0) < (first[different] ?? 0);
}
