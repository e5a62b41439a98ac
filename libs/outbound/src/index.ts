export * from './address-policy.js';
export * from './destination.js';
export type { OutboundAnswer } from './exchange.js';
export * from './outbound-client.js';
export * from './outbound-error.js';
export * from './guarded-socket.js';
