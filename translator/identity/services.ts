// The services that an identity gets from orderers and peers with its signature alone.

import type { IdentityService } from '../documents/index.js';
import type { Evaluation } from '../policy/index.js';
import { ordererServices, type ChannelState, type Service } from '../state/index.js';

/** Whether an identity is valid in its MSP, and now. */
export interface Validity {
  readonly isExpired: boolean;
  /** The reason that it is not valid in its MSP; undefined if it is. */
  readonly reason: string | undefined;
}

/** `Deliver`, `Broadcast` and the resources of peers, with the verdict on the signers of an evaluation. */
export function servicesOf(
  { channel, services }: ChannelState,
  evaluation: Evaluation,
  { isExpired, reason: invalid }: Validity,
): readonly IdentityService[] {
  const verdict = (name: string, service: Service): IdentityService => {
    const { path, policy } = services.get(service)!;
    // Proposals are refused before the policy is evaluated; orderers and deliveries of blocks evaluate the policy alone.
    const isProposal = service.resource !== undefined && service.name !== 'read-events';
    const reason =
      (isExpired ? 'the certificate has expired' : undefined) ??
      (isProposal ? invalid : undefined) ??
      (policy === undefined ? `there is no policy ${path}` : (evaluation.errorOf(policy) ?? null));
    return { service: name, policy: path, allowed: reason === null, reason };
  };
  const { deliver, broadcast } = ordererServices(channel);
  const ofPeers =
    channel.application.group === undefined
      ? []
      : [...services.keys()].flatMap((service) =>
          service.resource === undefined ? [] : [verdict(service.resource, service)],
        );
  return [verdict('Deliver', deliver), verdict('Broadcast', broadcast), ...ofPeers];
}
