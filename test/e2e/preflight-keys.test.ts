// The keys and values of orderer.yaml that preflight knows, compared with what the programs of Fabric accept.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { stringify } from 'yaml';
import { ordererKeys, ordererSections, type KeyType } from '../../core/tools/preflight/orderer-keys.js';
import { preflight } from '../../core/tools/preflight/preflight.js';
import { temporaryFolder } from '../helpers/folder.js';
import { findFabric, type FabricVersion } from './fabric/programs.js';

/** Longest run of a program, which has no identity and ends at once, in milliseconds. */
const TIMEOUT = 30_000;

const VALUES: Readonly<Record<KeyType, unknown>> = {
  text: 'x',
  boolean: false,
  port: 1,
  size: '1 MB',
  int: 1,
  int16: '1',
  int32: '1',
  float: 1.5,
  duration: '1s',
  list: ['a'],
  any: '0.10.2.0',
};

const document = (key: string, value: unknown): string =>
  stringify({
    General: {},
    ...(key.split('.').reduceRight((inner, name) => ({ [name]: inner }), value) as object),
  });

/** Texts as they are in a file, of which each type accepts some. */
const TEXTS =
  '""|abc|"1"|"-1"|70000|"70000"|"1.5"|"true"|1s|"15"|"[a,b]"|0|-1|5000000000|1.5|true|[]|[a]|[[a]]|{}|{a: 1}|{File: /none}|{file: /etc/hostname}|"1 MB"|5x|"0x10"|"010"|"9999999999999999999"|"5 GB"|-5s|1h30m|1d|~'.split(
    '|',
  );
const TYPES = new Map<KeyType, string>([
  ['text', 'General.LocalMSPID'],
  ['boolean', 'General.Profile.Enabled'],
  ['port', 'General.ListenPort'],
  ['size', 'ChannelParticipation.MaxRequestBodySize'],
  ['int', 'General.Cluster.SendBufferSize'],
  ['int32', 'General.MaxRecvMsgSize'],
  ['duration', 'General.Keepalive.ServerInterval'],
  ['list', 'General.TLS.RootCAs'],
]);

for (const version of ['v2.5.12', 'v2.5.16', 'v3.0.0', 'v3.1.5'] as const satisfies readonly FabricVersion[])
  test.serial(
    `an orderer of ${version} accepts each key and value that preflight accepts, and refuses the others in its words`,
    async (t) => {
      t.timeout(1_200_000);
      const fabric = version.startsWith('v2') ? '2.5' : '3.0';
      const cwd = temporaryFolder(t);
      const program = join(findFabric(version).bin, 'orderer');
      const wrong: string[] = [];
      const compare = async (text: string): Promise<void> => {
        writeFileSync(join(cwd, 'orderer.yaml'), text);
        const { stdout, stderr } = spawnSync(program, ['start'], {
          cwd,
          env: { FABRIC_CFG_PATH: cwd },
          encoding: 'utf8',
          timeout: TIMEOUT,
        });
        const output = stdout + stderr;
        const { causes } = await preflight({
          file: 'orderer.yaml',
          variables: {},
          cwd,
          version: version.slice(1),
        });
        const found = causes.filter(
          ({ id, prints }) => (id === 'unknown-keys' || id === 'value-refused') && prints.startsWith("'"),
        );
        const isRefused = output.includes('failed to parse config');
        if (found.length > 0 !== isRefused || found.some(({ prints }) => !output.includes(prints)))
          wrong.push(
            `${JSON.stringify(text)}: ${found.map(({ prints }) => prints).join('; ') || 'accepted'}`,
          );
      };
      for (const [key, type] of ordererKeys(fabric)) await compare(document(key, VALUES[type]));
      const other = ordererKeys(fabric === '2.5' ? '3.0' : '2.5');
      for (const [key, type] of other)
        if (!ordererKeys(fabric).has(key)) await compare(document(key, VALUES[type]));
      for (const section of [
        '',
        ...ordererSections(fabric),
        'General.BCCSP',
        'General.BCCSP.SW',
        'Consensus',
      ])
        await compare(document(section === '' ? 'Foo' : `${section}.Foo`, 1));
      for (const key of TYPES.values())
        for (const value of TEXTS) await compare(document(key, 'VALUE').replace('VALUE', value));
      t.deepEqual(wrong, []);
    },
  );
