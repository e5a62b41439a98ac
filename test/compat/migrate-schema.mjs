// Migrates the database at DATABASE_URL to the schema of this checkout, with its build. The tests of another release
// run this script (libs/testing/src/postgres/migrate-test-schema.ts). Its path and its two variables are a contract
// with every release that may be tested against this one.
import { appendFileSync } from 'node:fs';
import { migrate, MIGRATIONS } from '../../dist/libs/persistence/src/migrations/index.js';
import { migrateQueue } from '../../dist/libs/queue/src/index.js';

const { DATABASE_URL, LANDLORD_TEST_SCHEMA_LOG } = process.env;

await migrate(DATABASE_URL, migrateQueue);
// `npm run compat` requires this line in the log as evidence that the run used this schema.
if (LANDLORD_TEST_SCHEMA_LOG) appendFileSync(LANDLORD_TEST_SCHEMA_LOG, `${new (MIGRATIONS.at(-1))().name}\n`);
process.exit(0);
