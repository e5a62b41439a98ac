import mqtt, { type MqttClient } from 'mqtt';
import { eventually } from '../eventually.js';
import { SignInRefused, type BrokerClient, type ClientTarget } from './broker-client.js';

/** Codes of CONNACK for wrong credentials. */
const NOT_AUTHORIZED: unknown[] = [4, 5];
const PATIENCE_MS = 5_000;

/** Clients of MQTT: the broker keeps one text for each topic, so each text has a topic below the one of the caller. */
export class MqttBrokerClient implements BrokerClient {
  isCut = false;
  readonly cut: Promise<void>;

  private constructor(private readonly client: MqttClient) {
    this.cut = new Promise((resolve) => client.once('close', resolve));
    void this.cut.then(() => (this.isCut = true));
  }

  static async open({ endpoint, login, over, ca }: ClientTarget): Promise<MqttBrokerClient> {
    if (over === 'http') throw new TypeError('MQTT has no clients over HTTP');
    const [plain, tls] = over === 'tcp' ? ['mqtt', 'mqtts'] : ['ws', 'wss'];
    const { username, password } = login;
    const options = { username, password, reconnectPeriod: 0, connectTimeout: PATIENCE_MS };
    const trust = ca === undefined ? {} : { ca, wsOptions: { ca } };
    // Without the last argument, a server that closes before it answers would be awaited without a limit.
    const opening = mqtt.connectAsync(
      `${ca === undefined ? plain : tls}://${endpoint}`,
      { ...options, ...trust },
      false,
    );
    const client = await opening.catch((error: Error & { code?: unknown }) => {
      throw NOT_AUTHORIZED.includes(error.code) ? new SignInRefused(error.message) : error;
    });
    return new MqttBrokerClient(client);
  }

  async write(topic: string, ...texts: string[]): Promise<void> {
    const sent = texts.map((text) => this.client.publishAsync(placeOf(topic, text), text, { qos: 1, retain: true }));
    await Promise.all(sent);
  }

  async readAll(topic: string, count: number): Promise<string[]> {
    const texts: string[] = [];
    this.client.on('message', (_, body) => texts.push(String(body)));
    await this.client.subscribeAsync(`${topic}/#`, { qos: 1 });
    await eventually('all texts are here', () => texts.length >= count, PATIENCE_MS).catch(() => undefined);
    return texts;
  }

  async close(): Promise<void> {
    await this.client.endAsync(true);
  }
}

const placeOf = (topic: string, text: string): string => `${topic}/${encodeURIComponent(text)}`;
