import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ArtifactClient } from '../../src/node/artifacts/artifact-client.js';
import type { Artifact } from '../../src/node/artifacts/artifact.js';

/** Serves artifacts like the gateway, with switches for failures. */
export class ArtifactServer {
  /** The `range` of each request; empty for none. */
  readonly asked: string[] = [];
  /** Each answer breaks off after this many bytes. */
  cutAfter: number | null = null;
  /** Each answer stops after this many bytes, and the connection stays open. */
  stallAfter: number | null = null;
  ignoresRanges = false;
  /** A range without a byte is refused with 416, as the gateway does. */
  refusesPastTheEnd = false;
  /** The answer to every request instead of the content. */
  refusal: number | null = null;
  private readonly contents = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, response) => this.answer(incoming, response));
  }

  static async start(): Promise<ArtifactServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ArtifactServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get client(): ArtifactClient {
    return new ArtifactClient(new URL(this.url), { request }, () => 'Bearer 5.secret');
  }

  /** Serves `sent` under the hash of `content`. */
  add(content: Buffer, sent = content): Artifact {
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.contents.set(sha256, sent);
    return { sha256, bytes: content.length };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push(headers.range ?? '');
    const content = this.contents.get(url.replace('/agent/v1/artifacts/', ''));
    const refusal = this.refusal ?? refusalOf(headers.authorization, content);
    if (!content || refusal) return void response.writeHead(refusal ?? 404, { 'retry-after': '7' }).end();
    const first = this.ignoresRanges ? 0 : firstOf(headers.range);
    if (this.refusesPastTheEnd && first >= content.length) return void response.writeHead(416).end();
    const range = { 'content-range': `bytes ${first}-${content.length - 1}/${content.length}` };
    response.writeHead(first > 0 ? 206 : 200, first > 0 ? range : {});
    this.send(content.subarray(first), response);
  }

  private send(content: Buffer, response: ServerResponse): void {
    if (this.cutAfter !== null) {
      response.flushHeaders();
      response.write(content.subarray(0, this.cutAfter));
      // The client gets these bytes, and then the end of the connection.
      response.socket?.end();
    } else if (this.stallAfter === null) response.end(content);
    else response.write(content.subarray(0, this.stallAfter));
  }
}

function refusalOf(authorization: string | undefined, content: Buffer | undefined): number | null {
  if (authorization !== 'Bearer 5.secret') return 401;
  return content ? null : 404;
}

const firstOf = (range = ''): number => Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
