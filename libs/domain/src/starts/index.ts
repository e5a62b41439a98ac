export * from './file-refusals.js';
export * from './launched.js';
export * from './listeners.js';
export * from './loopback-host.js';
export * from './start-causes.js';
export * from './start-refused.js';
export * from './release.js';
