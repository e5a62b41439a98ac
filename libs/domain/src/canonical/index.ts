export * from './cron.js';
export * from './mailbox.js';
export * from './name.js';
export * from './peer-network.js';
export { canonicalRange, readIpv4Network, readRange, type ReadRange } from './range.js';
