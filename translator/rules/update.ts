// The update itself: whether all of it is understood, its channel, read set, write set, versions, names and mod_policies; changes without
// effect, and changes that a review does not show.

import {
  type Fault,
  type Change,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigValue,
  type Policy,
  groupAt,
  sameContent,
  unknownContent,
  updateFault,
  walk,
} from '../channel/index.js';
import { quoted, words } from '../documents/index.js';
import { unknownPolicyContent } from '../policy/index.js';
import { applying, type Proposal } from './facts/proposal.js';
import { defineCheck, defineRule, prefixed, type RawFinding } from './rule.js';

const OUTDATED = 'make the update again for the newest config block: configtxlator rebase FILE --block BLOCK';

const channelMismatch = defineRule({
  id: 'channel-mismatch',
  severity: 'refused',
  isMisfit: true,
  meaning: 'the envelope and the block are for different channels',
  words: ({ channel, expected }: { channel: string; expected: string }) =>
    words(
      `the envelope is for the channel ${quoted(channel)}, the block is of ${quoted(expected)}`,
      'use a block of the channel, or correct the channel_id of the envelope',
    ),
});

const updateChannel = defineRule({
  id: 'update-channel',
  severity: 'refused',
  isMisfit: true,
  meaning: 'the update is for another channel',
  words: () => words('the update is for another channel', 'compute the update with the name of this channel'),
});

const updateName = defineRule({
  id: 'update-name',
  severity: 'refused',
  meaning: 'a name of the update is not allowed',
  words: () =>
    words(
      'a name of the update is not allowed',
      'use 1 to 249 letters, digits, dots and dashes; one or two dots alone are not allowed',
    ),
});

const updateReadSet = defineRule({
  id: 'update-read-set',
  severity: 'refused',
  isMisfit: true,
  meaning: 'the read set has other versions than the config',
  words: ({ isMissing }: { isMissing: boolean }) =>
    isMissing
      ? words(
          'the update was not computed from this config: the channel has no such element, so it was computed from the config of another channel, or the element was removed since',
          'compute it again from the config of this channel: configtxlator edit BLOCK --with UPDATED_CONFIG',
        )
      : words(
          'the update was not computed from this config: an element that it depends on has another version',
          OUTDATED,
        ),
});

const updateEmpty = defineRule({
  id: 'update-empty',
  severity: 'refused',
  meaning: 'the update changes nothing',
  words: () =>
    words(
      'the update changes nothing',
      'compute it from the current config and a changed one, in this order',
    ),
});

const updateModPolicy = defineRule({
  id: 'update-mod-policy',
  severity: 'refused',
  meaning: 'a changed element has no valid mod_policy',
  words: () =>
    words(
      'a changed element has no valid mod_policy',
      'set mod_policy to the name of a policy, for example Admins, or to a path such as /Channel/Application/Admins',
    ),
});

const updateVersion = defineRule({
  id: 'update-version',
  severity: 'refused',
  isMisfit: true,
  meaning: 'a changed element does not have the next version',
  words: () =>
    words(
      'the update was not computed from this config: a changed element does not have the next version',
      OUTDATED,
    ),
});

/** Computing an update from a block, which may be given in place of its config. */
const FROM_BLOCK =
  'compute it again with configtxlator edit BLOCK --with UPDATED_CONFIG, which reads blocks; or first extract the config of the block: configtxlator proto_decode --type common.Block, jq .data.data[0].payload.data.config, configtxlator proto_encode --type common.Config';

const updateOfEmptyConfig = defineRule({
  id: 'update-of-empty-config',
  severity: 'refused',
  isMisfit: true,
  meaning: 'the update adds what the channel already has',
  words: ({ added, all }: { added: number; all: number }) =>
    words(
      `the update adds ${added === all ? 'every element' : `${added} of the ${all} elements`} of the channel as new, so it was not computed from a config of the channel: compute_update of Fabric, for example, reads a block given as --original as an empty config, without a message`,
      FROM_BLOCK,
    ),
});

const updateToEmptyConfig = defineRule({
  id: 'update-to-empty-config',
  severity: 'refused',
  meaning: 'the update removes everything in the channel',
  words: () =>
    words(
      'the update removes every element of the channel, so it was not computed with an updated config: compute_update of Fabric, for example, reads a block given as --updated as an empty config, without a message',
      FROM_BLOCK,
    ),
});

const updateNotCanonical = defineRule({
  id: 'update-not-canonical',
  severity: 'refused',
  meaning: 'the update has content that is not understood',
  words: ({ content }: { content: string }) =>
    words(
      `the update has content that is not understood: ${content}; an orderer may accept it, but nobody should sign it`,
      'make the update again from two configs, and ask who made this one',
    ),
});

const updateWithoutEffect = defineRule({
  id: 'update-without-effect',
  severity: 'warning',
  meaning: 'the update sets only what the config already has',
  words: () =>
    words(
      'the update sets only what the config already has: it changes versions, nothing else',
      'compute it again, from the current config to the changed one; perhaps they were swapped',
    ),
});

const changeWithoutEffect = defineRule({
  id: 'change-without-effect',
  severity: 'warning',
  meaning: 'the update sets an element to its present content',
  words: ({ elements }: { elements: number }) =>
    words(
      elements === 1
        ? 'the update sets an element to what it already is'
        : `the update sets ${elements} elements to what they already are`,
      'leave these elements out of the update: fewer signatures may be needed',
    ),
});

const changeIgnored = defineRule({
  id: 'change-ignored',
  severity: 'warning',
  meaning: 'orderers ignore a new element, because the version of its group is the old one',
  words: () =>
    words(
      'the element is new, but its group is not raised to the next version: orderers accept that and ignore it',
      'compute the update from two configs instead of writing it by hand',
    ),
});

const changeNotShown = defineRule({
  id: 'change-not-shown',
  severity: 'danger',
  meaning: 'the review does not show everything that the update changes',
  words: ({ reason }: { reason: string }) =>
    words(
      `the review does not show everything that the update changes here: ${reason}`,
      'compare the JSON of both configs with configtxlator proto_decode, and ask who made the update',
    ),
});

/** The update has one meaning only. An orderer may accept other ones, but nobody should sign them. */
export const understood = defineCheck({
  needs: 'update',
  rules: [updateNotCanonical],
  find({ update }) {
    const content = updateFault(update);
    return content === undefined ? [] : [updateNotCanonical.at('', { content })];
  },
});

/** An orderer finds the channel by the header of the envelope. */
export const channelOfEnvelope = defineCheck({
  needs: 'update',
  rules: [channelMismatch],
  find({ file, block }) {
    if (file.channel === undefined || block.channel === undefined || file.channel === block.channel)
      return [];
    const data = { channel: file.channel, expected: block.channel };
    return [channelMismatch.refused('channel does not exist', '', data)];
  },
});

const UPDATE_RULES = {
  channel: updateChannel,
  empty: updateEmpty,
  'mod-policy': updateModPolicy,
  name: updateName,
  'read-set': updateReadSet,
  version: updateVersion,
} as const satisfies Readonly<Record<Fault['rule'], unknown>>;

/** The rules that an update breaks, in the order of Fabric's checks (common/configtx/update.go). */
export const versions = defineCheck({
  needs: 'proposal',
  rules: [...Object.values(UPDATE_RULES), updateOfEmptyConfig, updateToEmptyConfig],
  find: (proposal) => prefixed(`${applying(proposal)}error authorizing update: `, brokenRules(proposal)),
});

/** All faults; those with one cause are one finding, in the place of the first. */
function brokenRules(proposal: Proposal): RawFinding[] {
  const { faults } = proposal.applied;
  const { added, all, isOfEmpty } = addedAgain(proposal);
  const first = faults.find(({ rule }) => rule === 'version');
  return faults.flatMap((fault) => {
    const { rule, text, path = '', isMissing = false } = fault;
    if (rule === 'version' && isOfEmpty)
      return fault === first ? [updateOfEmptyConfig.refused(text, '', { added, all })] : [];
    if (rule === 'mod-policy' && path === '/Channel' && removesAll(proposal))
      return [updateToEmptyConfig.refused(text, path, {})];
    return rule === 'read-set'
      ? [updateReadSet.refused(text, path, { isMissing })]
      : [UPDATE_RULES[rule].refused(text, path, {})];
  });
}

/** The elements that an update adds although the channel has them, as if it had been computed from an empty config. */
function addedAgain({ applied, before }: Proposal): {
  readonly added: number;
  readonly all: number;
  readonly isOfEmpty: boolean;
} {
  const { channelGroup } = before.config;
  const again = new Set(
    applied.changes
      .filter(
        ({ names, element, read, before: known }) =>
          names.length > 0 && known !== undefined && read === undefined && element.version === 0n,
      )
      .map(({ key }) => key),
  );
  const elements = [...walk(channelGroup, [])].filter(({ names }) => names.length > 0);
  // An update by hand may add one or the other again.
  const ofRoot = elements.filter(({ kind, names }) => kind === 'value' && names.length === 1);
  const isOfEmpty =
    again.size > ofRoot.length && ofRoot.length > 0 && ofRoot.every(({ key }) => again.has(key));
  return { added: again.size, all: elements.length, isOfEmpty };
}

function removesAll({ update, before }: Proposal): boolean {
  const size = ({ groups, values, policies }: ConfigGroup): number =>
    groups.size + values.size + policies.size;
  const written = update?.writeSet;
  return written !== undefined && size(written) === 0 && size(before.config.channelGroup) > 0;
}

/** One pass over the changes: finds changes that orderers ignore or that have no effect. */
export const effects = defineCheck({
  needs: 'update',
  rules: [changeIgnored, updateWithoutEffect, changeWithoutEffect],
  find({ applied: { changes, config } }) {
    const lost = changes.filter((change) => isLost(change, config.channelGroup));
    const same = changes.filter(hasNoEffect);
    const found = lost.map(({ path }) => changeIgnored.at(path, {}));
    if (same.length === 0) return found;
    const { path } = same[0]!;
    return [
      ...found,
      same.length === changes.length
        ? updateWithoutEffect.at(path, {})
        : changeWithoutEffect.at(path, { elements: same.length }),
    ];
  },
});

/** Whether the resulting config lacks an element that the update adds. */
function isLost({ kind, names, change }: Change, root: ConfigGroup): boolean {
  const name = names.at(-1);
  if (change !== 'new' || name === undefined) return false;
  const group = groupAt(root, names.slice(0, -1));
  const elements = { group: group?.groups, value: group?.values, policy: group?.policies }[kind];
  return elements?.has(name) !== true;
}

const hasNoEffect = ({ kind, element, before }: Change): boolean =>
  before !== undefined && element.modPolicy === before.modPolicy && sameContent(kind, element, before);

/** Changes that a review does not show in words. Nobody should sign hidden changes. */
export const notShown = defineCheck({
  needs: 'update',
  rules: [changeNotShown],
  find({ changes, applied }) {
    const reasons = new Map(
      changes
        .filter(({ data }) => data.some(({ hidden }) => hidden === true))
        .map(({ placed: { path } }) => [path, 'it cannot be shown here']),
    );
    for (const change of applied.changes) {
      const reason = reasonIn(change);
      if (reason !== undefined) reasons.set(change.path, reason);
    }
    return [...reasons].map(([path, reason]) => changeNotShown.at(path, { reason }));
  },
});

/** Unknown content of the new value or policy, unless the previous one has the same. */
function reasonIn({ kind, names, element, before }: Change): string | undefined {
  const contentOf =
    kind === 'value'
      ? (one: Change['element']) => unknownContent(names, (one as ConfigValue).value)
      : (one: Change['element']) => policyContent((one as ConfigPolicy).policy);
  if (kind === 'group') return undefined;
  const reason = contentOf(element);
  return reason === undefined || (before !== undefined && contentOf(before) === reason) ? undefined : reason;
}

const policyContent = (policy: Policy | undefined): string | undefined =>
  policy && unknownPolicyContent(policy);
