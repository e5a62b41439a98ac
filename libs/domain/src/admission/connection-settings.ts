import { z } from 'zod';
import { LISTENERS, limitsOf, type AppListener, type ConnectionLimits } from './listeners.js';

const number = z.coerce.number().int().min(1).max(1_000_000).optional();

/** The settings of one row of the table of listeners. `prefix`: of their names. */
function settingsOf<Prefix extends string>(prefix: Prefix, listener: AppListener, what: string) {
  const { unknown, ofNetwork, reserve, ofCaller, signInMs } = LISTENERS[listener];
  const shape = {
    CONNECTIONS: number.describe(
      `The number of connections of ${what}, of all kinds. Unset: the limit of open files of the process, without the files that other work needs.`,
    ),
    CONNECTIONS_BEFORE_SIGN_IN: number.describe(
      `The number of connections of ${what} that have not signed in. When there is no place, the oldest silent connection is closed. Unset: ${unknown}.`,
    ),
    CONNECTIONS_OF_A_NETWORK: number.describe(
      `The number of connections of ${what} from one network that have not signed in. A network is an IPv4 address or an IPv6 /64. Unset: ${ofNetwork}.`,
    ),
    CONNECTIONS_RESERVE: number.describe(
      `The number of additional connections of ${what} before sign-in, for networks whose callers have signed in. Unset: ${reserve}.`,
    ),
    CONNECTIONS_OF_A_CALLER: number.describe(
      `The number of connections of ${what} with one credential. The newest connection replaces the oldest. Unset: ${ofCaller}.`,
    ),
    SIGN_IN_SECONDS: number.describe(
      `The number of seconds until a connection of ${what} must have signed in, and of the longest pause before that. Unset: ${signInMs / 1000}.`,
    ),
  };
  type Shape = typeof shape;
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [prefix + name, schema])) as {
    [Name in keyof Shape as `${Prefix}${Name}`]: Shape[Name];
  };
}

export const API_CONNECTION_SETTINGS = settingsOf('', 'main-api', 'the API');
export const GATEWAY_CONNECTION_SETTINGS = settingsOf('GATEWAY_', 'gateway', 'the gateway');

/** What an operator has set, by name. */
export type ConnectionSettings = Partial<Record<keyof typeof API_CONNECTION_SETTINGS, number | undefined>>;

/** The limits of a listener with these settings. */
export function configuredLimits(
  listener: AppListener,
  settings: ConnectionSettings & { hasTls: boolean },
): ConnectionLimits {
  const { CONNECTIONS, SIGN_IN_SECONDS: seconds, hasTls } = settings;
  const limits = {
    ...{ places: CONNECTIONS, unknown: settings.CONNECTIONS_BEFORE_SIGN_IN },
    ...{ ofNetwork: settings.CONNECTIONS_OF_A_NETWORK, reserve: settings.CONNECTIONS_RESERVE },
    ...{ ofCaller: settings.CONNECTIONS_OF_A_CALLER, signInMs: seconds && seconds * 1000 },
  };
  const isSet = ([, value]: [string, number | undefined]): boolean => value !== undefined;
  return limitsOf(listener, { hasTls, ...Object.fromEntries(Object.entries(limits).filter(isSet)) });
}

/** The settings of the gateway by the names of the API. */
export const ofGateway = (settings: object): ConnectionSettings =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name in GATEWAY_CONNECTION_SETTINGS)
      .map(([name, value]) => [name.slice('GATEWAY_'.length), value as number]),
  );
