// What the identities on the page are on the channel. Works without a browser.

import type { ConfigFile } from 'fabric-ops-agent/translator/channel';
import {
  type ExplainedIdentity,
  type IdentityReport,
  explainIdentities,
  type ExplainOptions,
  type FoundIdentity,
} from 'fabric-ops-agent/translator/review';
import { attempt } from 'fabric-ops-agent/translator';
import type { Verdict } from './verdict.js';

/** The identities of a file or an MSP folder. */
export interface IdentityFile {
  readonly name: string;
  readonly identities: readonly FoundIdentity[];
}

/** What they are on the channel, or why that cannot be said. */
export type IdentityResult = { readonly name: string } & (
  | { readonly report: IdentityReport }
  | { readonly error: string }
);

/** Explains the identities of all files. */
export const explainAll = async (
  files: readonly IdentityFile[],
  base: ConfigFile,
  options: ExplainOptions,
): Promise<readonly IdentityResult[]> =>
  Promise.all(
    files.map(async ({ name, identities }) =>
      attempt(
        async (): Promise<IdentityResult> => ({
          name,
          report: await explainIdentities(identities, base, options),
        }),
        ({ message }) => ({ name, error: message }),
      ),
    ),
  );

/** The verdict on an identity. One that is valid is not `good` if something is wrong with it, or several MSPs have issued it. */
export function identityVerdict({
  valid,
  problems,
  mspids,
}: Pick<ExplainedIdentity, 'valid' | 'problems' | 'mspids'>): Verdict {
  if (!valid) return { kind: 'bad', text: 'Not valid' };
  if (problems.length > 0) return { kind: 'open', text: 'Valid, with problems' };
  return mspids.length > 1
    ? { kind: 'open', text: 'Valid in several MSPs: which one counts cannot be known' }
    : { kind: 'good', text: 'Valid' };
}
