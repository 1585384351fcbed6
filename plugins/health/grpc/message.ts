// The messages of grpc.health.v1 in the framing of gRPC: a flag for compression, the length in four bytes, the message.

const PREFIX = 5;
/** Largest message of a response, in bytes. */
const MAX_MESSAGE = 4 * 1024;
/** Largest framed message, in bytes. */
export const MAX_FRAME = PREFIX + MAX_MESSAGE;
/** The largest length that is encoded in one byte. */
const MAX_SERVICE = 127;

/** `HealthCheckRequest.service`: field 1, a string. */
const SERVICE_TAG = 0x0a;
/** `HealthCheckResponse.status`: field 1, a varint. */
const STATUS_TAG = 0x08;
const MAX_VARINT = 10;

/** The format of the option `service`. */
export function checkService(value: unknown): void {
  if (typeof value !== 'string' || Buffer.byteLength(value) > MAX_SERVICE)
    throw new Error(`must be a name of at most ${MAX_SERVICE} bytes`);
}

/** A framed `HealthCheckRequest`. */
export function encodeRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const message = name.length === 0 ? name : Buffer.from([SERVICE_TAG, name.length, ...name]);
  return Buffer.from([0, 0, 0, 0, message.length, ...message]);
}

/** The status in a framed `HealthCheckResponse`; undefined if the frame is not valid. */
export function decodeStatus(frame: Buffer): number | undefined {
  if (frame.length < PREFIX || frame[0] !== 0 || frame.readUInt32BE(1) !== frame.length - PREFIX)
    return undefined;
  const message = frame.subarray(PREFIX);
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let index = 0; index < MAX_VARINT; index += 1) {
      const byte = message[at] ?? Number.NaN;
      at += 1;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  let status = 0;
  while (at < message.length) {
    const tag = readVarint();
    const wireType = tag % 8;
    if (wireType === 0) {
      const value = readVarint();
      if (tag === STATUS_TAG) status = value;
    } else if (wireType === 1) at += 8;
    else if (wireType === 2) {
      const length = readVarint();
      at += length;
    } else if (wireType === 5) at += 4;
    else return undefined;
  }
  return at === message.length && !Number.isNaN(status) ? status : undefined;
}
