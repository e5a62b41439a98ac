export * from './installation.js';
export * from './platform.module.js';
