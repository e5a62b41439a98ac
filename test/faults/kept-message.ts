import { eventually, type Login, type TestCloud } from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'faults/kept';
const PATIENCE_MS = 60_000;
const ANSWER_MS = 5_000;
/** Codes of CONNACK for wrong credentials. */
const NOT_AUTHORIZED: unknown[] = [4, 5];

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

/** Whether the broker accepts the credentials. `away`: it gives no answer. */
export async function signIn(
  cloud: TestCloud,
  deployment: number,
  login: Login,
): Promise<'accepted' | 'refused' | 'away'> {
  try {
    await (await connect(cloud, deployment, login)).endAsync(true);
    return 'accepted';
  } catch (error) {
    return NOT_AUTHORIZED.includes((error as { code?: unknown }).code) ? 'refused' : 'away';
  }
}

async function connect(cloud: TestCloud, deployment: number, known?: Login): Promise<mqtt.MqttClient> {
  const { body: detail } = await cloud.runtime().get(`/deployments/${deployment}`);
  const { username, password } = known ?? (await cloud.runtime().get(`/deployments/${deployment}/credentials`)).body;
  const url = `mqtt://${detail.nodes[0].endpoints.tcp}`;
  const options = { username, password, reconnectPeriod: 0, connectTimeout: ANSWER_MS };
  return mqtt.connectAsync(url, options, false);
}

const after = <T>(ms: number, answer: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(answer), ms).unref());
