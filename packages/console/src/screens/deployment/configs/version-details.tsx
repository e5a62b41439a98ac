import type { Supervisor } from '@landlord/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Code } from '../../../ui/text/code.js';
import { SelectField } from '../../../ui/form/field.js';
import type { Column } from '../../../ui/list/table.js';
import { List } from '../../../ui/list/list.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import type { Config, ConfigOwner } from './owner.js';

interface VersionDetailsProps {
  owner: ConfigOwner;
  open: Config;
  versions: readonly Config[];
  against: number | undefined;
}

/** The values of a version. Keys that are left out have their defaults. */
export const VersionDetails = ({ owner, open, versions, against }: VersionDetailsProps) => (
  <Section title={`Version ${open.version}`}>
    <Code label={`Values of version ${open.version}`} text={JSON.stringify(open.values, null, 2)} />
    {owner.group === 'configs' && <Comparison owner={owner} open={open} versions={versions} against={against} />}
  </Section>
);

function Comparison({ owner, open, versions, against }: VersionDetailsProps) {
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate({
      to: '.',
      search: { version: open.version, ...(chosen !== '' && { against: Number(chosen) }) },
      resetScroll: false,
    });
  const others = versions.filter(({ version }) => version !== open.version);
  return (
    <>
      <SelectField
        label="Compare with"
        name="against"
        value={String(against ?? '')}
        onChange={choose}
        choices={[
          { value: '', label: 'Choose' },
          ...others.map(({ version }) => ({ value: String(version), label: `Version ${version}` })),
        ]}
      />
      {against !== undefined && <Changes name={owner.name} version={open.version} against={against} />}
    </>
  );
}

function Changes({ name, version, against }: { name: string; version: number; against: number }) {
  const diff = useLive('configs.diff', { config_name: name, version, against });
  return (
    <List
      label={`Changes from version ${against} to version ${version}`}
      query={{ ...diff, data: diff.data?.changes }}
      columns={columnsOf(version, against)}
      keyOf={({ key }) => key}
      empty="Both versions have the same values."
    />
  );
}

const columnsOf = (version: number, against: number): readonly Column<Supervisor.ChangedKeyView>[] => [
  { title: 'Key', cell: ({ key }) => <code>{key}</code> },
  { title: `Version ${against}`, cell: ({ from }) => <code>{JSON.stringify(from)}</code> },
  { title: `Version ${version}`, cell: ({ to }) => <code>{JSON.stringify(to)}</code> },
  { title: 'Restart', cell: ({ restart_required }) => (restart_required ? 'Yes' : 'No') },
];
