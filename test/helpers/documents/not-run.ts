// Every command block of the documents that is not run as it stands, and why; whatever is not listed here is run. A test fails for
// an entry without its block.

/** A command block that is not run as it stands. */
export interface NotRun {
  /** Path of the document in the repository. */
  readonly document: string;
  /** The first line of the block. */
  readonly line: string;
  /** Why not, and who runs it instead. */
  readonly reason: string;
  /** A command that is run in its place, and what it prints; `$REPOSITORY` is the checkout. Without it, nothing. */
  readonly instead?: string;
}

export const NOT_RUN: readonly NotRun[] = [
  {
    document: 'README.md',
    line: 'npm install --global .',
    reason: 'It changes the machine. A story has the programs that package.json names on PATH.',
  },
  {
    document: 'README.md',
    line: 'npm ci && npm start',
    reason:
      'The tests run in a clone where this was done. npm start builds, and starts what is started here.',
    instead: 'fabric-ops-agent start --config config/agent.yaml &\n… serving on http://127.0.0.1:9443 with …',
  },
  {
    document: 'translator/README.md',
    line: '$ npm run build',
    reason: 'The tests, the fuzzing and the benchmark that it names are run as what they are.',
  },
  {
    document: 'translator/cli/README.md',
    line: `jq -L . --rawfile identity orderer5-sign.pem --rawfile tls orderer5-tls.pem 'include "block-validation";`,
    reason:
      'The channel of the fixtures uses Raft. test/e2e/cookbook.test.ts runs the recipe on the block of a BFT channel.',
  },
  {
    document: 'translator/cli/README.md',
    line: `jq -L . 'include "block-validation";`,
    reason:
      'The channel of the fixtures uses Raft. test/e2e/cookbook.test.ts runs the recipe on the block of a BFT channel.',
  },
  {
    document: 'translator/cli/README.md',
    line: `jq --rawfile tls orderer5-tls.pem '(.channel_group.groups.Orderer.values.Orderers.value.consenter_mapping[]`,
    reason:
      'The channel of the fixtures uses Raft. test/e2e/cookbook.test.ts runs the recipe on the block of a BFT channel.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'docker build -t fabric-ops-agent --build-arg COMMIT=$(git rev-parse --short HEAD) .',
    reason: 'It needs a base image and fetches packages: npm run test:image builds and runs the image.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'npm install -g fabric-ops-agent --prefix /usr/local',
    reason:
      'It changes the machine, which may not have a systemd that runs: test/e2e/units.test.ts verifies the units and their arguments.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'systemctl restart grafana-server',
    reason:
      'There is no Grafana to be had: test/config/deploy/monitoring.test.ts compares every query of the dashboard with a running agent.',
  },
  {
    document: 'plugins/metrics/statsd/README.md',
    line: 'apt-get install -y graphite-carbon python3-whisper',
    reason: 'test/e2e/provision.ts installs the packages, and npm ci the daemon.',
    instead: 'ln -s $REPOSITORY/node_modules/statsd node_modules/',
  },
  {
    document: 'core/contract/README.md',
    line: 'npm install fabric-ops-agent',
    reason:
      'A story has the package in node_modules. test/e2e/package.test.ts packs it and installs it into an empty project.',
  },
];
