import { CREATED, LOCATION, LocatedAt, type CreatedRecord, type Location } from '../answers/answers.decorator.js';
import type { Route } from './route.js';

/**
 * The `location` of a created record is below the path of the request, if the controller reads the record there.
 * @throws RouteFault for a location with a parameter that has no value
 */
export function declareLocation(route: Route, routes: readonly Route[]): void {
  const created = route.read<CreatedRecord>(CREATED);
  const location = route.read<Location>(LOCATION);
  if (location) requireValues(route, location, created?.ids ?? []);
  else if (created && isRead(route, routes, created.ids[0] ?? '')) route.declare(LocatedAt(`:${created.ids[0]}`));
}

function requireValues(route: Route, { template, members }: Location, ids: readonly string[]): void {
  const values = [...route.parameters, ...ids, ...members];
  const missing = [...template.matchAll(/:([\w-]+)/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !values.includes(name));
  if (missing.length > 0) throw route.fault(`has no value for its location: ${missing.join(', ')}`);
}

function isRead(route: Route, routes: readonly Route[], kind: string): boolean {
  const paths = route.paths.map((path) => `${path}/:${kind.replaceAll('-', '_')}_id`);
  return routes.some((other) => other.isRead && other.paths.some((path) => paths.includes(path)));
}
