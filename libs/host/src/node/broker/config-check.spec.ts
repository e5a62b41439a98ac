import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLog } from '../../os/json-log.js';
import type { BrokerRuntime, GateState } from '../../control/broker-runtime.js';
import type { NodeSpec } from '@libs/domain';
import { ConfigCheck } from './config-check.js';

describe('ConfigCheck', () => {
  let dir: string;
  let checked: number;
  let failure: Error | null;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-check-'));
    [checked, failure] = [0, null];
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const runtime = {
    check: async () => {
      checked += 1;
      if (failure) throw failure;
    },
  } as unknown as BrokerRuntime;
  const check = (): ConfigCheck =>
    new ConfigCheck({ dir, installation: 'spec', nodeId: 1 }, new JsonLog({}), () => undefined);
  const refusalOf = (one: ConfigCheck): Promise<string | null> =>
    one.refusalOf(runtime, {} as NodeSpec, {} as GateState, 'a hash');

  it('asks the broker once about a configuration that it refuses', async () => {
    const one = check();
    failure = new Error('no such option');

    expect([await refusalOf(one), await refusalOf(one)]).toEqual(['no such option', 'no such option']);
    expect(checked).toBe(1);
  });

  it('accepts a configuration when the disk takes it again', async () => {
    const one = check();
    failure = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    expect(await refusalOf(one)).toContain('no space left');
    failure = null;

    expect(await refusalOf(one)).toBeNull();
  });

  it('stops no broker for a change whose files cannot be written', async () => {
    await rm(dir, { recursive: true });

    expect(await refusalOf(check())).toBe('the data directory cannot be written');
    expect(checked).toBe(0);
  });
});
