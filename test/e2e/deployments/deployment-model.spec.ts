import { ModelInstallation } from '../model/model-installation.js';
import { ModelWalk } from '../model/model-walk.js';
import { ONCE_WRONG } from '../model/once-wrong.js';
import { MODEL_SEED, walkAtRandom } from '../model/walk-at-random.js';

/** A few sequences; deployment-model.proof.ts plays many. */
const SEQUENCES = 30;

describe('Deployments', () => {
  let installation: ModelInstallation;
  beforeAll(async () => {
    installation = await ModelInstallation.start();
  });
  afterAll(() => installation?.stop());

  it.each(ONCE_WRONG)('agree with the contract in a once failed sequence: %s', async (_what, options, commands) => {
    const walk = await ModelWalk.begin(installation, options, () => undefined);

    await walk.play(commands);
  });

  it(`behave like the model of the contract for any request (MODEL_SEED=${MODEL_SEED})`, async () => {
    const outcomes = await walkAtRandom(installation, SEQUENCES);

    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining(['create /managed: created', 'upgrade: accepted', 'delete: accepted']),
    );
  }, 300_000);
});
