// A synthetic config with many organisations, as bytes.

import { createHash } from 'node:crypto';
import { bytesOf, delimited, mapEntry } from './wire.js';

/** Variations of the config. */
export interface LargeConfigOptions {
  /** The `mod_policy` of the MSP of the last organisation. */
  readonly lastModPolicy?: string;
}

/** A config of about 4,600 bytes for each organisation; 52 organisations are 240 KB. */
export function largeConfig(
  organisations: number,
  { lastModPolicy = 'Admins' }: LargeConfigOptions = {},
): Buffer {
  const names = Array.from({ length: organisations }, (_, index) => `Org${String(index).padStart(4, '0')}`);
  const members = names.map((name) =>
    mapEntry(2, name, organisation(name, name === names.at(-1) ? lastModPolicy : 'Admins')),
  );
  const application = bytesOf('0801', ...members, ...META_POLICIES, CAPABILITIES, modPolicy(5, 'Admins'));
  const channel = bytesOf('0801', mapEntry(2, 'Application', application), ...META_POLICIES, CAPABILITIES);
  return bytesOf('0807', delimited(2, channel, modPolicy(5, 'Admins')));
}

const text = (number: number, value: string): Buffer => delimited(number, Buffer.from(value));
const modPolicy = text;

/** Implicit meta policies: ANY Readers, ANY Writers, MAJORITY Admins. */
const META_POLICIES = ['Admins', 'Readers', 'Writers'].map((name) => {
  const rule = name === 'Admins' ? '1002' : '1000';
  const policy = delimited(2, '0803', delimited(2, text(1, name), rule));
  return mapEntry(4, name, policy, modPolicy(3, 'Admins'));
});

const CAPABILITIES = mapEntry(
  3,
  'Capabilities',
  delimited(2, delimited(1, text(1, 'V2_5'), '1200')),
  modPolicy(3, 'Admins'),
);

/** The fields of the group of an organisation. */
function organisation(name: string, ownModPolicy: string): Buffer {
  const roles = [
    ['Admins', '1001'],
    ['Endorsement', '1003'],
    ['Readers', '1000'],
    ['Writers', '1002'],
  ] as const;
  const policies = roles.map(([policy, role]) =>
    mapEntry(
      4,
      policy,
      delimited(2, '0801', delimited(2, signedBy(`${name}MSP`, role))),
      modPolicy(3, 'Admins'),
    ),
  );
  const msp = delimited(2, delimited(2, fabricMsp(name)));
  return bytesOf(mapEntry(3, 'MSP', msp, modPolicy(3, ownModPolicy)), ...policies, modPolicy(5, 'Admins'));
}

/** A `common.SignaturePolicyEnvelope` that requires one signature of a role of an organisation. */
function signedBy(mspId: string, role: string): Buffer {
  const rule = delimited(2, delimited(2, '0801', delimited(2, '0800')));
  return bytesOf(rule, delimited(3, delimited(2, text(1, mspId), role)));
}

/** A `msp.FabricMSPConfig` with a root certificate, a TLS root certificate and node OUs. */
function fabricMsp(name: string): Buffer {
  const root = certificate(name);
  const ous = ['client', 'peer', 'admin', 'orderer'].map((ou, index) =>
    delimited(index + 2, delimited(1, root), text(2, ou)),
  );
  return bytesOf(
    text(1, `${name}MSP`),
    delimited(2, root),
    delimited(8, text(1, 'SHA2'), text(2, 'SHA256')),
    delimited(9, certificate(`tls.${name}`)),
    delimited(11, '0801', ...ous),
  );
}

/** Text that looks like a certificate. */
function certificate(subject: string): Buffer {
  const lines = Array.from({ length: 10 }, (_, line) =>
    createHash('sha384').update(`${subject} ${line}`).digest('base64'),
  );
  return Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`);
}
