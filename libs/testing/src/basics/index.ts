/** What a test needs without a database, an app or a cloud. */
export * from './clock.js';
export * from './environment.js';
export * from './eventually.js';
