// Brings the database at DATABASE_URL to this checkout's schema, by its build. Run by the tests of another release
// (libs/testing/src/postgres/migrate-test-schema.ts): the path and the two variables of this script are a contract with
// every release that may be tested against this one.
import { appendFileSync } from 'node:fs';
import { migrate, MIGRATIONS } from '../../dist/libs/persistence/src/migrations/index.js';
import { migrateQueue } from '../../dist/libs/queue/src/index.js';

const { DATABASE_URL, LANDLORD_TEST_SCHEMA_LOG } = process.env;

await migrate(DATABASE_URL, migrateQueue);
// `npm run compat` believes no run that did not come by here.
if (LANDLORD_TEST_SCHEMA_LOG) appendFileSync(LANDLORD_TEST_SCHEMA_LOG, `${new (MIGRATIONS.at(-1))().name}\n`);
process.exit(0);
