import { type DynamicModule, Module } from '@nestjs/common';
import { AccountAccessReconciler } from './account-access-reconciler.js';
import { AgentRolloutReconciler } from './machines/agent-rollout-reconciler.js';
import { ConnectorAlarmsReconciler } from './connector-alarms-reconciler.js';
import { DrainReconciler } from './machines/drain-reconciler.js';
import { EndedAgentsReconciler } from './ended-agents-reconciler.js';
import { EndedPasswordsReconciler } from './ended-passwords-reconciler.js';
import { LostFeaturesReconciler } from './lost-features-reconciler.js';
import { NodeGauges } from './node-gauges.js';
import { NodeReconciler } from './node-reconciler.js';
import { NodeReplacement } from './node-replacement.js';
import { PrivateConnectionReconciler } from './private-connection-reconciler.js';
import { ReachabilityLedger } from './reachability-ledger.js';
import { ReachabilityReconciler } from './reachability-reconciler.js';
import { RedirectionReconciler } from './redirection-reconciler.js';
import { UnknownResourcesReconciler } from './unknown-resources-reconciler.js';

/** The reconcilers, and what only they use. */
const RECONCILERS = [
  AccountAccessReconciler,
  AgentRolloutReconciler,
  ConnectorAlarmsReconciler,
  DrainReconciler,
  EndedAgentsReconciler,
  EndedPasswordsReconciler,
  LostFeaturesReconciler,
  NodeGauges,
  NodeReconciler,
  NodeReplacement,
  ReachabilityReconciler,
  ReachabilityLedger,
  RedirectionReconciler,
  PrivateConnectionReconciler,
  UnknownResourcesReconciler,
];

/** Reconcilers of the cell. They compare the desired with the actual state, and take no input. */
@Module({})
export class ReconciliationModule {
  /** Uses the providers and resources of the cell's lifecycle. */
  static on(lifecycle: DynamicModule): DynamicModule {
    return {
      module: ReconciliationModule,
      imports: [lifecycle],
      providers: RECONCILERS,
    };
  }
}
