import type { BalancerListener } from '../resource-specs.js';
import { CloudError } from '../cloud-error.js';

/** A listener as AWS has it: one for each port. */
export interface PortListener {
  port: number;
  protocol: 'TCP' | 'UDP' | 'TCP_UDP';
  targetPort: number;
  healthCheckPort: number;
  /** Names of nodes. */
  targets: string[];
}

/** AWS allows one listener for each port, so those of both protocols become one. @throws CloudError `invalid` */
export function portListeners(listeners: readonly BalancerListener[]): PortListener[] {
  const ports = new Map<number, PortListener>();
  for (const { port, protocol, target_port, health_check_port, targets } of listeners) {
    const other = ports.get(port);
    if (other && (other.targetPort !== target_port || other.targets.join() !== targets.join()))
      throw new CloudError(
        { code: 'invalid' },
        `port ${port} of a balancer of AWS leads to one port of the same nodes`,
      );
    ports.set(port, {
      ...{ port, targetPort: target_port, healthCheckPort: health_check_port, targets: [...targets] },
      protocol: other ? 'TCP_UDP' : protocol === 'tcp' ? 'TCP' : 'UDP',
    });
  }
  return [...ports.values()];
}
