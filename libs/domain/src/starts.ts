export * from './starts/file-refusals.js';
export * from './starts/listeners.js';
export * from './starts/start-causes.js';
export * from './starts/start-refused.js';
