// The cost of a read without a framework: node:http, a pool of ten, the recorded statements of the same request, the same hash
// and comparison of the key, and an answer of the same bytes and headers. `ROUTES`: url to { queries, body, headers }.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';

pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const ROUTES = JSON.parse(readFileSync(process.env.ROUTES_FILE, 'utf8'));

createServer(async (request, response) => {
  const route = ROUTES[request.url];
  const secret = request.headers['ld-api-key'];
  if (!route || !secret) return response.writeHead(401).end();
  const [guard, ...queries] = route.queries;
  const caller = (await pool.query(guard)).rows[0];
  const hash = createHash('sha256').update(secret).digest();
  if (!caller || !timingSafeEqual(caller.secret_hash, hash)) return response.writeHead(403).end();
  if (!JSON.parse(caller.permissions).tenant.includes('deployment:read')) return response.writeHead(403).end();
  for (const query of queries) await pool.query(query);
  const text = JSON.stringify(route.body);
  response.writeHead(200, {
    'ld-request': randomBytes(16).toString('hex'),
    ...route.headers,
    'content-type': 'application/json; charset=utf-8',
    etag: `"${createHash('sha1').update(text).digest('base64url')}"`,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}).listen(Number(process.env.PORT), '127.0.0.1');
