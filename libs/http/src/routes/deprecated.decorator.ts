import type { Response } from 'express';
import { operationIdOf } from '../errors/fails-with.decorator.js';
import { RouteFault } from './route.js';

/** How a route ends. */
export interface Deprecation {
  /** The day of the release that deprecates the route, as YYYY-MM-DD. */
  since: string;
  /** The day from which a release may remove the route. */
  sunset: string;
  /** What clients use instead: a sentence for the API description. */
  instead: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** What docs/releases.md promises: six months. */
const LEAST_DAYS = 183;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DEPRECATION = Symbol('landlord.deprecation');
const byOperation = new Map<string, Deprecation>();

/**
 * Marks a route that will end: each answer says so in `deprecation` (RFC 9745) and `sunset` (RFC 8594), and the API description says
 * `deprecated`.
 * @throws RouteFault for a day that does not exist, and for a sunset within six months
 */
export const Deprecated =
  (deprecation: Deprecation): MethodDecorator =>
  (controller, name, descriptor) => {
    const route = `${controller.constructor.name}.${String(name)}`;
    const [since, sunset] = [deprecation.since, deprecation.sunset].map((day) => momentOf(day, route)) as [
      number,
      number,
    ];
    if (sunset - since < LEAST_DAYS * DAY_MS)
      throw new RouteFault(`${route} ends less than ${LEAST_DAYS} days after ${deprecation.since}`);
    const headers = { deprecation: `@${since / 1000}`, sunset: new Date(sunset).toUTCString() };
    Reflect.defineMetadata(DEPRECATION, headers, descriptor.value as object);
    byOperation.set(operationIdOf(controller.constructor.name, String(name)), deprecation);
  };

/** The moment at which the day begins in UTC. */
function momentOf(day: string, route: string): number {
  const moment = DATE.test(day) ? Date.parse(day) : NaN;
  // 30 February becomes a day in March.
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, day.length) !== day)
    throw new RouteFault(`${route} is deprecated by a day that does not exist: ${day}`);
  return moment;
}

/** Says in an answer that its route will end, if it will. */
export function tellDeprecation(handler: object, response: Response): void {
  const headers = Reflect.getMetadata(DEPRECATION, handler) as Readonly<Record<string, string>> | undefined;
  if (headers) for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** How the route of an operation in the API description ends. */
export const deprecationOfOperation = (operationId: string): Deprecation | undefined => byOperation.get(operationId);
