import { eventually, type TestCloud } from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'faults/kept';
const PATIENCE_MS = 60_000;
const ANSWER_MS = 5_000;

/** Publishes a retained message; resolves true after the broker has acknowledged it, and retries until then. */
export async function leaveMessage(
  cloud: TestCloud,
  deployment: number,
  text: string,
  topic = TOPIC,
): Promise<boolean> {
  return eventually(
    'the broker takes a message',
    async () => {
      const client = await connect(cloud, deployment).catch(() => null);
      if (!client) return false;
      const sent = client.publishAsync(topic, text, { qos: 1, retain: true }).then(() => true);
      const isAcknowledged = await Promise.race([sent.catch(() => false), after(ANSWER_MS, false)]);
      await client.endAsync(true);
      return isAcknowledged;
    },
    PATIENCE_MS,
  );
}

/** The message that the broker retained. A broker that has just restarted may not listen yet. */
export const readKeptMessage = (cloud: TestCloud, deployment: number): Promise<string> =>
  readMessage(cloud, deployment, TOPIC);

/** The retained message on a topic; `nothing` if there is none. */
export async function readMessage(cloud: TestCloud, deployment: number, topic: string): Promise<string> {
  const client = await eventually(
    'the broker lets a client in',
    () => connect(cloud, deployment).catch(() => null),
    PATIENCE_MS,
  );
  try {
    const arrived = new Promise<string>((resolve) => client.once('message', (_topic, body) => resolve(String(body))));
    await client.subscribeAsync(topic, { qos: 1 });
    return await Promise.race([arrived, after(ANSWER_MS, 'nothing')]);
  } finally {
    await client.endAsync(true);
  }
}

async function connect(cloud: TestCloud, deployment: number): Promise<mqtt.MqttClient> {
  const { body: detail } = await cloud.runtime().get(`/deployments/${deployment}`);
  const { body: login } = await cloud.runtime().get(`/deployments/${deployment}/credentials`);
  const url = `mqtt://${detail.nodes[0].endpoints.tcp}`;
  return mqtt.connectAsync(url, { ...login, reconnectPeriod: 0, connectTimeout: ANSWER_MS });
}

const after = <T>(ms: number, answer: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(answer), ms).unref());
