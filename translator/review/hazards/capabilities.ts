// Hazards: capabilities that peers or BFT nodes need.

import { APPLICATION_CAPABILITIES, EXPERIMENTAL } from '../../config/capabilities.js';
import { valueOrEmpty } from '../../config/values.js';
import { hazard, type Finding } from '../finding.js';
import { ordererOf, type State } from '../facts/state.js';

export function capabilityHazards(state: State): Finding[] {
  const { channelGroup } = state.config;
  const application = valueOrEmpty(channelGroup.groups.get('Application'), 'application', 'Capabilities');
  const channel = valueOrEmpty(channelGroup, 'channel', 'Capabilities');
  const { type } = valueOrEmpty(ordererOf(state), 'orderer', 'ConsensusType');
  const findings = [...application.capabilities.keys()]
    .filter((name) => ![...APPLICATION_CAPABILITIES, ...EXPERIMENTAL].includes(name))
    .map((name) =>
      hazard(
        'danger',
        'application-capability-unknown',
        '/Channel/Application/Capabilities',
        `peers do not support the application capability ${JSON.stringify(name)}: those of the channel panic, and again at each start`,
        `use one of ${APPLICATION_CAPABILITIES.join(', ')} that all peers support`,
      ),
    );
  if (type === 'BFT' && !channel.capabilities.has('V3_0'))
    findings.push(
      hazard(
        'danger',
        'bft-without-v3',
        '/Channel/Capabilities',
        'the channel is BFT and has no capability V3_0: orderers and peers do not verify its blocks as BFT blocks',
        'keep the channel capability V3_0',
      ),
    );
  return findings;
}
