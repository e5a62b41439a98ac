import type { TestDeployment } from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'orders/new';
const END = 'the end';
/** Number of messages that are published without waiting for acknowledgements. */
const AT_ONCE = 50;

/**
 * The messages that a deployment stores for an offline subscriber: in the order of publication, each acknowledged.
 * Tests compare these messages to check the data of a deployment.
 */
export class DurableQueue {
  constructor(
    private readonly deployment: TestDeployment,
    private readonly subscriber = 'story-subscriber',
  ) {}

  /** Subscribes, so the deployment stores messages from now on. */
  async begin(): Promise<void> {
    const client = await this.session();
    await client.subscribeAsync(TOPIC, { qos: 1 });
    await client.endAsync();
  }

  /** Publishes `<name>-0` and so on; resolves when all messages are acknowledged. */
  async publish(name: string, count: number): Promise<void> {
    const client = await this.deployment.letsIn();
    for (let first = 0; first < count; first += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => `${name}-${first + index}`);
      await Promise.all(batch.map((text) => client.publishAsync(TOPIC, text, { qos: 1 })));
    }
    await client.endAsync();
  }

  /** Removes and returns all stored messages. */
  async drain(): Promise<string[]> {
    const closing = await this.deployment.letsIn();
    await closing.publishAsync(TOPIC, END, { qos: 1 });
    await closing.endAsync();
    const taken: string[] = [];
    const { host, login } = await this.address();
    const client = mqtt.connect(host, { ...login, clean: false, clientId: this.subscriber, reconnectPeriod: 0 });
    await new Promise<void>((resolve, reject) => {
      client.on('message', (_topic, body) => (String(body) === END ? resolve() : taken.push(String(body))));
      client.once('error', reject);
      client.once('close', () => reject(new Error('the broker hung up before everything was taken')));
    });
    client.removeAllListeners('close');
    await client.endAsync();
    return taken;
  }

  private async session(): Promise<mqtt.MqttClient> {
    await (await this.deployment.letsIn()).endAsync();
    const { host, login } = await this.address();
    return mqtt.connectAsync(host, { ...login, clean: false, clientId: this.subscriber, reconnectPeriod: 0 });
  }

  private async address() {
    const [node] = await this.deployment.nodes();
    return { host: `mqtt://${node?.endpoints.tcp}`, login: await this.deployment.login() };
  }
}

/** `<name>-0` and so on. */
export const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);
