/** What each tag of the API description is about, in the order of /docs. */
export const TAGS = {
  Deployments: 'The live state of deployments: nodes, credentials and how to connect.',
  Summaries: 'Counts over all deployments of a place.',
  Operations: 'Long work: its state, its steps and its events.',
  Configuration: 'Settings of brokers and connectors, in versions.',
  Connectors: 'The connectors of a deployment: their instances, their state and their dead letters.',
  Activities: 'Start, stop, restart and reconfigure what runs on the nodes.',
  Tasks: 'Work that was asked for and runs later.',
  'Access rules': 'From which networks clients reach a deployment.',
  Networking: 'Private connections: peerings, endpoint services and service attachments.',
  Backups: 'Backups of a deployment, and their schedule.',
  Certificates: 'The certificates of the nodes.',
  Telemetry: 'Metrics and logs of a deployment.',
  'Diagnostic snapshots': 'Files for the diagnosis of a node.',
  Health: 'Whether the app runs and serves.',
};
