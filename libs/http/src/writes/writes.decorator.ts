import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { Precondition, type AuditType } from '@libs/domain';
import type { Request } from 'express';
import { admits, type Callers } from '../access/access.decorator.js';
import { isAsRead } from '../answers/etag.js';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { WriteInterceptor } from './write.interceptor.js';
import { AUDITED, IDEMPOTENT, KEEPS_NO_ANSWER, PREPARED, type AuditRule } from './writes.metadata.js';

const BODY_ERRORS = ['malformed_json', 'unsupported_media_type', 'payload_too_large', 'validation_failed'] as const;

/** Every write is one transaction, which reads a body. With an `idempotency-key` it runs at most once (C-4.1, C-4.6). */
const writes = (callers: Callers, rule: AuditRule): MethodDecorator =>
  applyDecorators(
    SetMetadata(AUDITED, rule),
    SetMetadata(IDEMPOTENT, true),
    UseInterceptors(WriteInterceptor),
    FailsWith(...BODY_ERRORS),
    ...(rule.types.length > 0 ? [ApiExtension('x-audit', rule.types)] : []),
    admits(callers),
  );

/** At least one. A write without them has a reason. */
type AuditTypes = [AuditType, ...AuditType[]];

/** A write with its callers and its audit types. A success without any of these types is a bug and is rolled back. */
export const Writes = (callers: Callers, ...types: AuditTypes): MethodDecorator =>
  writes(callers, { types, unlessUnchanged: false });

/** Like Writes, for updates: a request that changes nothing records nothing. */
export const WritesWhenChanged = (callers: Callers, ...types: AuditTypes): MethodDecorator =>
  writes(callers, { types, unlessUnchanged: true });

/** A write that records nothing. Reviewers and the route inventory read the reason. */
export const WritesUnaudited = (callers: Callers, _reason: string): MethodDecorator =>
  writes(callers, { types: [], unlessUnchanged: true });

/** Documents the key. `@Routes` adds it after the parameters of the path. */
export const TakesIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'idempotency-key',
      required: false,
      description: 'Repeating the request under the same key within ten minutes answers the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    FailsWith('idempotency_error', 'idempotent_request_in_progress'),
  );

/**
 * The handler runs before the transaction and returns `Prepared`. For slow work, such as the hash of a password, that
 * must not keep a connection and its locks.
 */
export const PreparesFirst = (): MethodDecorator => SetMetadata(PREPARED, true);

/** The answer is not stored for an idempotency key, because it contains a secret that is stored nowhere else. */
export const KeepsNoAnswer = (): MethodDecorator => SetMetadata(KEEPS_NO_ANSWER, true);

/** Documents `if-match` on the route of a parameter. */
const documentsIfMatch: ParameterDecorator = (prototype, name) => {
  const method = Object.getOwnPropertyDescriptor(prototype, name ?? '') ?? {};
  const header = { name: 'if-match', required: false, description: 'The etag that the resource must still have.' };
  applyDecorators(ApiHeader(header), FailsWith('precondition_failed'))(prototype, name ?? '', method);
};

/** The condition of the `if-match` header. It compares the header with the etag of the record. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext): Precondition => {
    const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
    return new Precondition(header === undefined ? null : (record) => isAsRead(header, record));
  },
  [documentsIfMatch],
);
