import { describeWithNamed, LANDLORD_TYPES, OwnNamed, TestCloud, TestDeployment } from '@libs/testing';

const ZONE = 'cloud.test';
const SECRET = 'YW4gZTJlIHNlY3JldCBvZiAzMiBieXRlcyBvciBzbyE=';

describeWithNamed('A deployment with a name in the zone of the operator', () => {
  let named: OwnNamed;
  let cloud: TestCloud;
  beforeAll(async () => {
    named = await OwnNamed.start([{ name: ZONE, writers: { landlord: LANDLORD_TYPES } }], { landlord: SECRET });
    cloud = await TestCloud.start({
      env: {
        ...{ LANDLORD_DNS: 'rfc2136', BASE_DOMAIN: ZONE, DNS_SERVER: `127.0.0.1:${named.port}` },
        DNS_TSIG_KEY: `key "landlord" { algorithm hmac-sha256; secret "${SECRET}"; };`,
      },
    });
  });
  afterAll(async () => {
    await cloud.stop();
    await named.stop();
  });

  it('is found by its name until it is deleted', async () => {
    const deployment = await TestDeployment.free(cloud);
    const { domain } = (await cloud.main().get(deployment.path)).body;

    expect(domain).toMatch(/^[a-z0-9]+\.us-east-1\.aws\.cloud\.test$/);
    expect(await named.dig(domain, 'A')).toBe('127.0.0.1');
    expect((await cloud.runtime().get(deployment.live)).body.domain).toBe(domain);

    await deployment.delete();

    expect(await named.dig(domain, 'A')).toBeNull();
    expect(await named.dig(`_landlord.${domain}`, 'TXT')).toBeNull();
  });
});
