import { Link } from '@tanstack/react-router';
import { Time } from '../../../ui/text/time.js';
import type { Column } from '../../../ui/list/table.js';
import styles from '../deployment.module.css';
import { DeploymentButton } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import type { Read } from '../../../ui/read-problem.js';
import type { Config, ConfigOwner } from './owner.js';

interface VersionsTableProps {
  owner: ConfigOwner;
  versions: Read<readonly Config[]>;
  open: number | undefined;
}

export const VersionsTable = ({ owner, versions, open }: VersionsTableProps) => (
  <List
    label="Versions"
    query={versions}
    columns={columnsOf(owner, open)}
    keyOf={({ id }) => id}
    empty="There is no version yet."
  />
);

const columnsOf = (owner: ConfigOwner, open: number | undefined): readonly Column<Config>[] => [
  {
    title: 'Version',
    cell: ({ version }) => (
      <Link to="." search={version === open ? {} : { version }} aria-expanded={version === open} resetScroll={false}>
        Version {version}
      </Link>
    ),
  },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Active', cell: ({ primary }) => (primary ? 'Yes' : 'No') },
  { title: 'Broker', cell: ({ runtime_version, runtime_outdated }) => runtimeOf(runtime_version, runtime_outdated) },
  { title: 'Actions', cell: (config) => <Actions owner={owner} config={config} /> },
];

const runtimeOf = (version: string, isOutdated: boolean): string => (isOutdated ? `${version}, outdated` : version);

function Actions({ owner, config: { id, version, primary } }: { owner: ConfigOwner; config: Config }) {
  return (
    <div className={styles['actions']}>
      <DeploymentButton
        request={`${owner.group}.activate`}
        ids={{ ...owner.ids, config_name: owner.name, version }}
        action="Activate"
        disabledReason={primary ? 'This version is active.' : null}
      />
      <DeploymentButton
        request={`${owner.group}.delete`}
        ids={{ ...owner.ids, config_id: id }}
        action="Delete"
        question={`Delete version ${version}?`}
        disabledReason={primary ? 'The active version stays.' : null}
      />
    </div>
  );
}
