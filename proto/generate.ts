// `npm run generate`: writes messages.ts, the types of the messages that are read and written field by field, from the table that
// compile.ts makes from proto/schema. messages.ts is committed, because the compiler needs it before this program can run; the build
// checks it (`--check`).

import { readFileSync, writeFileSync } from 'node:fs';
import { isScalar, type FieldRow, type SchemaTable } from './schema-table.js';

// Relative to dist/proto/generate.js.
const TABLE_FILE = new URL('schema.json', import.meta.url);
const TYPES_FILE = new URL('../../proto/messages.ts', import.meta.url);

/** The messages that are read or written field by field; messages inside them are added. */
const MESSAGES = [
  'common.Block',
  'common.BlockDataHashingStructure',
  'common.Capabilities',
  'common.ChannelHeader',
  'common.CombinedPrincipal',
  'common.ConfigEnvelope',
  'common.ConfigUpdate',
  'common.ConfigUpdateEnvelope',
  'common.Consortium',
  'common.HashingAlgorithm',
  'common.IdentifierHeader',
  'common.ImplicitMetaPolicy',
  'common.LastConfig',
  'common.MSPIdentityAnonymity',
  'common.MSPRole',
  'common.Metadata',
  'common.OrdererAddresses',
  'common.OrdererBlockMetadata',
  'common.Orderers',
  'common.OrganizationUnit',
  'common.Payload',
  'common.SignatureHeader',
  'common.SignaturePolicyEnvelope',
  'etcdraft.ConfigMetadata',
  'msp.FabricMSPConfig',
  'msp.MSPConfig',
  'msp.SerializedIdentity',
  'orderer.BatchSize',
  'orderer.BatchTimeout',
  'orderer.BroadcastResponse',
  'orderer.ChannelRestrictions',
  'orderer.ConsensusType',
  'orderer.DeliverResponse',
  'orderer.KafkaBrokers',
  'orderer.SeekInfo',
  'orderer.smartbft.Options',
  'protos.ACLs',
  'protos.AnchorPeers',
];

const HEADER = `// Made by generate.ts from proto/schema. Do not edit: \`npm run generate\` writes it.

import { messageType, type MessageType } from './typed.js';

const NO_BYTES: Uint8Array = new Uint8Array();
`;

const table = JSON.parse(readFileSync(TABLE_FILE, 'utf8')) as SchemaTable;

/** `orderer.smartbft.Options` becomes `OrdererSmartbftOptions`. */
const nameOf = (message: string): string =>
  message.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

const isEnum = (type: string): boolean => Object.hasOwn(table.enums, type);

function scalarType(type: string): string {
  if (type === 'bytes') return 'Uint8Array';
  if (type === 'string') return 'string';
  if (type === 'bool') return 'boolean';
  return type === 'int64' || type === 'uint64' ? 'bigint' : 'number';
}

const valueType = (type: string): string =>
  isScalar(type) || isEnum(type) ? scalarType(type) : nameOf(type);

function typeOf([number, name, , type, rule, extra]: FieldRow): string {
  if (rule === 'map' && extra !== 'string') throw new Error(`${name}: the keys of a map must be strings`);
  // A list of numbers is packed.
  if (rule === 'list' && !['string', 'bytes'].includes(type) && !isMessage(type))
    throw new Error(`${name} = ${number}: a list of numbers is not supported`);
  if (rule === 'list') return `readonly ${valueType(type)}[]`;
  if (rule === 'map') return `ReadonlyMap<string, ${valueType(type)}>`;
  return rule === 'oneof' || isMessage(type) ? `${valueType(type)} | undefined` : valueType(type);
}

const isMessage = (type: string): boolean => !isScalar(type) && !isEnum(type);

function emptyOf([, , , type, rule]: FieldRow): string {
  if (rule === 'list') return '[]';
  if (rule === 'map') return 'new Map()';
  if (rule === 'oneof' || isMessage(type)) return 'undefined';
  if (type === 'bytes') return 'NO_BYTES';
  if (type === 'string') return "''";
  if (type === 'bool') return 'false';
  return scalarType(type) === 'bigint' ? '0n' : '0';
}

function rowOf([number, name, jsonName, type, rule, extra]: FieldRow): string {
  const kind = isMessage(type) ? 'message' : isEnum(type) ? 'enum' : type;
  const oneof = rule === 'oneof' ? `, oneof: '${extra ?? ''}'` : '';
  const message = isMessage(type) ? `, type: () => ${nameOf(type)}` : '';
  const json = jsonName === name ? '' : `, jsonName: '${jsonName}'`;
  return `    { number: ${number}, name: '${name}'${json}, kind: '${kind}', rule: '${rule}'${oneof}${message} },`;
}

function messageOf(message: string): string {
  const rows = table.messages[message]!;
  const name = nameOf(message);
  return [
    '',
    `/** \`${message}\` */`,
    // Not an interface: functions take messages as records.
    `export type ${name} = {`,
    ...rows.map((row) => `  readonly ${row[2]}: ${typeOf(row)};`),
    '};',
    `export const ${name}: MessageType<${name}> = /* @__PURE__ */ messageType({`,
    `  name: '${message}',`,
    '  fields: [',
    ...rows.map(rowOf),
    '  ],',
    `  empty: () => ({ ${rows.map((row) => `${row[2]}: ${emptyOf(row)}`).join(', ')} }),`,
    '});',
  ].join('\n');
}

const messages = new Set(MESSAGES);
// The set grows during the iteration.
for (const message of messages)
  for (const [, , , type] of table.messages[message]!) if (isMessage(type)) messages.add(type);
const text = `${HEADER}${[...messages].map((message) => `${messageOf(message)}\n`).join('')}`;
if (!process.argv.includes('--check')) writeFileSync(TYPES_FILE, text);
else if (text !== readFileSync(TYPES_FILE, 'utf8'))
  throw new Error('proto/messages.ts does not match proto/schema: run npm run generate, then npm run build');
