// The forms of the editor: one for each kind of change, as the commands of configtxlator have them.

import type { Config } from 'fabric-ops-agent/translator/config';
import {
  addConsenter,
  addOrganization,
  editAnchorPeers,
  LEVELS,
  makeOrganization,
  readOrganizationJson,
  removeAcl,
  removeConsenter,
  removeOrganization,
  removePolicy,
  rotateConsenter,
  setAcl,
  setByPath,
  setCapabilities,
  setEndpoints,
  setModPolicy,
  setMsp,
  setPolicy,
  type Edited,
  type Level,
  type MspFiles,
  type Section,
} from 'fabric-ops-agent/translator/edit';
import { TranslateError } from 'fabric-ops-agent/translator/errors';
import { decode, encode } from 'fabric-ops-agent/translator/json';
import { summariseChannel } from 'fabric-ops-agent/translator/show';
import type { DroppedMsp } from './msp-folders.js';

/** What the choices of a form depend on. */
export interface Context {
  readonly config: Config;
  readonly msps: readonly DroppedMsp[];
}

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** `lines` is a text with several lines; the others are those of HTML. */
  readonly kind: 'text' | 'lines' | 'choice';
  readonly hint?: string;
  readonly choices?: (context: Context) => readonly string[];
}

/** What people have written, by the name of the field; a missing field is empty. */
export type Values = ReadonlyMap<string, string>;

/** A kind of change. */
export interface Form {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly Field[];
  /** @throws TranslateError if the values are wrong */
  readonly apply: (context: Context, value: (name: string) => string) => Edited;
}

const codec = { decode, encode };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const optional = (text: string): string | undefined => (text === '' ? undefined : text);
const pem = (text: string): Uint8Array | undefined => (text === '' ? undefined : bytesOf(text));
const linesOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '');

const bad = (text: string): TranslateError => new TranslateError('BAD_EDIT', text);

/** The organisations of sections, as `Application/Org1`. */
const organizations =
  (...sections: readonly Section[]) =>
  ({ config: { channelGroup } }: Context): readonly string[] =>
    sections.flatMap((section) =>
      [...(channelGroup.groups.get(section)?.groups.keys() ?? [])].map((name) => `${section}/${name}`),
    );

/** The section and the name of a choice. */
function placeOf(choice: string): { readonly section: Section; readonly name: string } {
  const at = choice.indexOf('/');
  if (at < 0) throw bad('choose an organisation');
  return { section: choice.slice(0, at) as Section, name: choice.slice(at + 1) };
}

const folders = ({ msps }: Context): readonly string[] =>
  msps.filter(({ organization }) => organization !== undefined).map(({ name }) => name);

function mspOf({ msps }: Context, name: string): MspFiles {
  const found = msps.find((each) => each.name === name)?.organization;
  if (found === undefined) throw bad('drop the MSP folder of the organisation on the page, and choose it');
  return found;
}

const ORGANIZATION: Field = {
  name: 'organization',
  label: 'organisation',
  kind: 'choice',
  choices: organizations('Application', 'Orderer'),
};
const MSP: Field = { name: 'msp', label: 'MSP folder', kind: 'choice', choices: folders };
const ADDRESSES: Field = {
  name: 'addresses',
  label: 'addresses',
  kind: 'lines',
  hint: 'host:port, one in each line',
};
const POLICY_PATH: Field = {
  name: 'path',
  label: 'policy',
  kind: 'text',
  hint: '/Channel/Application/Admins',
};

const consenters = ({ config }: Context): readonly string[] => {
  const { orderer } = summariseChannel({ kind: 'config', form: 'config', config });
  return orderer?.consenters.map(({ address }) => address) ?? [];
};
const CONSENTER: Field = {
  name: 'address',
  label: 'consenter',
  kind: 'choice',
  choices: consenters,
};
const CERTIFICATES: readonly Field[] = [
  { name: 'tls', label: 'TLS certificate', kind: 'lines', hint: 'PEM' },
  { name: 'serverTls', label: 'TLS certificate as server, if another one', kind: 'lines', hint: 'PEM' },
  { name: 'identity', label: 'signing certificate, with BFT', kind: 'lines', hint: 'PEM' },
];
const certificatesOf = (
  value: (name: string) => string,
): {
  tls?: Uint8Array | undefined;
  serverTls?: Uint8Array | undefined;
  identity?: Uint8Array | undefined;
} => ({
  tls: pem(value('tls')),
  serverTls: pem(value('serverTls')),
  identity: pem(value('identity')),
});

/** All forms. */
export const FORMS: readonly Form[] = [
  {
    id: 'org-add',
    title: 'Add an organisation',
    fields: [
      { name: 'section', label: 'group', kind: 'choice', choices: () => ['Application', 'Orderer'] },
      { name: 'mspid', label: 'MSP id', kind: 'text', hint: 'Org3MSP' },
      { name: 'name', label: 'name, if it is not the MSP id', kind: 'text' },
      MSP,
      { name: 'json', label: 'or the JSON of configtxgen -printOrg', kind: 'lines' },
      { ...ADDRESSES, label: 'endpoints of its orderers' },
    ],
    apply: (context, value) => {
      const section = value('section') as Section;
      const json = value('json').trim();
      const mspid = value('mspid').trim();
      if (json === '' && mspid === '') throw bad('the MSP id is needed');
      const group =
        json === ''
          ? makeOrganization(section, mspid, mspOf(context, value('msp')))
          : readOrganizationJson(section, bytesOf(json), codec);
      const name = value('name').trim() || mspid;
      if (name === '') throw bad('the name of the organisation is needed');
      return addOrganization(context.config, {
        section,
        name,
        group,
        endpoints: linesOf(value('addresses')),
      });
    },
  },
  {
    id: 'org-remove',
    title: 'Remove an organisation',
    fields: [ORGANIZATION],
    apply: ({ config }, value) => {
      const { section, name } = placeOf(value('organization'));
      return removeOrganization(config, name, section);
    },
  },
  {
    id: 'org-set-msp',
    title: 'Replace the MSP of an organisation',
    fields: [ORGANIZATION, MSP],
    apply: (context, value) => {
      const { section, name } = placeOf(value('organization'));
      return setMsp(context.config, name, { files: mspOf(context, value('msp')) }, section);
    },
  },
  {
    id: 'anchor-peers',
    title: 'Change anchor peers',
    fields: [
      { ...ORGANIZATION, choices: organizations('Application') },
      { name: 'action', label: 'action', kind: 'choice', choices: () => ['add', 'remove', 'set'] },
      ADDRESSES,
    ],
    apply: ({ config }, value) =>
      editAnchorPeers(
        config,
        value('action') as 'add' | 'remove' | 'set',
        placeOf(value('organization')).name,
        linesOf(value('addresses')),
      ),
  },
  {
    id: 'endpoints',
    title: 'Set the endpoints of orderers',
    fields: [{ ...ORGANIZATION, choices: organizations('Orderer') }, ADDRESSES],
    apply: ({ config }, value) =>
      setEndpoints(config, placeOf(value('organization')).name, linesOf(value('addresses'))),
  },
  {
    id: 'set',
    title: 'Set a field',
    fields: [
      { name: 'path', label: 'path', kind: 'text', hint: 'orderer.batchSize.maxMessageCount' },
      { name: 'value', label: 'value', kind: 'lines', hint: 'a number, duration, text, policy or JSON' },
    ],
    apply: ({ config }, value) => setByPath(config, value('path').trim(), value('value').trim(), codec),
  },
  {
    id: 'capabilities',
    title: 'Set capabilities',
    fields: [
      { name: 'level', label: 'of', kind: 'choice', choices: () => LEVELS },
      { name: 'names', label: 'capabilities', kind: 'text', hint: 'V2_0' },
    ],
    apply: ({ config }, value) => setCapabilities(config, value('level') as Level, linesOf(value('names'))),
  },
  {
    id: 'policy-set',
    title: 'Set a policy',
    fields: [
      POLICY_PATH,
      { name: 'rule', label: 'rule', kind: 'text', hint: "MAJORITY Admins, or OR('Org1MSP.admin')" },
    ],
    apply: ({ config }, value) => setPolicy(config, value('path').trim(), value('rule').trim()),
  },
  {
    id: 'policy-remove',
    title: 'Remove a policy',
    fields: [POLICY_PATH],
    apply: ({ config }, value) => removePolicy(config, value('path').trim()),
  },
  {
    id: 'mod-policy',
    title: 'Set who may change an element',
    fields: [
      { name: 'path', label: 'element', kind: 'text', hint: '/Channel/Orderer/BatchSize' },
      { name: 'policy', label: 'policy', kind: 'text', hint: 'Admins' },
    ],
    apply: ({ config }, value) => setModPolicy(config, value('path').trim(), value('policy').trim()),
  },
  {
    id: 'acl-set',
    title: 'Set an ACL',
    fields: [
      { name: 'resource', label: 'resource', kind: 'text', hint: 'peer/Propose' },
      { name: 'policy', label: 'policy', kind: 'text', hint: '/Channel/Application/Writers' },
    ],
    apply: ({ config }, value) => setAcl(config, value('resource').trim(), value('policy').trim()),
  },
  {
    id: 'acl-remove',
    title: 'Remove an ACL',
    fields: [{ name: 'resource', label: 'resource', kind: 'text', hint: 'peer/Propose' }],
    apply: ({ config }, value) => removeAcl(config, value('resource').trim()),
  },
  {
    id: 'consenter-add',
    title: 'Add a consenter',
    fields: [
      { name: 'address', label: 'address', kind: 'text', hint: 'host:port for the other consenters' },
      { ...ORGANIZATION, choices: organizations('Orderer') },
      { name: 'endpoint', label: 'endpoint for clients, if another one', kind: 'text', hint: 'host:port' },
      ...CERTIFICATES,
    ],
    apply: ({ config }, value) =>
      addConsenter(config, {
        address: value('address').trim(),
        organization: placeOf(value('organization')).name,
        endpoint: optional(value('endpoint').trim()),
        ...certificatesOf(value),
      }),
  },
  {
    id: 'consenter-remove',
    title: 'Remove a consenter',
    fields: [CONSENTER],
    apply: ({ config }, value) => removeConsenter(config, value('address')),
  },
  {
    id: 'consenter-rotate',
    title: 'Replace certificates of a consenter',
    fields: [CONSENTER, ...CERTIFICATES],
    apply: ({ config }, value) => rotateConsenter(config, value('address'), certificatesOf(value)),
  },
];
