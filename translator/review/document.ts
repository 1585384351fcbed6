// The documents about reviews of config updates, and about checks of configs.

import { is, requireTypes } from '../../proto/arguments.js';
import {
  firstOf,
  listOf,
  majorityLines,
  onOneLine,
  placeText,
  sectionOf,
  tableOf,
  type Cell,
  type Document,
  type Problem,
  type Rows,
  type Section,
  type Tone,
} from '../documents/index.js';
import type { Finding, Severity } from '../rules/index.js';
import { addedCas, addedCaText } from './added-cas.js';
import type {
  ConfigCheck,
  Conflict,
  ProposalsReview,
  Review,
  ReviewedElement,
  ReviewedPolicy,
  ReviewedSignature,
} from './result.js';
import {
  countingFindings,
  groupFindings,
  separate,
  statedFinding,
  summaryOf,
  type FindingGroup,
} from './verdict.js';

/** The number of rows of each section that are shown at first. */
const SHOWN = 100;
const HINT = ': --json has all';
const LIMIT = { shown: SHOWN, hint: HINT };
/** The number of policies that are named for a signature. */
const POLICIES_SHOWN = 3;
/** The maximum width of a column of the policies, in characters. */
const MAX_WIDTH = 60;
/** The number of conflicts that are shown at first, and of elements that are named for each. */
const CONFLICTS_SHOWN = 20;

const TONES: Readonly<Record<Severity, Tone>> = {
  refused: 'bad',
  unsigned: 'open',
  danger: 'bad',
  warning: 'open',
};

const REVIEW = is.named(
  'a result of review',
  is.record({ findings: is.list(is.any), policies: is.list(is.any) }),
);
const CHECK = is.named('a result of checkConfig', is.record({ findings: is.list(is.any) }));
const PROPOSALS = is.named(
  'a result of reviewProposals',
  is.record({ proposals: is.list(is.any), conflicts: is.list(is.any) }),
);

/** Describes a review. @param allowed ids of known dangers, as of `summaryOf` */
export function reviewDocument(review: Review, allowed?: ReadonlySet<string>): Document {
  requireTypes({ review, allowed }, { review: REVIEW, allowed: is.optional(is.set) });
  const { policies, signatures, majorities, findings, next, unknown, fingerprint, appliedIn } = review;
  const title = titleOf(review, allowed);
  if (appliedIn !== null) return { title, sections: sectionOf('fingerprint', [listOf([fingerprint])]) };
  return {
    title,
    sections: [
      ...sectionOf('changes', [changesBlock(review)]),
      ...sectionOf('must sign', [
        tableOf(policies.map(policyCells), {
          columns: ['policy', 'rule', 'state'],
          maxWidth: MAX_WIDTH,
          limit: LIMIT,
        }),
      ]),
      ...sectionOf('majorities', [listOf(majorityLines(majorities), { limit: LIMIT })]),
      ...sectionOf('signatures', [
        listOf(signatures.map(signatureCells), { limit: LIMIT }),
        listOf([['submitter', submitterText(review)]]),
      ]),
      findingsSection(findings, allowed),
      ...sectionOf('unknown', [listOf(unknown)], 'cannot be known'),
      ...sectionOf('fingerprint', [listOf([fingerprint])]),
      ...sectionOf('next', [listOf([[{ items: [...compareTexts(review), ...next] }]])]),
    ],
  };
}

/** Describes a check of one config. @param allowed as of `reviewDocument` */
export function checkDocument(check: ConfigCheck, allowed?: ReadonlySet<string>): Document {
  requireTypes({ check, allowed }, { check: CHECK, allowed: is.optional(is.set) });
  const { channel, block, findings } = check;
  return {
    title: `${placeText(channel, block) || 'config'}; ${summaryOf(check, allowed)}`,
    sections: [findingsSection(findings, allowed)],
  };
}

function titleOf(review: Review, allowed: ReadonlySet<string> | undefined): string {
  const { channel, block, fits, appliedIn } = review;
  const place = block === null ? '' : `, block ${block}`;
  if (appliedIn !== null) return `channel ${channel}${place}; ${summaryOf(review, allowed)}`;
  const fit = fits ? 'the update fits' : 'the update was not computed from';
  return `channel ${channel}${place}; ${fit} this ${block === null ? 'config' : 'block'}; ${summaryOf(review, allowed)}`;
}

/** The number of new CAs that are named. */
const CAS_SHOWN = 5;

function compareTexts(review: Review): readonly string[] {
  const texts = addedCas(review).map(addedCaText);
  const rest = texts.length - CAS_SHOWN;
  return rest <= 0 ? texts : [...texts.slice(0, CAS_SHOWN), `compare ${rest} more new CAs`];
}

/** The elements with dangers come first, and are always shown. */
function changesBlock({ elements, findings }: Review): Rows {
  const paths = new Set(findings.filter(isGrave).map(({ path }) => path));
  const rows = elements.filter((each) => !isNamedByParent(each, elements));
  const [grave, others] = separate(rows, ({ element }) => paths.has(element));
  return listOf(
    [...grave, ...others].map((each) => [each.element, changeCell(each)]),
    { columns: ['element', 'change'], limit: { shown: grave.length + SHOWN, hint: HINT } },
  );
}

/** Whether the row of the parent of a group shows already that the group is added or removed, and nothing else changes. */
function isNamedByParent(
  { element, kind, change, data }: ReviewedElement,
  elements: readonly ReviewedElement[],
): boolean {
  if (kind !== 'group' || change === 'modified' || data.length > 0) return false;
  const at = element.lastIndexOf('/');
  const [parent, name] = [element.slice(0, at), onOneLine(element.slice(at + 1))];
  const done = change === 'new' ? 'added' : 'removed';
  return elements.some(
    (each) =>
      each.element === parent && each.data.some((member) => member.change === done && member.label === name),
  );
}

/** The changes of an element. */
export const changeCell = ({ change, words, data }: ReviewedElement): Cell => ({
  items: change === 'modified' && data.length > 0 ? data : words,
});

function policyCells({ policy, text, satisfied, have, need }: ReviewedPolicy): string[] {
  const state = satisfied ? 'satisfied' : 'not satisfied';
  return [policy, text, have === null ? state : `${have} of ${need}`];
}

function signatureCells({ mspid, subject, notAfter, problem, countsFor }: ReviewedSignature): string[] {
  const until = notAfter === null ? '' : `, valid until ${notAfter.slice(0, 10)}`;
  const counts =
    problem ??
    (countsFor.length === 0 ? 'does not count here' : `counts for ${firstOf(countsFor, POLICIES_SHOWN)}`);
  return [mspid === '' ? 'unknown' : mspid, `${subject}${until}; ${counts}`];
}

function submitterText({ submitter: { policy, signature, satisfied } }: Review): string {
  const who = signature === null ? 'none yet' : `${signature.mspid} ${signature.subject}`.trim();
  const may = satisfied ? `may submit (${policy})` : 'may not submit: see findings';
  return `${who}; ${signature === null ? `must satisfy ${policy}` : may}`;
}

/** Refusals and dangers come first, and are always shown; findings that follow from others are not. */
function findingsSection(all: readonly Finding[], allowed: ReadonlySet<string> | undefined): Section {
  const findings = countingFindings({ findings: all }, allowed);
  const stated = statedFinding({ findings }, allowed);
  const [grave, others] = separate(groupFindings(findings), ([finding]) => isGrave(finding));
  const limit = { shown: grave.length + SHOWN, hint: HINT };
  return {
    id: 'findings',
    title: 'findings',
    blocks:
      findings.length === 0
        ? [listOf(['none'])]
        : [
            {
              kind: 'problems',
              problems: [...grave, ...others].map((same) => problemOf(same, stated)),
              limit,
            },
          ],
  };
}

const isGrave = ({ severity }: Finding): boolean => severity === 'refused' || severity === 'danger';

/** Equal findings, with the orderer's text of the first. @param stated the finding that the title states */
function problemOf(same: FindingGroup, stated: Finding | undefined): Problem {
  const [{ id, severity, text, short, todo, orderer }] = same;
  const isStated = stated !== undefined && same.includes(stated);
  return {
    id,
    tone: TONES[severity],
    label: severity,
    text,
    ...(short !== undefined && { short }),
    ...(isStated && { isStated }),
    paths: [...new Set(same.map(({ path }) => path).filter((path) => path !== ''))],
    ...(orderer !== undefined && { orderer }),
    todo,
  };
}

/** Describes the conflicts between updates, if there are any, and then the reviews. @param allowed as of `reviewDocument` */
export function proposalsDocuments(
  result: ProposalsReview,
  allowed?: ReadonlySet<string>,
): readonly Document[] {
  requireTypes({ result, allowed }, { result: PROPOSALS, allowed: is.optional(is.set) });
  const { proposals, conflicts } = result;
  const reviews = proposals.map(({ files, review }): Document => {
    const { title = '', sections = [] } = reviewDocument(review, allowed);
    return { title: files.join(', '), sections: [{ id: 'review', title, blocks: [] }, ...sections] };
  });
  return [...conflictsDocuments(conflicts), ...reviews];
}

/** The document about conflicts; none without conflicts. */
export function conflictsDocuments(conflicts: readonly Conflict[]): readonly Document[] {
  if (conflicts.length === 0) return [];
  const lines = listOf(conflicts.map(conflictText), { limit: { shown: CONFLICTS_SHOWN } });
  const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
  return [{ sections: [{ id: 'conflicts', title: `${count}: ${CONFLICT_MEANS}`, blocks: [lines] }] }];
}

const CONFLICT_MEANS = 'of two updates that change the same element only one can be accepted';

function conflictText({ files: [one, other], elements }: Conflict): string {
  const more = elements.length - CONFLICTS_SHOWN;
  const names = [...elements.slice(0, CONFLICTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return `${one} and ${other} both change ${names}: once one is accepted, make the other again with configtxlator rebase`;
}
