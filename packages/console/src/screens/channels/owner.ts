import type { RequestName } from '../../request/find-shape.js';

/** The owner of a channel: the organization, or one of its divisions. */
export interface OwnerSearch {
  division?: number;
}

const OF_TENANT = {
  list: 'channels.list',
  get: 'channels.get',
  deliveries: 'deliveries.list',
  delivery: 'deliveries.get',
  subscriptions: 'subscriptions.list',
  subscription: 'subscriptions.get',
} as const;
const OF_DIVISION = {
  list: 'channels.listInDivision',
  get: 'channels.getInDivision',
  deliveries: 'deliveries.listInDivision',
  delivery: 'deliveries.getInDivision',
  subscriptions: 'subscriptions.listInDivision',
  subscription: 'subscriptions.getInDivision',
} as const;
const CHANGES_OF_TENANT = {
  create: 'channels.create',
  update: 'channels.update',
  remove: 'channels.delete',
  confirm: 'channels.requestConfirmation',
  rotate: 'channels.rotate',
  test: 'channels.test',
  redeliver: 'deliveries.redeliver',
  subscribe: 'subscriptions.create',
  replaceAll: 'subscriptions.replace',
  unsubscribe: 'subscriptions.delete',
} as const satisfies Record<string, RequestName>;
const CHANGES_OF_DIVISION = {
  create: 'channels.createInDivision',
  update: 'channels.updateInDivision',
  remove: 'channels.deleteInDivision',
  confirm: 'channels.requestConfirmationInDivision',
  rotate: 'channels.rotateInDivision',
  test: 'channels.testInDivision',
  redeliver: 'deliveries.redeliverInDivision',
  subscribe: 'subscriptions.createInDivision',
  replaceAll: 'subscriptions.replaceInDivision',
  unsubscribe: 'subscriptions.deleteInDivision',
} as const satisfies Record<string, RequestName>;

/** What a channel of the owner gets without a subscription (contract: Events 3). */
export const everyEventOf = ({ division }: OwnerSearch): string =>
  `every event of the ${division === undefined ? 'organization' : 'division'}`;

/** The names of the requests for channels of the owner, the id of the owner for their paths, and where permissions are asked. */
export function requestsOf({ division }: OwnerSearch) {
  // The requests for a division take one id more, and have the same answers.
  const reads = (division === undefined ? OF_TENANT : OF_DIVISION) as typeof OF_TENANT;
  const changes = division === undefined ? CHANGES_OF_TENANT : CHANGES_OF_DIVISION;
  const ids = { ...(division !== undefined && { division_id: division }) };
  return { reads, changes, ids, scope: ids };
}
