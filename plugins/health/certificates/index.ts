import { FailedChecks, type FailedPart } from '../../../core/contract/index.js';
import {
  defineNodeChecker,
  type ForNode,
  type FoundCertificate,
  pathsOption,
  type TimeEvidence,
} from '../../../core/contract/internal/index.js';
import { untilAborted } from '../../../core/kit/index.js';
import { failureOfCertificate, identitiesIn, type CertificateEntry } from './entry.js';
import { createGauges } from './gauges.js';
import { Inventory } from './inventory.js';
import { createPartNames } from './part-names.js';

/** Counts the different certificates by their validity at a time. */
function countByTime(
  entries: readonly CertificateEntry[],
  now: number,
): NonNullable<TimeEvidence['certificates']> {
  const all = [...new Map(entries.map((entry) => [`${entry.issuer} ${entry.serial}`, entry])).values()];
  return {
    count: all.length,
    early: all.filter(({ notBefore }) => now < notBefore).length,
    expired: all.filter(({ notAfter }) => now > notAfter).length,
    newest: Math.max(...all.map(({ notBefore }) => notBefore)),
  };
}

/** The different certificates, for `/status`. @param nameOf the name of a part */
function foundIn(entries: readonly CertificateEntry[], nameOf: (part: string) => string): FoundCertificate[] {
  const found = entries
    .filter(({ notAfter }) => !Number.isNaN(notAfter))
    .map(({ part, path, subject, issuer, serial, kind, notAfter }): [string, FoundCertificate] => [
      JSON.stringify([path, subject, issuer, serial, kind]),
      { part: nameOf(part), subject, kind, path, notAfter },
    ]);
  return [...new Map(found).values()];
}

/** TLS files are checked only if TLS is enabled: the sample configurations name files that do not exist. */
const TLS_FILES: Readonly<Record<string, readonly string[]>> = {
  'tls.enabled': ['tls.cert', 'tls.rootCert', 'tls.rootCAs', 'tls.clientCert', 'cluster.rootCAs'],
  'operations.tls.enabled': ['operations.tls.cert.file', 'operations.tls.clientRootCAs.files'],
  'admin.tls.enabled': ['admin.tls.certificate', 'admin.tls.clientRootCAs'],
};

/** The certificates in the file of a node. */
const forNode: ForNode = (node) => {
  const enabled = Object.entries(TLS_FILES).filter(([key]) => node.get<boolean>(key).value);
  const paths = pathsOption(node, ['msp', ...enabled.flatMap(([, files]) => files)]);
  return paths && { ...paths, signer: node.kind };
};

/** Checks certificates in files, directories, MSP directories and config blocks. Each certificate that fails is a part. */
export default defineNodeChecker({
  name: 'certificates',
  headlines: {
    failed: 'Certificates of {node} have a problem',
    warning: 'Certificates of {node} need attention',
  },
  forNode,
  options: {
    paths: {
      format: 'path-list',
      default: [],
      doc: 'files with certificates, MSP directories, and directories that contain them',
    },
    blocks: {
      format: 'path-list',
      default: [],
      doc: 'config blocks: the certificates of all MSPs and consenters in them',
    },
    keys: {
      format: 'path-list',
      default: [],
      doc: 'private keys; each must belong to a certificate of `paths` outside the MSP directories',
    },
    minimum: { format: 'duration', default: '168h', doc: 'how long each certificate must still be valid' },
    signer: {
      format: ['none', 'peer', 'orderer'],
      default: 'none',
      doc: 'kind of the node that signs with the MSP directories in `paths`',
    },
  },
  create({ name, options, metrics, clock, facts }) {
    const inventory = new Inventory(options);
    const gauges = createGauges(metrics, name);
    const nameOf = createPartNames([...options.paths, ...options.blocks, ...options.keys]);
    let shown: unknown;
    let running: Promise<readonly FailedPart[]> | undefined;

    const inspect = async (): Promise<readonly FailedPart[]> => {
      const { entries, problems, errors, written } = await inventory.read();
      const now = Date.now();
      clock.record({ certificates: countByTime(entries, now), written });
      if (entries !== shown) {
        await gauges.show(entries);
        facts.publish('certificates', foundIn(entries, nameOf));
      }
      shown = entries;
      gauges.update(now);
      gauges.countErrors(errors);
      const warnings = problems.map((part) => ({ ...part, severity: 'warning' as const }));
      const isClockWrong = entries.filter(({ notBefore }) => now < notBefore).length > 1;
      const identities = options.signer === 'none' ? new Set() : identitiesIn(entries);
      const failed = entries.flatMap((entry) => {
        const signer = identities.has(entry) ? options.signer : 'none';
        return failureOfCertificate(entry, { now, minimum: options.minimum, signer, isClockWrong }) ?? [];
      });
      return [...warnings, ...failed].map((part) => ({
        ...part,
        component: nameOf(part.component),
        reason: `${part.reason} (${part.component})`,
      }));
    };

    return {
      kind: 'files',
      onTimeout: 'warning',

      init() {
        if (options.paths.length + options.blocks.length === 0)
          throw new Error('options.paths or options.blocks must name at least one file or directory');
      },

      async check(signal) {
        // The first reading of thousands of files may take longer than one check; the next check joins it.
        running ??= inspect().finally(() => (running = undefined));
        // The check may have been aborted when it ends.
        running.catch(() => undefined);
        const failed = await untilAborted(running, signal);
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
