// Certificates and revocation lists with new keys: what stays, what changes, and which of them verify each other.

import { createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fromLatin1 } from '../../../proto/bytes.js';
import { CA, makeCertificate as makeWithOpenssl } from '../../helpers/make-certificate.js';
import { makeCertificate, makeRevocationList, type Made } from '../../helpers/made-certificates.js';
import {
  checkSignature,
  CURVES,
  decodePem,
  readEcdsaSignature,
  readPemCertificate,
  toLowS,
} from '../../../translator/msp/index.js';
import { readRevocationList } from '../../../translator/msp/crl.js';
import { Originals, Pki } from '../../../translator/rehearse/pki.js';

const NOW = new Date('2026-06-01T00:00:00Z');
const SUBJECT_NAMES = '2.5.29.17';

async function pkiOf(...pems: readonly (Uint8Array | readonly [Uint8Array, string])[]): Promise<Pki> {
  const originals = new Originals();
  for (const each of pems)
    if (each instanceof Uint8Array) originals.addPem(each, '/Channel');
    else originals.addPem(each[0], '/Channel', each[1]);
  return Pki.create(originals);
}

const isSignedBy = async (certificate: Uint8Array, ca: Uint8Array): Promise<boolean> =>
  (await checkSignature(readPemCertificate(certificate)!, readPemCertificate(ca)!.publicKey, '1.22')) ===
  undefined;

/** Everything of a certificate except its key, its signature and the extensions with these ids. */
function contentOf(pem: Uint8Array, ...without: readonly string[]): unknown {
  const certificate = readPemCertificate(pem)!;
  const { version, serial, issuer, subject, notBefore, notAfter, extensions, rawAlgorithm } = certificate;
  return {
    rawAlgorithm,
    version,
    serial,
    issuer: issuer.raw,
    subject: subject.raw,
    notBefore,
    notAfter,
    extensions: extensions.all.filter(({ id }) => !without.includes(id)),
  };
}

const ROOT = makeCertificate({ commonName: 'ca.org1', organization: 'Org1' });
const INTERMEDIATE = makeCertificate({
  commonName: 'ica.org1',
  organization: 'Org1',
  issuer: ROOT,
  isCa: true,
});
const LEAF = makeCertificate({
  commonName: 'orderer1',
  unit: 'orderer',
  issuer: INTERMEDIATE,
  usage: 'serverAuth',
  names: ['DNS:orderer1.example.com', 'DNS:*.orderers.example.com', 'IP:10.0.0.1'],
  // An extension that no program knows, and Fabric CA's attributes.
  extensions: [
    ['2a030405', '0c0474657374'],
    ['2a0304050607080101', '7b2261747472223a7b7d7d'],
  ],
});
const EXPIRED = makeCertificate({
  commonName: 'expired',
  issuer: INTERMEDIATE,
  validity: ['20260101000000Z', '20260102000000Z'],
});

test('a copied certificate has another key; names, serial number, validity and extensions stay', async (t) => {
  const pki = await pkiOf(ROOT.pem, INTERMEDIATE.pem, LEAF.pem, EXPIRED.pem);
  for (const { pem } of [ROOT, INTERMEDIATE, LEAF, EXPIRED]) {
    const copy = pki.rewrite(pem);
    t.deepEqual(contentOf(copy), contentOf(pem));
    t.notDeepEqual(readPemCertificate(copy)!.publicKey, readPemCertificate(pem)!.publicKey);
  }
  t.deepEqual(pki.count, { certificates: 2, cas: 2 });
});

test('each copy is signed by the copy of its CA, and not by the CA', async (t) => {
  const pki = await pkiOf(LEAF.pem, INTERMEDIATE.pem, ROOT.pem);
  for (const [issued, ca] of [
    [LEAF, INTERMEDIATE],
    [INTERMEDIATE, ROOT],
    [ROOT, ROOT],
  ] as const) {
    t.true(await isSignedBy(pki.rewrite(issued.pem), pki.rewrite(ca.pem)));
    t.false(await isSignedBy(pki.rewrite(issued.pem), ca.pem));
  }
});

test('of two CAs with one name, the one that signed the original signs the copy', async (t) => {
  const namesake = makeCertificate({ commonName: 'ca.org1', organization: 'Org1' });
  const pki = await pkiOf(namesake.pem, ROOT.pem, INTERMEDIATE.pem);
  t.true(await isSignedBy(pki.rewrite(INTERMEDIATE.pem), pki.rewrite(ROOT.pem)));
});

test('a certificate whose CA is not in the channel verifies with no CA of the copy either', async (t) => {
  const foreign = makeCertificate({ commonName: 'ca.org1', organization: 'Org1' });
  const leaf = makeCertificate({ commonName: 'user', issuer: foreign });
  const pki = await pkiOf(leaf.pem, ROOT.pem);
  t.deepEqual(contentOf(pki.rewrite(leaf.pem)), contentOf(leaf.pem));
  t.false(await isSignedBy(pki.rewrite(leaf.pem), pki.rewrite(ROOT.pem)));
});

test('a renewed certificate with the same key has the same new key', async (t) => {
  const renewed = makeCertificate({ commonName: 'ca.org1', organization: 'Org1', key: ROOT.key });
  const pki = await pkiOf(ROOT.pem, renewed.pem);
  const [one, other] = [ROOT, renewed].map(({ pem }) => readPemCertificate(pki.rewrite(pem))!);
  t.deepEqual(one!.publicKey.spki, other!.publicKey.spki);
  t.notDeepEqual(one!.serial, other!.serial);
});

test('the private key of a copy is known, and signs for it', async (t) => {
  const pki = await pkiOf(ROOT.pem, INTERMEDIATE.pem, LEAF.pem);
  const pair = pki.pairOf(decodePem(LEAF.pem)!.bytes)!;
  t.is(pair.certificate, Buffer.from(pki.rewrite(LEAF.pem)).toString());
  const message = Buffer.from('message');
  const signature = sign('sha256', message, createPrivateKey(pair.key));
  t.true(verify('sha256', message, new X509Certificate(pair.certificate).publicKey, signature));
  t.is(pki.pairOf(decodePem(EXPIRED.pem)!.bytes), undefined);
});

/** The names that a certificate has more than before. */
function addedNames(t: ExecutionContext, made: Made, copy: Uint8Array): string | undefined {
  const [before, after] = [made.pem, Buffer.from(copy)].map(
    (pem) => new X509Certificate(pem).subjectAltName ?? '',
  );
  t.deepEqual(contentOf(copy, SUBJECT_NAMES), contentOf(made.pem, SUBJECT_NAMES));
  t.true(after!.startsWith(before!));
  return after!.slice(before!.length);
}

for (const [host, expected] of [
  ['orderer1.example.com', ', DNS:localhost, IP Address:127.0.0.1'],
  ['a.orderers.example.com', ', DNS:localhost, IP Address:127.0.0.1'],
  ['10.0.0.1', ', DNS:localhost, IP Address:127.0.0.1'],
  ['orderer2.example.com', ''],
  ['10.0.0.2', ''],
] as const)
  test(`the certificate of a node at ${host} gets these names of this host: ${expected || 'none'}`, async (t) => {
    const pki = await pkiOf(ROOT.pem, INTERMEDIATE.pem, [LEAF.pem, host]);
    t.is(addedNames(t, LEAF, pki.rewrite(LEAF.pem)), expected);
  });

test('a revocation list has the same serial numbers and times, and is signed by the copy of its CA', async (t) => {
  const serials = [1n, 0x80n, 0x1234567890abcdef1234n];
  const list = makeRevocationList(ROOT.name, serials, ROOT);
  const pki = await pkiOf(ROOT.pem, list);
  const copy = readRevocationList(pki.rewrite(list));
  const original = readRevocationList(list);
  t.deepEqual([...copy.serials], serials);
  t.deepEqual(copy.authorityKeyId, original.authorityKeyId);
  t.deepEqual(
    [copy.issuer, copy.thisUpdate, copy.nextUpdate],
    [original.issuer, original.thisUpdate, original.nextUpdate],
  );
  t.is(await checkSignature(copy, readPemCertificate(pki.rewrite(ROOT.pem))!.publicKey, '1.22'), undefined);
});

test('a revocation list that nobody signed is not valid in the copy either', async (t) => {
  const list = makeRevocationList(ROOT.name, [1n], INTERMEDIATE);
  const pki = await pkiOf(ROOT.pem, INTERMEDIATE.pem, list);
  const copy = readRevocationList(pki.rewrite(list));
  t.not(await checkSignature(copy, readPemCertificate(pki.rewrite(ROOT.pem))!.publicKey, '1.22'), undefined);
});

const OTHER_KEYS = [
  ['rsa -pkeyopt rsa_keygen_bits:2048', 'sha256'],
  ['rsa -pkeyopt rsa_keygen_bits:2048', 'sha512'],
  ['ec -pkeyopt ec_paramgen_curve:P-384', 'sha384'],
  ['ec -pkeyopt ec_paramgen_curve:P-521', 'sha512'],
  ['ed25519', 'sha256'],
] as const;

for (const [key, digest] of OTHER_KEYS)
  test(`a CA with the key ${key} and the digest ${digest} has a key of the same kind`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'pki-'));
    t.teardown(() => rmSync(directory, { recursive: true }));
    const ca = makeWithOpenssl(directory, 'ca', { key, digest, extensions: CA });
    const leaf = makeWithOpenssl(directory, 'leaf', { issuer: ca, digest });
    const [caPem, leafPem] = [ca, leaf].map(({ cert }) => new Uint8Array(readFileSync(cert)));
    const pki = await pkiOf(caPem!, leafPem!);
    t.deepEqual(contentOf(pki.rewrite(leafPem!)), contentOf(leafPem!));
    t.true(await isSignedBy(pki.rewrite(leafPem!), pki.rewrite(caPem!)));
    const [before, after] = [caPem!, pki.rewrite(caPem!)].map((pem) => readPemCertificate(pem)!.publicKey);
    t.is(after!.type, before!.type);
    t.is(after!.spki.length, before!.spki.length);
  });

test('a new certificate of a CA has its units, begins with the CA and is valid now', async (t) => {
  const expired = makeCertificate({ commonName: 'old', validity: ['20250101000000Z', '20260102000000Z'] });
  const pki = await pkiOf(expired.pem);
  const issuer = readPemCertificate(expired.pem)!;
  const pair = await pki.issue({ issuer, commonName: 'peer1', units: ['peer', 'a'], isTls: false }, NOW);
  const pem = fromLatin1(pair.certificate);
  t.true(await isSignedBy(pem, pki.rewrite(expired.pem)));
  const certificate = readPemCertificate(pem)!;
  t.is(certificate.subject.text, 'CN=peer1,OU=peer+OU=a');
  t.deepEqual([certificate.notBefore, certificate.notAfter > NOW], [issuer.notBefore, true]);
  t.is(new X509Certificate(pair.certificate).subjectAltName, undefined);
});

test('a new TLS certificate is valid on this host; without a CA of the channel another CA signs it', async (t) => {
  const pki = await pkiOf(ROOT.pem);
  for (const issuer of [readPemCertificate(ROOT.pem), undefined]) {
    const pair = await pki.issue({ issuer, commonName: 'peer1', units: [], isTls: true }, NOW);
    t.is(new X509Certificate(pair.certificate).checkIP('127.0.0.1'), '127.0.0.1');
    t.is(await isSignedBy(fromLatin1(pair.certificate), pki.rewrite(ROOT.pem)), issuer !== undefined);
  }
});

for (const [what, text] of [
  ['that is no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['without PEM', 'text'],
  ['with a PEM block that does not end', '-----BEGIN CERTIFICATE-----\nAAAA\n'],
] as const)
  test(`bytes ${what} stay as they are`, async (t) => {
    const bytes = fromLatin1(text);
    t.is((await pkiOf(bytes)).rewrite(bytes), bytes);
  });

test('the text around a certificate, its line length and its line ends stay', async (t) => {
  const base64 = decodePem(ROOT.pem)!.bytes;
  const wide = `text\r\n-----BEGIN CERTIFICATE-----\r\n${Buffer.from(base64)
    .toString('base64')
    .replaceAll(/.{1,76}/g, '$&\r\n')}-----END CERTIFICATE-----\r\n\r\nmore`;
  const pki = await pkiOf(ROOT.pem);
  const copy = Buffer.from(pki.rewrite(fromLatin1(wide))).toString('latin1');
  const shape = (text: string): string[] =>
    text.split('\n').map((line) => (line.endsWith('\r') ? 'r' : '') + (line.length > 70 ? '' : line.length));
  t.deepEqual(shape(copy).slice(0, 5), shape(wide).slice(0, 5));
  t.true(copy.startsWith('text\r\n-----BEGIN') && copy.endsWith('-----END CERTIFICATE-----\r\n\r\nmore'));
  t.deepEqual(decodePem(fromLatin1(copy)), decodePem(pki.rewrite(ROOT.pem)));
});

test('a certificate in a PEM block with headers cannot be copied', async (t) => {
  const text = ROOT.pem.toString().replace('-----\n', '-----\nProc-Type: x\n\n');
  await t.throwsAsync(pkiOf(fromLatin1(text)), {
    code: 'NOT_REHEARSED',
    message: 'cannot be rehearsed: /Channel: a certificate is in a PEM block with headers',
  });
});

test('an ECDSA signature has a low s where the original has one, and a high s where it has not', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'pki-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  // OpenSSL writes both forms: 16 certificates have both but with a probability of 2 in 65,536.
  const all = Array.from(
    { length: 16 },
    (_, index) =>
      new Uint8Array(readFileSync(makeWithOpenssl(directory, `ca${index}`, { extensions: CA }).cert)),
  );
  const pki = await pkiOf(...all);
  const isLow = (pem: Uint8Array): boolean => {
    const signature = readEcdsaSignature(readPemCertificate(pem)!.signature);
    return typeof signature !== 'string' && toLowS(signature, CURVES[0]!).s === signature.s;
  };
  t.deepEqual(
    all.map((pem) => isLow(pki.rewrite(pem))),
    all.map(isLow),
  );
});
