import type { OperationNames } from '@libs/http';

/** Names of operations that differ from `<controller>.<method>`. A released name never changes: clients generate methods from it. */
export const OPERATION_NAMES: OperationNames = {
  resources: {
    Health: 'supervisorHealth',
    Operations: 'runtimeOperations',
  },
  operations: {
    AccessRules_caller: 'accessRules.getCaller',
    Configs_primary: 'configs.getPrimary',
    Configs_schema: 'configs.getSchema',
    Configs_version: 'configs.getVersion',
    Configs_versions: 'configs.listVersions',
    ConnectorConfigs_primary: 'connectorConfigs.getPrimary',
    ConnectorConfigs_schema: 'connectorConfigs.getSchema',
    ConnectorConfigs_versions: 'connectorConfigs.listVersions',
    Deployments_credentials: 'runtime.getCredentials',
    Deployments_get: 'runtime.get',
    Deployments_rotateCredentials: 'runtime.rotateCredentials',
    NetworkPeerings_instructions: 'networkPeerings.getInstructions',
    Network_info: 'network.getInfo',
    NodeMetrics_exposition: 'nodeMetrics.exportPrometheus',
    NodeMetrics_latest: 'nodeMetrics.getLatest',
    NodeMetrics_series: 'nodeMetrics.getSeries',
    Operations_events: 'runtimeOperations.streamEvents',
    ServiceAttachments_connections: 'serviceAttachments.listConnections',
    ServiceAttachments_instructions: 'serviceAttachments.getInstructions',
    VpcPeerings_instructions: 'vpcPeerings.getInstructions',
  },
};
