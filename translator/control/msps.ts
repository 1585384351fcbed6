// The issuers of identities for the MSPs of a channel: the organisation itself, organisations whose CA its MSP has, and listed admins.

import { addTo, groupBy } from '../../core/common/group-by.js';
import { toHex, toLatin1 } from '../../proto/bytes.js';
import type { Channel } from '../channel/index.js';
import type { LongCall } from '../long-call.js';
import {
  type Certificate,
  NODE_ROLES,
  type NodeRole,
  type MspConfig,
  type MspVersion,
  isAtLeast,
  mspVersionOf,
  certificateIn,
  writeSerializedIdentity,
  type Principal,
  type Role,
  caKey,
} from '../msp/index.js';
import { everyPart, isSatisfiable } from '../policy/index.js';
import { mspOf, type ChannelState } from '../state/index.js';

/** An organisation that makes identities of another MSP, which has a CA of it or lists its members as admins. */
interface Foreigner {
  readonly mspid: string;
  readonly roles: ReadonlySet<Role>;
}

/** The MSP of one id. */
export interface ControlMsp {
  readonly mspid: string;
  /** The sections with its groups: `Application`, `Orderer`. */
  readonly sections: ReadonlySet<string>;
  /** The values MSP with this id, by position. */
  readonly elements: readonly number[];
  readonly foreigners: readonly Foreigner[];
  /**
   * The serialized identities of listed admins that are not admins by their certificates: NodeOUs name a unit of admins, and theirs is
   * another one. By their hexadecimal DER.
   */
  readonly listed: ReadonlyMap<string, Uint8Array>;
  /** All listed admins, by their hexadecimal DER. */
  readonly admins: ReadonlySet<string>;
  /** The roles that its identities can have; undefined for an MSP without CAs, which is not known. */
  readonly roles: ReadonlySet<Role> | undefined;
}

/** The ids of the MSPs that have a CA, by name and key of the CA. */
export type CaHolders = ReadonlyMap<string, ReadonlySet<string>>;

/** The CAs of a config, including TLS CAs, and the MSPs that have them. */
export async function caHolders({
  channel: { organizations },
  call,
}: Pick<ChannelState, 'channel' | 'call'>): Promise<CaHolders> {
  const holders = new Map<string, Set<string>>();
  for (const organization of organizations) {
    await call.pause();
    for (const ca of [...issuingCas(mspOf(organization)), ...tlsCasOf(mspOf(organization))])
      addTo(holders, ca.key, organization.mspId ?? '');
  }
  return holders;
}

/**
 * The MSPs of a channel.
 *
 * @param elementOf the position of the value MSP of an organisation, by the path of its group
 * @param holders the MSPs of each CA before an update: an MSP that gets a CA of another one gets its members. A CA that several MSPs have
 *   already belongs to none in particular
 */
export async function controlMsps(
  { organizations, capabilities }: Pick<Channel, 'organizations' | 'capabilities'>,
  elementOf: (path: string) => number | undefined,
  call: LongCall,
  holders: CaHolders = new Map(),
): Promise<ReadonlyMap<string, ControlMsp>> {
  const version = mspVersionOf(capabilities);
  const msps = new Map<string, ControlMsp>();
  for (const [mspid, same] of groupBy(organizations, ({ mspId = '' }) => mspId)) {
    if (mspid === '') continue;
    await call.pause();
    // Fabric does not accept different definitions of one id.
    const config = same.map(mspOf).find((found) => found !== undefined);
    msps.set(mspid, {
      mspid,
      sections: new Set(same.map(({ section }) => section)),
      elements: same.flatMap(({ path }) => elementOf(path) ?? []),
      foreigners: foreigners(mspid, config, holders, version),
      listed: unusualAdmins(mspid, config),
      admins: new Set(config?.admins.flatMap((pem) => certificateIn(pem) ?? []).map(({ raw }) => toHex(raw))),
      roles: givenRoles(config, version),
    });
  }
  return msps;
}

/** Whether other organisations or persons than before make identities of an MSP, by changes of MSPs alone. */
export async function mspsChangeControl(before: ChannelState, after: ChannelState): Promise<boolean> {
  const holders = await caHolders(before);
  const [issuersBefore, issuersAfter] = await Promise.all(
    [before, after].map(async (state) => issuersIn(state, holders)),
  );
  return issuersBefore !== issuersAfter;
}

/** The foreign and the unusual issuers of identities of all MSPs, as a text. */
async function issuersIn({ channel, call }: ChannelState, holders: CaHolders): Promise<string> {
  const msps = await controlMsps(channel, () => undefined, call, holders);
  return JSON.stringify(
    [...msps.values()].map(({ mspid, foreigners: others, listed }) => [
      mspid,
      others.map((each) => [each.mspid, [...each.roles]]),
      [...listed.keys()],
    ]),
  );
}

const tlsCasOf = (config: MspConfig | undefined): Ca[] =>
  [...(config?.tlsRoots ?? []), ...(config?.tlsIntermediates ?? [])].flatMap((pem) => {
    const certificate = certificateIn(pem);
    return certificate === undefined ? [] : [{ key: caKey(certificate), certificate }];
  });

/** A CA of an MSP. */
interface Ca {
  /** Name and public key. */
  readonly key: string;
  readonly certificate: Certificate;
}

/** The CAs that issue identities: CAs without an intermediate CA under them (msp/mspimplvalidate.go, `validateIdentityAgainstChain`). */
export function issuingCas(config: MspConfig | undefined): Ca[] {
  if (config === undefined) return [];
  const all = [...config.roots, ...config.intermediates].flatMap((pem) => certificateIn(pem) ?? []);
  const above = new Set(
    config.intermediates.flatMap((pem) => {
      const certificate = certificateIn(pem);
      return certificate === undefined ? [] : [toLatin1(certificate.issuer.raw)];
    }),
  );
  return all
    .filter(({ subject }) => !above.has(toLatin1(subject.raw)))
    .map((certificate) => ({ key: caKey(certificate), certificate }));
}

function foreigners(
  mspid: string,
  config: MspConfig | undefined,
  holders: CaHolders,
  version: MspVersion,
): Foreigner[] {
  if (config === undefined || holders.size === 0) return [];
  const roles = new Map<string, Set<Role>>();
  for (const { key } of issuingCas(config)) {
    const owners = holders.get(key);
    if (owners === undefined || owners.has(mspid)) continue;
    for (const role of rolesOf(config, key, version)) for (const owner of owners) addTo(roles, owner, role);
  }
  // A listed admin needs no CA of the MSP (msp/mspimpl.go, `hasOURole` and `isInAdmins`).
  for (const pem of config.admins) {
    const issuer = certificateIn(pem)?.issuer;
    if (issuer === undefined) continue;
    for (const [key, owners] of holders)
      // No name in DER is the beginning of another one.
      if (!owners.has(mspid) && key.startsWith(toLatin1(issuer.raw)))
        for (const owner of owners) addTo(roles, owner, 'admin');
  }
  return [...roles].map(([owner, of]) => ({ mspid: owner, roles: of }));
}

/** The roles of NodeOUs below the channel capability V1_4_3 (msp/mspimplsetup.go, `setupNodeOUs`). */
const OLD_ROLES = ['client', 'peer'] as const satisfies readonly NodeRole[];

/**
 * The roles that the identities of a CA can have.
 *
 * @param key the CA: its name and key (`caKey`)
 * @param version the version of MSPs that the capabilities of the channel name
 */
export function rolesOf(config: MspConfig, key: string, version: MspVersion): Role[] {
  if (config.nodeOus?.isEnabled !== true || version === 'V1_0') return ['member'];
  const roles: Role[] = [];
  for (const role of isAtLeast(version, 'V1_4_3') ? NODE_ROLES : OLD_ROLES) {
    const unit = config.nodeOus.roles.get(role);
    if (unit === undefined || unit.unit === '') continue;
    const pinned = unit.certificate.length === 0 ? undefined : certificateIn(unit.certificate);
    if (unit.certificate.length > 0 && (pinned === undefined || caKey(pinned) !== key)) continue;
    if (hasRequiredUnit(config, role)) roles.push(role);
  }
  // With NodeOUs an identity without a role is not valid.
  return roles.length === 0 ? [] : ['member', ...roles];
}

/** Whether identities of a role can have a required unit: they have the unit of no other role (msp/mspimplvalidate.go, `validateIdentityOUsV142`). */
function hasRequiredUnit({ units, nodeOus }: MspConfig, role: NodeRole): boolean {
  const own = nodeOus?.roles.get(role)?.unit;
  const others = new Set([...(nodeOus?.roles.values() ?? [])].map(({ unit }) => unit));
  return units.length === 0 || units.some(({ unit }) => unit === own || !others.has(unit));
}

/** The roles that the CAs of an MSP and its list of admins give; undefined for an MSP without CAs, which is not known. */
export function givenRoles(
  config: MspConfig | undefined,
  version: MspVersion,
): ReadonlySet<Role> | undefined {
  const cas = issuingCas(config);
  if (config === undefined || cas.length === 0) return undefined;
  const roles = cas.flatMap(({ key }) => rolesOf(config, key, version));
  return new Set(config.admins.length === 0 ? roles : [...roles, 'admin']);
}

/** Whether somebody can satisfy a principal according to the MSPs: its MSP is on the channel and gives out the role. */
export function isGivenOut(
  principal: Principal,
  msps: ReadonlyMap<string, Pick<ControlMsp, 'roles'>>,
): boolean {
  return (
    isSatisfiable(principal, (mspid) => msps.has(mspid)) &&
    everyPart(
      principal,
      (part) => part.kind !== 'role' || msps.get(part.mspid)?.roles?.has(part.role) !== false,
    )
  );
}

function unusualAdmins(mspid: string, config: MspConfig | undefined): ReadonlyMap<string, Uint8Array> {
  const unit = config?.nodeOus?.isEnabled === true ? config.nodeOus.roles.get('admin')?.unit : undefined;
  if (config === undefined || unit === undefined || unit === '') return new Map();
  return new Map(
    config.admins.flatMap((pem) => {
      const certificate = certificateIn(pem);
      if (certificate === undefined || certificate.subject.units.includes(unit)) return [];
      return [[toHex(certificate.raw), writeSerializedIdentity(mspid, certificate.raw)] as const];
    }),
  );
}
