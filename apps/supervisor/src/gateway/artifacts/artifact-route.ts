import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AGENT_PATHS, type AgentPart } from '@libs/domain';
import { partsQuerySchema } from '../agent-messages.js';
import { parametersOf } from '../answers.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from '../gateway-limits.js';
import { GatewayVisitors, unauthenticated } from '../gateway-visitors.js';
import { invalid, Refused } from '../refused.js';
import { rangeOf, type ArtifactRange } from './artifact-range.js';
import { ArtifactReaders, type ArtifactReader } from './artifact-readers.js';
import { ArtifactFiles, type OpenArtifact } from './artifact-files.js';
import { ArtifactTransfers } from './artifact-transfers.js';

export const ARTIFACT_ROUTE = `${AGENT_PATHS.artifacts}/:sha256`;
const PREFIX = `${AGENT_PATHS.artifacts}/`;

export const isArtifactPath = (url: URL | null): boolean => url?.pathname.startsWith(PREFIX) === true;

/** The bytes of a hash never change. A credential protects them, so no shared cache keeps them. */
const headersOf = (sha256: string) => ({
  'cache-control': 'private, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
  etag: `"${sha256}"`,
});

/** Sends artifacts to nodes, whole or from the place where a transfer ended, and lists those that lie over an agent. */
@Injectable()
export class ArtifactRoute {
  private readonly transfers: ArtifactTransfers;

  constructor(
    private readonly readers: ArtifactReaders,
    private readonly visitors: GatewayVisitors,
    private readonly files: ArtifactFiles,
    @Inject(LIMITS_OF_GATEWAY) limits: GatewayLimits,
  ) {
    this.transfers = new ArtifactTransfers(limits);
  }

  /** Answers GET and HEAD. Throws Refused before the first byte. */
  async send(request: IncomingMessage, response: ServerResponse, url: URL | null): Promise<void> {
    const reader = await this.admit(request);
    const sha256 = url?.pathname.slice(PREFIX.length) ?? '';
    const artifact = await this.files.open(sha256);
    if (artifact === null) throw new Refused(404, 'artifact_not_found');
    try {
      await this.answer(request, response, { reader, sha256, artifact });
    } finally {
      await artifact.file.close();
    }
  }

  /** Lists the artifacts that lie over the agent of the query. Throws Refused. */
  async listParts(request: IncomingMessage, url: URL | null): Promise<AgentPart[]> {
    await this.admit(request);
    const query = partsQuerySchema.safeParse(parametersOf(url));
    if (!query.success) throw invalid();
    return this.files.listParts(query.data.agent, query.data.processor);
  }

  private async admit(request: IncomingMessage): Promise<ArtifactReader> {
    const { authorization } = request.headers;
    const reader =
      this.readers.remembered(authorization) ??
      (await this.visitors.lookUp(request, () => this.readers.find(authorization)));
    if (reader === null) throw unauthenticated();
    this.transfers.ask(reader);
    this.visitors.know(request, reader);
    return reader;
  }

  private async answer(request: IncomingMessage, response: ServerResponse, entry: FoundArtifact): Promise<void> {
    const { sha256, artifact } = entry;
    const headers = headersOf(sha256);
    const { 'if-none-match': etag, 'if-range': condition = headers.etag, range } = request.headers;
    if (etag === headers.etag) return void response.writeHead(304, headers).end();
    // RFC 9110 defines ranges for GET alone.
    const isPart = request.method === 'GET' && condition === headers.etag;
    const part = rangeOf(isPart ? range : undefined, artifact.bytes);
    if (part === 'unsatisfiable') {
      const none = { ...headers, 'content-range': `bytes */${artifact.bytes}`, 'content-length': 0 };
      return void response.writeHead(416, none).end();
    }
    const { first, last } = part ?? { first: 0, last: artifact.bytes - 1 };
    const responseHeaders = {
      ...headers,
      'content-type': 'application/gzip',
      'content-length': last - first + 1,
      ...(part && { 'content-range': `bytes ${first}-${last}/${artifact.bytes}` }),
    };
    const status = part ? 206 : 200;
    if (request.method === 'HEAD') return void response.writeHead(status, responseHeaders).end();
    await this.transfer(response, entry, { first, last }, () => response.writeHead(status, responseHeaders));
  }

  /** The client sets the pace: the file is read only as fast as the connection takes the bytes. */
  private async transfer(
    response: ServerResponse,
    { reader, artifact }: FoundArtifact,
    { first, last }: ArtifactRange,
    writeHead: () => void,
  ): Promise<void> {
    const transfer = this.transfers.begin(reader, last - first + 1);
    const content = artifact.file.createReadStream({ start: first, end: last, autoClose: false });
    try {
      writeHead();
      await pipeline(content, response);
    } finally {
      transfer.end(content.bytesRead);
    }
  }
}

interface FoundArtifact {
  reader: ArtifactReader;
  sha256: string;
  artifact: OpenArtifact;
}
