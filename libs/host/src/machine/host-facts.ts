import { availableParallelism, hostname } from 'node:os';
import { PROCESSORS, type JoinedMachine } from '@libs/domain/machine-protocol';
import type { CompleteMachineFile } from './machine-file.js';
import { MachineRefused } from './machine-refused.js';

/** What the machine says about itself. Throws MachineRefused for a processor that has no programs of nodes. */
export function hostFacts({ memory_mib, disk_gib, address }: CompleteMachineFile): JoinedMachine {
  const processor = PROCESSORS.find((name) => name === process.arch);
  if (processor === undefined)
    throw new MachineRefused(`Nodes run on the processors ${PROCESSORS.join(' and ')}. This host has ${process.arch}.`);
  return { hostname: hostname(), processor, cpus: availableParallelism(), memory_mib, disk_gib, address };
}
