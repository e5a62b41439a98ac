import { CloudError } from '../cloud-error.js';
import type { Place } from '../cloud-provider.js';
import { AwsAddresses } from './aws-addresses.js';
import type { AwsClients } from './aws-clients.js';
import type { DriverMemory, MemoryKey, Remembered } from '../driver/driver-memory.js';
import { AwsWork } from './aws-work.js';

const TAGS = { installation: 'here', deployment_id: 7 };
const KEY: MemoryKey = { kind: 'address', name: 'first' };
const TOGETHER = ['first', 'second', 'third'];

/** The parts of addresses, by name. */
class Memory implements DriverMemory {
  readonly parts = new Map<string, Map<string, { id: string | null; begunAgoMs: number }>>();

  exclusively<T>(_key: MemoryKey, _tags: unknown, work: () => Promise<T>): Promise<T> {
    return work();
  }
  async read(_kind: string, names: readonly string[]): Promise<Map<string, Remembered>> {
    const known = names.map((name) => [name, this.parts.get(name) ?? new Map()] as const);
    return new Map(known.map(([name, parts]) => [name, { isDeleting: false, tags: TAGS, parts }]));
  }
  async begin({ name }: MemoryKey, part: string): Promise<void> {
    this.parts.set(name, new Map([...(this.parts.get(name) ?? []), [part, { id: null, begunAgoMs: 0 }]]));
  }
  async end({ name }: MemoryKey, part: string, id: string | null): Promise<void> {
    if (id === null) this.parts.get(name)?.delete(part);
    else this.parts.set(name, new Map([...(this.parts.get(name) ?? []), [part, { id, begunAgoMs: 0 }]]));
  }
  async startDeletion(): Promise<void> {}
  async forget(): Promise<void> {}
}

describe('An elastic address at AWS', () => {
  let memory: Memory;
  let calls: string[];
  beforeEach(() => {
    memory = new Memory();
    calls = [];
  });

  const clients = (account: string | null): AwsClients => {
    const at: Place = { cloud: 'aws', region: 'us-east-1', account };
    const ec2 = {
      allocateAddress: async () => {
        calls.push('allocate');
        return { AllocationId: 'eipalloc-1', PublicIp: '203.0.113.7' };
      },
      describeAddresses: async () => {
        calls.push('describe');
        return { Addresses: [] };
      },
    };
    return { at, ec2 } as unknown as AwsClients;
  };
  /** Addresses of an account whose quota has room for this many. */
  const addresses = (room: number): AwsAddresses =>
    new AwsAddresses(() => ({
      requireAddresses: async (_ec2, needed) => {
        calls.push(`quota for ${needed}`);
        if (needed > room) throw new CloudError({ code: 'quota', name: 'elastic addresses' }, 'no room');
      },
    }));
  const build = async (driver: AwsAddresses, account: string | null = null): Promise<void> =>
    driver.build(await AwsWork.begin(KEY, clients(account), memory), {
      ...{ region: 'us-east-1', node: null, together: TOGETHER },
    });

  it('is created after the quota had room for all addresses of the deployment', async () => {
    await build(addresses(3));

    expect(calls).toEqual(['quota for 3', 'allocate']);
  });

  it('is not created when the quota has no room for all of them', async () => {
    await expect(build(addresses(2))).rejects.toMatchObject({ refusal: { code: 'quota' } });

    expect(calls).toEqual(['quota for 3']);
    expect(memory.parts.size).toBe(0);
  });

  it('is created without a question when another one of the deployment exists, or its own creation was begun', async () => {
    await memory.end({ kind: 'address', name: 'second' }, 'address', 'eipalloc-2');
    await build(addresses(0));
    memory.parts.clear();
    memory.parts.set('first', new Map([['address', { id: null, begunAgoMs: 120_000 }]]));
    await build(addresses(0));

    expect(calls.filter((call) => call.startsWith('quota'))).toEqual([]);
  });

  it('is created without a question in the account of a customer, whose role may not ask', async () => {
    await build(addresses(0), '111122223333/1');

    expect(calls).toEqual(['allocate']);
  });

  it('is shown once from the answer of its creation, and afterwards as AWS shows it', async () => {
    const driver = addresses(3);
    await build(driver);
    const known = await memory.read('address', ['first']);

    const first = await driver.look(clients(null), known);
    const second = await driver.look(clients(null), known);

    expect(first.get('first')).toMatchObject({ state: 'active', attributes: { ip: '203.0.113.7' }, tags: TAGS });
    expect(second.size).toBe(0);
    expect(calls).toEqual(['quota for 3', 'allocate', 'describe']);
  });
});
