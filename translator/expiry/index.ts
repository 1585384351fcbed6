// The public parts of this directory: when the certificates and revocation lists of channels and files expire, and how to renew them.

export { certificatesInChannel } from './channel.js';
export { certificatesInFile } from './file.js';
export { type Expiry, type ExpiryReport, type Found, type Unreadable, expiryReport } from './expiry.js';
export { expiryDocument } from './document.js';
