/**
 * How full a node is, as SQL over `nodes n`. What a node does not tell as a percentage is measured by what it was given:
 * memory by its compute size, disk by its volume. `memoryBytes` and `tier` are expressions: bytes by size as jsonb, the size.
 */
export const nodeLoad = (memoryBytes: string, tier: string) => ({
  cpu: `(n.gauges ->> 'cpu_percent')::float8`,
  memory: `coalesce((n.gauges ->> 'memory_percent')::float8,
                     100 * (n.gauges ->> 'memory_bytes')::float8 / (${memoryBytes} ->> ${tier})::float8)`,
  disk: `coalesce((n.gauges ->> 'disk_percent')::float8,
                     100 * (n.gauges ->> 'disk_bytes')::float8 / (n.storage_size * 1e9))`,
});
