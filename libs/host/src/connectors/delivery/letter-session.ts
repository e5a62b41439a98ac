import { openSession } from './open-session.js';
import type { BrokerAccess, Session } from './session.js';

/**
 * The connection that publishes refused messages of a sink, opened at the first one. On the connection that reads, the broker's
 * answer would wait behind the messages that the refused one holds up.
 */
export class LetterSession {
  private session: Promise<Session> | null = null;

  constructor(
    private readonly access: BrokerAccess,
    private readonly id: string,
  ) {}

  /** Resolves when the broker has acknowledged the message. After a rejection the next call connects again. */
  async publish(topic: string, payload: Buffer): Promise<void> {
    this.session ??= openSession(this.access, this.id, true, async () => undefined);
    const { session } = this;
    try {
      await (await session).publish(topic, payload);
    } catch (error) {
      this.session = null;
      void session.then((open) => open.end()).catch(() => undefined);
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.session?.then((open) => open.end()).catch(() => undefined);
  }
}
