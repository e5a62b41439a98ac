// What a start does with the queue before the apps run. It loads no framework.
export { askRedis } from './ask-redis.js';
export { checkQueue } from './check-queue.js';
export { migrateQueue } from './migrate-queue.js';
