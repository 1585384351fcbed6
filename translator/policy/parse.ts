// Parses signature policies: AND('Org1MSP.admin', OutOf(2, 'Org2MSP.peer', 'Org3MSP.peer', 'Org4MSP.peer')).
//
// The result has the bytes of Fabric's parser (common/policydsl/policyparser.go): each principal has its own index, and a gate numbers
// the principals of its nested gates before its own.

import { is, requireTypes } from '../../proto/arguments.js';
import { ROLES, writePrincipal } from './principal-bytes.js';
import type { Principal } from '../msp/index.js';
import {
  MAX_DEPTH,
  MAX_RULES,
  type PolicyIdentity,
  type SignatureRule,
  type SignaturePolicy,
} from './signature-policy.js';
import { badPolicy, describeToken, quoted, Tokens, type Token } from './tokens.js';

const GATES = ['AND', 'And', 'and', 'OR', 'Or', 'or', 'OutOf', 'OUTOF', 'outof'];
const EXAMPLE = "a gate such as OR('Org1MSP.admin')";
const WHOLE = /^\d{1,9}$/;
const MSPID = /^[A-Za-z0-9.-]+$/;
const FORBIDDEN = /[^A-Za-z0-9.-]/u;

interface Gate {
  readonly n: number;
  readonly arguments: readonly (Gate | PolicyIdentity)[];
}

interface Parsing {
  readonly tokens: Tokens;
  readonly known: Map<string, PolicyIdentity>;
  rules: number;
}

const isGate = (argument: Gate | PolicyIdentity): argument is Gate => 'n' in argument;

/**
 * Parses a signature policy. It refuses input that Fabric's parser accepts by accident: numbers with a fraction, sums, different quotes
 * around one string.
 *
 * @throws TranslateError BAD_POLICY, with the index of the character as `offset`; TOO_LARGE
 */
export function parseSignaturePolicy(text: string): SignaturePolicy {
  requireTypes({ text }, { text: is.text });
  const parsing: Parsing = { tokens: new Tokens(text), known: new Map(), rules: 0 };
  const { tokens } = parsing;
  const first = tokens.next;
  if (first.kind === 'end') throw badPolicy(first.offset, `the policy is empty, expected ${EXAMPLE}`);
  if (first.kind === 'string') {
    principalOf(parsing, first);
    throw badPolicy(
      first.offset,
      `found the principal ${quoted(first.text)}, expected a gate: OR(${quoted(first.text)})`,
    );
  }
  const gate = parseGate(parsing, 1);
  const { next } = tokens;
  if (next.kind !== 'end')
    throw badPolicy(next.offset, `found ${describeToken(next)}, expected the end of the policy`);
  const identities: PolicyIdentity[] = [];
  return { version: 0, rule: numbered(gate, identities), identities };
}

function parseGate(parsing: Parsing, depth: number): Gate {
  const { tokens } = parsing;
  const name = tokens.take();
  if (name.kind !== 'word') throw badPolicy(name.offset, `found ${describeToken(name)}, expected ${EXAMPLE}`);
  if (!GATES.includes(name.text)) throw badPolicy(name.offset, notAGate(name.text));
  if (depth > MAX_DEPTH)
    throw badPolicy(name.offset, `gates are nested more than ${String(MAX_DEPTH)} levels deep`);
  expect(tokens, '(', name.text);
  const number = name.text.toLowerCase() === 'outof' ? parseNumber(tokens) : undefined;
  const found = parseArguments(parsing, depth);
  const { length } = found;
  const n = number?.value ?? (name.text.toLowerCase() === 'and' ? length : 1);
  if (number !== undefined && n > length + 1) {
    const rules = length === 1 ? '1 rule' : `${String(length)} rules`;
    throw badPolicy(
      number.offset,
      `OutOf needs ${String(n)} of ${rules}, allowed are 0 to ${String(length + 1)}`,
    );
  }
  return { n, arguments: found };
}

function notAGate(text: string): string {
  if (text.includes('.')) return `found ${quoted(text)}, expected ${EXAMPLE}; principals are in quotes`;
  return `unknown gate ${quoted(text)}, allowed are ${GATES.join(', ')}`;
}

function expect(tokens: Tokens, kind: '(' | ',', after: string): void {
  const token = tokens.take();
  if (token.kind !== kind)
    throw badPolicy(token.offset, `found ${describeToken(token)}, expected '${kind}' after ${after}`);
}

/** The number of OutOf, and the comma after it. Fabric also accepts a quoted number. */
function parseNumber(tokens: Tokens): { readonly value: number; readonly offset: number } {
  const token = tokens.take();
  if ((token.kind !== 'word' && token.kind !== 'string') || !WHOLE.test(token.text))
    throw badPolicy(
      token.offset,
      `found ${describeToken(token)}, expected how many rules OutOf needs, a whole number such as 2`,
    );
  if (tokens.next.kind === ')')
    throw badPolicy(tokens.next.offset, "found ')', expected ',' and at least one rule");
  expect(tokens, ',', 'the number');
  return { value: Number(token.text), offset: token.offset };
}

/** The rules of a gate, with the closing parenthesis. */
function parseArguments(parsing: Parsing, depth: number): (Gate | PolicyIdentity)[] {
  const { tokens } = parsing;
  const found: (Gate | PolicyIdentity)[] = [];
  for (;;) {
    const { next } = tokens;
    if (++parsing.rules > MAX_RULES)
      throw badPolicy(next.offset, `the policy has more than ${String(MAX_RULES)} rules`);
    if (next.kind === 'string') found.push(principalOf(parsing, tokens.take()));
    else if (next.kind === 'word') found.push(parseGate(parsing, depth + 1));
    else
      throw badPolicy(
        next.offset,
        `found ${describeToken(next)}, expected a principal such as 'Org1MSP.admin' or a gate`,
      );
    const separator = tokens.take();
    if (separator.kind === ')') return found;
    if (separator.kind !== ',')
      throw badPolicy(separator.offset, `found ${describeToken(separator)}, expected ',' or ')'`);
  }
}

/** A principal in quotes. Equal principals are the same object. */
function principalOf({ known }: Parsing, { text, offset }: Token): PolicyIdentity {
  const found = known.get(text);
  if (found !== undefined) return found;
  const dot = text.lastIndexOf('.');
  if (dot === -1)
    throw badPolicy(
      offset,
      `${quoted(text)} is not a principal, expected 'MSPID.role' such as 'Org1MSP.admin'`,
    );
  const mspid = text.slice(0, dot);
  const role = ROLES.find((name) => name === text.slice(dot + 1));
  if (role === undefined)
    throw badPolicy(
      offset,
      `unknown role ${quoted(text.slice(dot + 1))} in ${quoted(text)}, allowed are ${ROLES.join(', ')}`,
    );
  if (mspid === '') throw badPolicy(offset, `the MSP ID in ${quoted(text)} is empty`);
  const forbidden = FORBIDDEN.exec(mspid)?.[0];
  if (forbidden !== undefined)
    throw badPolicy(
      offset,
      `the MSP ID in ${quoted(text)} contains ${quoted(forbidden)}, allowed are letters, digits, '.' and '-'`,
    );
  const principal: Principal = { kind: 'role', mspid, role };
  const identity = { principal, bytes: writePrincipal(principal) };
  known.set(text, identity);
  return identity;
}

/** Whether the name of an MSP is allowed in the policy language. */
export const isNameable = (mspid: string): boolean => MSPID.test(mspid);

/** The rule of a gate. Adds its principals to the identities. */
function numbered(gate: Gate, identities: PolicyIdentity[]): SignatureRule {
  const rules: SignatureRule[] = Array.from({ length: gate.arguments.length });
  for (const [at, argument] of gate.arguments.entries())
    if (isGate(argument)) rules[at] = numbered(argument, identities);
  for (const [at, argument] of gate.arguments.entries())
    if (!isGate(argument)) rules[at] = { kind: 'signedBy', index: identities.push(argument) - 1 };
  return { kind: 'outOf', n: gate.n, rules };
}
