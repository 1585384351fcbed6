// Names of organisations and signers on the page.

import test from 'ava';
import { namesText, signersText } from '../../../translator/page/names.js';

for (const [names, search, text] of [
  [[], '', ''],
  [['Org1'], '', 'Org1'],
  [['Org2', 'Org1'], '', 'Org1 and Org2'],
  [['Org3', 'Org1', 'Org2'], '', 'Org1, Org2 and Org3'],
  [['Org10', 'Org2', 'Org1', 'Org3'], '', 'Org1, Org2, Org3 and 1 more'],
  [['Org4', 'Org2', 'Org1', 'Org3', 'Org5'], ' ORG5 ', 'Org5, Org1, Org2 and 2 more'],
  [['a\nb', 'c'], '', String.raw`a\nb and c`],
] as const)
  test(`the names ${JSON.stringify(names)} with the search "${search}" are: ${text}`, (t) => {
    t.is(namesText(names, search), text);
  });

const NAMES = new Map([
  ['Org1MSP', 'Org1'],
  ['org-2.MSP', 'Org2'],
]);

for (const [text, words] of [
  ['Org1MSP.admin and org-2.MSP.peer', 'Org1 admin and Org2 peer'],
  ['Org1MSP.member, Org1MSP.client or Org1MSP.orderer', 'Org1 member, Org1 client or Org1 orderer'],
  ['Org9MSP.admin', 'Org9MSP admin'],
  ['Org1MSP.administrator', 'Org1MSP.administrator'],
] as const)
  test(`the signers ${text} are ${words} in words`, (t) => {
    t.is(signersText(text, NAMES), words);
  });
