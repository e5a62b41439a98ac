import { done, hop, stepTable, type StepContext, type StepResult, type Workflow } from '../src/index.js';

export type ToySteps = Record<string, (context: StepContext) => Promise<StepResult>>;

const TABLE = stepTable({
  creating: { to: ['second'], undoneBy: 'undo_first' },
  second: { to: ['third'], undoneBy: 'undo_second', giveUpAfter: '1h', deadline: '1m' },
  third: { to: [] },
  undo_first: { to: [], isUndo: true },
  undo_second: { to: [], isUndo: true },
});

/** A workflow of three steps that records which steps run. */
export function toy(stepLog: string[], steps: Partial<ToySteps> = {}): Workflow {
  const all: ToySteps = {
    creating: async () => hop('second'),
    second: async () => hop('third'),
    third: async () => done(),
    undo_first: async () => done(),
    undo_second: async () => done(),
    ...(steps as ToySteps),
  };
  const spoken = Object.entries(all).map(([name, step]) => [
    name,
    async (context: StepContext) => {
      stepLog.push(name);
      return step(context);
    },
  ]);
  return { type: 'provision_deployment', table: TABLE, steps: Object.fromEntries(spoken) as Workflow['steps'] };
}
