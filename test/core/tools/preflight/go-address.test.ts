// Addresses as Go's package net reads them.

import test from 'ava';
import { isUnspecified, portNumber, splitAddress } from '../../../../core/tools/preflight/go-address.js';

for (const [address, host, port] of [
  ['a:1', 'a', '1'],
  [':7050', '', '7050'],
  ['a:', 'a', ''],
  [':', '', ''],
  ['127.0.0.1:http', '127.0.0.1', 'http'],
  ['[::1]:7050', '::1', '7050'],
  ['[a]:1', 'a', '1'],
  ['[]:1', '', '1'],
] as const)
  test(`the address ${address} has the host '${host}' and the port '${port}'`, (t) => {
    t.deepEqual(splitAddress(address), { host, port });
  });

for (const [address, problem] of [
  ['', 'missing port in address'],
  ['a', 'missing port in address'],
  ['[::1', "missing ']' in address"],
  ['[::1]', 'missing port in address'],
  ['[::1]7050:', 'missing port in address'],
  ['[::1]:70:50', 'too many colons in address'],
  ['::1:7050', 'too many colons in address'],
  ['a:b:1', 'too many colons in address'],
  ['a[:1', "unexpected '[' in address"],
  ['a]:1', "unexpected ']' in address"],
  ['[a[]:1', "unexpected '[' in address"],
  ['[a]:1]', "unexpected ']' in address"],
] as const)
  test(`the address '${address}' has the problem: ${problem}`, (t) => {
    t.deepEqual(splitAddress(address), { problem: `address ${address}: ${problem}` });
  });

for (const [port, network, number] of [
  ['', 'tcp', 0],
  ['0', 'tcp', 0],
  ['65535', 'udp', 65_535],
  ['+80', 'tcp', 80],
  ['http', 'tcp', 80],
  ['https', 'tcp4', 443],
] as const)
  test(`the port '${port}' of ${network} is ${number}`, (t) => {
    t.deepEqual(portNumber(port, network), { number });
  });

for (const [port, network, problem] of [
  ['65536', 'tcp', 'address 65536: invalid port'],
  ['-1', 'tcp', 'address -1: invalid port'],
  ['http', 'udp', 'lookup udp/http: unknown port'],
  ['smtp', 'tcp', 'lookup tcp/smtp: unknown port'],
  ['7050a', 'tcp', 'lookup tcp/7050a: unknown port'],
] as const)
  test(`the port '${port}' of ${network} is invalid: ${problem}`, (t) => {
    t.deepEqual(portNumber(port, network), { problem });
  });

for (const [host, isAll] of [
  ['0.0.0.0', true],
  ['::', true],
  ['0:0:0:0:0:0:0:0', true],
  ['::FFFF:0.0.0.0', true],
  ['0', false],
  ['', false],
  ['::1', false],
  ['127.0.0.1', false],
] as const)
  test(`the host '${host}' ${isAll ? 'means' : 'does not mean'} all interfaces`, (t) => {
    t.is(isUnspecified(host), isAll);
  });
