import { Module } from '@nestjs/common';
import { SUPERVISOR_CONFIG } from '../config.js';
import { AgentAdmission } from './agent-admission.js';
import { AgentRegistry } from './agent-registry.js';
import { ArtifactReaders } from './artifacts/artifact-readers.js';
import { ArtifactRoute } from './artifacts/artifact-route.js';
import { ArtifactFiles } from './artifacts/artifact-files.js';
import { configuredGatewayLimits, LIMITS_OF_GATEWAY } from './gateway-limits.js';
import { FileRoutes } from './file-routes.js';
import { GatewayRoutes } from './gateway-routes.js';
import { GatewayServer } from './gateway-server.js';
import { GatewayVisitors } from './gateway-visitors.js';
import { LoginAlarms } from './login-alarms.js';
import { LogIntake } from './log-intake.js';
import { MachineDocuments } from './machines/machine-documents.js';
import { MachineFiles } from './machines/machine-files.js';
import { MachineListener } from './machines/machine-listener.js';
import { MachineProgramFiles } from './machines/machine-programs.js';
import { MachineRegistry } from './machines/machine-registry.js';
import { MachineRoutes } from './machines/machine-routes.js';
import { MachineStatuses } from './machines/machine-statuses.js';
import { NewAgentsReconciler } from './machines/new-agents-reconciler.js';
import { NodeNotices } from './node-notices.js';
import { ObjectRelay } from './object-relay.js';
import { SampleWriter } from './sample-writer.js';
import { StatusBatcher } from './status-batcher.js';
import { AgentPresence } from './waiting/agent-presence.js';
import { DesiredWaiters } from './waiting/desired-waiters.js';
import { RequestWaiters } from './waiting/request-waiters.js';

/** The listener for node agents, with its own port and its own credentials. It offers no part of the API. */
@Module({
  providers: [
    { provide: LIMITS_OF_GATEWAY, useFactory: configuredGatewayLimits, inject: [SUPERVISOR_CONFIG] },
    AgentRegistry,
    GatewayVisitors,
    AgentAdmission,
    DesiredWaiters,
    StatusBatcher,
    AgentPresence,
    SampleWriter,
    LoginAlarms,
    NodeNotices,
    LogIntake,
    ObjectRelay,
    RequestWaiters,
    MachineRegistry,
    MachineListener,
    MachineProgramFiles,
    MachineDocuments,
    MachineStatuses,
    MachineFiles,
    NewAgentsReconciler,
    MachineRoutes,
    ArtifactFiles,
    ArtifactReaders,
    ArtifactRoute,
    FileRoutes,
    GatewayRoutes,
    GatewayServer,
  ],
})
export class GatewayModule {}
