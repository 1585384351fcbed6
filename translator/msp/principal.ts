// The principals of signature policies, which describe the required signers.

/**
 * A `common.MSPPrincipal` as a typed value.
 *
 * - `role`: an identity of an MSP with a role
 * - `ou`: an identity of an MSP with an organisational unit; the certifiers identifier is the hash of its CAs, and is never empty in an
 *   identity
 * - `identity`: one identity; the bytes are a `msp.SerializedIdentity`
 * - `anonymity`: Fabric's nominal or anonymous identities; every identity is nominal
 * - `combined`: an identity that satisfies all of the principals
 * - `unknown`: a principal of an unknown classification or role, or with unreadable bytes; no identity satisfies it
 */
export type Principal =
  | {
      readonly kind: 'role';
      readonly mspid: string;
      readonly role: 'member' | 'admin' | 'client' | 'peer' | 'orderer';
    }
  | {
      readonly kind: 'ou';
      readonly mspid: string;
      readonly unit: string;
      readonly certifiersIdentifier: Uint8Array;
    }
  | { readonly kind: 'identity'; readonly identity: Uint8Array }
  | { readonly kind: 'anonymity'; readonly type: 'nominal' | 'anonymous' }
  | { readonly kind: 'combined'; readonly principals: readonly Principal[] }
  | { readonly kind: 'unknown'; readonly classification: number };
