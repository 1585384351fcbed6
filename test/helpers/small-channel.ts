// Small channels in words, for tests of policies: no certificates.

import { makeGroup, makePolicy, makeValue } from '../../translator/channel/make.js';
import type { Config, ConfigGroup, Policy } from '../../translator/channel/element.js';
import {
  parseImplicitMeta,
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../translator/policy/index.js';
import { ChannelState } from '../../translator/state/index.js';
import { MspFabricMSPConfig, MspMSPConfig } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';

/** A group: policies as `rule` or `rule @ mod_policy`, values by their mod_policy. Each mod_policy is `Admins` unless it is given. */
export interface SmallGroup {
  readonly modPolicy?: string;
  /** The id of its MSP. */
  readonly msp?: string;
  /** The mod_policy of the MSP. */
  readonly mspModPolicy?: string;
  readonly policies: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, string>>;
  readonly groups?: Readonly<Record<string, SmallGroup>>;
}

/** The policy of a rule: `MAJORITY Admins`, `OR('A.admin')`. */
export const policyOf = (rule: string): Policy =>
  /^[A-Z]+ /.test(rule)
    ? { type: 3, value: writeImplicitMeta(parseImplicitMeta(rule)) }
    : { type: 1, value: writeSignaturePolicy(parseSignaturePolicy(rule)) };

/** The value of an MSP without certificates. @param mark differs for MSPs of one id */
export const mspValue = (mspid: string, mark = ''): Uint8Array =>
  writeMessage(MspMSPConfig, {
    type: 0,
    config: writeMessage(MspFabricMSPConfig, {
      name: mspid,
      ...(mark === '' ? {} : { rootCerts: [new TextEncoder().encode(mark)] }),
    }),
  });

/** A group of a small channel. */
export function smallGroup(spec: SmallGroup): ConfigGroup {
  const policies = Object.entries(spec.policies).map(([name, text]) => {
    const [rule = '', modPolicy = 'Admins'] = text.split(' @ ');
    return [name, makePolicy({ modPolicy, policy: policyOf(rule) })] as const;
  });
  const values = Object.entries(spec.values ?? {}).map(
    ([name, modPolicy]) => [name, makeValue({ modPolicy })] as const,
  );
  if (spec.msp !== undefined)
    values.push(['MSP', makeValue({ modPolicy: spec.mspModPolicy ?? 'Admins', value: mspValue(spec.msp) })]);
  return makeGroup({
    modPolicy: spec.modPolicy ?? 'Admins',
    policies: new Map(policies),
    values: new Map(values),
    groups: new Map(Object.entries(spec.groups ?? {}).map(([name, group]) => [name, smallGroup(group)])),
  });
}

/** A small channel. */
export const smallChannel = (spec: SmallGroup): Config => ({ sequence: 0n, channelGroup: smallGroup(spec) });

/** The state of a small channel. */
export const smallState = (spec: SmallGroup): ChannelState => new ChannelState(smallChannel(spec));

/** An organisation whose admins control it. */
export const organization = (msp: string): SmallGroup => ({
  msp,
  policies: { Admins: `OR('${msp}.admin')`, Endorsement: `OR('${msp}.peer')` },
});

/** A channel as configtxgen makes it, of application organisations and the orderer organisation `O`. */
export const usualChannel = (...msps: readonly string[]): SmallGroup => ({
  policies: { Admins: 'MAJORITY Admins' },
  groups: {
    Application: {
      policies: {
        Admins: 'MAJORITY Admins',
        LifecycleEndorsement: 'MAJORITY Endorsement',
        Readers: 'ANY Admins',
      },
      values: { Capabilities: 'Admins' },
      groups: Object.fromEntries(msps.map((msp) => [msp, organization(msp)])),
    },
    Orderer: {
      policies: { Admins: 'MAJORITY Admins' },
      values: { BatchSize: 'Admins' },
      groups: { O: organization('O') },
    },
  },
});
