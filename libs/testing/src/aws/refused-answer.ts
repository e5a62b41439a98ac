import type { IncomingMessage } from 'node:http';

export interface Answer {
  status: number;
  type: string;
  body: string;
}

/** A refusal as EC2 writes it. */
export function refused(status: number, code: string, message: string): Answer {
  const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  // EC2 wraps errors in another element than the other services; the SDK of each finds its own.
  const body = `<?xml version="1.0" encoding="UTF-8"?><Response><Errors>${error}</Errors><RequestID>r</RequestID></Response>`;
  return { status, type: 'text/xml', body };
}

/** A refusal as the service of the call writes it: calls that name their action in a header get JSON. */
export function inProtocolOf({ headers }: IncomingMessage, refusal: Answer): Answer {
  const code = /<Code>([^<]*)</.exec(refusal.body)?.[1];
  if (headers['x-amz-target'] === undefined || code === undefined) return refusal;
  return { ...refusal, type: 'application/x-amz-json-1.1', body: JSON.stringify({ __type: code, message: code }) };
}
