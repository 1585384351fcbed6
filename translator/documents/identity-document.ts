// The document about identities on a channel.

import { is, requireTypes } from '../../proto/arguments.js';
import { groupBy } from '../../core/common/group-by.js';
import { shortPath } from './changes.js';
import { listOf, placeText, sectionOf, tableOf, type Document, type Rows, type Section } from './document.js';
import { day } from './words.js';
import type {
  ExplainedIdentity,
  IdentityChange,
  IdentityPolicy,
  IdentityReport,
  IdentityService,
  NotAdmin,
} from './identity.js';
import { listText, shortList } from './lists.js';

/** The number of elements of a policy, of services of a row, and of rows of a section that are shown. */
const SHOWN_ELEMENTS = 4;
const SHOWN_SERVICES = 5;
const LIMIT = { shown: 30 };

const REPORT = is.named('a result of explainIdentities', is.record({ identities: is.list(is.any) }));

/** Describes the identities of a file. */
export function identityDocument(report: IdentityReport): Document {
  requireTypes({ report }, { report: REPORT });
  const { channel, block, identities } = report;
  const where = placeText(channel, block);
  return { blocks: [listOf(where === '' ? [] : [where])], sections: identities.map(identitySection) };
}

function identitySection(identity: ExplainedIdentity): Section {
  const { place, mspid, certificate, valid } = identity;
  const who = `${mspid === null ? '' : `${mspid} `}${certificate.subject ?? 'an unreadable certificate'}`;
  return {
    id: 'identity',
    title: `${place}: ${who}`,
    state: valid ? { text: 'valid', tone: 'good' } : { text: 'not valid', tone: 'bad' },
    blocks: [],
    sections: [
      ...sectionOf('identity', [identityRows(identity)]),
      ...sectionOf('problems', [
        {
          kind: 'problems',
          problems: identity.problems.map(({ kind, text, todo }) => ({
            id: kind,
            tone: valid ? 'open' : 'bad',
            text,
            paths: [],
            todo,
          })),
        },
      ]),
      ...sectionOf('may', [serviceRows(identity.services)]),
      ...sectionOf('satisfies', [policyRows(identity.policies)]),
      ...sectionOf('signs changes of', [changeRows(identity.changes)]),
    ],
  };
}

function identityRows(identity: ExplainedIdentity): Rows {
  const { organizations, mspids, certificate, chain, roles, units, notAdmin, reason } = identity;
  const { issuer, notBefore, notAfter, serial, error } = certificate;
  return tableOf([
    ['organisation', listText(organizations)],
    ...(mspids.length > 1 ? [['valid in', `${listText(mspids)}; choose one with --as`]] : []),
    ...(error === undefined ? [] : [['certificate', error]]),
    ...(issuer === undefined ? [] : [['issuer', issuer]]),
    ...(notBefore === undefined ? [] : [['valid', `${day(notBefore)} to ${day(notAfter ?? '')}`]]),
    ...(serial === undefined ? [] : [['serial number', serial]]),
    ['chain', chain.length === 0 ? 'none' : chain.join(' ← ')],
    ['OUs', listText(units)],
    ['roles', listText(roles)],
    ...(notAdmin === null ? [] : [['not an admin', notAdminText(notAdmin)]]),
    ...(reason === null ? [] : [["Fabric's reason", reason]]),
  ]);
}

const notAdminText = (reason: NotAdmin): string =>
  reason.kind === 'unit'
    ? `the OU ${reason.unit} is not in the certificate`
    : 'it is not in the list of admins of the MSP';

/** Services of one policy in one row. */
function serviceRows(services: readonly IdentityService[]): Rows {
  if (!services.some(({ allowed }) => allowed)) return listOf(['nothing']);
  const groups = groupBy(services, ({ policy, allowed }) => `${policy} ${allowed}`);
  return tableOf(
    [...groups.values()].map((group) => {
      const [{ allowed, policy }] = group;
      const names = group.map(({ service }) => service);
      return [allowed ? 'yes' : 'no', policy, shortList(names, ', ', SHOWN_SERVICES)];
    }),
    { columns: ['allowed', 'policy', 'services'], limit: LIMIT },
  );
}

const policyRows = (policies: readonly IdentityPolicy[]): Rows =>
  tableOf(
    policies
      .filter(({ counts, satisfied }) => counts || satisfied)
      .map((policy) => [policy.path, alone(policy)]),
    { columns: ['policy', 'how'], limit: LIMIT },
  );

const changeRows = (changes: readonly IdentityChange[]): Rows =>
  tableOf(
    changes.map((change) => [
      shortList(change.elements.map(shortPath), ', ', SHOWN_ELEMENTS),
      `${alone(change)} (${change.path})`,
    ]),
    { columns: ['elements', 'how'], limit: LIMIT },
  );

const alone = ({ satisfied, missing }: IdentityPolicy): string =>
  satisfied ? 'alone' : `together with ${missing ?? ''}`;
