// Blocks and the envelopes in them.

import { Refusal, type OpenField, type Readable } from '../message.js';
import type { RulesByMessage } from '../opaque-rules.js';

/** The message in the data of a payload, by `channel_header.type` (common.HeaderType), as in Fabric's protoext/commonext. */
const DATA: ReadonlyMap<number, string> = new Map([
  [0, 'common.ConfigValue'],
  [1, 'common.ConfigEnvelope'],
  [2, 'common.ConfigUpdateEnvelope'],
  [3, 'protos.Transaction'],
  [4, 'common.Envelope'],
]);

/** By field, the payload type with this field. Each name occurs in only one of the messages. */
const TYPE_WITH_FIELD: ReadonlyMap<string, number> = new Map([
  ['config', 1],
  ['last_update', 1],
  ['config_update', 2],
  ['signatures', 2],
  ['actions', 3],
  ['payload', 4],
]);

const ENDORSER_TRANSACTION = 3;

function dataOf(payload: Readable, _key: string, openField: OpenField): string | Refusal {
  const header = payload.get('header') as Readable | undefined;
  if (header === undefined) return new Refusal('cannot determine payload type when header is missing');
  const channelHeader = openField(header, 'channel_header');
  if (channelHeader instanceof Uint8Array) {
    return new Refusal('cannot determine payload type when channel_header is not a valid message');
  }
  const type = channelHeader?.int('type') ?? 0;
  return DATA.get(type) ?? new Refusal(`decoding type ${String(type)} is unimplemented`);
}

/** The hint for an unknown field in the data: usually the `type` in the header is missing or wrong. */
function dataHint(unknownField: string): string | undefined {
  const type = TYPE_WITH_FIELD.get(unknownField);
  return type === undefined
    ? undefined
    : `channel_header.type must be ${String(type)} for a payload with this field`;
}

function extensionOf(channelHeader: Readable): string | Refusal {
  return channelHeader.int('type') === ENDORSER_TRANSACTION
    ? 'protos.ChaincodeHeaderExtension'
    : new Refusal('channel header extension only valid for endorser transactions');
}

export const block: RulesByMessage = {
  'common.BlockData': { goType: '*commonext.BlockData', opens: { data: 'common.Envelope' } },
  'common.Envelope': { goType: '*commonext.Envelope', opens: { payload: 'common.Payload' } },
  'common.Payload': { goType: '*commonext.Payload', opens: { data: dataOf }, hints: { data: dataHint } },
  'common.Header': {
    goType: '*commonext.Header',
    opens: { channel_header: 'common.ChannelHeader', signature_header: 'common.SignatureHeader' },
  },
  'common.ChannelHeader': { goType: '*commonext.ChannelHeader', opens: { extension: extensionOf } },
  'common.SignatureHeader': {
    goType: '*commonext.SignatureHeader',
    opens: { creator: 'msp.SerializedIdentity' },
  },
};
