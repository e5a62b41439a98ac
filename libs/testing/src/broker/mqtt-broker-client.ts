import { createHash } from 'node:crypto';
import mqtt, { type MqttClient } from 'mqtt';
import { eventually } from '../basics/eventually.js';
import { SignInRefused, type BrokerClient, type ClientTarget } from './broker-client.js';

/** Codes of CONNACK for wrong credentials. */
const NOT_AUTHORIZED: unknown[] = [4, 5];
const PATIENCE_MS = 5_000;
/**
 * The place of a mark after all texts of a topic. The embedded broker sends its kept messages in the order of their places, so the
 * kept mark is the last of them. nats sends them in any order, but before a new message, so the new mark comes after all of them.
 */
const LAST_PLACE = '~';
const BOTH_ENDS = 2;

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

  async send(stream: string, text: string): Promise<void> {
    await this.client.publishAsync(`${stream}/${stream}`, text, { qos: 1 });
  }

  async readAll(topic: string, count: number): Promise<string[]> {
    const [texts, ends]: [string[], Set<boolean>] = [[], new Set()];
    const end = `${topic}/${LAST_PLACE}`;
    this.client.on('message', (place, body, { retain }) =>
      place === end ? ends.add(retain) : texts.push(String(body)),
    );
    const mark = () => this.client.publishAsync(end, 'the end', { qos: 1, retain: true });
    await mark();
    await this.client.subscribeAsync(`${topic}/#`, { qos: 1 });
    await eventually('enough texts are here', () => texts.length >= count, PATIENCE_MS).catch(() => undefined);
    await mark();
    await eventually('the end is here', () => ends.size === BOTH_ENDS);
    return texts;
  }

  async close(): Promise<void> {
    await this.client.endAsync(true);
  }
}

/** Hexadecimal digits, which come before LAST_PLACE. */
const placeOf = (topic: string, text: string): string =>
  `${topic}/${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
