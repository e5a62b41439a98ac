import { Route53 } from '@aws-sdk/client-route-53';
import { Route53Dns, type Route53Options } from '@libs/cloud';
import { freePorts, MotoServer, skippedSuite } from '@libs/testing';
import { publishesAsPromised } from '../../../../../libs/cloud/test/dns.contract.fixture.js';
import { KEYS } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);

const ZONE = 'names.test';
const OWNER = { installation: 'contract', deployment_id: 7 };

describeWithMoto('The driver route53, on Moto', () => {
  let moto: MotoServer;
  let zoneId: string;
  let route53: Route53;
  let made = 0;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    moto = await MotoServer.start(port);
    route53 = new Route53({ endpoint: moto.endpoint, region: 'us-east-1', credentials: KEYS });
    const { HostedZone } = await route53.createHostedZone({ Name: ZONE, CallerReference: 'proof' });
    zoneId = HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  });
  afterAll(() => moto.stop());

  const fresh = (): string => `d-${(made += 1)}.us-east-1.aws.${ZONE}`;
  const driver = (over: Partial<Route53Options> = {}) =>
    new Route53Dns({ zoneId, zone: ZONE, installation: 'contract', keys: KEYS, endpoint: moto.endpoint, ...over });
  /** All records at the name and at its mark, asked at Moto directly. */
  async function recordsOf(fqdn: string): Promise<string[]> {
    const { ResourceRecordSets = [] } = await route53.listResourceRecordSets({ HostedZoneId: zoneId });
    const own = ResourceRecordSets.filter(({ Name }) => Name === `${fqdn}.` || Name === `_landlord.${fqdn}.`);
    return own.map(({ Type, ResourceRecords = [] }) => `${Type} ${ResourceRecords.map(({ Value }) => Value).join()}`);
  }
  async function targetOf(fqdn: string): Promise<string | null> {
    const targets = (await recordsOf(fqdn)).filter((one) => !one.startsWith('TXT'));
    return targets.map((one) => one.split(' ')[1]?.replaceAll(',', ' ')).join(' ') || null;
  }

  describe('fulfils the contract of the port', () =>
    publishesAsPromised(async () => ({ driver: () => driver(), fresh, targetOf, stop: async () => undefined })));

  it('leaves no record behind', async () => {
    const fqdn = fresh();
    await driver().ensure(fqdn, '192.0.2.1', OWNER);
    expect(await recordsOf(fqdn)).toHaveLength(2);

    await driver().destroy(fqdn);

    expect(await recordsOf(fqdn)).toEqual([]);
  });

  it('neither changes nor removes names of another installation and of the operator', async () => {
    const [theirs, manual] = [fresh(), fresh()];
    await driver({ installation: 'other' }).ensure(theirs, '192.0.2.1', OWNER);
    await route53.changeResourceRecordSets({
      HostedZoneId: zoneId,
      ChangeBatch: {
        Changes: [
          {
            Action: 'CREATE',
            ResourceRecordSet: {
              Name: manual,
              Type: 'MX',
              TTL: 60,
              ResourceRecords: [{ Value: '10 mail.names.test' }],
            },
          },
        ],
      },
    });
    const before = [await recordsOf(theirs), await recordsOf(manual)];

    for (const fqdn of [theirs, manual]) {
      await expect(driver().ensure(fqdn, '192.0.2.2', OWNER)).rejects.toMatchObject({
        refusal: { code: 'invalid' },
        message: `the name ${fqdn} exists in the zone, and this installation has not published it`,
      });
      await driver().destroy(fqdn);
      expect(await driver().describe([fqdn])).toEqual(new Map());
    }

    expect([await recordsOf(theirs), await recordsOf(manual)]).toEqual(before);
  });

  it('refuses a name outside of the zone, and a zone that does not exist', async () => {
    await expect(driver().ensure('d-1.elsewhere.test', '192.0.2.1', OWNER)).rejects.toMatchObject({
      refusal: { code: 'invalid' },
    });
    await expect(driver({ zoneId: 'Z0000000000000000000' }).ensure(fresh(), '192.0.2.1', OWNER)).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining('NoSuchHostedZone'),
    });
  });
});
