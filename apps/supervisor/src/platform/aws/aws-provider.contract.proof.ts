import { jest } from '@jest/globals';
import { AwsProvider, SharedDriverMemory, SharedCallPermits } from '@libs/cloud';
import { DriverResourcesRepository, CloudCallSlotsRepository } from '@libs/persistence/runtime';
import { AwsFaultProxy, freePorts, MotoServer, setVariables, skippedSuite, WorkflowBench } from '@libs/testing';
import { providesAsPromised, TAGS, type CloudSetup } from '../../../../../libs/cloud/test/provider.contract.fixture.js';
import { unbootedNodes } from '../../../test/aws-bench.fixture.js';
import { creationsOf, KEYS, MotoAccount, OTHER_ACCOUNT, otherAccount } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);

describeWithMoto('the driver aws fulfils the contract of the port, on Moto', () => {
  let bench: WorkflowBench;
  let moto: MotoServer;
  let account: MotoAccount;
  beforeAll(async () => {
    // The usual place of keys for the operator's own account.
    setVariables({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
    const [port = 0] = await freePorts(1);
    [bench, moto] = await Promise.all([WorkflowBench.open(), MotoServer.start(port)]);
    account = new MotoAccount(moto.endpoint);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await moto.stop();
    await bench.close();
  });

  async function setup(): Promise<CloudSetup> {
    await moto.reset();
    const proxy = await AwsFaultProxy.start(moto.endpoint);
    const { Vpc } = await (await otherAccount(moto.endpoint)).createVpc({ CidrBlock: '172.16.0.0/16' });
    return {
      driver: () =>
        new AwsProvider(
          TAGS.installation,
          new SharedDriverMemory(new DriverResourcesRepository(bench.database)),
          {
            endpoint: proxy.endpoint,
            permits: new SharedCallPermits(new CloudCallSlotsRepository(bench.database), 'aws'),
            credentialsOf: () => async () => KEYS,
          },
          unbootedNodes(bench),
        ),
      count: async (kind, name) => ({ made: creationsOf(proxy, kind, name), left: await account.left(kind, name) }),
      loseNextReply: () => proxy.loseNextReply(),
      throttle: (calls) => proxy.throttle(calls),
      failHalfway: () => proxy.failHalfway(),
      hideNew: (isHidden) => proxy.hideNew(isHidden),
      continuesByCalls: ['node'],
      passTime: async () => {
        const earlier = `jsonb_build_object('begun_at', now() - interval '2 minutes')`;
        const parts = `select jsonb_object_agg(key, value || ${earlier}) from jsonb_each(parts)`;
        await bench.rows(`update aws_resources set parts = coalesce((${parts}), '{}')`);
      },
      peer: { peer_vpc_id: Vpc?.VpcId ?? '', peer_owner_id: OTHER_ACCOUNT },
      stop: async () => {
        await proxy.stop();
        for (const table of ['aws_resources', 'cloud_call_slots', 'machine_reservations'])
          await bench.rows(`delete from ${table}`);
      },
    };
  }

  providesAsPromised({
    make: setup,
    lacks: ['network_peering', 'service_attachment'],
    endAtOnce: [
      ...(['network', 'firewall', 'address', 'load_balancer', 'vpc_peering', 'endpoint_service'] as const),
      ...(['restored_volume', 'snapshot'] as const),
    ],
  });
});
