// Finds the certificates and revocation lists in the config of a channel.

import { is, requireTypes } from '../../proto/arguments.js';
import { attempt } from '../../proto/errors.js';
import { sameBytes } from '../../proto/bytes.js';
import {
  addressText,
  channelOf,
  type Consenter,
  type ConfigFile,
  type Organization,
  resultTypes,
} from '../channel/index.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import {
  certificateIn,
  nameText,
  readPemCertificate,
  readSerializedIdentity,
  readX509Msp,
} from '../msp/index.js';
import { foundCertificate, foundRevocationList, reading, type Found, type ExpiryPlace } from './expiry.js';
import { consenterRecipe, fileRecipe, mspRecipe } from './recipe.js';

/** A config, and its name in commands. */
interface Named {
  readonly source: string;
  readonly channel?: string;
}

type Organizations = readonly (Organization | Organization<'Consortiums'>)[];

/**
 * Finds the certificates and revocation lists of a channel config: of the consenters, of the MSPs of all organisations, and of the
 * orderers in the signatures of the block, if these contain identities.
 *
 * @param source the block, ledger or network, as in commands
 * @throws the reason of `signal` if it aborts
 */
export async function certificatesInChannel(
  file: ConfigFile,
  source: string,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<readonly Found[]> {
  requireTypes(
    { file, source, options },
    { file: resultTypes.configFile, source: is.text, options: is.only({ signal: CALL.signal }) },
  );
  const call = new LongCall(options);
  const { config, channel: name = '', signers = [] } = file;
  const channel = channelOf(config);
  const named: Named = { source, ...(name !== '' && { channel: name }) };
  const { orderer } = channel;
  const consortiums = channel.consortiums ?? [];
  const organizations: Organizations = [
    ...channel.organizations,
    ...consortiums.flatMap((each) => each.organizations),
  ];
  const place = { ...named, element: orderer.consentersPath };
  const found: Found[] = [
    ...listed(
      reading(place, () => orderer.consenters.flatMap((each) => ofConsenter(each, place, organizations))),
    ),
  ];
  for (const organization of organizations) {
    await call.pause();
    found.push(...ofOrganization(organization, named));
  }
  for (const signer of signers) {
    await call.pause();
    found.push(...listed(ofSigner(signer, named, organizations)));
  }
  return found;
}

/** A list, or the one unreadable item. */
const listed = <Item extends object>(found: Item | readonly Item[]): readonly Item[] =>
  Array.isArray(found) ? (found as readonly Item[]) : [found as Item];

/** The orderer organisation with an MSP id. */
const ordererWith = (organizations: Organizations, mspid: string): { readonly organization?: string } => {
  const found = organizations.find(({ section, mspId }) => section === 'Orderer' && mspId === mspid);
  return found === undefined ? {} : { organization: found.name };
};

/** The orderer organisation with a TLS CA that has the name of the issuer: Raft consenters do not name their organisation. */
function issuerOf(pem: Uint8Array, organizations: Organizations): { readonly organization?: string } {
  const issuer = namesIn([pem], 'issuer').at(0);
  const found = organizations.filter(({ section, msp }) => {
    if (section !== 'Orderer' || msp === undefined || issuer === undefined) return false;
    const read = attempt(
      () => readX509Msp(msp),
      () => undefined,
    );
    return namesIn([...(read?.tlsRoots ?? []), ...(read?.tlsIntermediates ?? [])], 'subject').includes(
      issuer,
    );
  });
  return found.length === 1 ? { organization: found[0]!.name } : {};
}

/** The issuers or subjects of the readable certificates. */
const namesIn = (pems: readonly Uint8Array[], name: 'issuer' | 'subject'): readonly string[] =>
  pems.flatMap((pem) => {
    const certificate = certificateIn(pem);
    return certificate === undefined ? [] : [nameText(certificate[name])];
  });

function ofConsenter(
  consenter: Consenter,
  place: Omit<ExpiryPlace, 'use'>,
  organizations: Organizations,
): readonly Found[] {
  const { clientTlsCert: client, serverTlsCert: server, mspId: mspid, identity } = consenter;
  const isOne = sameBytes(client, server);
  const certificates = [
    [isOne ? 'consenter-tls' : 'consenter-client-tls', client],
    ...(isOne ? [] : [['consenter-server-tls', server] as const]),
    ...(identity === undefined ? [] : [['consenter-identity', identity] as const]),
  ] as const;
  return certificates.map(([use, pem]) => {
    const own: ExpiryPlace = {
      ...place,
      ...(mspid === undefined
        ? issuerOf(pem, organizations)
        : { ...ordererWith(organizations, mspid), mspid }),
      consenter: addressText(consenter),
      use,
    };
    return foundCertificate(() => readPemCertificate(pem), own, consenterRecipe(own));
  });
}

function ofOrganization(organization: Organizations[number], named: Named): readonly Found[] {
  const { name, mspId: mspid, msp: value, path, section } = organization;
  if (value === undefined) return [];
  const place = {
    ...named,
    organization: name,
    ...(mspid !== undefined && { mspid }),
    element: `${path}/MSP`,
  };
  const recipeOf = (own: ExpiryPlace) => mspRecipe(own, section === 'Consortiums' ? undefined : section);
  const found = reading(place, () => {
    const msp = readX509Msp(value);
    if (msp === undefined) return [];
    const lists = [
      ['ca', msp.roots],
      ['intermediate-ca', msp.intermediates],
      ['tls-ca', msp.tlsRoots],
      ['tls-intermediate-ca', msp.tlsIntermediates],
      ['admin', msp.admins],
      ['signing-identity', msp.signingIdentity === undefined ? [] : [msp.signingIdentity.certificate]],
    ] as const;
    const crls: ExpiryPlace = { ...place, use: 'revocation-list' };
    return [
      ...lists.flatMap(([use, certificates]) =>
        certificates.map((pem) =>
          foundCertificate(() => readPemCertificate(pem), { ...place, use }, recipeOf({ ...place, use })),
        ),
      ),
      ...msp.revocationLists.flatMap((list) => foundRevocationList(list, crls, recipeOf(crls))),
    ];
  });
  return listed(found);
}

/** @param signer a serialized identity in the signatures of a block */
function ofSigner(signer: Uint8Array, named: Named, organizations: Organizations): Found {
  return reading(named, () => {
    const { mspid, certificate } = readSerializedIdentity(signer);
    const place: ExpiryPlace = {
      ...named,
      ...ordererWith(organizations, mspid),
      mspid,
      use: 'orderer-identity',
    };
    return foundCertificate(() => readPemCertificate(certificate), place, fileRecipe(place));
  });
}
