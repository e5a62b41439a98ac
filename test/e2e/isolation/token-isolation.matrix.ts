import { given } from '@libs/testing';
import { CELLS, prepare, send, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';

const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const closed = CELLS.filter(({ access }) => access.kind !== 'public');
const atSupervisor = closed.filter(({ app }) => app === 'supervisor');
const atMainApi = closed.filter(({ app }) => app === 'main-api');

/** Every route × a token of the console: the part of the isolation matrix for tokens. */
describe('A token of the console', () => {
  let world: World;
  let tokens: Record<'owner' | 'stranger' | 'ended', string>;

  beforeAll(async () => {
    world = await World.start();
    const stranger = await given.session(world.cloud, await ownerOf(world.otherTenant.tenantId));
    const [owner, ended] = [await world.signedIn('owner'), await world.signedIn('owner')];
    tokens = {
      owner: await tokenOf(owner.headers, world.cloud.installation.tenant_id),
      stranger: await tokenOf(stranger.headers, world.otherTenant.tenantId),
      ended: await tokenOf(ended.headers, world.cloud.installation.tenant_id),
    };
    await world.cloud.main(null).delete('/account/sign_out', ended.headers);
  });
  afterAll(() => world.stop());

  async function ownerOf(tenantId: number): Promise<number> {
    const [row] = await world.cloud.rows<{ id: number }>('select owner_id::int as id from tenants where id = $1', [
      tenantId,
    ]);
    return row?.id ?? 0;
  }
  async function tokenOf(headers: Record<string, string>, tenantId: number): Promise<string> {
    const { cloud } = world;
    const body = { supervisor_url: cloud.supervisor.url };
    return (await cloud.main(null).post(`/tenants/${tenantId}/supervisor_tokens`, body, headers)).body.token;
  }
  const ask = async (cell: Cell, token: string) => send(cell, world, await prepare(cell, world), token);

  it.each(titled(atSupervisor))('of the owner opens %s', async (_, cell) => {
    expect((await ask(cell, tokens.owner)).status).toBe(cell.row.status);
  });

  it.each(titled(atSupervisor))('of another organization sees nothing at %s', async (_, cell) => {
    const { status, body } = await ask(cell, tokens.stranger);

    expect(status).toBe(404);
    expect(body.code).toBe(cell.path.includes(':tenant_id') ? 'tenant_not_found' : 'deployment_not_found');
  });

  it.each(titled(atSupervisor))('of an ended session is refused at %s', async (_, cell) => {
    expect(await ask(cell, tokens.ended)).toBeProblem('unauthenticated');
  });

  it.each(titled(atMainApi))('of the owner is refused at %s', async (_, cell) => {
    expect(await ask(cell, tokens.owner)).toBeProblem('unauthenticated');
  });
});
