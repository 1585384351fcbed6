// The address of a channel of a running network: `grpcs://orderer1.example.com:7050,orderer2.example.com:7050/mychannel`.

import { TranslateError } from '../../proto/errors.js';
import { isHostAndPort } from '../channel/address.js';

/** Orderers and a channel. */
interface NetworkAddress {
  /** `host:port`, at least one. */
  readonly orderers: readonly string[];
  readonly channel: string;
  /** False for `grpc://`, only for test networks. */
  readonly isTls: boolean;
}

const SCHEME = /^grpcs?:\/\//;
const ADDRESS = /^grpc(s?):\/\/([^/]+)\/([^/]+)$/;

/** Whether an argument is meant as the address of a network; it may be malformed. */
export const isNetworkAddress = (text: string): boolean => SCHEME.test(text);

/** Parses an address. @throws TranslateError BAD_ADDRESS */
export function parseNetworkAddress(text: string): NetworkAddress {
  const [, tls, hosts, channel] = ADDRESS.exec(text) ?? [];
  const orderers = hosts?.split(',') ?? [];
  const wrong = orderers.find((each) => !isHostAndPort(each));
  if (hosts === undefined || channel === undefined || wrong !== undefined)
    throw new TranslateError(
      'BAD_ADDRESS',
      `${text} is not the address of a channel${wrong === undefined ? '' : `: ${JSON.stringify(wrong)} is not HOST:PORT`}; write grpcs://HOST:PORT/CHANNEL, or several HOST:PORT with commas`,
    );
  return { orderers, channel, isTls: tls === 's' };
}

/** The same network with another channel, for the updates of a folder. */
export const withChannel = (address: string, channel: string): string =>
  address.replace(/[^/]*$/, () => channel);
