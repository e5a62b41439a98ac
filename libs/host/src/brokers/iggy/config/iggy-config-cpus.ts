const RANGE = /^(\d+)\.\.(\d+)$/;

/**
 * The value of `system.sharding.cpu_allocation` for a node with `cpus` CPUs. The server does not start when the wanted CPUs
 * exceed those of the node, so this reduces them. `all` means all CPUs of the node and not of the machine.
 */
export function cpuAllocation(setting: string, cpus: number): string {
  const whole = Math.max(1, Math.floor(cpus));
  const [, from, to] = RANGE.exec(setting) ?? [];
  if (from !== undefined && Number(from) < Math.min(Number(to), whole)) {
    return `${Number(from)}..${Math.min(Number(to), whole)}`;
  }
  return /^[1-9]\d*$/.test(setting) ? String(Math.min(Number(setting), whole)) : String(whole);
}
