import { type DynamicModule, Module } from '@nestjs/common';
import { NodeGauges } from './node-gauges.js';
import { NodeReviver } from './node-reviver.js';
import { PrivateConnectionObserver } from './private-connection-observer.js';
import { ReachabilityLedger } from './reachability-ledger.js';
import { ReachabilitySweeper } from './reachability-sweeper.js';
import { UnknownResourcesSweeper } from './unknown-resources-sweeper.js';

/** Standing truths of the cell: sweepers that look at what should be and what is, and take no input. */
@Module({})
export class ReconciliationModule {
  /** On the providers and resources of the cell's lifecycle. */
  static on(lifecycle: DynamicModule): DynamicModule {
    return {
      module: ReconciliationModule,
      imports: [lifecycle],
      providers: [
        NodeGauges,
        NodeReviver,
        ReachabilitySweeper,
        ReachabilityLedger,
        PrivateConnectionObserver,
        UnknownResourcesSweeper,
      ],
    };
  }
}
