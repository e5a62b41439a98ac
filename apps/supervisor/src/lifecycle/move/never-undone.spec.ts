import { stepTable, StepImpossible, type OperationRow, type StepContext, type Workflow } from '@libs/workflow';
import { neverUndone } from './never-undone.js';

const contextAt = (step: string): StepContext => ({
  operation: { step } as OperationRow,
  signal: new AbortController().signal,
});

describe('The steps of a workflow that is never undone after its last chance', () => {
  const workflow = {
    table: stepTable({ before: { to: ['after'] }, after: { to: [] } }),
    before: async () => {
      throw new StepImpossible('no room');
    },
    after: async () => {
      throw new StepImpossible('no data');
    },
  } as unknown as Workflow;
  const steps = neverUndone(workflow, ({ step }) => step === 'after');

  it('fail the operation before', async () => {
    await expect(steps['before']?.(contextAt('before'))).rejects.toBeInstanceOf(StepImpossible);
  });

  it('are repeated after it, with the same reason', async () => {
    const error: unknown = await steps['after']?.(contextAt('after')).catch((caught: unknown) => caught);

    expect(error).not.toBeInstanceOf(StepImpossible);
    expect(error).toMatchObject({ message: 'no data' });
  });
});
