const verbs = (resource: string, ...names: string[]): string[] => names.map((verb) => `compute.${resource}.${verb}`);

/** For instances and disks, in the zones of one region. */
export const GCP_NODE_PERMISSIONS = [
  ...verbs('instances', 'create', 'get', 'delete', 'start', 'stop', 'setMachineType', 'setMetadata', 'setTags'),
  ...verbs('instances', 'setLabels', 'attachDisk', 'detachDisk', 'use', 'addAccessConfig', 'deleteAccessConfig'),
  ...verbs('disks', 'create', 'get', 'delete', 'resize', 'setLabels', 'use', 'createSnapshot'),
];

/** For resources of a region or of the whole project, which no condition can limit to a region. */
export const GCP_NETWORK_PERMISSIONS = [
  ...verbs('projects', 'get'),
  ...verbs('instances', 'list'),
  ...verbs('disks', 'list'),
  ...verbs('snapshots', 'create', 'get', 'list', 'delete', 'setLabels', 'useReadOnly'),
  ...verbs('networks', 'get', 'updatePolicy', 'use'),
  ...verbs('subnetworks', 'create', 'get', 'list', 'delete', 'use', 'useExternalIp'),
  ...verbs('firewalls', 'create', 'get', 'list', 'delete'),
  ...verbs('addresses', 'create', 'createInternal', 'get', 'list', 'delete', 'deleteInternal', 'use', 'useInternal'),
  ...verbs('addresses', 'setLabels'),
  ...verbs('instanceGroups', 'create', 'get', 'list', 'update', 'delete', 'use'),
  ...verbs('regionBackendServices', 'create', 'get', 'list', 'update', 'delete', 'use'),
  ...verbs('regionHealthChecks', 'create', 'get', 'list', 'update', 'delete', 'use', 'useReadOnly'),
  ...verbs('forwardingRules', 'create', 'get', 'list', 'delete', 'setLabels', 'use'),
  ...verbs('serviceAttachments', 'create', 'get', 'list', 'update', 'delete'),
  ...verbs('zoneOperations', 'get'),
  ...verbs('regionOperations', 'get'),
  ...verbs('globalOperations', 'get'),
  ...verbs('regions', 'get'),
  ...verbs('zones', 'list'),
  ...verbs('machineTypes', 'get', 'list'),
];

/** What Landlord asks for in the project of a customer. */
export const GCP_PERMISSIONS = [...GCP_NODE_PERMISSIONS, ...GCP_NETWORK_PERMISSIONS];

/** What Landlord needs in the project of the operator: also the networks, which exist already in the project of a customer. */
export const GCP_OPERATOR_PERMISSIONS = [
  ...GCP_PERMISSIONS,
  ...verbs('networks', 'create', 'delete', 'list', 'addPeering', 'removePeering'),
];

/**
 * The IAM condition of the role for nodes. `testIamPermissions` asks about the project itself, and no instance is of this type: without the
 * second half, every question about the project would say that the permissions are missing.
 */
export const nodeCondition = (region: string): string =>
  `resource.name.startsWith("projects/$PROJECT_ID/zones/${region}-") || resource.type == "cloudresourcemanager.googleapis.com/Project"`;
