// The explanations of all findings: each rule with each of its severities, and an example from the cases of the tests.

import type { Explanation } from '../../translator/built-files.js';
import { RULES } from '../../translator/rules/index.js';
import { RULE_CASES } from './rule-cases.js';

const ORDER = ['refused', 'unsigned', 'danger', 'warning'];
/** The ends of the prefixes of stages, which are the same in all texts of orderers. */
const STAGE =
  /^.*(?:sub-group config|channelconfig failed|policymanager failed|not compatible|DeltaSet|authorizing update|update is invalid|(?:initial|final) checks|inspection failed|existing channel '[^']*'): /;

/** Makes the explanations, by severity and id. @throws Error if no case shows a finding */
export async function makeExplanations(): Promise<readonly Explanation[]> {
  const found: Explanation[] = [];
  for (const { id, severities, meaning } of RULES.values())
    for (const severity of severities) {
      const findings = (await RULE_CASES.get(`${id} ${severity}`)?.()) ?? [];
      const finding = findings.find((each) => each.id === id && each.severity === severity);
      if (finding === undefined) throw new Error(`no case shows ${id} ${severity}`);
      const { orderer, text, todo, data } = finding;
      const refusal = orderer?.replace(STAGE, '').trim();
      found.push({ id, severity, meaning, ...(refusal && { orderer: refusal }), text, todo, data });
    }
  return found.toSorted(
    (one, other) =>
      ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity) || (one.id < other.id ? -1 : 1),
  );
}
