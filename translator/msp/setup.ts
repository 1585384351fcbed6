// Sets up an MSP from its configuration (msp/mspimplsetup.go). Fabric stops at the first fault; this module lists all faults that do not
// follow from another one.

import { is, requireTypes } from '../../proto/arguments.js';
import { createYielder } from '../../core/common/flow/yielder.js';
import { printedBytes, sameBytes, toLatin1 } from '../../proto/bytes.js';
import { FABRIC_3_0, type GoVersion, type Program } from './releases.js';
import { certificateIn, readPemCertificate, type Certificate } from './certificate.js';
import {
  NODE_ROLES,
  hashOf,
  isAtLeast,
  readMspConfig,
  type Hash,
  type MspConfig,
  type MspVersion,
  type NodeRole,
  type UnitConfig,
} from './config.js';
import type { Chain } from './chain.js';
import { readRevocationList, type RevocationList } from './crl.js';
import { TranslateError, attempt, withPrefix } from '../../proto/errors.js';
import type { Identity, MspRules, Unit } from './identity.js';
import { Msp, chainIdentifier, makeIdentity } from './msp.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { privateKeyError } from './private-key.js';
import { importError } from './public-key.js';
import { MAX_WORK, workOf } from './set-up-work.js';
import { revocationOf, sanitize, subjectKeyIdOf, uniqueChain, validationChain, type Trust } from './trust.js';

/** An MSP, or the faults of its configuration. */
export type MspSetup =
  | {
      readonly msp: Msp;
      readonly faults: readonly [];
      readonly isJudged: true;
      readonly lacksAdmins: false;
    }
  | {
      readonly msp?: undefined;
      readonly faults: readonly [string, ...string[]];
      /** False if judging it takes too much work, which the fault names; it is unknown whether Fabric would set it up. */
      readonly isJudged: boolean;
      /** Whether the first fault is that the MSP has no administrators. */
      readonly lacksAdmins: boolean;
    };

const NO_ADMINS = 'administrators must be declared when no admin ou classification is set';

/** A certificate takes about a millisecond. */
const yieldIfDue = createYielder(1);

class Faults {
  readonly list: string[] = [];
  #work = 0;
  #notJudged: string | undefined;

  async attempt<Result>(call: () => Promise<Result> | Result): Promise<Result | undefined> {
    return attempt(
      async () => call(),
      ({ message }) => {
        this.add(message);
        return undefined;
      },
    );
  }

  /** The reason if the MSP is not judged; undefined if it is judged. */
  get notJudged(): string | undefined {
    return this.#notJudged;
  }

  /** Whether the certificates can be verified with the CAs within the maximum work. */
  canVerify(certificates: readonly Certificate[], trust: Pick<Trust, 'roots' | 'intermediates'>): boolean {
    this.#work += workOf(certificates, trust);
    if (this.#work > MAX_WORK)
      this.#notJudged = `the MSP is not judged: verifying its certificates could take ${this.#work} signature verifications, more than the limit of ${MAX_WORK}`;
    return this.#notJudged === undefined;
  }

  add(fault: string | undefined): void {
    if (fault !== undefined && !this.list.includes(fault)) this.list.push(fault);
  }
}

/**
 * Sets up an MSP from a serialized `msp.FabricMSPConfig`. Certificates are verified at their own start, so an expired CA is not a fault.
 *
 * @param version the version of the rules, from the capabilities of the channel
 * @param program the program with the rules to apply
 * @returns the MSP, or the faults with Fabric's texts: those that Fabric finds first come first
 */
export async function setupMsp(
  config: Uint8Array,
  version: MspVersion,
  program: Program = FABRIC_3_0,
): Promise<MspSetup> {
  requireTypes({ config }, { config: is.bytes });
  const faults = new Faults();
  const read = await faults.attempt(() =>
    withPrefix('failed unmarshalling fabric msp config', () => readMspConfig(config)),
  );
  const msp = read === undefined ? undefined : await setup(read, version, program, faults);
  const [first, ...others] = faults.list;
  if (first !== undefined)
    return { faults: [first, ...others], isJudged: true, lacksAdmins: first === NO_ADMINS };
  if (faults.notJudged !== undefined)
    return { faults: [faults.notJudged], isJudged: false, lacksAdmins: false };
  return { msp: msp!, faults: [], isJudged: true, lacksAdmins: false };
}

async function setup(
  config: MspConfig,
  version: MspVersion,
  program: Program,
  faults: Faults,
): Promise<Msp | undefined> {
  const hash = hashOf(config.identifierHash);
  if (hash === undefined)
    faults.add(
      `failed getting hash function options: hash function not recognized [${config.identifierHash}]`,
    );
  faults.add(await keyFault(config, program));
  const trust = await setupTrust(config, program.go, faults);
  if (trust !== undefined) faults.add(await signingIdentityFault(config, program));
  const tls = await setupTls(config, trust?.revocationLists ?? [], program.go, faults);
  if (hash === undefined || trust === undefined || tls === undefined) return undefined;
  const rules = await setupRules(config, version, program, trust, hash, faults);
  const admins = await setupAdmins(config, rules, trust, hash, faults);
  return new Msp({ ...rules, admins }, trust, tls, hash);
}

/** `getSigningIdentityFromConf` in an orderer, which does not have the key in its keystore. */
async function signingIdentityFault(
  { signingIdentity }: MspConfig,
  { fabric, go }: Program,
): Promise<string | undefined> {
  if (signingIdentity === undefined) return undefined;
  const { certificate, key } = signingIdentity;
  const faults = new Faults();
  await faults.attempt(() => readOwnPem(certificate, go));
  if (key.length === 0) faults.add('KeyMaterial not found in SigningIdentityInfo');
  else {
    const block = decodePem(key);
    const error = block === undefined ? undefined : privateKeyError(block.bytes, fabric);
    if (block === undefined) faults.add('…: wrong PEM encoding');
    else if (error !== undefined)
      faults.add(`getIdentityFromBytes error: Failed to import EC private key: ${error}`);
  }
  return faults.list[0];
}

/** Checks for keys that the program cannot import. Keys of TLS CAs are not checked. */
async function keyFault(
  { roots, intermediates, admins }: MspConfig,
  { fabric, go }: Program,
): Promise<string | undefined> {
  for (const pem of [...roots, ...intermediates, ...admins]) {
    // Yields before the first certificate, because all MSPs of a channel are set up at once.
    await yieldIfDue();
    const certificate = certificateIn(pem, go);
    const error = certificate === undefined ? undefined : importError(certificate.publicKey, fabric);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** `setupCAs`, `setupCRLs` and `finalizeSetupCAs` */
async function setupTrust(config: MspConfig, go: GoVersion, faults: Faults): Promise<Trust | undefined> {
  const before = faults.list.length;
  if (config.roots.length === 0) faults.add('expected at least one CA certificate');
  const roots = await readAll(config.roots, go, faults);
  const intermediates = await readAll(config.intermediates, go, faults);
  const given = { roots, intermediates };
  if (!faults.canVerify([...roots, ...intermediates], given)) return undefined;
  const sanitizeAll = async (certificates: readonly Certificate[]): Promise<readonly Certificate[]> => {
    const clean: Certificate[] = [];
    for (const each of certificates) {
      const found = await faults.attempt(() => sanitize(each, given));
      if (found !== undefined) clean.push(found);
      await yieldIfDue();
    }
    return clean;
  };
  const clean = { roots: await sanitizeAll(roots), intermediates: await sanitizeAll(intermediates) };
  const isReadable = faults.list.length === before;
  const revocationLists: RevocationList[] = [];
  for (const list of config.revocationLists) {
    const found = await faults.attempt(() =>
      withPrefix('could not parse RevocationList', () => readRevocationList(list)),
    );
    if (found !== undefined) revocationLists.push(found);
    await yieldIfDue();
  }
  if (!isReadable) return undefined;
  const chains: Chain[] = [];
  for (const each of [...clean.roots, ...clean.intermediates]) {
    const chain = await faults.attempt(() => checkCa(each, clean, revocationLists));
    if (chain !== undefined) chains.push(chain);
    await yieldIfDue();
  }
  if (faults.list.length > before) return undefined;
  // The CAs above the intermediate ones.
  const innerNodes = [...new Set(chains.slice(clean.roots.length).flatMap((chain) => chain.slice(1)))];
  return { ...clean, revocationLists, innerNodes };
}

/** Returns the chain of a CA. @throws TranslateError with Fabric's text if a certificate cannot be a CA of an MSP */
async function checkCa(
  certificate: Certificate,
  trust: Pick<Trust, 'roots' | 'intermediates'>,
  lists: readonly RevocationList[],
): Promise<Chain> {
  const { serial, extensions } = certificate;
  if (!extensions.isCa)
    throw new TranslateError(
      'BAD_MSP',
      `CA Certificate did not have the CA attribute, (SN: ${serial.toString(16)})`,
    );
  const keyId = subjectKeyIdOf(certificate);
  if (typeof keyId === 'string')
    throw new TranslateError(
      'BAD_MSP',
      `CA Certificate problem with Subject Key Identifier extension, (SN: ${serial.toString(16)}): ${keyId}`,
    );
  const prefix = `CA Certificate is not valid, (SN: ${serial})`;
  const chain = await asBadMsp(
    ({ message }) => `${prefix}: could not obtain certification chain: ${message}`,
    async () => uniqueChain(certificate, trust),
  );
  const revocation = chain.length === 1 ? undefined : await revocationOf(chain, lists);
  if (revocation !== undefined) throw new TranslateError('BAD_MSP', `${prefix}: ${revocation.text}`);
  return chain;
}

/** `setupTLSCAs` */
async function setupTls(
  config: MspConfig,
  lists: readonly RevocationList[],
  go: GoVersion,
  faults: Faults,
): Promise<Pick<Trust, 'roots' | 'intermediates'> | undefined> {
  const before = faults.list.length;
  const tls = {
    roots: await readAll(config.tlsRoots, go, faults),
    intermediates: await readAll(config.tlsIntermediates, go, faults),
  };
  if (faults.list.length > before) return undefined;
  const cas = [...tls.roots, ...tls.intermediates];
  if (!faults.canVerify(cas, tls)) return undefined;
  for (const each of cas) {
    await faults.attempt(() => checkCa(each, tls, lists));
    await yieldIfDue();
  }
  return faults.list.length > before ? undefined : tls;
}

async function readAll(
  pems: readonly Uint8Array[],
  go: GoVersion,
  faults: Faults,
): Promise<readonly Certificate[]> {
  const certificates: Certificate[] = [];
  for (const pem of pems) {
    const certificate = await faults.attempt(() => readPem(pem, go));
    if (certificate !== undefined) certificates.push(certificate);
    await yieldIfDue();
  }
  return certificates;
}

/**
 * The certificate of a field that is not in a list: Go reads an empty one as nil, an empty entry of a list as an empty slice.
 *
 * @throws TranslateError with the text of Fabric's `getCertFromPem`
 */
function readOwnPem(pem: Uint8Array, go: GoVersion): Certificate {
  if (pem.length === 0) throw new TranslateError('BAD_MSP', 'getCertFromPem error: nil idBytes');
  return readPem(pem, go);
}

/** @throws TranslateError with the text of Fabric's `getCertFromPem` */
function readPem(pem: Uint8Array, go: GoVersion): Certificate {
  const certificate = withPrefix('getCertFromPem error: failed to parse x509 cert', () =>
    readPemCertificate(pem, go),
  );
  if (certificate !== undefined) return certificate;
  throw new TranslateError(
    'BAD_MSP',
    `getCertFromPem error: could not decode pem bytes [${printedBytes(pem)}]`,
  );
}

/** `setupOUs`, `setupNodeOUs` and `setupNodeOUsV142` */
async function setupRules(
  config: MspConfig,
  version: MspVersion,
  program: Program,
  trust: Trust,
  hash: Hash,
  faults: Faults,
): Promise<MspRules> {
  const requiredUnits: Unit[] = [];
  const identifiers = new Map<string, Promise<Uint8Array>>();
  for (const unit of config.units) {
    // Many units can have the same CA.
    const key = toLatin1(unit.certificate);
    const made = identifiers.get(key) ?? certifiersIdentifier(unit, program.go, trust, hash);
    identifiers.set(key, made);
    const identifier = await faults.attempt(() =>
      asBadMsp(
        ({ message }) => `failed getting certificate for [${printedUnit(unit)}]: ${message}`,
        () => made,
      ),
    );
    await yieldIfDue();
    if (identifier !== undefined) requiredUnits.push({ unit: unit.unit, certifiersIdentifier: identifier });
  }
  const nodeOus = await setupNodeOus(config, version, program.go, trust, hash, faults);
  const isOld = !isAtLeast(version, 'V1_4_3');
  return {
    name: config.name,
    program,
    version,
    hashFamily: config.hashFamily,
    admins: [],
    requiredUnits,
    hasNodeOus: version !== 'V1_0' && config.nodeOus?.isEnabled === true && (isOld || nodeOus.size > 0),
    nodeOus,
  };
}

async function setupNodeOus(
  { nodeOus }: MspConfig,
  version: MspVersion,
  go: GoVersion,
  trust: Trust,
  hash: Hash,
  faults: Faults,
): Promise<ReadonlyMap<NodeRole, Unit>> {
  const units = new Map<NodeRole, Unit>();
  if (nodeOus === undefined || version === 'V1_0') return units;
  const isOld = !isAtLeast(version, 'V1_4_3');
  for (const role of isOld ? (['client', 'peer'] as const) : NODE_ROLES) {
    const config = nodeOus.roles.get(role);
    if (isOld && (config?.unit ?? '') === '')
      faults.add(
        `Failed setting up NodeOUs. ${role === 'client' ? 'Client' : 'Peer'}OU must be different from nil.`,
      );
    if (config === undefined) continue;
    const isAnyCa = config.certificate.length === 0;
    const identifier = isAnyCa
      ? new Uint8Array()
      : await faults.attempt(() => certifiersIdentifier(config, go, trust, hash));
    if (identifier !== undefined) units.set(role, { unit: config.unit, certifiersIdentifier: identifier });
  }
  return units;
}

/** Runs a step of the setup and replaces the text of its errors. */
const asBadMsp = <Result>(text: (error: TranslateError) => string, call: () => Result): Result =>
  attempt(call, (error): never => {
    throw new TranslateError('BAD_MSP', text(error));
  });

/** `getCertifiersIdentifier` */
async function certifiersIdentifier(
  { certificate: pem }: UnitConfig,
  go: GoVersion,
  trust: Trust,
  hash: Hash,
): Promise<Uint8Array> {
  const certificate = asBadMsp(
    ({ message }) => `Failed getting certificate for [${printedBytes(pem)}]: [${message}]`,
    () => readOwnPem(pem, go),
  );
  const clean = await asBadMsp(
    ({ message }) => `sanitizeCert failed ${message}`,
    async () => sanitize(certificate, trust),
  );
  const isAmong = (list: readonly Certificate[]): boolean =>
    list.some(({ raw }) => sameBytes(raw, clean.raw));
  if (isAmong(trust.roots)) return chainIdentifier([clean], hash);
  // Go prints all fields of the certificate, the first of which is the DER.
  const printed = `&{${printedBytes(clean.raw)} …}`;
  if (!isAmong(trust.intermediates))
    throw new TranslateError(
      'BAD_MSP',
      `Failed adding OU. Certificate [${printed}] not in root or intermediate certs.`,
    );
  const chain = await asBadMsp(
    ({ message }) => `Failed computing validation chain for [${printed}]. [${message}]`,
    async () => validationChain(clean, trust, true),
  );
  return chainIdentifier(chain, hash);
}

/** A `FabricOUIdentifier` as Go prints it. */
function printedUnit({ certificate, unit }: UnitConfig): string {
  const text = new TextDecoder().decode(certificate);
  const parts = [
    ...(text === '' ? [] : [`certificate:${JSON.stringify(text)}`]),
    ...(unit === '' ? [] : [`organizational_unit_identifier:${JSON.stringify(unit)}`]),
  ];
  return parts.join(' ');
}

/** `setupAdmins` and `postSetup`; returns the DER of the admins' certificates. */
async function setupAdmins(
  config: MspConfig,
  rules: MspRules,
  trust: Trust,
  hash: Hash,
  faults: Faults,
): Promise<readonly Uint8Array[]> {
  const admins: Identity[] = [];
  const { go } = rules.program;
  const readable: Certificate[] = [];
  for (const pem of config.admins) {
    const certificate = certificateIn(pem, go);
    if (certificate !== undefined) readable.push(certificate);
    await yieldIfDue();
  }
  if (!faults.canVerify(readable, trust)) return [];
  for (const pem of config.admins) {
    const admin = await faults.attempt(() => makeIdentity(readPem(pem, go), rules, trust, hash));
    if (admin !== undefined) admins.push(admin);
    await yieldIfDue();
  }
  const isNew = isAtLeast(rules.version, 'V1_4_3');
  if (isNew && config.admins.length === 0 && !(rules.hasNodeOus && rules.nodeOus.has('admin')))
    faults.add(NO_ADMINS);
  for (const [index, admin] of admins.entries()) {
    const reason = adminError(admin, rules);
    if (reason !== undefined) faults.add(`admin ${index} is invalid${reason}`);
  }
  return admins.map(({ certificate }) => certificate.raw);
}

/** `postSetupV1`, `postSetupV11` and `postSetupV142` */
function adminError(admin: Identity, { name, version, hasNodeOus }: MspRules): string | undefined {
  if (!hasNodeOus) return admin.validationError === undefined ? undefined : `: ${admin.validationError}`;
  if (!isAtLeast(version, 'V1_4_3')) {
    const reason = admin.principalError({ kind: 'role', mspid: name, role: 'client' });
    return reason === undefined ? undefined : `: ${reason}`;
  }
  const [client, other] = [admin.nodeOuError('client'), admin.nodeOuError('admin')];
  return client !== undefined && other !== undefined ? ` [${client},${other}]` : undefined;
}
