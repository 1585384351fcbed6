// MSPs and policies of the resulting config (Fabric's common/channelconfig: msp.go, bundle.go), and the TLS certificates of its Raft consenters.

import { groupBy } from '../../core/common/group-by.js';
import { parentPath } from '../channel/index.js';
import { elementWords, shortList, words } from '../documents/index.js';
import { expiredSigners } from '../msp/index.js';
import { consenterFaults } from './facts/consenters.js';
import { applying } from './facts/proposal.js';
import { defineCheck, defineRule } from './rule.js';

/** Consenters with TLS certificates that are not valid for one reason. */
export interface InvalidCertificates {
  /** `host:port` */
  readonly consenters: readonly string[];
  readonly isNew: boolean;
  readonly reason: string;
}

const consenterCertificate = defineRule({
  id: 'consenter-certificate',
  severity: 'refused',
  meaning: 'a TLS certificate of a new consenter is not valid',
  subjects: ({ consenters }) => consenters,
  words: ({ consenters, isNew, reason }: InvalidCertificates) => {
    const added = isNew ? 'new ' : '';
    const text =
      consenters.length === 1
        ? `a TLS certificate of the ${added}consenter ${consenters[0]!} is not valid`
        : `TLS certificates of the ${added}consenters ${shortList(consenters)} are not valid`;
    return words(
      text,
      isNew
        ? 'use TLS certificates that are valid now and come from a TLS CA of an orderer organisation of the channel'
        : 'keep the TLS CA of the certificate in the MSP of an orderer organisation, or replace the certificate first',
      `${text}: ${reason}`,
    );
  },
});

const mspInvalid = defineRule({
  id: 'msp-invalid',
  severity: 'refused',
  meaning: 'an MSP cannot be set up',
  words: ({ group, reason }: { group: string; reason: string }) =>
    words(
      `the MSP of ${group} cannot be set up`,
      'correct the MSP; its certificates must be CAs, PEM, and in one chain',
      `the MSP of ${elementWords({ kind: 'group', path: group })} in ${elementWords({ kind: 'group', path: parentPath(group) })} cannot be set up: ${reason}`,
    ),
});

const mspSignerExpired = defineRule({
  id: 'msp-signer-expired',
  severity: 'refused',
  meaning: 'the signing identity in an MSP has expired',
  words: ({ group }: { group: string }) =>
    words(`the signing identity in the MSP of ${group} has expired`, 'remove signing_identity from the MSP'),
});

const mspNotJudged = defineRule({
  id: 'msp-not-judged',
  severity: 'danger',
  isOpen: true,
  tellsLosses: true,
  meaning: 'an MSP takes too much work to judge: unknown identities may belong to it',
  words: ({ reason }: { reason: string }) =>
    words(
      `${reason}: orderers may refuse it, and identities that nobody has checked may belong to it`,
      'remove CAs of the same name from the MSP; this danger cannot be allowed',
    ),
});

const policyInvalid = defineRule({
  id: 'policy-invalid',
  severity: 'refused',
  meaning: 'a policy does not compile',
  words: () =>
    words('the policy does not compile', 'set the policy again, for example from the policy language'),
});

/** The MSPs and the policies of the config. */
export const bundle = defineCheck({
  needs: 'certificates',
  rules: [mspInvalid, mspSignerExpired, mspNotJudged, policyInvalid],
  isOfConfig: true,
  async find(proposal) {
    const { config, msps, now, policies, program } = proposal.after;
    const prefix = applying(proposal);
    const { faults } = await msps;
    const startOf = (path: string): string =>
      `${prefix}initializing channelconfig failed: could not create channel ${path.split('/')[2] ?? ''} sub-group config: `;
    return [
      ...faults.map(({ path, message, isJudged }) => {
        if (!isJudged) return mspNotJudged.at(`${path}/MSP`, { reason: message });
        return mspInvalid.refused(startOf(path) + message, `${path}/MSP`, {
          group: path,
          reason: mspReason(message),
        });
      }),
      // Nodes that run keep the MSPs of the current config.
      ...expiredSigners(config, { now, program }).map(({ path, message }) =>
        mspSignerExpired.refused(startOf(path) + message, `${path}/MSP`, { group: path }),
      ),
      ...policies.problems.map(({ path, text }) =>
        policyInvalid.refused(`${prefix}initializing policymanager failed: ${text}`, path, {}),
      ),
    ];
  },
});

/** The maximum length of a reason, in characters. */
const LONGEST_REASON = 120;

const shortened = (reason: string): string =>
  reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON)}…`;

/** The reason in the text of Fabric that an MSP cannot be set up, without what all of them begin with. */
function mspReason(message: string): string {
  const other = /^Attempted to define two different versions of MSP: (.*)$/s.exec(message)?.[1];
  return shortened(
    other === undefined
      ? message.replace(/^(setting up the MSP manager failed: )?(the supplied identity is not valid: )?/, '')
      : `another organisation of the channel has the MSP id ${other} with another MSP`,
  );
}

/** The reason in the text of Fabric that a TLS certificate is not valid. */
function certificateReason(error: string): string {
  if (error.includes('certificate signed by unknown authority'))
    return 'not issued by a TLS CA of an orderer organisation';
  if (error.includes('certificate has expired or is not yet valid')) return 'expired or not valid yet';
  return shortened(error.replace(/^.* serial number \d+: /s, ''));
}

/** The TLS certificates of Raft consenters of the resulting config. */
export const consenterCertificates = defineCheck({
  needs: 'certificates',
  rules: [consenterCertificate],
  isOfConfig: true,
  async find(proposal) {
    const prefix = `${applying(proposal)}consensus metadata update for channel config update is invalid: `;
    const faults = (await consenterFaults(proposal)).map((each) => ({
      ...each,
      reason: certificateReason(each.chain ?? each.error),
    }));
    const alike = groupBy(faults, ({ isNew, reason }) => `${isNew} ${reason}`);
    return [...alike.values()].map((same) => {
      const [{ name, isNew, chain, error, reason }] = same;
      // An orderer stops at the first one.
      const text =
        chain === undefined
          ? `consenter ${name} has invalid certificates: ${error}`
          : `invalid new config metadata: consenter ${name} has invalid certificate: ${chain}`;
      const data = { consenters: same.map((each) => each.name), isNew, reason };
      return consenterCertificate.refused(prefix + text, '/Channel/Orderer/ConsensusType', data);
    });
  },
});
