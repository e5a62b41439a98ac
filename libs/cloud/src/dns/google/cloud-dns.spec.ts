import { publishesAsPromised } from '../../../test/dns.contract.fixture.js';
import { FakeCloudDns } from '../../../test/fake-cloud-dns.fixture.js';
import { CloudDns, type CloudDnsOptions } from './cloud-dns.js';

const OWNER = { installation: 'one', deployment_id: 7 };

describe('The driver clouddns', () => {
  let zone: FakeCloudDns;
  let count = 0;
  beforeAll(async () => {
    zone = await FakeCloudDns.start();
  });
  afterEach(() => {
    expect(zone.faults).toEqual([]);
  });
  afterAll(() => zone.stop());

  const fresh = (): string => `d-${(count += 1)}.us-central1.gcp.names.test`;
  const driver = (over: Partial<CloudDnsOptions> = {}) =>
    new CloudDns({
      ...{ project: 'my-project', managedZone: 'names', zone: 'names.test', installation: 'one' },
      ...{ operator: { token: async () => 'token' }, endpoint: zone.endpoint, ...over },
    });
  const at = (fqdn: string) => zone.records.filter(({ name }) => name === `${fqdn}.` || name === `_landlord.${fqdn}.`);
  const targetOf = async (fqdn: string): Promise<string | null> =>
    zone.records
      .filter(({ name }) => name === `${fqdn}.`)
      .flatMap(({ rrdatas }) => rrdatas.map((one) => one.replace(/\.$/, '')))
      .join(' ') || null;

  describe('fulfils the contract of the port', () =>
    publishesAsPromised(async () => ({ driver: () => driver(), fresh, targetOf, stop: async () => undefined })));

  it('leaves no record behind', async () => {
    const fqdn = fresh();
    await driver().ensure(fqdn, '192.0.2.1', OWNER);
    expect(at(fqdn)).toHaveLength(2);

    await driver().destroy(fqdn);

    expect(at(fqdn)).toEqual([]);
  });

  it('neither changes nor removes names of another installation and of the operator', async () => {
    const [theirs, manual] = [fresh(), fresh()];
    await driver({ installation: 'other' }).ensure(theirs, '192.0.2.1', OWNER);
    zone.records.push({ name: `${manual}.`, type: 'A', ttl: 300, rrdatas: ['192.0.2.9'] });
    const before = structuredClone(zone.records);

    for (const fqdn of [theirs, manual]) {
      await expect(driver().ensure(fqdn, '192.0.2.2', OWNER)).rejects.toMatchObject({ code: 'invalid' });
      await driver().destroy(fqdn);
      expect((await driver().describe([fqdn])).size).toBe(0);
    }

    expect(zone.records).toEqual(before);
  });

  it('loses a name to an installation that publishes it between the question and the change', async () => {
    const fqdn = fresh();
    const mark = {
      name: `_landlord.${fqdn}.`,
      type: 'TXT',
      ttl: 60,
      rrdatas: ['"heritage=landlord,installation=other"'],
    };
    zone.beforeChange = () => zone.records.push(mark);

    await expect(driver().ensure(fqdn, '192.0.2.1', OWNER)).rejects.toMatchObject({ code: 'invalid' });

    expect(at(fqdn)).toEqual([mark]);
  });

  it('reads again when another worker has changed the name in between', async () => {
    const fqdn = fresh();
    await driver().ensure(fqdn, '192.0.2.1', OWNER);
    zone.beforeChange = () => {
      for (const one of zone.records) if (one.name === `${fqdn}.`) one.rrdatas = ['192.0.2.7'];
    };

    await driver().ensure(fqdn, '192.0.2.2', OWNER);

    expect(await targetOf(fqdn)).toBe('192.0.2.2');
  });

  it.each([
    ['a zone that does not exist', { managedZone: 'none' }, 'unavailable'],
    ['a name outside of the zone', { zone: 'elsewhere.test' }, 'invalid'],
  ])('refuses %s', async (_what, over, code) => {
    await expect(driver(over).ensure(fresh(), '192.0.2.1', OWNER)).rejects.toMatchObject({ code });
  });

  it.each([
    [403, 'rateLimitExceeded', 'throttled'],
    [403, 'forbidden', 'denied'],
    [503, 'backendError', 'unavailable'],
  ])('understands %d %s', async (status, reason, code) => {
    zone.refusals.push({ status, reason, message: 'no' });

    await expect(driver().ensure(fresh(), '192.0.2.1', OWNER)).rejects.toMatchObject({ code });
  });
});
