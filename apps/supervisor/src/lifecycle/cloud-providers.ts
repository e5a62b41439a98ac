import type { CloudProvider } from '@libs/cloud';
import { StepImpossible } from '@libs/workflow';

/** The driver that serves each cloud, by configuration of the supervisor. */
export class CloudProviders {
  constructor(private readonly byCloud: ReadonlyMap<string, CloudProvider>) {}

  /** @throws StepImpossible when this supervisor has no driver for the cloud */
  of(cloud: string): CloudProvider {
    const provider = this.byCloud.get(cloud);
    if (!provider) throw new StepImpossible(`this supervisor has no driver for ${cloud}`);
    return provider;
  }

  /** Each driver once, also when it serves several clouds. */
  all(): CloudProvider[] {
    return [...new Set(this.byCloud.values())];
  }
}
