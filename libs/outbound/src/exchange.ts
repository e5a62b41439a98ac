import type { Dispatcher } from 'undici';
import { OutboundFailed } from './outbound-error.js';

export interface OutboundAnswer {
  status: number;
  /** By lower-case name. Several values of a name are joined with commas. */
  headers: Record<string, string>;
  /** The start of the body, up to `maxBodyBytes`. */
  body: Buffer;
  isTruncated: boolean;
}

type AnswerHeaders = Record<string, string | string[] | undefined>;

/** Ends the connection of an answer whose further bytes nobody needs. */
const ENOUGH = new Error('the rest of the body is not needed');

/**
 * One request and its answer. Handles the events of undici itself: its `request` creates a stream and listeners of signals for
 * each request, which took a third of the time of a delivery.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<OutboundAnswer>;
  private resolve!: (answer: OutboundAnswer) => void;
  private reject!: (reason: Error) => void;
  private controller: Dispatcher.DispatchController | undefined;
  private givenUp: Error | undefined;
  private status = 0;
  private headers: AnswerHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBodyBytes: number) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Ends the request now, also while it waits for a connection. */
  giveUp(reason: Error): void {
    this.givenUp = reason;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.givenUp) controller.abort(this.givenUp);
    else this.controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // An interim answer. Another one follows.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    if (status >= 300 && status < 400 && headers['location'] !== undefined)
      this.giveUp(new OutboundFailed('redirect', `the destination answered ${status}, and redirects are not followed`));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy: a view would keep the whole buffer that the connection read.
    this.chunks.push(Buffer.from(chunk.subarray(0, this.maxBodyBytes - this.size)));
    this.size += chunk.length;
    if (this.size <= this.maxBodyBytes) return;
    // Ends the connection, so that a server cannot keep the client reading without a limit.
    this.finish();
    controller.abort(ENOUGH);
  }

  onResponseEnd(): void {
    this.finish();
  }

  /** Has no effect after the answer is complete. */
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }

  private finish(): void {
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const isTruncated = this.size > this.maxBodyBytes;
    this.resolve({ status: this.status, headers: joined(this.headers), body, isTruncated });
  }
}

function joined(headers: AnswerHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    texts[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return texts;
}
