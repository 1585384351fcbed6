// The tags (field number and wire type) of the fields of policies and principals.

import { BYTES, VARINT } from '../../proto/wire.js';
import { tagOf } from '../config/fields.js';

// common.MSPPrincipal
export const PRINCIPAL_CLASS = tagOf(1, VARINT);
export const PRINCIPAL_CONTENT = tagOf(2, BYTES);

// common.MSPRole, common.OrganizationUnit; msp.SerializedIdentity begins with the same field
export const MSPID = tagOf(1, BYTES);
export const ROLE = tagOf(2, VARINT);
export const UNIT = tagOf(2, BYTES);
export const CERTIFIERS = tagOf(3, BYTES);

// common.MSPIdentityAnonymity
export const ANONYMITY = tagOf(1, VARINT);

// common.CombinedPrincipal
export const COMBINED = tagOf(1, BYTES);

// common.SignaturePolicyEnvelope
export const ENVELOPE_VERSION = tagOf(1, VARINT);
export const ENVELOPE_RULE = tagOf(2, BYTES);
export const ENVELOPE_IDENTITY = tagOf(3, BYTES);

// common.SignaturePolicy
export const SIGNED_BY = tagOf(1, VARINT);
export const N_OUT_OF = tagOf(2, BYTES);

// common.SignaturePolicy.NOutOf
export const N = tagOf(1, VARINT);
export const RULE = tagOf(2, BYTES);

// common.ImplicitMetaPolicy
export const SUB_POLICY = tagOf(1, BYTES);
export const META_RULE = tagOf(2, VARINT);
