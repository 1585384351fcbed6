// The alert rules of config/deploy/prometheus that a status alone shows to be true.

import { readFileSync } from 'node:fs';
import { Composer, Parser } from '#yaml';
import { joinLines } from '../../common/text/one-line.js';
import type { StatusDocument } from '../../status/document.js';
import { engineWarnings } from '../../status/found.js';

const FILES = ['alerts.yaml', 'node-alerts.yaml'];
const DAY = 86_400_000;
/** What `FabricNodeCertificateExpiresSoon` warns of. */
const SOON = 30 * DAY;

/** An alert rule. */
interface Rule {
  readonly alert: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook_url: string; readonly next_command: string };
}

/** A file with rules. */
interface RuleFile {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

/** The rules whose condition is true, with what makes it true; then those that cannot be judged. */
export function describeRules(document: StatusDocument, isAgentDown: boolean): string {
  const found = new Map([
    ...(isAgentDown ? [['FabricOpsAgentDown', ['no agent answers']] as const] : []),
    ...causesByRule(document),
  ]);
  const rules = readRules();
  const firing = [...found].map(([name, causes]) => describe(name, rules.get(name), causes));
  const others = [...rules.keys()].filter((name) => !found.has(name));
  return [
    'Alert rules of config/deploy/prometheus whose condition is true now, as far as one status shows it. A rule with',
    'a duration fires when its condition stays true that long.',
    '',
    ...(firing.length === 0 ? ['none', ''] : firing),
    `Not true, or only visible in the history of Prometheus: ${others.join(', ')}`,
    '',
  ].join('\n');
}

function describe(name: string, rule: Rule | undefined, causes: readonly string[]): string {
  const facts = rule && [rule.labels.severity, ...(rule.for === undefined ? [] : [`for ${rule.for}`])];
  return [
    `${name}${facts === undefined ? '' : ` (${facts.join(', ')})`}`,
    ...causes.map((cause) => `  ${joinLines(cause)}`),
    ...(rule === undefined
      ? []
      : [`  next: ${rule.annotations.next_command}; ${rule.annotations.runbook_url} in config/deploy`]),
    '',
  ].join('\n');
}

/** A problem names its rule as section of the runbook. */
function causesByRule(document: StatusDocument): ReadonlyMap<string, readonly string[]> {
  const { problems, nodes, certificates, engines, time } = document;
  const causes = new Map<string, readonly string[]>();
  const add = (rule: string, cause: string): void =>
    void causes.set(rule, [...new Set([...(causes.get(rule) ?? []), cause])]);
  for (const { runbook, component, reason } of problems)
    if (runbook !== undefined) add(runbook, `${component}: ${reason}`);
  for (const { name, up, reason = 'no reason given' } of nodes)
    if (!up && !causes.has('FabricNodeDown')) add('FabricNodeDown', `${name}: ${reason}`);
  for (const { component, subject, path, not_after: end } of certificates) {
    const left = Date.parse(end) - Date.parse(time);
    const cause = `${component}: ${subject} ${left < 0 ? 'expired' : 'expires'} ${end} (${path})`;
    if (left < 0) add('FabricNodeCertificateExpired', cause);
    else if (left < SOON) add('FabricNodeCertificateExpiresSoon', cause);
  }
  for (const { component, reason } of engineWarnings(engines, nodes))
    add('FabricDockerEngineTooNew', `${component}: ${reason}`);
  return causes;
}

/** The rules by name. */
function readRules(): ReadonlyMap<string, Rule> {
  const directory = new URL('../../../../config/deploy/prometheus/', import.meta.url);
  const rules = FILES.flatMap((file) => {
    const text = readFileSync(new URL(file, directory), 'utf8');
    const [document] = new Composer().compose(new Parser().parse(text));
    const content = document?.toJS() as RuleFile | undefined;
    return content?.groups.flatMap(({ rules: ofGroup }) => ofGroup) ?? [];
  });
  return new Map(rules.filter(({ alert }) => alert !== undefined).map((rule) => [rule.alert, rule]));
}
