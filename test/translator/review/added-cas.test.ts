// The CAs of new organisations, which their people can confirm.

import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { addOrganization, setFields, unsignedUpdate } from '../../../translator/edit/index.js';
import { makeOrganization } from '../../../translator/edit/org.js';
import { documentText } from '../../../translator/documents/index.js';
import { addedCas, review, reviewDocument, type Review } from '../../../translator/review/index.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { networkBlock } from '../../helpers/network-block.js';

const BLOCK = readConfigFile(networkBlock());
const NOW = new Date('2026-11-24T00:00:00Z');
const CA = makeCertificate({ commonName: 'ca.org3', isCa: true });
const FINGERPRINT = new X509Certificate(CA.pem).fingerprint256.replaceAll(':', '').toLowerCase();
const GROUPED = FINGERPRINT.replaceAll(/.{4}(?=.)/g, '$& ');

const unit = (name: string) => ({ unit: name, certificate: CA.pem });

/** The review of an update that adds Org3 with several CAs. @param messages in a block */
async function reviewOf(roots: readonly Buffer[], messages = '10'): Promise<Review> {
  const files = {
    roots,
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: [CA.pem],
    tlsIntermediates: [],
    units: [],
    nodeOus: { client: unit('client'), peer: unit('peer'), admin: unit('admin'), orderer: unit('orderer') },
  };
  const group = makeOrganization('Application', 'Org3MSP', files);
  const added = addOrganization(BLOCK.config, { section: 'Application', name: 'Org3', group });
  const edited = setFields(added.config, [{ path: 'orderer.batchSize.maxMessageCount', value: messages }]);
  const { bytes } = unsignedUpdate(BLOCK.config, edited.config, 'mychannel');
  return review(readUpdateFile(bytes), BLOCK, { now: NOW });
}

test('the CA of a new organisation is compared with it, by the whole fingerprint, as the first step', async (t) => {
  const reviewed = await reviewOf([CA.pem]);
  t.deepEqual(addedCas(reviewed), [{ organization: 'Org3', name: 'CN=ca.org3', sha256: GROUPED }]);
  const text = documentText(reviewDocument(reviewed));
  t.true(text.includes(`\nnext\n  compare with Org3: CA CN=ca.org3, SHA-256 ${GROUPED}; collect `), text);
});

test('five new CAs are named in the next steps, and the others are counted', async (t) => {
  const roots = Array.from({ length: 7 }, (_, index) =>
    index === 0 ? CA.pem : makeCertificate({ commonName: `ca${index}` }).pem,
  );
  const reviewed = await reviewOf(roots);
  t.is(addedCas(reviewed).length, 7);
  const text = documentText(reviewDocument(reviewed));
  t.is(text.match(/compare with Org3/g)?.length, 5);
  t.true(text.includes('; compare 2 more new CAs; '));
});

test('nobody compares the CA of an update that orderers would refuse, or of an organisation that is known', async (t) => {
  t.deepEqual(addedCas(await reviewOf([CA.pem], '0')), []);
  const { elements, ...reviewed } = await reviewOf([CA.pem]);
  t.deepEqual(addedCas({ ...reviewed, elements: elements.filter(({ kind }) => kind !== 'group') }), []);
});
