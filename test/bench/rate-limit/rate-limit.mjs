// Rate limit: the real time of 10 MB of QoS 1 messages into one embedded broker with the rate of the Free tier. The
// pair: the same broker without a rate, as in paid tiers, and with a rate that is never reached.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { brokerRuntimeOf } from '../../../dist/libs/host/src/brokers/broker-runtimes.js';
import { round, stealShare, summary, verdict, within } from '../measure.mjs';
import { freePort } from '../free-port.mjs';

const FREE_RATE = 100_000;
const UNREACHED_RATE = 10_000_000_000;
const MESSAGE = Buffer.alloc(1_000, 'x');
const IN_FLIGHT = 20;
const LIMITED_MESSAGES = 10_000;
const PAIRED_MESSAGES = 2_000;
const LOGIN = { username: 'bench', password: 'bench' };
const TARGET = 0.9;
const MOST_SECONDS = 110;

export async function benchRateLimit(_world, rounds) {
  const [free, paid, counted] = await Promise.all([FREE_RATE, null, UNREACHED_RATE].map(aBroker));
  try {
    for (const warm of [paid, counted]) await publish(warm, PAIRED_MESSAGES);
    const steal = stealShare().now;
    const ratios = [];
    const speeds = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      const order = turn % 2 ? [paid, counted] : [counted, paid];
      const took = new Map();
      for (const broker of order) took.set(broker, (await publish(broker, PAIRED_MESSAGES)).seconds);
      ratios.push(took.get(paid) / took.get(counted));
      speeds.push(PAIRED_MESSAGES / took.get(paid));
    }
    const limited = await publish(free, LIMITED_MESSAGES);
    const ratio = summary(ratios);
    const name = 'seconds of 10 MB QoS 1 into a Free deployment, 20 in flight, keepalive 30 s';
    return {
      rows: [
        { name, median: limited.seconds, target: MOST_SECONDS, verdict: within(limited.seconds, MOST_SECONDS) },
        {
          name: 'messages/s with an unreached rate by those without',
          ...ratio,
          target: TARGET,
          verdict: verdict(ratio, TARGET),
        },
      ],
      detail: {
        bytes_per_second: round(limited.bytes / limited.seconds, 0),
        disconnects: limited.disconnects,
        messages_per_second_without_rate: round(summary(speeds).median, 0),
      },
      steal_share: round(stealShare(steal).share, 4),
    };
  } finally {
    for (const { close } of [free, paid, counted]) await close();
  }
}

async function aBroker(rate) {
  const dir = mkdtempSync(join(tmpdir(), 'landlord-rate-'));
  const home = { dir, installation: 'bench', nodeId: rate ?? 1 };
  const port = await freePort();
  const spec = {
    ...{ node_id: home.nodeId, deployment_id: 1, name: 'node-1' },
    broker: {
      ...{ driver: 'embedded', version: '1.2.0', want: 'running', restart: 0 },
      config: { id: 1, version: 1, values: {} },
      ...(rate && { rate_limit: { bytes_per_second: rate } }),
    },
    listen: { address: '127.0.0.1', ports: { tcp: port, http: null, websocket: null, udp: null }, peer: null },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 'bench' },
    credentials: { ...LOGIN, version: 1 },
    access_rules: [],
  };
  const rules = [{ id: 1, cidrs: ['0.0.0.0/0'], protocols: ['tcp'], valid_to: null }];
  const runtime = brokerRuntimeOf('embedded');
  await runtime.start(home, spec, { rules, serverOffsetMs: 0, certs: null });
  while (!(await runtime.contact(home))?.ready) await new Promise((wake) => setTimeout(wake, 50));
  return {
    port,
    stats: () => runtime.stats(home),
    close: async () => {
      await runtime.stop(home, 3_000);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Publishes with 20 in flight until all messages are acknowledged. */
async function publish(broker, messages) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    ...LOGIN,
    keepalive: 30,
    reconnectPeriod: 0,
  });
  let disconnects = 0;
  client.on('close', () => (disconnects += 1));
  const before = (await broker.stats()).bytes_received;
  const begun = performance.now();
  let next = 0;
  const line = async () => {
    while (next < messages) await client.publishAsync(`bench/${(next += 1) % 100}`, MESSAGE, { qos: 1 });
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, line));
  const seconds = (performance.now() - begun) / 1000;
  const bytes = (await broker.stats()).bytes_received - before;
  const lost = disconnects;
  await client.endAsync();
  return { seconds, bytes, disconnects: lost };
}
