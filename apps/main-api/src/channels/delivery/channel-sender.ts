import type { DueDelivery, OpenChannelQueue } from '@libs/persistence/channels';

/** What one attempt came to. */
export interface Sent {
  /** HTTP status of the answer; null without one. */
  status: number | null;
  /** Null when the destination took it. */
  error: string | null;
  /** The beginning of the answer; null without one. */
  response: string | null;
  /** What the destination asks for. */
  retryAfterSeconds?: number;
}

/** The process ends, or another worker has the channel: it does not count as an attempt, although it may have arrived. */
export class SendingAborted extends Error {}

/** One kind of channel. */
export abstract class ChannelSender {
  /** Sends once. Resolves for every outcome of the destination's. @throws SendingAborted */
  abstract send(channel: OpenChannelQueue, delivery: DueDelivery, signal: AbortSignal): Promise<Sent>;
}
