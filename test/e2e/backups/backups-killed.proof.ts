import { jest } from '@jest/globals';
import { BROKER_OF_THE_RUN, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';
import { StepBrake } from '../operations/step-brake.js';
import { KeptTexts, numbered } from './kept-texts.js';
import { OfflineQueue } from './offline-queue.js';

// A step of a killed worker waits until its lease expires after 15 s. On a busy machine this can happen more than once.
jest.setTimeout(180_000);

/** kill -9 of the supervisor and of the agent immediately before each step of a backup and of a restore. */
describe('kill -9', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    deployment = await TestDeployment.free(cloud);
    path = `${deployment.live}/backups`;
  });
  afterAll(() => cloud.stop());

  const take = (): Promise<ApiAnswer> => cloud.runtime().post(path, { name: 'killed' });
  const idOf = (taken: ApiAnswer): number => Number(taken.headers.get('ld-backup'));
  const remove = async (id: number): Promise<void> =>
    deployment.succeeds(await cloud.runtime().delete(`${path}/${id}`));

  /** Runs `ask`, and kills the supervisor and the agents immediately before the step. */
  const killedAt = async (step: string, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> => {
    const brake = await StepBrake.at(cloud, step);
    const accepted = await ask();
    await brake.isReached();
    await cloud.supervisor.kill();
    for (const { pid, command } of await cloud.nodeProcesses())
      if (command.includes('agent.main')) process.kill(pid, 'SIGKILL');
    await brake.release();
    await cloud.supervisor.start();
    await deployment.succeeds(accepted);
    return accepted;
  };

  it('before the upload of a backup: the backup contains the right messages', async () => {
    const texts = new KeptTexts(deployment, 'uploading');
    await texts.write('kept', 100);
    const taken = await killedAt('uploading', take);
    await texts.write('lost', 100);

    await deployment.succeeds(await cloud.runtime().post(`${path}/${idOf(taken)}/restore`));

    expect(await texts.all(100)).toEqual(numbered('kept', 100));
    await remove(idOf(taken));
  });

  it.each(['stopping_nodes', 'replacing_data', 'starting_nodes', 'discarding_old_data'])(
    'before step %s of a restore: the deployment contains exactly the backup',
    async (step) => {
      const texts = new KeptTexts(deployment, step);
      await texts.write('kept', 100);
      const queue = BROKER_OF_THE_RUN === 'iggy' ? null : new OfflineQueue(deployment, step);
      await queue?.begin();
      await queue?.publish(['first', 'second', 'third']);
      const taken = await take();
      await deployment.succeeds(taken);
      await texts.write('lost', 100);
      await queue?.publish(['lost']);

      await killedAt(step, () => cloud.runtime().post(`${path}/${idOf(taken)}/restore`));

      expect(await texts.all(100)).toEqual(numbered('kept', 100));
      if (queue) expect(await queue.drain()).toEqual(['first', 'second', 'third']);
      expect((await deployment.detail()).status).toBe('initialized');
      await remove(idOf(taken));
    },
  );
});
