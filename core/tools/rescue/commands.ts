// The commands of a plan, for a POSIX shell. All of them are run in one directory; its directory `rescue/` contains the new files.

import { shellWord } from '../../common/text/shell-word.js';
import type { StoredCertificate } from './node.js';

/** The directory of the new files. */
export const FOLDER = 'rescue';
/** The configuration of `openssl ca`, which can issue a certificate with a start in the past. */
const CA_FILE = `${FOLDER}/ca.cnf`;

/** The files of the certificate and of the private key of a CA, as words of the shell. */
export interface CaFiles {
  readonly certificate: string;
  readonly key: string;
}

/** The value of a shell variable. */
export const valueOf = (variable: string): string => `"$${variable}"`;

/** `20261125090000Z` */
const timeText = (time: number): string =>
  `${new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;

const YEAR = 365 * 86_400_000;

/** Writes the configuration for certificates with a start in the past; everything else comes from the request. */
export const caFileCommands = (): readonly string[] => [
  `touch ${FOLDER}/ca.txt`,
  `printf '%s\\n' '[ca]' 'default_ca = rescue' '[rescue]' 'database = ${FOLDER}/ca.txt' 'new_certs_dir = ${FOLDER}' 'rand_serial = yes' 'unique_subject = no' 'default_md = sha256' 'policy = any' 'copy_extensions = copyall' '[any]' 'commonName = optional' > ${CA_FILE}`,
];

/** A certificate to make. */
export interface NewCertificate {
  /** The name of its files in `rescue/`, without an extension. */
  readonly tag: string;
  readonly old: StoredCertificate;
  readonly ca: CaFiles;
  /** Whether it gets a new private key. */
  readonly hasNewKey: boolean;
  /** Its start, in milliseconds since the epoch; undefined: now. */
  readonly from: number | undefined;
}

export const certificateFile = ({ tag }: Pick<NewCertificate, 'tag'>): string => `${FOLDER}/${tag}.crt`;
const keyFile = ({ tag }: Pick<NewCertificate, 'tag'>): string => `${FOLDER}/${tag}.key`;

/**
 * Makes a certificate with the subject and the extensions of an old one. The request needs the private key, on the host of the node; the
 * certificate needs the key of the CA.
 *
 * @param now milliseconds since the epoch
 */
export function certificateCommands(wanted: NewCertificate, now: number): readonly string[] {
  const { tag, old, ca, hasNewKey, from } = wanted;
  const [first] = old.files;
  const { certificate, key } = first!;
  const request = `${FOLDER}/${tag}.csr`;
  const file = certificateFile(wanted);
  return [
    ...(hasNewKey
      ? [`openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ${shellWord(keyFile(wanted))}`]
      : []),
    `openssl x509 -x509toreq -in ${shellWord(certificate)} -signkey ${shellWord(hasNewKey ? keyFile(wanted) : key)} -copy_extensions copyall -out ${shellWord(request)}`,
    from === undefined
      ? `openssl x509 -req -in ${shellWord(request)} -CA ${ca.certificate} -CAkey ${ca.key} -set_serial 0x$(openssl rand -hex 16) -days 365 -copy_extensions copyall -out ${shellWord(file)}`
      : `openssl ca -batch -notext -preserveDN -config ${CA_FILE} -cert ${ca.certificate} -keyfile ${ca.key} -in ${shellWord(request)} -startdate ${timeText(from)} -enddate ${timeText(now + YEAR)} -out ${shellWord(file)}`,
    // The certificates of intermediate CAs stay the same.
    ...(old.hasChain
      ? [`awk '/BEGIN CERTIFICATE/ { count++ } count > 1' ${shellWord(certificate)} >> ${shellWord(file)}`]
      : []),
  ];
}

/** Renews the certificate of a CA that signs itself, with its subject, key and extensions. */
export const renewCaCommand = ({ certificate, key }: CaFiles, file: string): string =>
  `openssl x509 -in ${certificate} -signkey ${key} -days 3650 -out ${shellWord(file)}`;

/** An administrator: the id of the MSP, and the shell variable that names the MSP directory. */
export interface Administrator {
  readonly mspId: string;
  readonly variable: string;
}

/** How to reach an orderer. */
export interface Target {
  /** `host:port` */
  readonly address: string;
  readonly channel: string;
  /** The file with the CA of its TLS certificate, as a word of the shell. */
  readonly ca: string;
  /** Shift of TLS handshakes into the past, such as `90000s`; undefined: none. */
  readonly shift: string | undefined;
  /** The TLS certificate of the client, if it requires one. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
}

/**
 * Makes an update of a channel, and signs it after a review.
 *
 * @param edit the command and its arguments
 * @param folder the folder of the channel in the ledger of a node
 */
export const editCommands = (
  edit: string,
  folder: string,
  update: string,
  { mspId, variable }: Administrator,
): readonly string[] => [
  `configtxlator ${edit} -o ${shellWord(update)}`,
  `configtxlator sign ${shellWord(update)} --block ${shellWord(folder)} --msp ${valueOf(variable)} --mspid ${shellWord(mspId)} -o ${shellWord(update)}`,
];

/** Runs Fabric's peer program, because only this program can set TLS handshakes back. */
const peer = (
  command: string,
  { address, channel, ca, shift, client }: Target,
  { mspId, variable }: Administrator,
): string =>
  [
    `CORE_PEER_LOCALMSPID=${shellWord(mspId)} CORE_PEER_MSPCONFIGPATH=${valueOf(variable)}`,
    `peer channel ${command} -o ${shellWord(address)} -c ${shellWord(channel)} --tls --cafile ${ca}`,
    ...(client === undefined
      ? []
      : [`--clientauth --certfile ${shellWord(client.certificate)} --keyfile ${shellWord(client.key)}`]),
    ...(shift === undefined ? [] : [`--tlsHandshakeTimeShift ${shift}`]),
  ].join(' ');

/**
 * Sends an update to an orderer until it is in a ledger: there may be no leader yet, and a leader that is replaced loses the updates that it
 * has accepted.
 *
 * @param folder the folder of the channel in the ledger of a node
 */
export const submitCommand = (update: string, folder: string, target: Target, as: Administrator): string =>
  `until ${verifyCommand(update, folder)}; do ${peer(`update -f ${shellWord(update)}`, target, as)} || true; sleep 3; done`;

/** Fetches the newest block from an orderer, which does not respond without a leader. */
export const fetchCommand = (target: Target, as: Administrator): string =>
  peer(`fetch newest ${FOLDER}/newest.block`, target, as);

/** Whether an update is in the ledger of a node. @param folder the folder of the channel */
export const verifyCommand = (update: string, folder: string): string =>
  `configtxlator verify ${shellWord(update)} --block ${shellWord(folder)}`;
