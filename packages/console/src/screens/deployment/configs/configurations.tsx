import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import type { ConfigOwner, Config } from './owner.js';
import type { ConfigSearch } from './search.js';
import { VersionDetails } from './version-details.js';
import { VersionsTable } from './versions-table.js';
import { useMemo } from 'react';
import { DeploymentForm } from '../deployment-request.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { fieldsOf, VALUES } from './schema-fields.js';

/** The versions of a configuration, what is in the open version, and the next version. */
export function Configurations({ owner, search }: { owner: ConfigOwner; search: ConfigSearch }) {
  // Both groups answer alike.
  const group = owner.group as 'configs';
  const versions = useLive(`${group}.listVersions`, { ...owner.ids, config_name: owner.name });
  const open = versions.data?.find(({ version }) => version === search.version);
  const active = versions.data?.find(({ primary }) => primary);
  return (
    <>
      <Section title="Versions">
        <VersionsTable owner={owner} versions={versions} open={search.version} />
        {search.version !== undefined && versions.data && !open && <p>There is no version {search.version}.</p>}
      </Section>
      {open && <VersionDetails owner={owner} open={open} versions={versions.data ?? []} against={search.against} />}
      {versions.data && <NewVersion owner={owner} from={open ?? active} />}
    </>
  );
}

/** The next version, with the values of another one at first. */
function NewVersion({ owner, from }: { owner: ConfigOwner; from: Config | undefined }) {
  // Both groups answer alike.
  const group = owner.group as 'configs';
  const schema = useLive(`${group}.getSchema`, owner.ids);
  const fields = useMemo(() => fieldsOf(schema.data ?? [], owner.top), [schema.data, owner.top]);
  const isDescribed = fields.members.length > 0;
  return (
    <Section title="New version">
      <ReadProblem of={schema} />
      {from && <p>The fields have the values of version {from.version}. An empty field has its default.</p>}
      {(schema.data !== undefined || schema.error !== null) && (
        <DeploymentForm
          request={`${owner.group}.create`}
          ids={owner.ids}
          fields={[VALUES, 'activate']}
          own={{ ...fields.own, activate: { label: 'Activate the version', hint: '' } }}
          {...(isDescribed && { described: { member: VALUES, members: fields.members } })}
          initial={{ values: from?.values ?? {} }}
          fixed={owner.group === 'configs' ? {} : { name: owner.name }}
          action="Save the version"
        />
      )}
    </Section>
  );
}
