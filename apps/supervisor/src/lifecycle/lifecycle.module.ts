import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DynamicModule, Module } from '@nestjs/common';
import { LocalProvider } from '@libs/cloud';
import { operationsQueue } from '@libs/domain';
import { isOff, QueueModule, RingHandler, ringProcessor } from '@libs/queue';
import type { SupervisorConfig } from '../config.js';
import { Installation, LocalBroker } from '../platform/index.js';
import { CloudProviders } from './cloud-providers.js';
import { DeleteDeployment } from './delete-deployment.workflow.js';
import { DeploymentLedger } from './deployment-ledger.js';
import { DeploymentResources } from './deployment-resources.js';
import { LifecycleWorker } from './lifecycle-worker.js';
import { LifecycleWorkflows } from './lifecycle-workflows.js';
import { NodePlacement } from './node-placement.js';
import { NodeTurns } from './node-turns.js';
import { ProvisionDeployment } from './provision-deployment.workflow.js';
import { RotateCredentials } from './rotate-credentials.workflow.js';
import { RunActivity } from './run-activity.workflow.js';
import { UpgradeDeployment } from './upgrade-deployment.workflow.js';

/** Beside this file's app: started by path, never imported. */
const AGENT_ENTRY = fileURLToPath(new URL('../agent.main.js', import.meta.url));

/** The workflows that run each deployment's lifecycle in this cell. */
@Module({})
export class LifecycleModule {
  static forRoot(config: SupervisorConfig): DynamicModule {
    const queue = operationsQueue(config.SUPERVISOR_CELL);
    const hasQueue = !isOff({ url: config.QUEUE_URL ?? '' });
    return {
      module: LifecycleModule,
      imports: hasQueue ? [QueueModule.forProcessorsOf(queue)] : [],
      providers: [
        {
          provide: CloudProviders,
          useFactory: ({ name }: Installation, broker: LocalBroker) => localProviders(config, name, broker),
          inject: [Installation, LocalBroker],
        },
        DeploymentResources,
        DeploymentLedger,
        NodePlacement,
        NodeTurns,
        ProvisionDeployment,
        UpgradeDeployment,
        RotateCredentials,
        RunActivity,
        DeleteDeployment,
        LifecycleWorkflows,
        LifecycleWorker,
        { provide: RingHandler, useExisting: LifecycleWorker },
        ...(hasQueue ? [ringProcessor(queue)] : []),
      ],
      exports: [CloudProviders, DeploymentResources],
    };
  }
}

function localProviders(config: SupervisorConfig, installation: string, { binaries }: LocalBroker): CloudProviders {
  const local = new LocalProvider({
    dataDir: resolve(config.LANDLORD_DATA_DIR),
    installation,
    bindAddress: config.LOCAL_BIND_ADDRESS,
    agentEntry: AGENT_ENTRY,
    agentUrl: config.AGENT_PUBLIC_URL,
    binaries,
  });
  return new CloudProviders(new Map([['aws', local] as const, ['gcp', local] as const]));
}
