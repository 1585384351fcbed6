// The files on the page as chips: what each is, and what to do with one that cannot be used. Works without a browser.

import { onOneLine } from '../../core/common/text/one-line.js';
import type { PageFile } from './files.js';
import type { NoSigner } from './results.js';
import type { DroppedMsp, SigningFolder } from './msp-folders.js';

/** A file or an MSP folder on the page. */
export interface Chip {
  /** The key of the file or the folder. */
  readonly name: string;
  readonly text: string;
  /** Its kind in words. */
  readonly title: string;
  readonly kind: 'plain' | 'you' | 'stranger' | 'bad';
}

/** The chips of files and folders. @param titleOf the name of a signer, `Org1 admin` */
export const chipsOf = (
  files: readonly PageFile[],
  msps: readonly DroppedMsp[],
  signers: readonly (SigningFolder | NoSigner)[],
  titleOf: (signer: SigningFolder | NoSigner) => string,
): readonly Chip[] => [
  ...files.map(fileChip),
  ...msps.map((msp) =>
    mspChip(
      msp,
      signers.find(({ name }) => name === msp.name),
      titleOf,
    ),
  ),
];

const baseName = (name: string): string => onOneLine(name.replace(/^.*\//, ''));

function fileChip({ name, error, config, update, identities }: PageFile): Chip {
  const text = baseName(name);
  if (error !== undefined)
    return { name, text: `${text}: ${todoText(error)}`, title: onOneLine(name), kind: 'bad' };
  if (update !== undefined) return { name, text, title: 'config update', kind: 'plain' };
  if (config === undefined)
    return { name, text, title: (identities ?? []).map(({ place }) => place).join(', '), kind: 'plain' };
  const title = config.form === 'block' ? `config block ${config.number}` : 'config without a block';
  return { name, text, title, kind: 'plain' };
}

/** The reason that a file cannot be read, and what to do. */
function todoText(error: string): string {
  const reason = onOneLine(error.replace(/^this is /, 'it is '));
  return /damaged|ends|truncated|EOF|trailing/i.test(error)
    ? `${reason}. Fetch it again`
    : `${reason}. Remove it, or choose another file`;
}

function mspChip(
  { name, owner, organization, person, error, notes }: DroppedMsp,
  signer: SigningFolder | NoSigner | undefined,
  titleOf: (signer: SigningFolder | NoSigner) => string,
): Chip {
  const folder = onOneLine(owner === '' ? name : owner);
  const title = onOneLine([name, ...notes].join('; '));
  if (error !== undefined)
    return { name, text: `${folder}: ${onOneLine(error)}. Choose the whole MSP folder`, title, kind: 'bad' };
  if (organization !== undefined) return { name, text: `MSP of ${folder}`, title, kind: 'plain' };
  if (person === undefined) return { name, text: `${folder}, without a key`, title, kind: 'plain' };
  if (signer === undefined) return { name, text: `you: ${folder}`, title, kind: 'plain' };
  return 'error' in signer
    ? {
        name,
        text: `${titleOf(signer)} belongs to no organisation of this channel`,
        title: onOneLine(signer.error),
        kind: 'stranger',
      }
    : { name, text: `you: ${titleOf(signer)}`, title, kind: 'you' };
}
