// The difference of who can change what, in words.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { controlDiff, mspNames } from '../../../translator/documents/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { powersOf } from '../../../translator/powers/index.js';
import { networkBlock } from '../../helpers/network-block.js';

const BLOCK = readConfigFile(networkBlock());

const differenceOf = async (path: string, rule: string) => {
  const { config } = setPolicy(BLOCK.config, path, rule);
  const update = unsignedUpdate(BLOCK.config, config, 'mychannel');
  const { control, after } = await powersOf(BLOCK, update);
  return controlDiff(control, after!.control);
};

test('an ANY policy gives each organisation control of the application and of the other organisation, and with the orderers of the channel', async (t) => {
  const after = 'Org1MSP, or Org2MSP';
  t.deepEqual(await differenceOf('/Channel/Application/Admins', 'ANY Admins'), [
    {
      what: 'the channel',
      elements: ['/Channel'],
      before: 'Org1MSP and Org2MSP and OrdererMSP',
      after: 'OrdererMSP and any of Org1MSP, Org2MSP',
    },
    {
      what: 'the group Application',
      elements: ['/Channel/Application'],
      before: 'Org1MSP and Org2MSP',
      after,
    },
    {
      what: 'Org1MSP',
      elements: ['/Channel/Application/Org1MSP'],
      before: 'Org1MSP',
      after,
    },
    {
      what: 'Org2MSP',
      elements: ['/Channel/Application/Org2MSP'],
      before: 'Org2MSP',
      after,
    },
  ]);
});

test('an update that moves no control has no difference', async (t) => {
  t.deepEqual(await differenceOf('/Channel/Application/Readers', 'ALL Readers'), []);
});

test('organisations have their names where names are given', async (t) => {
  const { control, organizations } = await powersOf(BLOCK);
  const names = mspNames(
    organizations.map(({ mspid }, index) => ({ name: `name ${index}`, mspId: mspid ?? undefined })),
  );
  const application = controlDiff([], control, names).find(({ what }) => what.includes('Application'));
  t.is(application?.after, '"name 0" and "name 1"');
});
