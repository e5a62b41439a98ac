import { createHmac } from 'node:crypto';
import type { NodeSpec } from '@libs/domain';
import { serverRootPassword } from '@libs/domain/server-root';
import type { Account } from './frame-filter.js';
import { IGGY_ROOT } from '../config/iggy-config.js';

/** The start of the names of users for clients. */
export const CLIENTS = 'clients-';
/** Characters of a hash in a name, so that names of different passwords differ. */
const NAME_LENGTH = 32;

/** Derives names and passwords at the server from the secret of the deployment, so that they need no storage. */
const derived = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('hex');

/** The root user of every server. Only the agent and the gate of the node use it. */
export const rootAccount = (secret: string): Account => ({
  username: IGGY_ROOT,
  password: serverRootPassword(secret),
});

/** The secret of the accounts of clients. Root's password cannot be derived from it. */
export const clientsSecret = ({ cluster }: Pick<NodeSpec, 'cluster'>): string =>
  derived(cluster.secret, 'iggy clients');

/** The secret that the servers of one cluster share. */
export const replicaSecret = (secret: string): string => derived(secret, 'iggy replicas');

/**
 * The user at the server for one password of clients. Every password has a user of its own, so both passwords of a rotation are
 * good at once, and the end of a password is the end of its user. Clients never learn the password of the user: they cannot change
 * it, and cannot sign in past the gate.
 */
export const clientAccount = (secret: string, password: string): Account => ({
  username: `${CLIENTS}${derived(secret, `name of ${password}`).slice(0, NAME_LENGTH)}`,
  password: derived(secret, `password of ${password}`),
});

/** The start of the name of the user for connectors. */
const CONNECTORS = 'connectors-';

/** The user of the node's connectors. They sign in with a token of this user, and never with its password. */
export const connectorsAccount = (secret: string): Account => ({
  username: `${CONNECTORS}${derived(secret, 'iggy name of connectors').slice(0, NAME_LENGTH)}`,
  password: derived(secret, 'iggy password of connectors'),
});
