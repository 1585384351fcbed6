// Hazards: consenters of Raft and BFT channels: certificates, addresses, how many may fail.

import { addressText } from '../../config/address.js';
import { bftQuorum } from '../../config/block-validation.js';
import { raftQuorum } from '../../config/membership.js';
import { CLIENT_AUTH, SERVER_AUTH } from '../../msp/chain.js';
import { dayText, nameText } from '../../describe/certificate.js';
import { certificateIn } from '../../msp/read-pem.js';
import { hazard, type Finding } from '../finding.js';
import { BFT_PATH, consentersOf, type Consenter } from '../facts/consenters.js';
import type { State } from '../facts/state.js';

export function consenterHazards(state: State): Finding[] {
  const { path, list } = consentersOf(state);
  return [
    ...list.flatMap((consenter) => [
      ...addressHazard(consenter, path),
      ...certificateHazards(consenter, path, state.now),
    ]),
    ...toleranceHazards(list.length, path),
  ];
}

function addressHazard(consenter: Consenter, path: string): Finding[] {
  if (consenter.host !== '' && consenter.port > 0) return [];
  return [
    hazard(
      'danger',
      'consenter-address',
      path,
      `the consenter ${JSON.stringify(addressText(consenter))} has no host or no port: the others cannot reach it`,
      'set its host and port',
    ),
  ];
}

function certificateHazards(consenter: Consenter, path: string, now: Date): Finding[] {
  const kinds = [
    ['client', CLIENT_AUTH, consenter.clientTlsCert],
    ['server', SERVER_AUTH, consenter.serverTlsCert],
  ] as const;
  return kinds.flatMap(([kind, usage, pem]) => {
    const certificate = certificateIn(pem);
    if (certificate === undefined) return [];
    const { subject, notAfter, extensions } = certificate;
    const what = `the ${kind} certificate ${nameText(subject)} of the consenter ${addressText(consenter)}`;
    const findings: Finding[] = [];
    if (notAfter < now)
      findings.push(
        hazard(
          'warning',
          'consenter-expired',
          path,
          `${what} expired on ${dayText(notAfter)}`,
          'renew it; a new certificate with the same key needs no config update',
        ),
      );
    const { extendedKeyUsage } = extensions;
    if (extendedKeyUsage.length > 0 && !extendedKeyUsage.includes(usage))
      findings.push(
        hazard(
          'danger',
          'consenter-key-usage',
          path,
          `${what} is not for TLS ${kind}s: the other consenters do not connect to it`,
          `use a certificate with the extended key usages of a TLS client and server`,
        ),
      );
    return findings;
  });
}

/** Consenters that may fail before the channel stops. */
function toleranceHazards(count: number, path: string): Finding[] {
  const isBft = path === BFT_PATH;
  const { faulty, quorum } = isBft
    ? bftQuorum(count)
    : { quorum: raftQuorum(count), faulty: count - raftQuorum(count) };
  if (count < 2 || faulty > 0) return [];
  return [
    hazard(
      'warning',
      'consenters-no-fault-tolerance',
      path,
      `with ${count} consenters, ${quorum} must be up: the channel stops when one fails`,
      `have ${isBft ? 4 : 3} consenters or more`,
    ),
  ];
}
