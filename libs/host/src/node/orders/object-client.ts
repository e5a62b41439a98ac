import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OrderPart } from '@libs/domain';
import { AGENT_PATHS } from '@libs/domain/agent-protocol';
import { AgentError, GatewayError } from '../agent-error.js';
import { OrderFailed } from './order-failed.js';

/** Idle timeout of a connection. */
const IDLE_MS = 60_000;

export interface CountedPart {
  sha256: string;
  size_bytes: number;
}

/** The part of the order, and the authorization. */
export interface PartAddress {
  order: number;
  part: OrderPart;
  authorization: string;
}

/** Streams of orders, to and from the gateway. Rejects with OrderFailed when a retry is useless. */
export class ObjectClient {
  constructor(
    private readonly base: URL,
    private readonly http: Pick<typeof import('node:http'), 'request'>,
  ) {}

  async upload(address: PartAddress, body: Readable, signal: AbortSignal): Promise<CountedPart> {
    const counter = new Counter();
    const outgoing = this.open('PUT', address, signal);
    const answered = answerTo(outgoing);
    // A refusal can arrive before the whole body is sent. Then the refusal is reported, not the broken pipe.
    const transfer = pipeline(body, counter, outgoing).catch((error: unknown) => error as Error);
    const answer = await answered.catch(async (error: unknown) => {
      throw (await transfer) ?? error;
    });
    const stored = JSON.parse(await textOf(answer)) as CountedPart;
    const counted = counter.counted;
    if (stored.sha256 !== counted.sha256)
      throw new AgentError('the data that the gateway stored differs from the sent data');
    return counted;
  }

  /** Passes the part to `consume` as it arrives. Rejects with OrderFailed when the content is not the expected one. */
  async download(
    address: PartAddress,
    expected: CountedPart,
    consume: NodeJS.WritableStream,
    signal: AbortSignal,
  ): Promise<void> {
    const outgoing = this.open('GET', address, signal);
    outgoing.end();
    const counter = new Counter();
    const answer = await answerTo(outgoing);
    await pipeline(answer, counter, consume);
    const { sha256, size_bytes } = counter.counted;
    if (sha256 !== expected.sha256 || size_bytes !== expected.size_bytes)
      throw new OrderFailed('the stored data is damaged: its checksum is wrong');
  }

  private open(method: 'GET' | 'PUT', { order, part, authorization }: PartAddress, signal: AbortSignal) {
    const url = new URL(`${AGENT_PATHS.objects}?order=${order}&part=${part}`, this.base);
    const outgoing = this.http.request(url, { method, headers: { authorization }, agent: false, signal });
    outgoing.setTimeout(IDLE_MS, () =>
      outgoing.destroy(new AgentError('the transfer between the node and the gateway has stopped')),
    );
    return outgoing;
  }
}

/** Hashes and counts the passing bytes. */
class Counter extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    callback(null, chunk);
  }

  /** Call it once, after the end. */
  get counted(): CountedPart {
    return { sha256: this.hash.digest('hex'), size_bytes: this.bytes };
  }
}

/** Resolves only for status 200. */
async function answerTo(outgoing: ReturnType<(typeof import('node:http'))['request']>): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  const { statusCode: status = 0 } = answer;
  if (status === 200) return answer;
  answer.resume();
  if (status === 404) throw new OrderFailed('the data of this order no longer exists');
  if (status === 413) throw new OrderFailed('the data is larger than the order allows');
  throw new GatewayError(status, null, null);
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
