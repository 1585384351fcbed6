// Dangers: changes of an MSP after which identities that its organisation has already do not count any more, or count as something else.

import { sameBytes } from '../../channel/bytes.js';
import { nameText } from '../../describe/certificate.js';
import { NODE_ROLES, type MspConfig, type NodeRole, type UnitConfig } from '../../msp/config.js';
import { certificateIn } from '../../msp/certificate.js';
import type { Finding } from '../../describe/findings/index.js';
import { finding } from '../finding.js';
import type { Organization } from '../../channel/channel.js';
import { mspOf, type State } from '../facts/state.js';

/** What an organisation loses: its nodes read and send blocks with these identities. */
const lossOf = ({
  section,
  name,
}: Organization): Pick<Organization, 'section'> & { organization: string } => ({
  organization: name,
  section,
});

export function mspChangeFindings(before: State, after: State): Finding[] {
  return after.channel.organizations.flatMap((organization) => {
    const previous = before.channel.organizations.find(({ path }) => path === organization.path);
    const [old, now] = [previous && mspOf(previous), mspOf(organization)];
    if (old === undefined || now === undefined) return [];
    return [
      ...lostCas(organization, old, now),
      ...changedUnits(organization, old, now),
      ...requiredUnits(organization, old, now),
      ...unreadableLists(organization, old, now, after),
    ];
  });
}

/** CAs are the same if name and key are: a renewed CA certificate keeps its identities. */
function keyOfCa(pem: Uint8Array): string | undefined {
  const certificate = certificateIn(pem);
  if (certificate === undefined) return undefined;
  return `${String(certificate.subject.raw)} ${String(certificate.publicKey.spki)}`;
}

const hasCa = ({ roots, intermediates }: MspConfig, pem: Uint8Array): boolean =>
  [...roots, ...intermediates].some((each) => keyOfCa(each) === keyOfCa(pem));

function lostCas(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  const previous = [...old.roots, ...old.intermediates];
  const lost = previous.filter((pem) => !hasCa(now, pem));
  const first = certificateIn(lost[0] ?? new Uint8Array());
  if (first === undefined) return [];
  return [
    finding('danger', 'msp-ca-removed', `${organization.path}/MSP`, {
      ...lossOf(organization),
      subject: nameText(first.subject),
      removed: lost.length,
      isAll: lost.length === previous.length,
    }),
  ];
}

const unitOf = (unit: UnitConfig | undefined): string | null =>
  unit === undefined || unit.unit === '' ? null : unit.unit;

/** The unit of each role; `undefined` for all roles without NodeOUs. */
function changedUnits(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  const [wasOn, isOn] = [old.nodeOus?.isEnabled === true, now.nodeOus?.isEnabled === true];
  const path = `${organization.path}/MSP`;
  if (!wasOn && isOn)
    return [finding('danger', 'msp-node-ous-enabled', path, { organization: organization.name })];
  if (!wasOn || !isOn) return [];
  const changed = NODE_ROLES.filter((role) => !sameUnit(old, now, role));
  if (changed.length === 0) return [];
  const units = changed.map((role) => ({
    role,
    before: unitOf(old.nodeOus?.roles.get(role)),
    after: unitOf(now.nodeOus?.roles.get(role)),
  }));
  return [finding('danger', 'msp-node-ou-changed', path, { units })];
}

function sameUnit(old: MspConfig, now: MspConfig, role: NodeRole): boolean {
  const [from, to] = [old.nodeOus?.roles.get(role), now.nodeOus?.roles.get(role)];
  if (from === undefined || to === undefined) return from === to;
  if (from.unit !== to.unit) return false;
  // A unit without a CA is that of any CA. That a CA is removed is a danger of its own.
  return (
    to.certificate.length === 0 ||
    sameBytes(from.certificate, to.certificate) ||
    (hasCa(old, from.certificate) && !hasCa(now, from.certificate))
  );
}

function requiredUnits(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  if (now.units.length === 0) return [];
  const kept = old.units.every((unit) => now.units.some((each) => each.unit === unit.unit));
  if (old.units.length > 0 && kept) return [];
  return [
    finding('danger', 'msp-unit-required', `${organization.path}/MSP`, {
      ...lossOf(organization),
      units: now.units.map(unitOf),
    }),
  ];
}

/** Fabric refuses every identity when it cannot compare a list with the issuer (msp/mspimplvalidate.go, `validateCertAgainstChain`). */
function unreadableLists(
  organization: Organization,
  old: MspConfig,
  now: MspConfig,
  { msps }: State,
): Finding[] {
  const isNew = now.revocationLists.some(
    (list) => !old.revocationLists.some((each) => sameBytes(each, list)),
  );
  const lists = msps.msps.get(organization.mspId ?? '')?.trust.revocationLists ?? [];
  if (!isNew || !lists.some(({ authorityKeyId }) => authorityKeyId === undefined)) return [];
  return [finding('danger', 'msp-revocation-list', `${organization.path}/MSP`, lossOf(organization))];
}
