// Names as users read them: sorted with numbers in their order, and few of many.

import { onOneLine } from '../../core/common/text/one-line.js';
import type { OrganizationNames } from '#translator/documents/index.js';
import { naturally } from '../../core/common/text/naturally.js';

/** The number of names in a text. */
const NAMED = 3;

/** `Org1, Org2, Org3 and 247 more`; names that contain the search come first. */
export function namesText(names: readonly string[], search = ''): string {
  const wanted = search.trim().toLowerCase();
  const isFound = (name: string): number => Number(name.toLowerCase().includes(wanted));
  const sorted = names
    .toSorted(naturally)
    .toSorted((one, other) => isFound(other) - isFound(one))
    .map((each) => onOneLine(each));
  const rest = sorted.length - NAMED;
  if (rest > 0) return `${sorted.slice(0, NAMED).join(', ')} and ${rest} more`;
  return [sorted.slice(0, -1).join(', '), ...sorted.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** Signers in words of users: `Org2MSP.admin` becomes `Org2 admin`. */
export const signersText = (text: string, names: OrganizationNames): string =>
  text.replaceAll(
    /([\w.-]+)\.(admin|member|peer|client|orderer)\b/g,
    (_, mspid: string, role: string) => `${names.get(mspid) ?? mspid} ${role}`,
  );
