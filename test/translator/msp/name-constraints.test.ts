// Name constraints of a root CA, and the names of a CA below it, with the verdicts of the MSPs of Fabric 3.0.0 (Go 1.23) and 3.1.5 (Go 1.26).

import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { rulesOf, setupMsp } from '../../../translator/msp/index.js';
import { ipText, nameConstraintError } from '../../../translator/msp/name-constraints.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const OK = undefined;

/** The permitted and the excluded names (`!`) of the root CA, the name of the CA below it, the fault in 3.0.0, and in 3.1.5 if it is another one. */
const CASES: readonly (readonly [
  constraints: readonly string[],
  name: string,
  old: string | undefined,
  newest?: string | undefined,
])[] = [
  // Constraints that Go cannot read, or can.
  [['URI:10.0.0.1'], 'DNS:a.org', 'parse: failed to parse URI constraint "10.0.0.1": cannot be IP address'],
  [
    ['URI:255.255.255.255'],
    'DNS:a.org',
    'parse: failed to parse URI constraint "255.255.255.255": cannot be IP address',
  ],
  [['URI:256.1.1.1'], 'DNS:a.org', OK],
  [['URI:1.2.3'], 'DNS:a.org', OK],
  [['URI:01.2.3.4'], 'DNS:a.org', OK],
  [['URI:1.2.3.4.'], 'DNS:a.org', 'parse: failed to parse URI constraint "1.2.3.4."'],
  [['URI:::1'], 'DNS:a.org', 'parse: failed to parse URI constraint "::1": cannot be IP address'],
  [['URI:::g'], 'DNS:a.org', OK],
  [['URI:1::2::3'], 'DNS:a.org', OK],
  [['URI:a..b'], 'DNS:a.org', 'parse: failed to parse URI constraint "a..b"'],
  [['URI:a b'], 'DNS:a.org', 'parse: failed to parse URI constraint "a b"'],
  [['URI:.'], 'DNS:a.org', OK, 'parse: failed to parse URI constraint "."'],
  [
    ['URI:::ffff:1.2.3.4'],
    'DNS:a.org',
    'parse: failed to parse URI constraint "::ffff:1.2.3.4": cannot be IP address',
  ],
  [['DNS:a..b'], 'DNS:a.org', 'parse: failed to parse dnsName constraint "a..b"'],
  [['DNS:.'], 'DNS:a.org', OK, 'parse: failed to parse dnsName constraint "."'],
  [['DNS:'], 'DNS:a.org', OK],
  [
    ['DNS:\x80'],
    'DNS:a.org',
    'parse: invalid constraint value: x509: "\\x80" cannot be encoded as an IA5String',
  ],
  [['EMAIL:a@b..c'], 'DNS:a.org', 'parse: failed to parse rfc822Name constraint "a@b..c"'],
  [['EMAIL:.'], 'DNS:a.org', OK, 'parse: failed to parse rfc822Name constraint "."'],
  [['EMAIL:a@'], 'DNS:a.org', OK],
  [['EMAIL:a b@c'], 'DNS:a.org', 'parse: failed to parse rfc822Name constraint "a b@c"'],
  [['EMAIL:@c'], 'DNS:a.org', 'parse: failed to parse rfc822Name constraint "@c"'],
  [['EMAIL:a@b@c'], 'DNS:a.org', OK],
  [['IP:0a000000ff00ff00'], 'DNS:a.org', 'parse: IP constraint contained invalid mask ff00ff00'],
  [['IP:0a0000ff'], 'DNS:a.org', 'parse: IP constraint contained value of length 4'],
  [['IP:0a000000fffe0000'], 'DNS:a.org', OK],
  // URIs.
  [['URI:example.com'], 'URI:http://example.com/x', OK],
  [['URI:example.com'], 'URI:http://host.example.com:80/x', OK],
  [
    ['URI:.example.com'],
    'URI:http://example.com/',
    'NA: URI "http://example.com/" is not permitted by any constraint',
  ],
  [
    ['URI:example.com'],
    'URI:http://other.org/',
    'NA: URI "http://other.org/" is not permitted by any constraint',
  ],
  [['URI:example.com'], 'URI:http://user@example.com/', OK],
  [
    ['URI:example.com'],
    'URI:http://10.0.0.1/',
    'NA: URI with IP ("http://10.0.0.1/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://10.0.0.1:80/',
    'NA: URI with IP ("http://10.0.0.1:80/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://[::1]/',
    'NA: URI with IP ("http://[::1]/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://[::1]:80/',
    'NA: URI with IP ("http://[::1]:80/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://[fe80::1%25eth0]/',
    'NA: URI with IP ("http://[fe80::1%25eth0]/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://[fe80::1%25eth0]:80/',
    'NA: URI with IP ("http://[fe80::1%25eth0]:80/") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://[x]:80/',
    'NA: URI "http://[x]:80/" is not permitted by any constraint',
    'parse: cannot parse URI "http://[x]:80/": parse "http://[x]:80/": invalid host: ParseAddr("x"): unable to parse IP',
  ],
  [
    ['URI:example.com'],
    'URI:urn:a',
    'NA: URI with empty host ("urn:a") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:/path',
    'NA: URI with empty host ("/path") cannot be matched against constraints',
  ],
  [
    ['DNS:example.com'],
    'URI:urn:a',
    OK,
    'NA: URI with empty host ("urn:a") cannot be matched against constraints',
  ],
  [
    ['URI:example.com'],
    'URI:http://a:b:80/',
    'NA: address a:b:80: too many colons in address',
    'parse: cannot parse URI "http://a:b:80/": parse "http://a:b:80/": invalid port ":b:80" after host',
  ],
  [
    ['URI:example.com'],
    'URI:http://::1/',
    'NA: address ::1: too many colons in address',
    'parse: cannot parse URI "http://::1/": parse "http://::1/": invalid port "::1" after host',
  ],
  [['URI:example.com'], 'URI:http://example.com:/', OK],
  [['URI:example.com'], 'URI:http://:80/', 'NA: URI "http://:80/" is not permitted by any constraint'],
  [
    ['!URI:example.com'],
    'URI:http://a.example.com/',
    'NA: URI "http://a.example.com/" is excluded by constraint "example.com"',
  ],
  [
    ['!URI:a.example.com'],
    'URI:http://*.example.com/',
    OK,
    'NA: URI "http://*.example.com/" is excluded by constraint "a.example.com"',
  ],
  [['URI:com', '!URI:example.com'], 'URI:http://other.com', OK],
  [['URI:'], 'URI:http://x', OK],
  [['URI:EXAMPLE.com'], 'URI:http://Example.COM', OK],
  // Domains.
  [['DNS:example.com'], 'DNS:example.com', OK],
  [['DNS:.example.com'], 'DNS:example.com', 'NA: DNS name "example.com" is not permitted by any constraint'],
  [['DNS:.example.com'], 'DNS:a.example.com', OK],
  [
    ['!DNS:bar.example.com'],
    'DNS:*.example.com',
    OK,
    'NA: DNS name "*.example.com" is excluded by constraint "bar.example.com"',
  ],
  [['!DNS:a.bar.example.com'], 'DNS:*.example.com', OK],
  [['!DNS:com'], 'DNS:*.com', 'NA: DNS name "*.com" is excluded by constraint "com"'],
  [
    ['DNS:bar.example.com'],
    'DNS:*.example.com',
    'NA: DNS name "*.example.com" is not permitted by any constraint',
  ],
  [
    ['!DNS:com', '!DNS:example.com'],
    'DNS:a.example.com',
    'NA: DNS name "a.example.com" is excluded by constraint "com"',
  ],
  [
    ['!DNS:example.com', '!DNS:com'],
    'DNS:a.example.com',
    'NA: DNS name "a.example.com" is excluded by constraint "example.com"',
    'NA: DNS name "a.example.com" is excluded by constraint "com"',
  ],
  [['!DNS:example.com'], 'DNS:other.com', OK],
  [['DNS:a.org', 'DNS:example.com'], 'DNS:example.com', OK],
  [
    ['DNS:example.com'],
    'DNS:a..example.com',
    'chain: x509: cannot parse dnsName "a..example.com"',
    'NA: x509: cannot parse dnsName "a..example.com"',
  ],
  [
    ['!DNS:x.org'],
    'DNS:a..example.com',
    'chain: x509: cannot parse dnsName "a..example.com"',
    'NA: x509: cannot parse dnsName "a..example.com"',
  ],
  [['DNS:example.com'], 'DNS:xexample.com', 'NA: DNS name "xexample.com" is not permitted by any constraint'],
  [
    ['EMAIL:example.com'],
    'DNS:a..b',
    'chain: x509: cannot parse dnsName "a..b"',
    'NA: x509: cannot parse dnsName "a..b"',
  ],
  [['!DNS:'], 'DNS:x', 'NA: DNS name "x" is excluded by constraint ""'],
  [['DNS:example.com'], 'DNS:', 'NA: DNS name "" is not permitted by any constraint'],
  [['!DNS:example.com'], 'DNS:*', OK],
  // Addresses of email.
  [['EMAIL:a@example.com'], 'EMAIL:a@example.com', OK],
  [
    ['EMAIL:a@example.com'],
    'EMAIL:A@example.com',
    'NA: email address "A@example.com" is not permitted by any constraint',
  ],
  [['EMAIL:a@example.com'], 'EMAIL:a@EXAMPLE.com', OK],
  [['EMAIL:"a"@example.com'], 'EMAIL:a@example.com', OK],
  [['EMAIL:a@example.com'], 'EMAIL:"a"@example.com', OK],
  [
    ['EMAIL:a@example.com'],
    'EMAIL:"b c"@example.com',
    'NA: email address "\\"b c\\"@example.com" is not permitted by any constraint',
    'NA: email address "b c@example.com" is not permitted by any constraint',
  ],
  [['EMAIL:a@example.com'], 'EMAIL:"\\a"@example.com', OK],
  [['EMAIL:a@example.com'], 'EMAIL:\\a@example.com', OK],
  [
    ['EMAIL:example.com'],
    'EMAIL:"a',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "\\"a"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:"a\\',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "\\"a\\\\"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:"a\tb"@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "\\"a\\tb\\"@example.com"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:a\\',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "a\\\\"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:"a\\\n"@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "\\"a\\\\\\n\\"@example.com"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:.a@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name ".a@example.com"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:a.@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "a.@example.com"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:a..b@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "a..b@example.com"',
  ],
  [['EMAIL:example.com'], 'EMAIL:a.b@example.com', OK],
  [
    ['EMAIL:example.com'],
    'EMAIL:@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "@example.com"',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:a',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "a"',
  ],
  [
    ['EMAIL:.example.com'],
    'EMAIL:a@example.com',
    'NA: email address "a@example.com" is not permitted by any constraint',
  ],
  [
    ['!EMAIL:example.com'],
    'EMAIL:a@example.com',
    'NA: email address "a@example.com" is excluded by constraint "example.com"',
  ],
  [
    ['!EMAIL:bar.example.com'],
    'EMAIL:a@*.example.com',
    OK,
    'NA: email address "a@*.example.com" is excluded by constraint "bar.example.com"',
  ],
  [['!EMAIL:a@bar.example.com'], 'EMAIL:a@*.example.com', OK],
  [
    ['EMAIL:a@example.com'],
    'EMAIL:a@other.org',
    'NA: email address "a@other.org" is not permitted by any constraint',
  ],
  [
    ['DNS:example.com'],
    'EMAIL:nothing',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "nothing"',
  ],
  [['EMAIL:"a\\"b"@example.com'], 'EMAIL:"a\\"b"@example.com', OK],
  [
    ['EMAIL:a@example.com'],
    'EMAIL:b@Example.com',
    'NA: email address "b@Example.com" is not permitted by any constraint',
    'NA: email address "b@example.com" is not permitted by any constraint',
  ],
  [
    ['EMAIL:example.com'],
    'EMAIL:"a"x@example.com',
    'chain: x509: cannot parse rfc822Name {"" ""}',
    'NA: cannot parse rfc822Name "\\"a\\"x@example.com"',
  ],
  [['EMAIL:example.com'], 'EMAIL:""@example.com', OK],
  // IP addresses.
  [['IP:0a000000ff000000'], 'IP:0a010203', OK],
  [['IP:0a000000ff000000'], 'IP:0b010203', 'NA: IP address "11.1.2.3" is not permitted by any constraint'],
  [
    ['!IP:0a000000ff000000'],
    'IP:0a010203',
    'NA: IP address "10.1.2.3" is excluded by constraint "10.0.0.0/8"',
  ],
  [
    ['!IP:0a00000000000000'],
    'IP:0a010203',
    'NA: IP address "10.1.2.3" is excluded by constraint "10.0.0.0/0"',
  ],
  [
    ['!IP:0a010203ffffffff'],
    'IP:0a010203',
    'NA: IP address "10.1.2.3" is excluded by constraint "10.1.2.3/32"',
  ],
  [
    ['!IP:20010db8000000000000000000000000ffffffff000000000000000000000000'],
    'IP:20010db8000000000000000000000001',
    'NA: IP address "2001:db8::1" is excluded by constraint "2001:db8::/32"',
  ],
  [
    ['IP:0a000000ff000000'],
    'IP:00000000000000000000ffff0a010203',
    'NA: IP address "10.1.2.3" is not permitted by any constraint',
  ],
  [
    ['IP:0a000000ff000000'],
    'IP:00000000000000000000000000000001',
    'NA: IP address "::1" is not permitted by any constraint',
  ],
  [
    ['!IP:00000000000000000000ffff0a000000ffffffffffffffffffffffffff000000'],
    'IP:00000000000000000000ffff0a010203',
    'NA: IP address "10.1.2.3" is excluded by constraint "10.0.0.0/8"',
  ],
  [['!IP:0a000000fff80000'], 'IP:0a080001', OK],
  [
    ['!IP:0a000000fff80000'],
    'IP:0a070001',
    'NA: IP address "10.7.0.1" is excluded by constraint "10.0.0.0/13"',
  ],
];

/** What the texts of the table begin with. */
const BEGINNINGS = new Map([
  ['parse', 'getCertFromPem error: failed to parse x509 cert: x509'],
  ['chain', 'the supplied identity is not valid'],
  [
    'NA',
    'the supplied identity is not valid: x509: a root or intermediate certificate is not authorized to sign for this name',
  ],
]);
const fullText = (text: string): string => text.replace(/^\w+/, (beginning) => BEGINNINGS.get(beginning)!);

const NODE_OUS = bytesField(
  11,
  concatBytes(numberField(1, 1), bytesField(4, bytesField(2, Buffer.from('admin')))),
);

/** The first fault of the MSP. */
async function faultOf(
  constraints: readonly string[],
  name: string,
  release: string,
): Promise<string | undefined> {
  const root = makeCertificate({
    commonName: 'root',
    constraints: {
      permitted: constraints.filter((each) => !each.startsWith('!')),
      excluded: constraints.filter((each) => each.startsWith('!')).map((each) => each.slice(1)),
    },
  });
  const ca = makeCertificate({ commonName: 'ca', issuer: root, isCa: true, names: [name] });
  const config = concatBytes(
    bytesField(1, Buffer.from('Org1MSP')),
    bytesField(2, root.pem),
    bytesField(3, ca.pem),
    NODE_OUS,
  );
  const [program] = rulesOf([release]);
  return (await setupMsp(config, 'V1_4_3', program)).faults[0];
}

for (const [constraints, name, old, ...newest] of CASES)
  for (const [release, expected] of [
    ['3.0.0', old],
    ['3.1.5', newest.length === 0 ? old : newest[0]],
  ] as const)
    test(`a CA with the name ${JSON.stringify(name)} below one with the constraints ${JSON.stringify(constraints)} is, in Fabric ${release}, ${expected ?? 'valid'}`, async (t) => {
      t.is(await faultOf(constraints, name, release), expected && fullText(expected));
    });

const NONE = { dns: [], email: [], uri: [], ip: [] };
const DNS_TAG = 0x82;

for (const [excluded, permitted, names, fault] of [
  [250_000, 0, 1, undefined],
  [250_001, 0, 1, 'x509: unknown error'],
  [0, 250_000, 1, 'not permitted'],
  [0, 250_001, 1, 'x509: unknown error'],
  [1, 250_000, 1, 'x509: unknown error'],
  [1, 249_999, 1, 'not permitted'],
  // The comparisons of all names count together.
  [125_000, 0, 2, undefined],
  [125_000, 0, 3, 'x509: unknown error'],
] as const)
  test(`a CA with ${excluded} excluded and ${permitted} permitted names, and ${names} names below it: ${fault ?? 'no fault'}`, (t) => {
    const list = (count: number): readonly string[] => Array.from({ length: count }, () => 'a.b.c');
    const error = nameConstraintError(
      {
        permitted: { ...NONE, dns: list(permitted) },
        excluded: { ...NONE, dns: list(excluded) },
        hasOthers: false,
      },
      Array.from({ length: names }, () => ({ tag: DNS_TAG, content: Buffer.from('x') })),
    );
    t.is(
      error,
      fault === 'not permitted'
        ? 'x509: a root or intermediate certificate is not authorized to sign for this name: DNS name "x" is not permitted by any constraint'
        : fault,
    );
  });

for (const [bytes, text] of [
  ['0a010203', '10.1.2.3'],
  ['00000000000000000000000000000000', '::'],
  ['20010db8000000000000000000000001', '2001:db8::1'],
  ['00010002000300040005000600070100', '1:2:3:4:5:6:7:100'],
  ['00000000000000000000ffff0a010203', '10.1.2.3'],
  ['000000000000000000ffffff0a010203', '::ff:ffff:a01:203'],
  ['00000000000000000000fffe0a010203', '::fffe:a01:203'],
  ['00000000000000000000feff0a010203', '::feff:a01:203'],
] as const)
  test(`the address with the bytes ${bytes} is printed as ${text}`, (t) => {
    t.is(ipText(Buffer.from(bytes, 'hex')), text);
  });
