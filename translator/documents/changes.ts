// Changes of a config update, and the difference of two configs, element by element, in words.

import { is, requireTypes } from '../../proto/arguments.js';
import {
  applyInSteps,
  type Applied,
  sameContent,
  type Placed,
  groupAt,
  type Config,
  type ConfigGroup,
  type ConfigValue,
  readConfigUpdate,
  writeUpdate,
  resultTypes,
} from '../channel/index.js';
import { sameBytes } from '../../proto/bytes.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { describePolicy, describeRule } from './policy.js';
import { findPolicy } from '../policy/index.js';
import { ChannelState } from '../state/index.js';
import { identityWords } from './certificate.js';
import { changeText, hiddenChange, listChanges, type ValueChange } from './value-change.js';
import { valueChanges } from './values.js';
import { compareGroups } from '../update/index.js';

/** The mod_policy of most elements. Of a new element, another mod_policy is shown. */
const USUAL = 'Admins';

/** An element that an update adds, changes or removes. */
export interface ElementChange {
  readonly placed: Placed;
  readonly change: 'new' | 'modified' | 'removed';
  /** Short texts, for example `maxMessageCount 10 → 20`. */
  readonly words: readonly string[];
  /** The data of `words`. */
  readonly data: readonly ValueChange[];
}

/** The path of an element in short, which names its section: `Orderer`, `Orderer/BatchSize`, `Application/Admins`, `Channel/Admins`. */
export const shortPath = (path: string): string =>
  path.replace(/^\/Channel\/(?=[^/]+\/|(?:Application|Orderer|Consortiums)$)/, '').replace(/^\//, '');

/** The changes of an update, in its order, then the elements that it removes. One takes up to some milliseconds. */
export function* describeChanges(
  applied: Applied,
  before: ChannelState,
  after: ChannelState,
): Generator<ElementChange> {
  const described = (
    placed: Placed,
    change: ElementChange['change'],
    old?: Placed['element'],
  ): ElementChange => {
    const data = [
      ...contentChanges(placed, change, before, after, old).map((each) =>
        change === 'new' ? asContent(each) : each,
      ),
      ...(placed.kind === 'group' && change === 'new'
        ? movedFrom(placed, applied.removed, before, after)
        : []),
      ...modPolicyChanges(placed, change, old),
    ];
    return { placed, change, words: wordsOf(placed.kind, change, data), data };
  };
  for (const each of applied.changes) yield described(each, each.change, each.before);
  for (const each of applied.removed) yield described(each, 'removed');
}

/** A new element had nothing before: `MSP id Org3MSP`, not `MSP id none → Org3MSP`. */
const asContent = (each: ValueChange): ValueChange => {
  const { change, label, after } = each;
  return change === 'changed' && label !== undefined && after !== undefined
    ? { change: 'content', label, after }
    : each;
};

function wordsOf(
  kind: Placed['kind'],
  change: ElementChange['change'],
  data: readonly ValueChange[],
): string[] {
  const words = data.map(changeText);
  if (change === 'modified') return words.length > 0 ? words : ['the same content with a new version'];
  const verb = change === 'new' ? 'added' : 'removed';
  const detail = words.length === 0 ? '' : `: ${words.join('; ')}`;
  return [kind === 'value' ? `${verb}${detail}` : `${kind} ${verb}${detail}`];
}

/** A change without words is reported as hidden. */
function contentChanges(
  placed: Placed,
  change: ElementChange['change'],
  before: ChannelState,
  after: ChannelState,
  old: Placed['element'] | undefined,
): ValueChange[] {
  const { kind, element } = placed;
  const changes = shownChanges(placed, change, before, after);
  if (changes.length > 0) return changes;
  const isHidden =
    change === 'modified'
      ? !sameContent(kind, element, old!)
      : change === 'new' && kind === 'value' && (element as ConfigValue).value.length > 0;
  return isHidden ? [hiddenChange()] : [];
}

function modPolicyChanges(
  { element: { modPolicy } }: Placed,
  change: ElementChange['change'],
  old: Placed['element'] | undefined,
): ValueChange[] {
  const [label, after] = ['mod_policy', modPolicy || 'none'];
  if (old !== undefined)
    return old.modPolicy === modPolicy
      ? []
      : [{ change: 'changed', label, before: old.modPolicy || 'none', after }];
  return change === 'new' && modPolicy !== USUAL ? [{ change: 'content', label, after }] : [];
}

function shownChanges(
  { kind, path, names }: Placed,
  change: ElementChange['change'],
  before: ChannelState,
  after: ChannelState,
): ValueChange[] {
  const place = kind === 'group' ? names : names.slice(0, -1);
  const [old, now] = [before, after].map(({ config }) => groupAt(config.channelGroup, place));
  if (kind === 'policy') return policyChanges(path, change, before, after);
  if (kind === 'group') return change === 'modified' ? memberChanges(old, now) : [];
  if (change === 'removed') return [];
  return valueChanges(names, [change === 'new' ? undefined : old, now]);
}

function policyChanges(
  path: string,
  change: ElementChange['change'],
  before: ChannelState,
  after: ChannelState,
): ValueChange[] {
  const [old, now] = [before, after].map(({ policies }) => {
    const policy = findPolicy(policies.root, path);
    return (
      policy && {
        text: describePolicy(policy, identityWords),
        rule: describeRule(policy, identityWords),
      }
    );
  });
  if (change === 'removed')
    return old === undefined ? [] : [{ change: 'content', before: old.text, rules: { before: old.rule } }];
  if (now === undefined) return [{ change: 'content', after: NOT_A_POLICY, rules: { after: NOT_A_POLICY } }];
  if (old === undefined) return [{ change: 'content', after: now.text, rules: { after: now.rule } }];
  if (old.text === now.text) return [];
  const rules = { before: old.rule, after: now.rule };
  return [{ change: 'changed', before: old.text, after: now.text, ...(old.rule !== now.rule && { rules }) }];
}

/** Fabric refuses such a policy. */
const NOT_A_POLICY = 'not a valid policy';

/** The group that a new organisation was before: the update removes one of its name with the same MSP from another section. */
function movedFrom(
  { names }: Placed,
  removed: Applied['removed'],
  before: ChannelState,
  after: ChannelState,
): ValueChange[] {
  const msp = groupAt(after.config.channelGroup, names)?.values.get('MSP')?.value;
  const was = removed.find((each) => {
    const old = groupAt(before.config.channelGroup, each.names)?.values.get('MSP')?.value;
    return each.kind === 'group' && each.names.at(-1) === names.at(-1) && sameMsp(old, msp);
  });
  return was === undefined ? [] : [{ change: 'content', label: MOVED_FROM, after: was.path }];
}

const sameMsp = (old: Uint8Array | undefined, now: Uint8Array | undefined): boolean =>
  old !== undefined && now !== undefined && sameBytes(old, now);

/** The label of the path that an organisation had before. */
export const MOVED_FROM = 'moved from';

/** The members that a group lost and got, in any order. */
function memberChanges(before: ConfigGroup | undefined, after: ConfigGroup | undefined): ValueChange[] {
  const names = (group: ConfigGroup | undefined): string[] => [
    ...(group?.groups.keys() ?? []),
    ...[...(group?.values.keys() ?? [])].map((name) => `value ${name}`),
    ...[...(group?.policies.keys() ?? [])].map((name) => `policy ${name}`),
  ];
  return listChanges(names(before), names(after)).filter(({ change }) => change !== 'reordered');
}

/** An element that differs. */
export interface ElementDifference {
  /** `/Channel/Orderer/BatchSize` */
  readonly element: string;
  readonly kind: 'group' | 'value' | 'policy';
  readonly change: 'new' | 'modified' | 'removed';
  /** Short texts, as in a review: `maxMessageCount 10 → 20`. */
  readonly words: readonly string[];
}

/**
 * Compares two configs. Elements that differ only in their version are equal.
 *
 * @throws the reason of `signal` if it aborts
 */
export async function describeDifference(
  before: Config,
  after: Config,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<ElementDifference[]> {
  requireTypes(
    { before, after, options },
    { before: resultTypes.config, after: resultTypes.config, options: is.only({ signal: CALL.signal }) },
  );
  const call = new LongCall(options);
  const { changed, read, write } = compareGroups(before.channelGroup, after.channelGroup);
  if (!changed) return [];
  await call.pause();
  const bytes = writeUpdate({ channelId: '', readSet: read, writeSet: write });
  await call.pause();
  const applied = await call.run(applyInSteps(before, readConfigUpdate(bytes)));
  const states = [new ChannelState(before, { call }), new ChannelState(after, { call })] as const;
  for (const state of states) await state.readAhead();
  const differences: ElementDifference[] = [];
  for (const { placed, change, words } of describeChanges(applied, ...states)) {
    differences.push({ element: placed.path, kind: placed.kind, change, words });
    await call.pause();
  }
  return differences;
}
