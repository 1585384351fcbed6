// The response to `?verbose`, in the form of kube-apiserver.

import { joinLines, onOneLine } from '../common/text/one-line.js';
import type { HealthReport } from './health.js';
import { ownerOf } from './selection.js';

/** What a report does not cover. */
export interface NotCovered {
  /** The known names. */
  readonly excluded: readonly string[];
  /** The names that could not be excluded. */
  readonly unknown: readonly string[];
  /** The nodes that `/readyz` does not cover because there are several. */
  readonly otherNodes: readonly string[];
}

/**
 * One line for each component, sorted by name: `[+]docker ok`, `[-]couchdb failed: reason`, `[+]disk warning: reason` or `[+]disk excluded: ok`. A component that
 * failed in parts has one line for each failed part. The last line is the result.
 *
 * @param endpoint the name of the resource, for the last line
 */
export function verboseText(
  endpoint: string,
  { failedChecks, warnings, components }: HealthReport,
  { excluded, unknown, otherNodes }: NotCovered,
): string {
  const failing = new Set(
    [...failedChecks, ...warnings].map(({ component }) => ownerOf(component, components)),
  );
  const lines: { name: string; text: string }[] = [
    ...components.filter((name) => !failing.has(name)).map((name) => ({ name, text: `[+]${name} ok` })),
    ...failedChecks.map(({ component: name, reason }) => ({
      name,
      text: `[-]${name} failed: ${joinLines(reason)}`,
    })),
    ...warnings.map(({ component: name, reason }) => ({
      name,
      text: `[+]${name} warning: ${joinLines(reason)}`,
    })),
    ...[...new Set(excluded)].map((name) => ({ name, text: `[+]${name} excluded: ok` })),
  ];
  lines.sort((a, b) => (a.name < b.name ? -1 : 1));
  const warning = `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => JSON.stringify(name)).join(',')}`;
  return [
    ...lines.map(({ text }) => text),
    ...(unknown.length > 0 ? [warning] : []),
    ...(otherNodes.length > 0 ? [describeOtherNodes(otherNodes)] : []),
    `${endpoint} check ${failedChecks.length === 0 ? 'passed' : 'failed'}`,
  ]
    .map((line) => `${onOneLine(line)}\n`)
    .join('');
}

/** Says that `/readyz` covers none of several nodes. */
export const describeOtherNodes = (nodes: readonly string[]): string =>
  `note: /readyz covers none of the nodes ${nodes.join(', ')}, because there are several; name those that it covers in health.groups.ready.include`;
