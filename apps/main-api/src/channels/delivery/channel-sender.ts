import type { DueDelivery, OpenChannelQueue } from '@libs/persistence/channels';

/** The result of one attempt. */
export interface Sent {
  /** HTTP status of the answer; null without an answer. */
  status: number | null;
  /** Null when the destination accepted the delivery. */
  error: string | null;
  /** The beginning of the answer; null without an answer. */
  response: string | null;
  /** The pause that the destination requests. */
  retryAfterSeconds?: number;
}

/**
 * The process stops, or another worker has the channel. This does not count as an attempt, although the delivery may
 * have arrived.
 */
export class SendingAborted extends Error {}

/** Sends the deliveries of one kind of channel. */
export abstract class ChannelSender {
  /** Sends once. Resolves for every result from the destination. @throws SendingAborted */
  abstract send(channel: OpenChannelQueue, delivery: DueDelivery, signal: AbortSignal): Promise<Sent>;
}
