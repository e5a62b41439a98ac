import { eventually, TestCloud, TestDeployment, type SeenNode } from '@libs/testing';
import WebSocket from 'ws';

/** The page of the broker on real nodes, from the address in the API to a rotation of the credentials. */
describe('The page of a broker', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.paid(cloud);
  });
  afterAll(() => cloud.stop());

  const addressOf = (node: SeenNode | undefined): string => node?.endpoints.http ?? '';
  const get = (node: SeenNode | undefined, path: string, cookie = '') =>
    fetch(`http://${addressOf(node)}${path}`, { headers: { cookie } });

  /** Signs in as the page does. Returns the cookie, or null. */
  async function signIn(node: SeenNode | undefined, login: object): Promise<string | null> {
    const response = await fetch(`http://${addressOf(node)}/ui/session`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'landlord-page': '1' },
        ...{ origin: `http://${addressOf(node)}`, 'sec-fetch-site': 'same-origin' },
      },
      body: JSON.stringify(login),
    });
    return response.status === 201 ? (response.headers.get('set-cookie')?.split(';')[0] ?? null) : null;
  }

  it('opens on each node with `broker_http` alone, and a session belongs to one node', async () => {
    const nodes = await deployment.nodes();
    await expect(get(nodes[0], '/ui/')).rejects.toThrow();
    await deployment.permit({ rules: { broker_http: true } });
    const login = await deployment.login();

    for (const node of nodes) {
      const page = await eventually('the page is open', () => get(node, '/').catch(() => null));
      expect(await page.text()).toContain('<title>Broker</title>');
      expect((await get(node, '/ui/api.js')).status).toBe(200);
    }
    const [first, second] = nodes;
    const cookie = await signIn(first, login);

    expect(cookie).toContain(`landlord_ui_d${deployment.id}_n${first?.id}=`);
    expect((await get(first, '/ui/topics', cookie ?? '')).status).toBe(200);
    expect((await get(second, '/ui/topics', cookie ?? '')).status).toBe(401);
    expect(await (await get(first, '/ui/session', cookie ?? '')).json()).toMatchObject({
      ...{ deployment_id: deployment.id, node_id: first?.id, node_name: first?.name, driver: first?.driver },
    });
  });

  it('ends its sessions and their connections with a rotation of the credentials', async () => {
    const [node] = await deployment.nodes();
    const before = await deployment.login();
    const cookie = (await signIn(node, before)) ?? '';
    const socket = new WebSocket(`ws://${addressOf(node)}/ui/socket`, {
      headers: { cookie, origin: `http://${addressOf(node)}` },
    });
    await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', () => resolve(true)));

    const overlap = { overlap_seconds: 3_600 };
    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/credentials/rotate`, overlap));

    await closed;
    expect((await get(node, '/ui/topics', cookie)).status).toBe(401);
    expect(await signIn(node, before)).toContain('landlord_ui_');
    expect(await signIn(node, { ...before, password: 'guess' })).toBeNull();
    expect(await signIn(node, await deployment.login())).toContain('landlord_ui_');
  });
});
