import { readFileSync } from 'node:fs';
import test from 'ava';
import { settingsTable } from './settings-table.js';
import { keyIn } from '../../config/dialects.js';
import { SETTINGS } from '../../config/schema.js';

const README = readFileSync(new URL('../../../config/README.md', import.meta.url), 'utf8');

test('the table of settings in config/README.md is generated from the schema', (t) => {
  const command = `node -e "import('./dist/test/config/settings-table.js').then((m) => console.log(m.settingsTable()))"`;
  t.true(
    README.includes(`\n\n${settingsTable()}\n`),
    `config/README.md: replace the table of settings with the output of this command after a build: ${command}`,
  );
});

test('the table has one row for each setting, and no bars inside cells', (t) => {
  const rows = settingsTable().trimEnd().split('\n');
  t.is(rows.length, SETTINGS.size + 2);
  for (const row of rows) t.is(row.split('|').length, 6, row);
});

test('config/README.md documents the format of every setting', (t) => {
  for (const { format } of SETTINGS.values())
    if (typeof format === 'string') t.regex(README, new RegExp(`^\\| \`${format}\` +\\|`, 'm'));
});

test('config/README.md names only settings that exist', (t) => {
  for (const [, key = ''] of README.matchAll(/`((?:operations|health|metrics|logging|vm)\.[A-Za-z.]+)`/g))
    t.true(
      [...SETTINGS.keys()].some((known) => known === key || known.startsWith(`${key}.`)) ||
        key.startsWith('vm.docker.hostConfig'),
      key,
    );
});

/** The keys of orderer.yaml that are not the key with capitals, as config/README.md names them. */
const IN_ORDERER: Readonly<Record<string, string>> = {
  'operations.tls.cert.file': 'Operations.TLS.Certificate',
  'operations.tls.key.file': 'Operations.TLS.PrivateKey',
  'operations.tls.clientRootCAs.files': 'Operations.TLS.ClientRootCAs',
};
const ONLY_OF_THE_AGENT =
  /^(?:operations\.(?:name|url|stateDirectory|tls\.readers|tls\.writers)|(?:logging|node)\..*|nodes|silences|agents)$/;
const capitalised = (key: string): string =>
  key.replaceAll(/(?<=^|\.)[a-z]/g, (letter) => letter.toUpperCase()).replaceAll(/\bTls\b/g, 'TLS');

test('the keys in the files of nodes follow the rules of config/README.md', (t) => {
  for (const key of SETTINGS.keys()) {
    const isOfAgent = ONLY_OF_THE_AGENT.test(key);
    t.is(keyIn('peer', key), isOfAgent ? undefined : key);
    const inOrderer = isOfAgent || key.startsWith('vm.') ? undefined : (IN_ORDERER[key] ?? capitalised(key));
    t.is(keyIn('orderer', key), inOrderer, key);
  }
});
