import type { ConnectorPlugin, ValueIssue } from '@libs/broker-config';
import { DestinationRefused, readDestination } from '@libs/outbound';

/**
 * Returns the destinations that nodes would refuse, without DNS queries. The node checks names each time it connects,
 * with the address that it connects to.
 */
export function refusedDestinations(
  { settings }: ConnectorPlugin,
  values: Record<string, unknown>,
  allowPrivate: boolean,
): ValueIssue[] {
  const config = Object(values['plugin_config']) as Record<string, unknown>;
  const keys = Object.keys(settings).filter((key) => settings[key]?.isDestination && Object.hasOwn(config, key));
  return keys.flatMap((key) => {
    const url = config[key];
    const reason = typeof url === 'string' ? refusal(url, allowPrivate) : null;
    return reason === null ? [] : [{ pointer: `/plugin_config/${key}`, code: 'not_in_format' as const, reason }];
  });
}

function refusal(url: string, allowPrivate: boolean): string | null {
  try {
    readDestination(url, { allowPrivate });
    return null;
  } catch (error) {
    if (error instanceof DestinationRefused) return `This cannot be sent to: ${error.message}.`;
    throw error;
  }
}
