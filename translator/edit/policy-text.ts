// Parses and prints a policy in the language of configtx.yaml.

import type { Policy } from '../config/element.js';
import {
  parseImplicitMeta,
  printImplicitMeta,
  readImplicitMeta,
  writeImplicitMeta,
} from '../policy/implicit-meta.js';
import { parseSignaturePolicy } from '../policy/parse.js';
import { POLICY_TYPE } from '../policy/policies.js';
import { printSignaturePolicy } from '../policy/print.js';
import { readSignaturePolicy, writeSignaturePolicy } from '../policy/signature-policy.js';

/** Parses `MAJORITY Admins` or `OR('Org1MSP.admin')`. @throws TranslateError BAD_POLICY */
export function parsePolicy(text: string): Policy {
  if (/^(?:ANY|ALL|MAJORITY)\b/i.test(text))
    return { type: POLICY_TYPE.implicitMeta, value: writeImplicitMeta(parseImplicitMeta(text)) };
  return { type: POLICY_TYPE.signature, value: writeSignaturePolicy(parseSignaturePolicy(text)) };
}

/** Prints a policy for people. */
export function printPolicy(policy: Policy | undefined): string {
  try {
    if (policy?.type === POLICY_TYPE.implicitMeta) return printImplicitMeta(readImplicitMeta(policy.value));
    if (policy?.type === POLICY_TYPE.signature)
      return printSignaturePolicy(readSignaturePolicy(policy.value));
  } catch {
    // Whatever the bytes are, they can be replaced.
  }
  return 'a policy that cannot be printed';
}
