import { ConnectionError, problemError, TimeoutError, type CallOptions } from '@landlord/sdk';
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

/** The key of a request that is answered with the error, or succeeds. */
async function keyOf(keys: RepeatKey, input: object, error: Error | null): Promise<string | undefined> {
  let used: string | undefined;
  const call = async ({ idempotencyKey }: CallOptions): Promise<void> => {
    used = idempotencyKey;
    if (error) throw error;
  };
  await keys.send(input, call).catch((thrown: unknown) => expect(thrown).toBe(error));
  return used;
}

describe('The key of a request that is sent again', () => {
  it.each([
    ['no answer in time', new TimeoutError('late')],
    ['a lost connection', new ConnectionError('lost')],
    ['an error of the server', refusal(503, 'provider_unavailable')],
    ['too many requests', refusal(429, 'rate_limited')],
    ['a first request that still runs', refusal(409, 'idempotent_request_in_progress')],
  ])('stays after %s, and changes with the input', async (_name, error) => {
    const keys = new RepeatKey();
    const first = await keyOf(keys, { name: 'one' }, error);

    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await keyOf(keys, { name: 'one' }, error)).toBe(first);
    expect(await keyOf(keys, { name: 'two' }, error)).not.toBe(first);
  });

  it.each([
    ['a success', null],
    ['a refusal', refusal(400, 'validation_failed')],
  ])('changes after %s', async (_name, error) => {
    const keys = new RepeatKey();
    const first = await keyOf(keys, {}, error);

    expect(await keyOf(keys, {}, null)).not.toBe(first);
  });
});
