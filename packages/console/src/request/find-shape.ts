import { REQUESTS } from '../generated/requests.js';
import type { RequestShape, RequestTable } from './shape.js';

type NamesOf<Table> = { [Group in keyof Table & string]: `${Group}.${keyof Table[Group] & string}` }[keyof Table &
  string];
/** The name of a request: `channels.create`. */
export type RequestName = NamesOf<typeof REQUESTS>;

/** The description of a request. */
export function shapeOf(name: RequestName): RequestShape {
  const [group = '', method = ''] = name.split('.');
  const shape = (REQUESTS as RequestTable)[group]?.[method];
  if (!shape) throw new TypeError(`No request has the name ${name}.`);
  return shape;
}
