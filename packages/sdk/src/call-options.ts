export type App = 'main' | 'supervisor';

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, and every wait of the call. A change that the server has accepted goes on. */
  signal?: AbortSignal;
  /** Milliseconds for each attempt. Default: those of the client. */
  timeoutMs?: number;
  /** How often a request is repeated. Default: that of the client. */
  retries?: number;
  /**
   * Milliseconds in which the call waits for work that is in its way: another operation of the deployment, or the first request with
   * its key. Such a wait is no repetition. With `retries: 0` there is none. Default: that of the client.
   */
  patienceMs?: number;
  /** Default: a new key for each call, the same for all attempts of the call. */
  idempotencyKey?: string;
  /** More headers, such as `if-match`. */
  headers?: Record<string, string>;
  /** Address of the Supervisor API. Default: the Supervisor of the deployment. */
  supervisorUrl?: string;
  /** Receives the response of the last attempt, before its body is read. */
  onResponse?: (response: Response) => void;
}

/** Options of a stream of events. */
export interface EventOptions extends CallOptions {
  /** The id of the last event that was received: the stream starts after this event. */
  lastEventId?: string;
  /** Milliseconds without an event after which the stream is opened again. Default: never. */
  idleMs?: number;
}

/** An event of a stream, with its id for `lastEventId`. */
export interface StreamEvent<T> {
  id: string;
  data: T;
}
