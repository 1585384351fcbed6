// Policies: a text or bytes are refused, or print, evaluate and are explained; what the language expresses parses back to the same bytes.

import { readFileSync } from 'node:fs';
import { TranslateError } from '../../../proto/errors.js';
import { badBytes } from '../../../proto/wire.js';
import { makeGroup, makePolicy } from '../../../translator/channel/make.js';
import { describeNeed, describePolicy } from '../../../translator/documents/index.js';
import { finish } from '../../../translator/long-call.js';
import {
  createPolicies,
  Evaluation,
  findMissing,
  findOrder,
  isExpressible,
  judge,
  parseImplicitMeta,
  parseSignaturePolicy,
  printSignaturePolicy,
  readSignaturePolicy,
  SignerList,
  writeSignaturePolicy,
  type Signer,
} from '../../../translator/policy/index.js';
import type { Input, Outcome } from '../target.js';

/** Pieces with a meaning in a policy. */
export const POLICY_WORDS = [
  'AND(',
  'OR(',
  'OutOf(2, ',
  'outof(',
  "'A.member'",
  "'Org1MSP.admin'",
  '"B.peer"',
  ', ',
  ')',
  '))',
  "'",
  '"',
  '.',
  '0',
  '-1',
  '2147483648',
  'MAJORITY Admins',
  'ANY ',
  '\u00a0',
  '\0',
  '\u001b[31m',
];

interface Recorded {
  readonly cases: readonly { dsl: string; proto?: string }[];
  readonly implicitMeta: readonly { rule: string }[];
  readonly print: readonly { proto: string }[];
}

/** Texts, and bytes of policies. */
export function policySamples(): readonly Input[] {
  const { cases, implicitMeta, print } = JSON.parse(
    readFileSync('test/vectors/policy/language.json', 'utf8'),
  ) as Recorded;
  const texts = [...cases.map(({ dsl }) => dsl), ...implicitMeta.map(({ rule }) => rule)];
  const bytes = [...cases, ...print].flatMap(({ proto }) => (proto === undefined ? [] : [proto]));
  return [
    ...texts.map((text) => Buffer.from(text)),
    ...bytes.map((encoded) => Buffer.from(encoded, 'base64')),
  ].map((sample) => ({ target: 'policy', type: '', bytes: sample }));
}

const SIGNERS: readonly Signer[] = ['A', 'B', 'Org1MSP', 'Org2MSP'].flatMap((mspid) =>
  (['admin', 'peer'] as const).map((role) => ({
    mspid,
    id: role,
    satisfies: (principal) =>
      principal.kind === 'role' &&
      principal.mspid === mspid &&
      (principal.role === role || principal.role === 'member'),
  })),
);

/** @throws any error that is not a proper refusal */
export function runPolicy({ bytes }: Input): Outcome {
  const asText = attempt(() => {
    const parsed = parseSignaturePolicy(bytes.toString());
    const again = readSignaturePolicy(writeSignaturePolicy(parsed));
    if (!isExpressible(again)) throw new Error(`does not parse back: ${printSignaturePolicy(again)}`);
  });
  const asMeta = attempt(() => parseImplicitMeta(bytes.toString()));
  const asBytes = attempt(() => printSignaturePolicy(readSignaturePolicy(bytes)));
  for (const type of [1, 3]) explain(type, bytes);
  return asText || asMeta || asBytes ? 'accepted' : 'refused';
}

/** Whether a call succeeds. Errors must be one line. */
function attempt(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch (error) {
    const refusal = badBytes(error);
    if (!(refusal instanceof TranslateError)) throw error;
    if (/[\n\r\u001b]/.test(refusal.message))
      throw new Error(`not one line: ${refusal.message}`, { cause: error });
    return false;
  }
}

/** Judges an element with a policy, and explains the result. */
function explain(type: number, value: Uint8Array): void {
  const organization = makeGroup({
    policies: new Map([['Admins', makePolicy({ policy: { type: 1, value } })]]),
  });
  const channel = createPolicies(
    makeGroup({
      groups: new Map([['Org1', organization]]),
      policies: new Map([['P', makePolicy({ policy: { type, value } })]]),
    }),
  );
  const list = new SignerList(SIGNERS);
  const evaluation = new Evaluation(list);
  const element = {
    kind: 'value',
    key: 'V',
    path: '/Channel/V',
    names: ['V'],
    before: { modPolicy: 'P' },
  } as const;
  const judgements = judge(channel, [element], evaluation);
  const missing = findMissing(judgements, evaluation, () => true);
  const nodes = missing.policies.map(({ policy }) => policy);
  const text = [describeNeed(missing.need), ...nodes.map((node) => describePolicy(node))].join();
  if (/[\n\r\u001b]/.test(text)) throw new Error(`not one line: ${JSON.stringify(text)}`);
  const order = finish(findOrder(nodes, list));
  if (order === undefined) return;
  const again = new Evaluation(list.reordered(order));
  if (!nodes.every((node) => again.satisfied(node)))
    throw new Error(`the order ${order.join()} does not satisfy`);
}
