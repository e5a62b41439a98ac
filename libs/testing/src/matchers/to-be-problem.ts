import type { ApiAnswer } from '../cloud/api-client.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- The types of Jest are in this namespace.
  namespace jest {
    interface Matchers<R> {
      /** A refusal of the error catalogue: its code, its members, and the common format of refusals. */
      toBeProblem(code: string, members?: object): R;
    }
  }
}

expect.extend({
  toBeProblem(answer: ApiAnswer, code: string, members: object = {}) {
    const expected = {
      code,
      status: answer.status,
      instance: answer.headers.get('ld-request'),
      title: expect.any(String) as string,
      detail: expect.any(String) as string,
      ...members,
    };
    const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    const pass = isProblem && this.equals(answer.body, expect.objectContaining(expected));
    return {
      pass,
      message: () =>
        `expected ${answer.status} ${JSON.stringify(answer.body)} ${pass ? 'not ' : ''}to be ${JSON.stringify(expected)}`,
    };
  },
});

export {};
