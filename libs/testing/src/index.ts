import './matchers/to-be-problem.js';

export * from './cloud/api-client.js';
export * from './cloud/app-process.js';
export * from './cloud/free-ports.js';
export * from './cloud/event-stream.js';
export * from './cloud/given.js';
export * from './cloud/load-balancer.js';
export * from './cloud/node-processes.js';
export * from './cloud/test-cloud.js';
export * from './eventually.js';
export * from './fake-cloud.js';
export * from './nats-server.js';
export * from './redis/own-redis.js';
export * from './workflow/step-suites.js';
export * from './workflow/workflow-bench.js';
export { createTestDatabase, type TestDatabase } from './postgres/create-test-database.js';
