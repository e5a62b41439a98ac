// B0: the cost of the same read without a framework: node:http, a pool of ten, the same statements, the same hash and
// comparison, the same bytes and headers.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { apiKeyId } from '../../../dist/libs/domain/src/index.js';
import '../../../dist/libs/persistence/src/platform/index.js';
import { detailRowOf } from '../../../dist/libs/persistence/src/organization/index.js';
import { statementText } from '../../../dist/libs/persistence/src/database.js';
import { toDetailView } from '../../../dist/apps/main-api/src/deployments/to-deployment-view.js';

pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const READ = { name: 'caller.resolve_with_deployment', text: statementText('caller.resolve_with_deployment') };
const HEADERS = JSON.parse(process.env.HEADERS);
const PATH = /^\/tenants\/(\d+)\/divisions\/(\d+)\/environments\/(\d+)\/deployments\/(\d+)$/;
const context = { baseDomain: 'landlord.local', upgradeCooldownSeconds: 900 };

createServer(async (request, response) => {
  const match = PATH.exec(request.url);
  const secret = request.headers['ld-api-key'];
  if (!match || !secret) return response.writeHead(401).end();
  const [, tenant, division, environment, deployment] = match.map(Number);
  const values = [[apiKeyId(secret)], [division], [environment], [deployment]];
  const caller = (await pool.query({ ...READ, values })).rows[0];
  const hash = createHash('sha256').update(secret).digest();
  const mayRead =
    caller &&
    timingSafeEqual(caller.secret_hash, hash) &&
    caller.tenant_id === tenant &&
    caller.deployment_id === deployment;
  if (!mayRead || !JSON.parse(caller.permissions).tenant.includes('deployment:read'))
    return response.writeHead(403).end();
  const text = JSON.stringify(toDetailView(detailRowOf(caller.deployment), context));
  response.writeHead(200, {
    'ld-request': randomBytes(16).toString('hex'),
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    etag: `"${createHash('sha1').update(text).digest('base64url')}"`,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}).listen(Number(process.env.PORT), '127.0.0.1');
