import { Module } from '@nestjs/common';
import { AgentRegistry } from './agent-registry.js';
import { DesiredWaiters } from './desired-waiters.js';
import { GatewayRoutes } from './gateway-routes.js';
import { GatewayServer } from './gateway-server.js';
import { LogIntake } from './log-intake.js';
import { ObjectRelay } from './object-relay.js';
import { SampleWriter } from './sample-writer.js';
import { StatusBatcher } from './status-batcher.js';

/** The listener that node agents dial into: its own port, its own credentials, nothing of the API behind it. */
@Module({
  providers: [
    AgentRegistry,
    DesiredWaiters,
    StatusBatcher,
    SampleWriter,
    LogIntake,
    ObjectRelay,
    GatewayRoutes,
    GatewayServer,
  ],
})
export class GatewayModule {}
