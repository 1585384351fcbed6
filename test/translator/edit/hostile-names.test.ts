// Names of members of every JavaScript object, through each edit: they are treated like other names, and change no object.

import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import {
  channelOf,
  makeGroup,
  makePolicy,
  makeValue,
  readEnvelope,
  type Config,
  type Organization,
  type Section,
} from '../../../translator/channel/index.js';
import {
  addConsenter,
  addOrganization,
  editAnchorPeers,
  rebaseUpdate,
  removeAcl,
  removeOrganization,
  removePolicy,
  replaceConfig,
  setAcl,
  setByPath,
  setCapabilities,
  setEndpoints,
  setModPolicy,
  setMsp,
  setPolicy,
  unsignedUpdate,
  type Edited,
} from '../../../translator/edit/index.js';
import { CONFIG, groupOf, PEM, refused, withGroupOf } from '../../helpers/edits.js';

/** An organisation with another MSP of the id UnitsMSP: one with an unknown field. */
const withMsp = makeGroup({
  values: new Map([
    [
      'MSP',
      makeValue({
        value: concatBytes(
          groupOf(CONFIG, 'Application', 'units').values.get('MSP')!.value,
          Uint8Array.of(0x98, 0x06, 0x01),
        ),
      }),
    ],
  ]),
});

const NAMES = ['__proto__', 'constructor', 'toString'] as const;
const MEMBERS = Object.getOwnPropertyNames(Object.prototype).join();

/** The channel with an organisation, a policy and a group with this name, made from bytes because Fabric refuses `_` in names. */
function withName(name: string): Config {
  const applications = withGroupOf(CONFIG, 'Application', ({ groups, policies }) => ({
    groups: new Map(groups).set(name, makeGroup({ ...groups.get('units')! })),
    policies: new Map(policies).set(name, makePolicy({ ...policies.get('Admins')! })),
  }));
  return withGroupOf(applications, 'Orderer', ({ groups }) => ({
    groups: new Map(groups).set(name, makeGroup({ ...groups.get('orderer')! })),
  }));
}

const organizationOf = (config: Config, section: Section, name: string): Organization | undefined =>
  channelOf(config).organizations.find((each) => each.section === section && each.name === name);

for (const name of NAMES) {
  const config = withName(name);
  const path = (...names: readonly string[]): string => ['/Channel', ...names].join('/');

  /** Each edit of an element with the name, and its notes. */
  const edits: readonly (readonly [what: string, edit: () => Edited, note: string])[] = [
    [
      'org remove',
      () => removeOrganization(config, name, 'Application'),
      `organisation ${path('Application', name)} removed`,
    ],
    [
      'org set-msp',
      () => setMsp(config, name, { group: withMsp }, 'Application'),
      `MSP of ${path('Application', name)} replaced`,
    ],
    [
      'anchor-peers add',
      () => editAnchorPeers(config, 'add', name, ['[::1]:7']),
      `anchor peers of ${path('Application', name)}: [::1]:7`,
    ],
    [
      'endpoints set',
      () => setEndpoints(config, name, ['[::1]:7']),
      `endpoints of ${path('Orderer', name)}: [::1]:7`,
    ],
    [
      'consenter add --org',
      () => addConsenter(config, { address: 'p:2', tls: PEM, organization: name }),
      'consenter p:2 added',
    ],
    [
      'mod-policy set',
      () => setModPolicy(config, `Application/groups/${name}`, 'Readers'),
      `mod_policy of ${path('Application', name)}: Admins -> Readers`,
    ],
    [
      'a policy of the organisation',
      () => setPolicy(config, `Application/groups/${name}/Admins`, 'ANY Readers'),
      `policy ${path('Application', name, 'Admins')}: OR('UnitsMSP.admin') -> ANY Readers`,
    ],
    [
      'acl set',
      () => setAcl(config, `${name}/${name}`, 'Readers'),
      `ACL ${name}/${name}: the default of the peers -> Readers`,
    ],
    [
      'edit --set with an ACL',
      () => setByPath(config, `application.acls.${name}/x`, 'Readers'),
      `${path('Application', 'ACLs')} ${name}/x: nothing -> {"policy_ref":"Readers"}`,
    ],
    [
      'edit --set with capabilities',
      () => setByPath(config, 'application.capabilities', `{"capabilities":{"${name}":{}}}`),
      `${path('Application', 'Capabilities')}: {"capabilities":{"V2_5":{}}} -> {"capabilities":{"${name}":{}}}`,
    ],
  ];
  // Fabric allows no `_` in names, and edits of policies refuse them.
  const policies: typeof edits = [
    [
      'policy set',
      () => setPolicy(config, `Application/policies/${name}`, 'ANY Readers'),
      `policy ${path('Application', name)}: MAJORITY Admins -> ANY Readers`,
    ],
    [
      'policy remove',
      () => removePolicy(config, `Application/policies/${name}`),
      `policy ${path('Application', name)} removed`,
    ],
  ];
  for (const [what, edit, note] of name === '__proto__' ? edits : [...edits, ...policies])
    test(`${what} takes the name ${name}`, (t) => {
      const { notes, config: edited } = edit();
      t.is(notes[0], note);
      t.is(Object.getOwnPropertyNames(Object.prototype).join(), MEMBERS);
      const { bytes: envelope } = unsignedUpdate(config, edited, 'edits');
      t.is(readEnvelope(envelope).update.channelId, 'edits');
    });

  test(`an ACL of ${name} is set and removed`, (t) => {
    const { config: changed } = setAcl(CONFIG, `${name}/${name}`, 'Readers');
    t.deepEqual([...channelOf(changed).application.acls], [[`${name}/${name}`, 'Readers']]);
    t.is(channelOf(removeAcl(changed, `${name}/${name}`).config).application.acls.size, 0);
  });

  test(`a removed organisation ${name} leaves the others`, (t) => {
    const { config: left } = removeOrganization(config, name, 'Application');
    t.is(organizationOf(left, 'Application', name), undefined);
    t.is(channelOf(left).application.organizations.length, 3);
    t.truthy(organizationOf(left, 'Orderer', name));
  });

  test(`a config edited as JSON, and an outdated update, keep ${name}`, (t) => {
    const { config: modified } = setByPath(config, 'orderer.batchTimeout', '9s');
    const replaced = replaceConfig(config, modified).config;
    t.is(channelOf(replaced).orderer.batchTimeout, '9s');
    t.truthy(organizationOf(replaced, 'Application', name));
    t.true(groupOf(replaced, 'Application').policies.has(name));
    const { bytes: envelope } = unsignedUpdate(
      CONFIG,
      setByPath(CONFIG, 'orderer.batchTimeout', '9s').config,
      'edits',
    );
    const rebased = rebaseUpdate(readEnvelope(envelope).update, CONFIG, config).config;
    t.truthy(organizationOf(rebased, 'Application', name));
    t.is(channelOf(rebased).orderer.batchTimeout, '9s');
  });

  test(`edits of a missing ${name} are refused`, (t) => {
    refused(
      t,
      () => removeOrganization(CONFIG, name),
      `the channel has no organisation "${name}"; expected one of full, orderer, plain, units`,
    );
    refused(
      t,
      () => setByPath(CONFIG, `orderer.batchSize.${name}`, '1'),
      `/Channel/Orderer/BatchSize has no field "${name}"; expected one of absoluteMaxBytes, maxMessageCount, preferredMaxBytes`,
    );
    refused(
      t,
      () => setCapabilities(CONFIG, 'orderer', [name]),
      `unknown orderer capability "${name}"; Fabric 3.0 knows V1_1, V1_4_2, V2_0`,
    );
    refused(
      t,
      () => setAcl(CONFIG, 'peer/Propose', `/Channel/${name}/Admins`),
      `there is no policy "/Channel/${name}/Admins"; did you mean /Channel/Orderer/Admins?`,
    );
  });
}

test('an organisation with the name constructor is added; Fabric allows no _ in names', (t) => {
  const group = groupOf(CONFIG, 'Orderer', 'orderer');
  const added = addOrganization(CONFIG, { section: 'Application', name: 'constructor', group }).config;
  t.is(organizationOf(added, 'Application', 'constructor')?.mspId, 'OrdererMSP');
  refused(
    t,
    () => addOrganization(CONFIG, { section: 'Application', name: '__proto__', group }),
    `the name "__proto__" is not possible: 1 to 249 letters, digits, '.' and '-' are allowed`,
  );
});
