import { type ExecutionContext, Injectable, SetMetadata, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError, isStorableText, MOST_FIELD_ISSUES, validationFailed } from '@libs/domain';
import type { Request, Response } from 'express';
import { ACCESS, type AccessRule } from '../access/access.decorator.js';
import { FurtherFaults } from './further-faults.js';
import { inputClassesOf } from './input-classes.js';
import { validateInput } from './validate-input.js';
import { pointerTo } from './json-pointer.js';
import { membersOf } from './members.js';
import { readJsonBody } from './read-json-body.js';
import { unknownField } from './update.dto.js';

const BODY_KIB = Symbol('landlord.body_kib');
const IGNORES_QUERY = Symbol('landlord.ignores_query');
const DEFAULT_KIB = 64;
/** Requests without credentials are small. */
const PUBLIC_KIB = 16;

/** For a route with bodies larger than 64 KiB. */
export const TakesBodyOf = (kib: number): MethodDecorator => SetMetadata(BODY_KIB, kib);

/** For a page that links open: mail programs add their own members to the query. */
export const IgnoresUnknownQuery = (): ClassDecorator => SetMetadata(IGNORES_QUERY, true);

/** Validates the input of a request: path and query directly after the guard, the body before its transaction starts. */
@Injectable()
export class RouteInput {
  constructor(
    private readonly reflector: Reflector,
    private readonly further: FurtherFaults,
  ) {}

  /**
   * Replaces the query of the request with an instance of its class.
   * @throws DomainError route_not_found, validation_failed
   */
  validatePathAndQuery(context: ExecutionContext, request: Request): void {
    for (const [name, text] of Object.entries(request.params))
      // An id has its own rule, whose refusal names the resource.
      if (!name.endsWith('_id') && typeof text === 'string' && !isStorableText(text))
        throw new DomainError('route_not_found', 'The path contains a character that no name may contain.');
    const { query } = inputClassesOf(context);
    const hasQuery = request.url.includes('?');
    if (!query && !hasQuery) return;
    const ignoresUnknown = this.reflector.get<boolean | undefined>(IGNORES_QUERY, context.getClass()) ?? false;
    if (query)
      setQuery(request, validateInput(query, ignoresUnknown ? declaredOf(query, request) : request.query, null));
    else if (!ignoresUnknown) requireNoMembers(request.query);
  }

  /**
   * Reads the body and replaces it with an instance of its class. Returns the document as sent, and the refusal of a
   * JSON document that breaks a rule.
   * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
   */
  async validateBody(context: ExecutionContext): Promise<{ document: unknown; refusal: DomainError | null }> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    await readJsonBody(request, http.getResponse<Response>(), this.bodyKib(context));
    const document: unknown = request.body;
    try {
      const { body } = inputClassesOf(context);
      if (body) request.body = validateInput(body, document, this.further);
      else requireNoMembers(document);
      return { document, refusal: null };
    } catch (error) {
      if (error instanceof DomainError) return { document, refusal: error };
      throw error;
    }
  }

  private bodyKib(context: ExecutionContext): number {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS, context.getHandler());
    return (
      this.reflector.get<number | undefined>(BODY_KIB, context.getHandler()) ??
      (rule?.kind === 'public' ? PUBLIC_KIB : DEFAULT_KIB)
    );
  }
}

/** Express computes the query at each access. An own property of the request replaces it. */
const setQuery = (request: Request, query: object): unknown =>
  Object.defineProperty(request, 'query', { value: query, configurable: true });

const declaredOf = (query: Type<object>, request: Request): object =>
  Object.fromEntries(Object.entries(request.query).filter(([name]) => membersOf(query).has(name)));

/** For a route without a body or without a query. */
function requireNoMembers(document: unknown): void {
  const names = typeof document === 'object' && document !== null ? Object.keys(document) : [];
  if (names.length > 0)
    throw validationFailed(names.slice(0, MOST_FIELD_ISSUES).map((name) => unknownField(pointerTo([name]))));
}
