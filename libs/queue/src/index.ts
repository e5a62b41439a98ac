export { isOff, migrateQueue, type QueueOptions } from './bullmq-backend.js';
export { askRedis } from './ask-redis.js';
export { checkQueue } from './check-queue.js';
export * from './wake-up-queue.js';
export * from './queue.module.js';
export * from './wake-up-processor.js';
export { JobTimer, SilentJobTimer, type JobTick } from './job-timer.js';
