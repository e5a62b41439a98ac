import { setTimeout as delay } from 'node:timers/promises';
import { type Reaction, type ReceivedRequest, SeededRandom, WebhookReceiver } from '@libs/testing';
import { Webhook } from 'standardwebhooks';
import type { PlayedChannel } from './event-plan.js';

/** A request as it arrived; the tally contains the answers. */
export interface Arrival {
  path: string;
  sequence: number;
  messageId: string;
  key: string;
  tenantId: number;
  at: number;
}

const SERVERS = 3;
/** Checks one in this many signatures, and the first one of each channel. */
const CHECKED = 50;

/**
 * Receivers that accept most requests, and otherwise return errors, hang, reset or answer slowly, depending on the
 * seed.
 */
export class FickleReceiver {
  readonly arrivals: Arrival[] = [];
  readonly tally = new Map<string, number>();
  /** Requests whose signature does not match the channel. */
  readonly forged: string[] = [];
  private readonly pairs = new Set<string>();
  private readonly times = new Map<string, number>();
  private readonly channels = new Map<string, PlayedChannel>();
  /** Paths that refuse their first requests: the number of remaining requests, and the reaction. */
  private readonly spells = new Map<string, { left: number; reaction: Reaction }>();

  private constructor(
    private readonly servers: WebhookReceiver[],
    private readonly seed: number,
    /** Share of the requests that are never answered. */
    private readonly hangs: number,
  ) {
    for (const server of servers)
      server.react = (request) => {
        // The receiver stores a short form. In a long run the full requests would fill the memory.
        server.requests.length = 0;
        return this.take(request);
      };
  }

  static async start(seed: number, hangs: number): Promise<FickleReceiver> {
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => WebhookReceiver.start()));
    return new FickleReceiver(servers, seed, hangs);
  }

  urlOf(number: number): string {
    return this.servers[number % SERVERS]?.url ?? '';
  }

  /** Registers the channel that sends to this path. */
  expects(channel: PlayedChannel): void {
    this.channels.set(channel.path, channel);
  }

  /** From now on this many requests to the path get this reaction. */
  spoil(path: string, left: number, reaction: Reaction): void {
    this.spells.set(path, { left, reaction });
  }

  /** Number of pairs of an event and a channel that it has reached, each pair once. */
  get reached(): number {
    return this.pairs.size;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  private async take({ path, headers, body, text, at }: ReceivedRequest): Promise<Reaction> {
    const messageId = String(headers['webhook-id']);
    const key = (body.data.key ?? body.data.name) as string;
    this.arrivals.push({ path, sequence: body.sequence, messageId, key, tenantId: body.tenant_id, at });
    const pair = `${path} ${body.sequence}`;
    this.pairs.add(pair);
    this.times.set(pair, (this.times.get(pair) ?? 0) + 1);
    if (body.sequence === 1 || this.arrivals.length % CHECKED === 0) this.check(path, text, headers);
    const { name, reaction, waitMs = 0 } = this.fateOf(path, body.sequence as number, this.times.get(pair) ?? 0);
    this.tally.set(name, (this.tally.get(name) ?? 0) + 1);
    if (waitMs > 0) await delay(waitMs);
    return reaction;
  }

  /** Depends on the event and the number of the attempt, so the order of requests does not matter. */
  private fateOf(path: string, sequence: number, time: number): { name: string; reaction: Reaction; waitMs?: number } {
    const spell = this.spells.get(path);
    if (spell && spell.left > 0) {
      spell.left -= 1;
      return { name: String(spell.reaction), reaction: spell.reaction };
    }
    const number = this.channels.get(path)?.id ?? 0;
    const random = new SeededRandom(this.seed + number * 1_000_003 + sequence * 7_919 + time * 104_729);
    const chance = random.next();
    if (chance < this.hangs) return { name: 'hang', reaction: 'hang' };
    if (chance < 0.02) return { name: 'reset', reaction: 'reset' };
    if (chance < 0.06) return { name: '500', reaction: 500 };
    if (chance < 0.07) return { name: '410', reaction: 410 };
    if (chance < 0.09) return { name: 'slow', reaction: 204, waitMs: random.between(20, 700) };
    return { name: 'taken', reaction: 204 };
  }

  private check(path: string, text: string, headers: ReceivedRequest['headers']): void {
    try {
      new Webhook(this.channels.get(path)?.secret ?? '').verify(text, headers as Record<string, string>);
    } catch (error) {
      this.forged.push(`${path}: ${String(error)}`);
    }
  }
}
