import type { Supervisor } from '@landlord/sdk';

/** Whose configuration: of the broker, or of an instance of a connector. */
export interface ConfigOwner {
  group: 'configs' | 'connectorConfigs';
  /** The ids in the paths, apart from those of the deployment. */
  ids: Readonly<Record<string, string>>;
  name: string;
  /** The section of the schema whose keys stand at the top of the values. */
  top?: string;
}

export type Config = Supervisor.ConfigView;
