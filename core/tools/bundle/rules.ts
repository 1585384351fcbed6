// Judges the alert rules of config/deploy/prometheus by one status.

import { fileURLToPath } from 'node:url';
import { readConfigFile } from '../../../config/index.js';
import { joinLines, onOneLine } from '../../common/text/one-line.js';
import { engineWarnings, type StatusDocument } from '../../status/index.js';

const FILES = ['alerts.yaml', 'node-alerts.yaml'];
const DAY = 86_400_000;
/** The limit of `FabricNodeCertificateExpiresSoon`, in milliseconds. */
const SOON = 30 * DAY;
/** The rules that {@link causesByRule} and {@link describeRules} judge; a problem in the status names one of them. */
const JUDGED: ReadonlySet<string> = new Set([
  'FabricOpsAgentDown',
  'FabricHealthCheckFailing',
  'FabricHealthCheckWarning',
  'FabricOpsAgentCertificateNotReloaded',
  'FabricOpsAgentSinkDeliversNothing',
  'FabricOpsAgentNotifierNotDelivered',
  'FabricNodeDown',
  'FabricChannelStopped',
  'FabricChannelAtRisk',
  'FabricNodeCertificateExpired',
  'FabricNodeCertificateExpiresSoon',
  'FabricDockerEngineTooNew',
]);
/** PromQL that compares values of different times: ranges and offsets. */
const HISTORY = /\[\d+\w+\]|\boffset\b/;

interface Rule {
  readonly severity: string;
  /** PromQL. */
  readonly condition: string;
  /** Time for which its condition must be true, such as `5m`; empty: none. */
  readonly duration: string;
  readonly nextCommand: string;
  readonly runbookUrl: string;
}

/** A mapping of YAML. */
type Mapping = ReadonlyMap<string, unknown>;

/** Lists the rules that are true, with the causes; then the other rules: not true, or impossible to judge. */
export function describeRules(document: StatusDocument, isAgentDown: boolean): string {
  const found = new Map([
    ...(isAgentDown ? [['FabricOpsAgentDown', ['no agent responds']] as const] : []),
    ...causesByRule(document),
  ]);
  const rules = readRules();
  const firing = [...found].map(([name, causes]) => ruleText(name, rules.get(name), causes));
  const others = [...rules].filter(([name]) => !found.has(name));
  const unjudged = others.filter(([name]) => !JUDGED.has(name));
  const [overTime, ofMetrics] = [true, false].map((usesHistory) =>
    unjudged.filter(([, { condition }]) => HISTORY.test(condition) === usesHistory),
  ) as [typeof others, typeof others];
  return [
    'The alert rules of config/deploy/prometheus, judged by one status. A rule with "for" fires only when its condition',
    'has been true that long, which one status cannot show.',
    '',
    'True now:',
    '',
    ...(firing.length === 0 ? ['none', ''] : firing),
    ...namesOf(
      'Not true now:',
      others.filter(([name]) => JUDGED.has(name)),
    ),
    ...namesOf(
      'Cannot be judged by one status, because the condition compares values over time; ask Prometheus:',
      overTime,
    ),
    ...namesOf(
      'Not judged, because the condition is about metrics that the status does not have:',
      ofMetrics,
    ),
  ].join('\n');
}

/** A title, and the names of rules with their durations. */
const namesOf = (title: string, rules: readonly (readonly [name: string, rule: Rule])[]): string[] => [
  title,
  '',
  ...rules.map(([name, rule]) => `${name} (${factsOf(rule)})`),
  ...(rules.length === 0 ? ['none'] : []),
  '',
];

/** `critical, for 1m` */
const factsOf = ({ severity, duration }: Rule): string =>
  duration === '' ? severity : `${severity}, for ${duration}`;

function ruleText(name: string, rule: Rule | undefined, causes: readonly string[]): string {
  const lines = causes.map((cause) => `  ${onOneLine(joinLines(cause))}`);
  if (rule === undefined) return [onOneLine(name), ...lines, ''].join('\n');
  const { nextCommand, runbookUrl } = rule;
  const next = `  next: ${nextCommand}; ${runbookUrl} in config/deploy`;
  return [`${name} (${factsOf(rule)})`, ...lines, next, ''].join('\n');
}

/** The causes of each rule that is true. A problem names its rule as a section of the runbook. */
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

function readRules(): ReadonlyMap<string, Rule> {
  const directory = fileURLToPath(new URL('../../../../config/deploy/prometheus/', import.meta.url));
  const groups = FILES.flatMap((file) => listIn(readConfigFile(file, directory).tree as Mapping, 'groups'));
  const rules = groups.flatMap((group) => listIn(group, 'rules'));
  return new Map(rules.map((rule) => [textIn(rule, 'alert'), ruleIn(rule)]));
}

function ruleIn(rule: Mapping): Rule {
  const [labels, annotations] = [rule.get('labels') as Mapping, rule.get('annotations') as Mapping];
  return {
    severity: textIn(labels, 'severity'),
    condition: textIn(rule, 'expr'),
    duration: textIn(rule, 'for'),
    nextCommand: textIn(annotations, 'next_command'),
    runbookUrl: textIn(annotations, 'runbook_url'),
  };
}

const listIn = (mapping: Mapping, key: string): readonly Mapping[] => mapping.get(key) as readonly Mapping[];
const textIn = (mapping: Mapping, key: string): string => (mapping.get(key) as string | undefined) ?? '';
