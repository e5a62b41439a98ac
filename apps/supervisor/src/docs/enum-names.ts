import { TIME_SORTS, type EnumNames } from '@libs/http';

/** The closed sets of values that several members have, or that a list has. A released name never changes: clients have types of these names. */
export const ENUM_NAMES: EnumNames = {
  ActivityStatus: { of: 'ActivityView.status', text: 'The status of an activity on a node.' },
  BackupStatus: { of: 'BackupView.status', text: 'The state of a backup.' },
  BackupType: { of: 'BackupView.backup_type', text: 'Why a backup was taken.' },
  BrokerConfigName: { of: 'CreateConfigDto.name', text: 'The name of the configuration of the broker.' },
  ConnectionPreference: {
    of: 'ServiceAttachmentView.connection_preference',
    text: 'Whether each connection needs your consent.',
  },
  ConnectorType: {
    of: 'ConnectorInstanceView.connector_type',
    text: 'Whether a connector brings messages in or takes them out.',
  },
  LogLevel: { of: 'LogLineView.level', text: 'The weight of a log line.' },
  LogRuntime: { of: 'LogLineView.runtime', text: 'What on a node wrote a log line.' },
  NetworkMode: { of: 'NetworkInfoView.network_mode', text: 'Whether a deployment has public addresses.' },
  NodeRuntime: { of: 'ActivityView.runtime', text: 'What runs on a node.' },
  OperationStatus: { of: 'OperationView.status', text: 'The status of an operation.' },
  OperationType: { of: 'OperationView.type', text: 'What an operation does.' },
  RuleFlag: { of: 'AccessRuleView.unavailable', text: 'A protocol that an access rule opens.' },
  RuntimeStatus: { of: 'RuntimeView.status', text: 'The status of what runs on a node.' },
  TaskType: { of: 'TaskView.type', text: 'What a task applies.' },
  TimeSort: { values: TIME_SORTS, text: 'The order of a list whose items have a time of creation.' },
};
