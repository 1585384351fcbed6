// `show`: a channel or a config update on one screen.

import { attempt } from '../../../proto/errors.js';
import { defineCommand, optionalArgument } from '../command.js';
import { withPrefix } from '../errors.js';
import { jsonText, printNote, printText } from '../files.js';
import { JSON_FLAG, NETWORK } from '../flags.js';
import type { Io } from '../io.js';
import { text } from '../kinds.js';
import { isNetworkAddress } from '../network-address.js';
import { sourceOf } from '../profile.js';

/** The command. */
export const show = defineCommand({
  name: 'show',
  help: 'Shows a channel, or a config update, on one screen.',
  example: 'show config_block.pb',
  flags: { json: JSON_FLAG, network: NETWORK },
  arguments: {
    file: optionalArgument(
      text,
      'A config block, a config, an envelope with a config update, or a config update; serialized or as JSON. Or the ledger or network of a channel, as for fetch; by default the network of the profile.',
    ),
  },
  async run({ file: given, json, network }, io) {
    const { readChannelFile } = await import('../../channel/index.js');
    const { channelDocument, documentText, summariseChannel, summariseUpdate, updateDocument } =
      await import('../../documents/index.js');
    const { readChannelInput, readConfigInput } = await import('../inputs.js');
    const file = await sourceOf(given, network, 'file');
    const { anchored, input, ...content } = isNetworkAddress(file)
      ? await readConfigInput(file, network, io)
      : await readChannelInput(file, network, io, (bytes, encode) => ({
          ...readChannelFile(bytes, encode),
          input: bytes,
          anchored: undefined,
        }));
    const now = new Date();
    const shown = await withPrefix(file, async () => {
      const summary =
        content.kind === 'config' ? await summariseChannel(content) : summariseUpdate(content, now);
      if (json) return jsonText({ ...summary, ...(anchored !== undefined && { anchored }) });
      const document =
        summary.kind === 'channel' ? channelDocument(summary, now) : updateDocument(summary, now);
      return documentText(document, io.display);
    });
    printText(shown, io);
    await noteUnknown(input, io);
  },
});

/** Notes how many unknown fields are not shown. Only the messages of the schema, which loads slowly, show them. */
async function noteUnknown(bytes: Uint8Array | undefined, io: Io): Promise<void> {
  const { messageKindOf } = await import('../../channel/index.js');
  const kind = bytes && messageKindOf(bytes);
  if (bytes === undefined || kind === undefined) return;
  const { unknownText } = await import('../hints.js');
  const { decodeToPieces } = await import('../../../proto/to-json.js');
  attempt(
    () => void decodeToPieces(kind.type, bytes, undefined, (fields) => printNote(unknownText(fields), io)),
    ({ message }) => printNote(`unknown fields were not searched for: ${message}`, io),
  );
}
