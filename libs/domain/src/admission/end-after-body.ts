import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes of a body that are read for a refusal. A client that sends more may lose the answer. */
export const DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Ends an answer to a request whose body nobody reads. A connection that closes while the client still sends is reset, and the client
 * may lose the answer. So the answer is sent, the rest of the body is read and discarded up to 16 MiB, and only then the answer ends.
 * `response`: its head is written, with `content-length`.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (request.complete) return void response.end(text);
  response.write(text);
  void discard(request).then(() => response.end());
}

/** Never rejects: the client may close the connection at any time. */
async function discard(request: IncomingMessage): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DISCARDED_BYTES) return;
    }
  } catch {
    return;
  }
}
