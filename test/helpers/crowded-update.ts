// Updates of one kind of thing, many times, as an attacker makes them: small to write, much work to review.

import { delimited, mapEntry, varint } from './wire.js';

const CHANNEL = 'large';
const HEADER_TYPE_CONFIG_UPDATE = '0802';

/** What an update has many of. */
export type Crowd =
  | 'signatures'
  | 'values'
  | 'policies'
  | 'certificates'
  | 'consenters'
  | 'addresses'
  | 'ACLs';

const text = (value: string): Buffer => Buffer.from(value);
const value = (name: string, ...message: readonly Uint8Array[]): Buffer =>
  mapEntry(3, name, '0801', delimited(2, ...message), delimited(3, text('Admins')));
const PEM = text('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');

/** The write set with `many(one)` inside. */
const WRITE_SETS: Record<Crowd, (many: (one: (index: number) => Buffer) => Buffer) => Buffer> = {
  signatures: () => mapEntry(2, 'Application', '0801'),
  values: (many) =>
    mapEntry(
      2,
      'Application',
      '0801',
      many((index) => mapEntry(3, `v${index}`, delimited(3, text('Nobody')))),
    ),
  policies: (many) =>
    mapEntry(
      2,
      'Application',
      '0801',
      many((index) => mapEntry(4, `p${index}`, delimited(3, text('Nobody')))),
    ),
  certificates: (many) =>
    mapEntry(
      2,
      'Application',
      mapEntry(
        2,
        'Org1',
        value(
          'MSP',
          delimited(
            2,
            delimited(1, text('Org1MSP')),
            many(() => delimited(2, PEM)),
          ),
        ),
      ),
    ),
  consenters: (many) =>
    mapEntry(
      2,
      'Orderer',
      value(
        'ConsensusType',
        delimited(1, text('etcdraft')),
        delimited(
          2,
          many((index) => delimited(1, delimited(1, text(`h${index}`)), '10', varint(7050))),
        ),
      ),
    ),
  addresses: (many) =>
    value(
      'OrdererAddresses',
      many((index) => delimited(1, text(`host${index}:80`))),
    ),
  ACLs: (many) =>
    mapEntry(
      2,
      'Application',
      value(
        'ACLs',
        many((index) =>
          delimited(1, delimited(1, text(`a${index}`)), delimited(2, delimited(1, text('/Channel/x')))),
        ),
      ),
    ),
};

/** An envelope with `count` things, for the channel of `largeChannel`. */
export function crowdedUpdate(crowd: Crowd, count: number): Buffer {
  const many = (one: (index: number) => Buffer): Buffer =>
    Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));
  const update = delimited(
    1,
    delimited(1, text(CHANNEL)),
    delimited(2),
    delimited(3, WRITE_SETS[crowd](many)),
  );
  const signatures =
    crowd === 'signatures'
      ? many((index) => delimited(2, delimited(1, text(`creator ${index}`))))
      : Buffer.alloc(0);
  const header = delimited(1, delimited(1, HEADER_TYPE_CONFIG_UPDATE, delimited(4, text(CHANNEL))));
  return delimited(1, header, delimited(2, update, signatures));
}
