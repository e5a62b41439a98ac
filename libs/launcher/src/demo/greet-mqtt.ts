import mqtt, { type MqttClient } from 'mqtt';
import { LauncherError } from '../launcher-error.js';
import { endpointOf, type BrokerLogin } from './broker-login.js';
import type { Progress } from './progress.js';

const TOPIC = 'landlord/demo';
const MESSAGE = 'Hello from Landlord';
const PATIENCE_MS = 15_000;

/**
 * Connects, subscribes, publishes with QoS 1 and shows the received message, like any MQTT client.
 * @throws LauncherError when the broker fails, and the reason of `signal` when it is aborted
 */
export async function greetMqtt(login: BrokerLogin, progress: Progress, signal: AbortSignal): Promise<void> {
  const url = `mqtt://${endpointOf(login, 'tcp')}`;
  const client = mqtt.connect(url, {
    username: login.username,
    password: login.password,
    connectTimeout: PATIENCE_MS,
    reconnectPeriod: 0,
  });
  try {
    await Promise.race([converse(client, url, progress), interruption(client, url, signal)]);
  } finally {
    await client.endAsync(true);
  }
}

async function converse(client: MqttClient, url: string, progress: Progress): Promise<void> {
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  progress.fact('connected', url);
  await client.subscribeAsync(TOPIC, { qos: 1 });
  progress.fact('subscribed', TOPIC);
  const received = new Promise<string>((resolve) =>
    client.once('message', (_topic, payload) => resolve(payload.toString())),
  );
  const began = performance.now();
  await client.publishAsync(TOPIC, MESSAGE, { qos: 1 });
  progress.fact('published', `"${MESSAGE}" (QoS 1)`);
  const message = await received;
  progress.fact('received', `"${message}" after ${Math.ceil(performance.now() - began)} ms`);
}

/** Rejects with the reason why the connection cannot continue. */
function interruption(client: MqttClient, url: string, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (reason: string): void => reject(new LauncherError(`The broker at ${url} ${reason}`));
    client.on('error', (error) => fail(`refused the connection: ${error.message}`));
    client.on('close', () => fail('closed the connection'));
    setTimeout(() => fail(`did not respond within ${PATIENCE_MS / 1000} s`), PATIENCE_MS).unref();
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
