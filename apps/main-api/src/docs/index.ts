export * from './docs.module.js';
