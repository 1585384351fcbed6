// Blocks and the envelopes in them (specification sections 6.1 and 6.2).

import { Message } from '../message.js';
import { openField } from '../open.js';
import { Refusal, type Treatments } from '../treatment.js';

/** What the data of a payload is, by the type of its channel header. */
const DATA: ReadonlyMap<number, string> = new Map([
  [0, 'common.ConfigValue'],
  [1, 'common.ConfigEnvelope'],
  [2, 'common.ConfigUpdateEnvelope'],
  [3, 'protos.Transaction'],
  [4, 'common.Envelope'],
]);

const ENDORSER_TRANSACTION = 3;

function dataOf(payload: Message): string | Refusal {
  const header = payload.get('header');
  if (!(header instanceof Message))
    return new Refusal('cannot determine payload type when header is missing');
  const channelHeader = openField(header, 'channel_header');
  if (channelHeader !== undefined && !(channelHeader instanceof Message)) {
    return new Refusal('cannot determine payload type when the channel header is no message');
  }
  const type = channelHeader?.int('type') ?? 0;
  return DATA.get(type) ?? new Refusal(`decoding type ${String(type)} is unimplemented`);
}

function extensionOf(channelHeader: Message): string | Refusal {
  return channelHeader.int('type') === ENDORSER_TRANSACTION
    ? 'protos.ChaincodeHeaderExtension'
    : new Refusal('channel header extension only valid for endorser transactions');
}

export const block: Treatments = {
  'common.BlockData': { go: '*commonext.BlockData', opens: { data: 'common.Envelope' } },
  'common.Envelope': { go: '*commonext.Envelope', opens: { payload: 'common.Payload' } },
  'common.Payload': { go: '*commonext.Payload', opens: { data: dataOf } },
  'common.Header': {
    go: '*commonext.Header',
    opens: { channel_header: 'common.ChannelHeader', signature_header: 'common.SignatureHeader' },
  },
  'common.ChannelHeader': { go: '*commonext.ChannelHeader', opens: { extension: extensionOf } },
  'common.SignatureHeader': {
    go: '*commonext.SignatureHeader',
    opens: { creator: 'msp.SerializedIdentity' },
  },
};
