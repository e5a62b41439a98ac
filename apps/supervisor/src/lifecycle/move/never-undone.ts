import { StepImpossible, type OperationRow, type StepContext, type Workflow } from '@libs/workflow';

/** A step cannot succeed now, and nothing can be undone. The step runs again later. */
class NotYet extends Error {}

/**
 * The steps of the workflow. From `isFinal` on, a step that is impossible does not fail the operation: undoing would start a broker
 * without its data. The step runs again until it succeeds, and its deadline tells the operator.
 */
export function neverUndone(workflow: Workflow, isFinal: (operation: OperationRow) => boolean): Workflow['steps'] {
  // The methods of a class, so that each step finds its workflow.
  const methods = workflow as unknown as Workflow['steps'];
  const steps = Object.keys(workflow.table).map((name) => {
    const step = async (context: StepContext) => {
      try {
        return await (methods[name] as Workflow['steps'][string]).call(workflow, context);
      } catch (error) {
        if (error instanceof StepImpossible && isFinal(context.operation)) throw new NotYet(error.message);
        throw error;
      }
    };
    return [name, step] as const;
  });
  return Object.fromEntries(steps);
}
