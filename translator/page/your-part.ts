// The part of the reader: what to do with it, and one button for it. Works without a browser.

import type { OrganizationNames } from '#translator/documents/index.js';
import { verdictOf, type Review } from '#translator/review/index.js';
import { signersText } from './names.js';

/** counts: the signature is missing. signed: it is there. idle: no policy needs it. */
export type Standing = 'counts' | 'signed' | 'idle';

/** A person who can sign, or who belongs to no organisation of the channel. */
export interface Person {
  /** The key of the folder on the page. */
  readonly folder: string;
  /** `Org1 admin` */
  readonly title: string;
  /** Undefined if the person cannot sign on this channel. */
  readonly standing: Standing | undefined;
  /** What a person who cannot sign is after the update: `an admin of Org3`; undefined if the update does not change it. */
  readonly future?: string | undefined;
}

/** The action of a button. */
export type Action =
  | { readonly do: 'sign'; readonly folder: string; readonly label: string }
  | { readonly do: 'download'; readonly label: string }
  | { readonly do: 'add-folder'; readonly label: string }
  | { readonly do: 'add-organization'; readonly label: string };

/** The part of a person. */
export interface YourPart {
  readonly state:
    | 'applied'
    | 'refused'
    | 'dangerous'
    | 'complete'
    | 'signed'
    | 'sign'
    | 'idle'
    | 'stranger'
    | 'nobody';
  /** One sentence without a period. */
  readonly text: string;
  /** `Nothing for you to do`, or empty. */
  readonly note: string;
  /** The one button that is filled; none if there is nothing to do. */
  readonly primary: Action | undefined;
  readonly others: readonly Action[];
  /** Whether users have to confirm the dangers before they sign. */
  readonly needsConsent: boolean;
  /** Whether the update can be submitted. */
  readonly canSubmit: boolean;
}

/** The facts for {@link yourPart}. */
interface PartFacts {
  readonly review: Review;
  /** The name of the file for the download. */
  readonly file: string;
  /** Whether the update is in no file of the user: it was made or signed on the page, or has the signatures of several files. */
  readonly isNew: boolean;
  readonly people: readonly Person[];
  readonly organizations: OrganizationNames;
  /** Whether the page has the MSP folder of an organisation. */
  readonly hasOrganization: boolean;
}

/** The next action of a person with an update. */
export function yourPart(facts: PartFacts): YourPart {
  const { review, file, people, isNew } = facts;
  const verdict = verdictOf(review);
  const downloads: readonly Action[] = isNew ? [{ do: 'download', label: `Download ${file}` }] : [];
  const [download] = downloads;
  const signs = people.flatMap(({ folder, title, standing }): readonly Action[] =>
    standing === 'counts' ? [{ do: 'sign', folder, label: `Sign as ${title}` }] : [],
  );
  const none = { note: '', primary: undefined, others: [], needsConsent: false, canSubmit: false };
  if (verdict === 'applied')
    return {
      ...none,
      ...IDLE,
      state: 'applied',
      text: 'The channel has it: nobody needs to sign it',
    };
  if (verdict === 'refused')
    return {
      ...none,
      state: 'refused',
      text: 'Send it back to its author',
      others: downloads,
    };
  if (verdict === 'dangerous') {
    const anyway = signs.map((each) => ({ ...each, label: `${each.label} anyway` }));
    const text = isComplete(review) ? 'It has all signatures: do not submit it' : 'Do not sign';
    return {
      ...none,
      state: 'dangerous',
      text,
      others: [...anyway, ...downloads],
      needsConsent: anyway.length > 0,
    };
  }
  const signed = people.filter(({ standing }) => standing === 'signed');
  if (isComplete(review))
    return {
      ...none,
      ...(isNew ? { primary: download } : IDLE),
      state: 'complete',
      text: 'Complete: it has all signatures',
      canSubmit: true,
    };
  const [first, ...others] = signs;
  if (first !== undefined)
    return {
      ...none,
      state: 'sign',
      text: 'Your signature is needed',
      primary: first,
      others: [...others, ...downloads],
    };
  const next = nextText(facts);
  if (signed.length > 0) {
    const text = `${signed.length === 1 ? 'You signed' : 'Signed'}. ${next === '' ? 'Send it on' : `Next: ${next}`}`;
    return { ...none, state: 'signed', text, primary: download };
  }
  return withoutSignature(facts, next, downloads);
}

/** Nothing to do: the person has the file already. */
const IDLE = { note: 'Nothing for you to do', primary: undefined } as const;

/** The part of a person whose signature does not count, and of nobody. */
function withoutSignature(
  { people, hasOrganization }: PartFacts,
  next: string,
  downloads: readonly Action[],
): YourPart {
  const none = { note: '', others: [], needsConsent: false, canSubmit: false };
  const [download] = downloads;
  const nothing = download === undefined ? IDLE : { primary: download };
  const stranger = people.find(({ standing }) => standing === undefined);
  if (people.some(({ standing }) => standing === 'idle')) {
    const text = `Your signature is not needed${next === '' ? '' : `: ${next} decides`}`;
    return { ...none, ...nothing, state: 'idle', text };
  }
  const future = people.find((each) => each.future !== undefined)?.future;
  if (future !== undefined)
    return { ...none, ...nothing, state: 'stranger', text: `With this update you will be ${future}` };
  if (stranger !== undefined) {
    const text = `${stranger.title} belongs to no organisation of this channel: no organisation has its CA`;
    const add: Action = { do: 'add-organization', label: 'Add this organisation…' };
    return hasOrganization
      ? { ...none, state: 'stranger', text, primary: add, others: downloads }
      : { ...none, ...nothing, state: 'stranger', text };
  }
  const add: Action = { do: 'add-folder', label: 'Choose your MSP folder to sign' };
  const text = next === '' ? 'It needs signatures' : `It needs signatures: ${next}`;
  return { ...none, state: 'nobody', text, primary: add, others: downloads };
}

/** Whether all policies have their signatures. */
export const isComplete = ({ policies }: Review): boolean => policies.every(({ satisfied }) => satisfied);

/** The maximum length of the names of signers, in characters. */
const LONGEST = 80;

/** The signers that are missing, in words, or the number of many; empty if there are none. */
function nextText({ review: { steps, policies }, organizations }: PartFacts): string {
  const names = steps.flatMap((step) => (step.do === 'sign' ? [signersText(step.who, organizations)] : []));
  const text = names.join('; ');
  const counts = policies.flatMap(({ satisfied, need, have, branches }) =>
    satisfied || typeof need !== 'number' ? [] : [`${need - (have ?? 0)} more of ${branches.length}`],
  );
  return text.length > LONGEST && counts.length > 0 ? [...new Set(counts)].join('; ') : text;
}

/** Characters that file names on all systems may have. */
const UNUSUAL = /[^\w.-]+/g;

/**
 * The name of a file with an update: it names the organisations that signed it, once, so that the files of two signers differ.
 *
 * @param name of the file without, or with other, signatures
 */
export function fileNameOf(name: string, { signatures }: Review, organizations: OrganizationNames): string {
  const base = name
    .replace(/^.*\//, '')
    .replace(/\.(?:pb|bin|json|block)$/i, '')
    .replace(/ \(\d+\)$/, '')
    .replace(/(?:\.signed(?:-[\w-]+|\d*))+$/, '')
    .replaceAll(UNUSUAL, '_');
  const signed = signatures.filter(({ countsFor }) => countsFor.length > 0);
  const names = new Set(signed.map(({ mspid }) => organizations.get(mspid) ?? mspid));
  const signers = [...names].map((each) => each.replaceAll(UNUSUAL, '_')).join('-');
  return signers === '' ? `${base}.pb` : `${base}.signed-${signers}.pb`;
}
