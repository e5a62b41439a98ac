import { ConnectionError, problemError, TimeoutError } from '@landlord/sdk';
import { RepeatKey } from './repeat-key.js';

const refusal = (status: number, code: string) =>
  problemError(
    {
      ...{ type: 'about:blank', title: code, status, detail: code, instance: 'x', code },
      retryable: false,
      field_issues: [],
    },
    null,
  );

describe('The key of a request that is sent again', () => {
  it('stays without an answer, and changes with the input', () => {
    const keys = new RepeatKey();
    const first = keys.of('{"name":"one"}');
    keys.failed(new TimeoutError('no answer'));
    keys.failed(new ConnectionError('no answer'));

    expect(keys.of('{"name":"one"}')).toBe(first);
    expect(keys.of('{"name":"two"}')).not.toBe(first);
  });

  it('changes after an answer', () => {
    const keys = new RepeatKey();
    const first = keys.of('{}');
    keys.forget();

    expect(keys.of('{}')).not.toBe(first);
  });

  it('changes after a refusal, and stays after an error of the server', () => {
    const keys = new RepeatKey();
    const first = keys.of('{}');
    keys.failed(refusal(503, 'provider_unavailable'));
    keys.failed(refusal(429, 'rate_limited'));
    keys.failed(refusal(409, 'idempotent_request_in_progress'));
    expect(keys.of('{}')).toBe(first);
    keys.failed(refusal(400, 'validation_failed'));

    expect(keys.of('{}')).not.toBe(first);
  });
});
