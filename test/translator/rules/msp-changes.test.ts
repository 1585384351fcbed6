// Revocation lists and TLS CAs of organisations.

import test from 'ava';
import {
  application,
  harmOf,
  inConsenters,
  inMsp,
  inRaft,
  messageIn,
  orderer,
  ordererOrg,
  org1,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';
import { type Made, makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';
import { certificateIn } from '../../../translator/msp/certificate.js';
import { serialText } from '../../../translator/documents/certificate.js';
import { serialize, type Tree } from '../../fuzz/review/messages.js';

/** A CA of each organisation, beside its own one, whose key is not known: it signs the lists. */
const CAS = {
  application: makeCertificate({ commonName: 'ca.lists.org1' }),
  orderer: makeCertificate({ commonName: 'ca.lists.orderer' }),
};

function withCa(channel: Group): void {
  for (const [group, { pem }] of [
    [org1(channel), CAS.application],
    [ordererOrg(channel), CAS.orderer],
  ] as const)
    inMsp(group, (msp) => (msp.root_certs = [...(msp.root_certs as Uint8Array[]), pem]));
}

/** The CA that signs the lists of an organisation. */
const caOf = ({ root_certs: roots }: Tree): Made =>
  Object.values(CAS).find(({ pem }) => (roots as Uint8Array[]).some((root) => pem.equals(root)))!;

/** Sets a revocation list. @param issuer the name (DER) of the CA of the certificates */
const setList = (group: Group, issuer: Uint8Array, serials: readonly bigint[]): void =>
  inMsp(group, (msp) => (msp.revocation_list = [makeRevocationList(issuer, serials, caOf(msp))]));

/** Adds a revocation list of the CA of an organisation. */
const revoke = (group: Group, serials: readonly bigint[]): void =>
  inMsp(group, (msp) => {
    const [root] = msp.root_certs as Uint8Array[];
    msp.revocation_list = [makeRevocationList(certificateIn(root!)!.subject.raw, serials, caOf(msp))];
  });

const unknown = (severity: string, what: string, serials: string, ifIt: string): string =>
  `${severity} msp-revocation: a revocation list revokes ${what} that this review does not know, serial ${serials}: if ${ifIt}`;
const ORDERER = 'an orderer, peers do not take the blocks that this orderer signs';
const RAFT = '; the config of a Raft channel does not name their certificates';
const PEER = 'a peer, this peer stops at the block before';

const CASES: readonly (readonly [string, string, (channel: Group) => Group, readonly bigint[], string])[] = [
  [
    'an orderer organisation under Raft',
    'raft5',
    ordererOrg,
    [0xabcn],
    unknown('danger', 'a certificate of OrdererOrg', 'number 0ABC', `it belongs to ${ORDERER}${RAFT}`),
  ],
  [
    'an orderer organisation under BFT',
    'bft4',
    ordererOrg,
    [0x7fn],
    unknown('warning', 'a certificate of OrdererOrg', 'number 7F', `it belongs to ${ORDERER}`),
  ],
  [
    'an application organisation',
    'app3',
    org1,
    [1n, 0xffn],
    unknown('warning', 'certificates of Org1', 'numbers 01, FF', `one of them belongs to ${PEER}`),
  ],
];

for (const [who, config, group, serials, found] of CASES)
  test(`a list of ${who} revokes ${serials.length} unknown serial numbers`, async (t) => {
    t.deepEqual(await harmOf(config, (channel) => revoke(group(channel), serials), withCa), [found]);
  });

test('of fourteen unknown serial numbers, twelve are named', async (t) => {
  const serials = Array.from({ length: 14 }, (_, index) => BigInt(index + 1));
  const [found = ''] = await harmOf('app3', (channel) => revoke(org1(channel), serials), withCa);
  t.true(found.includes('numbers 01, 02, 03, 04, 05, 06, 07, 08, 09, 0A, 0B, 0C and 2 more: if'), found);
});

test('a list revokes a BFT consenter: danger with its name, and its serial number is not unknown', async (t) => {
  const found = await harmOf(
    'bft4',
    (channel) => {
      const { consenter_mapping: consenters } = messageIn(orderer(channel), 'Orderers', 'common.Orderers');
      const [{ identity }] = consenters as [Tree & { identity: Uint8Array }];
      revoke(ordererOrg(channel), [certificateIn(identity)!.serial]);
    },
    withCa,
  );
  t.deepEqual(found, [
    'danger msp-revoked: a revocation list revokes certificates that are in use: consenter 1 CN=o1.ord.example.com (whose signatures on blocks do not count any more)',
  ]);
});

test('a list revokes the orderer that has signed the block: danger with its name', async (t) => {
  const { pem } = makeCertificate({ commonName: 'orderer1', issuer: makeCertificate({ commonName: 'ca' }) });
  const { issuer, serial } = certificateIn(pem)!;
  const found = await harmOf(
    'app3',
    (channel) => setList(ordererOrg(channel), issuer.raw, [serial]),
    withCa,
    { signers: [serialize('msp.SerializedIdentity', { mspid: 'OrdererMSP', id_bytes: pem })] },
  );
  t.deepEqual(found, [
    'danger msp-revoked: a revocation list revokes certificates that are in use: orderer OrdererMSP CN=orderer1 (whose signatures on blocks do not count any more)',
  ]);
});

const madeBlockSigner = () => {
  const { pem } = makeCertificate({ commonName: 'orderer1', issuer: makeCertificate({ commonName: 'ca' }) });
  return serialize('msp.SerializedIdentity', { mspid: 'OrdererMSP', id_bytes: pem });
};

test('a list of a Raft channel whose only orderer has signed the block revokes an unknown serial number: warning', async (t) => {
  const args = ['raft1', (channel: Group) => revoke(ordererOrg(channel), [0xabcn])] as const;
  const line = unknown('warning', 'a certificate of OrdererOrg', 'number 0ABC', `it belongs to ${ORDERER}`);
  t.deepEqual(await harmOf(...args, withCa, { signers: [madeBlockSigner()] }), [line]);
  t.deepEqual(await harmOf(...args, withCa), [`${line.replace('warning', 'danger')}${RAFT}`]);
});

test('whose serial numbers are revoked is under what cannot be known', async (t) => {
  const linesFor = async (name: string, group: (channel: Group) => Group, ...serials: bigint[]) =>
    (await reviewOf(name, (channel) => revoke(group(channel), serials), withCa)).unknown.filter((line) =>
      line.includes('serial'),
    );
  t.deepEqual(await linesFor('raft5', ordererOrg, 0xabcn), [
    'whether serial number 0ABC belongs to an orderer of OrdererOrg',
  ]);
  t.deepEqual(await linesFor('app3', org1, 1n, 2n), [
    'whether serial numbers 01, 02 belong to a peer of Org1',
  ]);
});

test('a list revokes the TLS certificate of a consenter: warning, because TLS does not look at it', async (t) => {
  const found = await harmOf(
    'raft5',
    (channel) => {
      inRaft(channel, ({ consenters }) => {
        const [{ server_tls_cert: pem }] = consenters as [Tree & { server_tls_cert: Uint8Array }];
        const { issuer, serial } = certificateIn(pem)!;
        setList(ordererOrg(channel), issuer.raw, [serial]);
      });
    },
    withCa,
  );
  t.deepEqual(found, [
    'warning msp-revoked: a revocation list revokes certificates that are in use: TLS certificate of o1.ord.example.com:7050 (which stays in use: Fabric checks revocation lists for identities only)',
  ]);
});

for (const [what, by] of [
  ['that another CA has signed', makeCertificate({ commonName: 'ca.other' })],
  ['without a signature', undefined],
] as const)
  test(`a list ${what} is ignored, as Fabric does`, async (t) => {
    const change = (channel: Group): void => {
      const { consenter_mapping: consenters } = messageIn(orderer(channel), 'Orderers', 'common.Orderers');
      const [{ identity }] = consenters as [Tree & { identity: Uint8Array }];
      const { issuer, serial } = certificateIn(identity)!;
      const list = makeRevocationList(issuer.raw, [serial], by);
      inMsp(ordererOrg(channel), (msp) => (msp.revocation_list = [list]));
    };
    t.deepEqual(await harmOf('bft4', change, withCa), []);
  });

test('a list that stays revokes nothing new', async (t) => {
  const found = await harmOf(
    'app3',
    (channel) =>
      inMsp(org1(channel), (msp) => {
        const [list] = msp.revocation_list as Uint8Array[];
        msp.revocation_list = [Buffer.concat([Buffer.from(list!), Buffer.from('\n')])];
      }),
    (channel) => {
      withCa(channel);
      revoke(org1(channel), [5n]);
    },
  );
  t.deepEqual(found, []);
});

for (const [what, isPinned, ...found] of [
  [
    'name another CA',
    true,
    'warning msp-ca-without-roles: certificates of the CA CN=ca.lists.org1 have no role: each OU of NodeOUs names another CA',
  ],
  ['name no CA', false],
] as const)
  test(`a second CA where the units of NodeOUs ${what}: ${found.length === 0 ? 'nothing' : 'warning'}`, async (t) => {
    const prepare = (channel: Group): void =>
      inMsp(org1(channel), (msp) => {
        const units = msp.fabric_node_ous as Record<string, unknown>;
        const [certificate] = isPinned ? (msp.root_certs as Uint8Array[]) : [Buffer.alloc(0)];
        for (const role of ['client', 'peer', 'admin', 'orderer'])
          units[`${role}_ou_identifier`] = { certificate, organizational_unit_identifier: role };
      });
    const add = (channel: Group): void =>
      inMsp(org1(channel), (msp) => void (msp.root_certs as Uint8Array[]).push(CAS.application.pem));
    t.deepEqual(await harmOf('app3', add, prepare), found);
  });

for (const [what, certificateOf, ...found] of [
  [
    'get another CA',
    (second: Uint8Array) => second,
    'danger msp-node-ou-changed: the OUs of roles change (client: another CA, peer: another CA, admin: another CA): certificates from the previous CA lose the role or have another one',
  ],
  ['lose their CA', () => Buffer.alloc(0)],
] as const)
  test(`the units of NodeOUs ${what}, and the MSP keeps it: ${found.length === 0 ? 'nothing' : 'danger'}`, async (t) => {
    const setUnits = (msp: Tree, certificate: Uint8Array): void => {
      const units = msp.fabric_node_ous as Record<string, unknown>;
      for (const role of ['client', 'peer', 'admin', 'orderer'])
        units[`${role}_ou_identifier`] = { certificate, organizational_unit_identifier: role };
    };
    const prepare = (channel: Group): void => {
      withCa(channel);
      inMsp(org1(channel), (msp) => setUnits(msp, (msp.root_certs as Uint8Array[])[0]!));
    };
    const change = (channel: Group): void =>
      inMsp(org1(channel), (msp) => setUnits(msp, certificateOf((msp.root_certs as Uint8Array[])[1]!)));
    const lines = await harmOf('app3', change, prepare);
    // Who loses what by it follows.
    t.deepEqual(
      lines.map((line) => line.split('; after this update')[0]),
      found,
    );
  });

const CA_BESIDE = [
  ['of a stranger', () => makeCertificate({ commonName: 'ca.strange' }).pem],
  ['of Org1', (channel: Group) => rootOf(org1(channel), 'root_certs')],
  ['of TLS of Org1', (channel: Group) => rootOf(org1(channel), 'tls_root_certs')],
  ['with the domain of Org2', () => makeCertificate({ commonName: 'ca2.org2.example.com' }).pem],
] as const;

function rootOf(group: Group, field: string): Uint8Array {
  let found = new Uint8Array();
  inMsp(group, (msp) => ([found] = msp[field] as Uint8Array<ArrayBuffer>[] as [Uint8Array<ArrayBuffer>]));
  return found;
}

/** Which units of NodeOUs name no CA, or the new one, afterwards; the others name the previous CA. */
type Units = readonly [units: string, roles: readonly string[], namesNew: boolean];
const UNITS: readonly Units[] = [
  ['no unit names a CA', ['client', 'peer', 'admin', 'orderer'], false],
  ['each unit names it', ['client', 'peer', 'admin', 'orderer'], true],
  ['the unit of admins names no CA', ['admin'], false],
  ['the unit of clients names no CA', ['client'], false],
  ['each unit names the previous CA', [], false],
];

/** What a review says of a CA beside that of Org2. */
async function besideFindings(
  ca: (channel: Group) => Uint8Array,
  [, roles, namesNew]: Units,
): Promise<string[]> {
  const found = await harmOf('app3', (channel) => {
    const pem = ca(channel);
    inMsp(application(channel).groups.Org2!, (msp) => {
      (msp.root_certs as Uint8Array[]).push(pem);
      const units = msp.fabric_node_ous as Record<string, Tree>;
      for (const role of roles)
        units[`${role}_ou_identifier`]!.certificate = namesNew ? pem : Buffer.alloc(0);
    });
  });
  return found.map((line) => line.slice(0, line.indexOf(':')));
}

for (const [whose, ca] of CA_BESIDE)
  for (const units of UNITS) {
    const isDanger = units[1].length > 0 && (units[2] || !whose.startsWith('with'));
    test(`a CA ${whose} beside that of Org2, and ${units[0]}: ${isDanger ? 'danger' : 'no danger'}`, async (t) => {
      const found = await besideFindings(ca, units);
      t.is(
        found.some((line) => line.startsWith('danger')),
        isDanger,
        found.join(', '),
      );
    });
  }

test('a new CA of another name that gives roles is a danger', async (t) => {
  const found = await harmOf('app3', (channel) =>
    inMsp(application(channel).groups.Org2!, (msp) => {
      (msp.root_certs as Uint8Array[]).push(makeCertificate({ commonName: 'ca.strange' }).pem);
      const units = msp.fabric_node_ous as Record<string, Tree>;
      units.peer_ou_identifier!.certificate = Buffer.alloc(0);
    }),
  );
  t.deepEqual(found, [
    'danger msp-ca-foreign: the new CA CN=ca.strange has another name than the CAs of Org2 so far, and its certificates get roles of Org2 (peer): whoever has its key can act for Org2',
  ]);
});

test('a new CA of another organisation (O) is a danger where any CA gives roles', async (t) => {
  const add = async (organization: string) =>
    harmOf(
      'app3',
      (channel) =>
        inMsp(org1(channel), (msp) => {
          const { pem } = makeCertificate({ commonName: 'ca.org1.example.com', organization });
          (msp.root_certs as Uint8Array[]).push(pem);
        }),
      (channel) =>
        inMsp(org1(channel), (msp) => {
          const own = makeCertificate({ commonName: 'ca.own', organization: 'org1.example.com' });
          msp.root_certs = [own.pem];
          for (const unit of Object.values(msp.fabric_node_ous as Record<string, Tree>))
            unit.certificate &&= Buffer.alloc(0);
        }),
    );
  t.regex(
    (await add('org9.example.com')).join(),
    /^danger msp-ca-foreign: the new CA CN=ca[.]org1[.]example[.]com,O=org9[.]example[.]com/,
  );
  t.deepEqual(await add('org1.example.com'), []);
});

const newTlsCa = (group: Group): void =>
  inMsp(group, (msp) => (msp.tls_root_certs = [makeCertificate({ commonName: 'tlsca.new' }).pem]));

test('the TLS CA of an application organisation is replaced: warning', async (t) => {
  const found = await harmOf('raft5', (channel) => newTlsCa(org1(channel)));
  t.regex(
    found[0]!,
    /^warning msp-tls-ca-removed: the TLS CA CN=\S+ is removed: others cannot connect to nodes of Org1 that have TLS certificates issued by it$/,
  );
  t.is(found.length, 1);
});

test('the TLS CA of the only orderer organisation is replaced: danger', async (t) => {
  t.deepEqual(await harmOf('raft5', (channel) => newTlsCa(ordererOrg(channel))), [
    'danger orderer-addresses-replaced: peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address is kept with a current TLS CA: peers take no block any more',
  ]);
});

for (const [serial, text] of [
  [0n, '00'],
  [0x0an, '0A'],
  [0x1d4en, '1D4E'],
  [-0x1n, '-01'],
] as const)
  test(`the serial number ${serial} is ${text}, as openssl prints it`, (t) => {
    t.is(serialText(serial), text);
  });

const ROOT = makeCertificate({ commonName: 'ca.example.com' });
const INNER = makeCertificate({ commonName: 'ica.example.com', issuer: ROOT, isCa: true });
const OTHER_ROOT = makeCertificate({ commonName: 'ca2.example.com' });
const OTHER_INNER = makeCertificate({ commonName: 'ica2.example.com', issuer: OTHER_ROOT, isCa: true });
const ORDERERS = [1, 2, 3, 4].map((id) =>
  makeCertificate({ commonName: `orderer${id}`, unit: 'orderer', issuer: ROOT }),
);

/** An organisation with one root CA, which has issued all its identities, and no CA of units. */
const ofRoot =
  (organization: (channel: Group) => Group) =>
  (channel: Group): void => {
    inMsp(organization(channel), (msp) => {
      Object.assign(msp, { root_certs: [ROOT.pem], intermediate_certs: [], admins: [] });
      for (const unit of Object.values(msp.fabric_node_ous as Tree))
        if (typeof unit === 'object') (unit as Tree).certificate = new Uint8Array();
    });
  };

/** A BFT channel with orderers of the CA. */
const ofBftOrderers = (channel: Group): void => {
  ofRoot(ordererOrg)(channel);
  inConsenters(channel, (all) => all.forEach((each, index) => (each.identity = ORDERERS[index]!.pem)));
};

const addIntermediate =
  (organization: (channel: Group) => Group, ca = INNER, ...roots: readonly Made[]) =>
  (channel: Group): void =>
    inMsp(organization(channel), (msp) => {
      msp.intermediate_certs = [...(msp.intermediate_certs as Uint8Array[]), ca.pem];
      msp.root_certs = [...(msp.root_certs as Uint8Array[]), ...roots.map(({ pem }) => pem)];
    });

for (const [who, organization, consequence] of [
  ['peers', org1, 'peers of Org1 stop at the block before, and its admins are cut off'],
  ['orderers', ordererOrg, 'admins and nodes of OrdererOrg are cut off'],
] as const)
  test(`an intermediate CA below the root CA that has issued everything is one danger for ${who}`, async (t) => {
    const [found = '', ...others] = await harmOf(
      'meta4',
      addIntermediate(organization),
      ofRoot(organization),
    );
    t.true(
      found.startsWith(
        `danger msp-intermediate-ca-added: the intermediate CA CN=ica.example.com is added below the CA CN=ca.example.com: identities that CN=ca.example.com has issued itself do not count any more; ${consequence}; after this update, `,
      ),
      found,
    );
    t.deepEqual(others, []);
  });

for (const [what, change, cause] of [
  [
    'an intermediate CA below the CA of all BFT orderers',
    addIntermediate(ordererOrg),
    'msp-intermediate-ca-added',
  ],
  [
    'the CA of all BFT orderers is replaced',
    (channel) => inMsp(ordererOrg(channel), (msp) => void (msp.root_certs = [OTHER_ROOT.pem])),
    'msp-ca-removed',
  ],
  [
    'the unit of all BFT orderers is renamed',
    (channel) =>
      inMsp(ordererOrg(channel), ({ fabric_node_ous: units }) => {
        const { orderer_ou_identifier: unit } = units as Record<string, Tree>;
        unit!.organizational_unit_identifier = 'other';
      }),
    'msp-node-ou-changed',
  ],
] as const satisfies readonly (readonly [string, (channel: Group) => void, string])[])
  test(`${what}: one danger, which explains that four identities do not count`, async (t) => {
    const { findings } = await reviewOf('bft4', change, ofBftOrderers);
    const dangers = findings.flatMap(({ severity, id, explainedBy }) =>
      severity === 'danger' ? `${id} ${explainedBy ?? ''}` : [],
    );
    t.deepEqual(new Set(dangers), new Set([`bft-identity-invalid ${cause}`, `${cause} `]));
    t.is(dangers.length, 2);
    const explained = findings.find(({ id }) => id === 'bft-identity-invalid');
    t.is(explained?.id === 'bft-identity-invalid' && explained.data.consenters.length, 4);
  });

test('an intermediate CA below a new root CA, or below one that has issued CAs only, and a root CA that is an intermediate CA, too, harm nobody', async (t) => {
  t.deepEqual(await harmOf('meta4', addIntermediate(org1, ROOT), ofRoot(org1)), []);
  t.deepEqual(await harmOf('meta4', addIntermediate(org1, OTHER_INNER, OTHER_ROOT), ofRoot(org1)), []);
  const second = makeCertificate({ commonName: 'ica3.example.com', issuer: ROOT, isCa: true });
  const prepare = (channel: Group): void => {
    ofRoot(org1)(channel);
    addIntermediate(org1)(channel);
  };
  t.deepEqual(await harmOf('meta4', addIntermediate(org1, second), prepare), []);
});
