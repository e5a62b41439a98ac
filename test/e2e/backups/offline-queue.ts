import type { TestDeployment } from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'offline/new';
const END = 'the end';

/** The messages that a broker of MQTT keeps for an offline subscriber, in the order of publication. */
export class OfflineQueue {
  constructor(
    private readonly deployment: TestDeployment,
    private readonly subscriber = 'offline-subscriber',
  ) {}

  /** Subscribes, so that the deployment keeps messages from now on. */
  async begin(): Promise<void> {
    await (await this.deployment.letsIn()).endAsync();
    const { host, options } = await this.address();
    const client = await mqtt.connectAsync(host, options);
    await client.subscribeAsync(TOPIC, { qos: 1 });
    await client.endAsync();
  }

  /** Resolves when the broker has acknowledged all texts. */
  async publish(texts: readonly string[]): Promise<void> {
    const client = await this.deployment.letsIn();
    await Promise.all(texts.map((text) => client.publishAsync(TOPIC, text, { qos: 1 })));
    await client.endAsync();
  }

  /** Removes and returns all kept messages. */
  async drain(): Promise<string[]> {
    await this.publish([END]);
    const taken: string[] = [];
    const { host, options } = await this.address();
    const client = mqtt.connect(host, options);
    await new Promise<void>((resolve, reject) => {
      client.on('message', (_topic, body) => (String(body) === END ? resolve() : taken.push(String(body))));
      client.once('error', reject);
      client.once('close', () => reject(new Error('the broker closed the connection before the last message')));
    });
    client.removeAllListeners('close');
    await client.endAsync();
    return taken;
  }

  private async address() {
    const [node] = await this.deployment.nodes();
    const session = { clean: false, clientId: this.subscriber, reconnectPeriod: 0 };
    return { host: `mqtt://${node?.endpoints.tcp}`, options: { ...(await this.deployment.login()), ...session } };
  }
}
