export { createTestDatabase, type TestDatabase } from './postgres/create-test-database.js';
