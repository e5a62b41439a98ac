import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../errors/problem.js';
import { nameOfRefusal } from './refusal-names.js';
import { shareComponents } from './share-components.js';

const KEY = [{ key: [] }];

const refusal = (...codes: string[]): object => ({
  description: codes.join(),
  headers: { 'ratelimit-limit': { schema: { type: 'integer' } } },
  content: { [PROBLEM_TYPE]: { schema: { allOf: [{ properties: { code: { enum: codes } } }] } } },
});
const page = (maximum: number): object => ({ name: 'page', in: 'query', schema: { type: 'integer', maximum } });

/** A description with one GET operation for each of the parts. */
function documentOf(...operations: object[]): OpenAPIObject {
  const paths = operations.map((operation, index) => [`/${index}`, { get: { operationId: `${index}`, ...operation } }]);
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: Object.fromEntries(paths) };
}
const operationsIn = ({ paths }: OpenAPIObject): Record<string, unknown>[] =>
  Object.values(paths).map(({ get }) => get as unknown as Record<string, unknown>);

describe('A shared response', () => {
  it.each([
    ['TenantNotFound', ['tenant_not_found']],
    ['ChannelOfDivisionNotFound', ['channel_not_found', 'division_not_found', 'tenant_not_found']],
    ['MemberOrRoleOfTenantNotFound', ['member_not_found', 'role_not_found', 'tenant_not_found']],
    ['InvitationNotFound', ['invitation_not_found']],
    ['Unauthenticated', ['unauthenticated']],
    ['Unauthorized', ['api_key_expired', 'unauthenticated']],
    ['BadRequestOrSecretRequired', ['malformed_json', 'secret_required', 'validation_failed']],
    ['ValidationFailed', ['validation_failed']],
  ])('is called %s for its codes in any order', (name, codes) => {
    expect(nameOfRefusal(codes)).toBe(name);
    expect(nameOfRefusal([...codes].reverse())).toBe(name);
  });

  it('is in the components, also if only one operation has it', () => {
    const document = shareComponents(documentOf({ responses: { '404': refusal('tenant_not_found') } }));

    expect(operationsIn(document)[0]?.['responses']).toEqual({
      '404': { $ref: '#/components/responses/TenantNotFound' },
    });
    expect(document.components?.responses).toEqual({ TenantNotFound: refusal('tenant_not_found') });
  });
});

describe('A response of a route that counts no requests', () => {
  it('has another name, because it has other headers', () => {
    const uncounted = { ...refusal('tenant_not_found'), headers: {} };
    const both = [{ '404': refusal('tenant_not_found') }, { '404': uncounted }].map((responses) => ({ responses }));

    expect(shareComponents(documentOf(...both)).components?.responses).toEqual({
      TenantNotFound: refusal('tenant_not_found'),
      TenantNotFoundUncounted: uncounted,
    });
  });
});

describe('A parameter', () => {
  it('is shared from the third use on, and stays inline where it differs', () => {
    const parts = [page(9), page(9), page(9), page(5)].map((one) => ({ parameters: [one], responses: {} }));

    const document = shareComponents(documentOf(...parts));

    expect(document.components?.parameters).toEqual({ Page: page(9) });
    expect(operationsIn(document).map(({ parameters }) => parameters)).toEqual([
      ...Array.from({ length: 3 }, () => [{ $ref: '#/components/parameters/Page' }]),
      [page(5)],
    ]);
  });

  it('is not shared with two uses', () => {
    const parts = [page(9), page(9)].map((one) => ({ parameters: [one], responses: {} }));

    expect(shareComponents(documentOf(...parts)).components?.parameters).toEqual({});
  });
});

describe('The most frequent security', () => {
  it('is the default of the document, and a public operation refuses the default', () => {
    const document = shareComponents(
      documentOf({ responses: {} }, { security: KEY, responses: {} }, { security: KEY, responses: {} }),
    );

    expect(document.security).toEqual(KEY);
    expect(operationsIn(document).map(({ security }) => security)).toEqual([[], undefined, undefined]);
  });
});
