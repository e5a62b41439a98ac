/** Connectors report their usage next to that of the broker. */
const ofConnectors = (name: string): string => `coalesce((n.gauges ->> 'connectors_${name}')::float8, 0)`;

/**
 * SQL over `nodes n` for the usage of a node. If the node reports no percentage, it is computed from the node's resources:
 * memory from the compute size, disk from the volume. `memoryBytes` and `tier` are SQL expressions: bytes per size as jsonb,
 * and the size.
 */
export const nodeLoad = (memoryBytes: string, tier: string) => ({
  cpu: `(n.gauges ->> 'cpu_percent')::float8 + ${ofConnectors('cpu_percent')}`,
  memory: `coalesce((n.gauges ->> 'memory_percent')::float8,
                     100 * ((n.gauges ->> 'memory_bytes')::float8 + ${ofConnectors('memory_bytes')}) / (${memoryBytes} ->> ${tier})::float8)`,
  disk: `coalesce((n.gauges ->> 'disk_percent')::float8,
                     100 * (n.gauges ->> 'disk_bytes')::float8 / (n.storage_size * 1e9))`,
});
