// Rules: each defines one kind of finding, with all its attributes in one entry. A check makes findings of one or several rules.

import { serviceSentence, type AffectedService, type FindingWords } from '../documents/index.js';
import type { ConfigFile, FabricVersion } from '../channel/index.js';
import type { ChannelState, Service } from '../state/index.js';
import type { Facts } from './facts/gather.js';
import type { Proposal } from './facts/proposal.js';

/** refused: orderers refuse the update. unsigned: signatures are missing. danger: accepted, although harmful. warning: read it. */
export type Severity = 'refused' | 'unsigned' | 'danger' | 'warning';

/**
 * A step after a review. correct: correct the update as in the text. review: review it again. sign: further signatures are needed. merge:
 * merge the signed files. check: check the dangers. submit: send it. join: let a new orderer join. restart: restart orderers.
 */
export type NextStep = { readonly text: string } & (
  | { readonly do: 'correct' | 'review' | 'merge' | 'check' | 'submit' | 'join' }
  /** `who`: the signers in words; `policies`: the paths of the policies that need them. */
  | { readonly do: 'sign'; readonly who: string; readonly policies: readonly string[] }
  /** `consenters`: their names in the text. */
  | { readonly do: 'restart'; readonly consenters: readonly string[] }
);

/** Further attributes of the findings of a rule. */
interface Attributes {
  /** They say that the update was not computed from the config. */
  readonly isMisfit?: true;
  /** They are about the submitter of the envelope. */
  readonly isOfSubmitter?: true;
  /** It is unknown whether orderers accept the update: such a danger cannot be allowed. */
  readonly isOpen?: true;
  /** The config cannot be read any further: later checks are skipped. */
  readonly stops?: true;
  /** They mean something only if orderers support the capabilities of the channel. */
  readonly needsCapabilities?: true;
  /** They name the gainers of control by their policy; no other finding does. */
  readonly tellsGains?: true;
  /** They report the loss of this service; no other finding does. */
  readonly tellsService?: Service['name'];
  /** They are about the mod_policy of an element, not about its content. */
  readonly isOfModPolicy?: true;
  /** The next step if nothing is refused, besides the words of a finding. */
  readonly next?: (facts: Facts) => NextStep;
}

/** The definition of a rule. */
interface Definition<Id extends string, Data extends object, Tells extends boolean> extends Attributes {
  /** Stable: ids are added, never removed or renamed. */
  readonly id: Id;
  /** The severity of its findings; the check chooses one of two. */
  readonly severity: Severity | readonly [Severity, Severity];
  /** One line without a period. */
  readonly meaning: string;
  /** The text of a finding about an element, and its correction. */
  readonly words: (data: Data, path: string) => FindingWords;
  /** The fact that a review cannot know because of a finding. */
  readonly unknown?: (data: Data) => string;
  /** A danger of this rule names the actors that lose services by its element; no other finding does. */
  readonly tellsLosses?: Tells;
  /** The parts of the element that a finding is about, such as an ACL or consenters: it is new if one of them is. */
  readonly subjects?: (data: Data) => readonly string[];
}

/** A rule. */
export interface Rule<
  Id extends string = string,
  Data extends object = never,
  Tells extends boolean = boolean,
> extends Attributes {
  readonly id: Id;
  /** The severities that its findings have. */
  readonly severities: readonly Severity[];
  readonly meaning: string;
  readonly tellsLosses: Tells;
  /**
   * Makes a finding.
   *
   * @param path of the element, for example `/Channel/Orderer/BatchSize`; empty if it is not about one
   * @param severity where the rule has two
   */
  at(path: string, data: Data, severity?: Severity): RawFinding;
  /** Makes a finding with the text of the orderer, after the status. `…` in it stands for a dump of messages or certificates. */
  refused(orderer: string, path: string, data: Data): RawFinding;
}

/** A finding of a check, before it is put into words. */
export interface RawFinding {
  readonly rule: Pick<Rule, 'id' | 'tellsLosses' | keyof Attributes>;
  readonly severity: Severity;
  readonly path: string;
  readonly data: object & Losing;
  readonly orderer?: string;
  readonly words: () => FindingWords;
  /** The fact that a review cannot know because of it. */
  readonly unknown: string | undefined;
  /** The parts of the element that it is about; empty for the whole element. */
  readonly subjects: readonly string[];
  /** The rule of the finding that it follows from. */
  readonly explainedBy?: string;
}

/** The losses of actors by the element of a finding. */
export interface Losing {
  /** Undefined if nobody loses a service by it. */
  readonly losses?: readonly AffectedService[];
}

/** Defines a rule. */
export function defineRule<
  const Id extends string,
  Data extends object = Readonly<Record<string, never>>,
  const Tells extends boolean = false,
>(definition: Definition<Id, Data, Tells>): Rule<Id, Data, Tells> {
  const { severity, words, unknown, subjects, tellsLosses, ...attributes } = definition;
  const severities: readonly Severity[] = typeof severity === 'string' ? [severity] : severity;
  const found = (path: string, data: Data, chosen = severities[0]!): RawFinding => ({
    rule,
    severity: chosen,
    path,
    data,
    words: () => words(data, path),
    unknown: unknown?.(data),
    subjects: subjects?.(data) ?? [],
  });
  const rule: Rule<Id, Data, Tells> = {
    ...attributes,
    severities,
    tellsLosses: (tellsLosses ?? false) as Tells,
    at: found,
    refused: (orderer, path, data) => ({ ...found(path, data), orderer }),
  };
  return rule;
}

/**
 * The input of checks. `block`: a block to join with. `config`: one config; a review checks the config before and after an update, and
 * reports only new findings. `proposal`: an update applied to a config. `certificates`: also MSPs and policies. `update`: also the envelope
 * and its signatures.
 */
interface Contexts {
  readonly block: { readonly file: ConfigFile; readonly fabric: FabricVersion };
  readonly config: ChannelState;
  readonly proposal: Proposal;
  readonly certificates: Proposal;
  readonly update: Facts;
}

/** A check: one pass for its rules. A check of several rules reads the same part of a config for all of them, in Fabric's order. */
export interface Check<
  Needs extends keyof Contexts = keyof Contexts,
  Rules extends readonly Pick<Rule, 'id'>[] = readonly Pick<Rule, 'id'>[],
> {
  readonly needs: Needs;
  readonly rules: Rules;
  /** Whether orderers check it in a config by itself, too. */
  readonly isOfConfig?: boolean;
  find(context: Contexts[Needs]): readonly RawFinding[] | Promise<readonly RawFinding[]>;
}

/** Defines a check. */
export const defineCheck = <
  const Needs extends keyof Contexts,
  const Rules extends readonly Pick<Rule, 'id'>[],
>(
  check: Check<Needs, Rules>,
): Check<Needs, Rules> => check;

/** The words of a finding; the losses of actors by its element are in its text only. */
export function wordsOf({ words, data }: RawFinding): FindingWords {
  const { text, todo, short } = words();
  const losses = lossText(data);
  return {
    text: text + losses,
    todo,
    ...(losses === '' ? short !== undefined && { short } : { short: short ?? text }),
  };
}

/** `; after this update, peers of Org2 cannot read blocks` */
const lossText = ({ losses = [] }: Losing): string =>
  losses.length === 0 ? '' : `; after this update, ${serviceSentence(losses, 'cannot')}`;

/** Adds a prefix to the orderer's text of findings. */
export const prefixed = (prefix: string, found: readonly RawFinding[]): RawFinding[] =>
  found.map((each) => ({ ...each, orderer: prefix + (each.orderer ?? '') }));
