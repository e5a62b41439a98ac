import type { ResourceKind } from '@libs/cloud';

/** Deterministic name of a deployment's resource: the same step names the same thing, however often it runs. */
export const resourceName = (installation: string, deploymentId: number, kind: ResourceKind, part?: number): string =>
  `ld-${installation}-${deploymentId}-${kind.replaceAll('_', '-')}${part === undefined ? '' : `-${part}`}`;
