// The headline about a failed check: one sentence of at most 12 words. Its reason follows below it. Runs in browsers.

import type { Problem, StatusDocument } from '../document.js';
import { channelOf } from '../../common/text/component.js';
import { listText } from './words.js';

/** Most names in a headline: more are counted. */
export const MOST_NAMES = 3;

/** Names in a headline: `a`, `a and b`, `a, b and 5 more`. */
export const namesText = (names: readonly string[]): string => listText(names, 'and', MOST_NAMES);

/** Longest word of a headline that comes from outside, in UTF-16 units: the reason has the whole name. */
const LONGEST = 40;

/** The headline about a check that fails. @param all the same failure of other nodes, too; at least one */
export function headlineOf(all: readonly Problem[], document: StatusDocument): string {
  const [first] = all as [Problem];
  const { node, kind = '', state, component, headline } = first;
  const part = partOf(first, document);
  const given = headline ?? ownHeadline(first, document);
  const fails = state === 'failed' ? 'fails' : 'reports a warning';
  const usual =
    node === undefined || kind === ''
      ? `The check ${wordOf(component)} ${fails}`
      : `The check ${wordOf(kind)} of {node} ${fails}`;
  // A failure of all parts names none.
  const template = given === undefined || (part === undefined && given.includes('{part}')) ? usual : given;
  const nodes = [...new Set(all.map((each) => each.node ?? each.component))];
  return template.replace('{node}', () => namesText(nodes)).replace('{part}', () => wordOf(part ?? kind));
}

/** A name as one word. */
function wordOf(name: string): string {
  const word = name.replaceAll(/\s+/g, '_');
  return word.length > LONGEST ? `${word.slice(0, LONGEST - 1)}…` : word;
}

/** The part of its check that fails; undefined: all of the check. */
function partOf({ component }: Problem, { checks }: StatusDocument): string | undefined {
  const owner = checks
    .filter((each) => component.startsWith(`${each}/`))
    .toSorted((one, other) => other.length - one.length)[0];
  return owner === undefined ? undefined : component.slice(owner.length + 1);
}

/** What the names of the components of the agent itself end with: core/host/instance.ts. */
const OWN = /^(?<name>.*) \((?<kind>sink|notifier|source|logging|operations)\)$/;

/** The headline about something that no checker checks; undefined: it is about a check. */
function ownHeadline(
  { component, node, state, kind }: Problem,
  document: StatusDocument,
): string | undefined {
  if (kind === 'channel') return `The channel ${wordOf(channelOf(component) ?? component)} has a problem`;
  if (kind !== 'agent') return undefined;
  const level = leftLevelOf(component, document);
  if (level !== undefined) return `{node} logs at ${wordOf(level.spec ?? 'another level')}`;
  if (node !== undefined) return undefined;
  const { name = '', kind: of = '' } = OWN.exec(component)?.groups ?? {};
  if (of === 'operations') return 'The TLS files of the agent need attention';
  if (of !== '')
    return `The ${of} ${wordOf(name)} does not ${state === 'failed' ? 'run' : 'deliver everything'}`;
  return component.startsWith(AGENTS)
    ? `The agent of ${wordOf(component.slice(AGENTS.length))} cannot be read`
    : undefined;
}

/** The beginning of the component of the agent of another host. */
const AGENTS = 'agents/';

/** The log level that a warning about a node is about; undefined: it is about something else. */
export const leftLevelOf = (
  component: string,
  { levels }: StatusDocument,
): StatusDocument['levels'][number] | undefined => levels.find(({ name }) => component === `${name}/level`);
