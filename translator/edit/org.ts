// Adds and removes organisations, and replaces their MSPs.

import { addressText } from '../config/address.js';
import { CommonOrdererAddresses } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { sameBytes } from '../config/bytes.js';
import type { Config, ConfigGroup } from '../config/element.js';
import { makeGroup, makeValue } from '../config/make.js';
import { mspIdOf } from '../config/msp-id.js';
import { nameProblem } from '../config/names.js';
import { readConfig } from '../config/read.js';
import { checkUnique, parseAddress } from './addresses.js';
import { defaultPolicies } from './default-policies.js';
import { badEdit, edited, type Edited } from './edited.js';
import type { JsonCodec } from './json-codec.js';
import { mspValue, type MspFiles } from './msp-config.js';
import { findOrganization, organizationsOf, type Section } from './organizations.js';
import { changeGroup, NEW_MOD_POLICY, pathOf, requiredGroup, withGroup, withValue } from './tree.js';

/** The group of an organisation of an MSP, with the policies of configtxgen's samples. */
export function makeOrganization(section: Section, mspId: string, files: MspFiles): ConfigGroup {
  return makeGroup({
    modPolicy: NEW_MOD_POLICY,
    values: new Map([['MSP', makeValue({ modPolicy: NEW_MOD_POLICY, value: mspValue(mspId, files) })]]),
    policies: defaultPolicies(section, mspId, files.nodeOus !== undefined),
  });
}

/**
 * Reads the group of an organisation in the JSON that `configtxgen -printOrg` writes.
 *
 * @throws TranslateError BAD_EDIT if it is something else, BAD_JSON, BAD_FIELD
 */
export function readOrganizationJson(section: Section, json: Uint8Array, codec: JsonCodec): ConfigGroup {
  const group: unknown = parseJson(json);
  const keys = Object.keys(typeof group === 'object' && group !== null ? group : {});
  if (!keys.includes('values') || !keys.includes('policies'))
    throw badEdit(
      'this is not an organisation: the JSON that configtxgen -printOrg writes is needed, with values and policies',
    );
  const name = 'Organization';
  const config = { channel_group: { groups: { [section]: { groups: { [name]: group } } } } };
  const bytes = codec.encode('common.Config', new TextEncoder().encode(JSON.stringify(config)));
  return requiredGroup(readConfig(bytes).channelGroup, [section, name]);
}

function parseJson(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(json)) as unknown;
  } catch {
    return undefined;
  }
}

/** A new organisation. */
export interface NewOrganization {
  readonly section: Section;
  /** The name of its group. */
  readonly name: string;
  readonly group: ConfigGroup;
  /** `host:port` of its orderers. */
  readonly endpoints?: readonly string[];
}

/** Adds an organisation. @throws TranslateError BAD_EDIT if its name or its MSP id is used already */
export function addOrganization(config: Config, organization: NewOrganization): Edited {
  const { section, name, endpoints = [] } = organization;
  const problem = nameProblem(name);
  if (problem !== undefined)
    throw badEdit(
      `the name ${JSON.stringify(name)} is not possible: 1 to 249 letters, digits, '.' and '-' are allowed`,
    );
  requiredGroup(config.channelGroup, [section]);
  const mspId = mspIdOf(organization.group);
  if (mspId === undefined || mspId === '') throw badEdit('the organisation has no MSP, or one without an id');
  for (const other of organizationsOf(config, [section]))
    if (other.name === name || other.mspId === mspId)
      throw badEdit(
        `${pathOf(section, other.name)} exists already, with the MSP id ${other.mspId ?? 'unknown'}; org set-msp replaces its MSP`,
      );
  if (endpoints.length > 0 && section !== 'Orderer')
    throw badEdit('only organisations of the orderers have endpoints: --group orderer');
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
  const found = findOrganization(config, wanted, section === undefined ? undefined : [section]);
  if (organizationsOf(config, [found.section]).length === 1)
    throw badEdit(
      `${pathOf(...found.path)} is the last organisation of ${found.section}: without organisations anybody satisfies its policies`,
    );
  return edited(
    config,
    changeGroup(config.channelGroup, [found.section], (parent) => withGroup(parent, found.name, undefined)),
    `organisation ${pathOf(...found.path)} removed`,
  );
}

/** What becomes the MSP of an organisation: an MSP directory, or the group of an organisation with an MSP. */
export type NewMsp = { readonly files: MspFiles } | { readonly group: ConfigGroup };

/** Replaces the MSP of an organisation. @throws TranslateError BAD_EDIT if its id would change, or if it is the same */
export function setMsp(config: Config, wanted: string, msp: NewMsp, section?: Section): Edited {
  const found = findOrganization(config, wanted, section === undefined ? undefined : [section]);
  const { mspId } = found;
  if (mspId === undefined) throw badEdit(`${pathOf(...found.path)} has no MSP that can be read`);
  const value = 'files' in msp ? mspValue(mspId, msp.files) : msp.group.values.get('MSP')?.value;
  const newId = 'files' in msp ? mspId : mspIdOf(msp.group);
  if (value === undefined || newId !== mspId)
    throw badEdit(
      `${pathOf(...found.path)} has the MSP id ${mspId}, which cannot change, and the new MSP has ${newId ?? 'none'}`,
    );
  if (sameBytes(value, found.group.values.get('MSP')?.value ?? new Uint8Array()))
    throw badEdit(`${pathOf(...found.path)} has this MSP already`);
  return edited(
    config,
    changeGroup(config.channelGroup, found.path, (group) => withValue(group, 'MSP', value)),
    `MSP of ${pathOf(...found.path)} replaced`,
  );
}
