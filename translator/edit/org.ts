// Adds and removes organisations, and replaces their MSPs.

import { is, requireTypes } from '../../proto/arguments.js';
import { sameBytes } from '../../proto/bytes.js';
import {
  addressText,
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  makeGroup,
  makePolicy,
  makeValue,
  channelOf,
  type Section,
  nameProblem,
  pathOf,
  readConfig,
  mspIdOf,
} from '../channel/index.js';
import { attempt } from '../../proto/errors.js';
import { encodeValue } from '../../proto/from-json.js';
import { parseOnlyJson } from '../../proto/json-parser.js';
import { isObject } from '../../proto/json-value.js';
import { CommonOrdererAddresses } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { checkUnique, parseAddress } from './addresses.js';
import { badEdit, type Edited, edited, named } from './edited.js';
import { type MspFiles, mspValue } from './msp.js';
import {
  changeGroup,
  findOrganization,
  NEW_MOD_POLICY,
  requiredGroup,
  withGroup,
  withValue,
} from './tree.js';
import { ROLES, writePrincipal, type SignaturePolicy, writeSignaturePolicy } from '../policy/index.js';

/** The group of a new organisation with an MSP, with the policies of configtxgen's samples. */
export function makeOrganization(section: Section, mspId: string, files: MspFiles): ConfigGroup {
  return makeGroup({
    modPolicy: NEW_MOD_POLICY,
    values: new Map([['MSP', makeValue({ modPolicy: NEW_MOD_POLICY, value: mspValue(mspId, files) })]]),
    policies: defaultPolicies(section, mspId, files.nodeOus !== undefined),
  });
}

/**
 * Reads the group of an organisation from the JSON that `configtxgen -printOrg` writes.
 *
 * @throws TranslateError BAD_EDIT if it is something else, BAD_JSON, BAD_FIELD
 */
export function readOrganizationJson(section: Section, json: Uint8Array): ConfigGroup {
  requireTypes({ json }, { json: is.bytes }, 'BAD_EDIT');
  const group = attempt(
    () => parseOnlyJson(new TextDecoder().decode(json)),
    () => null,
  );
  const keys = isObject(group) ? Object.keys(group) : [];
  if (!keys.includes('values') || !keys.includes('policies'))
    throw badEdit(
      'this is not an organisation: the JSON that configtxgen -printOrg writes is needed, with values and policies',
    );
  const name = 'Organization';
  const config = { channel_group: { groups: { [section]: { groups: { [name]: group } } } } };
  const bytes = encodeValue('common.Config', config);
  return requiredGroup(readConfig(bytes).channelGroup, [section, name]);
}

/** The content of an MSP directory, or the JSON that `configtxgen -printOrg` writes. */
export type MspSource = (
  | { readonly files: MspFiles; readonly mspId?: string }
  | { readonly json: Uint8Array }
) & {
  /** The origin in errors. @default errors contain no origin */
  readonly name?: string;
};

/** The group of a new organisation. @throws TranslateError as {@link makeOrganization} and {@link readOrganizationJson} */
export function organizationOf(source: MspSource, section: Section): ConfigGroup {
  return named(source.name, () =>
    'json' in source
      ? readOrganizationJson(section, source.json)
      : makeOrganization(section, source.mspId ?? '', source.files),
  );
}

/** A new organisation. */
export interface NewOrganization {
  readonly section: Section;
  /** The name of its group. @default its MSP id */
  readonly name?: string | undefined;
  readonly group: ConfigGroup;
  /** `host:port` of its orderers. */
  readonly endpoints?: readonly string[];
}

/** Adds an organisation. @throws TranslateError BAD_EDIT if its name or MSP id is already used */
export function addOrganization(config: Config, organization: NewOrganization): Edited {
  const { section, endpoints = [] } = organization;
  const mspId = mspIdOf(organization.group);
  const { name = mspId ?? '' } = organization;
  const problem = nameProblem(name);
  if (problem !== undefined)
    throw badEdit(
      `the name ${JSON.stringify(name)} is not possible: 1 to 249 letters, digits, '.' and '-' are allowed`,
    );
  requiredGroup(config.channelGroup, [section]);
  if (mspId === undefined || mspId === '') throw badEdit('the organisation has no MSP, or one without an id');
  for (const other of channelOf(config).organizations)
    if (other.section === section && (other.name === name || other.mspId === mspId))
      throw badEdit(
        `${other.path} exists already, with the MSP id ${other.mspId ?? 'unknown'}; replace its MSP instead`,
      );
  if (endpoints.length > 0 && section !== 'Orderer')
    throw badEdit('only organisations of the group Orderer have endpoints');
  const texts = endpoints.map((text) => addressText(parseAddress(text)));
  checkUnique(texts);
  const group =
    texts.length === 0
      ? organization.group
      : withValue(
          organization.group,
          'Endpoints',
          writeMessage(CommonOrdererAddresses, { addresses: texts }),
        );
  return edited(
    config,
    changeGroup(config.channelGroup, [section], (parent) => withGroup(parent, name, group)),
    `organisation ${pathOf(section, name)} added, with the MSP id ${mspId}`,
  );
}

/** Removes an organisation. @throws TranslateError BAD_EDIT if there is none, or if it is the last one */
export function removeOrganization(config: Config, wanted: string, section?: Section): Edited {
  const found = findOrganization(config, wanted, section);
  const others = channelOf(config).organizations.filter(
    (each) => each.section === found.section && each !== found,
  );
  if (others.length === 0)
    throw badEdit(
      `${found.path} is the last organisation of ${found.section}: without organisations anybody satisfies its policies`,
    );
  return edited(
    config,
    changeGroup(config.channelGroup, [found.section], (parent) => withGroup(parent, found.name, undefined)),
    `organisation ${found.path} removed`,
  );
}

/** The new MSP of an organisation: an MSP directory, or the group of an organisation with an MSP. */
export type NewMsp = { readonly files: MspFiles } | { readonly group: ConfigGroup };

/** Replaces the MSP of an organisation. @throws TranslateError BAD_EDIT if its id would change, or if the MSP is the same */
export function setMsp(config: Config, wanted: string, msp: NewMsp, section?: Section): Edited {
  const found = findOrganization(config, wanted, section);
  const { mspId } = found;
  if (mspId === undefined) throw badEdit(`${found.path} has no MSP that can be read`);
  const value = 'files' in msp ? mspValue(mspId, msp.files) : msp.group.values.get('MSP')?.value;
  const newId = 'files' in msp ? mspId : mspIdOf(msp.group);
  if (value === undefined || newId !== mspId)
    throw badEdit(
      `${found.path} has the MSP id ${mspId}, which cannot change, and the new MSP has ${newId ?? 'none'}`,
    );
  if (sameBytes(value, found.group.values.get('MSP')?.value ?? new Uint8Array()))
    throw badEdit(`${found.path} has this MSP already`);
  return edited(
    config,
    changeGroup(config.channelGroup, found.names, (group) => withValue(group, 'MSP', value)),
    `MSP of ${found.path} replaced`,
  );
}

type DefaultRole = (typeof ROLES)[number];

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;

const PEERS: Readonly<Record<string, readonly DefaultRole[]>> = {
  Readers: ['admin', 'peer', 'client'],
  Writers: ['admin', 'client'],
  Admins: ['admin'],
  Endorsement: ['peer'],
};
/** For MSPs without NodeOUs: their identities do not have the roles peer and client. */
const PEERS_WITHOUT_ROLES: Readonly<Record<string, readonly DefaultRole[]>> = {
  Readers: ['member'],
  Writers: ['member'],
  Admins: ['admin'],
  Endorsement: ['member'],
};
const ORDERERS: Readonly<Record<string, readonly DefaultRole[]>> = {
  Readers: ['member'],
  Writers: ['member'],
  Admins: ['admin'],
};

/** The policies of a new organisation by name. */
function defaultPolicies(section: Section, mspid: string, hasNodeOus: boolean): Map<string, ConfigPolicy> {
  const roles = section === 'Orderer' ? ORDERERS : hasNodeOus ? PEERS : PEERS_WITHOUT_ROLES;
  return new Map(
    Object.entries(roles).map(([name, signers]) => {
      const policy = { type: SIGNATURE, value: writeSignaturePolicy(anyOf(mspid, signers)) };
      return [name, makePolicy({ modPolicy: NEW_MOD_POLICY, policy })];
    }),
  );
}

/** One signature with one of the roles: `OR('Org1MSP.admin', 'Org1MSP.client')`. */
function anyOf(mspid: string, roles: readonly DefaultRole[]): SignaturePolicy {
  return {
    version: 0,
    rule: { kind: 'outOf', n: 1, rules: roles.map((_, index) => ({ kind: 'signedBy', index })) },
    identities: roles.map((role) => {
      const principal = { kind: 'role', mspid, role } as const;
      return { principal, bytes: writePrincipal(principal) };
    }),
  };
}
