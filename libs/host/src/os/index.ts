/** This machine's operating system, for programs that run on it: processes, private files, locks, waiting, logs. */
export * from './semaphore.js';
export * from './end-processes.js';
export * from './file-lock.js';
export * from './host-error.js';
export * from './log-file.js';
export * from './log-follower.js';
export * from './mutex.js';
export * from './ports.js';
export * from './private-file.js';
export * from './process-table.js';
export * from './until.js';
