/** A problem that only a person can solve: a used token, a broken machine.json, or a machine that the operator has removed. */
export class MachineRefused extends Error {
  override readonly name = 'MachineRefused';
}

/** Exit code of the agent after a MachineRefused. A service manager must not start the agent again. */
export const REFUSED_EXIT_CODE = 78;
