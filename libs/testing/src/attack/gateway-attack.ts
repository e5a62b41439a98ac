import { gzipSync } from 'node:zlib';
import { SeededRandom } from '../random/seeded-random.js';
import { HOSTILE_TEXTS, hostileValue, manyMembers, nestedText, pathsIn, replacedAt } from './hostile-values.js';
import type { PlayedNode, RawRequest } from './played-node.js';

/** A request and its name. */
export interface HostileRequest extends RawRequest {
  name: string;
}

export interface GatewayAttack {
  /** Nodes that send. Each waits for its answer before it sends again. */
  nodes: readonly PlayedNode[];
  seconds: number;
  seed: number;
}

export interface GatewayAttackReport {
  seed: number;
  requests: number;
  byStatus: Record<string, number>;
  /** Answers with 500 and above, with their requests. Must be empty. */
  faults: { name: string; status: number; path: string; body: string }[];
}

/** Sends hostile requests from nodes with credentials for `seconds`. The same seed sends the same requests. */
export async function attackGateway({ nodes, seconds, seed }: GatewayAttack): Promise<GatewayAttackReport> {
  const report: GatewayAttackReport = { seed, requests: 0, byStatus: {}, faults: [] };
  const until = Date.now() + seconds * 1000;
  await Promise.all(nodes.map((node, index) => attack(node, new SeededRandom(seed + index), until, report)));
  return report;
}

async function attack(
  node: PlayedNode,
  random: SeededRandom,
  until: number,
  report: GatewayAttackReport,
): Promise<void> {
  while (Date.now() < until) {
    const request = hostileRequest(node, random);
    // A cut connection during a request counts as an answer.
    const answer = await node.send(request).catch(() => null);
    const status = answer?.status ?? 'cut';
    report.requests += 1;
    report.byStatus[status] = (report.byStatus[status] ?? 0) + 1;
    await answer?.arrayBuffer().catch(() => null);
    if (typeof status !== 'number' || status < 500) continue;
    const { name, path, body = '' } = request;
    report.faults.push({ name, status, path, body: body.toString('utf8').slice(0, 500) });
  }
}

function hostileRequest(node: PlayedNode, random: SeededRandom): HostileRequest {
  const route = random.pick(protocolRoutes(node));
  const places = pathsIn(route.message).map((path) => path);
  const message = replacedAt(route.message, random.pick(places), hostileValue(random));
  const text = JSON.stringify(message) ?? 'null';
  const kinds = [
    () => route.packed(text),
    () => route.packed(text),
    () => route.packed(text.slice(0, Math.floor(random.between(0, text.length)))),
    () => Buffer.from(text, 'utf16le'),
  ];
  const queries = ['', '?wait=-1', '?timeline=1e99&since=%00', '?order=%ff&part=__proto__', '?wait=0&wait=1', '?%'];
  const query = route.method === 'POST' ? '' : random.pick(queries);
  const body = route.method === 'GET' ? {} : { body: random.pick(kinds)() };
  return { name: 'mutated', method: route.method, path: `${route.path}${query}`, ...body };
}

/** A route of the agent protocol. */
export interface ProtocolRoute {
  method: string;
  path: string;
  /** A valid message. Null for a route without a body. */
  message: unknown;
  /** Encodes the body as the route expects it. */
  packed: (text: string) => Buffer;
}

/** The routes of the agent protocol, each with a valid message of this node. */
export function protocolRoutes(node: PlayedNode): ProtocolRoute[] {
  const plain = (text: string): Buffer => Buffer.from(text);
  const register = { node_id: node.id, token: 't', credential_hash: '0'.repeat(64), agent_version: '0', boot_id: 'b' };
  const refused = { timeline: 1, generation: 1, hash: 'h', reason: 'r' };
  return [
    { method: 'POST', path: '/agent/v1/register', message: register, packed: plain },
    { method: 'POST', path: '/agent/v1/status', message: node.statusOf({ refused }), packed: plain },
    { method: 'POST', path: '/agent/v1/logs', message: node.batchOf(['one', 'two']), packed: (text) => gzipSync(text) },
    { method: 'GET', path: '/agent/v1/desired', message: null, packed: plain },
    { method: 'GET', path: '/agent/v1/objects', message: null, packed: plain },
    { method: 'PUT', path: '/agent/v1/objects', message: null, packed: plain },
  ];
}

/** The worst body of each kind, for each route with a body. Each must be refused with 400 or 413. */
export function worstRequests(node: PlayedNode): HostileRequest[] {
  return protocolRoutes(node)
    .filter(({ method }) => method === 'POST')
    .flatMap((route) => [...worstShapes(route), ...worstTexts(route)]);
}

function worstShapes({ path, message, packed }: ProtocolRoute): HostileRequest[] {
  const filled = { ...(message as object), ...manyMembers(100_000) };
  const shapes: Record<string, Buffer> = {
    'deep nesting': packed(nestedText(100_000)),
    'deep nesting in a member': packed(JSON.stringify(message).replace(/}$/, `,"stats":${nestedText(50_000)}}`)),
    '100,000 members': packed(JSON.stringify(filled)),
    '100,000 entries': packed(JSON.stringify(Array.from({ length: 100_000 }, () => 1))),
    '10 MB of zeros in gzip': gzipSync(Buffer.alloc(10 * 1024 * 1024)),
    '10 MB': Buffer.alloc(10 * 1024 * 1024, ' '),
    'no body': Buffer.alloc(0),
    'half a message': packed(JSON.stringify(message).slice(0, -1)),
    'bytes that are no UTF-8': packed(JSON.stringify(message)).subarray(3),
  };
  return Object.entries(shapes).map(([name, body]) => ({ name: `${name} at ${path}`, path, body }));
}

/** Each hostile text in each text member, and as a key. */
function worstTexts({ path, message, packed }: ProtocolRoute): HostileRequest[] {
  const places = pathsIn(message).filter((place) => place.length > 0 && isText(message, place));
  const members = places.flatMap((place) =>
    Object.entries(HOSTILE_TEXTS).map(([name, text]) => ({
      name: `${name} in ${place.join('.')} at ${path}`,
      path,
      body: packed(JSON.stringify(replacedAt(message, place, text))),
    })),
  );
  const keys = Object.entries(HOSTILE_TEXTS)
    .filter(() => path.endsWith('/status'))
    .map(([name, text]) => ({
      name: `${name} as the name of a gauge at ${path}`,
      path,
      body: packed(JSON.stringify(replacedAt(message, ['stats'], { [text]: 1 }))),
    }));
  return [...members, ...keys];
}

const isText = (message: unknown, place: (string | number)[]): boolean =>
  typeof place.reduce<unknown>((member, key) => (member as Record<string | number, unknown>)[key], message) ===
  'string';
