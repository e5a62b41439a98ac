import { MqttLink, type ArrivedMessage } from './mqtt-link.js';
import type { PageSources } from './page-sources.js';
import { RetainedCollector, type RetainedSnapshot } from './retained-snapshot.js';

const DEADLINE_MS = 5_000;
/** The broker has sent all retained messages when none arrives for this time. */
const QUIET_MS = 250;
/** How long a reading is used again, and how long its memory is kept. */
const FRESH_MS = 3_000;

/** The retained messages of the broker. One reading at a time, and at most one in 3 seconds. */
export class RetainedMessages {
  private reading: Promise<RetainedSnapshot> | null = null;

  constructor(private readonly sources: PageSources) {}

  /** Rejects with BrokerError when the broker does not answer. */
  read(): Promise<RetainedSnapshot> {
    if (this.reading) return this.reading;
    const reading = this.sources.readRetained?.() ?? readOverMqtt(this.sources);
    this.reading = reading;
    const forget = (): void => void (this.reading = null);
    reading.then(() => setTimeout(forget, FRESH_MS).unref(), forget);
    return reading;
  }
}

/**
 * Subscribes to all topics and takes the messages with the retain flag. No message marks the end of them. So the reading ends
 * when the broker has answered a ping and then sends none for a moment.
 */
async function readOverMqtt(sources: PageSources): Promise<RetainedSnapshot> {
  const collector = new RetainedCollector();
  const stream = sources.enter(null);
  let lastAt: number;
  let isFull = false;
  const onMessage = (message: ArrivedMessage): void => {
    lastAt = Date.now();
    isFull = !collector.add(message);
    // Stops the broker from sending the rest.
    if (isFull) stream.destroy();
  };
  const { logins, keepAliveSeconds } = sources;
  const link = new MqttLink(stream, {
    credentials: logins.current,
    keepAliveSeconds,
    accepts: (isRetained) => isRetained && !isFull,
    onMessage,
  });
  const timer = setTimeout(() => stream.destroy(), DEADLINE_MS);
  let [isSubscribed, isComplete] = [false, false];
  try {
    await link.connect();
    await link.subscribe('#');
    isSubscribed = true;
    await link.ping();
    lastAt = Date.now();
    while (!stream.destroyed && Date.now() < lastAt + QUIET_MS) await pause(QUIET_MS / 5);
    isComplete = !stream.destroyed;
  } catch (error) {
    if (!isSubscribed) throw error;
  } finally {
    clearTimeout(timer);
    link.close();
  }
  return collector.snapshot(isComplete);
}

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));
