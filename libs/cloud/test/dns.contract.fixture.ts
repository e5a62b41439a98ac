import { CloudError } from '../src/cloud-error.js';
import type { DnsProvider } from '../src/dns/dns-provider.js';
import { until } from '@libs/host/os';

/** A zone with the tools for a test. */
export interface DnsSetup {
  /** A driver for the zone. Every call creates another one, like in another process. */
  driver: () => DnsProvider;
  /** A name that nobody has published. */
  fresh: () => string;
  /** The targets that the zone has for the name, with a space between them. Null: none. */
  targetOf: (fqdn: string) => Promise<string | null>;
  stop: () => Promise<void>;
}

const OWNER = { installation: 'contract', deployment_id: 7 };
const DEADLINE_MS = 10_000;

/** The contract of every driver of names (dns-provider.ts) that publishes them. */
export function publishesAsPromised(make: () => Promise<DnsSetup>): void {
  let setup: DnsSetup;
  let fqdn: string;
  let dns: DnsProvider;
  beforeAll(async () => {
    setup = await make();
  });
  afterAll(() => setup.stop());
  beforeEach(() => {
    fqdn = setup.fresh();
    dns = setup.driver();
  });

  const stateOf = async (name = fqdn) => (await dns.describe([name])).get(name)?.state ?? null;
  const becomes = async (state: string | null): Promise<void> => {
    const look = async (): Promise<boolean> => (await stateOf()) === state;
    expect(await until(look, { timeoutMs: DEADLINE_MS, everyMs: 10 })).toBe(true);
  };

  it.each([
    ['an IPv4 address', '192.0.2.1'],
    ['an IPv6 address', '2001:db8::17'],
    ['the host name of a load balancer', 'lb-1.elb.example.net'],
  ])('publishes a name of %s, also after repeated calls', async (_kind, target) => {
    expect(await stateOf()).toBeNull();

    const answers = [
      await dns.ensure(fqdn, target, OWNER),
      await dns.ensure(fqdn, target, OWNER),
      await setup.driver().ensure(fqdn, target, OWNER),
    ];

    await becomes('active');
    expect(answers.map((answer) => answer.fqdn)).toEqual([fqdn, fqdn, fqdn]);
    expect(answers.every(({ poll_after_ms: ms }) => Number.isInteger(ms) && ms > 0)).toBe(true);
    expect(await setup.targetOf(fqdn)).toBe(target);
  });

  it('changes the target, also to another kind', async () => {
    const targets = ['192.0.2.1', '192.0.2.2', '2001:db8::2', 'lb-2.elb.example.net', '192.0.2.3'];
    const seen: (string | null)[] = [];

    for (const target of targets) {
      await dns.ensure(fqdn, target, OWNER);
      seen.push(await setup.targetOf(fqdn));
    }

    expect(seen).toEqual(targets);
  });

  it('leads to several addresses, and changes them in any order, to one, and to another kind', async () => {
    const steps = [
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
      ['192.0.2.3', '192.0.2.1', '192.0.2.2'],
      ['192.0.2.2', '192.0.2.4', '192.0.2.2'],
      ['192.0.2.4', '2001:db8::2'],
      ['192.0.2.5'],
      ['lb-2.elb.example.net'],
      ['192.0.2.6', '192.0.2.7'],
    ];

    for (const targets of steps) {
      await dns.ensure(fqdn, targets, OWNER);
      await dns.ensure(fqdn, targets, OWNER);

      const seen = await setup.targetOf(fqdn);
      expect(seen?.split(' ').sort()).toEqual([...new Set(targets)].sort());
    }

    await dns.destroy(fqdn);
    await becomes(null);
    expect(await setup.targetOf(fqdn)).toBeNull();
  });

  it.each([
    ['no target', []],
    ['a host name beside an address', ['192.0.2.1', 'lb-1.elb.example.net']],
    ['two host names', ['lb-1.elb.example.net', 'lb-2.elb.example.net']],
  ])('refuses %s', async (_what, targets) => {
    await expect(dns.ensure(fqdn, targets, OWNER)).rejects.toMatchObject({ refusal: { code: 'invalid' } });

    expect(await stateOf()).toBeNull();
  });

  it('removes the name, and publishes it again afterwards', async () => {
    await dns.ensure(fqdn, '192.0.2.1', OWNER);

    await dns.destroy(fqdn);
    await setup.driver().destroy(fqdn);

    await becomes(null);
    expect(await setup.targetOf(fqdn)).toBeNull();
    await dns.ensure(fqdn, '192.0.2.2', OWNER);
    expect(await setup.targetOf(fqdn)).toBe('192.0.2.2');
  });

  it('removes nothing when the name does not exist', async () => {
    await dns.destroy(fqdn);

    expect(await stateOf()).toBeNull();
  });

  it('returns only those of the names that exist', async () => {
    const other = setup.fresh();
    await dns.ensure(fqdn, '192.0.2.1', OWNER);

    expect([...(await dns.describe([other, fqdn])).keys()]).toEqual([fqdn]);
    expect(await dns.describe([])).toEqual(new Map());
  });

  it('publishes once after concurrent calls of several drivers', async () => {
    const drivers = Array.from({ length: 4 }, () => setup.driver());

    await Promise.all(drivers.map((driver) => driver.ensure(fqdn, '192.0.2.9', OWNER)));

    await becomes('active');
    expect(await setup.targetOf(fqdn)).toBe('192.0.2.9');
  });

  it('does nothing in calls that were already aborted', async () => {
    const reason = new CloudError({ code: 'unavailable' }, 'the lease was lost');
    const signal = AbortSignal.abort(reason);

    for (const call of [
      dns.ensure(fqdn, '192.0.2.1', OWNER, signal),
      dns.describe([fqdn], signal),
      dns.destroy(fqdn, signal),
    ])
      await expect(call).rejects.toBe(reason);
    expect(await stateOf()).toBeNull();
  });
}
