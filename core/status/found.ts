// Reads certificates and Docker engines from the metrics of checkers.

import { timeText } from '../common/text/time.js';
import type { MetricReader } from '../contract/index.js';
import type { CertificateStatus, CheckStatus, EngineStatus, NodeStatus } from './document.js';

const CERTIFICATES = 'x509_cert_not_after';
const ENGINES = 'fabric_ops_agent_docker_engine_info';

/** The first Docker Engine with an API that older peers do not support. */
const NEW_API = 29;
/** The first releases of Fabric 2 and Fabric 3 that support it. */
const FIRST_2 = [2, 5, 15] as const;
const FIRST_3 = [3, 1, 4] as const;

/** Certificates and Docker engines that checkers have found. */
export interface Found {
  /** Sorted by expiry. */
  readonly certificates: readonly CertificateStatus[];
  readonly engines: readonly EngineStatus[];
}

/** Reads certificates and Docker engines. @param metrics the metrics of the agent itself, without its sources */
export async function readFound(metrics: MetricReader): Promise<Found> {
  const certificates: CertificateStatus[] = [];
  const engines: EngineStatus[] = [];
  for await (const family of metrics.families()) {
    if (family.name !== CERTIFICATES && family.name !== ENGINES) continue;
    for (const { labels, value } of family.values()) {
      const text = (name: string): string => String(labels[name] ?? '');
      const component = text('component');
      const not_after = family.name === CERTIFICATES ? timeText(value * 1000) : undefined;
      if (family.name === ENGINES) engines.push({ component, version: text('version') });
      else if (not_after !== undefined)
        certificates.push({
          component,
          subject: text('subject'),
          kind: text('kind'),
          path: text('path'),
          not_after,
        });
    }
  }
  certificates.sort((a, b) => Date.parse(a.not_after) - Date.parse(b.not_after));
  return { certificates, engines };
}

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
