// Go type names of messages, as errors of Fabric's configtxlator show them.

import { fileOf } from './registry.js';

/** Go packages whose name is not that of the proto package, by message or proto package. */
const GO_PACKAGES: ReadonlyMap<string, string> = new Map([
  ['orderer.smartbft', 'smartbft'],
  ['protos', 'peer'],
  ['google.protobuf.Timestamp', 'timestamppb'],
  ['google.protobuf.Duration', 'durationpb'],
  ['google.protobuf.Empty', 'emptypb'],
  ['google.protobuf.Any', 'anypb'],
  ['google.rpc', 'status'],
  ['grpc.binarylog.v1', 'grpc_binarylog_v1'],
]);

/** `*common.SignaturePolicy_NOutOf` for `common.SignaturePolicy.NOutOf`. */
export function goTypeOf(message: string): string {
  // Packages are lower case, message names begin with a capital letter.
  const parts = message.split('.');
  const first = parts.findIndex((part) => /^[A-Z]/.test(part));
  const packageName = parts.slice(0, first).join('.');
  const goPackage =
    fileOf(message) === 'msp/msp_principal.proto'
      ? 'msp'
      : (GO_PACKAGES.get(message) ?? GO_PACKAGES.get(packageName) ?? packageName);
  return `*${goPackage}.${parts.slice(first).join('_')}`;
}
