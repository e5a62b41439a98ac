import { World } from '../matrix/world.js';

/** Names as an earlier release stored them: an invisible character, outer blanks, and letters in two parts. */
const OLD = ['La\u200bb', '  Blank ', 'Cafe\u0301'];

interface Kind {
  table: string;
  place: (world: World) => Promise<{ id: number; path: string }>;
}
const KINDS: Record<string, Kind> = {
  tenant: {
    table: 'tenants',
    place: async ({ cloud }) => ({ id: cloud.installation.tenant_id, path: cloud.tenant }),
  },
  division: {
    table: 'divisions',
    place: async (world) => below(await world.division(), `${world.cloud.tenant}/divisions`),
  },
  environment: {
    table: 'environments',
    place: async (world) => below(await world.environment(), `${world.cloud.division}/environments`),
  },
  deployment: {
    table: 'deployments',
    place: async (world) => below(await world.servingDeployment(), `${world.cloud.environment}/deployments`),
  },
  role: { table: 'roles', place: async (world) => below(await world.role(), `${world.cloud.tenant}/roles`) },
  'cloud account': {
    table: 'cloud_accounts',
    place: async (world) => below(await world.cloudAccount(), `${world.cloud.tenant}/cloud_accounts`),
  },
  channel: {
    table: 'notification_channels',
    place: async (world) => {
      const channel = { channel: 'webhook', name: world.name(), destination: 'https://hooks.example.com/x' };
      const { body } = await world.cloud.main().post(`${world.cloud.tenant}/channels`, channel);
      return below(body.id as number, `${world.cloud.tenant}/channels`);
    },
  },
};
const below = (id: number, path: string): { id: number; path: string } => ({ id, path: `${path}/${id}` });

describe('A PUT of a name that an earlier release stored', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it.each(Object.entries(KINDS).flatMap(([kind, row]) => OLD.map((name) => ({ kind, name, ...row }))))(
    'accepts it unchanged, keeps it, and takes it from nobody else: $kind $name',
    async ({ table, place, name }) => {
      const { id, path } = await place(world);
      const nameOf = async () => (await world.cloud.main().get(path)).body.name as string;
      await world.cloud.rows(`update ${table} set name = $2 where id = $1`, [id, name]);
      const read = (await world.cloud.main().get(path)).body as Record<string, unknown>;

      const whole = await world.cloud.main().put(path, { ...read, ...(table === 'tenants' && { protected: false }) });
      const alone = await world.cloud.main().put(path, { name });

      for (const { status, body } of [whole, alone])
        expect({ body, isDone: status < 300 }).toEqual({ body, isDone: true });
      expect(await nameOf()).toBe(name);
      expect(await world.cloud.main().put(path, { name: `x\u200b${id}` })).toBeProblem('validation_failed', {
        field_issues: [expect.objectContaining({ path: '/name', code: 'is_name' })],
      });
      expect((await world.cloud.main().put(path, { name: ` Tidy ${id} ` })).status).toBeLessThan(300);
      expect(await nameOf()).toBe(`Tidy ${id}`);
    },
  );
});
