export * from './author-of.js';
export * from './changes-of.js';
export * from './platform.module.js';
export * from './require-held.js';
export * from './tenant-wide.js';
