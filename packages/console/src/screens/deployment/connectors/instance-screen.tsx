import { useParams, useSearch } from '@tanstack/react-router';
import { Configurations } from '../configs/configurations.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import { DeadLetters } from './dead-letters.js';
import { InstanceStatus } from './instances.js';

const FROM = '/signed-in/t/$tenantId/deployments/$deploymentId/connectors/$instanceId';

/** An activated connector: its state, its configuration, and the messages that its destination refused. */
export function InstanceScreen() {
  const { instanceId } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const list = useLive('connectors.list', {});
  const instance = list.data?.find(({ id }) => id === instanceId);
  if (!instance)
    return list.error ? (
      <ReadProblem of={list} />
    ) : (
      <p role="status">{list.data ? 'There is no such connector.' : 'The connector follows.'}</p>
    );
  const { connector_type, connector_key, name, key } = instance;
  const owner = {
    ...{ group: 'connectorConfigs' as const, ids: { type: connector_type, key: connector_key } },
    ...{ name: key, top: connector_type },
  };
  return (
    <>
      <Section title={<bdi>{name}</bdi>}>
        <p>
          {connector_type} {connector_key} with the key <code>{key}</code>
        </p>
        <InstanceStatus {...instance} />
      </Section>
      {connector_type === 'sink' && <DeadLetters instanceId={instanceId} page={search.page ?? 1} />}
      <Configurations owner={owner} search={search} />
    </>
  );
}
