import type { AppListener } from '@libs/domain/admission';

/** A listener, and the API of its process. */
export interface MeasuredListener {
  name: AppListener;
  api: string;
}

/** The connections of the listener that have not signed in. */
export async function connectionsOf({ name, api }: MeasuredListener): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text();
  const [, count] =
    new RegExp(`^landlord_connections\\{listener="${name}",standing="unknown"\\} (\\d+)`, 'm').exec(text) ?? [];
  return Number(count);
}

/** The connections that a limit of the listener has closed. */
export async function cutsOf({ name, api }: MeasuredListener): Promise<number> {
  const text = await (await fetch(`${api}/metrics`)).text();
  const cuts = text.matchAll(new RegExp(`^landlord_connections_cut_total\\{listener="${name}",[^}]*\\} (\\d+)`, 'gm'));
  return [...cuts].reduce((sum, [, count]) => sum + Number(count), 0);
}
