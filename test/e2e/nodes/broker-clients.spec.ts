import { BROKER_OF_THE_RUN, SignInRefused, TestCloud, TestDeployment, type ClientPort } from '@libs/testing';

const PORTS: ClientPort[] = BROKER_OF_THE_RUN === 'iggy' ? ['tcp', 'websocket', 'http'] : ['tcp', 'websocket'];
const TEXTS = Array.from({ length: 50 }, (_, index) => `message ${String(index).padStart(2, '0')}`);

/** The client of tests in the protocol of the broker. */
describe('A client of the broker', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.free(cloud);
    await deployment.openToClients();
  });
  afterAll(() => cloud.stop());

  it.each(PORTS)('reads over %s every text that the broker has acknowledged, also after a restart', async (over) => {
    const writer = await deployment.client(0, { over });
    await writer.write(`clients/${over}`, ...TEXTS.slice(0, 20));
    await writer.write(`clients/${over}`, ...TEXTS.slice(20));
    await writer.close();
    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/activities/broker/restart`, {}));
    await (await deployment.admits()).close();

    const reader = await deployment.client(0, { over });
    const texts = await reader.readAll(`clients/${over}`, TEXTS.length);
    await reader.close();

    expect(texts.sort()).toEqual(TEXTS);
  });

  it.each(PORTS)('reads over %s all texts of a topic, also those that nobody expected', async (over) => {
    const client = await deployment.client(0, { over });
    await client.write(`unexpected/${over}`, ...TEXTS);

    const texts = await client.readAll(`unexpected/${over}`, 1);
    await client.close();

    expect(texts.sort()).toEqual(TEXTS);
  });

  it.each(PORTS)('is refused over %s with a wrong password', async (over) => {
    const login = { ...(await deployment.login()), password: 'guess' };

    await expect(deployment.client(0, { over, login })).rejects.toThrow(SignInRefused);
  });
});
