import { isUtf8 } from 'node:buffer';
import { DomainError } from '@libs/domain';
import express, { type Request, type Response } from 'express';

const KIB = 1024;
type Parser = ReturnType<typeof express.json>;
const parsers = new Map<number, Parser>();

const received = new WeakMap<object, Buffer>();

/** The bytes of the body as JSON text, after decompression. */
export const bodyBytes = (request: Request): Buffer => received.get(request) ?? Buffer.alloc(0);

/**
 * Reads the JSON body of a write into `request.body`; a request without a body gets an empty object. `limitKib` bounds the
 * bytes on the wire and the bytes after decompression.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
 */
export async function readJsonBody(request: Request, response: Response, limitKib: number): Promise<void> {
  if (!hasBody(request)) {
    request.body = {};
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > limitKib * KIB) throw tooLarge(limitKib);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('unsupported_media_type', 'The body must be application/json.');
  await new Promise<void>((resolve, reject) => {
    parserOf(limitKib)(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toDomainError(error, limitKib)),
    );
  });
}

function parserOf(limitKib: number): Parser {
  const parser =
    parsers.get(limitKib) ?? express.json({ limit: limitKib * KIB, strict: false, type: () => true, verify });
  parsers.set(limitKib, parser);
  return parser;
}

/** Decoding would replace what is no UTF-8, so that other text would be stored than was sent. */
function verify(request: object, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new DomainError('malformed_json', 'The body is not UTF-8.');
  received.set(request, bytes);
}

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const tooLarge = (limitKib: number): DomainError =>
  new DomainError('payload_too_large', `The body is larger than ${limitKib} KiB.`);

function toDomainError(error: unknown, limitKib: number): DomainError {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge(limitKib);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new DomainError('unsupported_media_type', 'The charset or encoding of the body is not supported.');
    default:
      return new DomainError('malformed_json', 'The body is not a JSON document in UTF-8.', { cause: error });
  }
}
