// What other directories import: values, changes, certificates and policies in words, in Node and in browsers.

export { onOneLine } from '../../core/common/text/one-line.js';
export {
  certificateText,
  dayText,
  describeCertificate,
  nameText,
  summariseCertificate,
  type CertificateSummary,
} from './certificate.js';
export type { MspSummary } from './msp.js';
export { describeNeed, describePolicy, describeSet } from './policy.js';
export { describePrincipal, type NameIdentity } from './principal.js';
export type { Format, Style } from './style.js';
export { policyText, valueText } from './values.js';
