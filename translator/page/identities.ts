// Explains the identities on the page. Works without a browser.

import { attempt } from '#proto/errors.js';
import type { ConfigFile } from '#translator/channel/index.js';
import type { ExplainedIdentity, IdentityReport } from '#translator/documents/index.js';
import { explainIdentities, type ExplainOptions, type FoundIdentity } from '#translator/identity/index.js';
import type { State } from './headline.js';

/** The identities of a file or an MSP folder. */
export interface IdentityFile {
  readonly name: string;
  readonly identities: readonly FoundIdentity[];
}

/** The explained identities of a file, or the reason that they cannot be explained. */
export type IdentityResult = { readonly name: string } & (
  | { readonly report: IdentityReport }
  | { readonly error: string }
);

/** The options of explanations on the page. */
export type IdentityOptions = Pick<ExplainOptions, 'now' | 'mspid' | 'fabric'>;

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

/** The verdict on an identity. A valid identity is `risk` if it has problems, or is valid in several MSPs. */
export function identityVerdict({
  valid,
  problems,
  mspids,
}: Pick<ExplainedIdentity, 'valid' | 'problems' | 'mspids'>): {
  readonly state: State;
  readonly text: string;
} {
  if (!valid) return { state: 'stopped', text: 'Not valid' };
  if (problems.length > 0) return { state: 'risk', text: 'Valid, with problems' };
  return mspids.length > 1
    ? { state: 'risk', text: 'Valid in several MSPs: which one counts cannot be known' }
    : { state: 'works', text: 'Valid' };
}
