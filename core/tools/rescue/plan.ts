// Makes the plan: the steps to restore a network with expired certificates.
//
// Facts about Fabric that the plan relies on (2.2.1 and later; measured with 2.5.12 and 3.0.0):
// - Orderers of Raft recognise each other by the public keys of the TLS certificates (orderer/common/cluster/connections.go). A renewed
//   certificate with the same key needs no config update.
// - Orderers of BFT compare signing certificates, not TLS certificates: before 3.1.2 byte by byte, so that an orderer with a renewed one
//   is a follower (orderer/consensus/smartbft/consenter.go: detectSelfID).
// - Orderers of BFT verify each other's TLS certificates only with the TLS CAs in the channel; orderers of Raft also with
//   General.Cluster.RootCAs.
// - The certificate of a rotation must not have expired, nor its CA in the channel (orderer/consensus/etcdraft/chain.go: ValidateConsensusMetadata).
// - A node with an expired signing certificate does not start (msp/mspimplsetup.go). While it runs, it refuses config updates.
// - TLSHandshakeTimeShift sets the clock of TLS handshakes between orderers back: in General.TLS if they share the port of the clients, in
//   General.Cluster if they have another port (orderer/common/server/main.go). Certificates that begin after that time are refused.
// - An identity is verified at its own start (msp/mspimplvalidate.go), so an expired CA does not matter if the certificate begins
//   before the end of the CA. TLS verifies the CA at the time of the handshake.

import { shellWord } from '../../common/text/shell-word.js';
import {
  caFileCommands,
  certificateCommands,
  certificateFile,
  FOLDER,
  renewCaCommand,
  valueOf,
  type NewCertificate,
} from './commands.js';
import { addressText } from 'fabric-ops-agent/translator/channel';
import { isBft, nodeOf, type Network } from './network.js';
import type { StoredCertificate, RescueNode } from './node.js';
import { addNewVersion, addReplacement, addRotation, addShift, shiftOf } from './orderers.js';
import { addNewCas, addPeers } from './peers.js';
import {
  commands,
  fileName,
  newCaFile,
  Planning,
  type Expired,
  type Keys,
  type Plan,
  type Renewed,
} from './planning.js';

/**
 * Makes the plan.
 *
 * @param now milliseconds since the epoch
 * @returns undefined if nothing has expired
 * @throws Error if there is no plan with new keys
 */
export function planRescue(network: Network, keys: Keys, now: number): Plan | undefined {
  const planning = new Planning(network, keys, now);
  const expired = network.nodes.flatMap((node) =>
    node.certificates
      .filter((each) => planning.isExpired(each.until) || planning.hasExpiredCa(each))
      .map((each) => expiredOf(planning, node, each)),
  );
  if (expired.length === 0) return undefined;
  const shift = shiftOf(planning);
  const renewed = network.nodes.flatMap((node) => renewedOf(planning, node, shift?.from));
  const orderers = renewed.filter(({ node }) => node.kind === 'orderer');
  addPreparation(planning, renewed);
  addNewVersion(planning, orderers);
  if (shift === undefined) addReplacement(planning, orderers);
  else addShift(planning, orderers, shift);
  // Before the rotations: orderers verify the certificate of a rotation with the TLS CAs in the channel.
  const updates = addNewCas(planning, shift?.value);
  if (shift !== undefined) addRotation(planning, orderers, shift);
  addPeers(planning, renewed, updates);
  return {
    now: new Date(now).toISOString(),
    keys,
    expired,
    inputs: planning.inputs,
    steps: planning.steps,
    notes: notesOf(planning, renewed),
  };
}

function expiredOf(planning: Planning, node: RescueNode, certificate: StoredCertificate): Expired {
  const { use, files, subject, until, ca } = certificate;
  return {
    node: node.name,
    use,
    files: files.map((each) => each.certificate),
    subject,
    until: new Date(until).toISOString(),
    ...(ca !== undefined &&
      planning.hasExpiredCa(certificate) && { caUntil: new Date(ca.until).toISOString() }),
  };
}

/** @param tlsFrom the start of new TLS certificates of orderers; undefined: now */
function renewedOf(planning: Planning, node: RescueNode, tlsFrom: number | undefined): readonly Renewed[] {
  const due = node.certificates.filter(({ until }) => planning.isExpired(until));
  if (due.length === 0 && planning.newCasOf(node).length === 0) return [];
  const tls = due.filter(({ use }) => use === 'TLS');
  const nameOf = (old: StoredCertificate): string =>
    old.use === 'TLS' ? `tls${tls.indexOf(old) === 0 ? '' : tls.indexOf(old) + 1}` : 'identity';
  const certificates = due.map((old): NewCertificate => ({
    tag: `${fileName(node.name)}-${nameOf(old)}`,
    old,
    ca: caOf(planning, node, old),
    hasNewKey: planning.keys === 'new',
    from: startOf(planning, node, old, tlsFrom),
  }));
  return [{ node, certificates }];
}

/** An expired TLS CA is renewed first, and the renewed CA issues the certificate. */
function caOf(
  planning: Planning,
  { mspId }: RescueNode,
  certificate: StoredCertificate,
): NewCertificate['ca'] {
  const ca = planning.ca(mspId, certificate.use === 'identity' ? 'CA' : 'TLS_CA');
  return planning.hasExpiredCa(certificate) ? { ...ca, certificate: shellWord(newCaFile(mspId)) } : ca;
}

function startOf(
  planning: Planning,
  { kind }: RescueNode,
  { use, from, ca }: StoredCertificate,
  tlsFrom: number | undefined,
): number | undefined {
  if (use === 'TLS') return kind === 'orderer' ? tlsFrom : undefined;
  return planning.isExpired(ca?.until) ? from : undefined;
}

function addPreparation(planning: Planning, renewed: readonly Renewed[]): void {
  const isInThePast = renewed.some(({ certificates }) => certificates.some(({ from }) => from !== undefined));
  planning.add({
    title: `make the folder ${FOLDER}`,
    reason: 'it holds the new files and secret private keys. Keep copies of all replaced files',
    actions: commands(`mkdir -p ${FOLDER}`, `chmod 700 ${FOLDER}`, ...(isInThePast ? caFileCommands() : [])),
    see: { text: 'the folder exists', commands: [`test -d ${FOLDER}`] },
  });
  for (const mspId of planning.mspsWithExpiredCa(planning.network.nodes)) addRenewedCa(planning, mspId);
  for (const { node, certificates } of renewed.filter((each) => each.certificates.length > 0))
    planning.add({
      title: `make new certificates for ${node.name}`,
      reason:
        planning.keys === 'same'
          ? 'with the same keys, subject and extensions; the requests need the keys of the node, the certificates the key of the CA'
          : 'with new keys, and the same subject and extensions; the certificates need the key of the CA',
      actions: commands(...certificates.flatMap((each) => certificateCommands(each, planning.now))),
      see: {
        text: 'the new certificates are valid now',
        commands: certificates.map(
          (each) => `openssl x509 -in ${shellWord(certificateFile(each))} -noout -checkend 0`,
        ),
      },
    });
}

/** A TLS CA keeps its name: in a handshake, a node names its known CAs, and an orderer only presents a certificate of one of them. */
function addRenewedCa(planning: Planning, mspId: string): void {
  const isRoot = planning.network.nodes.every(
    (node) =>
      node.mspId !== mspId ||
      node.certificates.every((each) => !planning.hasExpiredCa(each) || each.ca?.isRoot === true),
  );
  const meaning = `file of the renewed certificate of the intermediate TLS CA of ${mspId}, with the same subject and key`;
  planning.add({
    title: `renew the TLS CA of ${mspId}`,
    reason:
      'with the same subject and key, so that its certificates stay valid and nodes recognise it by its name',
    actions: commands(
      isRoot
        ? renewCaCommand(planning.ca(mspId, 'TLS_CA'), newCaFile(mspId))
        : `cp ${valueOf(planning.input(mspId, 'NEW_TLS_CA', meaning))} ${shellWord(newCaFile(mspId))}`,
    ),
    see: {
      text: 'the CA is valid now',
      commands: [`openssl x509 -in ${shellWord(newCaFile(mspId))} -noout -checkend 0`],
    },
  });
}

function notesOf(
  { network: { nodes, channels }, keys }: Planning,
  renewed: readonly Renewed[],
): readonly string[] {
  const unknown = new Map(
    channels.flatMap(({ name, channel: { orderer } }) =>
      orderer.consenters
        .filter((consenter) => nodeOf(consenter, nodes) === undefined)
        .map((consenter) => [addressText(consenter), name] as const),
    ),
  );
  const old = renewed.flatMap(({ certificates }) => certificates.map((each) => each.old));
  const later = 'Replace them later with configtxlator consenter rotate';
  return [
    ...[...unknown].map(
      ([address, channel]) =>
        `the orderer.yaml of the consenter ${address} of ${channel} was not given, so the plan has no step for it: give it with --node as well`,
    ),
    ...old
      .filter(({ files }) => keys === 'same' && files[0]?.key === '')
      .map(
        ({ files }) =>
          `${files[0]?.certificate ?? ''}: the file of the private key is unknown, as in an HSM; make the request with the program of the HSM or of the CA`,
      ),
    ...old
      .filter(({ ca }) => ca === undefined)
      .map(
        ({ files }) =>
          `${files[0]?.certificate ?? ''}: the node has no certificate of its CA, so it is unknown whether the CA has expired`,
      ),
    ...(keys === 'same' && channels.some((each) => !isBft(each))
      ? [
          `channels with Raft still have the old certificates of the consenters; this does no harm, because only their keys count. ${later}`,
        ]
      : []),
    ...(channels.some(isBft)
      ? [`channels with BFT still have the old certificates of the consenters. ${later}`]
      : []),
    'with Fabric CA 1.5.1 or newer, fabric-ca-client reenroll --csr.keyrequest.reusekey makes certificates with the same keys; the server needs --ca.reenrollignorecertexpiry',
    'an administrator with an expired certificate gets a new one in the same way, with the commands for a signing certificate',
    'if an update needs the signatures of several administrators, the others sign it with configtxlator sign before it is sent',
  ];
}
