// Deliveries: a worker of the main API with fifty webhook channels, each with the same number of due deliveries, until
// all are recorded as delivered. The baseline is a bare loop that signs and posts the same bodies to the same receiver
// with the same concurrency.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMicroseconds, round, stealShare, summary, verdict } from '../measure.mjs';
import { profile, profiled } from '../profile/profile.mjs';
import { freePort } from '../free-port.mjs';
import { webhookBody } from '../../../dist/apps/main-api/src/channels/delivery/webhook-message.js';
import { selfSigned } from '../self-signed.mjs';

const CHANNELS = 50;
/** Due deliveries per channel in a slice. */
const EVENTS = 100;
const TARGET = 0.5;
const DEADLINE_MS = 120_000;
const LOOK_MS = 5;
/** Slices of each side before the first measured one: they open connections, and V8 compiles the code. */
const WARM_SLICES = 5;
const PROFILED_SLICES = 4;

export async function benchDeliveries(world, rounds, { profile: isProfiled }) {
  const { cert, key } = await selfSigned();
  const ca = join(world.dataDir, 'receiver.pem');
  writeFileSync(ca, cert);
  const receiver = openProcess('receiver.mjs');
  const bare = openProcess('bare-sender.mjs', { NODE_EXTRA_CA_CERTS: ca });
  try {
    const { port } = await ask(receiver, { cert, key });
    const worker = await startWorker(world, ca, isProfiled);
    const channels = await openChannels(world, worker.url, port);
    const byProduct = () => slice(receiver, worker.child.pid, () => deliver(world.sql, channels));
    const byHand = () =>
      slice(receiver, bare.pid, async () => (await ask(bare, await bodiesOf(world.sql, channels))).ms);
    for (let n = 0; n < WARM_SLICES; n += 1) for (const warm of [byProduct, byHand]) await warm();
    const steal = stealShare().now;
    const samples = [];
    for (let n = 0; n < rounds; n += 1) {
      const sample = {};
      for (const [name, run] of n % 2
        ? [
            ['product', byProduct],
            ['bare', byHand],
          ]
        : [
            ['bare', byHand],
            ['product', byProduct],
          ])
        sample[name] = await run();
      samples.push(sample);
    }
    const { share } = stealShare(steal);
    const owners = isProfiled && (await profileOf(worker, world, byProduct));
    return { ...report(samples, share), ...(owners && { profile: owners }) };
  } finally {
    receiver.kill('SIGKILL');
    bare.kill('SIGKILL');
  }
}

function report(samples, share) {
  const ratio = summary(samples.map(({ product, bare }) => product.perSecond / bare.perSecond));
  const of = (name, figure) => summary(samples.map((sample) => sample[name][figure])).median;
  return {
    rows: [
      { name: 'deliveries/s by a bare loop that signs', ...ratio, target: TARGET, verdict: verdict(ratio, TARGET) },
    ],
    detail: {
      deliveries_per_second: round(of('product', 'perSecond'), 0),
      bare_per_second: round(of('bare', 'perSecond'), 0),
      cpu_us_per_delivery: round(of('product', 'cpu'), 0),
      bare_cpu_us_per_delivery: round(of('bare', 'cpu'), 0),
    },
    steal_share: round(share, 4),
  };
}

/** Runs one slice of one side; every delivery must arrive exactly once. */
async function slice(receiver, pid, run) {
  await ask(receiver, {});
  const before = cpuMicroseconds(pid);
  const ms = await run();
  const cpu = (cpuMicroseconds(pid) - before) / (CHANNELS * EVENTS);
  const { taken } = await ask(receiver, {});
  if (taken !== CHANNELS * EVENTS) throw new Error(`${taken} requests for ${CHANNELS * EVENTS} deliveries`);
  return { perSecond: (CHANNELS * EVENTS * 1000) / ms, cpu };
}

/**
 * Makes this many deliveries due for every channel, wakes the worker, and waits until no channel queue is due or
 * leased. Returns the time in ms.
 */
async function deliver(sql, channels) {
  const ids = channels.map(({ id }) => id);
  await sql.query(DUE, [ids, EVENTS]);
  await sql.query(WAKE, [ids, EVENTS]);
  const begun = performance.now();
  await sql.query(`select pg_notify('landlord_deliveries', '')`);
  for (;;) {
    const { rows } = await sql.query({ name: 'open', text: OPEN });
    if (rows.length === 0) return performance.now() - begun;
    if (performance.now() - begun > DEADLINE_MS) throw new Error(await stuck(sql));
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}

/** The open rows when deliveries no longer progress. */
async function stuck(sql) {
  const { rows: lanes } = await sql.query(OPEN.replace('select', 'select *'));
  const { rows: deliveries } = await sql.query(STUCK);
  return `the worker does not deliver: ${JSON.stringify({ lanes, deliveries })}`;
}

/** The bodies that the product sent last, for the other side to send. */
async function bodiesOf(sql, channels) {
  const { rows } = await sql.query(LAST, [channels.map(({ id }) => id), EVENTS]);
  const bodies = new Map(channels.map(({ id }) => [id, []]));
  for (const row of rows) bodies.get(row.channelId).push({ id: row.messageId, body: webhookBody(row) });
  return {
    channels: channels.map(({ id, url, secret }) => ({ url, secret, bodies: bodies.get(id) })),
  };
}

/** Where the worker spends the time of a delivery. */
const profileOf = ({ child }, { dataDir }, byProduct) =>
  profile(child, dataDir, async () => {
    for (let n = 0; n < PROFILED_SLICES; n += 1) await byProduct();
    return PROFILED_SLICES * CHANNELS * EVENTS;
  });

async function startWorker(world, ca, isProfiled) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await world.serve(
    'dist/apps/main-api/src/main.js',
    {
      DATABASE_URL: world.installation.role_urls.main_api,
      MAIN_API_PORT: String(port),
      LANDLORD_SECRET_KEYS: world.secretKeys,
      LANDLORD_DATA_DIR: world.dataDir,
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      QUEUE_URL: 'off',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      NODE_EXTRA_CA_CERTS: ca,
      ...(isProfiled && profiled(world.dataDir)),
    },
    `${url}/health/ready`,
  );
  return { url, child };
}

async function openChannels({ installation }, api, port) {
  const channels = [];
  for (let number = 0; number < CHANNELS; number += 1) {
    const url = `https://127.0.0.1:${port}/channel-${number}`;
    const response = await fetch(`${api}/tenants/${installation.tenant_id}/channels`, {
      method: 'POST',
      headers: { 'ld-api-key': installation.api_key, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'webhook', name: `channel ${number}`, destination: url }),
    });
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    const { id, secret } = await response.json();
    channels.push({ id, secret, url });
  }
  return channels;
}

function openProcess(file, env = {}) {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { env: { PATH: process.env.PATH, ...env } });
}

async function ask(child, message) {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
}

const DUE = `insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, division_id, environment_id,
    deployment_id, subject, content, data, event_at)
  select l.channel_id, l.last_sequence + n, gen_random_uuid(), 'node_unreachable', c.tenant_id, 2, 3, 4, 'Node n1 of orders is unreachable',
         E'Deployment: orders (id 4)\\nEnvironment: production (id 3)\\nDivision: Payments (id 2)\\nNode id: 7',
         '{"node_id": 7, "name": "n1", "unreachable_since": "2026-01-31T12:00:00.000Z"}', now()
    from notification_lanes l join notification_channels c on c.id = l.channel_id, generate_series(1, $2::int) n
   where l.channel_id = any($1)
   order by n, l.channel_id`;
const WAKE = `update notification_lanes set last_sequence = last_sequence + $2::int, signal_seq = signal_seq + 1, due_at = now()
   where channel_id = any($1)`;
const OPEN = 'select from notification_lanes where due_at is not null or leased_until is not null limit 1';
const STUCK = `select status, attempts, count(*), max(log::text) as log from notification_deliveries group by 1, 2`;
const LAST = `select d.channel_id::int as "channelId", d.sequence::int, message_id as "messageId", message_type as "messageType",
    tenant_id::int as "tenantId", division_id::int as "divisionId", environment_id::int as "environmentId",
    deployment_id::int as "deploymentId", subject, content, data, event_at as "eventAt"
  from notification_lanes l join notification_deliveries d on d.channel_id = l.channel_id and d.sequence > l.last_sequence - $2::int
 where l.channel_id = any($1)
 order by d.sequence`;
