import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { Code } from '../../ui/text/code.js';
import { Problem } from '../../ui/problem.js';

/** The permissions of the person by all their roles. */
export function MyPermissions({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(readQuery(tenantId, 'members.getPermissions', {}));
  if (!data) return error ? <Problem error={error} /> : <p role="status">Loading …</p>;
  return <Code label="My permissions" text={JSON.stringify(data, null, 2)} />;
}
