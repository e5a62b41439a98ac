import { OperatorBench } from '../test/operator.fixture.js';
import { DeploymentCommands } from './deployment-commands.js';
import { OperatorRefused } from './operator-refused.js';

describe('The explanation of a deployment', () => {
  let bench: OperatorBench;
  beforeAll(async () => {
    bench = await OperatorBench.open();
  });
  afterAll(() => bench.close());

  it('has its operations, nodes, incidents and problems, and nothing of another deployment', async () => {
    const { deploymentId, nodeId } = await bench.deployment('explained');
    const other = await bench.deployment('other');
    const operation = await bench.operation('provision_deployment', 'creating_subnet', deploymentId);
    const foreign = await bench.operation('provision_deployment', 'creating_subnet', other.deploymentId);
    await bench.rows(
      `insert into incidents (kind, subject, operation_id, detail)
       values ('late_step', 'a', $1, 'the step is late'), ('lost_feature', 'local deployment ' || $2, null, 'no encryption'),
              ('late_step', 'b', $3, 'of another'), ('lost_feature', 'local deployment ' || $2 || '7', null, 'of a longer id')`,
      [operation, deploymentId, foreign],
    );
    await bench.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
       values ($1, $2, now(), 'broker', 'error', 'it burns'), ($1, $2, now(), 'broker', 'info', 'all is well'),
              ($3, $4, now(), 'broker', 'error', 'elsewhere')`,
      [deploymentId, nodeId, other.deploymentId, other.nodeId],
    );
    await bench.rows(`update deployment_runtimes set status_reason = 'no disk' where deployment_id = $1`, [
      deploymentId,
    ]);

    const { deployment, operations, nodes, incidents, problems } = await new DeploymentCommands(bench.session).explain(
      deploymentId,
    );

    expect(deployment).toMatchObject({
      name: 'explained',
      status: 'initialized',
      status_reason: 'no disk',
      cell: 'local',
    });
    expect(operations.map(({ id }) => id)).toEqual([operation]);
    expect(nodes.map(({ id }) => id)).toEqual([nodeId]);
    expect(incidents.map(({ detail }) => detail)).toEqual(['no encryption', 'the step is late']);
    expect(problems.map(({ message }) => message)).toEqual(['it burns']);
  });

  it('knows a Supervisor that is alive, and one that has never registered', async () => {
    const { deploymentId } = await bench.deployment('placed');
    const commands = new DeploymentCommands(bench.session);
    const contact = async () => {
      const { deployment } = await commands.explain(deploymentId);
      return [deployment.cell_is_alive, deployment.cell_seen_at !== null];
    };
    expect(await contact()).toEqual([false, false]);
    await bench.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ('local', 'http://here', 'http://here', '{}', '{}', 'embedded', '1', '1')`,
    );
    expect(await contact()).toEqual([true, true]);
    await bench.rows(`update cells set seen_at = now() - interval '2 minutes' where cell = 'local'`);
    expect(await contact()).toEqual([false, true]);
    await bench.rows(`update cells set seen_at = now(), signed_off_at = now() where cell = 'local'`);
    expect(await contact()).toEqual([false, true]);
  });

  it('is refused for a deployment that does not exist', async () => {
    await expect(new DeploymentCommands(bench.session).explain(999_999)).rejects.toThrow(OperatorRefused);
  });
});
