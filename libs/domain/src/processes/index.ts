export * from './growing-pause.js';
export * from './log-lines.js';
