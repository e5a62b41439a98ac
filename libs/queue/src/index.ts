export { isOff, migrateQueue, type QueueOptions } from './bullmq-backend.js';
export * from './doorbell.js';
export * from './queue.module.js';
export * from './ring-processor.js';
export { ScheduleBell, SilentScheduleBell, type Beat } from './schedule-bell.js';
