// The names of the families of the agent and of its plugins: all begin with `fabric_ops_agent`.

import type { FamilyOptions, FamilyParts } from '../contract/index.js';

/** The namespace of every family of the agent, so that none has the name of a family of a Fabric node. */
export const OWN_NAMESPACE = 'fabric_ops_agent';

const OWN_PREFIX = `${OWN_NAMESPACE}_`;

/** Begins the established names of x509-certificate-exporter, which are served without prefix so that its dashboards work. */
const ESTABLISHED_PREFIX = 'x509_';

/** What names a family in its definition. */
type FamilyName = Pick<FamilyOptions, 'namespace' | 'subsystem' | 'name'>;

/**
 * The parts of the name that a family is served under: its namespace and subsystem, joined by `_`, become the subsystem. A name
 * that begins with `fabric_ops_agent_` already is not prefixed again.
 */
export function ownParts({ namespace = '', subsystem = '', name }: FamilyName): FamilyParts {
  const owner = joined(namespace, subsystem);
  const full = joined(owner, name);
  if (!full.startsWith(OWN_PREFIX)) return { namespace: OWN_NAMESPACE, subsystem: owner, name };
  if (owner.startsWith(OWN_PREFIX))
    return { namespace: OWN_NAMESPACE, subsystem: owner.slice(OWN_PREFIX.length), name };
  return { namespace: OWN_NAMESPACE, subsystem: '', name: full.slice(OWN_PREFIX.length) };
}

/** The Prometheus name of a family. Established names have no prefix there; in StatsD they have it like all others. */
export function nameOf({ namespace, subsystem, name }: FamilyParts): string {
  const own = joined(subsystem, name);
  return namespace === OWN_NAMESPACE && own.startsWith(ESTABLISHED_PREFIX) ? own : joined(namespace, own);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('_');
}
