import { MACHINE_REFUSED_EXIT_CODE } from '@libs/domain/machine-protocol';

/** A problem that only a person can solve: a used token, a broken machine.json, or a machine that the operator has removed. */
export class MachineRefused extends Error {
  override readonly name = 'MachineRefused';
  readonly exitCode = MACHINE_REFUSED_EXIT_CODE;
}
