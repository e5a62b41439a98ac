import {
  BROKER_OF_THE_RUN,
  eventually,
  openBrokerClient,
  SignInRefused,
  type BrokerClient,
  type Login,
  type TestCloud,
} from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'faults/kept';
const PATIENCE_MS = 60_000;
const ANSWER_MS = 5_000;
/** Codes of CONNACK for wrong credentials. */
const NOT_AUTHORIZED: unknown[] = [4, 5];
const IS_IGGY = BROKER_OF_THE_RUN === 'iggy';

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
      if (IS_IGGY) return append(cloud, deployment, text, topic);
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

/** The retained message on a topic, or the newest one of a log; `nothing` if there is none. */
export async function readMessage(cloud: TestCloud, deployment: number, topic: string): Promise<string> {
  if (IS_IGGY) return newestText(cloud, deployment, topic);
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
    if (IS_IGGY) await (await openClient(cloud, deployment, login)).close();
    else await (await connect(cloud, deployment, login)).endAsync(true);
    return 'accepted';
  } catch (error) {
    const isRefused = error instanceof SignInRefused || NOT_AUTHORIZED.includes((error as { code?: unknown }).code);
    return isRefused ? 'refused' : 'away';
  }
}

/** A client of Iggy over HTTP, by default with the current credentials. */
export async function openClient(cloud: TestCloud, deployment: number, known?: Login): Promise<BrokerClient> {
  const { body: detail } = await cloud.runtime().get(`/deployments/${deployment}`);
  const login: Login = known ?? (await cloud.runtime().get(`/deployments/${deployment}/credentials`)).body;
  return openBrokerClient('iggy', { endpoint: detail.nodes[0].endpoints.http, login, over: 'http' });
}

/** Whether the broker has acknowledged the text. */
async function append(cloud: TestCloud, deployment: number, text: string, topic: string): Promise<boolean> {
  try {
    await (await openClient(cloud, deployment)).write(topic, text);
    return true;
  } catch {
    return false;
  }
}

async function newestText(cloud: TestCloud, deployment: number, topic: string): Promise<string> {
  return eventually(
    'the broker answers',
    async () => {
      const client = await openClient(cloud, deployment).catch(() => null);
      const texts = await client?.readAll(topic, 1).catch((error: unknown) => (isMissing(error) ? [] : null));
      return texts ? (texts.at(-1) ?? 'nothing') : null;
    },
    PATIENCE_MS,
  );
}

/** The topic was never written. */
const isMissing = (error: unknown): boolean => /\b404\b/.test(String(error));

async function connect(cloud: TestCloud, deployment: number, known?: Login): Promise<mqtt.MqttClient> {
  const { body: detail } = await cloud.runtime().get(`/deployments/${deployment}`);
  const { username, password } = known ?? (await cloud.runtime().get(`/deployments/${deployment}/credentials`)).body;
  const url = `mqtt://${detail.nodes[0].endpoints.tcp}`;
  const options = { username, password, reconnectPeriod: 0, connectTimeout: ANSWER_MS };
  return mqtt.connectAsync(url, options, false);
}

const after = <T>(ms: number, answer: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(answer), ms).unref());
