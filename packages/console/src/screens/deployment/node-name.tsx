import { useLive } from './use-deployment.js';

/** The name of a node, which is the same on every page. The id, which requests have, is only the tooltip. */
export function NodeName({ id }: { id: number }) {
  return <span title={`Id ${id}`}>{useNodeNames()(id)}</span>;
}

/** The names of nodes by their ids. */
export function useNodeNames(): (id: number) => string {
  const { data, error } = useLive('runtime.get', {});
  const names = new Map(data?.nodes.map(({ id, name }) => [id, name]));
  const other = data ? 'former node' : error ? 'unknown node' : 'node …';
  return (id) => names.get(id) ?? other;
}
