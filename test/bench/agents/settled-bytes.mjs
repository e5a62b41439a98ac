import { cpuMicroseconds, residentBytes } from '../measure.mjs';

/** Resident memory after the process uses less than a tenth of a core. */
export async function settledBytes(pid) {
  for (let tries = 0; tries < 60; tries += 1) {
    const before = cpuMicroseconds(pid);
    await new Promise((later) => setTimeout(later, 1_000));
    if (cpuMicroseconds(pid) - before < 100_000) break;
  }
  return residentBytes(pid);
}
