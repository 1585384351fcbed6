// A client of the gateway service of a peer (gateway.proto), as an application uses it: a client of the organisation of the first peer.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, credentials, type Metadata, type ServiceError } from '@grpc/grpc-js';
import type { ExecutionContext } from 'ava';
import { readSignerFiles } from '../../../translator/msp-folder.js';
import { findSigningIdentity, type SigningIdentity } from '../../../translator/sign/index.js';
import { read, write } from './messages.js';
import type { FabricNetwork } from './network.js';
import { CHANNEL } from './network-files.js';

/** A transaction that peers have endorsed. */
export interface Endorsed {
  readonly id: string;
  /** The payload of the envelope that the client signs. */
  readonly payload: Uint8Array;
}

/** The gateway service. Each call rejects with the texts of its error: the status and the details. */
export interface Gateway {
  evaluate(chaincode: string, ...args: readonly string[]): Promise<void>;
  endorse(chaincode: string, ...args: readonly string[]): Promise<Endorsed>;
  submit(endorsed: Endorsed): Promise<void>;
  /** Waits until the peer has a transaction; returns the code of its validation. */
  commitStatus(id: string): Promise<string>;
  /** The name of the next event of a chaincode, from the first block on. */
  nextEvent(chaincode: string): Promise<string>;
}

/** Connects to the gateway of the first peer. */
export async function openGateway(t: ExecutionContext, { peers: [peer] }: FabricNetwork): Promise<Gateway> {
  const { mspId, client: folder, tls } = peer.identity;
  const signer = await findSigningIdentity({ mspid: mspId, ...readSignerFiles(folder) });
  // Node.js warns of IP addresses as names in TLS.
  const client = new Client(peer.address, credentials.createSsl(readFileSync(tls.ca)), {
    'grpc.ssl_target_name_override': 'localhost',
  });
  t.teardown(() => client.close());
  const call = (method: string, request: object): Promise<Buffer> => unary(client, method, request);
  const signed = async (type: string, fields: object): Promise<object> => {
    const request = write(type, { ...fields, channel_id: CHANNEL, identity: signer.creator });
    return { request, signature: await signer.sign(request) };
  };
  return {
    async evaluate(...args) {
      await call('Evaluate', (await propose(signer, args)).request);
    },
    async endorse(...args) {
      const { id, request } = await propose(signer, args);
      const response = await call('Endorse', request);
      const { prepared_transaction } = read<{ prepared_transaction: { payload: Uint8Array } }>(
        'gateway.EndorseResponse',
        response,
      );
      return { id, payload: prepared_transaction.payload };
    },
    async submit({ id, payload }) {
      const envelope = { payload, signature: await signer.sign(payload) };
      const request = { transaction_id: id, channel_id: CHANNEL, prepared_transaction: envelope };
      await call('Submit', request);
    },
    async commitStatus(id) {
      const request = await signed('gateway.CommitStatusRequest', { transaction_id: id });
      const response = await call('CommitStatus', request);
      return read<{ result: string }>('gateway.CommitStatusResponse', response).result;
    },
    async nextEvent(chaincode) {
      const wanted = { chaincode_id: chaincode, start_position: { specified: { number: 0 } } };
      return firstEvent(client, await signed('gateway.ChaincodeEventsRequest', wanted));
    },
  };
}

/** A signed proposal as `EvaluateRequest` and `EndorseRequest` have it, and the id of its transaction. */
async function propose(
  { creator, sign }: SigningIdentity,
  [chaincode, ...args]: readonly string[],
): Promise<{ id: string; request: object }> {
  const nonce = randomBytes(24);
  const id = createHash('sha256').update(nonce).update(creator).digest('hex');
  const chaincode_id = { name: chaincode };
  const input = { args: args.map((arg) => Buffer.from(arg)) };
  const proposal = write('protos.Proposal', {
    header: write('common.Header', {
      channel_header: write('common.ChannelHeader', {
        type: ENDORSER_TRANSACTION,
        // Peers refuse one that differs by more than 15 minutes from their time.
        timestamp: { seconds: Math.floor(Date.now() / 1000) },
        channel_id: CHANNEL,
        tx_id: id,
        extension: write('protos.ChaincodeHeaderExtension', { chaincode_id }),
      }),
      signature_header: write('common.SignatureHeader', { creator, nonce }),
    }),
    payload: write('protos.ChaincodeProposalPayload', {
      input: write('protos.ChaincodeInvocationSpec', { chaincode_spec: { chaincode_id, input } }),
    }),
  });
  const proposed_transaction = { proposal_bytes: proposal, signature: await sign(proposal) };
  return { id, request: { transaction_id: id, channel_id: CHANNEL, proposed_transaction } };
}

/** common.HeaderType */
const ENDORSER_TRANSACTION = 3;

const REQUESTS: Readonly<Record<string, string>> = {
  CommitStatus: 'gateway.SignedCommitStatusRequest',
  ChaincodeEvents: 'gateway.SignedChaincodeEventsRequest',
};
const pathOf = (method: string): string => `/gateway.Gateway/${method}`;
const asIs = (bytes: Buffer): Buffer => bytes;

function unary(client: Client, method: string, request: object): Promise<Buffer> {
  const bytes = write(REQUESTS[method] ?? `gateway.${method}Request`, { ...request });
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(pathOf(method), asIs, asIs, bytes, (error, response) => {
      if (error === null && response !== undefined) resolve(response);
      else reject(new Error(error === null ? 'no response' : textOf(error)));
    });
  });
}

function firstEvent(client: Client, request: object): Promise<string> {
  const method = 'ChaincodeEvents';
  const bytes = write(REQUESTS[method]!, { ...request });
  const stream = client.makeServerStreamRequest(pathOf(method), asIs, asIs, bytes);
  return new Promise((resolve, reject) => {
    stream.on('data', (response: Buffer) => {
      const { events } = read<{ events: readonly { event_name: string }[] }>(
        'gateway.ChaincodeEventsResponse',
        response,
      );
      const [event] = events;
      if (event === undefined) return;
      resolve(event.event_name);
      stream.cancel();
    });
    // After the event this is the cancellation, which changes nothing.
    stream.on('error', (error: ServiceError) => reject(new Error(textOf(error))));
  });
}

/** The status of an error, and what each peer and orderer says (`gateway.ErrorDetail`). */
const textOf = ({ message, metadata }: ServiceError): string => [message, ...detailsOf(metadata)].join('\n');

function detailsOf(metadata: Metadata): string[] {
  const [status] = metadata.get('grpc-status-details-bin');
  if (status === undefined) return [];
  const { details } = read<{ details: readonly { value: Uint8Array }[] }>(
    'google.rpc.Status',
    Buffer.from(status),
  );
  return details.map(({ value }) => read<{ message: string }>('gateway.ErrorDetail', value).message);
}
