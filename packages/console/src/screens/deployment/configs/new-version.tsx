import { useMemo } from 'react';
import { DeploymentForm } from '../deployment-request.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import type { Config, ConfigOwner } from './owner.js';
import { fieldsOf, VALUES } from './schema-fields.js';

/** The next version, with the values of another one at first. */
export function NewVersion({ owner, from }: { owner: ConfigOwner; from: Config | undefined }) {
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
