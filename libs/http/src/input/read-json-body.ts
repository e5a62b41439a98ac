import { DomainError } from '@libs/domain';
import express, { type Request, type Response } from 'express';
import { requireShallowJson } from './json-bounds.js';

const KIB = 1024;
type Parser = ReturnType<typeof express.raw>;
const readers = new Map<number, Parser>();
const received = new WeakMap<object, Buffer>();
const JSON_IN_UTF8 = /^application\/json\s*(;\s*(charset="?utf-8"?)?\s*)?$/i;
/**
 * Fatal decoding: otherwise bytes that are not UTF-8 would be replaced, and the stored text would differ from the sent
 * text.
 */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the bytes of the body after decompression. */
export const bodyBytes = (request: Request): Buffer => received.get(request) ?? Buffer.alloc(0);

/**
 * Reads the JSON body of a write into `request.body`. A request without a body gets an empty object. `limitKib` limits
 * the bytes on the wire and the bytes after decompression.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json, validation_failed (nested too deep)
 */
export async function readJsonBody(request: Request, response: Response, limitKib: number): Promise<void> {
  if (!hasBody(request)) {
    request.body = {};
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > limitKib * KIB) throw tooLarge(limitKib);
  if (!JSON_IN_UTF8.test(request.headers['content-type'] ?? ''))
    throw new DomainError('unsupported_media_type', 'The body must be application/json in UTF-8.');
  await readBytes(request, response, limitKib);
  const bytes: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  received.set(request, bytes);
  requireShallowJson(bytes);
  // A body of unknown length may be empty.
  request.body = bytes.length === 0 ? {} : parse(bytes);
}

const readBytes = (request: Request, response: Response, limitKib: number): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    readerOf(limitKib)(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toDomainError(error, limitKib)),
    );
  });

function readerOf(limitKib: number): Parser {
  const reader = readers.get(limitKib) ?? express.raw({ limit: limitKib * KIB, type: () => true });
  readers.set(limitKib, reader);
  return reader;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw notJson(cause);
  }
}

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const tooLarge = (limitKib: number): DomainError =>
  new DomainError('payload_too_large', `The body is larger than ${limitKib} KiB.`);

const notJson = (cause: unknown): DomainError =>
  new DomainError('malformed_json', 'The body is not a JSON document in UTF-8.', { cause });

function toDomainError(error: unknown, limitKib: number): DomainError {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge(limitKib);
    case 'encoding.unsupported':
      return new DomainError('unsupported_media_type', 'The encoding of the body is not supported.');
    default:
      return notJson(error);
  }
}
