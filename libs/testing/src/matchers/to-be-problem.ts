import type { ApiAnswer } from '../cloud/api-client.js';

declare module 'vitest' {
  // The parameter has the name that Vitest gives it.
  interface Matchers<T> {
    /** A refusal of the catalogue: its code, its members, and the form that every refusal has. */
    toBeProblem(code: string, members?: object): T;
  }
}

expect.extend({
  toBeProblem(answer: ApiAnswer, code: string, members: object = {}) {
    const wanted = {
      code,
      status: answer.status,
      instance: answer.headers.get('ld-request'),
      title: expect.any(String) as string,
      detail: expect.any(String) as string,
      ...members,
    };
    const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    const pass = isProblem && this.equals(answer.body, expect.objectContaining(wanted));
    return {
      pass,
      message: () =>
        `expected ${answer.status} ${JSON.stringify(answer.body)} ${pass ? 'not ' : ''}to be ${JSON.stringify(wanted)}`,
    };
  },
});

export {};
