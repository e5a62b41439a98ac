import { IggyFrames, IggyHttp, describeWithIggy, numbered } from '@libs/testing';
import { PASSWORD, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';

const NEW = 'the new password';
const nodes: BrokerUnderTest[] = [];
const clients: IggyFrames[] = [];

async function aNode(): Promise<BrokerUnderTest> {
  const node = await anIggyNode();
  nodes.push(node);
  await node.start();
  return node;
}

async function frames(node: BrokerUnderTest): Promise<IggyFrames> {
  const client = await IggyFrames.open(node.spec.listen.ports.tcp ?? 0);
  clients.push(client);
  return client;
}

const http = (node: BrokerUnderTest, password: string): Promise<IggyHttp> =>
  IggyHttp.signIn(node.spec.listen.ports.http, password);

interface Token {
  access_token: { token: string };
}

/** Everything that a client can keep from the time when its password was good. */
async function everyTokenOf(node: BrokerUnderTest, password: string) {
  const client = await http(node, password);
  // A refresh ends the token that it was made from.
  const { token } = await http(node, password);
  const refreshed = await client.call<Token>('POST', '/users/refresh-token', { token });
  const personal = await client.call<{ token: string }>('POST', '/personal-access-tokens', { name: 'kept', expiry: 0 });
  const open = await frames(node);
  await open.signIn(password);
  const byToken = await frames(node);
  await byToken.signInByToken(personal.body.token);
  return {
    client,
    refreshed: client.withToken(refreshed.body.access_token.token),
    personal: personal.body.token,
    open,
    byToken,
  };
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('a rotation of credentials on iggy', () => {
  it('accepts both passwords during the overlap, without a restart', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    const before = await everyTokenOf(node, PASSWORD);
    await before.client.createTopic('orders');

    await node.rotate(NEW, { password: PASSWORD, valid_to: null });

    const after = await http(node, NEW);
    expect(await after.send('orders', numbered(2))).toBe(201);
    expect(await before.client.send('orders', numbered(1, 2))).toBe(201);
    expect(await before.refreshed.poll('orders')).toEqual(numbered(3));
    expect((await before.open.ask(201)).status).toBe(0);
    expect(await (await http(node, PASSWORD)).poll('orders')).toEqual(numbered(3));
    expect((await node.ready()).pid).toBe(pid);
  });

  it('ends every session and token of the old password with the overlap, and none of the new one', async () => {
    const node = await aNode();
    const old = await everyTokenOf(node, PASSWORD);
    await old.client.createTopic('orders');
    await node.rotate(NEW, { password: PASSWORD, valid_to: new Date(Date.now() + 3_600_000).toISOString() });
    const current = await http(node, NEW);
    const newest = await frames(node);
    await newest.signIn(NEW);

    await node.rotate(NEW, null);

    await Promise.all([old.open.closed(), old.byToken.closed()]);
    for (const client of [old.client, old.refreshed]) {
      expect(await client.send('orders', numbered(1)).catch(() => 0)).toBe(401);
      await expect(client.poll('orders')).rejects.toThrow('401');
      const refresh = await client.call('POST', '/users/refresh-token', { token: client.token });
      expect(refresh.status).toBe(401);
    }
    const anonymous = IggyHttp.anonymous(node.spec.listen.ports.http);
    expect((await anonymous.call('POST', '/users/refresh-token', { token: old.client.token })).status).toBe(401);
    const login = await anonymous.call('POST', '/personal-access-tokens/login', { token: old.personal });
    expect(login.status).toBeGreaterThanOrEqual(400);
    const again = await frames(node);
    expect((await again.signInByToken(old.personal)).status).not.toBe(0);
    expect((await again.ask(201)).status).not.toBe(0);
    await expect(http(node, PASSWORD)).rejects.toThrow('refused with 400');

    expect(await current.send('orders', numbered(1))).toBe(201);
    expect((await newest.ask(201)).status).toBe(0);
  });

  it('ends the old password at its end without an order, and its tokens are dead after a restart', async () => {
    const node = await aNode();
    const old = await everyTokenOf(node, PASSWORD);
    await old.client.createTopic('orders');

    await node.rotate(NEW, { password: PASSWORD, valid_to: new Date(Date.now() + 500).toISOString() });
    await Promise.all([old.open.closed(), old.byToken.closed()]);
    await expect(old.client.poll('orders')).rejects.toThrow('401');
    // The report of the node ends the user at the server.
    await node.ready();
    await node.runtime.stop(node.home, 5_000);
    await node.start();

    await expect(old.client.poll('orders')).rejects.toThrow('401');
    expect((await (await frames(node)).signInByToken(old.personal)).status).not.toBe(0);
    expect(await (await http(node, NEW)).poll('orders')).toEqual([]);
  });

  it('revives no token of an ended password that comes back, as after a rotation that failed, twice', async () => {
    const node = await aNode();
    const old = await everyTokenOf(node, PASSWORD);
    await old.client.createTopic('orders');
    await node.rotate(NEW, null);
    const between = await everyTokenOf(node, NEW);

    for (const password of [PASSWORD, NEW, PASSWORD]) {
      await node.rotate(password, null);
      await node.ready();

      const current = await http(node, password);
      expect(await current.send('orders', numbered(1))).toBe(201);
      for (const { client, refreshed, personal } of [old, between]) {
        for (const one of [client, refreshed]) await expect(one.poll('orders')).rejects.toThrow('401');
        const refresh = await client.call('POST', '/users/refresh-token', { token: client.token });
        expect(refresh.status).toBe(401);
        expect((await (await frames(node)).signInByToken(personal)).status).not.toBe(0);
      }
    }
    expect(await (await http(node, PASSWORD)).poll('orders')).toHaveLength(3);

    await node.runtime.stop(node.home, 5_000);
    await node.start();
    expect(await (await http(node, PASSWORD)).poll('orders')).toHaveLength(3);
    for (const { personal } of [old, between])
      expect((await (await frames(node)).signInByToken(personal)).status).not.toBe(0);
  });

  it('gives no user the id of an ended one, in ten rotations', async () => {
    const node = await aNode();
    const old = await everyTokenOf(node, PASSWORD);
    await old.client.createTopic('orders');

    for (let round = 0; round < 10; round += 1) {
      await node.rotate(`password ${round}`, null);
      await expect(old.refreshed.poll('orders')).rejects.toThrow('401');
    }

    expect(await (await http(node, 'password 9')).poll('orders')).toEqual([]);
    await expect(http(node, 'password 8')).rejects.toThrow('refused');
    await until('the old connection is closed', () => old.open.closed().then(() => true));
  });
});
