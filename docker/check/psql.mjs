// Replaces psql in docker/check.sh: runs the statements of standard input one by one.
import { text } from 'node:stream/consumers';
import pg from 'pg';

const client = new pg.Client({ connectionString: process.env.PSQL_URL });
await client.connect();
// The embedded server has a database with this name already.
await client.query('drop database if exists landlord with (force)');
for (const statement of (await text(process.stdin)).split(/;\n/).filter((part) => part.trim()))
  await client.query(statement);
await client.end();
