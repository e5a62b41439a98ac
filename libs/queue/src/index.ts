export { isOff, type QueueOptions } from './bullmq-backend.js';
export * from './setup/index.js';
export * from './wake-up-queue.js';
export * from './queue.module.js';
export * from './wake-up-processor.js';
export { JobTimer, SilentJobTimer, type JobPeriod } from './job-timer.js';
