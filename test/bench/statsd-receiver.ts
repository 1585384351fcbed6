// Counts what it receives over UDP. Runs as a separate process, sends its port first, then at each message the counts since the last.

import { createSocket } from 'node:dgram';

/** The counts since the last message. */
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
