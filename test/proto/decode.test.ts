// Serialized message -> JSON text: examples of all kinds of fields, the order of keys.

import test from 'ava';
import { decode, messageNames } from '../../proto/index.js';
import { bytesField, hex, numberField, errorOf } from '../helpers/codec.js';

/** The text without line breaks and indentation. */
function compact(type: string, data: Buffer): string {
  return JSON.stringify(JSON.parse(decode(type, data)));
}

const EXAMPLES: readonly (readonly [title: string, type: string, digits: string, lines: string])[] = [
  [
    'scalars and defaults',
    'common.BlockHeader',
    '08051a02fbff',
    `
{
	"data_hash": "+/8=",
	"number": "5",
	"previous_hash": ""
}
`,
  ],
  [
    'empty messages, list elements and map values',
    'common.ConfigGroup',
    '1a030a017622070a017012021200',
    `
{
	"groups": {},
	"mod_policy": "",
	"policies": {
		"p": {
			"mod_policy": "",
			"policy": {
				"type": 0,
				"value": null
			},
			"version": "0"
		}
	},
	"values": {
		"v": {
			"mod_policy": "",
			"value": "",
			"version": "0"
		}
	},
	"version": "0"
}
`,
  ],
  [
    'an envelope with a configuration update',
    'common.Envelope',
    `0a3b0a200a070802220363683112150a0f0a074f7267314d53501204434552541202010212170a150a03636831120208
     031a0a08042a0641646d696e731203736967`,
    `
{
	"payload": {
		"data": {
			"config_update": {
				"channel_id": "ch1",
				"isolated_data": {},
				"read_set": {
					"groups": {},
					"mod_policy": "",
					"policies": {},
					"values": {},
					"version": "3"
				},
				"write_set": {
					"groups": {},
					"mod_policy": "Admins",
					"policies": {},
					"values": {},
					"version": "4"
				}
			},
			"signatures": []
		},
		"header": {
			"channel_header": {
				"channel_id": "ch1",
				"epoch": "0",
				"extension": null,
				"timestamp": null,
				"tls_cert_hash": "",
				"tx_id": "",
				"type": 2,
				"version": 0
			},
			"signature_header": {
				"creator": {
					"id_bytes": "Q0VSVA==",
					"mspid": "Org1MSP"
				},
				"nonce": "AQI="
			}
		}
	},
	"signature": "c2ln"
}
`,
  ],
  [
    'a signature policy in a policy',
    'common.Policy',
    '0801121b120812060801120208001a0f0800120b0a074f7267314d53501003',
    `
{
	"type": 1,
	"value": {
		"identities": [
			{
				"principal": {
					"msp_identifier": "Org1MSP",
					"role": "PEER"
				},
				"principal_classification": "ROLE"
			}
		],
		"rule": {
			"n_out_of": {
				"n": 1,
				"rules": [
					{
						"signed_by": 0
					}
				]
			}
		},
		"version": 0
	}
}
`,
  ],
  [
    'the same policy below oneofs, with a base64 principal',
    'protos.CollectionConfig',
    '0a230a026331121d0a1b120812060801120208001a0f0800120b0a074f7267314d53501003',
    `
{
	"static_collection_config": {
		"block_to_live": "0",
		"endorsement_policy": null,
		"maximum_peer_count": 0,
		"member_only_read": false,
		"member_only_write": false,
		"member_orgs_policy": {
			"signature_policy": {
				"identities": [
					{
						"principal": "CgdPcmcxTVNQEAM=",
						"principal_classification": "ROLE"
					}
				],
				"rule": {
					"n_out_of": {
						"n": 1,
						"rules": [
							{
								"signed_by": 0
							}
						]
					}
				},
				"version": 0
			}
		},
		"name": "c1",
		"required_peer_count": 0
	}
}
`,
  ],
  [
    'a read-write set with a private collection',
    'rwset.TxReadWriteSet',
    '12210a02636312090a070a016b120208031a100a04636f6c6c120512030a01681a0170',
    `
{
	"data_model": "KV",
	"ns_rwset": [
		{
			"collection_hashed_rwset": [
				{
					"collection_name": "coll",
					"hashed_rwset": "EgMKAWg=",
					"pvt_rwset_hash": "cA=="
				}
			],
			"namespace": "cc",
			"rwset": {
				"metadata_writes": [],
				"range_queries_info": [],
				"reads": [
					{
						"key": "k",
						"version": {
							"block_num": "3",
							"tx_num": "0"
						}
					}
				],
				"writes": []
			}
		}
	]
}
`,
  ],
  [
    'a configuration tree',
    'common.Config',
    `0802123e123c0a0b4170706c69636174696f6e122d122b0a044f72673112231a210a0b416e63686f7250656572731212
     12080a060a0170108b371a0641646d696e73`,
    `
{
	"channel_group": {
		"groups": {
			"Application": {
				"groups": {
					"Org1": {
						"groups": {},
						"mod_policy": "",
						"policies": {},
						"values": {
							"AnchorPeers": {
								"mod_policy": "Admins",
								"value": {
									"anchor_peers": [
										{
											"host": "p",
											"port": 7051
										}
									]
								},
								"version": "0"
							}
						},
						"version": "0"
					}
				},
				"mod_policy": "",
				"policies": {},
				"values": {},
				"version": "0"
			}
		},
		"mod_policy": "",
		"policies": {},
		"values": {},
		"version": "0"
	},
	"sequence": "2"
}
`,
  ],
];
for (const [title, type, digits, lines] of EXAMPLES) {
  test(`${title}: ${type}`, (t) => {
    t.is(decode(type, hex(digits)), lines.slice(1));
  });
}

const FORMS: readonly (readonly [title: string, type: string, digits: string, json: string])[] = [
  ['no fields', 'protos.QueryStateNext', '', '{"id":""}'],
  ['a message without fields', 'google.protobuf.Empty', '', '{}'],
  ['a message without fields, with unknown fields in the input', 'orderer.SeekOldest', '0801', '{}'],
  [
    'the message in an Any is base64',
    'google.protobuf.Any',
    '0a0161 12020801',
    '{"type_url":"a","value":"CAE="}',
  ],
  [
    'a duration in a message',
    'grpc.binarylog.v1.ClientHeader',
    '22020801',
    '{"authority":"","metadata":null,"method_name":"","timeout":{"nanos":0,"seconds":"1"}}',
  ],
  ['absent lists, maps and messages', 'common.Block', '', '{"data":null,"header":null,"metadata":null}'],
  [
    'empty messages',
    'common.Block',
    '0a0012001a00',
    '{"data":{"data":[]},"header":{"data_hash":"","number":"0","previous_hash":""},"metadata":{"metadata":[]}}',
  ],
  [
    'names are those of the schema',
    'protos.ChaincodeProposalPayload',
    '',
    '{"TransientMap":{},"input":null}',
  ],
  [
    'int32 and uint32 are numbers',
    'common.ChannelHeader',
    '08ffffffffffffffffff01',
    '{"channel_id":"","epoch":"0","extension":null,"timestamp":null,"tls_cert_hash":"","tx_id":"","type":-1,"version":0}',
  ],
  [
    '64-bit integers are strings',
    'common.LastConfig',
    '08ffffffffffffffffff01',
    '{"index":"18446744073709551615"}',
  ],
  [
    'bool',
    'msp.FabricNodeOUs',
    '0801',
    '{"admin_ou_identifier":null,"client_ou_identifier":null,"enable":true,"orderer_ou_identifier":null,"peer_ou_identifier":null}',
  ],
  [
    'empty bytes in lists and maps',
    'protos.ChaincodeInput',
    '0a00 12050a01611200',
    '{"args":[""],"decorations":{"a":""},"is_init":false}',
  ],
  [
    'an absent map value',
    'protos.ChaincodeInput',
    '12030a0161',
    '{"args":[],"decorations":{"a":""},"is_init":false}',
  ],
  [
    'elements of opened lists are always objects',
    'common.BlockData',
    '0a00',
    '{"data":[{"payload":null,"signature":""}]}',
  ],
  ['enum values by name', 'common.MSPRole', '10 01', '{"msp_identifier":"","role":"ADMIN"}'],
  ['enum values without a name', 'orderer.BroadcastResponse', '08c901', '{"info":"","status":201}'],
  ['negative enum values', 'orderer.BroadcastResponse', '08ffffffffffffffffff01', '{"info":"","status":-1}'],
  ['the default value of an enum', 'orderer.BroadcastResponse', '', '{"info":"","status":"UNKNOWN"}'],
  ['an unset oneof', 'common.SignaturePolicy', '', '{}'],
  ['a oneof with the default value', 'common.SignaturePolicy', '0800', '{"signed_by":0}'],
  ['a oneof with a message', 'orderer.SeekPosition', '0a00', '{"newest":{}}'],
  [
    'lists of numbers',
    'etcdraft.BlockMetadata',
    '0a0401ac0202',
    '{"consenter_ids":["1","300","2"],"next_consenter_id":"0","raft_index":"0"}',
  ],
  [
    'bytes use the standard base64 alphabet',
    'common.BlockHeader',
    '1203fbefbe',
    '{"data_hash":"","number":"0","previous_hash":"++++"}',
  ],
];
for (const [title, type, digits, json] of FORMS) {
  test(`${title}: ${type} ${digits}`, (t) => {
    t.is(compact(type, hex(digits)), json);
  });
}

test('number keys of maps are sorted as strings', (t) => {
  const text = decode(
    'protos.BlockAndPrivateData',
    hex('120408071200 1204080a1200 120d08ffffffffffffffffff011200'),
  );
  t.deepEqual(text.match(/^\t\t"\d+": \{/gm), ['\t\t"10": {', '\t\t"18446744073709551615": {', '\t\t"7": {']);
});

const KEYS = [
  '',
  '10',
  '9',
  'A',
  '__proto__',
  'a',
  'a"\\<b>&\u2028\n',
  'constructor',
  'toString',
  'é',
  '\uffff',
  '\u{1f600}',
];
test('map keys are sorted by their UTF-8 bytes and escaped', (t) => {
  const data = Buffer.concat(
    KEYS.toReversed().map((key) => bytesField(1, bytesField(1, key), bytesField(2))),
  );
  const text = decode('common.Capabilities', data);
  const expected = [
    '""',
    '"10"',
    '"9"',
    '"A"',
    '"__proto__"',
    '"a"',
    String.raw`"a\"\\\u003cb\u003e\u0026\u2028\n"`,
    '"constructor"',
    '"toString"',
    '"é"',
    '"\uffff"',
    '"\u{1f600}"',
  ];
  t.is(text, `{\n\t"capabilities": {\n${expected.map((key) => `\t\t${key}: {}`).join(',\n')}\n\t}\n}\n`);
});

test('decodes a map key of 64 KB', (t) => {
  const key = 'k'.repeat(65_536);
  t.is(
    compact('common.Capabilities', bytesField(1, bytesField(1, key), bytesField(2))),
    `{"capabilities":{"${key}":{}}}`,
  );
});

test('strings are escaped as in Go', (t) => {
  t.is(
    decode('common.HashingAlgorithm', bytesField(1, '<a href="x">&\u2028\u2029\u0000\u007f/é\u{1f600}\\')),
    '{\n\t"name": "\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\u0000\u007f/é\u{1f600}\\\\"\n}\n',
  );
});

for (const [seconds, nanos, text] of [
  [0, 0, '1970-01-01T00:00:00Z'],
  [-1, 500_000_000, '1969-12-31T23:59:59.500Z'],
  [1_700_000_000, 1, '2023-11-14T22:13:20.000000001Z'],
] as const) {
  test(`a timestamp is an RFC 3339 string: ${text}`, (t) => {
    const data = bytesField(3, numberField(1, seconds), numberField(2, nanos));
    t.true(decode('common.ChannelHeader', data).includes(`\n\t"timestamp": "${text}",\n`));
  });
}

test('unknown fields are omitted at every level', (t) => {
  const unknown = hex('a00601 a20600 a306a406');
  const data = Buffer.concat([unknown, bytesField(1, numberField(1, 5), unknown), unknown]);
  t.is(
    compact('common.Block', data),
    '{"data":null,"header":{"data_hash":"","number":"5","previous_hash":""},"metadata":null}',
  );
});

test('empty input is valid for all message types without a string as JSON form', (t) => {
  for (const name of messageNames()) {
    if (name === 'google.protobuf.Timestamp' || name === 'google.protobuf.Duration') continue;
    const text = decode(name, Buffer.alloc(0));
    t.true(text.endsWith('}\n'), name);
    t.is(decode(name, new Uint8Array()), text);
  }
});

for (const [name, go] of [
  ['google.protobuf.Timestamp', '*timestamppb.Timestamp'],
  ['google.protobuf.Duration', '*durationpb.Duration'],
] as const) {
  test(`${name} is a string in JSON, so it is not a document`, (t) => {
    const problem = 'json: cannot unmarshal string into Go value of type map[string]interface {}';
    t.deepEqual(
      errorOf(() => decode(name, Buffer.alloc(0))),
      {
        code: 'BAD_FIELD',
        message: `${go}: error unmarshaling intermediate JSON: ${problem}`,
        path: '',
      },
    );
  });
}

test('accepts a view of a larger buffer', (t) => {
  const memory = new Uint8Array([0xff, 0x08, 0x05, 0xff]);
  t.is(
    compact('common.BlockHeader', memory.subarray(1, 3) as Buffer),
    '{"data_hash":"","number":"5","previous_hash":""}',
  );
});

for (const name of [
  '',
  'Block',
  'common.Nope',
  '__proto__',
  'constructor',
  'common.ConfigGroup.GroupsEntry',
]) {
  test(`rejects the unknown message name '${name}'`, (t) => {
    const { code, message, path } = errorOf(() => decode(name, Buffer.alloc(0)));
    t.is(code, 'UNKNOWN_TYPE');
    t.regex(message, /^proto: not found/);
    t.is(path, '');
  });
}

test('common.Configuration is an alias of common.Config', (t) => {
  t.is(compact('common.Configuration', hex('0802')), '{"channel_group":null,"sequence":"2"}');
});
