import { DomainError } from '@libs/domain';
import express, { type Request, type Response } from 'express';

const LIMIT_BYTES = 1024 * 1024;
const parse = express.json({ limit: LIMIT_BYTES, strict: false, type: () => true });

/**
 * Reads the JSON body of a write into `request.body`; a request without one gets an empty object.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
 */
export async function readJsonBody(request: Request, response: Response): Promise<void> {
  if (!hasBody(request)) {
    request.body = {};
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) throw tooLarge();
  if (!/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new DomainError('unsupported_media_type', 'The body must be application/json.');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(toDomainError(error))));
  });
}

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const tooLarge = (): DomainError => new DomainError('payload_too_large', 'The body is larger than 1 MiB.');

function toDomainError(error: unknown): DomainError {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge();
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new DomainError('unsupported_media_type', 'The charset or encoding of the body is not supported.');
    default:
      return new DomainError('malformed_json', 'The body is not a JSON document.', { cause: error });
  }
}
