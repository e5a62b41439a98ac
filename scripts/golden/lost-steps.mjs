/**
 * The steps and transitions that a newer list of workflow steps (contract/workflow-steps.txt) lacks; a renamed step
 * counts as removed. Operations of the older release may still be in these steps.
 */
export function lostSteps(before, after) {
  const [old, current] = [before, after].map(parseSteps);
  return [...old].flatMap(([step, ways]) => {
    const kept = current.get(step);
    if (!kept) return [step];
    return ways.filter((way) => !kept.includes(way)).map((way) => `${step} -> ${way}`);
  });
}

/** `workflow.step -> one | other, undone by third`: the transitions from each step. */
function parseSteps(text) {
  const rows = text.split('\n').filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [way = ''] = row.split(', undone by ');
      const [left = '', targets = ''] = way.split(' -> ');
      return [left.split(' ')[0], targets.split(' | ').filter(Boolean)];
    }),
  );
}
