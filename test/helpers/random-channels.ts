// Small random channels: policies that name each other's organisations and groups, and mod_policies that lead anywhere.

import type { Random } from '../fuzz/random.js';
import type { SmallGroup } from './small-channel.js';

/** The MSP ids that policies name; the last one is of no organisation. */
export const NAMED = ['A', 'B', 'O', 'X'] as const;

const MOD_POLICIES = [
  'Admins',
  'Admins',
  'Admins',
  'Ops',
  '/Channel/Admins',
  '/Channel/Application/Admins',
  '/Channel/Application/Ops',
  '/Channel/Orderer/Admins',
  '/Channel/Application/A/Admins',
  '/Channel/Orderer/O/Admins',
  'Missing',
];
const RULES = ['MAJORITY Admins', 'MAJORITY Admins', 'ANY Admins', 'ALL Admins', 'ANY Ops'];

/** A random channel of the organisations A and B, sometimes also a second group of A, and the orderer organisation O. */
export function randomChannel({ below, pick }: Random): SmallGroup {
  const signature = (own?: string): string => {
    const [one, other] = [own !== undefined && below(3) > 0 ? own : pick(NAMED), pick(NAMED)];
    const rules = [
      `OR('${one}.admin')`,
      `OR('${one}.admin')`,
      `AND('${one}.admin', '${other}.admin')`,
      `OR('${one}.admin', '${other}.admin')`,
      `OutOf(2, '${one}.admin', '${other}.admin', '${pick(NAMED)}.admin')`,
      `AND('${one}.admin', '${one}.admin')`,
    ];
    return pick(rules);
  };
  const policies = (rule: () => string): Record<string, string> => ({
    Admins: `${rule()} @ ${pick(MOD_POLICIES)}`,
    ...(below(2) === 0 ? { Ops: `${rule()} @ ${pick(MOD_POLICIES)}` } : {}),
  });
  const organization = (msp: string): SmallGroup => ({
    msp,
    modPolicy: pick(MOD_POLICIES),
    mspModPolicy: pick(MOD_POLICIES),
    policies: policies(() => signature(msp)),
  });
  const section = (value: string, groups: Record<string, SmallGroup>): SmallGroup => ({
    modPolicy: pick(MOD_POLICIES),
    policies: policies(() => (below(4) === 0 ? signature() : pick(RULES))),
    values: { [value]: pick(MOD_POLICIES) },
    groups,
  });
  return {
    modPolicy: pick(MOD_POLICIES),
    policies: policies(() => (below(4) === 0 ? signature() : pick(RULES))),
    groups: {
      Application: section('Capabilities', {
        A: organization('A'),
        B: organization('B'),
        ...(below(3) === 0 ? { C: organization(pick(['A', 'O'])) } : {}),
      }),
      Orderer: section('BatchSize', { O: organization('O') }),
    },
  };
}
