import type { IncomingMessage } from 'node:http';
import { AGENT_PATHS } from '@libs/domain/agent-protocol';
import { AgentError, GatewayError } from '../agent-error.js';
import { retryAfterMs } from '../gateway/retry-after.js';

/** Idle timeout of a connection. */
const IDLE_MS = 60_000;

/** Bytes of an artifact, from `first` on. */
export interface ArtifactContent {
  first: number;
  body: IncomingMessage;
}

/** Reads artifacts from the gateway. */
export class ArtifactClient {
  constructor(
    private readonly base: URL,
    private readonly http: Pick<typeof import('node:http'), 'request'>,
    private readonly authorization: () => string,
  ) {}

  /**
   * Reads from the place `first`, or from the start if the gateway does not continue there. Rejects with GatewayError when refused,
   * otherwise with the network error.
   */
  async read(sha256: string, first: number, signal: AbortSignal): Promise<ArtifactContent> {
    const headers = {
      authorization: this.authorization(),
      ...(first > 0 && { range: `bytes=${first}-`, 'if-range': `"${sha256}"` }),
    };
    const url = new URL(`${AGENT_PATHS.artifacts}/${sha256}`, this.base);
    const body = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = this.http.request(url, { method: 'GET', headers, agent: false, signal }, resolve);
      outgoing.setTimeout(IDLE_MS, () => outgoing.destroy(new AgentError('the gateway stopped sending an artifact')));
      outgoing.on('error', reject);
      outgoing.end();
    });
    const { statusCode: status = 0, headers: answered } = body;
    if (status === 200) return { first: 0, body };
    if (status === 206 && answered['content-range']?.startsWith(`bytes ${first}-`)) return { first, body };
    body.destroy();
    throw new GatewayError(status, null, retryAfterMs(answered['retry-after']));
  }
}
