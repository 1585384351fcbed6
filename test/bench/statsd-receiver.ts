// Counts what senders of the bench send, in a process of its own. Prints its port; a message asks for the counts and clears them.

import { createSocket } from 'node:dgram';

/** What has arrived since the last time it was asked for. */
export interface Received {
  readonly datagrams: number;
  readonly bytes: number;
  readonly lines: number;
}

const NEWLINE = 10;
let received = { datagrams: 0, bytes: 0, lines: 0 };

const socket = createSocket({ type: 'udp4', recvBufferSize: 64 * 1024 * 1024 });
socket.on('message', (datagram) => {
  received.datagrams += 1;
  received.bytes += datagram.length;
  for (const byte of datagram) if (byte === NEWLINE) received.lines += 1;
});
process.on('message', () => {
  process.send?.(received);
  received = { datagrams: 0, bytes: 0, lines: 0 };
});
socket.bind(0, '127.0.0.1', () => process.send?.(socket.address().port));
