export * from './cloud-error.js';
export * from './cloud-provider.js';
export { findNatsServer, type BinaryHints } from './local/find-nats-server.js';
export { LocalProvider, type LocalProviderOptions } from './local/local-provider.js';
export { isPortFree } from './local/ports.js';
