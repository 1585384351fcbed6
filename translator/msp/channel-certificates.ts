// The certificates in the config of a channel: of all MSPs and of the consenters.

import { requireTypes } from '../../proto/arguments.js';
import {
  addressText,
  channelOf,
  type Config,
  type Consenter,
  type Consortium,
  type Organization,
  resultTypes,
} from '../channel/index.js';
import { readX509Msp } from './config.js';

/** The use of a certificate in a channel. */
export type ChannelCertificateUse =
  | 'ca'
  | 'intermediate_ca'
  | 'admin'
  | 'tls_ca'
  | 'tls_intermediate_ca'
  /** Of a node, by mistake: see the rule `msp-signing-identity`. */
  | 'signing_identity'
  | 'consenter_identity'
  | 'consenter_client_tls'
  | 'consenter_server_tls';

/** A certificate of a channel. */
export interface ChannelCertificate {
  /** The MSP id of its organisation; undefined for a Raft consenter, which does not name its organisation. */
  readonly mspId: string | undefined;
  /** `host:port` of its consenter; undefined for a certificate of an MSP. */
  readonly consenter: string | undefined;
  readonly use: ChannelCertificateUse;
  readonly pem: Uint8Array;
}

/** The unparsed certificates in a config: of the MSPs, then of the consenters. @throws TranslateError BAD_BYTES */
export function channelCertificates(config: Config): readonly ChannelCertificate[] {
  requireTypes({ config }, { config: resultTypes.config });
  const { orderer, application, consortiums = [] } = channelOf(config);
  const organizations = [
    ...orderer.organizations,
    ...application.organizations,
    ...consortiums.flatMap((consortium) => consortium.organizations),
  ];
  return [...organizations.flatMap(mspCertificates), ...orderer.consenters.flatMap(consenterCertificates)];
}

function consenterCertificates(each: Consenter): ChannelCertificate[] {
  const owner = { mspId: each.mspId, consenter: addressText(each) };
  const { identity } = each;
  return [
    ...(identity === undefined ? [] : [{ ...owner, use: 'consenter_identity' as const, pem: identity }]),
    { ...owner, use: 'consenter_client_tls', pem: each.clientTlsCert },
    { ...owner, use: 'consenter_server_tls', pem: each.serverTlsCert },
  ];
}

function mspCertificates({
  name,
  mspId = name,
  msp: serialized,
}: Organization | Consortium['organizations'][number]): ChannelCertificate[] {
  const msp = serialized && readX509Msp(serialized);
  if (msp === undefined) return [];
  const { roots, intermediates, admins, tlsRoots, tlsIntermediates, signingIdentity } = msp;
  const lists: readonly (readonly [ChannelCertificateUse, readonly Uint8Array[]])[] = [
    ['ca', roots],
    ['intermediate_ca', intermediates],
    ['admin', admins],
    ['tls_ca', tlsRoots],
    ['tls_intermediate_ca', tlsIntermediates],
    ['signing_identity', signingIdentity === undefined ? [] : [signingIdentity.certificate]],
  ];
  return lists.flatMap(([use, all]) => all.map((pem) => ({ mspId, consenter: undefined, use, pem })));
}
